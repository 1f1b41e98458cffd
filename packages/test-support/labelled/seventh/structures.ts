// Seventh blind set: arrays, objects, compositions, conditions, readOnly. Written without the code of the diff.
import type { SchemaRow } from '../pair.ts';
import { array, CLOSED, object } from '../texts.ts';

const ITEM = 'items: {type: string}';
const A_B = 'properties: {a: {type: string}, b: {type: string}}';
const CARD = 'properties: {type: {const: card}, number: {type: string}}, required: [type, number]';
const BANK = 'properties: {type: {const: bank}, iban: {type: string}}, required: [type, iban]';

// Labels of an equality are `CC --`, of an inclusion `CB BC` or `BC CB`.
// biome-ignore format: a table
const ARRAYS: readonly SchemaRow[] = [
  ['a closed pair with its length', array('prefixItems: [{type: number}, {type: number}], items: false, minItems: 2'), array('prefixItems: [{type: number}, {type: number}], minItems: 2, maxItems: 2'), 'CC --', 'Two numbers.'],
  ['a pair that may have more', array('prefixItems: [{type: number}, {type: number}], minItems: 2'), array('prefixItems: [{type: number}, {type: number}], minItems: 2, items: {type: number}, maxItems: 3'), 'BC CB', '[1, 2, x] is valid before only.'],
  ['a pair of equal items as an array', array('prefixItems: [{type: number}, {type: number}], items: false'), array('items: {type: number}, maxItems: 2'), 'CC --', 'Up to two numbers.'],
  ['a pair whose items trade places', array('prefixItems: [{type: string}, {type: integer}], items: false'), array('prefixItems: [{type: integer}, {type: string}], items: false'), 'BB --', 'Another order.'],
  ['strings or integers, at most one', '{anyOf: [{type: array, items: {type: string}, maxItems: 1}, {type: array, items: {type: integer}, maxItems: 1}]}', array('items: {type: [string, integer]}, maxItems: 1'), 'CC --', 'One item has one type.'],
  ['a string or strings', '{type: string}', `{oneOf: [{type: string}, {type: array, ${ITEM}}]}`, 'CB BC', 'An array is valid after only.'],
  ['a matrix with bounded rows', array('items: {type: array, items: {type: number}}'), array('items: {type: array, items: {type: number}, maxItems: 3}'), 'BC CB', 'A row of four is valid before only.'],
  ['a ring of coordinates', array('minItems: 4, items: {type: array, minItems: 2, maxItems: 2, items: {type: number}}'), array('minItems: 4, items: {type: array, prefixItems: [{type: number}, {type: number}], items: false, minItems: 2}'), 'CC --', 'Pairs of numbers.'],
  ['nullable items of 3.0 in 3.1', array('items: {type: string, nullable: true}'), array("items: {type: [string, 'null']}"), 'CC CC', 'Strings and null.'],
  ['a nullable array as nullable items (3.0)', '{type: array, nullable: true, items: {type: string}}', '{type: array, items: {type: string, nullable: true}}', 'BB BB', 'null before, [null] after.'],
];

// biome-ignore format: a table
const OBJECTS: readonly SchemaRow[] = [
  ['other properties permitted in words', object(A_B), object(`${A_B}, additionalProperties: true`), 'CC CC', 'The default.'],
  ['other properties of any schema', object(`${A_B}, additionalProperties: {}`), object(A_B), 'CC CC', 'The default.'],
  ['a map whose values may be null', object('additionalProperties: {type: string}'), object("additionalProperties: {type: [string, 'null']}"), 'CB BC', '{a: null} is valid after only.'],
  ['a name of a map with another schema', object('additionalProperties: {type: string}'), object('properties: {b: {type: integer}}, additionalProperties: {type: string}'), 'BB BB', 'b was a string.'],
  ['a required name that is not declared', object('properties: {a: {type: string}}'), object('properties: {a: {type: string}}, required: [b]'), 'BC CB', '{} is valid before only.'],
  ['a pattern that a property has too', object("properties: {x-id: {type: integer}}, patternProperties: {'^x-': {type: integer, minimum: 0}}"), object("properties: {x-id: {type: integer, minimum: 0}}, patternProperties: {'^x-': {type: integer, minimum: 0}}"), 'CC --', 'Both apply to x-id.'],
  ['a or b of a closed object', object(`${A_B}, ${CLOSED}, minProperties: 1`), object(`${A_B}, ${CLOSED}, anyOf: [{required: [a]}, {required: [b]}]`), 'CC --', 'At least one of two.'],
  ['a or b of an open object', object(`${A_B}, minProperties: 1`), object(`${A_B}, anyOf: [{required: [a]}, {required: [b]}]`), 'BC CB', '{c: 1} is valid before only.'],
  ['not both of a closed object', object(`${A_B}, ${CLOSED}, maxProperties: 1`), object(`${A_B}, ${CLOSED}, not: {required: [a, b]}`), 'CC --', 'At most one of two.'],
  ['exactly one of two', object(`${A_B}, oneOf: [{required: [a]}, {required: [b]}]`), object(`${A_B}, anyOf: [{required: [a], not: {required: [b]}}, {required: [b], not: {required: [a]}}]`), 'CC --', 'a or b, not both.'],
  ['one of two as at least one', object(`${A_B}, oneOf: [{required: [a]}, {required: [b]}]`), object(`${A_B}, anyOf: [{required: [a]}, {required: [b]}]`), 'CB BC', 'Both are valid after only.'],
  ['b with a as alternatives', object(`${A_B}, dependentRequired: {a: [b]}`), object(`${A_B}, anyOf: [{not: {required: [a]}}, {required: [b]}]`), 'CC --', 'a needs b.'],
  ['required names in another order', object(`${A_B}, required: [a, b]`), object(`${A_B}, required: [b, a]`), 'CC CC', 'A set.'],
  ['properties that the required ones count', object(`${A_B}, required: [a, b]`), object(`${A_B}, required: [a, b], minProperties: 2`), 'CC --', 'Two are there.'],
  ['null as an absent property', object("properties: {a: {type: [string, 'null']}}, required: [a]"), object('properties: {a: {type: string}}'), 'BB BB', 'null before, absent after.'],
  ['alternatives closed together', object('oneOf: [{properties: {a: {type: integer}}, required: [a]}, {properties: {b: {type: integer}}, required: [b]}], unevaluatedProperties: false'), `{oneOf: [{type: object, properties: {a: {type: integer}}, required: [a], ${CLOSED}}, {type: object, properties: {b: {type: integer}}, required: [b], ${CLOSED}}]}`, 'CC --', 'Either property alone.'],
  ['names by length as a pattern', object('propertyNames: {minLength: 1, maxLength: 2}'), object("patternProperties: {'^[^]{1,2}$': true}, additionalProperties: false"), 'CC --', 'The same names.'],
  ['a dependent schema that always applies', object(`${A_B}, required: [a], dependentSchemas: {a: {properties: {b: {maxLength: 3}}}}`), object('properties: {a: {type: string}, b: {type: string, maxLength: 3}}, required: [a]'), 'CC --', 'a is there.'],
  ['a nested object that becomes closed', object('properties: {address: {type: object, properties: {city: {type: string}}}}'), object(`properties: {address: {type: object, properties: {city: {type: string}}, ${CLOSED}}}`), 'BC CB', 'Other properties are valid before only.'],
  ['an object without a type', '{properties: {a: {type: string}}, required: [a]}', object('properties: {a: {type: string}}, required: [a]'), 'BC CB', 'Without a type, 5 is valid.'],
];

// biome-ignore format: a table
const DIRECTIONS: readonly SchemaRow[] = [
  ['a required readOnly property added', object('properties: {a: {type: string}}'), object('properties: {a: {type: string}, id: {type: string, readOnly: true}}, required: [id]'), 'CC CB', 'No request needs it.'],
  ['a required writeOnly property added', object('properties: {a: {type: string}}'), object('properties: {a: {type: string}, pin: {type: string, writeOnly: true}}, required: [pin]'), 'BC --', 'A request without it is refused.'],
  ['readOnly beside a conjunct', object('properties: {id: {readOnly: true, allOf: [{type: string}]}}'), object('properties: {id: {type: string, readOnly: true}}'), 'CC CC', 'The same property.'],
  ['a readOnly property becomes required', object('properties: {id: {type: string, readOnly: true}}'), object('properties: {id: {type: string, readOnly: true}}, required: [id]'), 'CC CB', 'The requirement applies to replies.'],
  ['readOnly false', object('properties: {a: {type: string, readOnly: false, writeOnly: false}}'), object('properties: {a: {type: string}}'), 'CC CC', 'The defaults.'],
];

// biome-ignore format: a table
const COMPOSITIONS: readonly SchemaRow[] = [
  ['a common part of payments moved into each', `{allOf: [${object('properties: {amount: {type: integer}}, required: [amount]')}, {oneOf: [{${CARD}}, {${BANK}}]}]}`, `{oneOf: [{allOf: [${object('properties: {amount: {type: integer}}, required: [amount]')}, {${CARD}}]}, {allOf: [${object('properties: {amount: {type: integer}}, required: [amount]')}, {${BANK}}]}]}`, 'CC --', 'Each payment has the amount.'],
  ['payments of one type each, by oneOf or anyOf', `{oneOf: [${object(CARD)}, ${object(BANK)}]}`, `{anyOf: [${object(BANK)}, ${object(CARD)}]}`, 'CC --', 'No payment has two types.'],
  ['payments by if', object(`properties: {type: {enum: [card, bank]}}, required: [type], if: {properties: {type: {const: card}}}, then: {properties: {number: {type: string}}, required: [number]}, else: {properties: {iban: {type: string}}, required: [iban]}`), `{oneOf: [${object(CARD)}, ${object(BANK)}]}`, 'CC --', 'The same payments.'],
  ['payments by if with an optional type', object(`properties: {type: {enum: [card, bank]}}, if: {properties: {type: {const: card}}}, then: {properties: {number: {type: string}}, required: [number]}, else: {properties: {iban: {type: string}}, required: [iban]}`), `{oneOf: [${object(CARD)}, ${object(BANK)}]}`, 'BC CB', '{number: x} is valid before only.'],
  ['an alternative inside another of oneOf', '{oneOf: [{type: string}, {type: string, maxLength: 3}]}', '{type: string}', 'CB BC', 'Short strings match both.'],
  ['neither of two as not and not', '{type: string, not: {anyOf: [{const: a}, {maxLength: 0}]}}', '{type: string, allOf: [{not: {const: a}}, {minLength: 1}]}', 'CC --', 'The same strings.'],
  ['not both of two conditions', '{type: string, not: {allOf: [{const: a}, {maxLength: 0}]}}', '{type: string}', 'CC --', 'a is not empty.'],
  ['a condition that holds always', object('if: true, then: {required: [a]}, else: {required: [b]}'), object('required: [a]'), 'CC --', 'a is required.'],
  ['a condition in the other order', object('if: {required: [a]}, then: {required: [b]}, else: {required: [c]}'), object('if: {not: {required: [a]}}, then: {required: [c]}, else: {required: [b]}'), 'CC --', 'The same objects.'],
  ['a condition on a value that may be absent', object('properties: {t: {type: string}}, if: {properties: {t: {const: a}}}, then: {required: [b]}'), object('properties: {t: {type: string}}, if: {properties: {t: {const: a}}, required: [t]}, then: {required: [b]}'), 'CB BC', '{} needs b before only.'],
  ['a double negation', '{not: {not: {type: integer, minimum: 1}}}', '{type: integer, minimum: 1}', 'CC --', 'The same integers.'],
  ['an alternative that nothing satisfies', '{anyOf: [{type: string}, {type: integer, minimum: 2, maximum: 1}]}', '{type: string}', 'CC --', 'No such integer.'],
  ['a conjunct without constraints', '{allOf: [{type: string}, {}, true]}', '{type: string}', 'CC CC', 'Any string.'],
  ['nested alternatives made flat', '{anyOf: [{type: string}, {anyOf: [{type: integer}, {type: boolean}]}]}', '{anyOf: [{type: boolean}, {type: integer}, {type: string}]}', 'CC --', 'Three types.'],
  ['nested exclusive alternatives made flat', '{oneOf: [{type: string}, {oneOf: [{type: integer}, {type: boolean}]}]}', '{oneOf: [{type: integer}, {type: boolean}, {type: string}]}', 'CC --', 'Three types that exclude each other.'],
  ['nested exclusive ranges made flat', '{type: number, oneOf: [{minimum: 1}, {oneOf: [{minimum: 2}, {minimum: 3}]}]}', '{type: number, oneOf: [{minimum: 1}, {minimum: 2}, {minimum: 3}]}', 'BC CB', '5 is valid before only.'],
  ['a reference with a conjunct', "{$ref: '#/components/schemas/Cat'}", "{allOf: [{$ref: '#/components/schemas/Cat'}], description: A cat}", 'CC CC', 'The same cats.'],
  ['trees with few branches below', "{$ref: '#/components/schemas/Tree'}", "{$ref: '#/components/schemas/Tree', properties: {branches: {maxItems: 2}}}", 'BC CB', 'Three branches are valid before only.'],
];

export const SEVENTH_STRUCTURE_ROWS: readonly SchemaRow[] = [
  ...ARRAYS,
  ...OBJECTS,
  ...DIRECTIONS,
  ...COMPOSITIONS,
];
