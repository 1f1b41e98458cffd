// The values that a search for a counterexample tries, without samples of the schemas.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { boundaryValues } from '../src/counterexample/boundaryValues.ts';
import { type Candidates, candidates } from '../src/counterexample/candidates.ts';
import type { Spot } from '../src/counterexample/spot.ts';
import type { Json } from './generatedSchemas.ts';

function schemasOf(...schemas: Json[]) {
  const named = Object.fromEntries(schemas.map((each, at) => [`S${at}`, each]));
  const definition = new Contract({ openapi: '3.1.0', components: { schemas: named } });
  const { model } = new Validators(definition, 'request');
  return schemas.map((_, at) => model.at(`/components/schemas/S${at}`)!);
}

function contextOf(spot: Spot, sample: Candidates['sample']): Candidates {
  const change = { direction: 'request', facts: {}, concernsOthers: true } as const;
  return { spot, sampled: 'before', sample, ...change };
}

function tried(value: unknown, before: Json, after: Json = before): unknown[] {
  const [was, is] = schemasOf(before, after);
  const spot = { before: [was!], after: [is!] };
  return [
    ...candidates(
      contextOf(spot, () => []),
      [value],
    ),
  ];
}

describe('the values for a part', () => {
  it.each<[string, unknown[]]>([
    ['one item of it', ['q']],
    ['an item twice', ['p', 'p']],
    ['with an item added', ['p', 'q', 'p']],
    ['with an item in front', ['q', 'p', 'q']],
    ['as many items as minItems', ['p', 'q', 'p', 'q']],
    ['fewer', ['p', 'q', 'p']],
    ['as many equal ones as the other maxItems', Array(6).fill('q')],
    ['more equal ones', Array(7).fill('q')],
  ])('include an array: %s', (_, array) => {
    const items = { type: 'array', items: { enum: ['p', 'q'] } };
    const all = tried(['p', 'q'], { ...items, minItems: 4 }, { ...items, maxItems: 6 });
    expect(all).toContainEqual(array);
  });

  it('include an array without its last item', () => {
    expect(tried(['p', 'q', 'p'], { type: 'array' })).toContainEqual(['p', 'q']);
  });

  it.each(['minItems', 'maxItems', 'minContains', 'maxContains'])(
    'include as many items as %s, and more',
    (keyword) => {
      const all = tried(['p'], { items: { const: 'p' }, [keyword]: 4 });
      for (const count of [3, 4, 5]) expect(all).toContainEqual(Array(count).fill('p'));
    },
  );

  it('include samples of both contracts and of each alternative, in the value and in its parts', () => {
    const alternatives = {
      oneOf: [{ title: 'one' }],
      anyOf: [{ title: 'any' }],
      not: { title: 'not' },
    };
    const conditions = { if: { title: 'if' }, then: { title: 'then' }, else: { title: 'else' } };
    const part = { title: 'part', ...alternatives, ...conditions };
    const [was, is] = schemasOf({ items: part, properties: { o: part }, ...part }, { title: 'is' });
    const sample = (side: string, { keywords }: { keywords: Json }, seed: string) => [
      `${side} ${keywords['title']} ${seed}`,
    ];
    const spot = { before: [was!], after: [is!] };
    const context = contextOf(spot, sample);
    const ofItems = [...candidates(context, [['p']])];
    const ofProperties = [...candidates(context, [{ p: 1 }])];
    for (const seed of [1, 2, 3]) {
      expect(ofItems).toContainEqual(`after is ${seed}`);
      for (const title of ['part', 'one', 'any', 'not', 'if', 'then', 'else']) {
        const text = `before ${title} ${seed}`;
        expect(ofItems).toEqual(expect.arrayContaining([text, [text]]));
        expect(ofProperties).toEqual(expect.arrayContaining([text, { o: text }]));
      }
    }
  });

  it.each<[string, Json, Json]>([
    ['without a property', {}, { m: 2 }],
    ['with one property', {}, { n: 1 }],
    ['with an undeclared property', {}, { n: 1, m: 2, undeclared: 'a' }],
    ['with the required properties only', { required: ['m'] }, { m: 2 }],
    ['with a missing property', { properties: { o: { const: 7 } } }, { n: 1, m: 2, o: 7 }],
    ['with a missing property alone', { properties: { o: { const: 7 } } }, { o: 7 }],
    ['with a required property', { required: ['o'] }, { n: 1, m: 2, o: 'a' }],
    ['with a dependent property', { dependentRequired: { n: ['o'] } }, { n: 1, m: 2, o: 'a' }],
    ['with a dependent schema', { dependentSchemas: { o: true } }, { n: 1, m: 2, o: 'a' }],
    ['of a pattern', { patternProperties: { '^xy$': { const: 7 } } }, { n: 1, m: 2, xy: 7 }],
    ['of the longest name', { propertyNames: { maxLength: 3 } }, { n: 1, m: 2, aaa: 'a' }],
    ['of a longer name', { propertyNames: { maxLength: 3 } }, { aaaa: 'a' }],
    [
      'with as many properties as minProperties',
      { minProperties: 3 },
      { n: 1, m: 2, undeclared0: 'a' },
    ],
    ['with fewer', { minProperties: 2 }, { n: 1 }],
    [
      'with more than maxProperties',
      { maxProperties: 3 },
      { n: 1, m: 2, undeclared0: 1, undeclared1: 1 },
    ],
  ])('include an object: %s', (_, schema, object) => {
    expect(tried({ n: 1, m: 2 }, schema)).toContainEqual(object);
  });

  it('include the properties that only the other contract declares', () => {
    const all = tried({ n: 1 }, {}, { properties: { o: { const: 7 } }, required: ['p'] });
    for (const name of ['o', 'p']) expect(all).toContainEqual({ n: 1, [name]: 'a' });
  });

  it('include other structures', () => {
    expect(tried(1, {})).toEqual(expect.arrayContaining([{ undeclared: 'a' }, {}, ['a'], []]));
  });

  it('include no property that the direction omits', () => {
    const schema = { properties: { o: { readOnly: true, const: 7 } } };
    expect(tried({ n: 1 }, schema)).not.toContainEqual({ n: 1, o: 7 });
  });
});

describe('the values at the limits of schemas', () => {
  it.each<[string, Json[], unknown[]]>([
    ['const', [{ const: 'c' }], ['c']],
    ['enum', [{ enum: ['x', 'y'] }], ['x', 'y']],
    ['examples', [{ examples: ['x', 'y'] }], ['x', 'y']],
    ['example and default', [{ example: 'x', default: 'y' }], ['x', 'y']],
    ['minimum', [{ minimum: 7 }], [6, 6.5, 7, 7.5, 8]],
    ['maximum', [{ maximum: 70 }], [69, 69.5, 70, 70.5, 71]],
    ['exclusiveMinimum', [{ exclusiveMinimum: 7 }], [6, 7, 8]],
    ['exclusiveMaximum', [{ exclusiveMaximum: 70 }], [69, 70, 71]],
    ['two bounds', [{ minimum: 10 }, { minimum: 20 }], [15]],
    ['a bound and a step', [{ minimum: 10, multipleOf: 7 }], [7, 14, 21]],
    ['steps', [{ multipleOf: 3 }, { multipleOf: 0.1 }], [9, 15, 21, 0.3, 0.7]],
    ['int64', [{ format: 'int64' }], [2n ** 63n - 1n, 2n ** 63n, -(2n ** 63n), -(2n ** 63n) - 1n]],
    ['minLength', [{ minLength: 7 }], ['a'.repeat(6), 'a'.repeat(7), '\u{1f331}'.repeat(7)]],
    ['maxLength', [{ maxLength: 7 }], ['a'.repeat(7), 'a'.repeat(8), '\u{1f331}'.repeat(8)]],
    ['a pattern of a length', [{ pattern: '^x*$', minLength: 4 }], ['xxx', 'xxxx', 'xxxxx']],
    ['two patterns', [{ pattern: '^x$' }, { pattern: '^y$' }], ['x', 'y']],
    ['other types', [{}], [null, true, false, 0, '', 'a', 'é', '2026-01-01']],
  ])('include those of %s', (_, schemas, values) => {
    const all = [...boundaryValues(schemasOf(...schemas), '1')].map(String);
    for (const each of values) expect(all).toContain(String(each));
  });
});
