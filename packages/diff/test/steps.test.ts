// The limits of a comparison are numbers of steps, the same for all contracts.
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node } from '@stubwright/contract';
import { inTestAll } from '@stubwright/test-support/testAll';
import { SchemaModel } from '../../contract/src/index.ts';
import { changesBetween } from '../src/contract/changes.ts';
import { SchemaComparison } from '../src/schema/comparison.ts';
import { termOf } from '../src/schema/term.ts';

const MAX_STEPS = 10_000;

function contractOf(schemas: Readonly<Record<string, Node>>): Contract {
  const post = (name: string) => ({
    operationId: `post${name}`,
    requestBody: {
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    },
    responses: { 200: { description: 'Stored' } },
  });
  return new Contract({
    openapi: '3.1.0',
    info: { title: 'Toys', version: '1' },
    paths: Object.fromEntries(
      Object.keys(schemas).map((each) => [`/${each}`, { post: post(each) }]),
    ),
    components: { schemas },
  });
}

/** A value of one of 2^count combinations of branches. */
function product(count: number, minimum: number): Node {
  const pair = { anyOf: [{ minimum }, { maximum: 9 }] };
  return { allOf: Array.from({ length: count }, () => structuredClone(pair)) };
}

const union = (count: number, maxLength: number): Node => ({
  oneOf: Array.from({ length: count }, (_, at) => ({
    properties: { [`p${at}`]: { type: 'string', maxLength } },
  })),
});

/** @returns the number of pairs of schemas that are compared */
function pairsOf(before: Node, after: Node): number {
  const comparison = new SchemaComparison({ hasSchema: () => false });
  const [was, is] = [before, after].map((written) => {
    const schema = SchemaModel.of(contractOf({ Toy: written })).at('/components/schemas/Toy');
    return termOf(schema, '/components/schemas/Toy');
  });
  comparison.differences(was!, is!, { direction: 'request', wire: 'json' });
  return comparison.size;
}

inTestAll(describe)('the number of pairs', () => {
  it.each([
    ['a product of alternatives', product, 4],
    ['two unions of n branches', union, 8],
  ])('%s is bounded for n, 2n and 4n', (_name, schemaOf, count) => {
    for (const factor of [1, 2, 4]) {
      const [before, after] = [schemaOf(count * factor, 1), schemaOf(count * factor, 2)];
      expect(pairsOf(before, after)).toBeLessThanOrEqual(Math.min(MAX_STEPS, 4 ** 8 * factor));
    }
  });
});

inTestAll(it)('reports each location whose comparison is given up as risky', () => {
  const schemas = (minimum: number) => ({
    Toy: product(16, minimum),
    Box: { type: 'object', properties: { toy: { $ref: '#/components/schemas/Toy' } } },
    Bag: { type: 'array', items: product(17, minimum) },
  });
  const [before, after] = [contractOf(schemas(1)), contractOf(schemas(2))];
  const changes = changesBetween({ definition: before }, { definition: after });
  expect(changes.map(({ severity, rule, operations }) => [severity, rule, operations])).toEqual([
    ['risky', 'request-too-complex', ['POST /Toy', 'POST /Box']],
    ['risky', 'request-too-complex', ['POST /Bag']],
  ]);
  expect(changes[0]!.effect).toContain('too many combinations');
});

describe('an allOf of a recursive schema that overrides its items', () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const treeOf = (node: Node = {}, own: Node = {}): Record<string, Node> => ({
    Node: {
      type: 'object',
      properties: { f: { type: 'array', items: ref('Node') }, v: { type: 'string' } },
      ...node,
    },
    W: {
      allOf: [
        ref('Node'),
        { type: 'object', properties: { f: { type: 'array', items: ref('W') } } },
      ],
      ...own,
    },
  });
  const properties = (v: Node, f: Node = {}) => ({
    properties: { f: { type: 'array', items: ref('Node'), ...f }, v },
  });
  const severityOf = (after: Record<string, Node>, before = treeOf()) =>
    changesBetween({ definition: contractOf(before) }, { definition: contractOf(after) }).find(
      ({ rule }) => rule !== 'documentation-changed',
    )?.severity;

  it('has a bounded number of pairs, however deep its values are', () => {
    const [was, is] = [treeOf(), treeOf(properties({ type: 'string', minLength: 1 }))];
    const comparison = new SchemaComparison({ hasSchema: () => false });
    const [before, after] = [was, is].map((schemas) => {
      const pointer = '/components/schemas/W';
      return termOf(SchemaModel.of(contractOf(schemas)).at(pointer), pointer);
    });
    const found = comparison.differences(before!, after!, { direction: 'request', wire: 'json' });
    expect(found.map(({ rule }) => rule)).toEqual(['request-min-length-narrowed']);
    expect(comparison.size).toBeLessThan(50);
  });

  it('does not change with a description', () => {
    expect(severityOf(treeOf({ description: 'A node' }))).toBeUndefined();
  });

  it.each<[string, Record<string, Node>]>([
    ['a bound of a property', treeOf(properties({ type: 'string', minLength: 1 }))],
    ['a type', treeOf(properties({ type: 'integer' }))],
    ['a format', treeOf(properties({ type: 'string', format: 'date' }))],
    ['an enum', treeOf(properties({ type: 'string', enum: ['a', 'b'] }))],
    ['a pattern', treeOf(properties({ type: 'string', pattern: '^a' }))],
    ['a bound of the items', treeOf(properties({ type: 'string' }, { maxItems: 3 }))],
    ['unique items', treeOf(properties({ type: 'string' }, { uniqueItems: true }))],
    ['a required property', treeOf({ required: ['v'] })],
    ['a closed object', treeOf({ additionalProperties: false })],
    ['a required property of the outer schema', treeOf({}, { required: ['f'] })],
  ])('has a breaking change: %s', (_, after) => {
    expect(severityOf(after)).toBe('breaking');
  });
});
