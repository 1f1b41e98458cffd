// Labelled changes of branches, base paths, references by identifier, and forms that allow the same values.
import { type ContractRow, contractOf, type SchemaRow } from './pair.ts';
import { KIND, OK, ref } from './texts.ts';

const tagged = (tag: string, property: string) =>
  `{type: object, properties: {kind: {const: ${tag}}, ${property}}, required: [kind]}`;
const [BIRD, FISH] = [
  tagged('bird', 'wings: {type: integer}'),
  tagged('fish', 'fins: {type: integer}'),
];
const titled = (title: string, rest: string) => `{title: ${title}, ${rest}}`;
const [CAT, DOG, PUPPY, CAR, BUS] = ['Cat', 'Dog', 'Puppy', 'Car', 'Bus'].map(ref);
const object = (keywords: string) => `{type: object, ${keywords}}`;
const GIFT = 'properties: {kind: {type: string}, note: {type: string}, price: {type: number}}';
const IS_GIFT = '{properties: {kind: {const: gift}}, required: [kind]}';

// biome-ignore format: a table
export const PAIRING_SCHEMA_ROWS: readonly SchemaRow[] = [
  ['tagged branch inserted first', `{oneOf: [${CAT}, ${DOG}]}`, `{oneOf: [${BIRD}, ${CAT}, ${DOG}]}`, 'CB BC', 'A bird is valid after only.'],
  ['tagged branch inserted between', `{oneOf: [${CAT}, ${DOG}]}`, `{oneOf: [${CAT}, ${FISH}, ${DOG}]}`, 'CB BC', 'A fish is valid after only.'],
  ['named branch of anyOf inserted first', `{anyOf: [${CAR}, ${CAT}]}`, `{anyOf: [${BUS}, ${CAR}, ${CAT}]}`, 'CB BC', 'A bus is valid after only.'],
  ['tagged branches reordered', `{oneOf: [${CAT}, ${DOG}, ${BIRD}, ${FISH}]}`, `{oneOf: [${FISH}, ${DOG}, ${CAT}, ${BIRD}]}`, 'CC CC', 'The same branches.'],
  ['branches without a name reordered', '{anyOf: [{type: string, maxLength: 3}, {type: integer}, {type: boolean}]}', '{anyOf: [{type: boolean}, {type: string, maxLength: 3}, {type: integer}]}', 'CC CC', 'The same branches.'],
  ['branch of the same content under another name', `{oneOf: [${CAT}, ${DOG}]}`, `{oneOf: [${CAT}, ${PUPPY}]}`, 'CC CC', 'The same values.'],
  ['reordered branch narrowed', '{oneOf: [{type: string, maxLength: 3}, {type: integer}]}', '{oneOf: [{type: integer, maximum: 5}, {type: string, maxLength: 3}]}', 'BC CB', '6 is valid before only.'],
  ['titled branch moved and narrowed', `{anyOf: [${titled('A', 'type: string, maxLength: 9')}, ${titled('B', 'type: array, items: {type: string}')}]}`, `{anyOf: [${titled('B', 'type: array, items: {type: string}')}, ${titled('A', 'type: string, maxLength: 8')}]}`, 'BC CB', 'A string of 9 characters is valid before only.'],
  ['titles of branches changed', `{oneOf: [${titled('A', 'type: string')}, ${titled('B', 'type: integer')}]}`, `{oneOf: [${titled('C', 'type: string')}, ${titled('D', 'type: integer')}]}`, 'CC CC', 'Only documentation.'],
  ['titles of branches swapped', `{oneOf: [${titled('A', 'type: string')}, ${titled('B', 'type: integer')}]}`, `{oneOf: [${titled('B', 'type: string')}, ${titled('A', 'type: integer')}]}`, 'CC CC', 'Only documentation.'],
  ['tagged branch inserted and another narrowed', `{oneOf: [${BIRD}, ${CAT}]}`, `{oneOf: [${FISH}, ${tagged('bird', 'wings: {type: integer, maximum: 4}')}, ${CAT}]}`, 'BB BB', 'Five wings are valid before only, and a fish after only.'],
  ['tagged branch without a name reordered and widened', `{oneOf: [${BIRD}, ${FISH}]}`, `{oneOf: [${tagged('fish', 'fins: {type: number}')}, ${BIRD}]}`, 'CB BC', 'Half a fin is valid after only.'],
  ['branch with enum gains a value', '{anyOf: [{enum: [s, m, l]}, {enum: [small, large]}]}', '{anyOf: [{enum: [s, m, l, xl]}, {enum: [small, large]}]}', 'CB BC', 'xl is valid after only.'],
  ['branch of oneOf with enum gains a value', '{oneOf: [{enum: [s, m, l]}, {enum: [small, large]}]}', '{oneOf: [{enum: [s, m, l]}, {enum: [small, large, huge]}]}', 'CB BC', 'huge is valid after only.'],
  ['enum value moved between branches', '{anyOf: [{enum: [a, b, c]}, {enum: [d]}]}', '{anyOf: [{enum: [a, b]}, {enum: [c, d]}]}', 'CC CC', 'The same values.'],
  ['enum value in both branches of oneOf', '{oneOf: [{enum: [a, b]}, {enum: [c]}]}', '{oneOf: [{enum: [a, b]}, {enum: [b, c]}]}', 'BC CB', 'b is valid before only.'],
  ['typed branch beside an enum gains a value', '{oneOf: [{type: integer}, {type: string, enum: [a]}]}', '{oneOf: [{type: integer}, {type: string, enum: [a, b]}]}', 'CB BC', 'b is valid after only.'],
  ['enum without a type of mixed values', '{anyOf: [{enum: [1, 2]}, {enum: [one, two]}]}', '{anyOf: [{enum: [one, two, three]}, {enum: [1, 2]}]}', 'CB BC', 'three is valid after only.'],
  ['branch that requires a property inserted', object('properties: {a: {type: string}, b: {type: string}, c: {type: string}}, anyOf: [{required: [a]}, {required: [b]}]'), object('properties: {a: {type: string}, b: {type: string}, c: {type: string}}, anyOf: [{required: [c]}, {required: [a]}, {required: [b]}]'), 'CB BC', 'An object with only c is valid after only.'],
  ['null inserted as the first branch', `{oneOf: [${CAT}, ${DOG}]}`, `{oneOf: [{type: 'null'}, ${CAT}, ${DOG}]}`, 'CB BC', 'null is valid after only.'],
  ['branch of the items inserted', `{type: array, items: {oneOf: [${CAT}, ${DOG}]}}`, `{type: array, items: {oneOf: [${BIRD}, ${CAT}, ${DOG}]}}`, 'CB BC', 'A bird is valid after only.'],
  ['array branch inserted before another array', '{anyOf: [{type: array, items: {type: string}}, {type: string}]}', '{anyOf: [{type: array, items: {type: integer}}, {type: array, items: {type: string}}, {type: string}]}', 'CB BC', '[1] is valid after only.'],
  ['enumerated string as tagged branches with const', '{type: string, enum: [a, b]}', '{oneOf: [{const: a, title: A}, {const: b, title: B}]}', 'CC CC', 'The same values.'],
  ['described constants gain one', '{oneOf: [{const: a, title: A}, {const: b, title: B}]}', '{oneOf: [{const: a, title: A}, {const: c, title: C}, {const: b, title: B}]}', 'CB BC', 'c is valid after only.'],
  ['dependentSchemas as if and then', object('dependentSchemas: {a: {required: [b]}}'), object('if: {required: [a]}, then: {required: [b]}'), 'CC CC', 'The same objects.'],
  ['dependentSchemas as if and then of another name', object('dependentSchemas: {a: {required: [b]}}'), object('if: {required: [a]}, then: {required: [c]}'), 'BB BB', 'An object with a and b is valid before only, one with a and c after only.'],
  ['dependentSchemas with a bound as if and then', object(`${GIFT}, dependentSchemas: {note: {properties: {price: {minimum: 1}}}}`), object(`${GIFT}, if: {required: [note]}, then: {properties: {price: {minimum: 1}}}`), 'CC CC', 'The same objects.'],
  ['dependentSchemas with a bound as another if and then', object(`${GIFT}, dependentSchemas: {note: {properties: {price: {minimum: 1}}}}`), object(`${GIFT}, if: {required: [note]}, then: {properties: {price: {minimum: 2}}}`), 'BC CB', 'A note with price 1 is valid before only.'],
  ['dependentRequired as if and then', object('dependentRequired: {a: [b, c]}'), object('if: {required: [a]}, then: {required: [b, c]}'), 'CC CC', 'The same objects.'],
  ['dependentRequired as a smaller if and then', object('dependentRequired: {a: [b, c]}'), object('if: {required: [a]}, then: {required: [b]}'), 'CB BC', 'An object with a and b is valid after only.'],
  ['propertyNames as narrower patternProperties', object("propertyNames: {pattern: '^[a-z]+$'}"), object("patternProperties: {'^[a-y]+$': {}}, additionalProperties: false"), 'BC CB', 'The name z is valid before only.'],
  ['propertyNames with typed values as patternProperties', object("propertyNames: {pattern: '^[a-z]+$'}, additionalProperties: {type: string}"), object("patternProperties: {'^[a-z]+$': {type: string}}, additionalProperties: false"), 'CC CC', 'The same names and values.'],
  ['propertyNames with values of another type', object("propertyNames: {pattern: '^[a-z]+$'}, additionalProperties: {type: string}"), object("patternProperties: {'^[a-z]+$': {type: integer}}, additionalProperties: false"), 'BB BB', 'Strings are lost and integers gained.'],
  ['length of names as patternProperties', object('propertyNames: {minLength: 1, maxLength: 3}'), object("patternProperties: {'^[^]{1,3}$': true}, additionalProperties: false"), 'CC CC', 'The same names.'],
  ['false as not required', object('properties: {a: false, b: {type: string}}'), object('properties: {b: {type: string}}, not: {required: [a]}'), 'CC CC', 'a is not allowed.'],
  ['false as not required of two', object('properties: {a: false, b: {type: string}}'), object('properties: {b: {type: string}}, not: {required: [a, b]}'), 'CB BC', 'An object with only a is valid after only.'],
  ['two false properties as not anyOf required', object('properties: {a: false, b: false}'), object('not: {anyOf: [{required: [a]}, {required: [b]}]}'), 'CC CC', 'Neither is allowed.'],
  ['two false properties as not required of both', object('properties: {a: false, b: false}'), object('not: {required: [a, b]}'), 'CB BC', 'An object with only a is valid after only.'],
  ['if and then as anyOf', object(`${GIFT}, if: ${IS_GIFT}, then: {required: [note]}`), object(`${GIFT}, anyOf: [{not: ${IS_GIFT}}, {required: [note]}]`), 'CC CC', 'The same objects.'],
  ['if and then as an anyOf that is stricter', object(`${GIFT}, if: ${IS_GIFT}, then: {required: [note]}`), object(`${GIFT}, anyOf: [{not: ${IS_GIFT}}, {required: [note, price]}]`), 'BC CB', 'A gift without price is valid before only.'],
  ['if, then and else as anyOf', object(`${GIFT}, if: ${IS_GIFT}, then: {required: [note]}, else: {required: [price]}`), object(`${GIFT}, anyOf: [{allOf: [${IS_GIFT}, {required: [note]}]}, {not: ${IS_GIFT}, required: [price]}]`), 'CC CC', 'The same objects.'],
  ['if, then and else as two conditions', object(`${GIFT}, if: ${IS_GIFT}, then: {required: [note]}, else: {required: [price]}`), object(`${GIFT}, allOf: [{if: ${IS_GIFT}, then: {required: [note]}}, {if: {not: ${IS_GIFT}}, then: {required: [price]}}]`), 'CC CC', 'The same objects.'],
  ['else as the then of not', object(`${GIFT}, if: ${IS_GIFT}, else: {required: [price]}`), object(`${GIFT}, if: {not: ${IS_GIFT}}, then: {required: [price]}`), 'CC CC', 'The same objects.'],
  ['oneOf distributed over a property', `{oneOf: [${object('properties: {k: {type: string}}, required: [k]')}, ${object('properties: {k: {type: integer}}, required: [k]')}]}`, object('properties: {k: {oneOf: [{type: string}, {type: integer}]}}, required: [k]'), 'CC CC', 'The same objects.'],
  ['oneOf distributed over a property with one type more', `{oneOf: [${object('properties: {k: {type: string}}, required: [k]')}, ${object('properties: {k: {type: integer}}, required: [k]')}]}`, object('properties: {k: {oneOf: [{type: string}, {type: integer}, {type: boolean}]}}, required: [k]'), 'CB BC', 'k: true is valid after only.'],
  ['oneOf distributed over an optional property', `{oneOf: [${object('properties: {k: {type: string}}')}, ${object('properties: {k: {type: integer}}')}]}`, object('properties: {k: {oneOf: [{type: string}, {type: integer}]}}'), 'CB BC', 'The empty object is valid after only.'],
  ['anyOf distributed over an optional property', `{anyOf: [${object('properties: {k: {type: string}}')}, ${object('properties: {k: {type: integer}}')}]}`, object('properties: {k: {type: [string, integer]}}'), 'CC CC', 'The same objects.'],
  ['oneOf distributed over an enum', `{oneOf: [${object('properties: {k: {const: a}, n: {type: integer}}, required: [k]')}, ${object('properties: {k: {const: b}, n: {type: integer}}, required: [k]')}]}`, object('properties: {k: {enum: [a, b]}, n: {type: integer}}, required: [k]'), 'CC CC', 'The same objects.'],
  ['int32 not implied by bounds', '{type: integer, minimum: 0, maximum: 3000000000}', '{type: integer, format: int32, minimum: 0, maximum: 3000000000}', 'BC CB', '3000000000 is valid before only.'],
  ['int64 as int32 within bounds', '{type: integer, format: int64, minimum: -5, maximum: 5}', '{type: integer, format: int32, minimum: -5, maximum: 5}', 'CC CC', 'The same integers.'],
  ['int32 as its bounds', '{type: integer, format: int32}', '{type: integer, minimum: -2147483648, maximum: 2147483647}', 'CC CC', 'The same integers.'],
  ['int32 implied by an enum', '{type: integer, enum: [1, 2, 3]}', '{type: integer, format: int32, enum: [1, 2, 3]}', 'CC CC', 'Every value is an int32.'],
  ['int32 implied by one bound only', '{type: integer, minimum: 0}', '{type: integer, format: int32, minimum: 0}', 'BC CB', '3000000000 is valid before only.'],
];

const at = (servers: string, ...paths: readonly string[]) =>
  `${servers === '' ? '' : `servers: [${servers}]\n`}paths: {${paths.join(', ')}}`;
const url = (text: string, rest = '') => `{url: '${text}'${rest}}`;
const path = (route: string, rest = '', own = '') =>
  `"${route}": {${own}get: {operationId: get${route.replace(/^\/v\d|\W/g, '')}, ${rest}${OK}}}`;
const own = (text: string) => `servers: [${url(text)}], `;
const ID = 'parameters: [{name: id, in: path, required: true, schema: {type: integer}}], ';
const LIMIT = 'parameters: [{name: limit, in: query, schema: {type: integer, maximum: 9}}], ';
const ANY_LIMIT = 'parameters: [{name: limit, in: query, schema: {type: integer}}], ';

const body = (schema: string, schemas: string) =>
  `paths: {/toys: {post: {operationId: postToys, requestBody: {content: {application/json: {schema: ${schema}}}}, ${OK}}}}\ncomponents: {schemas: {${schemas}}}`;
const TOY = 'type: object, properties: {name: {type: string}}, required: [name]';
const SHORT = 'type: object, properties: {name: {type: string, maxLength: 3}}, required: [name]';

const pets = (list: readonly string[], cat = 'lives: {type: integer}', discriminator = '') =>
  contractOf(
    `paths: {/pets: {get: {operationId: getPets, responses: {"200": {description: a, content: {application/json: {schema: {oneOf: [${list.map(ref).join(', ')}]${discriminator}}}}}}}}}
components: {schemas: {Cat: ${tagged('cat', cat)}, Dog: ${tagged('dog', 'tricks: {type: integer}')}, Bird: ${BIRD}, Fish: ${FISH}}}`,
  );

// biome-ignore format: a table
export const PAIRING_CONTRACT_ROWS: readonly ContractRow[] = [
  ['component inserted before others', pets(['Cat', 'Dog']), pets(['Bird', 'Cat', 'Dog']), 'BC', 'Clients may get a bird.'],
  ['components reordered', pets(['Cat', 'Dog', 'Bird']), pets(['Bird', 'Cat', 'Dog']), 'CC', 'The same branches.'],
  ['components with a discriminator reordered', pets(['Cat', 'Dog', 'Bird'], undefined, KIND), pets(['Dog', 'Bird', 'Cat'], undefined, KIND), 'CC', 'The same branches.'],
  ['component with a discriminator replaced', pets(['Cat', 'Dog'], undefined, KIND), pets(['Fish', 'Dog'], undefined, KIND), 'BB', 'A fish is valid after only, a cat before only.'],
  ['reordered component widened', pets(['Cat', 'Dog']), pets(['Dog', 'Cat'], 'lives: {type: number}'), 'BC', 'Clients may get half a life.'],
  ['reordered component narrowed', pets(['Cat', 'Dog']), pets(['Dog', 'Cat'], 'lives: {type: integer, maximum: 9}'), 'CB', 'Clients get fewer values.'],
  ['base path moved into paths', at(url('https://a.test/v1'), path('/toys')), at(url('https://a.test'), path('/v1/toys')), 'CC', 'The same URL.'],
  ['base path moved into paths of another version', at(url('https://a.test/v1'), path('/toys')), at(url('https://a.test'), path('/v2/toys')), 'BB', 'Another URL.'],
  ['base path of two servers moved into paths', at(`${url('https://a.test/v1')}, ${url('https://b.test/v1')}`, path('/toys')), at(`${url('https://a.test')}, ${url('https://b.test')}`, path('/v1/toys')), 'CC', 'The same URLs.'],
  ['base path of two servers of which one moves', at(`${url('https://a.test/v1')}, ${url('https://b.test/v1')}`, path('/toys')), at(`${url('https://a.test')}`, path('/v1/toys')), 'BC', 'https://b.test/v1/toys is lost.'],
  ['part of the base path moved', at(url('https://a.test/api/v1'), path('/toys'), path('/cars')), at(url('https://a.test/api'), path('/v1/toys'), path('/v1/cars')), 'CC', 'The same URLs.'],
  ['base path moved, one path forgotten', at(url('https://a.test/v1'), path('/toys'), path('/cars')), at(url('https://a.test'), path('/v1/toys'), path('/cars')), 'BB', '/v1/cars is lost, /cars is gained.'],
  ['relative base path moved into paths', at(url('/v1'), path('/toys')), at(url('/'), path('/v1/toys')), 'CC', 'The same URL.'],
  ['relative base path moved, without servers', at(url('/v1'), path('/toys')), at('', path('/v1/toys')), 'CC', 'The default server is /.'],
  ['base path with a parameter of the path', at(url('https://a.test/v1'), path('/toys/{id}', ID)), at(url('https://a.test'), path('/v1/toys/{id}', ID)), 'CC', 'The same URLs.'],
  ['base path moved and a parameter narrowed', at(url('https://a.test/v1'), path('/toys', ANY_LIMIT)), at(url('https://a.test'), path('/v1/toys', LIMIT)), 'BC', 'limit=10 is refused.'],
  ['base path moved and an operation added', at(url('https://a.test/v1'), path('/toys')), at(url('https://a.test'), path('/v1/toys'), path('/v1/cars')), 'CB', 'An operation is new.'],
  ['base path by a variable of one value', at(url('https://a.test/{v}', ', variables: {v: {default: v1, enum: [v1]}}'), path('/toys')), at(url('https://a.test'), path('/v1/toys')), 'CC', 'The same URL.'],
  ['base path by a variable of two values', at(url('https://a.test/{v}', ', variables: {v: {default: v1, enum: [v1, v2]}}'), path('/toys')), at(url('https://a.test'), path('/v1/toys')), 'BC', '/v2/toys is lost.'],
  ['servers moved to each path', at(url('https://a.test/v1'), path('/toys'), path('/cars')), at('', path('/toys', '', own('https://a.test/v1')), path('/cars', '', own('https://a.test/v1'))), 'CC', 'The same URLs.'],
  ['servers moved to one of two paths', at(url('https://a.test/v1'), path('/toys'), path('/cars')), at('', path('/toys', '', own('https://a.test/v1')), path('/cars')), 'BB', '/v1/cars is lost, /cars is gained.'],
  ['servers moved to each operation', at(url('https://a.test/v1'), path('/toys'), path('/cars')), at('', path('/toys', own('https://a.test/v1')), path('/cars', own('https://a.test/v1'))), 'CC', 'The same URLs.'],
  ['servers of each path differ from those of the document', at(url('https://a.test'), path('/toys')), at(url('https://a.test'), path('/toys', '', own('https://b.test'))), 'BB', 'Another host.'],
  ['unused servers of the document changed', at(url('https://a.test'), path('/toys', '', own('https://b.test'))), at(url('https://c.test'), path('/toys', '', own('https://b.test'))), 'BB', 'Clients may use a declared server.'],
  ['base path moved to servers of a path', at(url('https://a.test'), path('/v1/toys'), path('/cars')), at(url('https://a.test'), path('/toys', '', own('https://a.test/v1')), path('/cars')), 'CC', 'The same URLs.'],
  ['reference by $anchor', body('{$ref: "#/components/schemas/Toy"}', `Toy: {${TOY}}`), body('{$ref: "#toy"}', `Toy: {$anchor: toy, ${TOY}}`), 'CC', 'The same schema.'],
  ['reference by $anchor to a narrower schema', body('{$ref: "#/components/schemas/Toy"}', `Toy: {${TOY}}`), body('{$ref: "#toy"}', `Toy: {${TOY}}, Short: {$anchor: toy, ${SHORT}}`), 'B-', 'A longer name is refused.'],
  ['reference by $id', body('{$ref: "#/components/schemas/Toy"}', `Toy: {${TOY}}`), body('{$ref: "https://a.test/toy"}', `Toy: {$id: "https://a.test/toy", ${TOY}}`), 'CC', 'The same schema.'],
  ['reference by $id to a narrower schema', body('{$ref: "https://a.test/toy"}', `Toy: {$id: "https://a.test/toy", ${TOY}}`), body('{$ref: "https://a.test/short"}', `Toy: {$id: "https://a.test/toy", ${TOY}}, Short: {$id: "https://a.test/short", ${SHORT}}`), 'B-', 'A longer name is refused.'],
  ['schema changed behind its $id', body('{$ref: "https://a.test/toy"}', `Toy: {$id: "https://a.test/toy", ${TOY}}`), body('{$ref: "https://a.test/toy"}', `Toy: {$id: "https://a.test/toy", ${SHORT}}`), 'BC', 'A longer name is refused.'],
  ['reference by $id and $anchor', body('{$ref: "https://a.test/toy#name"}', `Toy: {$id: "https://a.test/toy", $defs: {name: {$anchor: name, type: string}}, ${TOY}}`), body('{type: string}', `Toy: {${TOY}}`), 'CC', 'The same strings.'],
  ['reference relative to $id', body('{$ref: "#/components/schemas/Box"}', `Box: {$id: "https://a.test/box", type: object, properties: {toy: {$ref: toy}}}, Toy: {$id: "https://a.test/toy", ${TOY}}`), body('{$ref: "#/components/schemas/Box"}', `Box: {type: object, properties: {toy: {$ref: "#/components/schemas/Toy"}}}, Toy: {${TOY}}`), 'CC', 'The same schema.'],
  ['pointer relative to $id', body('{$ref: "#/components/schemas/Box"}', 'Box: {$id: "https://a.test/box", $defs: {n: {type: integer}}, type: object, properties: {n: {$ref: "#/$defs/n"}}}'), body('{$ref: "#/components/schemas/Box"}', 'Box: {type: object, properties: {n: {type: integer}}}'), 'CC', 'The same schema.'],
];
