// Fourth blind set: objects, arrays, compositions, read and write access. Written before the code that it tests.
import type { SchemaRow } from '../pair.ts';
import { array, CLOSED, object } from '../texts.ts';

const TWO = 'properties: {a: {type: string}, b: {type: string}}';
const THREE = 'properties: {a: {type: string}, b: {type: string}, c: {type: string}}';
const STEPS_ONE = '{properties: {t: {const: a}, n: {type: integer}}, required: [t, n]}';
const STEPS_TWO = '{properties: {t: {const: b}, s: {type: string}}, required: [t, s]}';
const when = (tag: string, then: string) =>
  `{if: {properties: {t: {const: ${tag}}}}, then: ${then}}`;
const CAT = "{$ref: '#/components/schemas/Cat'}";

// biome-ignore format: a table
const OBJECTS: readonly SchemaRow[] = [
  ['closed base in allOf', `{allOf: [${object(`properties: {a: {type: string}}, ${CLOSED}`)}, ${object('properties: {b: {type: string}}')}]}`, object(`properties: {a: {type: string}}, ${CLOSED}`), 'CC --', 'The closed part refuses b.'],
  ['closed base in allOf as both properties', `{allOf: [${object(`properties: {a: {type: string}}, ${CLOSED}`)}, ${object('properties: {b: {type: string}}')}]}`, object(`${TWO}, ${CLOSED}`), '-B B-', 'b is valid after only.'],
  ['unevaluatedProperties as additionalProperties', object('allOf: [{properties: {a: {type: string}}}], properties: {b: {type: string}}, unevaluatedProperties: false'), object(`${TWO}, ${CLOSED}`), 'CC --', 'Both names are evaluated.'],
  ['unevaluatedProperties as additionalProperties beside allOf', object('allOf: [{properties: {a: {type: string}}}], properties: {b: {type: string}}, unevaluatedProperties: false'), object(`allOf: [{properties: {a: {type: string}}}], properties: {b: {type: string}}, ${CLOSED}`), 'B- -B', 'a is valid before only: additionalProperties does not see allOf.'],
  ['names that a branch evaluates', object('properties: {a: {type: string}}, anyOf: [{properties: {b: {type: string}}, required: [b]}, true], unevaluatedProperties: false'), object(`${TWO}, ${CLOSED}`), 'CC --', 'b: 1 is invalid in both; b as a string is valid in both.'],
  ['one of three names as a count', object(`${THREE}, ${CLOSED}, anyOf: [{required: [a]}, {required: [b]}, {required: [c]}]`), object(`${THREE}, ${CLOSED}, minProperties: 1`), 'CC --', 'Only three names exist.'],
  ['one of three names as a count in an open object', object(`${THREE}, anyOf: [{required: [a]}, {required: [b]}, {required: [c]}]`), object(`${THREE}, minProperties: 1`), '-B B-', 'An object with only d is valid after only.'],
  ['exactly one of two names as counts', object(`${TWO}, ${CLOSED}, oneOf: [{required: [a]}, {required: [b]}]`), object(`${TWO}, ${CLOSED}, minProperties: 1, maxProperties: 1`), 'CC --', 'Exactly one name.'],
  ['exactly one of two names as counts of three', object(`${THREE}, ${CLOSED}, oneOf: [{required: [a]}, {required: [b]}]`), object(`${THREE}, ${CLOSED}, minProperties: 1, maxProperties: 1`), 'BB --', 'a with c is valid before only, c alone after only.'],
  ['typed rest beside a property as one map', object('properties: {n: {type: integer}}, additionalProperties: {type: string}'), object('additionalProperties: {type: [string, integer]}'), 'CB B-', 'n may be a string after only.'],
  ['one pattern of names as two', object("patternProperties: {'^[ab]': {type: integer}}"), object("patternProperties: {'^a': {type: integer}, '^b': {type: integer}}"), 'CC --', 'The same names.'],
  ['one pattern of names as one of two', object("patternProperties: {'^[ab]': {type: integer}}"), object("patternProperties: {'^a': {type: integer}}"), 'CB B-', 'A string under b is valid after only.'],
  ['a bound moved to another pattern of names', object("patternProperties: {'^a': {type: integer}, 'z$': {minimum: 5}}"), object("patternProperties: {'^a': {type: integer, minimum: 5}, 'z$': {minimum: 5}}"), 'BC -B', 'ab: 1 is valid before only.'],
  ['a property that its pattern bounds already', object("properties: {ab: {type: integer, minimum: 0}}, patternProperties: {'^a': {type: integer, minimum: 0}}"), object("properties: {ab: {type: integer}}, patternProperties: {'^a': {type: integer, minimum: 0}}"), 'CC --', 'The pattern matches ab.'],
  ['a property that its pattern misses', object("properties: {ba: {type: integer, minimum: 0}}, patternProperties: {'^a': {type: integer, minimum: 0}}"), object("properties: {ba: {type: integer}}, patternProperties: {'^a': {type: integer, minimum: 0}}"), 'CB B-', 'ba: -1 is valid after only.'],
  ['names and a prefix as propertyNames', object(`properties: {id: {type: string}}, patternProperties: {'^x-': true}, ${CLOSED}`), object("properties: {id: {type: string}}, propertyNames: {pattern: '^(id$|x-)'}"), 'CC --', 'The same names.'],
  ['names and a prefix as looser propertyNames', object(`properties: {id: {type: string}}, patternProperties: {'^x-': true}, ${CLOSED}`), object("properties: {id: {type: string}}, propertyNames: {pattern: '^(id|x-)'}"), '-B B-', 'The name idea is valid after only.'],
  ['names in an enum as one property', object('propertyNames: {enum: [a, b]}'), object(`properties: {a: true}, ${CLOSED}`), 'B- --', 'b is valid before only.'],
  ['count that the names bound', object(`${TWO}, ${CLOSED}, maxProperties: 2`), object(`${TWO}, ${CLOSED}`), 'CC --', 'No third name exists.'],
  ['count that the names do not bound', object(`${THREE}, ${CLOSED}, maxProperties: 2`), object(`${THREE}, ${CLOSED}`), '-B B-', 'Three properties are valid after only.'],
  ['count that required names reach', object(`${TWO}, required: [a, b], minProperties: 2`), object(`${TWO}, required: [a, b]`), 'CC --', 'Two names are always there.'],
  ['count above the required names', object(`${TWO}, required: [a, b], minProperties: 3`), object(`${TWO}, required: [a, b]`), '-B B-', 'Two properties are valid after only.'],
  ['full count as closed', object('properties: {a: {type: string}}, required: [a], maxProperties: 1'), object(`properties: {a: {type: string}}, required: [a], ${CLOSED}`), 'CC --', 'Only a fits.'],
  ['mutual dependency as both or none', object(`${TWO}, dependentRequired: {a: [b], b: [a]}`), object(`${TWO}, anyOf: [{required: [a, b]}, {not: {anyOf: [{required: [a]}, {required: [b]}]}}]`), 'CC --', 'Both or none.'],
  ['mutual dependency as one way', object(`${TWO}, dependentRequired: {a: [b], b: [a]}`), object(`${TWO}, dependentRequired: {a: [b]}`), '-B B-', 'b alone is valid after only.'],
  ['dependency of a required name', object(`${TWO}, required: [a], dependentRequired: {a: [b]}`), object(`${TWO}, required: [a, b]`), 'CC --', 'a is always there.'],
  ['chain of dependencies written out', object(`${THREE}, dependentRequired: {a: [b], b: [c]}`), object(`${THREE}, dependentRequired: {a: [b, c], b: [c]}`), 'CC --', 'b brings c.'],
  ['chain of dependencies shortened', object(`${THREE}, dependentRequired: {a: [b], b: [c]}`), object(`${THREE}, dependentRequired: {a: [c], b: [c]}`), 'CB B-', 'a with c is valid after only.'],
  ['refusal of both as a refusal of either', object(`${TWO}, not: {required: [a, b]}`), object(`${TWO}, not: {anyOf: [{required: [a]}, {required: [b]}]}`), 'B- --', 'a alone is valid before only.'],
];

// biome-ignore format: a table
const ARRAYS: readonly SchemaRow[] = [
  ['contains that needs no match', array('contains: {const: x}, minContains: 0'), '{type: array}', 'CC --', 'No item is needed.'],
  ['contains that needs a match', array('contains: {const: x}, minContains: 1'), '{type: array}', '-B B-', 'The empty array is valid after only.'],
  ['three matches of a narrower type', array('items: {type: string}, contains: {minLength: 1}, minContains: 3'), array('items: {type: string}, minItems: 3'), '-B B-', 'Three empty strings are valid after only.'],
  ['one match among unique items', array('uniqueItems: true, contains: {const: 1}, maxContains: 1'), array('uniqueItems: true, contains: {const: 1}'), 'CC --', 'A unique item matches once.'],
  ['one match among repeated items', array('contains: {const: 1}, maxContains: 1'), array('contains: {const: 1}'), '-B B-', '[1, 1] is valid after only.'],
  ['closed tuple as a length', array('prefixItems: [{type: string}, {type: integer}], items: false'), array('prefixItems: [{type: string}, {type: integer}], maxItems: 2'), 'CC --', 'At most two items.'],
  ['closed tuple as an exact length', array('prefixItems: [{type: string}, {type: integer}], items: false'), array('prefixItems: [{type: string}, {type: integer}], minItems: 2, maxItems: 2'), 'BC -B', 'One item is valid before only.'],
  ['a first item like the rest', array('prefixItems: [{type: string}], items: {type: string}'), array('items: {type: string}'), 'CC --', 'All items are strings.'],
  ['unevaluatedItems that contains evaluates', array('prefixItems: [{type: string}], contains: {type: integer}, unevaluatedItems: false'), array('prefixItems: [{type: string}], items: {type: integer}, minItems: 2'), 'CC --', 'Integers after a string, at least one.'],
  ['mixed items as branches of arrays', array('items: {anyOf: [{type: string}, {type: integer}]}'), '{anyOf: [{type: array, items: {type: string}}, {type: array, items: {type: integer}}]}', 'BC -B', 'A mixed array is valid before only.'],
  ['uniqueness of at most two items', array('maxItems: 2, uniqueItems: true'), array('maxItems: 2'), '-B B-', '[1, 1] is valid after only.'],
  ['two contained values as a count', array('items: {type: string}, allOf: [{contains: {const: a}}, {contains: {const: b}}]'), array('items: {type: string}, contains: {enum: [a, b]}, minContains: 2'), 'CB B-', '[a, a] is valid after only.'],
  ['two contained values as a count of unique items', array('uniqueItems: true, allOf: [{contains: {const: a}}, {contains: {const: b}}]'), array('uniqueItems: true, contains: {enum: [a, b]}, minContains: 2'), 'CC --', 'Both values.'],
  ['contains of every item', array('items: {type: integer, minimum: 5}, contains: {minimum: 3}'), array('items: {type: integer, minimum: 5}, minItems: 1'), 'CC --', 'Every item is at least 3.'],
  ['a longer list read', array('items: {type: string}, maxItems: 10'), array('items: {type: string}, maxItems: 100'), 'CB B-', 'Eleven items are valid after only.'],
];

// biome-ignore format: a table
const COMPOSITIONS: readonly SchemaRow[] = [
  ['negated negation', '{not: {not: {type: string, minLength: 1}}}', '{type: string, minLength: 1}', 'CC --', 'The same strings.'],
  ['negation of an alternative', '{not: {anyOf: [{type: string}, {type: integer}]}}', '{allOf: [{not: {type: string}}, {not: {type: integer}}]}', 'CC --', 'Neither.'],
  ['negation of a combination', '{type: string, not: {allOf: [{minLength: 3}, {pattern: "^a"}]}}', '{type: string, anyOf: [{maxLength: 2}, {not: {pattern: "^a"}}]}', 'CC --', 'Short, or not from a.'],
  ['negation of a combination as both negations', '{type: string, not: {allOf: [{minLength: 3}, {pattern: "^a"}]}}', '{type: string, maxLength: 2, not: {pattern: "^a"}}', 'B- -B', 'a is valid before only.'],
  ['with or without a name', object(`${TWO}, oneOf: [{required: [a]}, {not: {required: [a]}}]`), object(TWO), 'CC --', 'Every object is on one side.'],
  ['condition on a type as branches', '{if: {type: integer}, then: {minimum: 0}}', '{anyOf: [{not: {type: integer}}, {minimum: 0}]}', 'CC --', 'The same values.'],
  ['condition on a type that is always true', '{type: [integer, string], if: {type: integer}, then: {minimum: 0}}', '{type: [integer, string], minimum: 0}', 'CC --', 'minimum ignores strings.'],
  ['then without if', '{type: string, then: {minLength: 5}}', '{type: string}', 'CC --', 'A then without if has no effect.'],
  ['if without then', '{type: string, if: {minLength: 5}}', '{type: string}', 'CC --', 'An if alone has no effect.'],
  ['condition without its required name', object(`${TWO}, if: {properties: {a: {const: x}}, required: [a]}, then: {required: [b]}`), object(`${TWO}, if: {properties: {a: {const: x}}}, then: {required: [b]}`), 'BC -B', 'The empty object is valid before only.'],
  ['tagged branches as conditions', object(`oneOf: [${STEPS_ONE}, ${STEPS_TWO}]`), object(`properties: {t: {enum: [a, b]}}, required: [t], allOf: [${when('a', '{properties: {n: {type: integer}}, required: [n]}')}, ${when('b', '{properties: {s: {type: string}}, required: [s]}')}]`), 'CC --', 'The tag selects the same properties.'],
  ['tagged branches as conditions of which one is optional', object(`oneOf: [${STEPS_ONE}, ${STEPS_TWO}]`), object(`properties: {t: {enum: [a, b]}}, required: [t], allOf: [${when('a', '{properties: {n: {type: integer}}, required: [n]}')}, ${when('b', '{properties: {s: {type: string}}}')}]`), 'CB B-', 't: b alone is valid after only.'],
  ['a common property factored out of branches', `{anyOf: [${object('properties: {id: {type: string}, n: {type: integer}}, required: [id, n]')}, ${object('properties: {id: {type: string}, s: {type: string}}, required: [id, s]')}]}`, object('properties: {id: {type: string}}, required: [id], anyOf: [{properties: {n: {type: integer}}, required: [n]}, {properties: {s: {type: string}}, required: [s]}]'), 'CC --', 'The same objects.'],
  ['branches of anyOf as oneOf that overlap', `{anyOf: [${object('properties: {a: {type: string}}, required: [a]')}, ${object('properties: {b: {type: string}}, required: [b]')}]}`, `{oneOf: [${object('properties: {a: {type: string}}, required: [a]')}, ${object('properties: {b: {type: string}}, required: [b]')}]}`, 'BC -B', 'a with b is valid before only.'],
  ['branches of anyOf as oneOf that are apart', "{anyOf: [{type: string}, {type: array, items: {type: string}}, {type: 'null'}]}", "{oneOf: [{type: string}, {type: array, items: {type: string}}, {type: 'null'}]}", 'CC --', 'The types exclude each other.'],
  ['allOf of a reference and a bound', `{allOf: [${CAT}, {properties: {lives: {maximum: 9}}}]}`, object("properties: {kind: {type: string, enum: [cat]}, lives: {type: integer, maximum: 9}}, required: [kind]"), 'CC --', 'The same objects.'],
  ['a sibling of a reference in 3.1', `{$ref: '#/components/schemas/Cat', required: [lives]}`, CAT, 'CB B-', 'A cat without lives is valid after only.'],
  ['local $defs', "{$defs: {short: {type: string, maxLength: 3}}, type: object, additionalProperties: {type: string, maxLength: 3}}", object('additionalProperties: {type: string, maxLength: 3}'), 'CC --', 'Definitions allow nothing.'],
];

// biome-ignore format: a table
const ACCESS: readonly SchemaRow[] = [
  ['required writeOnly property becomes optional', object('properties: {p: {type: string, writeOnly: true}}, required: [p]'), object('properties: {p: {type: string, writeOnly: true}}'), 'CC BC', 'Only requests have it.'],
  ['readOnly property widened', object('properties: {p: {type: integer, readOnly: true}}'), object('properties: {p: {type: number, readOnly: true}}'), 'CB CC', 'Only replies have it.'],
  ['required with a default', object('properties: {a: {type: integer}}'), object('properties: {a: {type: integer, default: 5}}, required: [a]'), 'BC --', 'A default does not stand for a missing required property.'],
  ['default of a required property', object('properties: {a: {type: integer, default: 1}}, required: [a]'), object('properties: {a: {type: integer, default: 2}}, required: [a]'), 'CC --', 'The property is always there.'],
  ['default of an optional property', object('properties: {a: {type: integer, default: 1}}'), object('properties: {a: {type: integer, default: 2}}'), 'B- B-', 'A request without it now means 2.'],
  ['writeOnly property removed', object('properties: {a: {type: string}, p: {type: string, writeOnly: true}}'), object('properties: {a: {type: string}}'), '-C --', 'Replies never had it.'],
  ['readOnly property removed', object('properties: {a: {type: string}, p: {type: string, readOnly: true}}'), object('properties: {a: {type: string}}'), '-B --', 'Readers of p find nothing.'],
  ['deprecated property removed', object('properties: {a: {type: string}, p: {type: string, deprecated: true}}'), object('properties: {a: {type: string}}'), '-B --', 'A deprecated property is still read.'],
];

export const FOURTH_OBJECT_ROWS: readonly SchemaRow[] = [
  ...OBJECTS,
  ...ARRAYS,
  ...COMPOSITIONS,
  ...ACCESS,
];
