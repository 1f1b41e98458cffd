// The changes of `oneOf` and `anyOf`: an inserted branch is one change, and others keep their counterparts.
import { describe, expect, it } from '@jest/globals';
import type { Contract } from '@stubwright/contract';
import { changesBetween } from '../src/contract/changes.ts';
import { contractOfText } from './toyContract.ts';

/** A contract that returns the schema. */
function contract(schema: string, components = ''): { definition: Contract } {
  const content = `content: {application/json: {schema: ${schema}}}`;
  return contractOfText(`openapi: 3.1.0
info: {title: Flows, version: '1'}
paths: {/flow: {get: {responses: {200: {description: a flow, ${content}}}}}}
components: {schemas: {${components}}}`);
}

function changes(before: string, after: string, components = ''): string[] {
  return changesBetween(contract(before, components), contract(after, components)).map(
    ({ part, what }) => `${part}: ${what}`,
  );
}

const challenge = (name: string, property: string) =>
  `${name}: {type: object, properties: {component: {type: string, default: ${name}}, ${property}: {type: string}}, required: [${property}]}`;
const CHALLENGES = [
  challenge('Access', 'user'),
  challenge('FlowError', 'request_id'),
  challenge('Duo', 'image'),
  challenge('Text', 'code'),
].join(', ');
const anyOf = (...names: readonly string[]) => oneOf(...names).replace('oneOf', 'anyOf');
const oneOf = (...names: readonly string[]) =>
  `{oneOf: [${names.map((name) => `{$ref: '#/components/schemas/${name}'}`).join(', ')}]}`;

describe('a branch that widens within another', () => {
  const text = (title: string, maxLength: number) =>
    `{title: ${title}, type: string, maxLength: ${maxLength}}`;
  const union = (maxLength: number) => `{anyOf: [${text('Cat', maxLength)}, ${text('Dog', 10)}]}`;

  it('is shown under its own title', () => {
    expect(changes(union(5), union(8))).toEqual(['response 200 [Cat]: maxLength 5 became 8']);
    const [change] = changesBetween(contract(union(5)), contract(union(8)));
    expect(change?.severity).toBe('compatible');
  });

  it('is breaking beyond the other', () => {
    const [change] = changesBetween(contract(union(5)), contract(union(11)));
    expect([change?.severity, change?.part]).toEqual(['breaking', 'response 200 [Cat]']);
  });
});

describe('an inserted branch', () => {
  it.each([0, 1, 2, 3])('is one change at position %i', (position) => {
    const names = ['Access', 'FlowError', 'Text'];
    expect(
      changes(oneOf(...names), oneOf(...names.toSpliced(position, 0, 'Duo')), CHALLENGES),
    ).toEqual(['response 200: the alternative Duo was added']);
  });

  it('is one change beside reordered branches', () => {
    expect(
      changes(
        oneOf('Access', 'FlowError', 'Text'),
        oneOf('Text', 'Duo', 'Access', 'FlowError'),
        CHALLENGES,
      ),
    ).toEqual(['response 200: the alternative Duo was added']);
  });
});

describe('a branch with the title of another', () => {
  const titled = (rest: string) => `{title: Size, ${rest}}`;

  it('has no counterpart if the other one has it', () => {
    const before = `{anyOf: [${titled('type: object, properties: {x: {type: integer}}, required: [x]')}, {type: boolean}]}`;
    const after = `{anyOf: [${titled('type: object, properties: {x: {type: number}}, required: [x]')}, {type: boolean}, ${titled('type: object, properties: {y: {type: integer}}, required: [y]')}]}`;
    expect(changes(before, after)).toEqual([
      'response 200: the alternative Size was added',
      'response 200 [Size]/x: integer became number',
    ]);
  });
});

describe('branches in another order', () => {
  it('are paired by their titles', () => {
    const branch = (title: string, name: string, maxLength: number) =>
      `{title: ${title}, type: object, required: [${name}], properties: {${name}: {type: string, maxLength: ${maxLength}}}}`;
    const before = `{anyOf: [${branch('A', 'x', 9)}, ${branch('B', 'y', 5)}]}`;
    const after = `{anyOf: [${branch('B', 'y', 6)}, ${branch('A', 'x', 10)}]}`;
    expect(changes(before, after)).toEqual([
      'response 200 [B]/y: maxLength 5 became 6',
      'response 200 [A]/x: maxLength 9 became 10',
    ]);
  });
});

it('a branch with an empty title is shown by its schema', () => {
  const [one, other] = ['boolean', 'string'].map((type) => `{title: '', type: ${type}}`);
  expect(
    changes(`{anyOf: [${one}, {type: object}]}`, `{anyOf: [${one}, {type: object}, ${other}]}`),
  ).toEqual([`response 200: the alternative {"title":"","type":"string"} was added`]);
});

describe('an added branch', () => {
  const pet = (title: string, ...required: readonly string[]) =>
    `{title: ${title}, type: object, required: [${required}], properties: {kind: {type: string}, name: {type: string}}}`;
  const [animal, cat] = [pet('Animal', 'kind'), pet('Cat', 'kind', 'name')];

  it('is no change of values if another one requires no more', () => {
    expect(
      changes(
        `{anyOf: [${animal}, {type: string}]}`,
        `{anyOf: [${animal}, {type: string}, ${cat}]}`,
      ),
    ).toEqual(['response 200 [Cat]: name became required', 'response 200 [Cat]: title changed']);
  });

  it('is one if the other ones require more', () => {
    expect(
      changes(`{anyOf: [${cat}, {type: string}]}`, `{anyOf: [${cat}, {type: string}, ${animal}]}`),
    ).toEqual(['response 200: the alternative Animal was added']);
  });
});

describe('a removed branch', () => {
  it.each([0, 1, 2])('is one change at position %i', (position) => {
    const names = ['Access', 'FlowError', 'Text'];
    const left = names.toSpliced(position, 1);
    expect(changes(anyOf(...names), anyOf(...left), CHALLENGES)).toEqual([
      `response 200: the alternative ${names[position]} was removed`,
    ]);
  });
});

describe('a value added to an enum', () => {
  it('is one change in branches without type that share the schema', () => {
    const droplet = (values: string) =>
      `{allOf: [{oneOf: [{title: Single, properties: {name: {type: string}}, required: [name]}, {title: Several, properties: {names: {type: array}}, required: [names]}]}, {properties: {region: {enum: [${values}]}}}]}`;
    const found = changes(droplet('nyc, ams'), droplet('nyc, ams, blr'));
    expect(found).toEqual(['response 200 [Single]/region: the value "blr" was added']);
  });

  it('is one change at the branch that has the enum', () => {
    const sizes = (values: string) => `{anyOf: [{enum: [${values}]}, {enum: [small, large]}]}`;
    expect(changes(sizes('s, m'), sizes('s, m, l'))).toEqual([
      'response 200: the value "l" was added',
    ]);
  });

  it('has the name of the branch in its location', () => {
    const [was, is] = ['one', 'one, two'].map(
      (values) =>
        `{oneOf: [{title: Many, type: array}, {title: One, type: object, properties: {size: {enum: [${values}]}}}]}`,
    );
    expect(changes(was!, is!)).toEqual(['response 200 [One]/size: the value "two" was added']);
  });
});

describe('alternatives that become optional together', () => {
  const strings = (keyword: string, ...keywords: readonly string[]) =>
    `{${keyword}: [${keywords.map((each) => `{type: string, ${each}}`).join(', ')}]}`;

  it.each([
    ['patterns without a common string', ["pattern: '^a'", "pattern: '^b'"], 0],
    ['patterns with a common string', ["pattern: '^a'", "pattern: 'b$'"], 2],
    ['a pattern and a format without a common string', ["pattern: '^x'", 'format: uuid'], 0],
    ['a pattern beside no pattern', ["pattern: '^a'", 'minLength: 1'], 1],
  ])('overlap, or not: %s', (_, keywords, count) => {
    expect(changes(strings('oneOf', ...keywords), strings('anyOf', ...keywords))).toHaveLength(
      count,
    );
  });
});

it('the location of a component without a counterpart is that of the components', () => {
  const [before, after] = [contract('{}', 'Toy: {type: string}'), contract('{}')];
  const pointersOf = (from: typeof before, to: typeof before) => {
    const [change] = changesBetween(from, to);
    return [change?.before, change?.after];
  };
  const [component, components] = ['/components/schemas/Toy', '/components/schemas'];
  expect(pointersOf(before, after)).toEqual([component, components]);
  expect(pointersOf(after, before)).toEqual([components, component]);
});
