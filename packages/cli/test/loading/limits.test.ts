import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { errorsOf, toy } from '@stubwright/test-support/contractFiles';

afterEach(() => {
  jest.restoreAllMocks();
});

/** @returns how often objects are enumerated while the contract is checked */
async function workOf(files: Record<string, string>): Promise<number> {
  const entries = jest.spyOn(Object, 'entries');
  const values = jest.spyOn(Object, 'values');
  const keys = jest.spyOn(Object, 'keys');
  await errorsOf(files);
  const calls = [entries, values, keys].map(({ mock }) => mock.calls.length);
  jest.restoreAllMocks();
  return calls.reduce((sum, count) => sum + count);
}

/** Expects at most linear growth: 2 for twice the size, with a margin. */
async function expectLinear(contractOf: (n: number) => string, n: number): Promise<void> {
  const work: number[] = [];
  for (const size of [n, 2 * n, 4 * n]) work.push(await workOf({ 'a.yaml': contractOf(size) }));
  const [one, two, four] = work as [number, number, number];
  expect({ work, isLinear: two <= 2.5 * one && four <= 2.5 * two }).toEqual({
    work,
    isLinear: true,
  });
}

const HEAD = "openapi: 3.1.0\ninfo: {title: Toys, version: '1'}\npaths: {}\n";

/** Each level has the level below nine times. */
function bomb(levels: number): string {
  const lines = Array.from({ length: levels }, (_, at) => {
    const below = at === 0 ? 'x' : `*a${at - 1}`;
    return `  - &a${at} [${Array(9).fill(below).join(', ')}]\n`;
  });
  return `${HEAD}x-bomb:\n${lines.join('')}`;
}

describe('aliases', () => {
  it.each([7, 20, 200])('may not expand to 9 ** %d nodes', async (levels) => {
    expect(await errorsOf({ 'a.yaml': bomb(levels) })).toEqual([
      expect.stringMatching(/^a\.yaml:\d+:\d+ {2}the aliases expand to too many nodes {2}expected/),
    ]);
  });

  it.each([
    ['an alias', `${HEAD}x-a: &a [*a]\n`],
    ['a merge key', `${HEAD}x-a: &a {<<: *a}\n`],
    // js-yaml reads it: the comment has no space.
    ['an alias of lenient YAML', `${HEAD}x-b: "a"#\nx-a: &a [*a]\n`],
  ])('may not contain themselves: %s', async (_, text) => {
    expect(await errorsOf({ 'a.yaml': text })).toEqual([
      expect.stringMatching(/^a\.yaml:\d+:\d+ {2}/),
    ]);
  });

  it('may be as many as in published contracts', async () => {
    const uses = Array.from({ length: 5_000 }, (_, at) => `  k${at}: *a\n`);
    const text = `${HEAD}x-a: &a {x: [1, 2, 3]}\nx-b:\n${uses.join('')}`;
    expect(await errorsOf({ 'a.yaml': text })).toEqual([]);
  });
});

describe('depth', () => {
  it.each([
    ['flow collections', (n: number) => `${HEAD}x-a: ${'['.repeat(n)}${']'.repeat(n)}`],
    ['block collections', (n: number) => `${HEAD}x-a:\n  ${'- '.repeat(n)}a`],
    ['JSON', (n: number) => `{"openapi":"3.1.0","paths":${'['.repeat(n)}${']'.repeat(n)}}`],
  ])('of %s is limited, with a located error', async (_, textOf) => {
    for (const n of [300, 3_000, 30_000]) {
      expect(await errorsOf({ 'a.yaml': textOf(n) })).toEqual([
        expect.stringMatching(
          /^a\.yaml:\d+:\d+ {2}the nesting is too deep {2}expected at most 256 levels$/,
        ),
      ]);
    }
  });
});

/** How a schema leads to the next one. */
const STEPS: Readonly<Record<string, (next: object) => object>> = {
  $ref: (next) => next,
  allOf: (next) => ({ allOf: [next] }),
  oneOf: (next) => ({ oneOf: [{ type: 'null' }, next] }),
  properties: (next) => ({ properties: { next } }),
  items: (next) => ({ type: 'array', items: next }),
  'discriminator.mapping': (next) => ({
    discriminator: { propertyName: 'a', mapping: { b: Object.values(next)[0] } },
  }),
};

/** @param names of the schemas in the order of the chain; the last one refers to none */
function chain(step: (next: object) => object, names: readonly string[], order = names): string {
  const next = new Map(names.slice(1).map((name, at) => [names[at]!, name]));
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = order.map((name) => {
    const following = next.get(name);
    return [name, following === undefined ? { type: 'string' } : step(ref(following))];
  });
  const content = { 'application/json': { schema: ref(names[0]!) } };
  const responses = { 200: { description: 'ok', content } };
  const paths = JSON.stringify({ '/toys': { get: { responses } } });
  return toy({ openapi: '3.1.0', paths, schemas: JSON.stringify(Object.fromEntries(schemas)) });
}

const namesOf = (n: number) => Array.from({ length: n }, (_, at) => `S${at}`);

/** The steps that lead to the same value, whose validation recurses. */
const inPlace = Object.entries(STEPS).filter(([name]) => !['properties', 'items'].includes(name));
const toParts = Object.entries(STEPS).filter(([name]) => ['properties', 'items'].includes(name));

describe('a chain of schemas', () => {
  it.each(inPlace)('through %s is limited, with a located error', async (_, step) => {
    const n = process.env['ALL_TESTS'] ? 60_000 : 3_000;
    const names = namesOf(n);
    for (const order of [names, names.toReversed()]) {
      expect(await errorsOf({ 'a.json': chain(step, names, order) })).toEqual([
        expect.stringMatching(/^a\.json:\d+:\d+ {2}the contract is nested too deep {2}expected/),
      ]);
    }
  });

  it.each(toParts)('through %s has any length', async (_, step) => {
    const names = namesOf(process.env['ALL_TESTS'] ? 20_000 : 1_500);
    for (const order of [names, names.toReversed()]) {
      expect(await errorsOf({ 'a.json': chain(step, names, order) })).toEqual([]);
    }
  });

  const some = Object.entries(STEPS).filter((_, at) => process.env['ALL_TESTS'] || at % 3 === 0);
  it.each(some)('through %s may have 40 of them', async (_, step) => {
    expect(await errorsOf({ 'a.json': chain(step, namesOf(40)) })).toEqual([]);
  });

  const counted = Object.entries(STEPS).slice(0, process.env['ALL_TESTS'] ? undefined : 1);
  it.each(counted)('through %s is read in linear time', async (_, step) => {
    await expectLinear((n) => chain(step, namesOf(n)), 1_500);
  });

  it('of several files is limited', async () => {
    const part = (other: string) => {
      const schemas = namesOf(500).map((name, at) => [name, { $ref: `${other}#/S${at + 1}` }]);
      return JSON.stringify({ ...Object.fromEntries(schemas), S500: { type: 'string' } });
    };
    const files = {
      'a.json': toy({ schemas: '{"A":{"$ref":"b.json#/S0"}}' }),
      'b.json': part('c.json'),
      'c.json': part('b.json'),
    };
    expect(await errorsOf(files)).toEqual([
      expect.stringMatching(/^[abc]\.json:\d+:\d+ {2}the contract is nested too deep/),
    ]);
  });

  it('may be a circle', async () => {
    const names = [...namesOf(100), 'S0'];
    const { properties } = STEPS;
    expect(await errorsOf({ 'a.json': chain(properties!, names, namesOf(100)) })).toEqual([]);
  });
});

describe('many schemas', () => {
  it('are read in linear time', async () => {
    const schemas = (n: number) =>
      JSON.stringify(Object.fromEntries(namesOf(n).map((name) => [name, { type: 'string' }])));
    await expectLinear((n) => toy({ schemas: schemas(n) }), 500);
    await expectLinear(
      (n) =>
        `${HEAD}x-a:\n${namesOf(n)
          .map((each) => `  ${each}: 1\n`)
          .join('')}`,
      500,
    );
  });
});
