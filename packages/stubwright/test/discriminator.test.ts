// A discriminator declares the properties of the schemas that it selects, in every body.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mocked } from '@stubwright/mock/mocked';
import { serveToy, type Toy } from '@stubwright/test-support/toy';

const SCHEMAS = `
components:
  schemas:
    Pet:
      type: object
      required: [kind, name]
      properties:
        kind: {type: string}
        name: {type: string}
        id: {type: integer, format: int64}
      discriminator: {propertyName: kind, mapping: {dog: Dog, hound: '#/components/schemas/Dog'}}
    Cat:
      allOf:
        - {$ref: '#/components/schemas/Pet'}
        - type: object
          required: [huntingSkill]
          properties:
            huntingSkill: {type: string, default: lazy}
            lives: {type: integer, format: int64}
            chip: {type: string, writeOnly: true}
            kittens: {type: array, items: {$ref: '#/components/schemas/Cat'}}
    Lion:
      allOf:
        - {$ref: '#/components/schemas/Cat'}
        - {type: object, properties: {mane: {type: boolean}}}
    Dog:
      allOf:
        - {$ref: '#/components/schemas/Pet'}
        - {type: object, properties: {packSize: {type: integer}, breed: {type: string}}, discriminator: {propertyName: breed}}
    Terrier:
      allOf:
        - {$ref: '#/components/schemas/Dog'}
        - {type: object, properties: {digs: {type: boolean}}}
    Stranger: {type: object, required: [secret], properties: {secret: {type: string}}}
    Shape:
      type: object
      properties: {sides: {type: integer}}
      discriminator: {propertyName: form, defaultMapping: Blob}
    Blob:
      allOf: [{$ref: '#/components/schemas/Shape'}, {properties: {softness: {type: integer}}}]
    Circle:
      allOf: [{$ref: '#/components/schemas/Shape'}, {properties: {form: {type: string}, radius: {type: number}}}]
    AnyPet:
      oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Stranger'}]
      discriminator: {propertyName: kind}
`;
const of = (schema: string) => `{$ref: '#/components/schemas/${schema}'}`;
const contentOf = (schema: string) =>
  ['application/json', 'application/xml', 'application/x-www-form-urlencoded']
    .map((type) => `'${type}': {schema: ${schema}}`)
    .join(', ');
const operation = (name: string, schema: string) => `
  /${name}:
    post:
      operationId: ${name}
      requestBody: {content: {${contentOf(schema)}}}
      responses: {'200': {description: ok, content: {${contentOf(schema)}}}}`;
const CONTRACT = `
paths:
  ${[
    operation('pet', of('Pet')),
    operation('pets', `{type: array, items: ${of('Pet')}}`),
    operation('owner', `{type: object, properties: {pet: {allOf: [${of('Pet')}]}}}`),
    operation('cat', of('Cat')),
    operation('shape', of('Shape')),
    operation('anyPet', of('AnyPet')),
  ].join('')}
${SCHEMAS}`;
const NAMES = ['pet', 'pets', 'owner', 'cat', 'shape', 'anyPet'];

let toy: Toy;
let reply: unknown;
beforeAll(async () => {
  const handler = () => reply;
  const handlers = Object.fromEntries(NAMES.map((name) => [name, handler]));
  toy = await serveToy('3.1.0', CONTRACT, { handlers });
});
afterAll(() => toy.close());

async function replyOf(name: string, body: unknown, type = 'application/json') {
  reply = { status: 200, type, body };
  const sent = { method: 'POST', body: '{"kind":"x","name":"x"}' };
  const { text } = await toy.fetch(`/${name}`, {
    ...sent,
    ...(name === 'pets' && { body: '[]' }),
    ...(name === 'cat' && { body: '{"kind":"x","name":"x","huntingSkill":"x"}' }),
    ...(name === 'anyPet' && { body: '{"secret":"x"}' }),
    headers: { 'Content-Type': 'application/json' },
  });
  return text;
}

const cat = { kind: 'Cat', name: 'Tom', huntingSkill: 'lazy' };
const BLOB = { sides: 0, softness: 3 };
const STRANGER = { kind: 'Stranger', name: 'x' };
const lion = { kind: 'Lion', name: 'Leo', huntingSkill: 'royal', mane: true };

describe('a reply', () => {
  const REX = { kind: 'dog', name: 'Rex', packSize: 2 };
  it.each<[string, string, unknown, unknown?]>([
    ['of the name of a component', 'pet', { ...cat, lives: 9 }],
    ['of a chain of allOf', 'pet', lion],
    ['in an array', 'pets', [cat, lion, REX]],
    ['in a property, behind an inline allOf', 'owner', { pet: cat }],
    ['of mapping, by name', 'pet', REX],
    ['of mapping, by reference', 'pet', { ...REX, kind: 'hound' }],
    ['of a mapped component by its name', 'pet', { ...REX, kind: 'Dog' }],
    ['of a second discriminator', 'pet', { ...REX, breed: 'Terrier', digs: true }],
    ['of a descendant of the declared schema', 'cat', lion],
    ['inside a selected schema', 'pet', { ...cat, kittens: [lion] }],
    ['of defaultMapping, without the property', 'shape', { sides: 0, softness: 3 }],
    ['besides defaultMapping', 'shape', { sides: 0, form: 'Circle', radius: 1.5 }],
    ['of a branch of oneOf', 'anyPet', lion],
    ['of a name of Object.prototype', 'pet', { kind: 'constructor', name: 'x' }],
    // Without those that the selected schemas do not declare, and writeOnly ones.
    ['of defaultMapping, by another value', 'shape', { ...BLOB, form: 'x' }, BLOB],
    ['that are declared', 'pet', { ...cat, secret: 1 }, cat],
    ['that are not writeOnly', 'pet', { ...cat, chip: '1' }, cat],
    ['of the selected schema', 'pet', { ...cat, packSize: 1 }, cat],
    ['of descendants', 'pet', { kind: 'Stranger', name: 'x', secret: 's' }, STRANGER],
    ['of no sibling', 'cat', { ...cat, kind: 'Dog', packSize: 1 }, { ...cat, kind: 'Dog' }],
  ])('keeps the properties %s', async (_, name, body, expected = body) => {
    expect(JSON.parse(await replyOf(name, body))).toEqual(expected);
  });

  it('has them in XML', async () => {
    const body = { ...lion, chip: 'x', kittens: [lion] };
    const text = '<kind>Lion</kind><name>Leo</name><huntingSkill>royal</huntingSkill>';
    expect(await replyOf('pet', body, 'application/xml')).toContain(
      `<Pet>${text}<kittens>${text}<mane>true</mane></kittens><mane>true</mane></Pet>`,
    );
  });
});

describe('a request', () => {
  async function got(name: string, type: string, body: string): Promise<unknown> {
    reply = { status: 200, body: {} };
    await toy.fetch(`/${name}`, { method: 'POST', headers: { 'Content-Type': type }, body });
    return { ...(toy.got[0]!['body'] as object) };
  }
  const kittens = [{ ...cat, lives: 9n }];

  it.each<[string, string, string, unknown]>([
    [
      'JSON',
      'application/json',
      '{"kind":"Lion","name":"Leo","id":1,"mane":true,"lives":9,"kittens":[{"kind":"Cat","name":"Tom","huntingSkill":"lazy","lives":9}]}',
      { kind: 'Lion', name: 'Leo', id: 1n, mane: true, lives: 9n, huntingSkill: 'lazy', kittens },
    ],
    [
      'XML',
      'application/xml',
      '<Pet><kind>Lion</kind><name>7</name><mane>true</mane><lives>9</lives><kittens><kind>Cat</kind><name>Tom</name><huntingSkill>lazy</huntingSkill><lives>9</lives></kittens></Pet>',
      { kind: 'Lion', name: '7', mane: true, lives: 9n, huntingSkill: 'lazy', kittens },
    ],
    [
      'a form',
      'application/x-www-form-urlencoded',
      'kind=Lion&name=7&mane=true&lives=9&huntingSkill=high',
      { kind: 'Lion', name: '7', mane: true, lives: 9n, huntingSkill: 'high' },
    ],
  ])('in %s has values of the selected schema, and its defaults', async (_, type, body, value) => {
    expect(await got('pet', type, body)).toEqual(value);
  });

  it('is valid although the value violates the selected schema, as JSON Schema says', async () => {
    const body = '{"kind":"Cat","name":"Tom","lives":1.5,"huntingSkill":5}';
    const expected = { kind: 'Cat', name: 'Tom', lives: 1.5, huntingSkill: 5 };
    expect(await got('pet', 'application/json', body)).toEqual(expected);
  });

  it('has no defaults of a schema that the value does not select', async () => {
    const body = '{"kind":"hound","name":"Rex"}';
    expect(await got('pet', 'application/json', body)).toEqual({ kind: 'hound', name: 'Rex' });
  });
});

describe('a mock', () => {
  it('creates values of the schemas that a discriminator selects', async () => {
    const mocks = await serveToy('3.1.0', CONTRACT, {
      mock: 'all',
      handlers: Object.fromEntries(NAMES.map((name) => [name, mocked])),
    });
    const kinds = new Set<string>();
    for (let at = 0; at < 30; at++) {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
      const body = JSON.stringify({ kind: 'x', name: String(at) });
      const { status, text } = await mocks.fetch('/pet', { ...init, body });
      expect(status).toBe(200);
      const pet = JSON.parse(text);
      kinds.add(pet.kind);
      if (pet.kind === 'Lion') expect(Object.keys(pet)).toContain('mane');
      if (pet.kind === 'Cat') expect(Object.keys(pet)).toContain('huntingSkill');
      if (pet.kind === 'dog') expect(Object.keys(pet)).toContain('packSize');
    }
    await mocks.close();
    expect([...kinds].sort()).toEqual(['Cat', 'Lion', 'dog']);
  });
});
