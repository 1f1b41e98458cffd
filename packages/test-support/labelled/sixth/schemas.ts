// Sixth blind set: values, objects, arrays, compositions, access. Written before the diff ran on it.
import type { SchemaRow } from '../pair.ts';

const text = (rest: string) => `{type: string, ${rest}}`;
const pattern = (source: string, rest = '') => text(`pattern: '${source}'${rest}`);
const array = (rest: string) => `{type: array, ${rest}}`;
const object = (rest: string) => `{type: object, ${rest}}`;
const CLOSED = 'additionalProperties: false';
const EVALUATED = 'unevaluatedProperties: false';
const NOTHING = '{not: {}}';
const [A, B, AB] = [
  'a: {type: string}',
  'b: {type: integer}',
  'a: {type: string}, b: {type: integer}',
];

// biome-ignore format: a table
const VALUES: readonly SchemaRow[] = [
  ['the only multiple between two bounds', '{type: integer, multipleOf: 3, minimum: 4, maximum: 8}', '{const: 6}', 'CC --', 'Only 6.'],
  ['tenths up to three as an enum', '{type: number, multipleOf: 0.1, minimum: 0, maximum: 0.3}', '{enum: [0, 0.1, 0.2, 0.3]}', 'CC --', 'Four tenths.'],
  ['a date that is long enough', text('format: date, minLength: 8'), text('format: date'), 'CC --', 'A date has ten characters.'],
  ['a date that is too long', text('format: date, maxLength: 9'), NOTHING, 'CC --', 'A date has ten characters.'],
  ['a date as digits', text('format: date'), pattern('^\\d{4}-\\d{2}-\\d{2}$'), 'CB B-', '2020-99-99 is valid after only.'],
  ['a duration by its first letter', text('format: duration'), pattern('^P'), 'CB B-', 'P alone is valid after only.'],
  ['an enum beside the types of two of its values', "{type: [integer, 'null'], enum: [1, null, a]}", '{enum: [null, 1]}', 'CC --', 'a has another type.'],
  ['integers without two of four', '{type: integer, minimum: 1, maximum: 4, not: {enum: [1, 2]}}', '{enum: [3, 4]}', 'CC --', '3 and 4.'],
  ['an enum without the refused values', text('enum: [a, b, c], not: {enum: [a, b]}'), '{const: c}', 'CC --', 'Only c.'],
  ['zero or a positive integer', '{anyOf: [{const: 0}, {type: integer, minimum: 1}]}', '{type: integer, minimum: 0}', 'CC --', 'The same integers.'],
  ['even or odd', '{oneOf: [{type: integer, multipleOf: 2}, {type: integer, not: {multipleOf: 2}}]}', '{type: integer}', 'CC --', 'Every integer is either.'],
  ['outside of the overlap of oneOf', '{type: number, oneOf: [{minimum: 0}, {maximum: 10}]}', '{type: number, anyOf: [{exclusiveMaximum: 0}, {exclusiveMinimum: 10}]}', 'CC --', '0 to 10 match both.'],
  ['outside of a narrower overlap of oneOf', '{type: number, oneOf: [{minimum: 0}, {maximum: 10}]}', '{type: number, anyOf: [{maximum: 0}, {minimum: 10}]}', 'CB B-', '0 is valid after only.'],
  ['words that do not start with x', pattern('^[a-z]+$', ", not: {pattern: '^x'}"), pattern('^[a-wyz][a-z]*$'), 'CC --', 'The same words.'],
  ['words that start before x', pattern('^[a-z]+$', ", not: {pattern: '^x'}"), pattern('^[a-w][a-z]*$'), 'B- -B', 'y is valid before only.'],
  ['a lookahead as two patterns', pattern('^(?=.*[0-9])[a-z0-9]+$'), text("allOf: [{pattern: '[0-9]'}, {pattern: '^[a-z0-9]+$'}]"), 'CC --', 'Words with a digit.'],
  ['another reserved word', pattern('^(?!admin)[a-z]+$'), pattern('^(?!root)[a-z]+$'), 'BB --', 'root is valid before only, admin after only.'],
  ['any capital as ASCII capitals', pattern('^\\p{Lu}'), pattern('^[A-Z]'), 'B- -B', 'Umlauts are valid before only.'],
  ['an open object of a constant', object('properties: {a: {const: 1}}, required: [a]'), '{const: {a: 1}}', 'B- -B', 'Other properties are valid before only.'],
  ['two equal items as a constant', array('items: {const: 1}, minItems: 2, maxItems: 2'), '{const: [1, 1]}', 'CC --', 'The same array.'],
  ['two or three equal items as a constant', array('items: {const: 1}, minItems: 2, maxItems: 3'), '{const: [1, 1]}', 'B- -B', 'Three items are valid before only.'],
  ['a tuple as a constant', array('prefixItems: [{const: 1}, {const: a}], items: false, minItems: 2'), '{const: [1, a]}', 'CC --', 'The same array.'],
  ['default list in another order', object('properties: {o: {type: array, default: [1, 2]}}'), object('properties: {o: {type: array, default: [2, 1]}}'), 'BR --', 'A request without it means another list.'],
  ['documentation of a value', '{type: integer, title: A, examples: [1], description: x}', "{type: integer, title: B, examples: [2], $comment: y}", 'CC --', 'Documentation.'],
];

const TAG_A = 'properties: {t: {const: a}, n: {type: integer}}, required: [t]';
const TAG_B = 'properties: {t: {const: b}, s: {type: string}}, required: [t]';
const tagged = (rest: string) => `oneOf: [{${TAG_A}${rest}}, {${TAG_B}${rest}}]`;
const HAS_A = `properties: {${A}}, required: [a]`;
const HAS_B = `properties: {${B}}, required: [b]`;

// biome-ignore format: a table
const OBJECTS: readonly SchemaRow[] = [
  ['a name that cannot be there, in other words', object('properties: {a: false}, required: [a]'), object('properties: {b: false}, required: [b]'), 'CC --', 'No object is valid.'],
  ['a dependency as alternatives', object(`properties: {${AB}}, dependentRequired: {a: [b]}`), object(`properties: {${AB}}, anyOf: [{not: {required: [a]}}, {required: [b]}]`), 'CC --', 'Without a, or with b.'],
  ['a dependency as alternatives the other way', object(`properties: {${AB}}, dependentRequired: {a: [b]}`), object(`properties: {${AB}}, anyOf: [{not: {required: [b]}}, {required: [a]}]`), 'BB --', 'b alone is valid before only, a alone after only.'],
  ['exactly one of two names in other words', object(`properties: {${AB}}, oneOf: [{required: [a]}, {required: [b]}]`), object(`properties: {${AB}}, anyOf: [{required: [a]}, {required: [b]}], not: {required: [a, b]}`), 'CC --', 'Exactly one.'],
  ['a refused name in other words', object('propertyNames: {not: {const: id}}'), object('properties: {id: false}'), 'CC --', 'Not id.'],
  ['refused names by their pattern', object("patternProperties: {'^x-': false}"), object("propertyNames: {not: {pattern: '^x-'}}"), 'CC --', 'No such name.'],
  ['refused names by a looser pattern', object("patternProperties: {'^x-': false}"), object("propertyNames: {not: {pattern: '^x'}}"), 'B- -B', 'The name xy is valid before only.'],
  ['names that are too long to be there', object('propertyNames: {maxLength: 3}, properties: {a: {type: string}, long: {type: string}}'), object('propertyNames: {maxLength: 3}, properties: {a: {type: string}, long: false}'), 'CC --', 'long has four characters.'],
  ['no empty name', object('propertyNames: {minLength: 1}'), object("properties: {'': false}"), 'CC --', 'Every name but the empty one.'],
  ['one property of one name', object('propertyNames: {enum: [a]}, minProperties: 1'), object(`properties: {a: true}, required: [a], ${CLOSED}`), 'CC --', 'Only a.'],
  ['a property for which there is no room', object(`properties: {${AB}}, required: [a], maxProperties: 1`), object(`properties: {${A}}, required: [a], maxProperties: 1`), 'CC --', 'b is never there.'],
  ['a property for which there is room', object(`properties: {${AB}}, required: [a], maxProperties: 2`), object(`properties: {${A}}, required: [a], maxProperties: 2`), 'RB --', 'Readers of b find nothing.'],
  ['one or both, and both or none', object(`properties: {${AB}}, ${CLOSED}, minProperties: 1, dependentRequired: {a: [b], b: [a]}`), object(`properties: {${AB}}, ${CLOSED}, required: [a, b]`), 'CC --', 'Both.'],
  ['one or both, with a dependency one way', object(`properties: {${AB}}, ${CLOSED}, minProperties: 1, dependentRequired: {a: [b]}`), object(`properties: {${AB}}, ${CLOSED}, required: [a, b]`), 'B- -B', 'b alone is valid before only.'],
  ['a name with or without another', object(`properties: {${AB}}, anyOf: [{required: [a]}, {required: [a, b]}]`), object(`properties: {${AB}}, required: [a]`), 'CC --', 'a is always there.'],
  ['a name, and not with another', object(`properties: {${A}}, oneOf: [{required: [a]}, {required: [a, b]}]`), object(`properties: {${A}, b: false}, required: [a]`), 'CC --', 'With b both branches match.'],
  ['tagged branches closed outside', object(`${tagged('')}, ${EVALUATED}`), object(tagged(`, ${CLOSED}`)), 'CC --', 'A branch evaluates its own names.'],
  ['tagged branches closed as one', object(`${tagged('')}, ${EVALUATED}`), object(`properties: {t: {enum: [a, b]}, n: {type: integer}, s: {type: string}}, required: [t], ${CLOSED}`), 'CB B-', 'n beside the tag b is valid after only.'],
  ['the rest of a property typed by unevaluatedProperties', object(`properties: {${B}}, unevaluatedProperties: {type: string}`), object(`properties: {${B}}, additionalProperties: {type: string}`), 'CC --', 'The same rest.'],
  ['names that a condition evaluates', object(`if: {properties: {t: {const: a}}, required: [t]}, then: {properties: {n: {type: integer}}}, ${EVALUATED}`), object(`properties: {t: {const: a}, n: {type: integer}}, dependentRequired: {n: [t]}, ${CLOSED}`), 'CC --', 'Nothing, or t with n.'],
  ['names that a condition evaluates without its tag', object(`if: {properties: {t: {const: a}}, required: [t]}, then: {properties: {n: {type: integer}}}, ${EVALUATED}`), object(`properties: {t: {const: a}, n: {type: integer}}, ${CLOSED}`), 'CB B-', 'n alone is valid after only.'],
  ['names that a dependency evaluates', object(`properties: {${A}}, dependentSchemas: {a: {properties: {${B}}}}, ${EVALUATED}`), object(`properties: {${AB}}, dependentRequired: {b: [a]}, ${CLOSED}`), 'CC --', 'b beside a only.'],
  ['names that a negation does not evaluate', object(`properties: {a: true}, not: {not: {properties: {b: true}}}, ${EVALUATED}`), object(`properties: {a: true}, ${CLOSED}`), 'CC --', 'not evaluates nothing.'],
  ['everything evaluated by a part', object(`allOf: [{additionalProperties: true}], ${EVALUATED}`), '{type: object}', 'CC --', 'Nothing is left.'],
  ['a map evaluated by a part', object(`allOf: [{properties: {${A}}, additionalProperties: {type: integer}}], ${EVALUATED}`), object(`properties: {${A}}, additionalProperties: {type: integer}`), 'CC --', 'Nothing is left.'],
  ['what each branch evaluates', object(`anyOf: [{${HAS_A}}, {${HAS_B}}], ${EVALUATED}`), `{anyOf: [${object(`${HAS_A}, ${CLOSED}`)}, ${object(`${HAS_B}, ${CLOSED}`)}, ${object(`properties: {${AB}}, required: [a, b], ${CLOSED}`)}]}`, 'CC --', 'a, b or both.'],
  ['what each branch evaluates without both', object(`anyOf: [{${HAS_A}}, {${HAS_B}}], ${EVALUATED}`), `{anyOf: [${object(`${HAS_A}, ${CLOSED}`)}, ${object(`${HAS_B}, ${CLOSED}`)}]}`, 'B- -B', 'Both are valid before only.'],
  ['a required name by pattern and by name', object("required: [x1], patternProperties: {'^x': {type: string}}"), object("required: [x1], properties: {x1: {type: string}}, patternProperties: {'^x': {type: string}}"), 'CC --', 'The pattern types x1.'],
  ['branches with closed objects as oneOf', `{anyOf: [${object(`${HAS_A}, ${CLOSED}`)}, ${object(`${HAS_B}, ${CLOSED}`)}]}`, `{oneOf: [${object(`${HAS_A}, ${CLOSED}`)}, ${object(`${HAS_B}, ${CLOSED}`)}]}`, 'CC --', 'No object matches both.'],
  ['at most one of three names', object(`properties: {a: true, b: true, c: true}, ${CLOSED}, maxProperties: 1`), object(`properties: {a: true, b: true, c: true}, ${CLOSED}, not: {anyOf: [{required: [a, b]}, {required: [b, c]}, {required: [a, c]}]}`), 'CC --', 'No two.'],
  ['at most one of three names, one pair missed', object(`properties: {a: true, b: true, c: true}, ${CLOSED}, maxProperties: 1`), object(`properties: {a: true, b: true, c: true}, ${CLOSED}, not: {anyOf: [{required: [a, b]}, {required: [b, c]}]}`), 'CB B-', 'a with c is valid after only.'],
];

// biome-ignore format: a table
const ARRAYS: readonly SchemaRow[] = [
  ['uniqueness of different constants', array('prefixItems: [{const: a}, {const: b}], items: false, uniqueItems: true'), array('prefixItems: [{const: a}, {const: b}], items: false'), 'CC --', 'a and b differ.'],
  ['uniqueness of a constant and any string', array('prefixItems: [{const: a}, {type: string}], items: false, uniqueItems: true'), array('prefixItems: [{const: a}, {type: string}], items: false'), '-B B-', '[a, a] is valid after only.'],
  ['a place for anything at the end', array('prefixItems: [true, {type: string}, true]'), array('prefixItems: [true, {type: string}]'), 'CC --', 'The third item is any value.'],
  ['items after the last', array('prefixItems: [{type: string}], items: {type: integer}, maxItems: 1'), array('items: {type: string}, maxItems: 1'), 'CC --', 'No second item.'],
  ['one item as a tuple', array('items: {type: integer}, minItems: 1, maxItems: 1'), array('prefixItems: [{type: integer}], items: false, minItems: 1'), 'CC --', 'One integer.'],
  ['an integer among texts as not only texts', array('items: {type: [integer, string]}, contains: {type: integer}'), array('items: {type: [integer, string]}, not: {items: {type: string}}'), 'CC --', 'At least one integer.'],
  ['two matches in one item', array('contains: {type: integer}, minContains: 2, maxItems: 1'), NOTHING, 'CC --', 'No array is valid.'],
  ['anything contained as lengths', array('contains: true, maxContains: 3'), array('minItems: 1, maxItems: 3'), 'CC --', 'One to three items.'],
  ['anything contained as a maximum', array('contains: true, maxContains: 3'), array('maxItems: 3'), '-B B-', 'The empty array is valid after only.'],
  ['the rest of a tuple by unevaluatedItems', array('prefixItems: [{type: string}], unevaluatedItems: {type: integer}'), array('prefixItems: [{type: string}], items: {type: integer}'), 'CC --', 'The same rest.'],
  ['two tuples closed together', array('allOf: [{prefixItems: [{type: string}]}, {prefixItems: [true, {type: integer}]}], unevaluatedItems: false'), array('prefixItems: [{type: string}, {type: integer}], items: false'), 'CC --', 'Two places.'],
  ['tuples of branches closed together', array('anyOf: [{prefixItems: [{const: a}, {type: string}]}, {prefixItems: [{const: b}]}], unevaluatedItems: false'), array('anyOf: [{prefixItems: [{const: a}, {type: string}], items: false}, {prefixItems: [{const: b}], items: false}]'), 'CC --', 'A branch evaluates its own places.'],
  ['tuples of branches closed as one', array('anyOf: [{prefixItems: [{const: a}, {type: string}]}, {prefixItems: [{const: b}]}], unevaluatedItems: false'), array('prefixItems: [{enum: [a, b]}, {type: string}], items: false'), 'CB B-', '[b, x] is valid after only.'],
  ['contained items as the only ones', array('contains: {type: string}, unevaluatedItems: false'), array('items: {type: string}, minItems: 1'), 'CC --', 'Only strings, at least one.'],
  ['contained items that need not be there as the only ones', array('contains: {type: string}, minContains: 0, unevaluatedItems: false'), array('items: {type: string}'), 'CC --', 'Only strings.'],
  ['unique booleans or null', array("items: {type: [boolean, 'null']}, uniqueItems: true"), array("items: {type: [boolean, 'null']}, uniqueItems: true, maxItems: 2"), 'B- -B', 'Three values exist.'],
  ['one value, once', array('items: {const: a}, uniqueItems: true'), array('items: {const: a}, maxItems: 1'), 'CC --', 'Nothing, or a.'],
  ['a bound in a list of lists', array('items: {type: array, items: {type: integer, maximum: 9}}'), array('items: {type: array, items: {type: integer, exclusiveMaximum: 9}}'), 'B- -B', '[[9]] is valid before only.'],
];

const WHEN = (rest: string) => `{if: {type: string}, then: {minLength: 2}${rest}}`;
const CAT = "'#/components/schemas/Cat'";

// biome-ignore format: a table
const COMPOSITIONS: readonly SchemaRow[] = [
  ['a condition as branches', WHEN(', else: {type: integer}'), '{anyOf: [{type: string, minLength: 2}, {type: integer}]}', 'CC --', 'The same values.'],
  ['a condition without its then', WHEN(', else: {type: integer}'), '{type: [string, integer]}', '-B B-', 'One letter is valid after only.'],
  ['a condition as two alternatives', '{type: string, if: {pattern: "^a"}, then: {maxLength: 5}, else: {minLength: 3}}', '{type: string, oneOf: [{pattern: "^a", maxLength: 5}, {not: {pattern: "^a"}, minLength: 3}]}', 'CC --', 'The same strings.'],
  ['a condition that refuses a value', '{enum: [a, b], if: {const: a}, then: false}', '{const: b}', 'CC --', 'Only b.'],
  ['a condition that always holds', '{if: true, then: {type: string}, else: {type: integer}}', '{type: string}', 'CC --', 'else never applies.'],
  ['a branch that allows anything', '{anyOf: [{type: string, maxLength: 3}, true]}', '{}', 'CC --', 'Every value.'],
  ['oneOf with anything as a negation', '{oneOf: [{type: string}, true]}', '{not: {type: string}}', 'CC --', 'A string matches both.'],
  ['a branch that is there twice', '{oneOf: [{type: string}, {type: string}, {type: integer}]}', '{type: integer}', 'CC --', 'A string matches two.'],
  ['the common type of two alternatives', '{allOf: [{oneOf: [{type: string}, {type: integer}]}, {oneOf: [{type: integer}, {type: boolean}]}]}', '{type: integer}', 'CC --', 'Only integers.'],
  ['null as no other type', '{not: {type: [string, number, boolean, object, array]}}', "{type: 'null'}", 'CC --', 'Only null.'],
  ['null as no other type but integers', '{not: {type: [string, integer, boolean, object, array]}}', "{type: 'null'}", 'B- -B', '0.5 is valid before only.'],
  ['a reference twice in allOf', `{allOf: [{$ref: ${CAT}}, {$ref: ${CAT}}]}`, `{$ref: ${CAT}}`, 'CC --', 'The same schema.'],
  ['a reference into a schema', "{$ref: '#/components/schemas/Cat/properties/kind'}", '{const: cat}', 'CC --', 'The same value.'],
  ['a reference with documentation beside it', `{$ref: ${CAT}, description: a, deprecated: true}`, `{$ref: ${CAT}}`, 'CC --', 'Documentation.'],
  ['a reference that is closed by a part', `{allOf: [{$ref: ${CAT}}], ${EVALUATED}}`, `{allOf: [{$ref: ${CAT}}, {propertyNames: {enum: [kind, lives]}}]}`, 'CC --', 'kind and lives.'],
];

// biome-ignore format: a table
const ACCESS: readonly SchemaRow[] = [
  ['an announced property of replies removed', object(`properties: {${A}, b: {type: integer, deprecated: true, x-sunset: 2020-01-01}}`), object(`properties: {${A}}`), '-C --', 'Its day has passed.'],
  ['a property of replies removed before its day', object(`properties: {${A}, b: {type: integer, deprecated: true, x-sunset: 2999-01-01}}`), object(`properties: {${A}}`), '-B --', 'Its day is to come.'],
  ['the day of a property put off', object('properties: {b: {type: integer, deprecated: true, x-sunset: 2998-01-01}}'), object('properties: {b: {type: integer, deprecated: true, x-sunset: 2999-01-01}}'), 'CC BB', 'Clients have more time, or less.'],
];

export const SIXTH_SCHEMA_ROWS: readonly SchemaRow[] = [
  ...VALUES,
  ...OBJECTS,
  ...ARRAYS,
  ...COMPOSITIONS,
  ...ACCESS,
];
