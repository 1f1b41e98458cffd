// The limits of a comparison are numbers of steps, the same for all contracts.
import { describe, expect, it, jest } from '@jest/globals';
import { Contract, type Node, SchemaModel } from '@stubwright/contract';
import { inTestAll } from '@stubwright/test-support/testAll';
import { changesBetween } from '../src/contract/changes.ts';
import { Counterexamples } from '../src/counterexample/counterexamples.ts';
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

describe('schemas that all refer to one another', () => {
  const ref = (at: number) => ({ $ref: `#/components/schemas/S${at}` });
  /** Each reaches all others; one of them changes. */
  function connected(count: number, maxLength: number): Readonly<Record<string, Node>> {
    const schemas = Array.from({ length: count }, (_, at) => {
      const properties = {
        name: { type: 'string', maxLength: at === 0 ? maxLength : 20 },
        next: ref((at + 1) % count),
        other: { type: 'array', items: ref((at * 7919 + 13) % count) },
      };
      return [`S${at}`, { type: 'object', properties }] as const;
    });
    return Object.fromEntries(schemas);
  }

  /** Compares each schema with its successor. */
  function stepsOf(count: number) {
    const [was, is] = [20, 10].map((each) => SchemaModel.of(contractOf(connected(count, each))));
    const comparison = new SchemaComparison({ hasSchema: () => false });
    for (let at = 0; at < count; at++) {
      const pointer = `/components/schemas/S${at}`;
      const [before, after] = [was!, is!].map((model) => termOf(model.at(pointer), pointer));
      const found = comparison.differences(before!, after!, { direction: 'request', wire: 'json' });
      expect(found.map(({ rule }) => rule)).toEqual(['request-max-length-narrowed']);
    }
    return { pairs: comparison.size, visited: comparison.visited };
  }

  it('are compared in steps that grow with their number', () => {
    const [one, two, four] = [25, 50, 100].map(stepsOf);
    for (const kind of ['pairs', 'visited'] as const) {
      expect(two![kind]).toBeLessThanOrEqual(2.1 * one![kind]);
      expect(four![kind]).toBeLessThanOrEqual(2.1 * two![kind]);
    }
  });

  it('share one decision, whatever uses them', () => {
    const find = jest.spyOn(Counterexamples.prototype, 'find');
    try {
      const calls = [25, 50].map((count) => {
        find.mockClear();
        const [before, after] = [20, 10].map((each) => contractOf(connected(count, each)));
        const changes = changesBetween({ definition: before! }, { definition: after! });
        expect(changes.map(({ operations }) => operations.length)).toEqual([count]);
        expect(changes[0]!.example?.error).toContain('more than 10');
        return find.mock.calls.length;
      });
      expect(calls).toEqual([1, 1]);
    } finally {
      find.mockRestore();
    }
  });
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
