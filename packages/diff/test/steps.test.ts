// The limits of a comparison are numbers of steps, the same for all contracts.
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node } from '@stubwright/contract';
import { SchemaModel } from '../../contract/src/index.ts';
import { inTestAll } from '../../stubwright/test/support/testAll.ts';
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
