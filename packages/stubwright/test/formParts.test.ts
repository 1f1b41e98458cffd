// The parts of multipart/form-data: Encoding Objects decide how they are read, and are enforced.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serveToy, type Toy } from '@stubwright/test-support/toy';
import fc from 'fast-check';
import { testClient } from '../src/testing.ts';
import { loadedContract } from './support/contract.ts';

const TOY =
  '{type: object, properties: {name: {type: string}, size: {type: integer, format: int64}}}';
const FILE = '{type: string, format: binary}';
const SCHEMA = `
              type: object
              properties:
                toy: ${TOY}
                toys: {type: array, items: ${TOY}}
                xml: ${TOY}
                xmls: {type: array, items: ${TOY}}
                json: ${TOY}
                either: ${TOY}
                nested: ${TOY}
                photo: ${FILE}
                image: ${FILE}
                pictures: {type: array, items: ${FILE}}
                sized: ${FILE}
                note: {type: string, maxLength: 2000}
                count: {type: integer}
                counts: {type: array, items: {type: integer}}
                any: {}
                raw: {}
                preset: {type: string, format: binary, default: none}
              patternProperties: {'^scan': ${FILE}, '^n[0-9]': {type: integer}}`;
const ENCODING = `
              xml: {contentType: application/xml}
              xmls: {contentType: text/xml}
              json: {contentType: application/json}
              either: {contentType: 'application/xml, application/json'}
              nested: {contentType: application/x-www-form-urlencoded}
              photo: {contentType: image/png}
              raw: {contentType: image/png}
              image: {contentType: image/*}
              pictures: {contentType: 'image/png, image/jpeg'}
              sized: {headers: {X-Size: {required: true, schema: {type: integer, maximum: 9}}, X-Tag: {$ref: '#/components/headers/Tag'}}}`;
const CONTRACT = `
paths:
  /form:
    post:
      operationId: send
      requestBody:
        content:
          multipart/form-data:
            schema: ${SCHEMA}
            encoding: ${ENCODING}
      responses: {'204': {description: ok}}
  /echo:
    post:
      operationId: echo
      requestBody:
        content:
          multipart/form-data:
            schema: ${SCHEMA}
            encoding: ${ENCODING}
      responses:
        '200':
          description: ok
          content:
            multipart/form-data:
              schema: ${SCHEMA.replaceAll('\n', '\n  ')}
              encoding: ${ENCODING.replaceAll('\n', '\n  ')}
  /text:
    post:
      operationId: sendText
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {toy: ${TOY}, tags: {type: array, items: {type: string}}, key: {type: string, writeOnly: true}}}, encoding: {tags: {style: form, explode: false}}}}}
      responses: {'200': {description: ok, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {toy: ${TOY}, tags: {type: array, items: {type: string}}, key: {type: string, writeOnly: true}}}, encoding: {tags: {style: form, explode: false}}}}}}
components:
  headers: {Tag: {schema: {type: string, minLength: 2}}}
`;
const TYPE = 'multipart/form-data; boundary=b';

let toy: Toy;
beforeAll(async () => {
  const echo = ({ body }: { body: unknown }) => ({ status: 200, body });
  toy = await serveToy('3.1.0', CONTRACT, {
    bodyLimitBytes: 3_000_000,
    handlers: { send: () => ({ status: 204 }), echo, sendText: echo },
  });
});
afterAll(() => toy.close());

/** A part: the lines of its header, and its content. */
type Part = readonly [headers: string, content: string | Buffer];

function bodyOf(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(([headers, content]) => [
    Buffer.from(`--b\r\n${headers}\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from('--b--\r\n')]);
}

/** @returns the header of a part */
function head(name: string, type?: string, fileName?: string): string {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`;
  const lines = [`Content-Disposition: form-data; name="${name}"${file}`];
  return [...lines, ...(type === undefined ? [] : [`Content-Type: ${type}`])].join('\r\n');
}

/** @returns the body that the handler got, or the error */
async function sent(...parts: Part[]): Promise<unknown> {
  const calls = toy.got.length;
  const init = { method: 'POST', headers: { 'Content-Type': TYPE }, body: bodyOf(parts) };
  const { status, text } = await toy.fetch('/form', init);
  if (toy.got.length === calls) return `${status} ${JSON.parse(text).message}`;
  return { ...(toy.got[0]!['body'] as object) };
}

const NAMED = 'expected Content-Disposition: form-data';
const BEAR = { name: 'Bear', size: 5n };
const JSON_BEAR = '{"name":"Bear","size":5}';
const XML_BEAR = '<toy><name>Bear</name><size>5</size></toy>';

/** @returns a part with a header and a content */
const part = (name: string, content: string | Buffer, type?: string, fileName?: string): Part => [
  head(name, type, fileName),
  content,
];

describe('a part', () => {
  const PLAIN = 'text/plain';
  const latin1 = Buffer.from('é', 'latin1');

  it.each<[value: unknown, ...parts: Part[]]>([
    [{ toy: BEAR }, part('toy', JSON_BEAR)],
    // As a browser sends a Blob.
    [{ toy: BEAR }, part('toy', JSON_BEAR, 'application/json', 'blob')],
    [{ toys: [BEAR, {}] }, part('toys', JSON_BEAR), part('toys', '{}')],
    [{ toys: [BEAR] }, part('toys', `[${JSON_BEAR}]`, 'application/json')],
    [{ xml: BEAR }, part('xml', XML_BEAR, 'application/xml')],
    [{ xml: BEAR }, part('xml', XML_BEAR)],
    [{ xml: BEAR }, part('xml', XML_BEAR, 'application/xml; charset=utf-8', 'a.xml')],
    [{ xmls: [BEAR, BEAR] }, part('xmls', XML_BEAR, 'text/xml'), part('xmls', XML_BEAR)],
    [{ either: BEAR }, part('either', XML_BEAR, 'application/xml')],
    [{ either: BEAR }, part('either', JSON_BEAR, 'application/json')],
    [{ nested: BEAR }, part('nested', 'name=Bear&size=5')],
    [{ note: 'é' }, part('note', 'é', PLAIN, 'note.txt')],
    [{ note: 'é' }, part('note', latin1, `${PLAIN}; charset=iso-8859-1`)],
    [{ note: '' }, part('note', '')],
    [{ count: 5, n1: 3 }, part('count', '5'), part('n1', '3')],
    [{ counts: [1, 2] }, part('counts', '1'), part('counts', '2')],
    // Without schema.
    [{ any: 'x', ['__proto__']: 'y' }, part('any', 'x'), part('__proto__', 'y')],
  ])('is read as %p', async (value, ...parts) => {
    expect(await sent(...parts)).toEqual(value);
  });

  it.each<[string, string, string | undefined, string | undefined, string, string]>([
    ['the declared type', 'photo', 'image/png', 'a.png', 'a.png', 'image/png'],
    ['parameters of the type', 'photo', 'Image/PNG; q=1', 'a.png', 'a.png', 'image/png'],
    ['no type, which is the declared one', 'photo', undefined, 'a.png', 'a.png', 'image/png'],
    ['no file name', 'photo', 'image/png', undefined, 'photo', 'image/png'],
    ['a type of a range', 'image', 'image/gif', 'a.gif', 'a.gif', 'image/gif'],
    ['a type of a list', 'pictures', 'image/jpeg', 'a', 'a', 'image/jpeg'],
    ['a folder in its name', 'photo', 'image/png', 'C:\\x\\..\\a.png', 'a.png', 'image/png'],
    ['no schema', 'any', 'text/csv', 'a.csv', 'a.csv', 'text/csv'],
    ['no schema, and a type that is no text', 'any', 'image/png', undefined, 'any', 'image/png'],
    ['a declared type that is no text', 'raw', undefined, undefined, 'raw', 'image/png'],
    ['no type and no file name', 'preset', undefined, undefined, 'preset', 'text/plain'],
    ['the schema of a pattern', 'scan1', undefined, undefined, 'scan1', 'text/plain'],
  ])('is a file with %s', async (_, name, type, fileName, expectedName, expectedType) => {
    const { [name]: value } = (await sent(part(name, 'x', type, fileName))) as Record<string, File>;
    const file = [value].flat()[0] as File;
    expect([file.name, file.type, file.size]).toEqual([expectedName, expectedType, 1]);
  });

  const sized = (headers: string): Part => [`${head('sized', undefined, 'a')}${headers}`, 'x'];
  const ofType = (name: string, declared: string, type = '') =>
    `form field ${name} expected Content-Type ${declared}${type && `, got ${type}`}`;

  it.each<[message: string, ...parts: Part[]]>([
    [
      ofType('xml', 'application/xml', 'application/json'),
      part('xml', JSON_BEAR, 'application/json'),
    ],
    ['expected well-formed XML', part('xml', JSON_BEAR)],
    [
      ofType('json', 'application/json', 'application/xml'),
      part('json', XML_BEAR, 'application/xml'),
    ],
    [ofType('json', 'application/json', PLAIN), part('json', JSON_BEAR, PLAIN)],
    [ofType('photo', 'image/png', 'image/gif'), part('photo', 'x', 'image/gif', 'a.png')],
    [ofType('photo', 'image/png'), part('photo', 'x', 'application/octet-stream', 'a')],
    [ofType('photo', 'image/png', 'png'), part('photo', 'x', 'png', 'a')],
    [ofType('image', 'image/*', PLAIN), part('image', 'x', PLAIN, 'a')],
    [ofType('pictures', 'image/png, image/jpeg'), part('pictures', 'x', 'image/gif', 'a')],
    ['form field sized header X-Size is required', sized('')],
    ['form field sized header X-Size expected to be <= 9', sized('\r\nX-Size: 10')],
    ['form field sized header X-Tag', sized('\r\nX-Size: 1\r\nX-Tag: a')],
    ['expected UTF-8', part('note', Buffer.from([0xff]))],
    ['form field note expected UTF-8', part('note', 'a', `${PLAIN}; charset=x-none`)],
    ['expected a number of at most', part('count', '1e400')],
    [`${NAMED} with a name in each part`, ['Content-Disposition: form-data', 'x']],
    [NAMED, ['X-A: b', 'x']],
    [NAMED, ['Content-Disposition: attachment; name="note"', 'x']],
    ['form field note is larger than 1048576 bytes', part('note', 'x'.repeat(1024 * 1024 + 1))],
    ['expected at most 1000 parts', ...Array.from({ length: 1001 }, () => part('any', 'x'))],
    ['expected an empty line after the headers of a part', part('note', '--b')],
  ])('is rejected: %s', async (message, ...parts) => {
    expect(await sent(...parts)).toContain(`400 ${message}`);
  });

  it('with a long name or type is reported in a short message', async () => {
    const long = 'x'.repeat(10_000);
    const messages = [
      await sent([head(`x${long}`, 'text/plain; charset=x-none'), 'a']),
      await sent([head('photo', `image/${long}`), 'a']),
    ];
    for (const message of messages) expect(String(message).length).toBeLessThan(300);
  });

  it('is accepted with its headers', async () => {
    const headers = `${head('sized', undefined, 'a')}\r\nX-Size: 9\r\nX-Tag: ab`;
    expect(await sent([headers, 'x'])).toEqual({ sized: expect.any(File) });
  });

  it.each([
    ['filename="a\\"b.txt"', 'a"b.txt'],
    ["filename=x; filename*=UTF-8''%e2%82%ac.txt", '€.txt'],
    ['filename="é.txt"', 'é.txt'],
    ['FileName = a.txt', 'a.txt'],
  ])('has the name of %s', async (parameter, name) => {
    const line = `Content-Disposition: form-data; name="photo"; ${parameter}`;
    expect(await sent([line, 'x'])).toMatchObject({ photo: { name } });
  });
});

describe('a form', () => {
  const contract = loadedContract(CONTRACT);

  it('of text is a response with the declared properties', async () => {
    const client = await testClient({ contract, target: toy.url });
    const body = { toy: BEAR, tags: ['a b', 'c,d'], key: 'secret' };
    const { body: received, response } = await client.call('sendText', { body });
    expect(received).toEqual({ toy: BEAR, tags: ['a b', 'c,d'] });
    expect(response.headers.get('content-type')).toBe('application/x-www-form-urlencoded');
  });

  it('with files is written by the client, echoed, and read by the client', async () => {
    const client = await testClient({ contract, target: toy.url });
    const value = fc.record({
      name: fc.string({ unit: fc.constantFrom(...'ab <&"é=+%') }),
      size: fc.bigInt({ min: 0n, max: 2n ** 62n }),
    });
    const arbitrary = fc.record(
      {
        ...{ toy: value, xml: value, json: value, either: value },
        toys: fc.array(value, { minLength: 1, maxLength: 3 }),
        xmls: fc.array(value, { minLength: 1, maxLength: 3 }),
        note: fc.string({ unit: fc.constantFrom(...'ab\n\r-é"') }),
        counts: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(arbitrary, async (fields) => {
        const image = new File(['GIF'], 'a.gif', { type: 'image/gif' });
        const { body } = await client.call('echo', {
          body: { ...fields, image, photo: new TextEncoder().encode('PNG') },
        });
        const { image: echoed, photo, ...rest } = body;
        expect(rest).toEqual(fields);
        expect([echoed.name, echoed.type, await echoed.text()]).toEqual([
          'a.gif',
          'image/gif',
          'GIF',
        ]);
        expect([photo.type, await photo.text()]).toEqual(['image/png', 'PNG']);
      }),
      { numRuns: 25 },
    );
  });
});
