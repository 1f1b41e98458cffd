// Validation, messages, coercion and serialization read each part of a value a bounded number of times.
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node } from '@stubwright/contract';
import { isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { declaredOnly } from '../../src/media/declaration.ts';
import { Coercions } from '../../src/schema/coercion.ts';
import { schemaCycles } from '../../src/schema/possible.ts';
import { describeErrors, Validators } from '../../src/schema/validator.ts';
import { counted } from './counted.ts';

const S = { $ref: '#/components/schemas/S' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

type Nested = (depth: number) => unknown;
type Work = (value: unknown) => void;

/** The work for a value in both directions, by name. */
function worksOf(schemas: Node): Record<string, Work> {
  const definition = new Contract({ openapi: '3.1.0', components: { schemas } });
  const pointer = '/components/schemas/S';
  const requests = new Validators(definition, 'request');
  const responses = new Validators(definition, 'response');
  const coercion = new Coercions(requests).at(pointer);
  const declared = declaredOnly(responses, responses.model.at(pointer)!);
  return {
    validation: (value) => void requests.at(pointer)(value),
    message: (value) => {
      const message = describeErrors(requests.at(pointer).errorsOf(value), '');
      expect(message.length).toBeLessThan(25_000);
    },
    coercion: (value) => void coercion?.(value),
    serialization: (value) => void declared(value),
  };
}

function readsOf(work: Work, value: unknown): number {
  const { value: proxy, reads } = counted(value);
  work(proxy);
  return reads();
}

/** Fewer reads of each part are linear with any growth: a memo counts the parts when it starts. */
const FEW_READS = 10;

/** @returns the growth of the reads from n to 2n and to 4n */
function growthOf(work: Work, value: Nested, size: number): [number, number] {
  // A coercion changes the value: each work has its own.
  const [first, second, third] = [1, 2, 4].map((factor) => {
    const made = value(size * factor);
    const few = FEW_READS * countParts(made);
    return { few: Math.max(2_000 * factor, few), reads: readsOf(work, made) };
  });
  const growth = (from: typeof first, to: typeof first) =>
    to!.reads / Math.max(from!.reads, from!.few);
  return [growth(first, second), growth(second, third)];
}

function isLinear(growth: readonly number[]): boolean {
  return growth.every((each) => each < 3);
}

/** At n, 2n and 4n. The first thousand steps of a validation are independent of the size. */
function expectLinear(schemas: Node, value: Nested, size: number): void {
  for (const [name, work] of Object.entries(worksOf(schemas))) {
    const growth = growthOf(work, value, size);
    expect({ name, growth, isLinear: isLinear(growth) }).toMatchObject({ isLinear: true });
  }
}

/** The same, at twice the sizes if a memo started between them. */
function expectLinearFrom(schemas: Node, value: Nested, size: number): void {
  for (const [name, work] of Object.entries(worksOf(schemas))) {
    const first = growthOf(work, value, size);
    const growth = isLinear(first) ? first : growthOf(work, value, 2 * size);
    expect({ name, growth, isLinear: isLinear(growth) }).toMatchObject({ isLinear: true });
  }
}

function countParts(value: unknown): number {
  const inner = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return inner.reduce<number>((sum, each) => sum + countParts(each), 1);
}

const IN_PLACE = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'not',
  'dependentSchemas',
];

/** @returns the components that a schema applies to the same value */
function appliedInPlace(schema: unknown): string[] {
  if (typeof schema === 'string') return [schema.slice('#/components/schemas/'.length)];
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap(appliedInPlace);
  return Object.entries(schema).flatMap(([keyword, inner]) => {
    if (!IN_PLACE.includes(keyword)) return [];
    return appliedInPlace(keyword === 'dependentSchemas' ? Object.values(inner as object) : inner);
  });
}

/** False if a schema applies itself to the same value: JSON Schema leaves its meaning undefined. */
function isWellFounded(schemas: Node): boolean {
  return Object.keys(schemas).every((name) => {
    const reached = new Set(appliedInPlace(schemas[name]));
    for (const each of reached) for (const next of appliedInPlace(schemas[each])) reached.add(next);
    return !reached.has(name);
  });
}

const nest =
  (wrap: (inner: unknown) => unknown, leaf: unknown): Nested =>
  (depth) => {
    let value = leaf;
    for (let level = 0; level < depth; level++) value = wrap(value);
    return value;
  };
const items =
  (item: unknown): Nested =>
  (length) =>
    Array.from({ length }, () => structuredClone(item));
const members =
  (member: unknown): Nested =>
  (length) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`k${at}`, structuredClone(member)]));

const child = nest((inner) => ({ child: inner }), {});
const invalidChild = nest((inner) => ({ child: inner }), 'x');
const typed = (kind: string) => nest((inner) => ({ kind, child: inner }), { kind, child: null });
const node = (...branches: Node[]) => ({ S: { anyOf: branches } });
const withChild = { type: 'object', properties: { child: S } };
const kinds = (keyword: string, count: number): Node => ({
  S: {
    [keyword]: Array.from({ length: count }, (_, at) => ref(`K${at}`)),
    discriminator: { propertyName: 'kind' },
  },
  ...Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `K${at}`,
      {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string' }, child: { anyOf: [S, { type: 'null' }] } },
      },
    ]),
  ),
});

const LISTS: Record<string, [schemas: Node, value: Nested]> = {
  'invalid items': [{ S: { type: 'array', items: { type: 'integer' } } }, items('')],
  'invalid items of a referenced schema': [
    { S: { type: 'array', items: ref('I') }, I: { type: 'integer' } },
    items(''),
  ],
  'items outside of an enum': [{ S: { type: 'array', items: { enum: ['a', 'b'] } } }, items('')],
  'items outside of an enum of objects': [
    { S: { type: 'array', items: { enum: [{ a: 1 }, { a: [2] }] } } },
    items({ a: [3] }),
  ],
  'invalid values of a map': [
    { S: { type: 'object', additionalProperties: { type: 'integer' } } },
    members(''),
  ],
  'undeclared properties': [{ S: { type: 'object', additionalProperties: false } }, members('')],
  'invalid names': [{ S: { propertyNames: { maxLength: 1 } } }, members('')],
  'invalid values under a pattern': [
    { S: { patternProperties: { '^k': { type: 'integer' } } } },
    members(''),
  ],
  'objects without their properties': [
    { S: { type: 'array', items: { required: ['a', 'b', 'c', 'd'] } } },
    items({}),
  ],
  'more items than allowed': [
    { S: { type: 'array', maxItems: 100, items: { type: 'integer' } } },
    items(''),
  ],
  'different objects': [
    { S: { uniqueItems: true } },
    (length) => Array.from({ length }, (_, a) => ({ a })),
  ],
  'items of which none is contained': [{ S: { contains: { required: ['a'] } } }, items({})],
  'items that match no alternative': [
    { S: { items: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] } } },
    items(''),
  ],
  'items with int64': [{ S: { items: { type: 'integer', format: 'int64' } } }, items(1)],
};

const RECURSIONS: Record<string, [schemas: Node, value: Nested]> = {
  'oneOf with a discriminator': [kinds('oneOf', 3), typed('K1')],
  'anyOf with a discriminator': [kinds('anyOf', 3), typed('K1')],
  'oneOf with the discriminator of no branch': [kinds('oneOf', 3), typed('x')],
  'anyOf of equal branches': [node(withChild, { ...withChild, required: ['child'] }), child],
  'oneOf of equal branches': [{ S: { oneOf: [withChild, withChild] } }, child],
  'anyOf of equal branches with an invalid leaf': [node(withChild, withChild), invalidChild],
  'anyOf of referenced branches': [
    { S: { anyOf: [ref('A'), ref('B')] }, A: withChild, B: withChild },
    invalidChild,
  ],
  'allOf of equal parts': [{ S: { allOf: [withChild, withChild] } }, child],
  'allOf of equal parts with an invalid leaf': [
    { S: { type: 'object', allOf: [withChild, withChild] } },
    invalidChild,
  ],
  'not of not': [{ S: { not: { not: withChild }, properties: { child: S } } }, child],
  'if, then and else': [{ S: { if: withChild, then: withChild, else: withChild } }, child],
  dependentSchemas: [
    { S: { dependentSchemas: { child: withChild }, properties: { child: S } } },
    child,
  ],
  unevaluatedProperties: [
    {
      S: {
        anyOf: [withChild, { ...withChild, required: ['child'] }],
        unevaluatedProperties: false,
      },
    },
    child,
  ],
  'unevaluatedProperties with undeclared ones': [
    { S: { anyOf: [withChild, withChild], unevaluatedProperties: false } },
    nest((inner) => ({ child: inner, other: 1 }), {}),
  ],
  'contains and items': [
    { S: { type: 'array', contains: S, minContains: 0, items: S } },
    nest((inner) => [inner], []),
  ],
  unevaluatedItems: [
    { S: { anyOf: [{ prefixItems: [S] }, { contains: S }], unevaluatedItems: S } },
    nest((inner) => [inner, inner === null ? 1 : 2], null),
  ],
  uniqueItems: [{ S: { uniqueItems: true, items: S } }, nest((inner) => [inner, 1, 2], [])],
  'const of a deep object': [
    { S: { not: { const: { child: { child: { child: 1 } } } }, properties: { child: S } } },
    child,
  ],
  'additionalProperties and patternProperties': [
    { S: { anyOf: [{ additionalProperties: S }, { patternProperties: { c: S } }] } },
    child,
  ],
  $dynamicRef: [
    {
      S: {
        $dynamicAnchor: 'node',
        anyOf: [
          { properties: { child: { $dynamicRef: '#node' } } },
          { properties: { child: { $dynamicRef: '#node' } }, required: ['child'] },
        ],
      },
    },
    child,
  ],
  'int64 in every branch': [
    node(
      { ...withChild, properties: { child: S, id: { type: 'integer', format: 'int64' } } },
      { ...withChild, properties: { child: S, id: { type: 'integer', format: 'int64' } } },
    ),
    nest((inner) => ({ id: 1, child: inner }), {}),
  ],
  'defaults and readOnly in every branch': [
    node(
      { properties: { child: S, made: { readOnly: true }, of: { default: 'wood' } } },
      { properties: { child: S, made: { readOnly: true } }, required: ['child'] },
    ),
    nest((inner) => ({ made: 1, child: inner }), {}),
  ],
};

describe('a list of', () => {
  it.each(Object.entries(LISTS))('%s takes linear work', (_, [schemas, value]) => {
    expectLinear(schemas, value, 2_000);
  });
});

describe('a recursive schema with', () => {
  it.each(Object.entries(RECURSIONS))('%s takes linear work', (_, [schemas, value]) => {
    expectLinear(schemas, value, 48);
  });
});

describe('a generated recursive contract', () => {
  const names = ['S', 'A', 'B'];
  const { schema } = fc.letrec<{ schema: Node }>((tie) => {
    const inner = tie('schema');
    const two = fc.array(inner, { minLength: 2, maxLength: 2 });
    return {
      schema: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'schema' },
        fc.constantFrom<Node>(
          ...names.map(ref),
          { type: 'integer', format: 'int64' },
          { type: 'object' },
          { required: ['a'] },
          { maxProperties: 1 },
        ),
        fc.record({ a: inner, b: inner }).map((properties): Node => ({ properties })),
        inner.map((items): Node => ({ items })),
        inner.map((additionalProperties): Node => ({ additionalProperties })),
        inner.map((unevaluatedProperties): Node => ({ unevaluatedProperties })),
        fc.record({ if: inner, then: inner, else: inner }),
        fc.record({ contains: inner, items: inner }),
        inner.map((not): Node => ({ not })),
        inner.map((a): Node => ({ dependentSchemas: { a } })),
        ...['allOf', 'anyOf', 'oneOf'].map((keyword) =>
          two.map((list): Node => ({ [keyword]: list })),
        ),
      ),
    };
  });
  const wrap = fc.constantFrom<(inner: unknown) => unknown>(
    (a) => ({ a }),
    (a) => ({ a, b: 1 }),
    (a) => ({ a, b: {} }),
    (b) => ({ a: {}, b }),
    (inner) => [inner],
    (inner) => [inner, 1],
  );
  const contract = fc.record({ S: schema, A: schema, B: schema });
  const value = fc.tuple(
    fc.array(wrap, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(1, {}, [], 'x'),
  );

  it('takes linear work for generated values, or is refused', () => {
    fc.assert(
      fc.property(contract, value, (schemas, [wraps, leaf]) => {
        const definition = new Contract({ openapi: '3.1.0', components: { schemas } });
        const isRefused = schemaCycles(definition).length > 0;
        expect(isRefused).toBe(!isWellFounded(schemas));
        if (isRefused) return;
        const nested: Nested = (depth) => {
          let made = structuredClone(leaf) as unknown;
          for (let level = 0; level < depth; level++) made = wraps[level % wraps.length]!(made);
          return made;
        };
        // A smaller value takes fewer steps than a memo needs to start.
        expectLinearFrom(schemas, nested, 192);
      }),
      { numRuns: isTestAll ? 300 : 10 },
    );
  });
});
