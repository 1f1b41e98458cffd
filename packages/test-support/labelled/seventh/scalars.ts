// Seventh blind set: numbers, strings, formats, constants, defaults. Written without the code of the diff.
import type { SchemaRow } from '../pair.ts';
import { pattern, string } from '../texts.ts';

const property = (schema: string, rest = '') => `{type: object, properties: {n: ${schema}}${rest}}`;
const REQUIRED = ', required: [n]';

// Labels of an equality are `CC --`, of an inclusion `CB BC` or `BC CB`.
// biome-ignore format: a table
const NUMBERS: readonly SchemaRow[] = [
  ['port numbers with the other kind of bound', '{type: integer, exclusiveMinimum: -1, maximum: 65535}', '{type: integer, minimum: 0, exclusiveMaximum: 65536}', 'CC --', '0 to 65535.'],
  ['port numbers without 0', '{type: integer, minimum: 0, maximum: 65535}', '{type: integer, exclusiveMinimum: 0, maximum: 65535}', 'BC CB', '0 is valid before only.'],
  ['percentages as numbers with a step', '{type: integer, minimum: 0, maximum: 100}', '{type: number, multipleOf: 1, minimum: -0.5, maximum: 100.9}', 'CC --', 'The integers 0 to 100.'],
  ['percentages as numbers with a step and a lower bound', '{type: integer, minimum: 0, maximum: 100}', '{type: number, multipleOf: 1, minimum: -1, maximum: 100.9}', 'CB BC', '-1 is valid after only.'],
  ['an integer beyond the doubles as a bound', '{type: integer, format: int64, maximum: 9007199254740993}', '{type: integer, format: int64, maximum: 9007199254740992}', 'BC CB', '9007199254740993 is valid before only.'],
  ['bounds in scientific notation', '{type: number, minimum: 0.1, maximum: 300}', '{type: number, minimum: 1e-1, maximum: 3.0e2}', 'CC --', 'The same numbers.'],
  ['quarters between 0 and 1', '{type: number, multipleOf: 0.25, exclusiveMinimum: 0, exclusiveMaximum: 1}', '{enum: [0.25, 0.5, 0.75]}', 'CC --', 'Three quarters.'],
  ['quarters between 0 and 1 without one', '{type: number, multipleOf: 0.25, exclusiveMinimum: 0, exclusiveMaximum: 1}', '{enum: [0.25, 0.75]}', 'BC CB', '0.5 is valid before only.'],
  ['cents as tenths of a cent', '{type: number, minimum: 0, multipleOf: 0.01}', '{type: number, minimum: 0, multipleOf: 0.001}', 'CB BC', '0.001 is valid after only.'],
  ['hundreds up to another number below the next', '{type: integer, multipleOf: 100, minimum: 0, maximum: 950}', '{type: integer, multipleOf: 100, minimum: -99, maximum: 999}', 'CC --', '0 to 900.'],
  ['hundreds up to the next', '{type: integer, multipleOf: 100, minimum: 0, maximum: 999}', '{type: integer, multipleOf: 100, minimum: 0, maximum: 1000}', 'CB BC', '1000 is valid after only.'],
  ['a step for larger numbers as branches', '{type: integer, if: {minimum: 100}, then: {multipleOf: 10}}', '{type: integer, anyOf: [{maximum: 100}, {multipleOf: 10}]}', 'CC --', '100 has the step anyway.'],
  ['a step that starts later', '{type: integer, if: {minimum: 100}, then: {multipleOf: 10}}', '{type: integer, anyOf: [{maximum: 101}, {multipleOf: 10}]}', 'CB BC', '101 is valid after only.'],
  ['not zero in two ways', '{type: number, not: {enum: [0]}}', '{type: number, not: {minimum: 0, maximum: 0}}', 'CC --', 'Every number but 0.'],
  ['an amount with a currency of no fraction', "{anyOf: [{type: integer}, {type: number, multipleOf: 0.5}]}", '{type: number, multipleOf: 0.5}', 'CC --', 'Integers are halves.'],
  ['latitude that excludes the poles', '{type: number, minimum: -90, maximum: 90}', '{type: number, exclusiveMinimum: -90, exclusiveMaximum: 90}', 'BC CB', 'The poles are valid before only.'],
  ['a bound that excludes nothing more', '{type: number, minimum: 5, exclusiveMinimum: 5}', '{type: number, exclusiveMinimum: 5}', 'CC --', 'Above 5.'],
  ['a boolean with all its values', '{type: boolean}', '{type: boolean, enum: [true, false]}', 'CC --', 'The same values.'],
  ['consent that must be given', '{type: boolean}', '{type: boolean, enum: [true]}', 'BC CB', 'false is valid before only.'],
];

// biome-ignore format: a table
const STRINGS: readonly SchemaRow[] = [
  ['phone number with a digit class', pattern('^\\+[1-9]\\d{1,14}$'), pattern('^[+][1-9][0-9]{1,14}$'), 'CC --', 'The same numbers.'],
  ['phone number with an optional plus', pattern('^\\+[1-9]\\d{1,14}$'), pattern('^\\+?[1-9]\\d{1,14}$'), 'CB BC', '49123 is valid after only.'],
  ['version with a dot that is not escaped', pattern('^\\d+\\.\\d+$'), pattern('^\\d+.\\d+$'), 'CB BC', '1x2 is valid after only.'],
  ['slug with its repetition first', pattern('^[a-z0-9]+(?:-[a-z0-9]+)*$'), pattern('^(?:[a-z0-9]+-)*[a-z0-9]+$'), 'CC --', 'The same slugs.'],
  ['slug with hyphens in a row', pattern('^[a-z0-9]+(?:-[a-z0-9]+)*$'), pattern('^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$'), 'CB BC', 'a--b is valid after only.'],
  ['no hyphen first by lookahead', pattern('^(?!-)[a-z-]{1,63}$'), pattern('^[a-z][a-z-]{0,62}$'), 'CC --', 'A letter first.'],
  ['no two hyphens first by lookahead', pattern('^(?!--)[a-z-]{1,63}$'), pattern('^[a-z][a-z-]{0,62}$'), 'BC CB', '-a is valid before only.'],
  ['reserved names excluded by lookahead', pattern('^(?!(?:admin|root)$)[a-z]+$'), string("pattern: '^[a-z]+$', not: {enum: [admin, root]}"), 'CC --', 'The same names.'],
  ['reserved prefixes excluded by lookahead', pattern('^(?!admin|root)[a-z]+$'), string("pattern: '^[a-z]+$', not: {enum: [admin, root]}"), 'CB BC', 'admins is valid after only.'],
  ['one character by a dot', string('minLength: 1'), pattern('.'), 'BC CB', 'A line break alone is valid before only.'],
  ['digits of all scripts', pattern('^\\d+$'), pattern('^\\p{Nd}+$'), 'CB BC', 'Arabic digits are valid after only.'],
  ['empty or a year', pattern('^$|^\\d{4}$'), string("anyOf: [{maxLength: 0}, {pattern: '^\\d{4}$'}]"), 'CC --', 'The same strings.'],
  ['empty or a year as an optional group', pattern('^(?:\\d{4})?$'), pattern('^\\d{0,4}$'), 'CB BC', '20 is valid after only.'],
  ['a length that the pattern lacks', pattern('^[A-Z]{2}', ', maxLength: 2'), pattern('^[A-Z]{2}'), 'CB BC', 'DEU is valid after only.'],
  ['hexadecimal color with three digits', pattern('^#[0-9a-f]{6}$'), pattern('^#(?:[0-9a-f]{3}){1,2}$'), 'CB BC', '#fff is valid after only.'],
  ['hexadecimal color as two groups', pattern('^#(?:[0-9a-f]{3}){1,2}$'), pattern('^#[0-9a-f]{3}(?:[0-9a-f]{3})?$'), 'CC --', '3 or 6 digits.'],
  ['an id with one of two prefixes', pattern('^(?:cus|acct)_[A-Za-z0-9]+$'), string("anyOf: [{pattern: '^cus_[A-Za-z0-9]+$'}, {pattern: '^acct_[A-Za-z0-9]+$'}]"), 'CC --', 'The same ids.'],
  ['an id with a prefix that ends nowhere', pattern('^cus_[A-Za-z0-9]+$'), pattern('^cus_[A-Za-z0-9]+'), 'CB BC', 'cus_a! is valid after only.'],
  ['times of day by pattern', pattern('^([01]\\d|2[0-3]):[0-5]\\d$'), pattern('^(?:0\\d|1\\d|20|21|22|23):[0-5][0-9]$'), 'CC --', '00:00 to 23:59.'],
  ['times of day with 24:00', pattern('^([01]\\d|2[0-3]):[0-5]\\d$'), pattern('^([01]\\d|2[0-4]):[0-5]\\d$'), 'CB BC', '24:00 is valid after only.'],
];

// biome-ignore format: a table
const FORMATS: readonly SchemaRow[] = [
  ['the length of a date', string('format: date'), string('format: date, minLength: 10, maxLength: 10'), 'CC --', 'A date has 10 characters.'],
  ['a shorter length than that of an IPv4 address', string('format: ipv4'), string('format: ipv4, maxLength: 14'), 'BC CB', '192.168.100.100 is valid before only.'],
  ['times in UTC only', string('format: date-time'), string("format: date-time, pattern: 'Z$'"), 'BC CB', '2020-01-01T00:00:00+01:00 is valid before only.'],
  ['date or time for date', string('format: date'), '{anyOf: [{type: string, format: date}, {type: string, format: date-time}]}', 'CB BC', 'A date-time is valid after only.'],
  ['date as an explicit conjunct', string('format: date'), '{allOf: [{type: string}, {format: date}]}', 'CC --', 'The same dates.'],
  ['a format that nobody defines, renamed', string('format: phone'), string('format: phone-number'), 'RR RR', 'A hint that SDKs may read.'],
  ['a format of strings on an integer', '{type: integer, format: date}', '{type: integer, format: date, minimum: 0}', 'BC CB', '-1 is valid before only.'],
  ['a format beside the values that it allows', string("format: date, enum: ['2020-01-01', '2021-01-01']"), string("enum: ['2020-01-01', '2021-01-01']"), 'CC --', 'Both are dates.'],
  ['a UUID as any string', string('format: uuid'), '{type: string}', 'CB BC', 'Other strings are valid after only.'],
  ['an IPv4 or IPv6 address, exactly one', '{type: string, oneOf: [{format: ipv4}, {format: ipv6}]}', '{type: string, anyOf: [{format: ipv6}, {format: ipv4}]}', 'CC --', 'No address is both.'],
];

// biome-ignore format: a table
const CONSTANTS: readonly SchemaRow[] = [
  ['words of YAML 1.1 in quotes', '{type: string, enum: [yes, no, on, off]}', "{type: string, enum: ['yes', 'no', 'on', 'off']}", 'CC --', 'Strings in YAML 1.2.'],
  ['the enum that its pattern allows', string("enum: [a1, a2, b1], pattern: '^a'"), string('enum: [a2, a1]'), 'CC --', 'a1 and a2.'],
  ['an enum with values of another type', '{type: string, enum: [low, high, 1]}', '{type: string, enum: [low, high, 2, null]}', 'CC --', 'low and high.'],
  ['an enum or null', "{type: [string, 'null'], enum: [a, b, null]}", "{oneOf: [{type: 'null'}, {type: string, enum: [b, a]}]}", 'CC --', 'a, b and null.'],
  ['an enum with a null that its type refuses', "{type: [string, 'null'], enum: [a, b, null]}", '{type: string, enum: [a, b, null]}', 'BC CB', 'null is valid before only.'],
  ['an enum in parts', string('enum: [a, b, c]'), string('anyOf: [{enum: [a]}, {enum: [b, c]}]'), 'CC --', 'a, b and c.'],
  ['an enum in parts that share a value', string('enum: [a, b, c]'), string('oneOf: [{enum: [a, b]}, {enum: [b, c]}]'), 'BC CB', 'b is in two parts.'],
  ['constants with descriptions', string('enum: [a, b]'), '{type: string, oneOf: [{const: a, description: first}, {const: b, description: second}]}', 'CC --', 'The same values.'],
  ['an extensible enum in another order', string('x-extensible-enum: [a, b]'), string('x-extensible-enum: [b, a]'), 'CC CC', 'The same values.'],
  ['an extensible enum with another value', string('x-extensible-enum: [a, b]'), string('x-extensible-enum: [a, b, c]'), 'CC BC', 'Clients expect further values; the reverse no longer takes c.'],
  ['an extensible enum in place of a string', '{type: string}', string('x-extensible-enum: [a, b]'), 'RC CC', 'The values that clients send may be unknown now.'],
];

// biome-ignore format: a table
const DEFAULTS: readonly SchemaRow[] = [
  ['a default in another notation', property('{type: number, default: 1}'), property('{type: number, default: 1.0}'), 'CC CC', 'The same number.'],
  ['a default object in another order', property('{type: object, default: {a: 1, b: 2}}'), property('{type: object, default: {b: 2, a: 1}}'), 'CC CC', 'Objects have no order.'],
  ['a default array in another order', property('{type: array, items: {type: string}, default: [a, b]}'), property('{type: array, items: {type: string}, default: [b, a]}'), 'BR BR', 'Arrays have an order.'],
  ['a default of an item', '{type: array, items: {type: integer, default: 1}}', '{type: array, items: {type: integer, default: 2}}', 'CC CC', 'No item is left out.'],
  ['a default of a property of a map', '{type: object, additionalProperties: {type: integer, default: 1}}', '{type: object, additionalProperties: {type: integer, default: 2}}', 'CC CC', 'No name is missing.'],
  ['a default of properties by pattern', "{type: object, patternProperties: {'^x-': {type: integer, default: 1}}}", "{type: object, patternProperties: {'^x-': {type: integer, default: 2}}}", 'CC CC', 'No name is missing.'],
  ['a default below an item', '{type: array, items: {type: object, properties: {n: {type: integer, default: 1}}}}', '{type: array, items: {type: object, properties: {n: {type: integer, default: 2}}}}', 'BR BR', 'n may be missing.'],
  ['a default of a required property', property('{type: integer, default: 10}', REQUIRED), property('{type: integer, default: 20}', REQUIRED), 'CC CC', 'Every object has it.'],
  ['a default of a readOnly property', property('{type: integer, readOnly: true, default: 1}'), property('{type: integer, readOnly: true, default: 2}'), 'CR CR', 'Only replies have it.'],
  ['a date without quotes as a default', property('{type: string, format: date, default: 2020-01-01}'), property("{type: string, format: date, default: '2020-01-01'}"), 'CC CC', 'The same string.'],
  ['a default of another case', property('{type: string, enum: [asc, ASC], default: asc}'), property('{type: string, enum: [asc, ASC], default: ASC}'), 'BR BR', 'Another value if it is omitted.'],
  ['a default that a conjunct has', property('{type: integer, default: 10}'), property('{allOf: [{type: integer}], default: 10}'), 'CC CC', 'The same default.'],
  ['a default that changes below a conjunct', property('{allOf: [{type: integer}], default: 10}'), property('{allOf: [{type: integer}], default: 20}'), 'BR BR', 'Another value if it is omitted.'],
];

export const SEVENTH_SCALAR_ROWS: readonly SchemaRow[] = [
  ...NUMBERS,
  ...STRINGS,
  ...FORMATS,
  ...CONSTANTS,
  ...DEFAULTS,
];
