// Which differences arithmetic alone decides: no other keyword of the sender may imply the changed one.
import { describe, expect, it } from '@jest/globals';
import { Contract, type Direction, type Node, SchemaModel } from '@stubwright/contract';
import { isProvenByRules } from '../src/contract/keywordProofs.ts';
import type { Difference } from '../src/schema/differences.ts';

interface Case {
  readonly before: Node;
  readonly after?: Node;
  readonly outer?: Node;
  readonly direction?: Direction;
  readonly wire?: 'json' | 'text';
  readonly path?: string;
}

function isProven(rule: string, { before, after = {}, outer, ...rest }: Case): boolean {
  const schemas = { before, after, outer: outer ?? {} };
  const contract = new Contract({ openapi: '3.1.0', paths: {}, components: { schemas } });
  const at = (name: string) => [SchemaModel.of(contract).at(`/components/schemas/${name}`)!];
  const { direction = 'request', wire = 'json', path = '' } = rest;
  const pair = { before: at('before'), after: at('after'), wire, path };
  const around = outer && { ...pair, before: at('outer'), outer: undefined };
  // Of bounds, the comparison says it.
  const isDecided = rule.startsWith('maximum-');
  const difference = {
    rule: `${direction}-${rule}`,
    path,
    isDecided,
    values: { ...pair, outer: around },
  };
  return isProvenByRules(difference as unknown as Difference, direction);
}

const KEYWORDS: Node = {
  ...{ format: 'date', not: {}, if: {}, contains: {}, propertyNames: {}, patternProperties: {} },
  ...{ dependentRequired: {}, dependentSchemas: {}, unevaluatedProperties: {}, uniqueItems: true },
  ...{ unevaluatedItems: {}, const: 'a', enum: ['a'], oneOf: [{}], anyOf: [{}], contentSchema: {} },
};

describe('a changed length', () => {
  const rule = 'max-length-narrowed';

  it('is decided by arithmetic', () => {
    const plain = { type: 'string', maxLength: 3, minLength: 1, pattern: '^[a-z]+$' };
    expect(isProven(rule, { before: plain })).toBe(true);
    expect(isProven(rule, { before: {}, after: plain, direction: 'response' })).toBe(true);
  });

  it.each(Object.keys(KEYWORDS))('is not where the sender has %s', (keyword) => {
    const own = { [keyword]: KEYWORDS[keyword] };
    expect(isProven(rule, { before: own })).toBe(false);
    expect(isProven(rule, { before: { allOf: [own] } })).toBe(false);
    expect(isProven(rule, { before: {}, after: own })).toBe(true);
    expect(isProven(rule, { before: {}, after: own, direction: 'response' })).toBe(false);
  });

  it.each(['if', 'dependentSchemas'])('is not where the object around has %s', (keyword) => {
    expect(isProven(rule, { before: {}, outer: { [keyword]: {} } })).toBe(false);
    expect(isProven(rule, { before: {}, outer: { anyOf: [{}] } })).toBe(true);
  });

  it('is not in a text, below a subschema, or beside an impossible length', () => {
    expect(isProven(rule, { before: {}, wire: 'text' })).toBe(false);
    expect(isProven(rule, { before: {}, path: '/a(not)' })).toBe(false);
    expect(isProven(rule, { before: { minLength: 2, maxLength: 1 } })).toBe(false);
    expect(isProven(rule, { before: { minItems: 2, maxItems: 1 } })).toBe(false);
    expect(isProven(rule, { before: { minProperties: 2, maxProperties: 1 } })).toBe(false);
    const refused = { required: ['a'], properties: { a: false } };
    expect(isProven(rule, { before: refused })).toBe(false);
    expect(isProven(rule, { before: { required: ['b'], properties: { a: false } } })).toBe(true);
  });
});

describe('a changed number', () => {
  const rule = 'maximum-narrowed';

  it('is decided by arithmetic, also with keywords of other types', () => {
    expect(isProven(rule, { before: { type: 'integer', format: 'int32', contains: {} } })).toBe(
      true,
    );
  });

  it.each(['not', 'if', 'const', 'enum', 'oneOf', 'anyOf', 'dependentSchemas'])(
    'is not where the sender has %s',
    (keyword) => {
      const own = { [keyword]: KEYWORDS[keyword] };
      expect(isProven(rule, { before: own })).toBe(false);
      expect(isProven(rule, { before: {}, after: own })).toBe(true);
    },
  );

  it.each([
    [{ type: 'integer' }, { type: 'number' }, true],
    [{ type: ['integer', 'number'] }, { type: 'integer' }, true],
    [{ type: ['integer', 'string'] }, { type: 'integer' }, false],
    [{ type: 'integer' }, {}, false],
  ])('in a text needs numbers alone: %j and %j', (before, after, expected) => {
    expect(isProven(rule, { before, after, wire: 'text' })).toBe(expected);
  });
});

it.each(['type-narrowed', 'pattern-changed', 'max-contains-narrowed', 'required-added'])(
  '%s is not decided by arithmetic',
  (rule) => expect(isProven(rule, { before: {} })).toBe(false),
);
