// The schemas that may apply to a value, compared with those that apply to generated values.
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { Contract, isObject, type Node } from '@stubwright/contract';
import { isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { type Shape, shapeOf, typesIn } from '../src/media/styles/shape.ts';
import { Applicators, type Applied } from '../src/schema/applying.ts';
import { Evaluation } from '../src/schema/evaluation.ts';
import { type Schema, SchemaModel } from '../src/schema/model.ts';
import {
  inPlaceSchemas,
  itemSchemas,
  possibleSchemas,
  propertySchemas,
  Reaching,
} from '../src/schema/possible.ts';
import { Validators } from '../src/schema/validator.ts';

const NAMES = ['a', 'b', 'kind'];
const name = fc.constantFrom(...NAMES);
const components = fc.constantFrom('A', 'B', 'C');
const kinds = fc.constantFrom(
  { 'x-read': true },
  { type: 'integer' },
  { type: 'string' },
  { type: 'object' },
);

/** Of several keywords, each with subschemas. */
const { schema } = fc.letrec<{ schema: Node }>((tie) => {
  const list = fc.array(tie('schema'), { minLength: 1, maxLength: 2 });
  const map = fc.dictionary(name, tie('schema'), { maxKeys: 2 });
  const keyword = fc.oneof(
    { maxDepth: 3 },
    kinds,
    components.map((to) => ({ $ref: `#/components/schemas/${to}` })),
    list.map((allOf) => ({ allOf })),
    list.map((anyOf) => ({ anyOf })),
    list.map((oneOf) => ({ oneOf })),
    map.map((properties) => ({ properties })),
    map.map((dependentSchemas) => ({ dependentSchemas })),
    tie('schema').map((each) => ({ patternProperties: { '^[ab]': each } })),
    tie('schema').map((additionalProperties) => ({ additionalProperties })),
    tie('schema').map((unevaluatedProperties) => ({ unevaluatedProperties })),
    tie('schema').map((items) => ({ items })),
    tie('schema').map((unevaluatedItems) => ({ unevaluatedItems })),
    list.map((prefixItems) => ({ prefixItems })),
    tie('schema').map((not) => ({ not: { required: ['c'], ...not } })),
    fc
      .tuple(tie('schema'), tie('schema'), tie('schema'))
      .map(([when, met, unmet]) => ({ if: when, then: met, else: unmet })),
    components.map((to) => ({ discriminator: { propertyName: 'kind', mapping: { x: to } } })),
  );
  return {
    schema: fc.array(keyword, { maxLength: 3 }).map((all) => Object.assign({}, ...all) as Node),
  };
});

const scalar = fc.constantFrom(1, 'x', 'A', 'B');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.dictionary(name, fc.oneof(scalar, tie('value')), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

function modelOf(a: Node, b: Node, c: Node) {
  const document = {
    ...{ openapi: '3.1.0', info: { title: 't', version: '1' }, paths: {} },
    // A reference leads to later components only: a schema must not apply itself to the same value.
    components: { schemas: { A: a, B: b, C: c, Root: {} } },
  };
  return new Contract(document);
}

/** As the client generator reads them. */
function allInPlace(schemas: readonly Schema[]): Set<Schema> {
  const found = new Set(schemas);
  for (const each of found) for (const inner of inPlaceSchemas(each)) found.add(inner);
  return found;
}

interface Case {
  /** Valid against the schema. */
  readonly value: unknown;
  readonly start: Schema;
  readonly validators: Validators;
  readonly applied: Applied<undefined>;
}

const isOfInterest = (each: Schema) => each.has('x-read');
const marked = (of: Applied<undefined>) =>
  [...of.schemas]
    .filter(isOfInterest)
    .map(({ pointer }) => pointer)
    .sort();
const markedInside = (of: Applied<undefined>, value: unknown): unknown => {
  const evaluation = new Evaluation(value);
  if (Array.isArray(value)) {
    return value.map((each, at) => marked(of.item(at).applying(each, evaluation)));
  }
  const entries = isObject(value) ? Object.entries(value) : [];
  return entries.map(([name, each]) => marked(of.property(name).applying(each, evaluation)));
};

/** What a reader without the value misses, for each reader. */
const MISSED: Readonly<Record<string, (of: Case) => unknown[]>> = {
  'possible schemas of a value': ({ start, applied }) =>
    without(applied.schemas, possibleSchemas([start])),
  'schemas in place of a value': ({ start, applied }) =>
    without(applied.schemas, allInPlace([start])),
  'schemas of a property or an item': ({ start, applied }) => {
    const all = possibleSchemas([start]);
    return [
      ...NAMES.flatMap((name) =>
        without(applied.property(name).schemas, propertySchemas(all, name, false)),
      ),
      ...[0, 1, 2].flatMap((at) => without(applied.item(at).schemas, itemSchemas(all, at, false))),
    ];
  },
  'schemas of a property, whichever properties were read before': ({ applied }) =>
    [...NAMES, 'other', 'another', 'b-other'].flatMap((name) => {
      const read = applied.property(name).schemas.map(({ pointer }) => pointer);
      const expected = propertySchemas(applied.schemas, name).map(({ pointer }) => pointer);
      return read.join() === expected.join() ? [] : [{ name, read, expected }];
    }),
  'types of a text': ({ value, start, validators, applied }) => {
    const shape = shapeOf(start, validators);
    const typesOf = (schemas: readonly Schema[], { types }: Shape) =>
      schemas.flatMap(typesIn).filter((each) => !types.has(each));
    if (Array.isArray(value))
      return value.flatMap((_, at) => typesOf(applied.item(at).schemas, shape.items(at)));
    return isObject(value)
      ? Object.keys(value).flatMap((name) =>
          typesOf(applied.property(name).schemas, shape.property(name)),
        )
      : [];
  },
  'schemas of a reader of some': ({ value, start, validators, applied }) => {
    const reaching = new Reaching(isOfInterest);
    const isRelevant = (each: Schema) => reaching.from(each);
    const applicators = new Applicators(validators, { compile: () => undefined, isRelevant });
    const some = applicators.values([start]).applying(value, new Evaluation(value));
    const read = [marked(some), markedInside(some, value)];
    const expected = [marked(applied), markedInside(applied, value)];
    return isDeepStrictEqual(read, expected) ? [] : [{ read, expected }];
  },
};

it('the schemas that may apply contain those that apply', () => {
  let compared = 0;
  let interesting = 0;
  const values = fc.array(value, { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(schema, schema, schema, values, (root, b, c, given) => {
      const definition = modelOf(within(root, 'BC'), within(b, 'C'), within(c, ''));
      const validators = new Validators(definition, 'request');
      const start = SchemaModel.of(definition).at('/components/schemas/A')!;
      const validate = validators.at(start.pointer);
      const readers = Object.entries(MISSED).map(([reader, missed]) => {
        // It remembers what was read.
        const applicators = new Applicators(validators, { compile: () => undefined });
        return { reader, missed, applied: applicators.values([start]) };
      });
      for (const each of given) {
        if (!validate(each)) continue;
        compared++;
        for (const { reader, missed, applied: values } of readers) {
          const applied = values.applying(each, new Evaluation(each));
          const found = missed({ value: each, start, validators, applied });
          expect({ reader, value: each, found }).toEqual({ reader, value: each, found: [] });
          if (reader === 'schemas of a reader of some') interesting += marked(applied).length;
        }
      }
    }),
    { numRuns: isTestAll ? 2_000 : 500 },
  );
  expect(compared).toBeGreaterThan(500);
  expect(interesting).toBeGreaterThan(100);
});

function without(some: Iterable<Schema>, all: Iterable<Schema>): string[] {
  const possible = new Set(all);
  return [...some].filter((each) => !possible.has(each)).map(({ pointer }) => pointer);
}

describe('an applicator', () => {
  const READ = { 'x-read': true };
  const isRelevant = (each: Schema) => new Reaching((one) => one.has('x-read')).from(each);
  const TEXT = { type: 'string' };

  it.each<[string, Node, applies: unknown, not?: unknown]>([
    ['$ref', { $ref: '#/components/schemas/B' }, 1],
    ['allOf', { allOf: [{}, READ] }, 1],
    ['anyOf', { anyOf: [{ ...TEXT, ...READ }, {}] }, 'a', 1],
    ['oneOf', { oneOf: [{ ...TEXT, ...READ }, { type: 'integer' }] }, 'a', 1],
    ['if', { if: { ...TEXT, ...READ } }, 'a', 1],
    ['then', { if: TEXT, then: READ }, 'a', 1],
    ['else', { if: TEXT, else: READ }, 1, 'a'],
    ['dependentSchemas', { dependentSchemas: { a: READ } }, { a: 1 }, { b: 1 }],
    ['dependentSchemas', { dependentSchemas: { a: READ } }, { a: 1 }, [1]],
    ['properties', { properties: { a: READ } }, { a: 1 }, { b: 1 }],
    ['patternProperties', { patternProperties: { '^a': READ } }, { ab: 1 }, { ba: 1 }],
    [
      'additionalProperties',
      { properties: { a: {} }, additionalProperties: READ },
      { b: 1 },
      { a: 1 },
    ],
    [
      'unevaluatedProperties',
      { allOf: [{ properties: { a: {} } }], unevaluatedProperties: READ },
      { b: 1 },
      { a: 1 },
    ],
    ['prefixItems', { prefixItems: [{}, READ] }, [1, 2], [1]],
    ['items', { prefixItems: [{}], items: READ }, [1, 2], [1]],
    ['unevaluatedItems', { allOf: [{ prefixItems: [{}] }], unevaluatedItems: READ }, [1, 2], [1]],
    ['contains', { contains: { ...TEXT, ...READ } }, ['a'], ['a', 1]],
    [
      'discriminator',
      { discriminator: { propertyName: 'kind', mapping: { x: '#/components/schemas/B' } } },
      { kind: 'x' },
      { kind: 'y' },
    ],
  ])('%s applies where the value selects it', (_, root, ...given) => {
    const [applies] = given;
    const definition = modelOf(root, READ, {});
    const options = { compile: () => undefined, isRelevant, readsContains: true };
    const applicators = new Applicators(new Validators(definition, 'request'), options);
    const values = applicators.values([SchemaModel.of(definition).at('/components/schemas/A')!]);
    const isRead = ({ schemas }: Applied<undefined>) =>
      [...schemas].some((each) => each.has('x-read'));
    /** At the value, or at its last property or item. */
    const reads = (value: unknown) => {
      const [applied, evaluation] = [
        values.applying(value, new Evaluation(value)),
        new Evaluation(value),
      ];
      if (isRead(applied)) return true;
      const [name, last] = Object.entries(Object(value)).at(-1) ?? [];
      if (name === undefined || typeof value !== 'object') return false;
      const inner = Array.isArray(value) ? applied.item(Number(name)) : applied.property(name);
      return isRead(inner.applying(last, evaluation));
    };
    // The sets are known from the first value.
    const all = [...given, applies];
    expect(all.map(reads)).toEqual(all.map((each) => each === applies));
  });
});

/** Without references to other components than these. */
function within(node: unknown, allowed: string): Node {
  if (Array.isArray(node)) return node.map((each) => within(each, allowed)) as never;
  if (typeof node !== 'object' || node === null) return node as never;
  const entries = Object.entries(node).flatMap(([key, each]) => {
    if (key === '$ref') return allowed.includes(String(each).at(-1)!) ? [[key, each]] : [];
    if (key === 'discriminator') return allowed === 'BC' ? [[key, each]] : [];
    return [[key, within(each, allowed)]];
  });
  return Object.fromEntries(entries);
}
