// What is validated is what is written: replies of any JavaScript value, in each mode of validation.
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node, parseJsonText, typeInRange } from '@stubwright/contract';
import { plainData, Validators, writeParameter } from '@stubwright/contract/values';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { sentTypeOf } from '../../client/src/mediaTypes.ts';
import { parameterTexts } from '../../client/src/styles.ts';
import { fastWriter } from '../../contract/src/media/jsonWriter.ts';
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

class Model {
  readonly #row: Record<string, unknown>;
  constructor(row: Record<string, unknown>) {
    this.#row = row;
  }
  get name(): unknown {
    return this.#row['name'];
  }
  toJSON(): unknown {
    return this.#row;
  }
}

class Row {
  id = 1;
  get name(): string {
    return 'too long';
  }
}

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
        const parameter = { in: where as 'query', name: 'p', ...style };
        expect(() => parameterTexts(parameter, value)).toThrow('no array in an array');
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

  it('is the same in generated clients', () => {
    const keys = ['image/*', 'text/*', 'application/*', '*/*', 'a/b', 'image/webp', 'Text/*'];
    const bodies = [webp, new Blob(['b']), Buffer.from('b'), new Uint8Array(1), 'a', {}, [], null];
    const more = [1, true, new ArrayBuffer(1), webp.stream(), new Blob([], { type: '*/*' })];
    for (const key of keys) {
      for (const body of [...bodies, ...more]) {
        expect(sentTypeOf(key, body)).toBe(typeInRange(key, body));
      }
    }
  });
});

const name = fc.constantFrom('name', 'role', 'n', 'price', 'any', 'inner', 'list', '__proto__');
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(
      ...['x', 'a', '12,"admin":true', '\ud800', '\u0000"\\', 1, 5, -0, 1e21, 1.5, NaN, Infinity],
      ...[2n ** 63n, null, undefined, true, Symbol('s'), () => 1, /x/, new Error('e')],
      ...[new Date(0), new Date(Number.NaN), new URL('http://x/'), new Map([[1, 2]])],
      ...[Object(1), Object('x'), Object(5n), Object(true), new Uint8Array(2), Buffer.from('b')],
      ...[new Blob(['b']), JSON.rawJSON('1.0'), JSON.rawJSON('"r"'), new Row(), Promise.resolve(1)],
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.record({ name: fc.constant('x'), any: tie('value'), price: fc.double() }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }).map((row) => new Model(row)),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }).map((row) => Object.create(row)),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }).map((row) => new Proxy(row, {})),
    fc.tuple(name, fc.array(tie('value'), { minLength: 1, maxLength: 3 })).map(([key, values]) => {
      let at = 0;
      const get = () => values[at++ % values.length];
      return Object.defineProperty({ name: 'x' }, key, { get, enumerable: true });
    }),
  ),
}));

describe('the text of a compiled writer', () => {
  it('is the text of JSON.stringify, with the exact digits of bigints', () => {
    const schemas = {
      S: {
        type: 'object',
        properties: { s: { type: 'string' }, n: { type: 'number' }, t: { type: 'string' } },
      },
    };
    const definition = new Contract({ openapi: '3.1.0', paths: {}, components: { schemas } });
    const { model } = new Validators(definition, 'response');
    const write = fastWriter(model.at('/components/schemas/S')!)!;
    const unit = fc.oneof(fc.nat(0x7f), fc.nat(0xffff));
    const units = fc.array(unit, { maxLength: 60 });
    const text = units.map((codes) => String.fromCharCode(...codes));
    const odd = fc.constantFrom('"', '\\', '\n', '\ud800', '\u2028', `${'x'.repeat(42)}"`, 1, null);
    const string = fc.option(fc.oneof(text, odd), { nil: undefined });
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    const safe = BigInt(Number.MAX_SAFE_INTEGER);
    const bigint = fc.oneof(fc.bigInt(-safe - 9n, -safe + 9n), fc.bigInt(safe - 9n, safe + 9n));
    const number = fc.option(fc.oneof(double, bigint, fc.bigInt()), { nil: undefined });
    fc.assert(
      fc.property(string, number, string, (s, n, t) => {
        const exact = typeof n === 'bigint' ? JSON.rawJSON(String(n)) : n;
        expect(write({ s, n, t })).toBe(JSON.stringify({ s, n: exact, t }));
      }),
      { numRuns: runs(500), seed: 7 },
    );
  });
});

describe('the copy of a compiled writer', () => {
  it('is the same as that of any schema, and as JSON.stringify reads the value', () => {
    const schemas = Object.fromEntries(SCHEMAS.map((schema, at) => [`S${at}`, schema]));
    const definition = new Contract({ openapi: '3.1.0', paths: {}, components: { schemas } });
    const { model } = new Validators(definition, 'response');
    const copies = Object.keys(schemas).flatMap((name) => {
      return fastWriter(model.at(`/components/schemas/${name}`)!)?.plain ?? [];
    });
    expect(copies.length).toBe(3);
    fc.assert(
      fc.property(anyValue, anyValue, (first, second) => {
        for (const value of [first, [first, second], { name: 'x', list: [first], inner: second }]) {
          if (isUnstable(value)) continue;
          const expected: string | undefined = JSON.stringify(value, (_, each) => asNumber(each));
          for (const copy of [plainData, ...copies]) {
            const copied: string | undefined = JSON.stringify(copy(value), (_, each) =>
              asNumber(each),
            );
            expect(JSON.parse(copied ?? 'null')).toEqual(JSON.parse(expected ?? 'null'));
          }
        }
      }),
      { numRuns: runs(500), seed: 7 },
    );
  });
});

/** True for a value with a getter that changes, or with raw JSON, whose spelling the copy does not keep. */
function isUnstable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (JSON.isRawJSON(value)) return true;
  if (value instanceof Model) return isUnstable(value.toJSON());
  const properties = Object.values(Object.getOwnPropertyDescriptors(value));
  return properties.some((each) => each.get !== undefined || isUnstable(each.value));
}

function asNumber(value: unknown): unknown {
  return typeof value === 'bigint' || value instanceof BigInt ? Number(value) : value;
}

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
