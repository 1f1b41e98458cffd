// Labelled pairs written before the code that they test, from OpenAPI and JSON Schema only: bounds, rewritten schemas, messages.
import type { ContractRow, SchemaRow } from './pair.ts';
import {
  array,
  at30,
  at32,
  closed,
  get,
  hook,
  OK,
  parameters,
  query,
  read,
  ref,
  response,
  sent,
} from './texts.ts';

// biome-ignore format: a table
const NUMBERS: readonly SchemaRow[] = [
  ['exclusiveMinimum 0 as minimum 0.01', '{type: number, exclusiveMinimum: 0}', '{type: number, minimum: 0.01}', 'BC CB', '0.005 is valid before only.'],
  ['exclusiveMaximum 100 as maximum 99.99', '{type: number, exclusiveMaximum: 100}', '{type: number, maximum: 99.99}', 'BC CB', '99.995 is valid before only.'],
  ['exclusive minimum of 3.0 as minimum 0.001', '{type: number, minimum: 0, exclusiveMinimum: true}', '{type: number, minimum: 0.001, exclusiveMinimum: false}', 'BC CB', '0.0005 is valid before only.'],
  ['exclusive maximum of 3.0 as maximum', '{type: number, maximum: 1, exclusiveMaximum: true}', '{type: number, maximum: 0.9999999, exclusiveMaximum: false}', 'BC CB', '0.99999999 is valid before only.'],
  ['maximum as a larger exclusiveMaximum', '{type: number, maximum: 10}', '{type: number, exclusiveMaximum: 10.001}', 'CB BC', '10.0005 is valid after only.'],
  ['exclusiveMinimum of hundredths as minimum', '{type: number, multipleOf: 0.01, exclusiveMinimum: 0}', '{type: number, multipleOf: 0.01, minimum: 0.01}', 'CC CC', 'The first hundredth above 0 is 0.01.'],
  ['exclusiveMinimum of hundredths raised', '{type: number, multipleOf: 0.01, exclusiveMinimum: 0}', '{type: number, multipleOf: 0.01, minimum: 0.02}', 'BC CB', '0.01 is valid before only.'],
  ['exclusiveMaximum of quarters as maximum', '{type: number, multipleOf: 0.25, exclusiveMaximum: 1}', '{type: number, multipleOf: 0.25, maximum: 0.75}', 'CC CC', 'The last quarter below 1 is 0.75.'],
  ['minimum between two multiples', '{type: number, multipleOf: 0.1, minimum: 0.05}', '{type: number, multipleOf: 0.1, minimum: 0.1}', 'CC CC', 'The first multiple is 0.1.'],
  ['negative fraction as the minimum of an integer', '{type: integer, minimum: -0.5}', '{type: integer, minimum: 0}', 'CC CC', 'The first integer is 0.'],
  ['exclusive fraction of an integer', '{type: integer, exclusiveMinimum: 0.5}', '{type: integer, exclusiveMinimum: 0}', 'CC CC', 'The first integer is 1.'],
  ['exclusiveMinimum of a large integer', '{type: integer, exclusiveMinimum: 9007199254740992}', '{type: integer, minimum: 9007199254740993}', 'CC CC', 'The first integer is the same.'],
  ['exclusiveMinimum of a large integer raised', '{type: integer, exclusiveMinimum: 9007199254740992}', '{type: integer, minimum: 9007199254740994}', 'BC CB', '9007199254740993 is valid before only.'],
  ['closed interval opened', '{type: number, minimum: 0, maximum: 1}', '{type: number, exclusiveMinimum: 0, exclusiveMaximum: 1}', 'BC CB', '0 is valid before only.'],
  ['tiny minimum as exclusiveMinimum', '{type: number, minimum: 0.0000001}', '{type: number, exclusiveMinimum: 0}', 'CB BC', '0.00000001 is valid after only.'],
  ['weaker of two minimums removed', '{type: number, allOf: [{exclusiveMinimum: 0}, {minimum: 0}]}', '{type: number, exclusiveMinimum: 0}', 'CC CC', 'The exclusive bound is stricter.'],
  ['exclusive bound beside a string type', '{type: [integer, string], exclusiveMinimum: 0}', '{type: [integer, string], minimum: 1}', 'CC CC', 'The same integers and strings.'],
  ['two half-lines that meet', '{type: number, anyOf: [{maximum: 0}, {minimum: 0}]}', '{type: number}', 'CC CC', 'Every number is on one side.'],
  ['two half-lines of numbers', '{type: number, anyOf: [{maximum: 4}, {minimum: 5}]}', '{type: number}', 'CB BC', '4.5 is valid after only.'],
  ['two half-lines of which one value matches both', '{type: number, oneOf: [{maximum: 4}, {minimum: 4}]}', '{type: number}', 'CB BC', '4 is valid after only.'],
  ['not a maximum of an integer', '{type: integer, not: {maximum: 4}}', '{type: integer, minimum: 5}', 'CC CC', 'The same integers.'],
  ['not a maximum of a number', '{type: number, not: {maximum: 4}}', '{type: number, exclusiveMinimum: 4}', 'CC CC', 'The same numbers.'],
  ['not a maximum as a minimum of a number', '{type: number, not: {maximum: 4}}', '{type: number, minimum: 5}', 'BC CB', '4.5 is valid before only.'],
  ['int64 as its bounds', '{type: integer, format: int64}', '{type: integer, minimum: -9223372036854775808, maximum: 9223372036854775807}', 'CC CC', 'The same integers.'],
  ['int64 without its last integer', '{type: integer, format: int64}', '{type: integer, format: int64, maximum: 9223372036854775806}', 'BC CB', '9223372036854775807 is valid before only.'],
  ['multiples in a range as an enum', '{type: integer, minimum: 0, maximum: 10, multipleOf: 3}', '{enum: [0, 3, 6, 9]}', 'CC CC', 'The same integers.'],
  ['multiples in a range as a shorter enum', '{type: integer, minimum: 0, maximum: 10, multipleOf: 3}', '{enum: [0, 3, 6]}', 'BC CB', '9 is valid before only.'],
  ['multipleOf 1.5 of an integer', '{type: integer, multipleOf: 1.5}', '{type: integer, multipleOf: 3}', 'CC CC', 'The integers among the multiples of 1.5 are those of 3.'],
  ['integer or hundredths', '{anyOf: [{type: integer}, {type: number, multipleOf: 0.01}]}', '{type: number, multipleOf: 0.01}', 'CC CC', 'Every integer is a multiple of 0.01.'],
  ['one multiple in a range', '{type: number, multipleOf: 0.1, minimum: 0.3, maximum: 0.3}', '{const: 0.3}', 'CC CC', 'The same number.'],
  ['empty range', '{type: integer, exclusiveMinimum: 3, exclusiveMaximum: 4}', 'false', 'CC CC', 'No integer is between 3 and 4.'],
  ['minimum raised in one of three places', '{type: number, minimum: 1, anyOf: [{maximum: 5}, {minimum: 10}]}', '{type: number, minimum: 1, anyOf: [{maximum: 5}, {exclusiveMinimum: 10}]}', 'BC CB', '10 is valid before only.'],
];

// biome-ignore format: a table
const STRINGS: readonly SchemaRow[] = [
  ['negative lookahead set', '{type: string}', "{type: string, pattern: '^(?!foo)'}", 'BC CB', 'foo is valid before only.'],
  ['negative lookahead and any line', "{type: string, pattern: '^(?!foo)'}", "{type: string, pattern: '^(?!foo).*$'}", 'BC CB', 'Two lines are valid before only.'],
  ['lookahead of a digit set', '{type: string}', "{type: string, pattern: '^(?=.*[0-9]).{8,}$'}", 'BC CB', 'a is valid before only.'],
  ['format regex set', '{type: string}', '{type: string, format: regex}', 'BC CB', '( is valid before only.'],
  ['format json-pointer set', '{type: string}', '{type: string, format: json-pointer}', 'BC CB', 'a is valid before only.'],
  ['UUID as a looser pattern', '{type: string, format: uuid}', "{type: string, pattern: '^[0-9a-fA-F-]{36}$'}", 'CB BC', '36 hyphens are valid after only.'],
  ['UUID as a pattern of lower case', '{type: string, format: uuid}', "{type: string, pattern: '^[0-9a-f-]{36}$'}", 'BB BB', 'A UUID in capitals is valid before only, 36 hyphens after only.'],
  ['date as a looser pattern', '{type: string, format: date}', "{type: string, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'}", 'CB BC', '2026-99-99 is valid after only.'],
  ['IPv4 as a looser pattern', '{type: string, format: ipv4}', "{type: string, pattern: '^[0-9.]+$'}", 'CB BC', 'A dot is valid after only.'],
  ['format email set', '{type: string}', '{type: string, format: email}', 'BC CB', 'a is valid before only.'],
  ['URI as a reference', '{type: string, format: uri}', '{type: string, format: uri-reference}', 'CB BC', '/toys is valid after only.'],
  ['minLength 1 as a pattern', '{type: string, minLength: 1}', "{type: string, pattern: '[\\s\\S]'}", 'CC CC', 'Every string but the empty one.'],
  ['minLength in a pattern', "{type: string, minLength: 1, pattern: '^[a-z]*$'}", "{type: string, pattern: '^[a-z]+$'}", 'CC CC', 'The same strings.'],
  ['maxLength in a pattern', "{type: string, maxLength: 3, pattern: '^[a-z]*$'}", "{type: string, pattern: '^[a-z]{0,3}$'}", 'CC CC', 'The same strings.'],
  ['class of word characters written out', "{type: string, pattern: '^\\w+$'}", "{type: string, pattern: '^[A-Za-z0-9_]+$'}", 'CC CC', 'The same strings.'],
  ['pattern within any line', "{type: string, pattern: 'abc'}", "{type: string, pattern: '^.*abc.*$'}", 'BC CB', 'abc and a line break are valid before only.'],
  ['constant as a pattern', '{const: a}', "{type: string, pattern: '^a$'}", 'CC CC', 'The same string.'],
  ['pattern as an enum', "{type: string, pattern: '^(a|b|c)$'}", '{enum: [a, b, c]}', 'CC CC', 'The same strings.'],
  ['enum as a wider pattern', '{type: string, enum: [a, b, c]}', "{type: string, pattern: '^[a-d]$'}", 'CB BC', 'd is valid after only.'],
  ['lookbehind set', '{type: string}', "{type: string, pattern: '(?<!a)b'}", 'BC CB', 'a is valid before only.'],
  ['not a pattern', "{type: string, not: {pattern: '^a'}}", "{type: string, pattern: '^([^a]|$)'}", 'CC CC', 'The same strings.'],
];

// biome-ignore format: a table
const OBJECTS: readonly SchemaRow[] = [
  ['nullable object as oneOf', "{type: [object, 'null'], required: [a]}", "{oneOf: [{type: 'null'}, {type: object, required: [a]}]}", 'CC CC', 'The same objects and null.'],
  ['required in two conjuncts', '{type: object, required: [a, b]}', '{type: object, allOf: [{required: [a]}, {required: [b]}]}', 'CC CC', 'The same objects.'],
  ['one of two required as minProperties', closed('a: {}, b: {}', ', anyOf: [{required: [a]}, {required: [b]}]'), closed('a: {}, b: {}', ', minProperties: 1'), 'CC CC', 'One property is a or b.'],
  ['exactly one required as property counts', closed('a: {}, b: {}', ', oneOf: [{required: [a]}, {required: [b]}]'), closed('a: {}, b: {}', ', minProperties: 1, maxProperties: 1'), 'CC CC', 'The same objects.'],
  ['exactly one required as minProperties', closed('a: {}, b: {}', ', oneOf: [{required: [a]}, {required: [b]}]'), closed('a: {}, b: {}', ', minProperties: 1'), 'CB BC', 'Both properties are valid after only.'],
  ['alternation of patternProperties', "{type: object, patternProperties: {'^(a|b)_': {type: string}}}", "{type: object, patternProperties: {'^a_': {type: string}, '^b_': {type: string}}}", 'CC CC', 'The same names.'],
  ['type of patternProperties replaced', "{type: object, patternProperties: {'^x-': {type: string}}}", "{type: object, patternProperties: {'^x-': {type: integer}}}", 'BB BB', 'A string is valid before only, an integer after only.'],
  ['patternProperties narrowed', "{type: object, patternProperties: {'^x-': {}}, additionalProperties: false}", "{type: object, patternProperties: {'^x-a': {}}, additionalProperties: false}", 'BC CB', 'x-b is valid before only.'],
  ['propertyNames implied by names', closed('a: {}, b: {}'), closed('a: {}, b: {}', ", propertyNames: {pattern: '^[a-z]$'}"), 'CC CC', 'Both names match.'],
  ['propertyNames that excludes a name', closed('a: {}, B: {}'), closed('a: {}, B: {}', ", propertyNames: {pattern: '^[a-z]$'}"), 'BC CB', 'B is valid before only.'],
  ['propertyNames as a closed object', '{type: object, propertyNames: {enum: [a, b]}}', closed('a: true, b: true'), 'CC RB', 'The same names, which the reverse no longer declares as properties.'],
  ['propertyNames as patternProperties, again', '{type: object, propertyNames: {maxLength: 3}}', "{type: object, patternProperties: {'^[\\s\\S]{0,3}$': {}}, additionalProperties: false}", 'CC CC', 'The same names.'],
  ['empty name excluded', '{type: object}', '{type: object, propertyNames: {minLength: 1}}', 'BC CB', 'The empty name is valid before only.'],
  ['unevaluatedProperties as additionalProperties', '{type: object, properties: {a: {}}, unevaluatedProperties: false}', closed('a: {}'), 'CC CC', 'No other keyword evaluates properties.'],
  ['unevaluatedProperties of two conjuncts', '{type: object, allOf: [{properties: {a: {type: string}}}, {properties: {b: {type: integer}}}], unevaluatedProperties: false}', closed('a: {type: string}, b: {type: integer}'), 'CC CC', 'The same objects.'],
  ['additionalProperties beside two conjuncts', '{type: object, allOf: [{properties: {a: {}}}, {properties: {b: {}}}], unevaluatedProperties: false}', '{type: object, allOf: [{properties: {a: {}}}, {properties: {b: {}}}], additionalProperties: false}', 'BB CB', 'additionalProperties ignores the conjuncts: clients no longer send or receive a.'],
  ['unevaluatedProperties narrowed', '{type: object, properties: {a: {}}, unevaluatedProperties: {type: string}}', '{type: object, properties: {a: {}}, unevaluatedProperties: false}', 'BC CB', 'b is valid before only.'],
  ['dependentSchemas as dependentRequired', '{type: object, dependentSchemas: {a: {required: [b]}}}', '{type: object, dependentRequired: {a: [b]}}', 'CC CC', 'The same objects.'],
  ['dependentRequired lengthened', '{type: object, dependentRequired: {a: [b]}}', '{type: object, dependentRequired: {a: [b, c]}}', 'BC CB', 'a and b are valid before only.'],
  ['condition loses then', '{type: string, if: {pattern: "^a"}, then: {maxLength: 3}}', '{type: string, if: {pattern: "^a"}}', 'CB BC', 'abcd is valid after only.'],
  ['condition of an object loses then', '{type: object, properties: {k: {type: string}, v: {type: integer}}, if: {properties: {k: {const: x}}, required: [k]}, then: {required: [v]}}', '{type: object, properties: {k: {type: string}, v: {type: integer}}, if: {properties: {k: {const: x}}, required: [k]}}', 'CB BC', 'x without v is valid after only.'],
  ['condition loses then and keeps else', '{type: integer, if: {minimum: 10}, then: {multipleOf: 10}, else: {multipleOf: 5}}', '{type: integer, if: {minimum: 10}, else: {multipleOf: 5}}', 'CB BC', '11 is valid after only.'],
  ['condition loses else', '{type: integer, if: {minimum: 10}, then: {multipleOf: 10}, else: {multipleOf: 5}}', '{type: integer, if: {minimum: 10}, then: {multipleOf: 10}}', 'CB BC', '1 is valid after only.'],
  ['condition as alternatives', '{type: integer, if: {minimum: 10}, then: {multipleOf: 10}, else: {multipleOf: 5}}', '{type: integer, anyOf: [{minimum: 10, multipleOf: 10}, {maximum: 9, multipleOf: 5}]}', 'CC CC', 'The same integers.'],
  ['condition that always holds', '{type: string, if: true, then: {maxLength: 3}}', '{type: string, maxLength: 3}', 'CC CC', 'The same strings.'],
  ['then without if, again', '{type: string, then: {maxLength: 3}}', '{type: string}', 'CC CC', 'then has no effect without if.'],
  ['not not', '{not: {not: {type: string}}}', '{type: string}', 'CC CC', 'The same strings.'],
  ['not either of two', '{type: object, not: {anyOf: [{required: [a]}, {required: [b]}]}}', '{type: object, allOf: [{not: {required: [a]}}, {not: {required: [b]}}]}', 'CC CC', 'The same objects.'],
  ['open values closed to strings', '{type: object, additionalProperties: {type: string}}', '{type: object, additionalProperties: true}', 'CB BC', 'A number is valid after only.'],
  ['additionalProperties true written out, again', '{type: object}', '{type: object, additionalProperties: true}', 'CC CC', 'true is the default.'],
  ['typed property of another type than the declared values', '{type: object, additionalProperties: {type: integer}}', '{type: object, properties: {a: {type: string}}, additionalProperties: {type: integer}}', 'BB BB', 'a was an integer and is a string.'],
  ['narrower property among declared values', '{type: object, additionalProperties: {type: string}}', '{type: object, properties: {a: {type: string, maxLength: 3}}, additionalProperties: {type: string}}', 'BC CB', 'A longer a is valid before only.'],
  ['property with the schema of declared values', '{type: object, additionalProperties: {type: string}}', '{type: object, properties: {a: {type: string}}, additionalProperties: {type: string}}', 'CC CC', 'The same objects.'],
  ['typed property in an object that is open by default', '{type: object, properties: {b: {}}}', '{type: object, properties: {a: {type: string}, b: {}}}', 'CC RB', 'No client of the contract sends a, which it does not mention.'],
  ['property narrower than patternProperties', "{type: object, patternProperties: {'^a': {type: string}}}", "{type: object, patternProperties: {'^a': {type: string}}, properties: {ab: {maxLength: 2}}}", 'BC CB', 'A longer ab is valid before only.'],
  ['object constant written out', '{const: {a: 1}}', closed('a: {const: 1}', ', required: [a]'), 'CC CC', 'The same object.'],
  ['required property becomes readOnly', '{type: object, properties: {id: {type: string}}, required: [id]}', '{type: object, properties: {id: {type: string, readOnly: true}}, required: [id]}', '-C BC', 'Requests need id before only.'],
];

// biome-ignore format: a table
const BRANCHES: readonly SchemaRow[] = [
  ['branches that a constant keeps apart', '{oneOf: [{type: object, properties: {k: {const: a}, v: {type: string}}, required: [k]}, {type: object, properties: {k: {const: b}, v: {type: integer}}, required: [k]}]}', '{anyOf: [{type: object, properties: {k: {const: a}, v: {type: string}}, required: [k]}, {type: object, properties: {k: {const: b}, v: {type: integer}}, required: [k]}]}', 'CC CC', 'No value has both kinds.'],
  ['branches with an optional constant', '{oneOf: [{type: object, properties: {k: {const: a}}}, {type: object, properties: {k: {const: b}}}]}', '{anyOf: [{type: object, properties: {k: {const: a}}}, {type: object, properties: {k: {const: b}}}]}', 'CB BC', 'The empty object matches both branches.'],
  ['components kept apart as anyOf', `{oneOf: [${ref('Cat')}, ${ref('Dog')}]}`, `{anyOf: [${ref('Cat')}, ${ref('Dog')}]}`, 'CC CC', 'kind keeps them apart.'],
  ['overlapping components as anyOf', `{oneOf: [${ref('Car')}, ${ref('Bus')}]}`, `{anyOf: [${ref('Car')}, ${ref('Bus')}]}`, 'CB BC', 'An object with doors and seats is valid after only.'],
  ['branches kept apart by a nested constant', '{oneOf: [{type: object, properties: {m: {type: object, properties: {t: {const: 1}}, required: [t]}}, required: [m]}, {type: object, properties: {m: {type: object, properties: {t: {const: 2}}, required: [t]}}, required: [m]}]}', '{anyOf: [{type: object, properties: {m: {type: object, properties: {t: {const: 1}}, required: [t]}}, required: [m]}, {type: object, properties: {m: {type: object, properties: {t: {const: 2}}, required: [t]}}, required: [m]}]}', 'CC CC', 'No value has both.'],
  ['branches kept apart by the first item', '{oneOf: [{type: array, prefixItems: [{const: a}], minItems: 1}, {type: array, prefixItems: [{const: b}], minItems: 1}]}', '{anyOf: [{type: array, prefixItems: [{const: a}], minItems: 1}, {type: array, prefixItems: [{const: b}], minItems: 1}]}', 'CC CC', 'No array starts with both.'],
  ['branch within another of oneOf', '{oneOf: [{type: string}, {type: string, maxLength: 5}]}', '{type: string, minLength: 6}', 'CC CC', 'Shorter strings match both branches.'],
  ['distributed conjunct', '{type: object, properties: {n: {type: integer}}, anyOf: [{required: [a]}, {required: [b]}]}', '{anyOf: [{type: object, properties: {n: {type: integer}}, required: [a]}, {type: object, properties: {n: {type: integer}}, required: [b]}]}', 'CC CC', 'The same objects.'],
  ['contradiction as false', '{allOf: [{type: string}, {type: integer}]}', 'false', 'CC CC', 'No value is both.'],
  ['boolean and null as an enum', "{type: [boolean, 'null']}", '{enum: [true, false, null]}', 'CC CC', 'Three values.'],
  ['nested anyOf flattened, again', '{anyOf: [{type: string}, {anyOf: [{type: integer}, {type: boolean}]}]}', '{type: [string, integer, boolean]}', 'CC CC', 'The same values.'],
  ['nested oneOf that hides a value', '{oneOf: [{enum: [a, b]}, {oneOf: [{enum: [b, c]}, {enum: [c, d]}]}]}', '{enum: [a, d]}', 'CC CC', 'b and c match two branches each.'],
  ['recursive component narrowed below the first level', ref('Tree'), `{type: object, properties: {height: {type: integer}, branches: {type: array, items: ${ref('Shrub')}}}}`, 'BC CB', 'A tall branch is valid before only.'],
  ['discriminator on branches', `{oneOf: [${ref('Cat')}, ${ref('Dog')}], discriminator: {propertyName: kind, mapping: {cat: Cat, dog: Dog}}}`, `{oneOf: [${ref('Cat')}, ${ref('Dog')}], discriminator: {propertyName: kind, mapping: {dog: Dog, cat: Cat}}}`, 'CC CC', 'The order of a mapping has no meaning.'],
  ['discriminator mapping by name as by reference', `{oneOf: [${ref('Cat')}, ${ref('Dog')}], discriminator: {propertyName: kind, mapping: {cat: Cat, dog: Dog}}}`, `{oneOf: [${ref('Cat')}, ${ref('Dog')}], discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog'}}}`, 'CC CC', 'The same schemas.'],
];

// biome-ignore format: a table
const ARRAYS: readonly SchemaRow[] = [
  ['minContains of all items as minItems', array('items: {type: string}, contains: {type: string}, minContains: 2'), array('items: {type: string}, minItems: 2'), 'CC CC', 'Every item counts.'],
  ['maxContains of all items as maxItems', array('contains: true, minContains: 0, maxContains: 3'), array('maxItems: 3'), 'CC CC', 'Every item counts.'],
  ['contains widened', array('contains: {type: string}'), array('contains: {type: [string, integer]}'), 'CB BC', 'An array of one integer is valid after only.'],
  ['contains without effect', array('contains: {type: string}'), array('contains: {type: string}, minContains: 0'), 'CB BC', 'The empty array is valid after only.'],
  ['prefixItems like items', array('prefixItems: [{type: string}, {type: string}], items: {type: string}'), array('items: {type: string}'), 'CC CC', 'The same arrays.'],
  ['uniqueItems of one item', array('maxItems: 1'), array('maxItems: 1, uniqueItems: true'), 'CC CC', 'One item is unique.'],
  ['uniqueItems of booleans', array('items: {type: boolean}, uniqueItems: true'), array('items: {type: boolean}, uniqueItems: true, maxItems: 2'), 'CC CC', 'There are two distinct items.'],
  ['array constant written out', '{const: [1, 2]}', array('prefixItems: [{const: 1}, {const: 2}], minItems: 2, items: false'), 'CC CC', 'The same array.'],
  ['items of a matrix narrowed', array('items: {type: array, items: {type: number}}'), array('items: {type: array, items: {type: number, minimum: 0}}'), 'BC CB', 'A negative number is valid before only.'],
];

export const BLIND_SCHEMA_ROWS: readonly SchemaRow[] = [
  ...NUMBERS,
  ...STRINGS,
  ...OBJECTS,
  ...BRANCHES,
  ...ARRAYS,
];

const header = (schema: string, rest = '') =>
  parameters(`{name: X-A, in: header, schema: ${schema}${rest}}`);
const inPath = (schema: string, rest = '') =>
  `paths: {"/toys/{a}": {get: {operationId: getToy, parameters: [{name: a, in: path, required: true, schema: ${schema}${rest}}], ${OK}}}}`;
const STRING = '{schema: {type: string}}';
const form = (encoding: string, schema = 'a: {type: array, items: {type: string}}') =>
  sent(
    `application/x-www-form-urlencoded: {schema: {type: object, properties: {${schema}}}${encoding}}`,
  );
const parts = (encoding: string, schema: string) =>
  `multipart/form-data: {schema: {type: object, properties: {${schema}}}${encoding}}`;
const xml = (properties: string) =>
  `application/xml: {schema: {type: object, xml: {name: toy}, properties: {${properties}}}}`;
const secured = (requirements: string, rest = '') =>
  `${rest}${get(`security: [${requirements}], ${OK}`)}\ncomponents: {securitySchemes: {a: {type: http, scheme: bearer}, b: {type: apiKey, in: header, name: X-B}, o: {type: oauth2, flows: {clientCredentials: {tokenUrl: https://a.test/t, scopes: {r: r, w: w}}}}}}`;
const callback = (expression: string, schema: string) =>
  get(
    `callbacks: {sold: {"${expression}": {post: {requestBody: {content: {application/json: {schema: ${schema}}}}, ${OK}}}}}, ${OK}`,
  );
const LATIN = 'iso-8859-1';
const charset = (name: string, type = 'text/plain') =>
  `"${type}${name === '' ? '' : `; charset=${name}`}": ${STRING}`;
const mapped = (target: string) =>
  at32(
    `${read(`application/json: {schema: {oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}], discriminator: {propertyName: k, defaultMapping: ${target}}}}`)}\ncomponents: {schemas: {A: {type: object, properties: {k: {type: string}, n: {type: integer}}}, B: {type: object, properties: {k: {type: string}, n: {type: string}}, required: [n]}}}`,
  );

// biome-ignore format: a table
const PARAMETERS: readonly ContractRow[] = [
  ['required header removed', header('{type: string}', ', required: true'), get(OK), 'BB', 'The value has no effect any more.'],
  ['required cookie removed', parameters('{name: a, in: cookie, required: true, schema: {type: string}}'), get(OK), 'BB', 'The value has no effect any more.'],
  ['required header moved to the query', header('{type: string}', ', required: true'), parameters('{name: X-A, in: query, required: true, schema: {type: string}}'), 'BB', 'Clients send it elsewhere.'],
  ['required header moved to an optional query parameter', header('{type: string}', ', required: true'), parameters('{name: X-A, in: query, schema: {type: string}}'), 'BB', 'The header has no effect any more.'],
  ['optional header moved to the query', header('{type: string}'), parameters('{name: X-A, in: query, schema: {type: string}}'), 'RB', 'The service ignores the header and refuses the query parameter.'],
  ['required header as a cookie', header('{type: string}', ', required: true'), parameters('{name: X-A, in: cookie, required: true, schema: {type: string}}'), 'BB', 'Clients send it elsewhere.'],
  ['required header renamed', header('{type: string}', ', required: true'), parameters('{name: X-B, in: header, required: true, schema: {type: string}}'), 'BB', 'Clients do not send the new one.'],
  ['Authorization header declared', get(OK), parameters('{name: authorization, in: header, required: true, schema: {type: string}}'), 'CC', 'OpenAPI ignores this declaration.'],
  ['exclusive bound in the query', query('{type: number, exclusiveMinimum: 0}'), query('{type: number, minimum: 0.01}'), 'BC', '0.005 is refused.'],
  ['array in the query bounded', query('{type: array, items: {type: string}}'), query('{type: array, items: {type: string}, maxItems: 9}'), 'BC', 'Ten values are refused.'],
  ['pipes for a scalar', query('{type: integer}'), query('{type: integer}', ', style: pipeDelimited'), 'CC', 'A scalar has no delimiter.'],
  ['explode of a header array', header('{type: array, items: {type: string}}'), header('{type: array, items: {type: string}}', ', explode: true'), 'CC', 'simple writes arrays the same.'],
  ['explode of a header object', header('{type: object, properties: {a: {type: string}}}'), header('{type: object, properties: {a: {type: string}}}', ', explode: true'), 'BB', 'a,b becomes a=b.'],
  ['deepObject', query('{type: object, properties: {x: {type: string}}}'), query('{type: object, properties: {x: {type: string}}}', ', style: deepObject, explode: true'), 'BB', 'x=1 becomes a[x]=1.'],
  ['label in the path', inPath('{type: string}'), inPath('{type: string}', ', style: label'), 'BB', 'The value starts with a dot.'],
  ['matrix in the path', inPath('{type: string}'), inPath('{type: string}', ', style: matrix'), 'BB', 'The value starts with ;a=.'],
  ['allowReserved in the query', query('{type: string}'), query('{type: string}', ', allowReserved: true'), 'CB', 'Clients may send reserved characters as they are.'],
  ['content of another media type', parameters('{name: a, in: query, content: {application/json: {schema: {type: string}}}}'), parameters('{name: a, in: query, content: {text/plain: {schema: {type: string}}}}'), 'BB', 'JSON has quotes.'],
  ['parameter of the path overridden', `paths: {/toys: {parameters: [{name: a, in: query, schema: {type: integer}}], get: {operationId: getToys, parameters: [{name: a, in: query, schema: {type: string}}], ${OK}}}}`, query('{type: string}'), 'CC', 'The operation overrides the path.'],
  ['parameter by reference', `${parameters('{$ref: "#/components/parameters/A"}')}\ncomponents: {parameters: {A: {name: a, in: query, schema: {type: string}}}}`, query('{type: string}'), 'CC', 'The same parameter.'],
  ['default on a formerly required parameter', query('{type: integer}', ', required: true'), query('{type: integer, default: 1}'), 'C-', 'Every client of the old contract sends it.'],
  ['default of an optional parameter set', query('{type: integer}'), query('{type: integer, default: 1}'), 'R-', 'The old contract does not say which value an absent one means.'],
  ['optional header becomes required', header('{type: string}'), header('{type: string}', ', required: true'), 'BC', 'Clients that omit it are refused.'],
  ['suffix of a path', `paths: {"/toys/{a}.json": {get: {operationId: getToy, parameters: [{name: a, in: path, required: true, schema: {type: integer}}], ${OK}}}}`, inPath('{type: integer}'), 'BB', 'Another path.'],
  ['deprecated parameter', query('{type: string}'), query('{type: string}', ', deprecated: true'), 'CC', 'It still works.'],
  ['example of a parameter', query('{type: string}', ', example: a'), query('{type: string}', ', example: b'), 'CC', 'Only documentation.'],
];

// biome-ignore format: a table
const MESSAGES: readonly ContractRow[] = [
  ['charset sent', sent(charset('utf-8')), sent(charset(LATIN)), 'BB', 'Other bytes for the same text.'],
  ['charset read', read(charset('utf-8')), read(charset(LATIN)), 'BB', 'Other bytes for the same text.'],
  ['charset from the default sent', sent(charset('')), sent(charset('utf-16')), 'BB', 'Without charset the text is UTF-8.'],
  ['charset from the default read', read(charset('', 'text/csv')), read(charset(LATIN, 'text/csv')), 'BB', 'Without charset the text is UTF-8.'],
  ['default charset written out', sent(charset('')), sent(charset('utf-8')), 'CC', 'Without charset the text is UTF-8.'],
  ['default charset written out, read', read(charset('', 'text/csv')), read(charset('UTF-8', 'text/csv')), 'CC', 'The name is case-insensitive.'],
  ['charset US-ASCII sent', sent(charset('us-ascii')), sent(charset('utf-8')), 'CB', 'UTF-8 contains ASCII.'],
  ['charset US-ASCII read', read(charset('us-ascii')), read(charset('utf-8')), 'BC', 'UTF-8 contains ASCII.'],
  ['charset of one of two texts', sent(`${charset('utf-8')}, ${charset('utf-16')}`), sent(charset('utf-8')), 'BC', 'UTF-16 is refused.'],
  ['charset of JSON', sent(`"application/json": ${STRING}`), sent(`"application/json; charset=utf-8": ${STRING}`), 'CC', 'JSON is UTF-8.'],
  ['JSON becomes problem details', read('application/json: {schema: {type: object}}'), read('application/problem+json: {schema: {type: object}}'), 'BB', 'Another media type.'],
  ['vendor type becomes JSON', sent('application/vnd.a+json: {schema: {type: object}}'), sent('application/json: {schema: {type: object}}'), 'BB', 'Another media type.'],
  ['range of media types sent', sent(`application/*: ${STRING}`), sent(`application/json: ${STRING}`), 'BC', 'Other media types are refused.'],
  ['range of media types read', read(`application/*: ${STRING}`), read(`application/json: ${STRING}`), 'CR', 'Fewer media types; clients select one by Accept.'],
  ['any media type sent', sent(`application/json: ${STRING}`), sent(`"*/*": ${STRING}`), 'CB', 'The range contains JSON.'],
  ['parameter of a media type', sent(`"application/json; v=1": ${STRING}`), sent(`"application/json; v=2": ${STRING}`), 'BB', 'Another version.'],
  ['media type in other capitals, again', sent(`Application/JSON: ${STRING}`), sent(`application/json: ${STRING}`), 'CC', 'Media types are case-insensitive.'],
  ['space in a media type', sent(`"application/json;v=1": ${STRING}`), sent(`"application/json; v=1": ${STRING}`), 'CC', 'The same media type.'],
  ['media types of a part', sent(parts(', encoding: {a: {contentType: image/png}}', 'a: {type: string, format: binary}')), sent(parts(', encoding: {a: {contentType: "image/png, image/jpeg"}}', 'a: {type: string, format: binary}')), 'CB', 'A JPEG is accepted after only.'],
  ['required header of a part', sent(parts('', 'a: {type: string}')), sent(parts(', encoding: {a: {headers: {X-A: {required: true, schema: {type: string}}}}}', 'a: {type: string}')), 'BB', 'Parts without it are refused; its value has no effect in the reverse.'],
  ['pipes in a form', form(''), form(', encoding: {a: {style: pipeDelimited, explode: false}}'), 'BB', 'a=1&a=2 becomes a=1|2.'],
  ['default style of a form written out', form(''), form(', encoding: {a: {style: form, explode: true}}'), 'CC', 'The defaults.'],
  ['encoding of an absent property', form(''), form(', encoding: {b: {style: pipeDelimited}}'), 'CC', 'OpenAPI ignores it.'],
  ['XML name of a property written out', sent(xml('t: {type: string}')), sent(xml('t: {type: string, xml: {name: t}}')), 'CC', 'The name of the property is the default.'],
  ['XML name of a property read', read(xml('t: {type: string}')), read(xml('t: {type: string, xml: {name: t}}')), 'CC', 'The name of the property is the default.'],
  ['XML name of a property replaced', sent(xml('t: {type: string}')), sent(xml('t: {type: string, xml: {name: u}}')), 'BB', 'Another element.'],
  ['XML attribute false written out', sent(xml('t: {type: string}')), sent(xml('t: {type: string, xml: {attribute: false}}')), 'CC', 'The default.'],
  ['XML array wrapped', sent(xml('t: {type: array, items: {type: string}}')), sent(xml('t: {type: array, items: {type: string}, xml: {wrapped: true}}')), 'BB', 'Another element around the items.'],
  ['XML namespace', sent(xml('t: {type: string}')), sent(xml('t: {type: string, xml: {namespace: "urn:a"}}')), 'BB', 'Another element.'],
  ['XML of a JSON body', sent('application/json: {schema: {type: object, properties: {t: {type: string}}}}'), sent('application/json: {schema: {type: object, properties: {t: {type: string, xml: {attribute: true}}}}}'), 'CC', 'JSON has no XML names.'],
  ['body required false written out', sent(`application/json: ${STRING}`), sent(`application/json: ${STRING}`).replace('requestBody: {', 'requestBody: {required: false, '), 'CC', 'The default.'],
  ['body by reference', sent(`application/json: ${STRING}`), `paths: {/toys: {post: {operationId: postToys, requestBody: {$ref: "#/components/requestBodies/A"}, ${OK}}}}\ncomponents: {requestBodies: {A: {content: {application/json: ${STRING}}}}}`, 'CC', 'The same body.'],
  ['redirect removed', response('"200": {description: a}, "301": {description: b}'), response('"200": {description: a}'), 'RR', 'The contract holds, but a client that follows it no longer reaches its target.'],
  ['accepted removed', response('"200": {description: a}, "202": {description: b}'), response('"200": {description: a}'), 'BR', 'Clients wait for it.'],
  ['error under a default', response('"200": {description: a}, default: {description: b, content: {application/json: {schema: {type: string}}}}'), response('"200": {description: a}, "404": {description: c, content: {application/json: {schema: {type: string}}}}, default: {description: b, content: {application/json: {schema: {type: string}}}}'), 'CC', 'The default has the same body.'],
  ['error of another type than the default', response('"200": {description: a}, "404": {description: c, content: {application/json: {schema: {type: integer}}}}, default: {description: b, content: {application/json: {schema: {type: string}}}}'), response('"200": {description: a}, default: {description: b, content: {application/json: {schema: {type: string}}}}'), 'BB', '404 has another body.'],
  ['status under its range', response('"200": {description: a}, 4XX: {description: b, content: {application/json: {schema: {type: string}}}}'), response('"200": {description: a}, 4XX: {description: b, content: {application/json: {schema: {type: string}}}}, "409": {description: c, content: {application/json: {schema: {type: string}}}}'), 'CC', 'The range has the same body.'],
  ['status of a wider body than its range', response('"200": {description: a}, 4XX: {description: b, content: {application/json: {schema: {type: integer}}}}'), response('"200": {description: a}, 4XX: {description: b, content: {application/json: {schema: {type: integer}}}}, "409": {description: c, content: {application/json: {schema: {type: number}}}}'), 'BC', '409 may have 0.5.'],
  ['no content becomes content', response('"204": {description: a}'), response('"200": {description: a, content: {application/json: {schema: {type: string}}}}'), 'BB', 'Another success.'],
  ['response header by content', response('"200": {description: a, headers: {X-A: {schema: {type: object}}}}'), response('"200": {description: a, headers: {X-A: {content: {application/json: {schema: {type: object}}}}}}'), 'BB', 'JSON in place of simple.'],
  ['response by reference', read(`application/json: ${STRING}`), `${response('"200": {$ref: "#/components/responses/A"}')}\ncomponents: {responses: {A: {description: a, content: {application/json: ${STRING}}}}}`, 'CC', 'The same response.'],
  ['example of a response', read('application/json: {schema: {type: string}, example: a}'), read('application/json: {schema: {type: string}, example: b}'), 'CC', 'Only documentation.'],
  ['link of a response described', response('"200": {description: a, links: {next: {operationId: getToys, description: a}}}'), response('"200": {description: a, links: {next: {operationId: getToys, description: b}}}'), 'CC', 'Only documentation.'],
];

// biome-ignore format: a table
const WHOLE: readonly ContractRow[] = [
  ['either scheme becomes both', secured('{a: []}, {b: []}'), secured('{a: [], b: []}'), 'BC', 'One suffices before only.'],
  ['anonymous calls', secured('{a: []}'), secured('{a: []}, {}'), 'CB', 'No credentials are needed after only.'],
  ['redundant requirement', secured('{a: []}'), secured('{a: []}, {a: [], b: []}'), 'CC', 'a suffices.'],
  ['redundant scope', secured('{o: [r]}'), secured('{o: [r]}, {o: [r, w]}'), 'CC', 'r suffices.'],
  ['scopes in another order, again', secured('{o: [r, w]}'), secured('{o: [w, r]}'), 'CC', 'The same scopes.'],
  ['requirements in another order', secured('{a: []}, {b: []}'), secured('{b: []}, {a: []}'), 'CC', 'The same alternatives.'],
  ['requirement of the document written out', secured('{a: []}'), secured('{a: []}', 'security: [{b: []}]\n'), 'CC', 'The operation overrides the document.'],
  ['scope replaced', secured('{o: [r]}'), secured('{o: [w]}'), 'BB', 'Tokens lack the other scope.'],
  ['security removed from one operation', secured('', 'security: [{a: []}]\n'), secured('{a: []}', 'security: [{a: []}]\n'), 'BC', 'An empty list needs no credentials.'],
  ['format of a bearer token', `${get(`security: [{a: []}], ${OK}`)}\ncomponents: {securitySchemes: {a: {type: http, scheme: bearer}}}`, `${get(`security: [{a: []}], ${OK}`)}\ncomponents: {securitySchemes: {a: {type: http, scheme: Bearer, bearerFormat: JWT}}}`, 'CC', 'bearerFormat is a hint, the scheme is case-insensitive.'],
  ['dialect of draft 7', `jsonSchemaDialect: http://json-schema.org/draft-07/schema#\n${query('{type: string}')}`, query('{type: string}'), 'RR', 'The same keywords may have another meaning.'],
  ['dialect written out', `jsonSchemaDialect: https://spec.openapis.org/oas/3.1/dialect/base\n${query('{type: string}')}`, query('{type: string}'), 'CC', 'The default.'],
  ['dialect of JSON Schema 2020-12', `jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema\n${query('{type: string}')}`, query('{type: string}'), 'CC', 'The same keywords have the same meaning.'],
  ['values of a server variable', `servers: [{url: "https://{r}.a.test", variables: {r: {default: eu, enum: [eu, us]}}}]\n${get(OK)}`, `servers: [{url: "https://{r}.a.test", variables: {r: {default: eu, enum: [eu]}}}]\n${get(OK)}`, 'BC', 'us.a.test is gone.'],
  ['server variable expanded', `servers: [{url: "https://{r}.a.test", variables: {r: {default: eu, enum: [eu, us]}}}]\n${get(OK)}`, `servers: [{url: "https://eu.a.test"}, {url: "https://us.a.test"}]\n${get(OK)}`, 'CR', 'The same URLs; an SDK that selects the second server finds none.'],
  ['port of a server written out', `servers: [{url: "https://a.test/v1"}]\n${get(OK)}`, `servers: [{url: "https://A.test:443/v1/"}]\n${get(OK)}`, 'CC', 'The same URL.'],
  ['property of a webhook removed, again', hook(`requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}, ${OK}`), hook(`requestBody: {content: {application/json: {schema: {type: object}}}}, ${OK}`), 'BC', 'Clients no longer receive it.'],
  ['exclusive bound of a webhook', hook(`requestBody: {content: {application/json: {schema: {type: number, minimum: 0.01}}}}, ${OK}`), hook(`requestBody: {content: {application/json: {schema: {type: number, exclusiveMinimum: 0}}}}, ${OK}`), 'BC', 'Clients may get 0.005.'],
  ['response of a webhook narrowed', hook('responses: {"200": {description: a, content: {application/json: {schema: {type: number}}}}}'), hook('responses: {"200": {description: a, content: {application/json: {schema: {type: integer}}}}}'), 'BC', 'Clients may respond with 0.5.'],
  ['expression of a callback', callback('{$request.query.a}', '{type: string}'), callback('{$request.query.b}', '{type: string}'), 'BB', 'The service calls another URL.'],
  ['value of a callback added', callback('{$request.query.a}', '{enum: [a]}'), callback('{$request.query.a}', '{enum: [a, b]}'), 'BC', 'Clients may get b.'],
  ['path item by reference', get(OK), `paths: {/toys: {$ref: "#/components/pathItems/A"}}\ncomponents: {pathItems: {A: {get: {operationId: getToys, ${OK}}}}}`, 'CC', 'The same path.'],
  ['description beside a reference', `${query('{$ref: "#/components/schemas/A"}')}\ncomponents: {schemas: {A: {type: string}}}`, `${query('{$ref: "#/components/schemas/A", description: a}')}\ncomponents: {schemas: {A: {type: string}}}`, 'CC', 'Only documentation.'],
  ['bound beside a reference of 3.0', at30(`${query('{$ref: "#/components/schemas/A"}')}\ncomponents: {schemas: {A: {type: string}}}`), at30(`${query('{$ref: "#/components/schemas/A", maxLength: 3}')}\ncomponents: {schemas: {A: {type: string}}}`), 'CC', '3.0 ignores siblings of $ref.'],
  ['default mapping replaced', mapped('A'), mapped('B'), 'BB', 'A value without a mapped kind has another schema.'],
  ['method of 3.2 removed', at32(`paths: {/toys: {get: {operationId: getToys, ${OK}}, additionalOperations: {COPY: {operationId: copyToys, ${OK}}}}}`), at32(get(OK)), 'BC', 'COPY is refused.'],
  ['query method removed', at32(`paths: {/toys: {get: {operationId: getToys, ${OK}}, query: {operationId: searchToys, ${OK}}}}`), at32(get(OK)), 'BC', 'QUERY is refused.'],
  ['items of a stream as an array', at32(read('application/jsonl: {schema: {type: array, items: {type: object, properties: {a: {type: string}}}}}')), at32(read('application/jsonl: {itemSchema: {type: object, properties: {a: {type: string}}}}')), 'CC', 'The same items.'],
  ['item of a stream widened', at32(read('application/jsonl: {itemSchema: {type: number, minimum: 0.01}}')), at32(read('application/jsonl: {itemSchema: {type: number, exclusiveMinimum: 0}}')), 'BC', 'Clients may get 0.005.'],
  ['whole query narrowed', at32(parameters('{name: q, in: querystring, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: integer}}}}}}')), at32(parameters('{name: q, in: querystring, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: integer, minimum: 1}}}}}}')), 'BC', 'a=0 is refused.'],
  ['XML attribute as a node type', at32(sent(xml('t: {type: string, xml: {attribute: true}}'))), at32(sent(xml('t: {type: string, xml: {nodeType: attribute}}'))), 'CC', 'The same attribute.'],
  ['address of the document', at32(get(OK)), at32(`$self: https://a.test/openapi.yaml\n${get(OK)}`), 'CC', 'No message changes.'],
  ['kind of a tag', at32(`tags: [{name: a}]\n${get(OK)}`), at32(`tags: [{name: a, kind: nav, summary: A}]\n${get(OK)}`), 'CC', 'Only documentation.'],
  ['upgrade to 3.2', get(OK), at32(get(OK)), 'CC', 'The same messages.'],
  ['exclusive bounds upgraded from 3.0', at30(sent('application/json: {schema: {type: number, minimum: 0, exclusiveMinimum: true}}')), sent('application/json: {schema: {type: number, exclusiveMinimum: 0}}'), 'CC', 'The same bound.'],
  ['exclusive bounds lost in an upgrade', at30(sent('application/json: {schema: {type: number, minimum: 0, exclusiveMinimum: true}}')), sent('application/json: {schema: {type: number, minimum: 0.01}}'), 'BC', '0.005 is refused.'],
];

export const BLIND_CONTRACT_ROWS: readonly ContractRow[] = [...PARAMETERS, ...MESSAGES, ...WHOLE];
