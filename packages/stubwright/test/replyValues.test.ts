// What is validated is what is written: replies of any JavaScript value, in each mode of validation.
import { describe, expect, it } from '@jest/globals';
import { type Node, parseJsonText } from '@stubwright/contract';
import { Validators, writeParameter } from '@stubwright/contract/values';
import { anyValue, Model, Row } from '@stubwright/test-support/replyValues';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { fetchHandler } from '../src/fetch.ts';
import { createApi, type ResponseValidation } from '../src/index.ts';
import { loadedContract } from './support/contract.ts';

const MODES: readonly ResponseValidation[] = ['strict', 'log', 'off'];
const DOG = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 3 },
    role: { type: 'string', enum: ['a', 'b'] },
    n: { type: 'integer', format: 'int64', maximum: 5 },
    price: { type: 'number' },
  },
};
const SCHEMAS: readonly Node[] = [
  DOG,
  { ...DOG, additionalProperties: false },
  { ...DOG, properties: { ...DOG.properties, any: {} } },
  { type: 'object', properties: { inner: DOG, list: { type: 'array', items: DOG } } },
  { type: 'object', additionalProperties: { type: 'integer' } },
  { type: 'object', minProperties: 1, maxProperties: 2 },
  { type: 'array', items: { type: 'number' }, uniqueItems: true },
  { oneOf: [DOG, { type: 'array', items: DOG }, { type: 'string', format: 'date-time' }] },
  { type: ['number', 'null'] },
  { type: 'string' },
  { type: 'string', format: 'binary' },
  {},
];

/** @returns the status and the text of a reply to `GET /x` */
async function served(contents: Readonly<Record<string, Node>>, mode: ResponseValidation) {
  const ok = { description: 'ok', content: contents, headers: { 'X-At': { schema: DATE_TIME } } };
  const get = { operationId: 'get', responses: { 200: ok } };
  const contract = loadedContract({ openapi: '3.2.0', paths: { '/x': { get } } });
  let reply: unknown;
  const api = await createApi({
    contract,
    handlers: { get: () => reply as { status: 200 } },
    responseValidation: mode,
  });
  const handle = fetchHandler(api);
  const send = async (given: object) => {
    reply = { status: 200, ...given };
    const response = await handle(new Request('http://t/x'));
    const { status, headers } = response;
    return { status, headers, text: await response.text().catch(() => 'aborted') };
  };
  return { definition: contract.definition, send };
}

const DATE_TIME = { type: 'string', format: 'date-time' };
const json = (schema: Node) => ({ 'application/json': { schema } });

describe('a reply that is no plain object', () => {
  it.each<[string, unknown]>([
    ['a document with toJSON', new Model({ name: 'too long', role: 'root', n: 99 })],
    ['inherited properties', Object.create({ name: 'too long', role: 'root', n: 99 })],
    ['getters of a class', new Row()],
    ['a number that is text', { name: 'x', price: '12,"admin":true' }],
    ['NaN', { name: 'x', price: Number.NaN }],
    ['a date as a number', { name: 'x', price: new Date(0) }],
  ])('with %s is a 500 if its JSON is invalid', async (_, body) => {
    for (const schema of [DOG, { ...DOG, properties: { ...DOG.properties, any: {} } }]) {
      const { send } = await served(json(schema), 'strict');
      expect((await send({ body })).status).toBe(500);
      const { text } = await (await served(json(schema), 'off')).send({ body });
      expect(text).toBe(JSON.stringify(JSON.parse(text)));
    }
  });

  it('is a 500 if only its toJSON has the invalid properties', async () => {
    const body = new Model({ name: 'too long', role: 'root', n: 99 });
    const { send } = await served(json({ ...DOG, required: [] }), 'strict');
    expect((await send({ body })).status).toBe(500);
  });

  it('has the JSON of its dates, URLs and documents', async () => {
    const at = new Date(0);
    const free = { any: at, url: new URL('http://x/'), list: [at, { at }], big: 9007199254740993n };
    const text = JSON.stringify({ ...free, big: 0 }).replace('0}', '9007199254740993}');
    for (const schema of [{}, { type: 'object', additionalProperties: true }]) {
      for (const mode of MODES) {
        const { send } = await served(json(schema), mode);
        expect((await send({ body: free })).text).toBe(text);
      }
    }
    const document = new Model({ name: 'x', role: 'a', n: 5n });
    for (const properties of [DOG.properties, { ...DOG.properties, any: {} }]) {
      const { send } = await served(json({ ...DOG, properties }), 'strict');
      expect((await send({ body: document })).text).toBe('{"name":"x","role":"a","n":5}');
    }
  });

  it('has getters that are read once', async () => {
    for (const schema of SCHEMAS.slice(0, 3)) {
      let reads = 0;
      const body = {
        get name() {
          return reads++ === 0 ? 'x' : 'changes';
        },
      };
      const { send } = await served(json(schema), 'strict');
      expect((await send({ body })).text).toBe('{"name":"x"}');
      expect(reads).toBe(1);
    }
  });

  it('is a 500 with a circular reference, in each mode', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    for (const mode of MODES) {
      const { send } = await served(json({}), mode);
      expect((await send({ body: circular })).status).toBe(500);
      expect((await send({ body: [[circular]] })).status).toBe(500);
    }
  });

  it('ignores a toJSON of BigInt.prototype: an int64 is a number', async () => {
    const prototype = BigInt.prototype as { toJSON?: () => string };
    prototype.toJSON = () => 'text';
    try {
      for (const schema of [DOG, {}, { additionalProperties: {} }]) {
        const { send } = await served(json(schema), 'strict');
        expect((await send({ body: { name: 'x', n: 5n } })).text).toBe('{"name":"x","n":5}');
      }
    } finally {
      delete prototype.toJSON;
    }
  });

  it('is the same in XML, forms, parts, items and headers', async () => {
    const body = new Model({ name: 'x', role: 'a' });
    const invalid = new Model({ name: 'too long' });
    for (const [type, expected] of [
      ['application/xml', '<root><name>x</name><role>a</role></root>'],
      ['application/x-www-form-urlencoded', 'name=x&role=a'],
      ['multipart/form-data', 'name="name"\r\n\r\nx\r\n'],
    ] as const) {
      const { send } = await served({ [type]: { schema: DOG } }, 'strict');
      expect((await send({ body })).text).toContain(expected);
      expect((await send({ body: invalid })).status).toBe(500);
    }
    for (const [type, schema, expected] of [
      ['application/jsonl', DOG, '{"name":"x","role":"a"}\n'],
      ['text/event-stream', { properties: { data: DOG } }, 'data: {"name":"x","role":"a"}\n\n'],
    ] as const) {
      const { send } = await served({ [type]: { itemSchema: schema } }, 'strict');
      const item = (each: unknown) => (type === 'text/event-stream' ? { data: each } : each);
      expect((await send({ body: [item(body)] })).text).toContain(expected);
      expect((await send({ body: [item(invalid)] })).text).not.toContain('too long');
    }
    const { send } = await served(json({}), 'strict');
    const dated = await send({ body: 1, headers: { 'X-At': new Date(0) } });
    expect(dated.headers.get('x-at')).toBe('1970-01-01T00:00:00.000Z');
  });
});

describe('an array in an array', () => {
  const list = { type: 'array', items: { type: 'array', items: { type: 'integer' } } };
  const schema = { type: 'object', properties: { list } };
  const encoding = (contentType: string) => ({ list: { contentType } });
  it.each<[string, Node, string | undefined]>([
    ['multipart/form-data', { schema }, undefined],
    [
      'multipart/form-data',
      { schema, encoding: encoding('application/json') },
      '\r\n\r\n[1,2]\r\n',
    ],
    ['application/x-www-form-urlencoded', { schema }, 'list=%5B1%2C2%5D&list=%5B3%5D'],
    [
      'application/x-www-form-urlencoded',
      { schema, encoding: { list: { style: 'pipeDelimited', explode: false } } },
      undefined,
    ],
  ])('of %s with %j is not flattened', async (type, media, expected) => {
    const { send } = await served({ [type]: media }, 'strict');
    const { status, text } = await send({ body: { list: [[1, 2], [3]] } });
    if (expected === undefined) expect(status).toBe(500);
    else expect(text).toContain(expected);
  });

  it.each(['query', 'header', 'path', 'cookie'])('of a parameter in %s is an error', (where) => {
    for (const explode of [true, false]) {
      for (const value of [[[1, 2], [3]], { a: [[1], 2] }]) {
        const style = {
          style: where === 'query' || where === 'cookie' ? 'form' : 'simple',
          explode,
        };
        expect(() => writeParameter(where, 'p', style, value)).toThrow('no array in an array');
      }
    }
  });
});

describe('the media type of a reply in a media type range', () => {
  const webp = new Blob(['b'], { type: 'image/webp' });
  it.each<[string, object, string | undefined]>([
    ['image/*', { body: webp }, 'image/webp'],
    ['image/*', { body: webp, type: 'image/*' }, 'image/webp'],
    ['image/*', { body: Buffer.from('b'), type: 'image/png' }, 'image/png'],
    ['image/*', { body: Buffer.from('b') }, undefined],
    ['image/*', { body: Buffer.from('b'), type: 'image/*' }, undefined],
    ['image/*', { body: new Blob(['b'], { type: 'text/html' }) }, undefined],
    ['image/*', { body: webp, type: 'text/html' }, undefined],
    ['text/*', { body: 'a' }, 'text/plain; charset=utf-8'],
    ['application/*', { body: { a: 1 } }, 'application/json'],
    ['application/*', { body: Buffer.from('b') }, 'application/octet-stream'],
    ['*/*', { body: webp }, 'image/webp'],
    ['*/*', { body: Buffer.from('b') }, 'application/octet-stream'],
    ['*/*', { body: { a: 1 }, type: '*/*' }, 'application/json'],
    ['*/*', { body: 'a' }, 'text/plain; charset=utf-8'],
  ])('%s with %j', async (key, reply, type) => {
    const { send } = await served({ [key]: {} }, 'strict');
    const { status, headers } = await send(reply);
    if (type === undefined) expect(status).toBe(500);
    else expect([status, headers.get('content-type')]).toEqual([200, type]);
  });
});

describe('any value as a body', () => {
  it.each(MODES)('is JSON, and in strict mode valid, or a 500: %s', async (mode) => {
    const counts = { sent: 0, refused: 0 };
    for (const schema of SCHEMAS) {
      const { definition, send } = await served(json(schema), mode);
      const pointer = '/paths/~1x/get/responses/200/content/application~1json/schema';
      const validate = new Validators(definition, 'response').at(pointer);
      await fc.assert(
        fc.asyncProperty(anyValue, async (body) => {
          const { status, headers, text } = await send({ body });
          if (status === 500) counts.refused++;
          // Without validation, bytes are sent as bytes, and nothing without a body.
          else if (mode === 'strict' || headers.get('content-type') === 'application/json') {
            counts.sent++;
            expect(status).toBe(200);
            JSON.parse(text);
            if (mode !== 'strict') return;
            const written = parseJsonText(text.replaceAll(/\\ud[89a-f]../g, '?'));
            expect({ text, errors: validate(written) }).toEqual({ text, errors: true });
          }
        }),
        { numRuns: runs(300), seed: 5 },
      );
    }
    expect(counts.sent).toBeGreaterThan(80);
    expect(mode === 'strict' ? counts.refused : 11).toBeGreaterThan(10);
  });
});
