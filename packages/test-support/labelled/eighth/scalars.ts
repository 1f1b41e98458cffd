// Eighth blind set: numbers, strings, formats, constants, defaults. Written without the code of the diff.
import type { SchemaRow } from '../pair.ts';

const string = (rest: string) => `{type: string, ${rest}}`;
const pattern = (source: string, rest = '') => string(`pattern: '${source}'${rest}`);
const integer = (rest: string) => `{type: integer, ${rest}}`;
const number = (rest: string) => `{type: number, ${rest}}`;
const property = (schema: string, rest = '') => `{type: object, properties: {n: ${schema}}${rest}}`;

// Labels of an equality are `CC --` or `CC CC`, of an inclusion `CB BC` or `BC CB`.
// biome-ignore format: a table
const NUMBERS: readonly SchemaRow[] = [
  ['an exclusive maximum of 3.0 lost in 3.1', integer('maximum: 100, exclusiveMaximum: true'), integer('maximum: 100'), 'CB BC', '100 is valid after only.'],
  ['an inclusive minimum of 3.0 in words', integer('minimum: 5, exclusiveMinimum: false'), integer('minimum: 5'), 'CC CC', 'false is the default.'],
  ['a nullable count of 3.0 as a type list', integer('nullable: true, minimum: 0'), "{type: ['null', integer], minimum: 0}", 'CC CC', 'The same counts and null.'],
  ['a nullable priority of 3.0 as an enum', integer('nullable: true, enum: [1, 2, null]'), '{enum: [null, 1, 2]}', 'CC CC', '1, 2 and null.'],
  ['two steps as their product', integer('allOf: [{multipleOf: 4}, {multipleOf: 6}]'), integer('multipleOf: 24'), 'BC CB', '12 is valid before only.'],
  ['quarters of an hour as an enum', integer('minimum: 0, maximum: 59, multipleOf: 15'), '{enum: [0, 15, 30, 45]}', 'CC --', 'Four minutes.'],
  ['quarters of an hour with the full hour', integer('minimum: 0, maximum: 60, multipleOf: 15'), '{enum: [0, 15, 30, 45]}', 'BC CB', '60 is valid before only.'],
  ['a status code in parts', integer('minimum: 100, maximum: 599'), '{allOf: [{type: number, minimum: 100}, {type: integer, exclusiveMaximum: 600}]}', 'CC --', 'The integers 100 to 599.'],
  ['a status code beside one that is not standard', integer('minimum: 100, maximum: 599'), '{anyOf: [{type: integer, minimum: 100, maximum: 599}, {const: 999}]}', 'CB BC', '999 is valid after only.'],
  ['an amount that gains a maximum', integer('minimum: 50'), integer('minimum: 50, maximum: 99999999'), 'BC CB', '100000000 is valid before only.'],
  ['a rate in half percents', number('minimum: 0, maximum: 100'), number('minimum: 0, maximum: 100, multipleOf: 0.5'), 'BC CB', '0.1 is valid before only.'],
  ['int32 as a bounded int64', integer('format: int32, minimum: 0'), integer('format: int64, minimum: 0, maximum: 2147483647'), 'CC --', 'The same integers.'],
  ['int64 with small bounds as int32', integer('format: int64, minimum: 1, maximum: 100'), integer('format: int32, minimum: 1, maximum: 100'), 'CC --', '1 to 100 fit in both.'],
  ['int64 with large bounds as int32', integer('format: int64, minimum: 1, maximum: 3000000000'), integer('format: int32, minimum: 1'), 'BC CB', '3000000000 is valid before only.'],
  ['a factor that may be no integer', '{type: number}', number('not: {type: integer}'), 'BC CB', '1 is valid before only.'],
  ['an enum of numbers with fractions of zero', '{enum: [1, 2]}', '{enum: [2.0, 1.0]}', 'CC CC', '1.0 is 1 in JSON Schema.'],
  ['a flag of 0 and 1 as a boolean', '{type: integer, enum: [0, 1]}', '{type: boolean}', 'BB BB', '1 is no boolean.'],
  ['days of a trial by range', integer('enum: [7, 30, 90]'), integer('minimum: 7, maximum: 90'), 'CB BC', '8 is valid after only.'],
  ['positive cents with the other kind of bound', number('exclusiveMinimum: 0, multipleOf: 0.01'), number('minimum: 0.01, multipleOf: 0.01'), 'CC --', 'The first cent is 0.01.'],
  ['positive cents with a bound of one', number('exclusiveMinimum: 0, multipleOf: 0.01'), number('minimum: 1, multipleOf: 0.01'), 'BC CB', '0.5 is valid before only.'],
  ['positive integers as not at most zero', integer('minimum: 1'), integer('not: {maximum: 0}'), 'CC --', 'Integers above 0 start at 1.'],
  ['numbers from one as not at most zero', number('minimum: 1'), number('not: {maximum: 0}'), 'CB BC', '0.5 is valid after only.'],
  ['a fine step of integers', integer('multipleOf: 0.1'), integer('multipleOf: 0.01'), 'CC --', 'Every integer has both steps.'],
  ['a bound of thousands', integer('maximum: 1e3'), integer('exclusiveMaximum: 1001'), 'CC --', 'Up to 1000.'],
  ['pages of integers in two ranges', integer('anyOf: [{minimum: 0, maximum: 9}, {minimum: 10, maximum: 99}]'), integer('minimum: 0, maximum: 99'), 'CC --', 'No integer between 9 and 10.'],
  ['weights in two ranges', number('anyOf: [{minimum: 0, maximum: 9}, {minimum: 10, maximum: 99}]'), number('minimum: 0, maximum: 99'), 'CB BC', '9.5 is valid after only.'],
];

// biome-ignore format: a table
const STRINGS: readonly SchemaRow[] = [
  ['a resource name with the rest in words', pattern('^arn:aws:'), pattern('^arn:aws:[\\s\\S]*$'), 'CC --', 'Any rest.'],
  ['a resource name on one line', pattern('^arn:aws:'), pattern('^arn:aws:.*$'), 'BC CB', 'A line break after the prefix is valid before only.'],
  ['a UUID by groups', pattern('^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'), pattern('^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'), 'CC CC', 'The same text.'],
  ['a UUID by groups in both cases', pattern('^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'), pattern('^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'), 'CB BC', 'Capitals are valid after only.'],
  ['a DNS label with its length in the pattern', pattern('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', ', maxLength: 63'), pattern('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$'), 'CC --', 'Up to 63 characters.'],
  ['a DNS label with one character more in the pattern', pattern('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', ', maxLength: 63'), pattern('^[a-z0-9]([-a-z0-9]{0,62}[a-z0-9])?$'), 'CB BC', '64 characters are valid after only.'],
  ['a tag that needs its v', pattern('^v?\\d+\\.\\d+\\.\\d+$'), pattern('^v\\d+\\.\\d+\\.\\d+$'), 'BC CB', '1.2.3 is valid before only.'],
  ['prefixes of ids with a common letter', pattern('^(ch|py|pi)_[a-zA-Z0-9]+$'), pattern('^(?:ch|p[iy])_[0-9A-Za-z]+$'), 'CC CC', 'The same ids.'],
  ['prefixes of ids with one more', pattern('^(ch|py)_[a-zA-Z0-9]+$'), pattern('^(ch|p[iy])_[a-zA-Z0-9]+$'), 'CB BC', 'pi_1 is valid after only.'],
  ['anchors around an alternative', pattern('^open|closed$'), pattern('^(open|closed)$'), 'BC CB', 'opened is valid before only.'],
  ['a commit by SHA-1 or SHA-256', pattern('^[a-f0-9]{40}$'), pattern('^[a-f0-9]{40}([a-f0-9]{24})?$'), 'CB BC', '64 digits are valid after only.'],
  ['a commit with its length outside', pattern('^[a-f0-9]{40}$'), pattern('^[a-f0-9]*$', ', minLength: 40, maxLength: 40'), 'CC --', '40 digits.'],
  ['a text that is not blank', string('minLength: 1'), pattern('\\S'), 'BC CB', 'A space alone is valid before only.'],
  ['a word without spaces', pattern('^\\S+$'), pattern('^[^\\s]+$'), 'CC CC', 'The same class.'],
  ['lookaheads of a password in another order', pattern('^(?=.*[A-Z])(?=.*\\d).{8,}$'), pattern('^(?=.*\\d)(?=.*[A-Z]).{8,}$'), 'CC CC', 'Both apply.'],
  ['a password without a digit', pattern('^(?=.*[A-Z])(?=.*\\d).{8,}$'), pattern('^(?=.*[A-Z]).{8,}$'), 'CB BC', 'ABCDEFGH is valid after only.'],
  ['a slash that is escaped', pattern('^\\/repos\\/'), pattern('^/repos/'), 'CC CC', 'The same character.'],
  ['a letter by its number', pattern('^\\u0041+$'), pattern('^A+$'), 'CC CC', 'The same letter.'],
  ['digits with another quantifier', pattern('^\\d{1,}$'), pattern('^[\\d]+$'), 'CC CC', 'One digit or more.'],
  ['web addresses with an optional s', pattern('^(?:https?):\\/\\/'), pattern('^http(s|)://'), 'CC --', 'http or https.'],
  ['web addresses with TLS', pattern('^https?://'), pattern('^https://'), 'BC CB', 'http://a is valid before only.'],
  ['a prefix and a suffix that may overlap as one pattern', string("allOf: [{pattern: '^sk_'}, {pattern: '_live$'}]"), pattern('^sk_([\\s\\S]*_)?live$'), 'CC --', 'sk_live has both.'],
  ['a prefix and a suffix that do not overlap as one pattern', string("allOf: [{pattern: '^sk_'}, {pattern: '_live$'}]"), pattern('^sk_[\\s\\S]*_live$'), 'BC CB', 'sk_live is valid before only.'],
  ['lengths as a pattern', string('minLength: 2, maxLength: 64'), pattern('^[\\s\\S]{2,64}$'), 'CC --', '2 to 64 characters.'],
  ['lengths as a pattern of letters', string('minLength: 2, maxLength: 64'), pattern('^[A-Za-z]{2,64}$'), 'BC CB', '12 is valid before only.'],
  ['a locale with a region', pattern('^[a-z]{2}$'), pattern('^[a-z]{2}(-[A-Z]{2})?$'), 'CB BC', 'de-AT is valid after only.'],
  ['a locale with a region of either separator', pattern('^[a-z]{2}(-[A-Z]{2})?$'), pattern('^[a-z]{2}([-_][A-Z]{2})?$'), 'CB BC', 'de_AT is valid after only.'],
  ['a key that starts with no digit', pattern('^[A-Za-z0-9_]+$', ", not: {pattern: '^[0-9]'}"), pattern('^[A-Za-z_]\\w*$'), 'CC --', 'A letter or underscore first.'],
];

// biome-ignore format: a table
const FORMATS: readonly SchemaRow[] = [
  ['an address of email that is short', string('format: email'), string('format: email, maxLength: 64'), 'BC CB', 'A longer address is valid before only.'],
  ['an address of version 6 as well', string('format: ipv4'), string('anyOf: [{format: ipv4}, {format: ipv6}]'), 'CB BC', '::1 is valid after only.'],
  ['a UUID in small letters', string('format: uuid'), string("format: uuid, pattern: '^[0-9a-f-]+$'"), 'BC CB', 'Capitals are valid before only.'],
  ['a UUID with its characters', string('format: uuid'), string("format: uuid, pattern: '^[0-9A-Fa-f-]{36}$'"), 'CC --', 'A UUID has these characters.'],
  ['a time with a date', string('format: time'), string('format: date-time'), 'BB BB', '10:00:00Z is no date-time.'],
  ['an instant as seconds', string('format: date-time'), '{type: integer, format: int64}', 'BB BB', 'Text or integer.'],
  ['a format of the company set', '{type: string}', string('format: currency-code'), 'RR RR', 'A hint that SDKs may read.'],
  ['a format of the company under another name', string('format: sku'), string('format: article-number'), 'RR RR', 'A hint that SDKs may read.'],
  ['a format of the company beside a bound', integer('format: cents, minimum: 0'), integer('minimum: 0'), 'RR RR', 'A hint that SDKs may read.'],
  ['known values of a short text', string('maxLength: 9'), string('maxLength: 9, x-extensible-enum: [visa, amex]'), 'RC CC', 'Values that clients send may be unknown now.'],
  ['a length beside a format of the company', string('format: slug, maxLength: 9'), string('format: slug, maxLength: 5'), 'BC CB', 'Six characters are valid before only.'],
  ['a date or a word', string('oneOf: [{format: date}, {const: now}]'), string('anyOf: [{const: now}, {format: date}]'), 'CC --', 'now is no date.'],
  ['a date or the empty string', string('format: date'), string('anyOf: [{format: date}, {maxLength: 0}]'), 'CB BC', 'The empty string is valid after only.'],
  ['a date or a UUID with their lengths', string('anyOf: [{format: date}, {format: uuid}]'), string('anyOf: [{format: date}, {format: uuid}], minLength: 10, maxLength: 36'), 'CC --', 'Both have 10 to 36 characters.'],
  ['a format of strings beside null', "{type: [string, 'null'], format: date-time}", "{anyOf: [{type: string, format: date-time}, {type: 'null'}]}", 'CC --', 'Formats of strings do not refuse null.'],
  ['a nullable instant of 3.0 in 3.1', string('format: date-time, nullable: true'), "{oneOf: [{type: 'null'}, {type: string, format: date-time}]}", 'CC --', 'The same instants and null.'],
];

// biome-ignore format: a table
const CONSTANTS: readonly SchemaRow[] = [
  ['a state with another name', string('enum: [requires_source, succeeded]'), string('enum: [requires_payment_method, succeeded]'), 'BB BB', 'Each name is valid on one side.'],
  ['an enum of 3.0 that lacks null', string('nullable: true, enum: [a, b]'), string('enum: [a, b]'), 'BC --', 'Labelled CC by the text of OpenAPI 3.0.3; services and types allow null here, as those of openapi-typescript.'],
  ['an enum of 3.0 that has null', string('nullable: true, enum: [a, b, null]'), string('enum: [a, b]'), 'BC CB', 'null is valid before only.'],
  ['an enum of 3.0 that has null, in 3.1', string('nullable: true, enum: [a, b, null]'), "{type: [string, 'null'], enum: [a, b, null]}", 'CC CC', 'a, b and null.'],
  ['an open enum as its type', '{anyOf: [{const: visa}, {const: amex}, {type: string}]}', '{type: string}', 'CC --', 'Any string in both.'],
  ['an open enum that is closed', '{anyOf: [{type: string, enum: [visa, amex]}, {type: string}]}', string('enum: [visa, amex]'), 'BC CB', 'jcb is valid before only.'],
  ['the common values of two enums', string('allOf: [{enum: [a, b, c]}, {enum: [b, a, d]}]'), string('enum: [a, b]'), 'CC --', 'a and b.'],
  ['the values of one of two enums', string('allOf: [{enum: [a, b, c]}, {enum: [b, a, d]}]'), string('enum: [a, b, c]'), 'CB BC', 'c is valid after only.'],
  ['directions as a pattern', string('enum: [asc, desc]'), pattern('^(asc|desc)$'), 'CC --', 'Two directions.'],
  ['directions as a pattern without its end', string('enum: [asc, desc]'), pattern('^(asc|desc)'), 'CB BC', 'ascending is valid after only.'],
  ['an empty value of an enum', string("enum: ['', low, high]"), string('enum: [low, high]'), 'BC CB', 'The empty string is valid before only.'],
  ['an account that may be a bot', string('const: user'), string('enum: [user, bot]'), 'CB BC', 'bot is valid after only.'],
  ['a flag that text may set', '{type: boolean}', "{oneOf: [{type: boolean}, {type: string, enum: ['true', 'false']}]}", 'CB BC', 'The text true is valid after only.'],
  ['a port by its name', '{type: integer}', '{anyOf: [{type: integer}, {type: string}], x-kubernetes-int-or-string: true}', 'CB BC', 'A string is valid after only.'],
  ['a port by its name, exactly one', '{anyOf: [{type: integer}, {type: string}], x-kubernetes-int-or-string: true}', '{type: [string, integer]}', 'CC --', 'The same types.'],
  ['names of an enum for SDKs', string('enum: [a, b]'), string('enum: [a, b], x-enum-descriptions: [first, second]'), 'CC CC', 'Extensions of others.'],
];

// biome-ignore format: a table
const DEFAULTS: readonly SchemaRow[] = [
  ['a repository that is private by default', property('{type: boolean, default: false}'), property('{type: boolean, default: true}'), 'BR BR', 'Another value if it is omitted.'],
  ['a default of text in place of a number', property("{type: [integer, string], default: 1}"), property("{type: [integer, string], default: '1'}"), 'BR BR', 'Another value if it is omitted.'],
  ['a default beside a constant', property('{type: string, enum: [a], default: a}'), property('{type: string, const: a, default: a}'), 'CC CC', 'The same value and default.'],
  ['a default object with one name more', property("{allOf: [{$ref: '#/components/schemas/Cat'}], default: {kind: cat}}"), property("{allOf: [{$ref: '#/components/schemas/Cat'}], default: {kind: cat, lives: 9}}"), 'BR BR', 'Another cat if it is omitted.'],
  ['a default of a required property in a property', property('{type: object, properties: {m: {type: string, default: a}}, required: [m]}'), property('{type: object, properties: {m: {type: string, default: b}}, required: [m]}'), 'CC CC', 'Every n has m.'],
  ['a default beside a wider maximum', property(integer('maximum: 100, default: 30')), property(integer('maximum: 200, default: 30')), 'CB BC', '101 is valid after only.'],
  ['a default in scientific notation', property('{type: number, default: 1e2}'), property('{type: number, default: 100}'), 'CC CC', 'The same number.'],
  ['a default of an item of a page', '{type: array, items: {type: string, default: a}}', '{type: array, items: {type: string}}', 'CC CC', 'No item is left out.'],
  ['a default of values of a map', '{type: object, additionalProperties: {type: boolean, default: false}}', '{type: object, additionalProperties: {type: boolean}}', 'CC CC', 'No name is missing.'],
];

export const EIGHTH_SCALAR_ROWS: readonly SchemaRow[] = [
  ...NUMBERS,
  ...STRINGS,
  ...FORMATS,
  ...CONSTANTS,
  ...DEFAULTS,
];
