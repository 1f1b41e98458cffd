// The keywords against the meta-schemas of JSON Schema 2020-12.

import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { Oas3_1Types, Oas3_2Types, Oas3Types } from '@redocly/openapi-core';
import { type FieldKind, objectType } from '../src/document/openapiTable.ts';
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

/** The names of types in Redocly, where they differ. */
const NAMES: Readonly<Record<string, string>> = {
  OAuthFlows: 'OAuth2Flows',
  TokenFlow: 'PasswordFlow',
  CodeFlow: 'AuthorizationCode',
  DeviceFlow: 'DeviceAuthorization',
};
/** Fields of the specification that Redocly's types have not, and the other way around. */
const DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  // Version 3.2: nested encodings.
  Encoding: ['encoding', 'prefixEncoding', 'itemEncoding'],
  // The engine reads it in each version.
  Schema: ['dependencies'],
};

describe.each([
  ['3.0', 0, Oas3Types],
  ['3.1', 1, Oas3_1Types],
  ['3.2', 2, Oas3_2Types],
] as const)('the table of objects of OpenAPI %s', (_, minor, types) => {
  const all = types as unknown as Readonly<
    Record<string, { properties: object; required?: unknown } | undefined>
  >;
  const names = [
    ...['Root', 'Info', 'Contact', 'License', 'Tag', 'ExternalDocs', 'Server', 'ServerVariable'],
    ...['PathItem', 'Operation', 'Parameter', 'Header', 'RequestBody', 'Response', 'MediaType'],
    ...['Encoding', 'Example', 'Link', 'Components', 'SecurityScheme', 'OAuthFlows'],
    ...['ImplicitFlow', 'TokenFlow', 'CodeFlow', 'DeviceFlow', 'Schema', 'Discriminator', 'Xml'],
  ];

  it.each(names.filter((name) => minor === 2 || name !== 'DeviceFlow'))(
    'has the fields that Redocly has: %s',
    (name) => {
      const other = all[NAMES[name] ?? name]!;
      const different = new Set(DIFFERENCES[name]);
      const own = objectType(name, minor);
      const fields = (list: Iterable<string>) =>
        [...list].filter((each) => !each.startsWith('x-') && !different.has(each)).sort();
      expect(fields(own.fields.keys())).toEqual(fields(Object.keys(other.properties)));
    },
  );

  it.each(names.filter((name) => minor === 2 || name !== 'DeviceFlow'))(
    'refers to objects that it has: %s',
    (name) => {
      const { fields, others } = objectType(name, minor);
      const kinds = [...fields.values(), ...(others ? [others] : [])];
      for (const each of kinds) {
        let kind: FieldKind = each;
        while (kind.is === 'list' || kind.is === 'map') kind = kind.of;
        if (kind.is === 'object') expect(objectType(kind.of, minor).name).toBe(kind.of);
      }
    },
  );
});
