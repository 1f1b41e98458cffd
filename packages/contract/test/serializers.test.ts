// The compiled serializer and the general one: the same output for every schema that both can write.
import { describe, expect, it } from '@jest/globals';
import {
  Contract,
  type Node,
  parseJsonText,
  SchemaModel,
  stringifyJson,
} from '@stubwright/contract';
import { plainData, Validators } from '@stubwright/contract/values';
import { Samples } from '@stubwright/mock/samples';
import { anyValue, Model } from '@stubwright/test-support/replyValues';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { fastWriter, serializerOf, slowWriter } from '../src/media/jsonWriter.ts';

const NAMES = ['a', 'b', 'owner', 'id', 'constructor', '__proto__'];
const name = fc.constantFrom(...NAMES);
const ref = (to: string) => ({ $ref: `#/components/schemas/${to}` });

const scalar = fc.constantFrom<Node>(
  { type: 'string' },
  { type: 'string', enum: ['x', 'y'] },
  { type: 'integer' },
  { type: 'number' },
  { type: 'integer', format: 'int64' },
  { type: 'number', format: 'int64' },
  { type: 'boolean' },
  { type: ['string', 'null'] },
);
const { schema } = fc.letrec<{ schema: Node; object: Node }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    tie('object'),
    tie('object'),
    fc.constantFrom(ref('Owner'), ref('Pet')),
    tie('schema').map((items) => ({ type: 'array', items })),
  ),
  object: fc.oneof(
    { maxDepth: 3 },
    fc
      .record({
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(name, { maxLength: 2 }),
        nullable: fc.boolean(),
        hidden: name,
      })
      .map(({ properties, required, nullable, hidden }) => ({
        type: nullable ? ['object', 'null'] : 'object',
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, each]) => [
            key,
            key === hidden ? { ...each, writeOnly: true } : each,
          ]),
        ),
        required: required.filter((each) => Object.hasOwn(properties, each)),
      })),
    fc.tuple(tie('object'), tie('object')).map((allOf) => ({ allOf })),
    fc
      .tuple(tie('object'), fc.constantFrom('Owner', 'Pet'))
      .map(([own, to]) => ({ ...own, ...ref(to) })),
    fc.tuple(tie('object'), tie('object')).map((oneOf) => ({ oneOf })),
  ),
}));
const COMPONENTS = {
  Owner: {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer', format: 'int64' }, secret: { writeOnly: true } },
  },
  Pet: {
    type: 'object',
    properties: {
      owner: ref('Owner'),
      price: { type: 'number' },
      tags: { type: 'array', items: { type: 'string' } },
    },
  },
};

/** A value with undeclared properties and integers beyond double precision. */
function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return [...value, ...value].map(withMore);
  if (typeof value === 'number') return value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, withMore(each)]);
  return Object.fromEntries([['undeclared', { secret: 1 }], ...entries, ['secret', 'x']]);
}

function large(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? 9007199254740993n : value;
  if (Array.isArray(value)) return value.map(large);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, large(each)]));
}

function sampled(validators: Validators, pointer: string, seed: string): unknown {
  try {
    return new Samples(validators).at(pointer, seed);
  } catch {
    return undefined;
  }
}

describe('the compiled serializer', () => {
  it('has the same output as the generic serializer', () => {
    let compared = 0;
    fc.assert(
      fc.property(schema, fc.string({ maxLength: 3 }), (It, seed) => {
        const definition = new Contract({
          openapi: '3.1.0',
          paths: {},
          components: { schemas: { It, ...COMPONENTS } },
        });
        const pointer = '/components/schemas/It';
        const validators = new Validators(definition, 'response');
        const fast = fastWriter(SchemaModel.of(definition).at(pointer)!);
        if (fast === undefined) return;
        const slow = slowWriter(validators, SchemaModel.of(definition).at(pointer)!);
        const value = sampled(validators, pointer, seed);
        for (const each of [value, withMore(value), large(withMore(value))]) {
          if (each === undefined || !validators.at(pointer)(each)) continue;
          compared++;
          expect(validators.at(pointer)(parseJsonText(fast(each)))).toBe(true);
          expect(stringifyJson(sorted(parseJsonText(fast(each))))).toBe(
            stringifyJson(sorted(parseJsonText(slow(each)))),
          );
        }
      }),
      { numRuns: 500, seed: 3 },
    );
    expect(compared).toBeGreaterThan(500);
  }, 600_000);
});

it.each(['constructor', '__proto__'])(
  'a serializer omits %s, which objects inherit',
  (inherited) => {
    const properties = Object.fromEntries(['a', inherited].map((key) => [key, { type: 'string' }]));
    const definition = new Contract({
      openapi: '3.1.0',
      paths: {},
      components: { schemas: { It: { type: 'object', properties } } },
    });
    const schema = SchemaModel.of(definition).at('/components/schemas/It')!;
    const write = serializerOf(new Validators(definition, 'response'), schema);
    expect(write({ a: 'x' })).toBe('{"a":"x"}');
  },
);

describe('the generic serializer', () => {
  it('has the same output for a value after other values', () => {
    fc.assert(
      fc.property(schema, fc.array(fc.string({ maxLength: 3 }), { maxLength: 4 }), (It, seeds) => {
        const definition = new Contract({
          openapi: '3.1.0',
          paths: {},
          components: { schemas: { It: { anyOf: [It, ref('Pet')] }, ...COMPONENTS } },
        });
        const schema = SchemaModel.of(definition).at('/components/schemas/It')!;
        const validators = new Validators(definition, 'response');
        const used = slowWriter(validators, schema);
        const samples = seeds.map((seed) => sampled(validators, schema.pointer, seed));
        const others = [{ owner: { id: 1n, secret: 1 }, price: 1, more: [] }, { tags: ['x'] }];
        for (const value of [
          ...samples,
          ...samples.map(withMore),
          ...others,
          ...samples.map(large),
        ]) {
          if (value === undefined || !validators.at(schema.pointer)(value)) continue;
          expect(outputOf(used, value)).toBe(outputOf(slowWriter(validators, schema), value));
        }
      }),
      { numRuns: 200 },
    );
  });
});

function outputOf(write: (value: unknown) => string, value: unknown): string {
  try {
    return write(value);
  } catch (error) {
    return String(error);
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, sorted(each)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

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
    const DOG = {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, n: { type: 'integer' }, price: { type: 'number' } },
    };
    const list = { type: 'array', items: DOG };
    const schemas = {
      Dog: DOG,
      Closed: { ...DOG, additionalProperties: false },
      Nested: { type: 'object', properties: { inner: DOG, list } },
    };
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
