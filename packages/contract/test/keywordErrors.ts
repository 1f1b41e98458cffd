// Writes the errors of many values against a schema of each keyword: `make transcripts`.
import { writeFileSync } from 'node:fs';
import { Contract, type Node, stringifyJson } from '@stubwright/contract';
import { EXCLUSIVE, PROBES } from '@stubwright/test-support/keywordProbes';
import { parse } from 'yaml';
import { Validators } from '../src/schema/validator.ts';

export const KEYWORD_ERRORS = 'packages/contract/test/keywordErrors.txt';

const SCALARS = [null, true, false, 0, 1, 1.5, 2, 3, -1, 2n ** 63n, '', 'a', 'ab', 'abc', 'b', '1'];
const ARRAYS = [[], [1], ['a'], [1, 1], [1, 2], [1, 'a'], ['a', 1], [1, 2, 3], [null], [[]], [{}]];
const OBJECTS = [
  ...[{}, { a: 1 }, { a: 'a' }, { b: 1 }, { a: 1, b: 1 }, { a: 1, c: 1 }, { ab: 1 }, { c: 1 }],
  ...[{ c: 1, d: 1 }, { a: {} }, { a: { a: 1 } }, { x: 1 }, { 'a/b~c': 1 }],
];
const VALUES: readonly unknown[] = [...SCALARS, ...ARRAYS, ...OBJECTS];

/** References of JSON Schema that OpenAPI 3.0 does not have. */
const SINCE_31 = ['$dynamicRef', '$dynamicAnchor', '$anchor', '$id'];

/** Schemas that combine keywords. */
const COMBINED: Readonly<Record<string, Node>> = parse(`
type of several: {type: [string, 'null']}
nested properties:
  {properties: {a: {properties: {a: {type: string}}}}, required: [a, b]}
one of objects:
  oneOf:
    - {type: object, required: [a], properties: {a: {type: integer}}}
    - {type: object, required: [b]}
    - {type: array, items: {type: integer}}
any of scalars: {anyOf: [{minimum: 2, type: number}, {maxLength: 1}]}
discriminator:
  type: object
  required: [a]
  discriminator: {propertyName: a, mapping: {'1': '#/components/schemas/T'}}
  oneOf: [{$ref: '#/components/schemas/O'}, {$ref: '#/components/schemas/T'}]
closed by unevaluatedProperties:
  {anyOf: [{properties: {a: true}}, {required: [b]}], unevaluatedProperties: false}
unevaluated items:
  {contains: {type: string}, unevaluatedItems: {type: integer, minimum: 2}}
read and write only:
  type: object
  required: [a, b]
  properties: {a: {readOnly: true}, b: {writeOnly: true, type: integer}}
false: {not: {}}
`);

/** @returns the errors of each invalid value, in requests and in responses, per OpenAPI version */
export function keywordErrors(): string {
  return `${['3.0.3', '3.1.0'].flatMap((version) => errorsOf(version)).join('\n')}\n`;
}

function errorsOf(version: string): string[] {
  const at = version.startsWith('3.0') ? 0 : 1;
  const exclusive = Object.entries(EXCLUSIVE).map(([name, probes]) => [name, probes[at]] as const);
  const probes = Object.entries(PROBES).filter(([name]) => at === 1 || !SINCE_31.includes(name));
  const schemas = [...probes, ...exclusive].map(([name, [schema]]) => [name, schema] as const);
  return [...schemas, ...Object.entries(COMBINED)].flatMap(([keyword, schema]) => {
    const definition = new Contract({
      openapi: version,
      components: {
        schemas: { S: schema, T: { type: 'integer' }, O: { type: 'object', required: ['x'] } },
      },
    });
    const lines = (['request', 'response'] as const).map((direction) => {
      const validate = new Validators(definition, direction).at('/components/schemas/S');
      const textOf = (value: unknown) => {
        const errors = validate(value) ? [] : validate.errorsOf(value);
        const texts = errors.map(({ pointer, keyword: name, message }) =>
          [pointer, name, message].filter(Boolean).join(' '),
        );
        return texts.join('; ');
      };
      return [...Map.groupBy(VALUES, textOf)]
        .filter(([text]) => text !== '')
        .map(
          ([text, values]) => `  ${text}: ${values.map((each) => stringifyJson(each)).join(' ')}`,
        )
        .join('\n');
    });
    const [request, response] = lines;
    const title = `${version} ${keyword} ${JSON.stringify(schema)}`;
    if (request === response) return [`${title}\n${request}`];
    return [`${title} in requests\n${request}`, `${title} in responses\n${response}`];
  });
}

if (import.meta.main) writeFileSync(KEYWORD_ERRORS, keywordErrors());
