// The keywords against the meta-schemas of JSON Schema 2020-12.
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import {
  COMPOSITIONS,
  COUNTS,
  KEYWORDS,
  keywordsOfType,
  LIST_KEYWORDS,
  MAP_KEYWORDS,
  NUMERIC_BOUNDS,
  SAME_VALUE,
  SCHEMA_KEYWORDS,
} from '../src/document/vocabulary.ts';

const require = createRequire(import.meta.url);
const META = 'ajv/dist/refs/json-schema-2020-12/meta';
const described = new Map<string, string>(
  ['applicator', 'unevaluated', 'validation'].flatMap((name) =>
    Object.entries<object>(require(`${META}/${name}.json`).properties).map(
      ([keyword, schema]) => [keyword, JSON.stringify(schema)] as const,
    ),
  ),
);

/** @returns the keywords whose meta-schema starts so */
const like = (text: RegExp) =>
  [...described].flatMap(([keyword, schema]) => (text.test(schema) ? [keyword] : [])).sort();

describe('the keywords', () => {
  it('are those of the applicator, unevaluated and validation vocabularies', () => {
    expect([...KEYWORDS].sort()).toEqual([...described.keys()].sort());
  });

  it.each([
    ['a schema', SCHEMA_KEYWORDS, /^\{"\$dynamicRef"/],
    ['a list of schemas', LIST_KEYWORDS, /^\{"\$ref":"#\/\$defs\/schemaArray"/],
    ['schemas by name', MAP_KEYWORDS, /^\{"type":"object","additionalProperties":\{"\$dynamicRef"/],
    ['a number', NUMERIC_BOUNDS, /^\{"type":"number"\}/],
    ['a count', COUNTS, /^\{"\$ref":"#\/\$defs\/nonNegativeInteger/],
  ] as const)('with %s have it in the meta-schemas', (_, keywords, text) => {
    expect([...keywords].sort()).toEqual(like(text));
  });

  // JSON Schema Validation 2020-12, section 6; Core, sections 10.3 and 11.
  const ofTypes = {
    number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
    string: 'minLength maxLength pattern',
    array: `items prefixItems contains minContains maxContains minItems maxItems uniqueItems
      unevaluatedItems`,
    object: `properties patternProperties additionalProperties unevaluatedProperties propertyNames
      required dependentRequired dependentSchemas minProperties maxProperties`,
  } as const;
  it.each(Object.keys(ofTypes) as (keyof typeof ofTypes)[])('of type %s restrict it', (type) => {
    expect(keywordsOfType(type).sort()).toEqual(ofTypes[type].split(/\s+/).sort());
  });

  it('of no type restrict all values', () => {
    const typed = Object.values(ofTypes).join(' ').split(/\s+/);
    const others = [...SAME_VALUE, ...COMPOSITIONS, 'type', 'enum', 'const'];
    expect([...typed, ...others].sort()).toEqual([...KEYWORDS].sort());
  });
});
