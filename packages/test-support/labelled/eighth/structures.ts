// Eighth blind set: objects, arrays, components, compositions, conditions, readOnly. Written without the code of the diff.
import type { SchemaRow } from '../pair.ts';

const object = (rest: string) => `{type: object, ${rest}}`;
const array = (rest: string) => `{type: array, ${rest}}`;
const ref = (name: string) => `{$ref: '#/components/schemas/${name}'}`;
const CLOSED = 'additionalProperties: false';
const EVALUATED = 'unevaluatedProperties: false';
const A = 'a: {type: string}';
const AB = 'a: {type: string}, b: {type: integer}';
const ABC = 'a: {type: string}, b: {type: integer}, c: {type: boolean}';

// Labels of an equality are `CC --` or `CC CC`, of an inclusion `CB BC` or `BC CB`.
// biome-ignore format: a table
const OBJECTS: readonly SchemaRow[] = [
  ['metadata added', object(`properties: {${A}}`), object(`properties: {${A}, metadata: {type: object, additionalProperties: {type: string}}}`), 'CC RB', 'An optional property; in the reverse its effect and its value are gone.'],
  ['a property that every object has', object(`properties: {${A}}, required: [a]`), object(`properties: {${AB}}, required: [a, b]`), 'BC RB', 'Requests lack it; in the reverse readers lose it.'],
  ['an optional property in camel case', object('properties: {first_name: {type: string}}'), object('properties: {firstName: {type: string}}'), 'RB RB', 'The old name is ignored, and no longer read.'],
  ['a required property in camel case', object('properties: {first_name: {type: string}}, required: [first_name]'), object('properties: {firstName: {type: string}}, required: [firstName]'), 'BB BB', 'The new name is missing; the old one is no longer read.'],
  ['a nested property under another name', object('properties: {o: {type: object, properties: {zip: {type: string}}}}'), object('properties: {o: {type: object, properties: {postal_code: {type: string}}}}'), 'RB RB', 'The old name is ignored, and no longer read.'],
  ['two of three properties removed', object(`properties: {${ABC}}`), object(`properties: {${A}}`), 'RB CC', 'They are ignored, and no longer read.'],
  ['a property under its old and its new name', object('properties: {first_name: {type: string}}'), object('properties: {first_name: {type: string, deprecated: true}, firstName: {type: string}}'), 'CC RB', 'The old name stays.'],
  ['an object in three parts', object(`properties: {${ABC}}, required: [a, b]`), `{allOf: [${object(`properties: {${A}}, required: [a]`)}, {properties: {b: {type: integer}}, required: [b]}, {properties: {c: {type: boolean}}}]}`, 'CC CC', 'The same objects.'],
  ['an object in parts that require one name less', object(`properties: {${AB}}, required: [a, b]`), `{allOf: [${object(`properties: {${A}}, required: [a]`)}, {properties: {b: {type: integer}}}]}`, 'CB BC', 'An object without b is valid after only.'],
  ['a part that a closed part excludes', `{allOf: [${object(`properties: {${A}}, ${CLOSED}`)}, ${object('properties: {b: {type: integer}}')}]}`, object(`properties: {${A}}, ${CLOSED}`), 'CC --', 'The closed part refuses b.'],
  ['a base closed by unevaluatedProperties', object(`allOf: [{properties: {${A}}}], properties: {b: {type: integer}}, ${EVALUATED}`), object(`properties: {${AB}}, ${CLOSED}`), 'CC CC', 'Only a and b.'],
  ['values of a map that may be numbers', object('additionalProperties: {type: string}'), object('additionalProperties: {type: [string, number]}'), 'CB BC', '{a: 1} is valid after only.'],
  ['a map as a pattern of names that are not empty', object('additionalProperties: {type: integer}'), object("patternProperties: {'[\\s\\S]': {type: integer}}, properties: {'': {type: integer}}"), 'CC --', 'The empty name is the only other one.'],
  ['labels with a length of their names', object('additionalProperties: {type: string}'), object('propertyNames: {maxLength: 63}, additionalProperties: {type: string}'), 'BC CB', 'A name of 64 characters is valid before only.'],
  ['names of a map as properties', object('propertyNames: {enum: [low, high]}, additionalProperties: {type: integer}'), object(`properties: {low: {type: integer}, high: {type: integer}}, ${CLOSED}`), 'CC --', 'low and high.'],
  ['a patch of one property', object(`properties: {${A}}, ${CLOSED}, minProperties: 1`), object(`properties: {${A}}, ${CLOSED}, required: [a]`), 'CC --', 'Only a can be there.'],
  ['two names that need each other as alternatives', object(`properties: {${AB}}, dependentRequired: {a: [b], b: [a]}`), object(`properties: {${AB}}, anyOf: [{required: [a, b]}, {not: {anyOf: [{required: [a]}, {required: [b]}]}}]`), 'CC --', 'Both or neither.'],
  ['two names of which one needs the other', object(`properties: {${AB}}, dependentRequired: {a: [b], b: [a]}`), object(`properties: {${AB}}, dependentRequired: {a: [b]}`), 'CB BC', 'b alone is valid after only.'],
  ['a chain of names that need each other', object(`properties: {${ABC}}, dependentRequired: {a: [b], b: [c]}`), object(`properties: {${ABC}}, dependentRequired: {a: [b, c], b: [c]}`), 'CC --', 'a needs c in both.'],
  ['a name that needs two others', object(`properties: {${ABC}}, dependentRequired: {a: [b, c]}`), object(`properties: {${ABC}}, dependentRequired: {a: [b]}`), 'CB BC', 'a with b alone is valid after only.'],
  ['requirements in parts', object(`properties: {${AB}}, allOf: [{required: [a]}, {required: [b]}]`), object(`properties: {${AB}}, required: [b, a]`), 'CC CC', 'a and b.'],
  ['a body or a medium', object('properties: {body: {type: string}, mediaUrl: {type: string}}, anyOf: [{required: [body]}, {required: [mediaUrl]}]'), object('properties: {body: {type: string}, mediaUrl: {type: string}}, required: [body]'), 'BC CB', 'A medium alone is valid before only.'],
  ['three ways to name a customer', object(`properties: {${ABC}}, anyOf: [{required: [a]}, {required: [b]}, {required: [c]}]`), object(`properties: {${ABC}}, anyOf: [{required: [a]}, {required: [b]}]`), 'BC CB', 'c alone is valid before only.'],
  ['three ways of which one needs another', object(`properties: {${ABC}}, anyOf: [{required: [a]}, {required: [b]}, {required: [a, c]}]`), object(`properties: {${ABC}}, anyOf: [{required: [b]}, {required: [a]}]`), 'CC --', 'a with c has a.'],
  ['two names that are refused', object('not: {anyOf: [{required: [a]}, {required: [b]}]}'), object('properties: {a: false, b: {not: {}}}'), 'CC --', 'Neither name.'],
  ['not both as neither', object(`properties: {${AB}}, not: {required: [a, b]}`), object(`properties: {${AB}}, not: {anyOf: [{required: [a]}, {required: [b]}]}`), 'B- CB', 'a alone is valid before only.'],
  ['a property of any value', object('properties: {a: true}'), object('properties: {a: {}}'), 'CC CC', 'The same schema.'],
  ['documentation of a property', object('properties: {a: {type: string, title: A, examples: [x]}}'), object('properties: {a: {type: string, description: The first, deprecated: true, externalDocs: {url: https://a.test}}}'), 'CC CC', 'Documentation.'],
  ['properties in another order', object(`properties: {${ABC}}, required: [a]`), '{required: [a], properties: {c: {type: boolean}, b: {type: integer}, a: {type: string}}, type: object}', 'CC CC', 'No order.'],
  ['a name that a nested object needs', object('properties: {address: {type: object, properties: {city: {type: string}, zip: {type: string}}, required: [city]}}'), object('properties: {address: {type: object, properties: {city: {type: string}, zip: {type: string}}, required: [city, zip]}}'), 'BC CB', 'An address without zip is valid before only.'],
  ['a name that a nested object gains', object('properties: {address: {type: object, properties: {city: {type: string}}}}'), object('properties: {address: {type: object, properties: {city: {type: string}, zip: {type: string}}}}'), 'CC RB', 'An added property; in the reverse readers lose it.'],
  ['a typed object as any object', object(`properties: {${A}}, required: [a]`), '{type: object}', 'RB BC', 'a is ignored and no longer read; in the reverse it is required.'],
  ['a nullable property of 3.0 as alternatives', object('properties: {a: {type: integer, nullable: true}}'), object("properties: {a: {anyOf: [{type: integer}, {type: 'null'}]}}"), 'CC CC', 'The same values.'],
  ['names by pattern beside a map of another type', object("patternProperties: {'^x-': {type: string}}, additionalProperties: {type: integer}"), object("patternProperties: {'^x-': {type: string}, '^(?!x-)': {type: integer}}"), 'CC --', 'Every other name is an integer.'],
  ['names by pattern beside any value', object("patternProperties: {'^x-': {type: string}}, additionalProperties: {type: integer}"), object("patternProperties: {'^x-': {type: string}}"), 'CB -C', '{a: x} is valid after only.'],
];

const CAT = '#/components/schemas/Cat';

// biome-ignore format: a table
const COMPONENTS: readonly SchemaRow[] = [
  ['an id that may be the whole object', '{type: string}', `{anyOf: [{type: string}, ${ref('Cat')}]}`, 'CB BC', 'An object is valid after only.'],
  ['an id or the whole object, exactly one', `{anyOf: [{type: string}, ${ref('Cat')}]}`, `{oneOf: [${ref('Cat')}, {type: string}]}`, 'CC CC', 'No string is an object.'],
  ['an id as an object with the id', '{type: string}', object('properties: {id: {type: string}}, required: [id]'), 'BB BB', 'Text or object.'],
  ['a component with one property more', ref('Cat'), `{allOf: [${ref('Cat')}, {type: object, properties: {name: {type: string}}}]}`, 'CC RB', 'An added property; in the reverse readers lose it.'],
  ['a component with an optional name required', ref('Cat'), `{allOf: [${ref('Cat')}, {required: [lives]}]}`, 'BC CB', 'A cat without lives is valid before only.'],
  ['a requirement beside a reference', `{$ref: '${CAT}', required: [lives]}`, `{allOf: [${ref('Cat')}, {required: [lives]}]}`, 'CC CC', 'In 3.1 keywords beside $ref apply.'],
  ['a component that may be null', ref('Cat'), `{oneOf: [${ref('Cat')}, {type: 'null'}]}`, 'CB BC', 'null is valid after only.'],
  ['a component that may be null, in two ways', `{oneOf: [${ref('Cat')}, {type: 'null'}]}`, `{anyOf: [{type: 'null'}, ${ref('Cat')}]}`, 'CC CC', 'No cat is null.'],
  ['a discriminator of vehicles', `{oneOf: [${ref('Car')}, ${ref('Bus')}]}`, `{oneOf: [${ref('Car')}, ${ref('Bus')}], discriminator: {propertyName: kind}}`, 'RR RR', 'It restricts no value; SDKs read other types.'],
  ['a component as another with its own requirement', ref('Car'), ref('Bus'), 'BB BB', 'doors or seats are required.'],
  ['alternatives of which one is replaced by its twin', `{oneOf: [${ref('Car')}, ${ref('Bus')}]}`, `{oneOf: [${ref('Coach')}, ${ref('Car')}]}`, 'CC CC', 'Bus and Coach have the same schema.'],
  ['alternatives that are twins', `{anyOf: [${ref('Dog')}, ${ref('Puppy')}]}`, ref('Dog'), 'CC --', 'The same schema twice.'],
  ['a mapping in another order', `{oneOf: [${ref('Cat')}, ${ref('Dog')}], discriminator: {propertyName: kind, mapping: {cat: Cat, dog: Dog}}}`, `{oneOf: [${ref('Dog')}, ${ref('Cat')}], discriminator: {mapping: {dog: Dog, cat: Cat}, propertyName: kind}}`, 'CC CC', 'No order.'],
  ['branches of trees by a reference into the tree', "{$ref: '#/components/schemas/Tree/properties/branches'}", array(`items: ${ref('Tree')}`), 'CC CC', 'The same arrays.'],
  ['a shrub that is a tree as well', ref('Shrub'), `{allOf: [${ref('Shrub')}, ${ref('Tree')}]}`, 'CC --', 'Every shrub is a tree.'],
  ['a shrub or a tree', `{anyOf: [${ref('Shrub')}, ${ref('Tree')}]}`, ref('Tree'), 'CC --', 'Every shrub is a tree.'],
  ['a tree that is no shrub', ref('Tree'), `{allOf: [${ref('Tree')}, {not: ${ref('Shrub')}}]}`, 'BC CB', '{height: 1} is valid before only.'],
  ['a component written out', ref('Cat'), object('properties: {lives: {type: integer}, kind: {const: cat}}, required: [kind]'), 'CC CC', 'The same cats.'],
  ['a component written out without its requirement', ref('Cat'), object('properties: {kind: {type: string, enum: [cat]}, lives: {type: integer}}'), 'CB BC', 'A cat without kind is valid after only.'],
  ['a component written out with a further kind', ref('Cat'), object('properties: {kind: {type: string, enum: [cat, lion]}, lives: {type: integer}}, required: [kind]'), 'CB BC', 'lion is valid after only.'],
  ['a component closed where it is used', ref('Cat'), `{$ref: '${CAT}', unevaluatedProperties: false}`, 'BC CB', 'Other properties are valid before only.'],
  ['a nullable component in parts of 3.0', `{type: object, nullable: true, properties: {cat: ${ref('Cat')}}}`, `{type: [object, 'null'], properties: {cat: {allOf: [${ref('Cat')}]}}}`, 'CC CC', 'The same values.'],
];

// biome-ignore format: a table
const ARRAYS: readonly SchemaRow[] = [
  ['a position with an altitude', array('prefixItems: [{type: number}, {type: number}], items: false, minItems: 2'), array('items: {type: number}, minItems: 2, maxItems: 3'), 'CB BC', 'Three numbers are valid after only.'],
  ['a position of two numbers in two ways', array('items: {type: number}, minItems: 2, maxItems: 2'), array('prefixItems: [{type: number}, {type: number}], items: false, minItems: 2'), 'CC CC', 'Two numbers.'],
  ['at most one primary address', array('contains: {properties: {primary: {const: true}}, required: [primary]}, maxContains: 1'), array('contains: {properties: {primary: {const: true}}, required: [primary]}'), 'CB BC', 'Two primary addresses are valid after only.'],
  ['a minimum of matches in words', array('contains: {const: owner}'), array('contains: {const: owner}, minContains: 1'), 'CC CC', 'The default.'],
  ['a match that may lack', array('contains: {const: owner}, minContains: 0, maxContains: 1'), array('contains: {const: owner}, maxContains: 1'), 'BC CB', 'The empty array is valid before only.'],
  ['duplicates permitted in words', array('items: {type: string}, uniqueItems: false'), array('items: {type: string}'), 'CC CC', 'The default.'],
  ['both values of an enum', array('items: {enum: [a, b]}, uniqueItems: true, minItems: 2'), '{enum: [[a, b], [b, a]]}', 'CC --', 'Two orders.'],
  ['a nullable list of 3.0 as a type list', array('nullable: true, items: {type: string}'), "{type: [array, 'null'], items: {type: string}}", 'CC CC', 'The same lists and null.'],
  ['a nullable list of 3.0 that is never null', array('nullable: true, items: {type: string}'), array('items: {type: string}'), 'BC CB', 'null is valid before only.'],
  ['items with a requirement', array(`items: ${ref('Cat')}`), array(`items: {allOf: [${ref('Cat')}, {required: [lives]}]}`), 'BC CB', 'A cat without lives is valid before only.'],
  ['items with one property more', array(`items: ${object(`properties: {${A}}`)}`), array(`items: ${object(`properties: {${AB}}`)}`), 'CC RB', 'An added property; in the reverse readers lose it.'],
  ['items with one required property more', array(`items: ${object(`properties: {${A}}`)}`), array(`items: ${object(`properties: {${AB}}, required: [b]`)}`), 'BC RB', 'Requests lack it; in the reverse readers lose it.'],
  ['a map as a list of pairs', object('additionalProperties: {type: string}'), array("items: {type: object, properties: {key: {type: string}, value: {type: string}}}"), 'BB BB', 'An object is no array.'],
  ['items of several types as lists of one', array('items: {type: [integer, string]}'), `{anyOf: [${array('items: {type: integer}')}, ${array('items: {type: string}')}]}`, 'BC CB', '[1, a] is valid before only.'],
  ['a list that has an item, by contains', array('contains: true'), array('minItems: 1'), 'CC --', 'At least one item.'],
  ['bounds of a list in parts', `{allOf: [${array('minItems: 1')}, {maxItems: 5, items: {type: string}}]}`, array('minItems: 1, maxItems: 5, items: {type: string}'), 'CC CC', 'One to five strings.'],
  ['fewer recipients', array('items: {type: string}, minItems: 1, maxItems: 100'), array('items: {type: string}, minItems: 1, maxItems: 50'), 'BC CB', '51 recipients are valid before only.'],
];

const PAYMENT =
  'properties: {type: {enum: [card, bank]}, number: {type: string}, iban: {type: string}}';
const WHEN = (value: string, name: string) =>
  `if: {properties: {type: {const: ${value}}}, required: [type]}, then: {required: [${name}]}`;
const PRICE = (rest: string) =>
  object(
    `properties: {currency: {enum: [JPY, USD]}, amount: {type: number}}, required: [currency, amount]${rest}`,
  );

// biome-ignore format: a table
const CONDITIONS: readonly SchemaRow[] = [
  ['a condition as a dependency', object(`properties: {${AB}}, if: {required: [a]}, then: {required: [b]}`), object(`properties: {${AB}}, dependentRequired: {a: [b]}`), 'CC --', 'a needs b.'],
  ['a condition as an alternative', object(`${PAYMENT}, ${WHEN('card', 'number')}`), object(`${PAYMENT}, anyOf: [{not: {properties: {type: {const: card}}, required: [type]}}, {required: [number]}]`), 'CC --', 'A card needs a number.'],
  ['a condition that gains its else', object(`${PAYMENT}, ${WHEN('card', 'number')}`), object(`${PAYMENT}, ${WHEN('card', 'number')}, else: {required: [iban]}`), 'BC CB', '{type: bank} is valid before only.'],
  ['a condition for one value more', object(`${PAYMENT}, ${WHEN('card', 'number')}`), object(`${PAYMENT}, if: {properties: {type: {enum: [card, bank]}}, required: [type]}, then: {required: [number]}`), 'BC CB', '{type: bank} is valid before only.'],
  ['a requirement of a condition that holds outside', object(`${PAYMENT}, required: [type], ${WHEN('card', 'number')}`), object(`${PAYMENT}, required: [type], if: {properties: {type: {const: card}}}, then: {required: [number]}`), 'CC --', 'type is always there.'],
  ['two conditions as one chain', object(`${PAYMENT}, allOf: [{${WHEN('card', 'number')}}, {${WHEN('bank', 'iban')}}]`), object(`${PAYMENT}, ${WHEN('card', 'number')}, else: {${WHEN('bank', 'iban')}}`), 'CC --', 'No type is card and bank.'],
  ['two conditions as one chain without a requirement', object(`${PAYMENT}, allOf: [{if: {properties: {type: {const: card}}}, then: {required: [number]}}, {if: {properties: {type: {const: bank}}}, then: {required: [iban]}}]`), object(`${PAYMENT}, if: {properties: {type: {const: card}}}, then: {required: [number]}, else: {if: {properties: {type: {const: bank}}}, then: {required: [iban]}}`), 'CB BC', '{number: x} is valid after only.'],
  ['yen without fractions as alternatives', PRICE(', if: {properties: {currency: {const: JPY}}}, then: {properties: {amount: {multipleOf: 1}}}'), `{oneOf: [${object('properties: {currency: {const: JPY}, amount: {type: integer}}, required: [currency, amount]')}, ${object('properties: {currency: {const: USD}, amount: {type: number}}, required: [currency, amount]')}]}`, 'CC --', 'Yen are integers.'],
  ['yen with fractions', PRICE(', if: {properties: {currency: {const: JPY}}}, then: {properties: {amount: {multipleOf: 1}}}'), PRICE(''), 'CB BC', '0.5 yen are valid after only.'],
  ['a dependent schema as a condition', object("properties: {card: {type: string}, cvc: {type: string}}, dependentSchemas: {card: {required: [cvc], properties: {cvc: {maxLength: 4}}}}"), object("properties: {card: {type: string}, cvc: {type: string}}, if: {required: [card]}, then: {required: [cvc], properties: {cvc: {maxLength: 4}}}"), 'CC --', 'The same objects.'],
  ['a dependent schema with a longer code', object("properties: {card: {type: string}, cvc: {type: string}}, dependentSchemas: {card: {properties: {cvc: {pattern: '^\\d{3}$'}}}}"), object("properties: {card: {type: string}, cvc: {type: string}}, dependentSchemas: {card: {properties: {cvc: {pattern: '^\\d{3,4}$'}}}}"), 'CB BC', 'A code of four digits is valid after only.'],
  ['an else without then', '{if: {type: string}, else: {type: integer, minimum: 0}}', '{anyOf: [{type: string}, {type: integer, minimum: 0}]}', 'CC --', 'Strings and positive integers.'],
  ['a condition on a length', '{type: string, if: {maxLength: 3}, then: {pattern: "^[A-Z]*$"}}', '{type: string, anyOf: [{minLength: 4}, {pattern: "^[A-Z]*$"}]}', 'CC --', 'Short texts are capitals.'],
  ['a condition that never holds', object(`properties: {${A}}, if: {required: [a], properties: {a: false}}, then: {required: [b]}`), object(`properties: {${A}}`), 'CC --', 'a cannot be there and not.'],
];

// biome-ignore format: a table
const COMPOSITIONS: readonly SchemaRow[] = [
  ['bounds in parts of which one is stricter', '{type: string, allOf: [{minLength: 1}, {maxLength: 10}, {maxLength: 20}]}', '{type: string, minLength: 1, maxLength: 10}', 'CC CC', '1 to 10 characters.'],
  ['texts by length, exactly one', '{type: string, oneOf: [{maxLength: 5}, {minLength: 6}]}', '{type: string}', 'CC --', 'Every text has one of the lengths.'],
  ['texts by length with an overlap', '{type: string, oneOf: [{maxLength: 5}, {minLength: 5}]}', '{type: string}', 'CB BC', 'Five characters match both before.'],
  ['anything but null in parts', "{allOf: [{not: {type: 'null'}}, {type: [string, 'null']}]}", '{type: string}', 'CC --', 'Only strings are left.'],
  ['a payment of either kind with a shared maximum', `{oneOf: [${object('properties: {t: {const: a}, n: {type: integer, maximum: 9}}, required: [t]')}, ${object('properties: {t: {const: b}, n: {type: integer, maximum: 9}}, required: [t]')}]}`, object('properties: {t: {enum: [a, b]}, n: {type: integer, maximum: 9}}, required: [t]'), 'CC --', 'The kinds share the bound.'],
  ['a payment of either kind with the larger maximum', `{oneOf: [${object('properties: {t: {const: a}, n: {type: integer, maximum: 9}}, required: [t]')}, ${object('properties: {t: {const: b}, n: {type: integer, maximum: 99}}, required: [t]')}]}`, object('properties: {t: {enum: [a, b]}, n: {type: integer, maximum: 99}}, required: [t]'), 'CB BC', '{t: a, n: 10} is valid after only.'],
  ['a payment of a further kind', `{oneOf: [${ref('Cat')}, ${ref('Dog')}]}`, `{oneOf: [${ref('Cat')}, ${ref('Dog')}, ${object('properties: {kind: {const: fish}, fins: {type: integer}}, required: [kind]')}]}`, 'CB BC', 'A fish is valid after only.'],
  ['a nested choice', `{oneOf: [${ref('Cat')}, {oneOf: [${ref('Dog')}, {type: string}]}]}`, `{oneOf: [{type: string}, ${ref('Cat')}, ${ref('Dog')}]}`, 'CC --', 'The three exclude each other.'],
  ['a choice of one', `{oneOf: [${ref('Cat')}]}`, ref('Cat'), 'CC CC', 'The same cats.'],
  ['a part that is there twice', `{allOf: [${object(`properties: {${A}}`)}, ${object(`properties: {${A}}`)}]}`, object(`properties: {${A}}`), 'CC CC', 'The same objects.'],
  ['a property typed in two parts', `{allOf: [${object('properties: {a: {type: [string, integer]}}')}, ${object('properties: {a: {type: [integer, boolean]}}')}]}`, object('properties: {a: {type: integer}}'), 'CC --', 'Only integers fit both.'],
  ['a property typed in one part of two', `{allOf: [${object('properties: {a: {type: [string, integer]}}')}, ${object('properties: {a: {type: [integer, boolean]}}')}]}`, object('properties: {a: {type: [integer, boolean]}}'), 'CB BC', '{a: true} is valid after only.'],
];

// biome-ignore format: a table
const DIRECTIONS: readonly SchemaRow[] = [
  ['a readOnly property removed', object(`properties: {id: {type: string, readOnly: true}, ${A}}`), object(`properties: {${A}}`), 'CB CC', 'Requests never have it; readers lose it.'],
  ['a writeOnly property removed', object(`properties: {pin: {type: string, writeOnly: true}, ${A}}`), object(`properties: {${A}}`), 'RC CC', 'The service ignores it; replies never have it.'],
  ['a bound inside a readOnly object', object('properties: {meta: {type: object, readOnly: true, properties: {n: {type: integer}}}}'), object('properties: {meta: {type: object, readOnly: true, properties: {n: {type: integer, maximum: 9}}}}'), 'CC CB', 'Only replies have it.'],
  ['a bound inside a writeOnly object', object('properties: {meta: {type: object, writeOnly: true, properties: {n: {type: integer}}}}'), object('properties: {meta: {type: object, writeOnly: true, properties: {n: {type: integer, maximum: 9}}}}'), 'BC CC', 'Only requests have it.'],
  ['a readOnly component in two ways', object(`properties: {cat: {allOf: [${ref('Cat')}], readOnly: true}}`), object(`properties: {cat: {$ref: '${CAT}', readOnly: true}}`), 'CC CC', 'The same cat.'],
  ['another type of a readOnly date', object('properties: {at: {type: string, format: date-time, readOnly: true}}'), object('properties: {at: {type: integer, readOnly: true}}'), 'CB CB', 'Only replies have it.'],
  ['another type of a writeOnly key', object('properties: {key: {type: string, writeOnly: true}}'), object('properties: {key: {type: object, writeOnly: true}}'), 'BC BC', 'Only requests have it.'],
  ['a readOnly property that may be null', object('properties: {at: {type: string, readOnly: true}}'), object("properties: {at: {type: [string, 'null'], readOnly: true}}"), 'CB CC', 'Only replies have it.'],
  ['a readOnly property that is always there', object(`properties: {id: {type: string, readOnly: true}, ${A}}, required: [a]`), object(`properties: {id: {type: string, readOnly: true}, ${A}}, required: [a, id]`), 'CC CB', 'The requirement applies to replies.'],
];

export const EIGHTH_STRUCTURE_ROWS: readonly SchemaRow[] = [
  ...OBJECTS,
  ...COMPONENTS,
  ...ARRAYS,
  ...CONDITIONS,
  ...COMPOSITIONS,
  ...DIRECTIONS,
];
