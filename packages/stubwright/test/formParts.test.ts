// The parts of multipart/form-data: Encoding Objects decide how they are read, and are enforced.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { serveToy, type Toy } from '@stubwright/test-support/toy';
import fc from 'fast-check';
import { parse } from 'yaml';
import { testClient } from '../src/testing.ts';

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

const BEAR = { name: 'Bear', size: 5n };
const JSON_BEAR = '{"name":"Bear","size":5}';
const XML_BEAR = '<toy><name>Bear</name><size>5</size></toy>';

describe('a part', () => {
  it.each<[string, Part[], unknown]>([
    ['an object as JSON by default', [[head('toy'), JSON_BEAR]], { toy: BEAR }],
    [
      'JSON that a browser sends as a Blob',
      [[head('toy', 'application/json', 'blob'), JSON_BEAR]],
      { toy: BEAR },
    ],
    [
      'an array with one part per item',
      [
        [head('toys'), JSON_BEAR],
        [head('toys'), '{}'],
      ],
      { toys: [BEAR, {}] },
    ],
    [
      'an array in one part',
      [[head('toys', 'application/json'), `[${JSON_BEAR}]`]],
      { toys: [BEAR] },
    ],
    ['XML that is declared', [[head('xml', 'application/xml'), XML_BEAR]], { xml: BEAR }],
    ['XML without Content-Type', [[head('xml'), XML_BEAR]], { xml: BEAR }],
    [
      'XML in a file',
      [[head('xml', 'application/xml; charset=utf-8', 'a.xml'), XML_BEAR]],
      { xml: BEAR },
    ],
    [
      'an array of XML',
      [
        [head('xmls', 'text/xml'), XML_BEAR],
        [head('xmls'), XML_BEAR],
      ],
      { xmls: [BEAR, BEAR] },
    ],
    ['the first type of a list', [[head('either', 'application/xml'), XML_BEAR]], { either: BEAR }],
    ['another type of a list', [[head('either', 'application/json'), JSON_BEAR]], { either: BEAR }],
    ['a nested form', [[head('nested'), 'name=Bear&size=5']], { nested: BEAR }],
    ['a string in a file', [[head('note', 'text/plain', 'note.txt'), 'é']], { note: 'é' }],
    [
      'a string in another charset',
      [[head('note', 'text/plain; charset=iso-8859-1'), Buffer.from('é', 'latin1')]],
      { note: 'é' },
    ],
    [
      'numbers',
      [
        [head('count'), '5'],
        [head('counts'), '1'],
        [head('counts'), '2'],
        [head('n1'), '3'],
      ],
      { count: 5, counts: [1, 2], n1: 3 },
    ],
    ['an empty string', [[head('note'), '']], { note: '' }],
    [
      'a field without schema',
      [
        [head('any'), 'x'],
        [head('__proto__'), 'y'],
      ],
      { any: 'x', ['__proto__']: 'y' },
    ],
  ])('is read: %s', async (_, parts, value) => {
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
    const { [name]: value } = (await sent([head(name, type, fileName), 'x'])) as Record<
      string,
      File
    >;
    const file = [value].flat()[0] as File;
    expect([file.name, file.type, file.size]).toEqual([expectedName, expectedType, 1]);
  });

  it.each<[string, Part[], string]>([
    [
      'JSON for XML',
      [[head('xml', 'application/json'), JSON_BEAR]],
      '400 form field xml expected Content-Type application/xml, got application/json',
    ],
    [
      'JSON without Content-Type for XML',
      [[head('xml'), JSON_BEAR]],
      '400 expected well-formed XML',
    ],
    [
      'XML for JSON',
      [[head('json', 'application/xml'), XML_BEAR]],
      '400 form field json expected Content-Type application/json, got application/xml',
    ],
    [
      'text for JSON',
      [[head('json', 'text/plain'), JSON_BEAR]],
      '400 form field json expected Content-Type application/json, got text/plain',
    ],
    [
      'a GIF for a PNG',
      [[head('photo', 'image/gif', 'a.png'), 'x']],
      '400 form field photo expected Content-Type image/png, got image/gif',
    ],
    [
      'unknown bytes for a PNG',
      [[head('photo', 'application/octet-stream', 'a'), 'x']],
      '400 form field photo expected Content-Type image/png',
    ],
    [
      'a type outside of a range',
      [[head('image', 'text/plain', 'a'), 'x']],
      '400 form field image expected Content-Type image/*, got text/plain',
    ],
    [
      'a type outside of a list',
      [[head('pictures', 'image/gif', 'a'), 'x']],
      '400 form field pictures expected Content-Type image/png, image/jpeg',
    ],
    [
      'a malformed type',
      [[head('photo', 'png', 'a'), 'x']],
      '400 form field photo expected Content-Type image/png, got png',
    ],
    [
      'no required header',
      [[head('sized', undefined, 'a'), 'x']],
      '400 form field sized header X-Size is required',
    ],
    [
      'a header that violates its schema',
      [[`${head('sized', undefined, 'a')}\r\nX-Size: 10`, 'x']],
      '400 form field sized header X-Size expected to be <= 9',
    ],
    [
      'an optional header that violates its schema',
      [[`${head('sized', undefined, 'a')}\r\nX-Size: 1\r\nX-Tag: a`, 'x']],
      '400 form field sized header X-Tag',
    ],
    ['invalid UTF-8', [[head('note'), Buffer.from([0xff])]], '400 expected UTF-8'],
    [
      'an unknown charset',
      [[head('note', 'text/plain; charset=x-none'), 'a']],
      '400 form field note expected UTF-8',
    ],
    ['a number beyond the limits', [[head('count'), '1e400']], '400 expected a number of at most'],
    [
      'no name',
      [['Content-Disposition: form-data', 'x']],
      '400 expected Content-Disposition: form-data with a name in each part',
    ],
    ['no disposition', [['X-A: b', 'x']], '400 expected Content-Disposition'],
    [
      'another disposition',
      [['Content-Disposition: attachment; name="note"', 'x']],
      '400 expected Content-Disposition',
    ],
    [
      'a large value',
      [[head('note'), 'x'.repeat(1024 * 1024 + 1)]],
      '400 form field note is larger than 1048576 bytes',
    ],
    [
      '1,001 parts',
      Array.from({ length: 1001 }, (): Part => [head('any'), 'x']),
      '400 expected at most 1000 parts',
    ],
    [
      'headers without an end',
      [[head('note'), '--b']],
      '400 expected an empty line after the headers of a part',
    ],
  ])('is rejected: %s', async (_, parts, message) => {
    expect(await sent(...parts)).toContain(message);
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

  it('is the same however its bytes arrive', async () => {
    const content = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '-', '--', '\r\n--') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(content, { maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        async (values, size) => {
          const bytes = bodyOf(values.map((value) => [head('any'), value]));
          const stream = new ReadableStream({
            async start(controller) {
              for (let at = 0; at < bytes.length; at += size) {
                controller.enqueue(bytes.subarray(at, at + size));
                if (at % 3 === 0) await new Promise(setImmediate);
              }
              controller.close();
            },
          });
          const init = {
            method: 'POST',
            headers: { 'Content-Type': TYPE },
            body: stream,
            duplex: 'half',
          };
          expect((await toy.fetch('/form', init as RequestInit)).status).toBe(204);
          const { any } = toy.got[0]!['body'] as { any?: string | string[] };
          expect([any ?? []].flat()).toEqual(values);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('a form', () => {
  const contract = {
    definition: new Contract(parse(`openapi: 3.1.0\n${CONTRACT}`)),
    warnings: [],
    files: [],
    publish: async () => ({ text: '', servers: [0, 0] as const }),
  };

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
