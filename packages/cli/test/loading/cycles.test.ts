// Schemas that apply themselves to the same value: JSON Schema 2020-12, core, section 9.4.1.
import { describe, expect, it } from '@jest/globals';
import { errorsOf, toy, withFiles } from '@stubwright/test-support/contractFiles';
import { loadMockable } from '../../src/loading/load.ts';

const S = '{"$ref":"#/components/schemas/S"}';
const PATHS = `{"/toys":{"post":{"operationId":"a","requestBody":{"content":{"application/json":{"schema":${S}}}},
"responses":{"200":{"description":"ok"}}}},
"/shops":{"get":{"operationId":"b","responses":{"200":{"description":"ok"}}}}}`;
const contract = (schemas: string) => toy({ openapi: '3.1.0', paths: PATHS, schemas });
const EXPECTED = 'expected a property or an item in between';

const CYCLES: Record<string, [schemas: string, cycle: string]> = {
  allOf: [`{"S":{"allOf":[${S}]}}`, 'S -> S'],
  anyOf: [`{"S":{"anyOf":[${S},{"type":"string"}]}}`, 'S -> S'],
  oneOf: [`{"S":{"oneOf":[{"type":"string"},${S}]}}`, 'S -> S'],
  not: [`{"S":{"not":${S}}}`, 'S -> S'],
  if: [`{"S":{"if":${S}}}`, 'S -> S'],
  then: [`{"S":{"if":{"type":"string"},"then":${S}}}`, 'S -> S'],
  else: [`{"S":{"if":{"type":"string"},"else":${S}}}`, 'S -> S'],
  dependentSchemas: [`{"S":{"dependentSchemas":{"a":${S}}}}`, 'S -> S'],
  dependencies: [`{"S":{"dependencies":{"a":${S}}}}`, 'S -> S'],
  $dynamicRef: ['{"S":{"$dynamicAnchor":"node","allOf":[{"$dynamicRef":"#node"}]}}', 'S -> S'],
  'a subschema': [
    `{"S":{"$defs":{"T":{"not":${S}}},"allOf":[{"$ref":"#/components/schemas/S/$defs/T"}]}}`,
    'S -> S/$defs/T -> S',
  ],
  'a schema resource, with the reference of another one': [
    '{"A":{"$id":"https://a.example/","items":{"$ref":"#"}},"S":{"$id":"https://b.example/","dependencies":{"a":{"$ref":"#"}}}}',
    'S -> S',
  ],
  'two schemas': [
    '{"S":{"allOf":[{"$ref":"#/components/schemas/T"}]},"T":{"allOf":[{"$ref":"#/components/schemas/S"}]}}',
    'S -> T -> S',
  ],
  'a parent and its children': [
    `{"S":{"type":"object","oneOf":[{"$ref":"#/components/schemas/Cat"}]},"Cat":{"allOf":[${S},{"required":["a"]}]}}`,
    'Cat -> S -> Cat',
  ],
};

const GUARDED: Record<string, string> = {
  properties: `{"S":{"anyOf":[{"properties":{"a":${S}}},{"type":"string"}]}}`,
  items: `{"S":{"oneOf":[{"type":"array","items":${S}},{"type":"string"}]}}`,
  contains: `{"S":{"allOf":[{"contains":${S}}]}}`,
  propertyNames: `{"S":{"not":{"propertyNames":${S}}}}`,
  additionalProperties: `{"S":{"if":{"additionalProperties":${S}}}}`,
  'the same schema twice':
    '{"S":{"allOf":[{"$ref":"#/components/schemas/T"},{"$ref":"#/components/schemas/T"}]},"T":{}}',
  'a child of a parent': `{"S":{"discriminator":{"propertyName":"kind"}},"Cat":{"allOf":[${S}]}}`,
  $dynamicRef: '{"S":{"$dynamicAnchor":"node","properties":{"a":{"$dynamicRef":"#node"}}}}',
};

const namesIn = (cycle: string) =>
  cycle
    .split(' -> ')
    .map((name) => `#/components/schemas/${name}`)
    .join(' -> ');

describe('a schema that applies itself to the same value', () => {
  it.each(Object.entries(CYCLES))('is refused: %s', async (_, [schemas, cycle]) => {
    const errors = await errorsOf({ 'a.yaml': contract(schemas) });
    const message = `a schema applies itself to the same value: ${namesIn(cycle)}  ${EXPECTED}`;
    expect(errors).toEqual([expect.stringMatching(/^a\.yaml:5:\d+ {2}/)]);
    expect(errors[0]!.replace(/^\S+ {2}/, '')).toBe(message);
  });

  it.each(Object.entries(GUARDED))('loads with a part in between: %s', async (_, schemas) => {
    expect(await errorsOf({ 'a.yaml': contract(schemas) })).toEqual([]);
  });

  it('disables only the operations that reach it', async () => {
    await withFiles({ 'a.yaml': contract(`{"S":{"not":${S}}}`) }, async (_, folder) => {
      const { definition } = await loadMockable(`${folder}/a.yaml`);
      expect(definition.operations.map(({ operationId }) => operationId)).toEqual(['b']);
      expect(definition.disabled).toEqual(['post /toys']);
    });
  });

  it('is refused once: $ref with other keywords', async () => {
    const schemas = '{"S":{"type":"object","$ref":"#/components/schemas/S"}}';
    const errors = await errorsOf({ 'a.yaml': contract(schemas) });
    expect(errors).toEqual([expect.stringContaining('it is circular')]);
  });

  it('is not searched through references without a target', async () => {
    const schemas = '{"S":{"allOf":[{"$ref":"#/components/schemas/T"}]}}';
    expect(await errorsOf({ 'a.yaml': contract(schemas) })).toEqual([
      expect.stringMatching(/^a\.yaml:5:\d+ {2}\$ref cannot be resolved: /),
    ]);
  });

  it('is refused in a contract of several files', async () => {
    const files = {
      'a.yaml': contract('{"S":{"$ref":"b.yaml#/Toy"}}'),
      'b.yaml': 'Toy:\n  not:\n    $ref: "#/Toy"\n',
    };
    expect(await errorsOf(files)).toEqual([
      expect.stringMatching(/^b\.yaml:3:5 {2}a schema applies itself to the same value: /),
    ]);
  });

  it('names a long cycle in one line', async () => {
    const schemas = Array.from(
      { length: 300 },
      (_, at) =>
        `"${at === 0 ? 'S' : `S${at}`}":{"allOf":[{"$ref":"#/components/schemas/S${at === 299 ? '' : at + 1}"}]}`,
    );
    const errors = await errorsOf({ 'a.yaml': contract(`{${schemas.join()}}`) });
    expect(errors).toHaveLength(1);
    expect(errors[0]!.length).toBeLessThan(600);
    expect(errors[0]).toContain('(293 more)');
  });
});
