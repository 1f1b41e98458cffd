// Fourth blind set: numbers, strings, formats, constants, null. Written before the code that it tests.
import type { SchemaRow } from '../pair.ts';
import { pattern, string } from '../texts.ts';

// An equality has the labels `CC --`: both inclusions. A near miss of it has `B- -B` or `-B B-`.
// biome-ignore format: a table
const NUMBERS: readonly SchemaRow[] = [
  ['exclusive half of an integer as a minimum', '{type: integer, exclusiveMinimum: 2.5}', '{type: integer, minimum: 3}', 'CC --', 'The first integer is 3.'],
  ['exclusive half of an integer as a later minimum', '{type: integer, exclusiveMinimum: 2.5}', '{type: integer, minimum: 4}', 'B- -B', '3 is valid before only.'],
  ['thousandths below one', '{type: number, exclusiveMaximum: 1}', '{type: number, multipleOf: 0.001, maximum: 0.999}', 'B- -B', '0.9995 is valid before only.'],
  ['exclusive bounds of 3.0 as bounds of an integer', '{type: integer, minimum: 0, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: true}', '{type: integer, minimum: 1, maximum: 9}', 'CC CC', '1 to 9.'],
  ['exclusive bounds of 3.0 as bounds of a number', '{type: number, minimum: 0, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: true}', '{type: number, minimum: 1, maximum: 9}', 'B- -B', '0.5 is valid before only.'],
  ['exclusiveMinimum false of 3.0 set to true', '{type: number, minimum: 5, exclusiveMinimum: false}', '{type: number, minimum: 5, exclusiveMinimum: true}', 'B- -B', '5 is valid before only.'],
  ['two multiples as their least common one', '{type: integer, allOf: [{multipleOf: 4}, {multipleOf: 6}]}', '{type: integer, multipleOf: 12}', 'CC --', '4 and 6 divide the multiples of 12 only.'],
  ['a multiple in an alternative that contains it', '{type: number, multipleOf: 0.5}', '{type: number, anyOf: [{multipleOf: 1}, {multipleOf: 0.5}]}', 'CC --', 'Whole numbers are multiples of a half.'],
  ['a small range as an enum', '{type: integer, minimum: -2, maximum: 2}', '{enum: [-2, -1, 0, 1, 2]}', 'CC --', 'The same integers.'],
  ['a small range as an enum with one more', '{type: integer, minimum: -2, maximum: 2}', '{enum: [-2, -1, 0, 1, 2, 3]}', '-B B-', '3 is valid after only.'],
  ['a range of one number', '{type: number, minimum: 1.5, maximum: 1.5}', '{const: 1.5}', 'CC --', 'Only 1.5.'],
  ['int32 as bounds without the lowest', '{type: integer, format: int32}', '{type: integer, minimum: -2147483647, maximum: 2147483647}', 'B- -B', '-2147483648 is valid before only.'],
  ['a range cut out of the numbers', '{type: number, not: {minimum: 1, maximum: 9}}', '{type: number, anyOf: [{maximum: 0}, {minimum: 10}]}', 'B- -B', '0.5 is valid before only.'],
  ['not a multiple of 1 as not an integer', '{type: number, not: {multipleOf: 1}}', '{type: number, not: {type: integer}}', 'CC --', '1.0 is an integer.'],
  ['a bound beside two types as branches', '{type: [number, string], maximum: 10}', '{anyOf: [{type: string}, {type: number, maximum: 10}]}', 'CC --', 'maximum ignores strings.'],
  ['a bound of two types on the string', '{type: [number, string], maximum: 10}', '{anyOf: [{type: string, maxLength: 10}, {type: number, maximum: 10}]}', 'B- -B', 'A string of 11 characters is valid before only.'],
  ['positive or negative as not zero', '{type: number, anyOf: [{exclusiveMaximum: 0}, {exclusiveMinimum: 0}]}', '{type: number, not: {const: 0}}', 'CC --', 'Every number but 0.'],
  ['positive or at most zero as not zero', '{type: number, anyOf: [{maximum: 0}, {exclusiveMinimum: 0}]}', '{type: number, not: {const: 0}}', 'B- -B', '0 is valid before only.'],
  ['overlapping ranges of oneOf as one range', '{type: number, oneOf: [{minimum: 0, maximum: 10}, {minimum: 5, maximum: 15}]}', '{type: number, minimum: 0, maximum: 15}', '-B B-', '7 matches both ranges.'],
  ['overlapping ranges of anyOf as one range', '{type: number, anyOf: [{minimum: 0, maximum: 10}, {minimum: 5, maximum: 15}]}', '{type: number, minimum: 0, maximum: 15}', 'CC --', 'The same numbers.'],
  ['tens between other bounds', '{type: integer, multipleOf: 10, minimum: 1, maximum: 99}', '{type: integer, multipleOf: 10, minimum: 10, maximum: 90}', 'CC --', '10 to 90 both.'],
  ['tens from another bound', '{type: integer, multipleOf: 10, minimum: 5}', '{type: integer, multipleOf: 10, minimum: 15}', 'B- -B', '10 is valid before only.'],
];

// biome-ignore format: a table
const STRINGS: readonly SchemaRow[] = [
  ['repetition as lengths', pattern('^[0-9]{4}$'), pattern('^[0-9]+$', ', minLength: 4, maxLength: 4'), 'CC --', 'Four digits.'],
  ['repetition as a minimum length', pattern('^[0-9]{4}$'), pattern('^[0-9]+$', ', minLength: 4'), '-B B-', 'Five digits are valid after only.'],
  ['repetition as an alternation', pattern('^[A-Z]{2,3}$'), pattern('^[A-Z]{2}$|^[A-Z]{3}$'), 'CC --', 'Two or three letters.'],
  ['anchored alternation as an enum', pattern('^(a|b|c)$'), '{type: string, enum: [a, b, c]}', 'CC --', 'The same three strings.'],
  ['alternation without an end as an enum', pattern('^(a|b|c)'), '{type: string, enum: [a, b, c]}', 'B- -B', 'ab is valid before only.'],
  ['a class without a character as its negation', pattern('^[^/]*$'), string("not: {pattern: '/'}"), 'CC --', 'No slash.'],
  ['word characters without the underscore', pattern('^\\w+$'), pattern('^[A-Za-z0-9]+$'), 'B- -B', '_ is valid before only.'],
  ['pattern without its end', pattern('^\\d{3}$'), pattern('^\\d{3}'), '-B B-', '1234 is valid after only.'],
  ['dots as lengths', pattern('^.{1,5}$'), string('minLength: 1, maxLength: 5'), '-B B-', 'A dot does not match a line break.'],
  ['trailing dots', pattern('^[a-z]'), pattern('^[a-z].*'), 'CC --', 'The same strings.'],
  ['two classes as one', pattern('^(?:[a-c]|[d-f])+$'), pattern('^[a-f]+$'), 'CC --', 'The same letters.'],
  ['two classes as one with a gap', pattern('^(?:[a-c]|[e-f])+$'), pattern('^[a-f]+$'), '-B B-', 'd is valid after only.'],
  ['a star beside a minimum length', pattern('^[a-f]*$', ', minLength: 1'), pattern('^[a-f]+$'), 'CC --', 'At least one letter.'],
  ['optional group as a longer repetition', pattern('^[a-z](-[a-z])?$'), pattern('^[a-z](-[a-z])*$'), '-B B-', 'a-b-c is valid after only.'],
  ['two patterns as one', string("allOf: [{pattern: '^a'}, {pattern: 'z$'}]"), pattern('^a[^]*z$'), 'CC --', 'From a to z.'],
  ['two patterns as one that starts later', string("allOf: [{pattern: '^a'}, {pattern: 'a$'}]"), pattern('^a[^]*a$'), 'B- -B', 'The single letter a is valid before only.'],
  ['lengths that meet', '{anyOf: [{type: string, maxLength: 5}, {type: string, minLength: 6}]}', '{type: string}', 'CC --', 'Every length is on one side.'],
  ['lengths with a gap', '{anyOf: [{type: string, maxLength: 5}, {type: string, minLength: 7}]}', '{type: string}', '-B B-', 'Six characters are valid after only.'],
  ['lengths that overlap in oneOf', '{oneOf: [{type: string}, {type: string, minLength: 3}]}', '{type: string, maxLength: 2}', 'CC --', 'Longer strings match both.'],
  ['case of a class', pattern('^[A-Fa-f0-9]+$'), pattern('^[a-f0-9]+$'), 'B- -B', 'A is valid before only.'],
  ['date with a pattern', string('format: date'), string("format: date, pattern: '^2'"), 'B- -B', '1999-01-01 is valid before only.'],
  ['UUID in small letters', string('format: uuid'), string("format: uuid, pattern: '^[0-9a-f-]{36}$'"), 'B- -B', 'Capitals are valid before only.'],
];

// biome-ignore format: a table
const CONSTANTS: readonly SchemaRow[] = [
  ['nullable beside an enum without null (3.0)', '{type: string, nullable: true, enum: [a, b]}', '{type: string, nullable: false, enum: [a, b]}', 'B- -B', 'The engine adds null to the enum of a nullable schema.'],
  ['null removed from a nullable enum (3.0)', '{type: string, nullable: true, enum: [a, b, null]}', '{type: string, nullable: true, enum: [a, b]}', 'CC CC', 'The engine adds null to the enum of a nullable schema.'],
  ['null in the types beside an enum without it', "{type: [string, 'null'], enum: [a]}", '{type: string, enum: [a]}', 'CC --', 'null is no value of the enum.'],
  ['a nullable bounded string as branches', "{type: [string, 'null'], minLength: 3}", "{anyOf: [{type: 'null'}, {type: string, minLength: 3}]}", 'CC --', 'minLength ignores null.'],
  ['null in two branches of oneOf', "{oneOf: [{type: 'null'}, {type: [string, 'null']}]}", "{type: [string, 'null']}", '-B B-', 'null matches both branches.'],
  ['a value of an integer that is none', '{type: integer, enum: [1, 2, 2.5]}', '{type: integer, enum: [1, 2]}', 'CC --', '2.5 is no integer.'],
  ['a number as a string too', '{enum: [1, 2]}', "{enum: [1, 2, '2']}", '-B B-', 'The string 2 is valid after only.'],
  ['boolean as an enum', '{type: boolean}', '{enum: [false, true]}', 'CC --', 'The same values.'],
  ['boolean as a constant', '{type: boolean}', '{const: true}', 'B- -B', 'false is valid before only.'],
  ['a constant object in another order', '{const: {a: 1, b: [2]}}', '{enum: [{b: [2], a: 1}]}', 'CC --', 'Objects have no order.'],
  ['a constant array in another order', '{const: [1, 2]}', '{const: [2, 1]}', 'BB --', 'Arrays have an order.'],
  ['any type but null as a list', "{not: {type: 'null'}}", '{type: [string, number, boolean, object, array]}', 'CC --', 'The same types.'],
  ['any type as a list without null', '{}', '{type: [string, number, boolean, object, array]}', 'B- -B', 'null is valid before only.'],
  ['number beside string for integer', '{type: [string, integer]}', '{type: [string, number]}', '-B B-', '1.5 is valid after only.'],
  ['common values of two enums', '{allOf: [{enum: [a, b, c]}, {enum: [b, c, d]}]}', '{enum: [c, b]}', 'CC --', 'b and c.'],
  ['values of two enums together', '{allOf: [{enum: [a, b, c]}, {enum: [b, c, d]}]}', '{enum: [a, b, c, d]}', '-B B-', 'a is valid after only.'],
  ['a nullable object as a branch (3.0 to 3.1)', '{type: object, nullable: true, properties: {a: {type: string}}}', "{oneOf: [{type: 'null'}, {type: object, properties: {a: {type: string}}}]}", 'CC CC', 'Null or the object.'],
  ['a nullable object as the object (3.0 to 3.1)', '{type: object, nullable: true, properties: {a: {type: string}}}', '{type: object, properties: {a: {type: string}}}', 'B- -B', 'null is valid before only.'],
  ['two types that exclude each other', '{allOf: [{type: string}, {type: integer}]}', '{not: {}}', 'CC --', 'No value is valid.'],
  ['a constant or longer strings', '{anyOf: [{const: a}, {type: string, minLength: 2}]}', '{type: string, minLength: 1}', '-B B-', 'b is valid after only.'],
];

export const FOURTH_SCALAR_ROWS: readonly SchemaRow[] = [...NUMBERS, ...STRINGS, ...CONSTANTS];
