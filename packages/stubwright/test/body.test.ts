import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serveToy, type Toy } from '@stubwright/test-support/toy';
import { uploadFolders } from '@stubwright/test-support/uploads';
import { BODY_READINGS, bodyReadings } from './bodyReadings.ts';

let toy: Toy;

const PATHS = `
paths:
  /any:
    post:
      operationId: any
      requestBody:
        required: true
        content:
          application/json: {schema: {type: object, properties: {id: {type: integer, format: int64}}}}
          application/merge-patch+json: {schema: {type: array}}
          application/json; version=2: {schema: {type: string}}
          text/*: {schema: {type: string, maxLength: 5}}
          text/json: {schema: {type: object, properties: {n: {type: integer}}}}
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [n]
              properties:
                n: {type: integer, format: int64}
                list: {type: array, items: {type: integer}}
                csv: {type: array, items: {type: integer}}
                deep: {type: object, properties: {a: {type: boolean}}}
                json: {type: object, properties: {a: {type: integer}}}
                plain: {type: object, properties: {a: {type: integer}}}
                plains: {type: array, items: {type: object, properties: {a: {type: integer}}}}
            encoding:
              csv: {style: form, explode: false}
              deep: {style: deepObject, explode: true}
              json: {contentType: application/json}
          multipart/form-data:
            schema:
              type: object
              required: [file]
              properties:
                n: {type: integer}
                meta: {type: object, properties: {a: {type: integer}}}
                file: {type: string, format: binary}
                files: {type: array, items: {type: string, format: binary}}
          application/octet-stream: {schema: {type: string, format: binary}}
      responses: {'204': {description: ok}}
  /optional:
    post:
      operationId: optional
      requestBody: {content: {application/json: {schema: {type: integer}}}}
      responses: {'204': {description: ok}}
  /mode:
    post:
      operationId: mode
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              properties:
                mode: {anyOf: [{type: string, enum: [fast]}, {type: object, required: [speed]}]}
      responses: {'204': {description: ok}}
  /opaque-form:
    post:
      operationId: opaqueForm
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: string, maxLength: 9}}}}
      responses: {'204': {description: ok}}
  /none:
    post: {operationId: none, responses: {'204': {description: ok}}}
`;

beforeAll(async () => {
  toy = await serveToy('3.0.3', PATHS, {
    handlers: {
      async any({ body, mediaType }) {
        if (mediaType === 'application/octet-stream') {
          let bytes = 0;
          for await (const chunk of body) bytes += chunk.length;
          toy.got[0]!['bytes'] = bytes;
        }
        if (mediaType === 'multipart/form-data' && body.file.text)
          toy.got[0]!['text'] = await body.file.text();
        return { status: 204 };
      },
    },
  });
});
afterAll(() => toy.close());

async function post(path: string, type: string | undefined, body?: RequestInit['body']) {
  const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
  const answer = await toy.fetch(path, { method: 'POST', headers, body: body ?? null });
  return { ...answer, accept: answer.headers.get('accept'), body: toy.got[0]?.['body'] };
}

describe('a body', () => {
  it.each<[string, string, unknown]>([
    ['application/json', '{"id":1}', { id: 1n }],
    ['application/json;charset=UTF-8', '{"id":9007199254740993}', { id: 9007199254740993n }],
    ['application/merge-patch+json', '[]', []],
    ['application/json; version=2', '"x"', 'x'],
    ['application/json; version=3', '{}', {}],
    ['text/json', '{"n":1}', { n: 1 }],
    ['text/plain', 'abc', 'abc'],
    ['text/csv; charset=utf-8', 'a,b', 'a,b'],
    [
      'application/x-www-form-urlencoded',
      'n=7&list=1&list=2&csv=3,4&deep[a]=true&json=%7B%22a%22%3A1%7D&other=x+y',
      { n: 7n, list: [1, 2], csv: [3, 4], deep: { a: true }, json: { a: 1 }, other: 'x y' },
    ],
    [
      'application/x-www-form-urlencoded',
      'n=1&plain={"a":1}&plains={"a":2}&plains=%7B%22a%22%3A3%7D',
      { n: 1n, plain: { a: 1 }, plains: [{ a: 2 }, { a: 3 }] },
    ],
  ])('of %s is read: %s', async (type, text, value) => {
    const { status, body } = await post('/any', type, text);
    expect([status, body]).toEqual([204, value]);
  });

  it.each([
    ['application/merge-patch+json', '{}', /expected array/],
    ['application/json; version=2', '{}', /expected string/],
    ['text/json', '[]', /expected object/],
    ['application/x-www-form-urlencoded', 'n=x', /\/n expected an int64/],
    ['application/x-www-form-urlencoded', 'list=1', /\/n is required/],
    ['application/x-www-form-urlencoded', 'n=1&plain=a', /expected JSON/],
    ['multipart/form-data', 'nonsense', /boundary/],
  ])('of %s that is invalid gets 400: %s', async (type, text, message) => {
    const answer = await post('/any', type, text);
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(message);
  });

  it.each(['application/xml', 'text/plain; charset=latin1', 'image/png', undefined])(
    'of the undeclared media type %s gets 415 with Accept',
    async (type) => {
      const { status, accept } = await post('/any', type, new Uint8Array([1]));
      expect(status).toBe(415);
      expect(accept).toMatch(/^application\/json, .*application\/octet-stream$/);
    },
  );

  it('of an operation that declares none gets 415', async () => {
    expect((await post('/none', 'application/json', '1')).status).toBe(415);
    expect((await post('/none', undefined)).status).toBe(204);
  });

  it('that is optional may be absent, and is validated when present', async () => {
    expect(await post('/optional', undefined)).toMatchObject({ status: 204, body: undefined });
    const present = await post('/optional', 'application/json', '5');
    expect(present).toMatchObject({ status: 204, body: 5 });
    expect((await post('/optional', 'application/json', '"x"')).status).toBe(400);
  });

  it('that is required and missing gets 400', async () => {
    expect((await post('/any', undefined)).status).toBe(400);
  });

  it.each([
    ['application/octet-stream', 204, ''],
    ['application/x-www-form-urlencoded', 400, '/n is required'],
    ['multipart/form-data; boundary=x', 400, 'expected a body'],
  ])('of %s and no bytes gets %i', async (type, status, message) => {
    const answer = await post('/any', type, '');
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(message);
  });
});

describe('a JSON body of the wrong type', () => {
  const serveJson = (version: string, schema: string) =>
    serveToy(
      version,
      `
paths:
  /: {post: {operationId: post, requestBody: {content: {application/json: {schema: ${schema}}}},
      responses: {'204': {description: ok}}}}
components: {schemas: {S: {description: any}, O: {type: object}}}
`,
    );
  const schemas: [string, string, string[], string[]][] = [
    ['3.1.0', '{type: object}', ['{}', ' \n{}'], ['[', '"', '1', 'tru', 'null']],
    ['3.1.0', '{type: [integer, "null"]}', ['1', '-1', 'null'], ['{', '"1"', 'true']],
    ['3.0.3', '{type: object, nullable: true}', ['{}', 'null'], ['[']],
    ['3.0.3', '{allOf: [{type: object}], nullable: true}', ['{}', 'null'], []],
    ['3.1.0', '{$ref: "#/components/schemas/S", type: object}', ['{}'], ['[']],
    ['3.0.3', '{$ref: "#/components/schemas/S", type: object}', ['{}', '[]'], []],
    ['3.0.3', '{$ref: "#/components/schemas/O"}', ['{}'], ['[']],
    ['3.1.0', '{allOf: [{description: d}, {type: object}]}', ['{}'], ['[']],
    ['3.1.0', '{oneOf: [{type: object}, {minItems: 1, type: array}]}', ['{}', '[1]'], []],
    ['3.1.0', '{anyOf: [{type: object}, {}]}', ['{}', '[]', '1'], []],
    ['3.1.0', '{enum: [1, "a"]}', ['1', '"a"'], []],
    ['3.1.0', 'true', ['1', '{}'], []],
  ];

  it.each(schemas)('in %s %s is rejected before parsing', async (version, schema, good, bad) => {
    const toy = await serveJson(version, schema);
    const send = (body: string) =>
      toy.fetch('/', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    for (const body of good) expect([body, (await send(body)).status]).toEqual([body, 204]);
    for (const body of bad) {
      // Text that JSON.parse refuses: the answer names the type, so it has not been parsed.
      const { error, message } = JSON.parse((await send(body)).text);
      expect([body, error, message]).toEqual([body, 40000, expect.stringMatching(/^expected/)]);
    }
    await toy.close();
  });

  it('is reported together with the parameters', async () => {
    const toy = await serveJson('3.1.0', '{type: object}');
    const headers = { 'Content-Type': 'application/json' };
    const { text } = await toy.fetch('/?x=1', { method: 'POST', headers, body: '[' });
    expect(JSON.parse(text).message).toBe('query parameter x is not declared; expected object');
    await toy.close();
  });
});

describe('application/x-www-form-urlencoded', () => {
  const type = 'application/x-www-form-urlencoded';

  it('accepts 10,000 fields and rejects more', async () => {
    const { status, body } = await post('/any', type, `n=1${'&list=1'.repeat(9_999)}`);
    expect(status).toBe(204);
    expect((body as { list: number[] }).list).toHaveLength(9_999);
    const more = await post('/any', type, 'a=1&'.repeat(20_000));
    expect([more.status, more.text]).toEqual([400, expect.stringMatching(/at most 10000 form/)]);
  });

  it.each([
    ['as deep as JSON', 256, 204],
    ['deeper', 257, 400],
    ['thousands deep', 3_000, 400],
  ])('limits the depth of names, nested %s: %i gets %i', async (_, depth, status) => {
    const { status: got } = await post('/any', type, `n=1&deep${'[b]'.repeat(depth)}=1`);
    expect(got).toBe(status);
  });

  it('decodes a name once', async () => {
    const { body } = await post('/any', type, 'n=1&100%25=a&%2541=b');
    expect(body).toEqual({ n: 1n, '100%': 'a', '%41': 'b' });
  });

  it('is a string where its schema is a string', async () => {
    const { status, body } = await post('/opaque-form', type, 'a=1&b=%32');
    expect([status, body]).toEqual([204, 'a=1&b=%32']);
    const { text } = await post('/opaque-form', type, 'a=1&b=22222');
    expect(text).toMatch(/more than 9 characters/);
  });

  it('keeps the order of the values of one name', async () => {
    const { body } = await post('/any', type, 'n=1&x=1&y=2&x=3');
    expect(body).toEqual({ n: 1n, x: ['1', '3'], y: '2' });
  });
});

describe('multipart/form-data', () => {
  it('coerces fields, passes files, and leaves no temporary file', async () => {
    const before = uploadFolders();
    const form = new FormData();
    form.append('n', '5');
    form.append('meta', '{"a":1}');
    form.append('file', new File(['hello'], 'h.txt', { type: 'text/plain' }));
    form.append('files', new File(['1'], '1'));
    form.append('files', new File(['2'], '2'));
    expect((await post('/any', undefined, form)).status).toBe(204);
    const { body, text } = toy.got[0] as { body: Record<string, File & File[]>; text: string };
    expect(body).toMatchObject({ n: 5, meta: { a: 1 } });
    expect([body['file']!.name, body['file']!.type, body['file']!.size, text]).toEqual([
      'h.txt',
      'text/plain',
      5,
      'hello',
    ]);
    expect(body['files']).toHaveLength(2);
    expect(uploadFolders()).toEqual(before);
  });

  it.each<[string, unknown]>([
    ['fast', 'fast'],
    ['{"speed":1}', { speed: 1 }],
    ['"fast"', 400],
    ['slow', 400],
  ])('coerces a field with several types: %s', async (text, value) => {
    const form = new FormData();
    form.append('mode', text);
    const { status } = await post('/mode', undefined, form);
    const { body } = (toy.got[0] ?? {}) as { body: { mode: unknown } };
    expect(status === 204 ? body.mode : status).toEqual(value);
  });

  it('gets 400 for a field that violates the schema', async () => {
    const form = new FormData();
    form.append('n', 'x');
    const { status, text } = await post('/any', undefined, form);
    expect(status).toBe(400);
    expect(text).toMatch(/\/file is required.*\/n expected integer/);
  });

  it('gets 413 when it is too large', async () => {
    const before = uploadFolders();
    const form = new FormData();
    form.append('file', new File([new Uint8Array(200_000)], 'big'));
    expect((await post('/any', undefined, form)).status).toBe(413);
    expect(uploadFolders()).toEqual(before);
  });
});

describe('application/octet-stream', () => {
  it('is a stream', async () => {
    const { status } = await post('/any', 'application/octet-stream', new Uint8Array(50_000));
    expect([status, toy.got[0]!['bytes']]).toEqual([204, 50_000]);
  });

  it('gets 413 when it is too large', async () => {
    const { status } = await post('/any', 'application/octet-stream', new Uint8Array(200_000));
    expect(status).toBe(413);
  });
});

it('bodyReadings.txt has the bodies of each media type; make transcripts writes it', async () => {
  expect(await bodyReadings()).toBe(readFileSync(BODY_READINGS, 'utf8'));
});
