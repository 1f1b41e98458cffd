// Samples of schemas: every keyword of OpenAPI 3.0 and 3.1, and two large public contracts whole.
import { describe, expect, it, jest } from '@jest/globals';
import { loadContractFiles } from '@stubwright/cli/loader';
import { type Content, Contract, type Direction, type Node } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { FIGMA, GITHUB, itWith } from '@stubwright/test-support/publicContracts';
import { inTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { Random } from '../src/sampling/random.ts';
import { NoSample, Samples } from '../src/sampling/sample.ts';
import { integer, it30, ref, string, type Toy } from './toys.ts';

/** A sample of a schema; `It` in the other schemas' references. */
function sampleOf(schema: unknown, toy: Toy = {}): unknown {
  return samplesOf(schema, toy)(toy.seed ?? '');
}

function samplesOf(schema: unknown, toy: Toy = {}): (seed: string) => unknown {
  const { openapi = '3.1.0', direction = 'response', schemas = {} } = toy;
  const definition = new Contract({
    openapi,
    paths: {},
    components: { schemas: { It: schema, ...schemas } },
  });
  const samples = new Samples(new Validators(definition, direction));
  return (seed) => samples.at('/components/schemas/It', seed);
}

describe('Samples', () => {
  it.each([
    ...['date', 'time', 'date-time', 'duration', 'uri', 'uri-reference', 'uri-template', 'email'],
    ...['hostname', 'ipv4', 'ipv6', 'regex', 'uuid', 'json-pointer', 'relative-json-pointer'],
    ...['byte', 'base64url', 'binary', 'password', 'no format that anybody knows'],
  ])('makes strings of the format %s, also long ones', (format) => {
    for (const openapi of ['3.0.3', '3.1.0'] as const) {
      for (const minLength of /^(?:date|time|duration|ipv)/.test(format) ? [0] : [0, 33]) {
        const sample = sampleOf({ type: 'string', format, minLength }, { openapi });
        expect(sample).toEqual(expect.any(String));
      }
    }
  });

  it.each(['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'float', 'double'])(
    'makes numbers of the format %s',
    (format) => {
      expect(sampleOf({ type: 'number', format })).toEqual(expect.any(Number));
    },
  );

  it.each<[string, Node, unknown]>([
    ['number', { multipleOf: 2 }, expect.any(Number)],
    ['number', { exclusiveMaximum: 5 }, expect.any(Number)],
    ['string', { maxLength: 9 }, expect.any(String)],
    ['string', { pattern: '^a' }, expect.any(String)],
    ['array', { uniqueItems: true }, expect.any(Array)],
    ['array', { unevaluatedItems: false }, []],
    ['array', { contains: string, minContains: 2 }, [expect.any(String), expect.any(String)]],
    ['object', { unevaluatedProperties: false }, {}],
    ['object', { dependentSchemas: { a: false } }, {}],
    ['object', { required: ['a'] }, { a: expect.anything() }],
  ])('makes values of the type %s for the keywords %j', (_, schema, expected) => {
    expect(sampleOf(schema)).toEqual(expected);
  });

  it('prefers the examples, then the default, to a generated value', () => {
    expect(sampleOf({ ...string, examples: ['shown', 'other'], default: 'usual' })).toBe('shown');
    expect(sampleOf({ ...string, example: 'shown' }, it30)).toBe('shown');
    expect(sampleOf({ ...string, example: 3, default: 'usual' }, it30)).toBe('usual');
    expect(sampleOf({ ...string, maxLength: 5, examples: ['too long', 'short'] })).toBe('short');
  });

  it('includes optional properties, and ends a recursion as early as possible', () => {
    const tree = { type: 'object', properties: { name: string, child: ref('It') } };
    expect(sampleOf(tree)).toEqual({ name: expect.any(String), child: {} });
  });

  it('omits readOnly properties in requests and writeOnly ones in responses', () => {
    const schema = {
      type: 'object',
      properties: { id: { ...integer, readOnly: true }, secret: { ...string, writeOnly: true } },
    };
    expect(sampleOf(schema, { direction: 'request' })).toEqual({ secret: expect.any(String) });
    expect(sampleOf(schema, { direction: 'response' })).toEqual({ id: expect.any(Number) });
  });

  it('sets an inherited discriminator to the name of the including schema, or to its mapping', () => {
    const parent = (discriminator: Node) => ({
      type: 'object',
      required: ['kind'],
      properties: { kind: string },
      discriminator: { propertyName: 'kind', ...discriminator },
    });
    const kindOf = (schema: unknown, schemas: Node) => sampleOf(schema, { schemas });
    const child = { allOf: [ref('Animal')] };
    expect(kindOf(child, { Animal: parent({}) })).toEqual({ kind: 'It' });
    expect(kindOf(ref('Animal'), { Animal: parent({}) })).toEqual({ kind: 'Animal' });
    const beast = { beast: '#/components/schemas/Animal' };
    const mapping = { ...beast, it: 'It' };
    expect(kindOf(child, { Animal: parent({ mapping }) })).toEqual({ kind: 'it' });
    expect(kindOf(ref('Animal'), { Animal: parent({ mapping: beast }) })).toEqual({
      kind: 'beast',
    });
    // Only if it is valid.
    const other = { allOf: [ref('Animal'), { properties: { kind: { enum: ['z'] } } }] };
    expect(kindOf(other, { Animal: parent({}) })).toEqual({ kind: 'z' });
  });

  it('pins the discriminator to the branch', () => {
    const Cat = { type: 'object', required: ['kind', 'lives'], properties: { lives: integer } };
    const schema = {
      oneOf: [ref('Cat')],
      discriminator: { propertyName: 'kind', mapping: { miaow: 'Cat' } },
    };
    expect(sampleOf(schema, { schemas: { Cat } })).toMatchObject({ kind: 'miaow' });
  });

  it.each<[string, unknown]>([
    ['a contradiction', { type: 'integer', minimum: 2, maximum: 1 }],
    ['nothing', false],
    [
      'a recursion without an end',
      { type: 'object', required: ['a'], properties: { a: ref('It') } },
    ],
    ['a pattern that nothing matches', { type: 'string', pattern: 'a^' }],
  ])('throws NoSample for %s', (_, schema) => {
    expect(() => sampleOf(schema)).toThrow(NoSample);
    expect(() => sampleOf(schema)).toThrow('/components/schemas/It');
  });

  it('leaves out optional properties without a value', () => {
    const typed = { type: 'object', required: ['type'], properties: { type: string } };
    const branches = Array.from({ length: 9 }, (_, at) => [`Same${at}`, typed] as const);
    const schemas = Object.fromEntries(branches);
    const alike = { oneOf: Object.keys(schemas).map(ref) };
    const names = Array.from({ length: 30 }, (_, at) => [`p${at}`, { allOf: [alike, alike] }]);
    const schema = {
      type: 'object',
      required: ['id'],
      properties: {
        ...Object.fromEntries(names),
        never: { type: 'integer', enum: ['a'] },
        id: integer,
      },
    };
    expect(sampleOf(schema, { schemas })).toEqual({ id: expect.any(Number) });
  });

  it('keeps a readOnly property by which alternatives differ in a request', () => {
    const kind = (value: string) => ({
      allOf: [ref('Base'), { properties: { kind: { enum: [value] }, name: string } }],
    });
    const schemas = {
      Base: {
        type: 'object',
        required: ['name'],
        properties: { kind: { ...string, readOnly: true } },
      },
    };
    const schema = { oneOf: [kind('a'), kind('b')] };
    expect(sampleOf(schema, { direction: 'request', schemas })).toMatchObject({
      kind: expect.stringMatching(/^[ab]$/),
    });
  });

  it('reports an invalid value where there is no valid one', () => {
    const schema = {
      type: 'object',
      required: ['id', 'never'],
      properties: { id: integer, never: { type: 'string', pattern: '^a', enum: [] } },
    };
    expect(() => sampleOf(schema)).toThrow(
      expect.objectContaining({ name: 'NoSample', invalid: { id: expect.any(Number) } }),
    );
  });

  it('is deterministic for a seed, and varies between seeds', () => {
    const schema = {
      type: 'object',
      properties: {
        n: integer,
        s: string,
        u: { ...string, format: 'uuid' },
        e: { enum: [1, 2, 3] },
      },
    };
    fc.assert(
      fc.property(fc.string(), (seed) => {
        expect(sampleOf(schema, { seed })).toEqual(sampleOf(schema, { seed }));
      }),
    );
    const all = Array.from({ length: 20 }, (_, at) =>
      JSON.stringify(sampleOf(schema, { seed: `${at}` })),
    );
    expect(new Set(all).size).toBeGreaterThan(10);
  });

  it('ends quickly where every schema leads to every other', () => {
    const names = Array.from({ length: 40 }, (_, at) => `S${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, ref(name)]));
    const schemas = Object.fromEntries(names.map((name) => [name, { type: 'object', properties }]));
    expect(JSON.stringify(sampleOf(ref('S0'), { schemas })).length).toBeLessThan(1_000_000);
  });
});

describe.each([
  ['GitHub', GITHUB, 2914, 345],
  ['Figma', FIGMA, 306, 8],
] as const)('the contract of %s', (_, path, responses, requests) => {
  itWith(path)(
    'has a valid sample of every body',
    async () => {
      const { definition } = await loadContractFiles(path);
      const replies = definition.operations.flatMap(({ responses }) =>
        [...responses.values()].flatMap(({ contents }) => contents.values()),
      );
      const bodies = definition.operations.flatMap(({ request }) => request.values());
      const answered = sampleAll(definition, 'response', pointersOf(replies));
      const sent = sampleAll(definition, 'request', pointersOf(bodies));
      expect([answered, sent]).toEqual([
        { sampled: responses, failed: [] },
        { sampled: requests, failed: [] },
      ]);
    },
    60_000,
  );
});

function pointersOf(contents: readonly Content[]): string[] {
  return contents.flatMap(({ schema }) => schema?.pointer ?? []);
}

function sampleAll(definition: Contract, direction: Direction, pointers: readonly string[]) {
  const validators = new Validators(definition, direction);
  const samples = new Samples(validators);
  const failed: string[] = [];
  for (const pointer of pointers) {
    const value = samples.at(pointer, 'a seed');
    if (!validators.at(pointer)(value)) failed.push(pointer);
  }
  return { sampled: pointers.length - failed.length, failed };
}

describe('a schema with a large bound', () => {
  it.each<[string, unknown]>([
    ['minLength', { type: 'string', minLength: 1e8 }],
    ['minLength of a format', { type: 'string', format: 'hostname', minLength: 1e8 }],
    ['a count in a pattern', { type: 'string', pattern: '^[a-z]{100000000}$' }],
    ['nested counts in a pattern', { type: 'string', pattern: '^(?:(?:a{1000}){1000}){1000}$' }],
    ['counts of nothing in a pattern', { type: 'string', pattern: '^(?:(?=a){100000000})*b$' }],
    ['minItems', { type: 'array', items: { type: 'integer' }, minItems: 1e8 }],
    ['minContains', { type: 'array', contains: { type: 'integer' }, minContains: 1e8 }],
    ['minProperties', { type: 'object', minProperties: 1e8 }],
  ])('has a sample of bounded work, or none: %s', (_, schema) => {
    const below = jest.spyOn(Random.prototype, 'below');
    try {
      expect(String(sampleOf(schema)).length).toBeLessThan(100_000);
    } catch (error) {
      expect(error).toBeInstanceOf(NoSample);
    }
    expect(below.mock.calls.length).toBeLessThan(2_000_000);
    below.mockRestore();
  });
});

describe('a search of many steps', () => {
  const objects = (count: number, part: (at: number) => unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, part(at)]));
  const NO_OBJECT = { type: 'object' };
  const part = (of: number) => ({
    type: 'object',
    required: ['p0'],
    properties: objects(4, (at) => ({ enum: [`${of} ${at}`] })),
    not: NO_OBJECT,
  });

  it('ends with one error, which names the schema and the number of steps', () => {
    const schema = { type: 'object', properties: objects(600, part), not: NO_OBJECT };
    expect(() => sampleOf(schema)).toThrow(
      /^\/\S+ {2}no valid value was found for the schema in \d+ steps$/,
    );
  });

  inTestAll(it)('has the maximum for each value, not for all', () => {
    const schema = { type: 'object', properties: objects(400, () => ({ type: 'integer' })) };
    const samples = samplesOf(schema);
    for (let at = 0; at < 200; at++) expect(samples(String(at))).toBeInstanceOf(Object);
  });
});

it('a value is found for each reference to a component, unless keywords beside it exclude all', () => {
  const schemas = {
    ...{ A: { type: 'string' }, Never: { type: 'string', enum: [1] } },
    ...{ One: ref('A'), Two: { ...ref('A'), enum: [1] }, Three: ref('A'), Four: ref('Never') },
  };
  const definition = new Contract({ openapi: '3.1.0', components: { schemas } });
  const samples = new Samples(new Validators(definition, 'request'));
  const hasValue = (name: string) =>
    samples.hasValue({ schema: definition.schemas.get(name), examples: [] });
  expect(Object.keys(schemas).filter(hasValue)).toEqual(['A', 'One', 'Three']);
});
