// Discriminators are compared by the schemas that their values select, also by `allOf` and `defaultMapping`.

import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { changesBetween } from '../src/contract/changes.ts';

type Schemas = Record<string, object>;
const PART = 'response 200 ';
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const BASE: Schemas = {
  Pet: {
    type: 'object',
    required: ['kind'],
    discriminator: { propertyName: 'kind' },
    properties: { kind: { type: 'string' } },
  },
  Cat: { allOf: [ref('Pet'), { type: 'object', properties: { skill: { type: 'string' } } }] },
};
const Dog = { allOf: [ref('Pet'), { type: 'object', properties: { age: { type: 'integer' } } }] };
const Kitten = { allOf: [ref('Cat'), { type: 'object', properties: { toy: { type: 'string' } } }] };

function contractOf(schemas: Schemas, used: string) {
  const content = { 'application/json': { schema: { type: 'array', items: ref(used) } } };
  const responses = { 200: { description: 'pets', content } };
  const document = {
    openapi: '3.2.0',
    info: { title: 'Pets', version: '1' },
    components: { schemas },
    paths: { '/pets': { get: { operationId: 'listPets', responses } } },
  };
  return { definition: new Contract(document), warnings: [], files: [], publish: undefined };
}

/** @returns severity, path and difference of each change in a response with `used` */
function changes(before: Schemas, after: Schemas, used = 'Pet') {
  const [was, is] = [before, after].map((each) => contractOf(each, used) as never);
  const found = changesBetween(was!, is!).filter(({ part }) => part.startsWith(PART));
  return found.map(({ severity, part, what }) => `${severity} ${part.slice(PART.length)}: ${what}`);
}

const withPet = (changed: object) => ({ ...BASE, Pet: { ...BASE['Pet'], ...changed } });
const withCat = (skill: object) => ({
  ...BASE,
  Cat: { allOf: [ref('Pet'), { type: 'object', properties: { skill } }] },
});
const mapped = (mapping: object) => withPet({ discriminator: { propertyName: 'kind', mapping } });

describe('the comparison of discriminators', () => {
  it.each<[string, Schemas, Schemas, string[]]>([
    ['nothing changed', BASE, structuredClone(BASE), []],
    [
      'a property of a child',
      BASE,
      withCat({ type: 'integer' }),
      ['risky /*(Cat)/skill: string became integer'],
    ],
    [
      'a property of a mapped child',
      { ...mapped({ c: 'Cat' }), Cat: BASE['Cat']! },
      { ...mapped({ c: 'Cat' }), Cat: withCat({ type: 'integer' }).Cat },
      ['risky /*(c)/skill: string became integer'],
    ],
    [
      'a property of a mapped child with another name',
      { ...mapped({ c: 'Cat' }), Cat: BASE['Cat']! },
      { Pet: mapped({ c: 'Feline' })['Pet']!, Feline: withCat({ type: 'integer' }).Cat },
      ['risky /*(c)/skill: string became integer'],
    ],
    [
      'a child that was added',
      BASE,
      { ...BASE, Dog },
      ['risky /*: the mapping Dog for Dog was added'],
    ],
    [
      'a child that was removed',
      { ...BASE, Dog },
      BASE,
      ['risky /*: the mapping Dog for Dog was removed'],
    ],
    [
      'a grandchild that was added',
      BASE,
      { ...BASE, Kitten },
      ['risky /*: the mapping Kitten for Kitten was added'],
    ],
    [
      'a child that the enum of the property refuses',
      withPet({ properties: { kind: { type: 'string', enum: ['Cat'] } } }),
      { ...withPet({ properties: { kind: { type: 'string', enum: ['Cat'] } } }), Dog },
      [],
    ],
    [
      'a value of mapping by component name, and by reference',
      mapped({ c: 'Cat' }),
      mapped({ c: '#/components/schemas/Cat' }),
      [],
    ],
    [
      'the schema of a value',
      { ...mapped({ c: 'Cat', d: 'Dog' }), Dog },
      { ...mapped({ c: 'Dog', d: 'Dog' }), Dog },
      expect.arrayContaining(['breaking /*: the mapping c for Cat became c for Dog']) as never,
    ],
    [
      'a default mapping',
      withPet({ discriminator: { propertyName: 'kind', defaultMapping: 'Cat' } }),
      { ...withPet({ discriminator: { propertyName: 'kind', defaultMapping: 'Dog' } }), Dog },
      expect.arrayContaining(['breaking /*: defaultMapping "Cat" became "Dog"']) as never,
    ],
    [
      'a default mapping to a renamed child',
      withPet({ discriminator: { propertyName: 'kind', defaultMapping: 'Cat' } }),
      {
        Pet: withPet({ discriminator: { propertyName: 'kind', defaultMapping: 'Feline' } }).Pet,
        Feline: BASE['Cat']!,
      },
      expect.not.arrayContaining([expect.stringContaining('defaultMapping')]) as never,
    ],
  ])('%s', (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });

  it('ignores schemas that do not extend the used one', () => {
    expect(changes(BASE, { ...BASE, Dog }, 'Cat')).toEqual([]);
    expect(changes(BASE, { ...BASE, Kitten }, 'Cat')).toEqual([
      'risky /*: the mapping Kitten for Kitten was added',
    ]);
  });

  it('ends for schemas that select each other', () => {
    const loop = (type: string): Schemas => ({
      ...BASE,
      Cat: {
        allOf: [ref('Pet'), { type: 'object', properties: { friend: ref('Pet'), age: { type } } }],
      },
    });
    expect(changes(loop('string'), loop('integer'))).toEqual([
      'risky /*(Cat)/age: string became integer',
    ]);
  });
});
