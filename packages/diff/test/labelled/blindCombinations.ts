// A second set of pairs written before the code that they test: combinations of keywords, and other parts of messages.
import { type ContractRow, contractOf, type SchemaRow } from './pair.ts';

const ref = (name: string) => `{$ref: '#/components/schemas/${name}'}`;
const closed = (names: string, rest = '') =>
  `{type: object, properties: {${names}}, additionalProperties: false${rest}}`;
const open = (names: string, rest = '') => `{type: object, properties: {${names}}${rest}}`;
const array = (rest: string) => `{type: array, ${rest}}`;
const string = (rest: string) => `{type: string, ${rest}}`;

// biome-ignore format: a table
const SCALARS: readonly SchemaRow[] = [
  ['exclusive bound of items', array('items: {type: number, exclusiveMinimum: 0}'), array('items: {type: number, minimum: 0.001}'), 'BC CB', '0.0005 is valid before only.'],
  ['exclusive bound of a map', '{type: object, additionalProperties: {type: number, exclusiveMaximum: 1}}', '{type: object, additionalProperties: {type: number, maximum: 0.99}}', 'BC CB', '0.995 is valid before only.'],
  ['exclusive bound of a branch', '{anyOf: [{type: string}, {type: number, exclusiveMinimum: 0}]}', '{anyOf: [{type: string}, {type: number, minimum: 0.01}]}', 'BC CB', '0.005 is valid before only.'],
  ['exclusive bound under not', '{type: number, not: {exclusiveMinimum: 10}}', '{type: number, maximum: 10}', 'CC CC', 'The same numbers.'],
  ['both bounds shifted', '{type: number, minimum: 0, maximum: 10}', '{type: number, exclusiveMinimum: 0, maximum: 10.5}', 'BB BB', '0 is valid before only, 10.2 after only.'],
  ['negative multiples', '{type: integer, multipleOf: 4, minimum: -7}', '{type: integer, multipleOf: 4, exclusiveMinimum: -8}', 'CC CC', 'The first multiple is -4.'],
  ['negative multiples lost', '{type: integer, multipleOf: 4, minimum: -8}', '{type: integer, multipleOf: 4, exclusiveMinimum: -8}', 'BC CB', '-8 is valid before only.'],
  ['step implied by few values', '{type: integer, minimum: 4, maximum: 7, multipleOf: 4}', '{type: integer, minimum: 4, maximum: 7, multipleOf: 2}', 'CB BC', '6 is valid after only.'],
  ['step of money', '{type: number, minimum: 0}', '{type: number, minimum: 0, multipleOf: 0.01}', 'BC CB', '0.005 is valid before only.'],
  ['number as integer or hundredths', '{type: number, multipleOf: 0.5, minimum: 0, maximum: 1}', '{enum: [0, 0.5, 1]}', 'CC CC', 'The same three numbers.'],
  ['float as double', array('items: {type: number, format: float}'), array('items: {type: number, format: double}'), 'CB BC', '1e300 is valid after only.'],
  ['int32 items as int64', array('items: {type: integer, format: int32}'), array('items: {type: integer, format: int64}'), 'CB BC', '2147483648 is valid after only.'],
  ['bounds of int32 exceeded by one', '{type: integer, format: int32}', '{type: integer, minimum: -2147483648, maximum: 2147483648}', 'CB BC', '2147483648 is valid after only.'],
  ['bound beside an enum that implies it', '{type: integer, enum: [1, 5]}', '{type: integer, enum: [1, 5], exclusiveMinimum: 0}', 'CC CC', 'Both values are above 0.'],
  ['null in a bounded number', "{type: [number, 'null'], minimum: 0}", "{anyOf: [{type: number, minimum: 0}, {type: 'null'}]}", 'CC CC', 'The same values.'],
  ['repetition written out', string("pattern: '^a{2,3}$'"), string("pattern: '^aaa?$'"), 'CC CC', 'The same strings.'],
  ['dot written out', string("pattern: '^.*$'"), string("pattern: '^[^\\n\\r\\u2028\\u2029]*$'"), 'CC CC', 'The same strings.'],
  ['lookahead of a length', string("pattern: '^(?=.{3,5}$)[a-z]+$'"), string("pattern: '^[a-z]{3,5}$'"), 'CC CC', 'The same strings.'],
  ['lookahead of a letter', string("pattern: '^(?!a)[a-z]+$'"), string("pattern: '^[b-z][a-z]*$'"), 'CC CC', 'The same strings.'],
  ['lookahead of another letter', string("pattern: '^(?!a)[a-z]+$'"), string("pattern: '^(?!b)[a-z]+$'"), 'BB BB', 'b is valid before only, a after only.'],
  ['reserved word excluded', string("pattern: '^[a-z]+$'"), string("pattern: '^(?!admin$)[a-z]+$'"), 'BC CB', 'admin is valid before only.'],
  ['reserved word excluded by not', string("pattern: '^[a-z]+$'"), string("pattern: '^[a-z]+$', not: {const: admin}"), 'BC CB', 'admin is valid before only.'],
  ['reserved word that no match is', string("pattern: '^[a-z]+$'"), string("pattern: '^[a-z]+$', not: {const: ADMIN}"), 'CC CC', 'ADMIN was never valid.'],
  ['optional group removed', string("pattern: '^v?[0-9]+$'"), string("pattern: '^[0-9]+$'"), 'BC CB', 'v1 is valid before only.'],
  ['letters of any script', string("pattern: '^\\p{L}+$'"), string("pattern: '^[a-z]+$'"), 'BC CB', 'é is valid before only.'],
  ['date-time becomes a date', string('format: date-time'), string('format: date'), 'BB BB', 'A date has no time.'],
  ['UUID beside its length', string('format: uuid'), string('format: uuid, minLength: 36, maxLength: 36'), 'CC CC', 'A UUID has 36 characters.'],
  ['UUID of version 4', string('format: uuid'), string("format: uuid, pattern: '^.{14}4'"), 'BC CB', 'A UUID of version 1 is valid before only.'],
  ['date of this century', string('format: date'), string("format: date, pattern: '^20'"), 'BC CB', '1999-01-01 is valid before only.'],
  ['IPv4 as host name', string('format: ipv4'), string('format: hostname'), 'CB BC', 'localhost is valid after only.'],
  ['enum in capitals', '{enum: [a, b]}', '{enum: [A, B]}', 'BB BB', 'Other strings.'],
  ['enum split over branches', '{enum: [a, b, c]}', '{anyOf: [{const: a}, {enum: [b]}, {enum: [b, c]}]}', 'CC CC', 'The same strings.'],
  ['enum value lost in a branch', '{anyOf: [{enum: [a, b]}, {enum: [b, c]}]}', '{anyOf: [{enum: [a]}, {enum: [b, c]}]}', 'CC CC', 'b stays in the second branch.'],
  ['enum beside a bound', '{enum: [1, 2, 3], minimum: 2}', '{enum: [2, 3]}', 'CC CC', '1 was never valid.'],
  ['content of a string', string('contentMediaType: application/json'), string('contentMediaType: application/xml'), 'BB BB', 'Another document.'],
];

// biome-ignore format: a table
const STRUCTURES: readonly SchemaRow[] = [
  ['value or list', '{type: string}', '{anyOf: [{type: string}, {type: array, items: {type: string}}]}', 'CB BC', 'A list is valid after only.'],
  ['optional property of a closed object', closed('a: {type: string}'), closed('a: {type: string}, b: {type: string}'), 'CB BB', 'b is valid after only; in the reverse clients no longer read it.'],
  ['property renamed in a closed object', closed('a: {type: string}'), closed('b: {type: string}'), 'BB BB', 'a is refused, b is new.'],
  ['property moved into an object', open('a: {type: string}, b: {type: object, properties: {}}'), open('b: {type: object, properties: {a: {type: string}}}'), 'RB RB', 'a is ignored, and no longer read.'],
  ['required by a condition that always holds', open('a: {}', ', if: {type: object}, then: {required: [a]}'), open('a: {}', ', required: [a]'), 'CC CC', 'The same objects.'],
  ['condition over an enum as branches', '{type: object, properties: {k: {enum: [a, b]}, v: {type: integer}}, required: [k], if: {properties: {k: {const: a}}}, then: {required: [v]}}', '{oneOf: [{type: object, properties: {k: {const: a}, v: {type: integer}}, required: [k, v]}, {type: object, properties: {k: {const: b}, v: {type: integer}}, required: [k]}]}', 'CC CC', 'The same objects.'],
  ['condition with another constant', open('k: {type: string}, v: {type: integer}', ', if: {properties: {k: {const: a}}, required: [k]}, then: {required: [v]}'), open('k: {type: string}, v: {type: integer}', ', if: {properties: {k: {const: b}}, required: [k]}, then: {required: [v]}'), 'BB BB', 'b without v is valid before only, a without v after only.'],
  ['condition without required', open('k: {type: string}, v: {type: integer}', ', if: {properties: {k: {const: a}}, required: [k]}, then: {required: [v]}'), open('k: {type: string}, v: {type: integer}', ', if: {properties: {k: {const: a}}}, then: {required: [v]}'), 'BC CB', 'The empty object is valid before only.'],
  ['dependentSchemas that types', open('a: {type: string}, b: {type: string}'), open('a: {type: string}, b: {type: string}', ', dependentSchemas: {a: {properties: {b: {maxLength: 3}}}}'), 'BC CB', 'a with a longer b is valid before only.'],
  ['dependentRequired both ways', open('a: {}, b: {}', ', dependentRequired: {a: [b], b: [a]}'), open('a: {}, b: {}', ', oneOf: [{required: [a, b]}, {not: {anyOf: [{required: [a]}, {required: [b]}]}}]'), 'CC CC', 'Both or none.'],
  ['at most one of two', closed('a: {}, b: {}', ', maxProperties: 1'), closed('a: {}, b: {}', ', not: {required: [a, b]}'), 'CC CC', 'The same objects.'],
  ['at least two of three', closed('a: {}, b: {}, c: {}', ', minProperties: 2'), closed('a: {}, b: {}, c: {}', ', anyOf: [{required: [a, b]}, {required: [a, c]}, {required: [b, c]}]'), 'CC CC', 'The same objects.'],
  ['two of three in one order', closed('a: {}, b: {}, c: {}', ', minProperties: 2'), closed('a: {}, b: {}, c: {}', ', anyOf: [{required: [a, b]}, {required: [b, c]}]'), 'BC CB', 'a and c are valid before only.'],
  ['one required property beside minProperties', open('a: {}', ', required: [a], minProperties: 1'), open('a: {}', ', required: [a]'), 'CC CC', 'a is one property.'],
  ['maxProperties of a closed object', closed('a: {}, b: {}'), closed('a: {}, b: {}', ', maxProperties: 2'), 'CC CC', 'There are two names.'],
  ['patternProperties beside a property', "{type: object, properties: {xa: {type: string}}, patternProperties: {'^x': {type: string}}}", "{type: object, properties: {xa: {type: string}}, patternProperties: {'^x': {type: string, maxLength: 5}}}", 'BC CB', 'A longer xa is valid before only.'],
  ['pattern of names divided by length', "{type: object, patternProperties: {'^[a-z]+$': {type: integer}}, additionalProperties: false}", "{type: object, patternProperties: {'^[a-z]{1,3}$': {type: integer}, '^[a-z]{4,}$': {type: integer}}, additionalProperties: false}", 'CC CC', 'The same names.'],
  ['pattern of names divided, one part narrowed', "{type: object, patternProperties: {'^[a-z]+$': {type: integer}}, additionalProperties: false}", "{type: object, patternProperties: {'^[a-z]{1,3}$': {type: integer}, '^[a-z]{4,}$': {type: integer, minimum: 0}}, additionalProperties: false}", 'BC CB', 'abcd: -1 is valid before only.'],
  ['pattern of names as propertyNames', "{type: object, patternProperties: {'^[a-z]+$': true}, additionalProperties: false}", "{type: object, propertyNames: {pattern: '^[a-z]+$'}}", 'CC CC', 'The same names.'],
  ['unevaluatedProperties after a condition', open('k: {type: string}', ', if: {required: [k]}, then: {properties: {v: {type: string}}}, unevaluatedProperties: false'), open('k: {type: string}', ', if: {required: [k]}, then: {properties: {v: {type: integer}}}, unevaluatedProperties: false'), 'BB BB', 'v was a string and is an integer.'],
  ['required in one of two branches', '{anyOf: [{type: object, required: [a]}, {type: object, required: [a, b]}]}', '{type: object, required: [a]}', 'CC CC', 'The second branch adds nothing.'],
  ['branch that loses a requirement', `{oneOf: [${ref('Car')}, {type: object, properties: {kind: {const: van}, load: {type: integer}}, required: [kind, load, doors]}]}`, `{oneOf: [${ref('Car')}, {type: object, properties: {kind: {const: van}, load: {type: integer}}, required: [kind, load]}]}`, '-- --', 'Undecided by hand.'],
  ['property of one branch narrowed', `{oneOf: [${ref('Cat')}, {type: object, properties: {kind: {const: bird}, wings: {type: integer}}, required: [kind]}]}`, `{oneOf: [${ref('Cat')}, {type: object, properties: {kind: {const: bird}, wings: {type: integer, minimum: 2}}, required: [kind]}]}`, 'BC CB', 'A bird with one wing is valid before only.'],
  ['conjunct in another order', '{allOf: [{type: object, required: [a]}, {properties: {a: {type: string}}}]}', '{allOf: [{properties: {a: {type: string}}}, {type: object, required: [a]}]}', 'CC CC', 'The order has no meaning.'],
  ['sibling of a reference as a conjunct', `{$ref: '#/components/schemas/Cat', minProperties: 2}`, `{allOf: [${ref('Cat')}, {minProperties: 2}]}`, 'CC CC', 'The same objects.'],
  ['definition in place', '{$defs: {n: {type: integer}}, type: object, properties: {a: {type: integer}}}', open('a: {type: integer}'), 'CC CC', 'The same objects.'],
  ['items before and after a head', array('prefixItems: [{type: string}], items: {type: integer}'), array('prefixItems: [{type: string}, {type: integer}], items: {type: integer}'), 'CC CC', 'The same arrays.'],
  ['head in another order', array('prefixItems: [{type: string}, {type: integer}]'), array('prefixItems: [{type: integer}, {type: string}]'), 'BB BB', 'Other types.'],
  ['head required', array('prefixItems: [{type: string}, {type: integer}]'), array('prefixItems: [{type: string}, {type: integer}], minItems: 2'), 'BC CB', 'One string is valid before only.'],
  ['contains beside a minimum', array('contains: {const: 1}'), array('contains: {const: 1}, minItems: 1'), 'CC CC', 'An array with a match has an item.'],
  ['contains of the head', array('prefixItems: [{const: 1}], minItems: 1'), array('prefixItems: [{const: 1}], minItems: 1, contains: {const: 1}'), 'CC CC', 'The first item matches.'],
  ['minContains raised, again', array('contains: {const: 1}'), array('contains: {const: 1}, minContains: 2'), 'BC CB', 'One 1 is valid before only.'],
  ['maxContains of all items', array('items: {type: integer}, contains: {type: integer}, maxContains: 5'), array('items: {type: integer}, minItems: 1, maxItems: 5'), 'CC CC', 'Every item counts.'],
  ['items excluded twice', array('items: {not: {const: 1}}'), array('not: {contains: {const: 1}}'), 'CC CC', 'No item is 1.'],
  ['uniqueItems of an enum', array('uniqueItems: true, items: {enum: [a, b, c]}'), array('uniqueItems: true, items: {enum: [a, b, c]}, maxItems: 3'), 'CC CC', 'There are three distinct items.'],
  ['uniqueItems of an enum bounded', array('uniqueItems: true, items: {enum: [a, b, c]}'), array('uniqueItems: true, items: {enum: [a, b, c]}, maxItems: 2'), 'BC CB', 'Three items are valid before only.'],
  ['nullable items, again', array('items: {type: string, nullable: true}'), array('items: {type: string}'), 'BC CB', 'null is valid before only.'],
  ['nullable enum written as a branch', '{type: string, nullable: true, enum: [a, null]}', "{anyOf: [{const: a}, {type: 'null'}]}", 'CC CC', 'a and null.'],
  ['default of a required property set', '{type: object, properties: {a: {type: integer}}, required: [a]}', '{type: object, properties: {a: {type: integer, default: 1}}}', 'C- --', 'Every client sends a.'],
  ['default of a required property replaced', '{type: object, properties: {a: {type: integer, default: 1}}, required: [a]}', '{type: object, properties: {a: {type: integer, default: 2}}, required: [a]}', 'C- C-', 'Every client sends a.'],
  ['map of maps narrowed', '{type: object, additionalProperties: {type: object, additionalProperties: {type: number}}}', '{type: object, additionalProperties: {type: object, additionalProperties: {type: integer}}}', 'BC CB', '0.5 is valid before only.'],
  ['recursive list bounded below', `${ref('Tree')}`, `{allOf: [${ref('Tree')}, {properties: {branches: {maxItems: 3}}}]}`, 'BC CB', 'Four branches are valid before only.'],
  ['annotation inside a condition', open('k: {type: string}', ', if: {required: [k]}, then: {description: a}'), open('k: {type: string}'), 'CC CC', 'Only documentation.'],
  ['not of a type and a bound', '{type: [integer, string], not: {type: integer, maximum: 4}}', '{anyOf: [{type: string}, {type: integer, minimum: 5}]}', 'CC CC', 'The same values.'],
];

export const COMBINED_SCHEMA_ROWS: readonly SchemaRow[] = [...SCALARS, ...STRUCTURES];

const OK = 'responses: {"204": {description: none}}';
const get = (operation: string) => `paths: {/toys: {get: {operationId: getToys, ${operation}}}}`;
const parameter = (...texts: string[]) => get(`parameters: [${texts.join(', ')}], ${OK}`);
const query = (schema: string, rest = '') =>
  parameter(`{name: a, in: query, schema: ${schema}${rest}}`);
const response = (text: string) => get(`responses: {${text}}`);
const sent = (content: string, rest = '') =>
  `paths: {/toys: {post: {operationId: postToys, requestBody: {${rest}content: {${content}}}, ${OK}}}}`;
const read = (content: string) => response(`"200": {description: a, content: {${content}}}`);
const json = (schema: string) => `application/json: {schema: ${schema}}`;
const form = (properties: string, rest = '', encoding = '') =>
  `application/x-www-form-urlencoded: {schema: {type: object, properties: {${properties}}${rest}}${encoding}}`;
const multipart = (properties: string, rest = '', encoding = '') =>
  `multipart/form-data: {schema: {type: object, properties: {${properties}}${rest}}${encoding}}`;
const xml = (schema: string) => `application/xml: {schema: ${schema}}`;
const at32 = (text: string) => contractOf(text, '3.2.0');
const at30 = (text: string) => contractOf(text, '3.0.3');
const SCHEMES =
  'a: {type: http, scheme: bearer}, b: {type: apiKey, in: header, name: X-B}, c: {type: apiKey, in: query, name: c}, i: {type: openIdConnect, openIdConnectUrl: https://a.test/o}';
const secured = (security: string, root = '', schemes = SCHEMES) =>
  `${root}${get(`${security}${OK}`)}\ncomponents: {securitySchemes: {${schemes}}}`;
const hook = (method: string, operation: string) =>
  `paths: {}\nwebhooks: {sold: {${method}: {operationId: sold, ${operation}}}}`;
const header = (text: string) => response(`"200": {description: a, headers: {X-A: {${text}}}}`);
const withRef = (text: string, components: string) => `${text}\ncomponents: {${components}}`;

// biome-ignore format: a table
export const COMBINED_CONTRACT_ROWS: readonly ContractRow[] = [
  ['array in the query without explode, one item', query('{type: array, items: {type: string}, maxItems: 1}'), query('{type: array, items: {type: string}, maxItems: 1}', ', style: pipeDelimited, explode: false'), '--', 'Undecided by hand.'],
  ['cookie in other capitals', parameter('{name: a, in: cookie, schema: {type: string}}'), parameter('{name: A, in: cookie, schema: {type: string}}'), 'RR', 'The other cookie is ignored.'],
  ['parameter moved to the path item, again', query('{type: string}'), `paths: {/toys: {parameters: [{name: a, in: query, schema: {type: string}}], get: {operationId: getToys, ${OK}}}}`, 'CC', 'The same parameter.'],
  ['parameter by a reference to a narrower one', query('{type: string}'), withRef(parameter('{$ref: "#/components/parameters/A"}'), 'parameters: {A: {name: a, in: query, schema: {type: string, maxLength: 3}}}'), 'BC', 'A longer value is refused.'],
  ['JSON in the query narrowed', parameter('{name: a, in: query, content: {application/json: {schema: {type: object, properties: {n: {type: number, exclusiveMinimum: 0}}}}}}'), parameter('{name: a, in: query, content: {application/json: {schema: {type: object, properties: {n: {type: number, minimum: 0.01}}}}}}'), 'BC', '0.005 is refused.'],
  ['pattern of a path parameter', `paths: {"/toys/{a}": {get: {operationId: getToy, parameters: [{name: a, in: path, required: true, schema: {type: string}}], ${OK}}}}`, `paths: {"/toys/{a}": {get: {operationId: getToy, parameters: [{name: a, in: path, required: true, schema: {type: string, pattern: '^(?!new$)'}}], ${OK}}}}`, 'BC', 'new is refused.'],
  ['path parameter renamed and narrowed', `paths: {"/toys/{a}": {get: {operationId: getToy, parameters: [{name: a, in: path, required: true, schema: {type: integer}}], ${OK}}}}`, `paths: {"/toys/{b}": {get: {operationId: getToy, parameters: [{name: b, in: path, required: true, schema: {type: integer, minimum: 1}}], ${OK}}}}`, 'BR', '0 is refused.'],
  ['two parameters in one segment', `paths: {"/toys/{a}-{b}": {get: {operationId: getToy, parameters: [{name: a, in: path, required: true, schema: {type: integer}}, {name: b, in: path, required: true, schema: {type: integer}}], ${OK}}}}`, `paths: {"/toys/{a}.{b}": {get: {operationId: getToy, parameters: [{name: a, in: path, required: true, schema: {type: integer}}, {name: b, in: path, required: true, schema: {type: integer}}], ${OK}}}}`, 'BB', 'Another delimiter.'],
  ['required query parameter removed', query('{type: string}', ', required: true'), get(OK), 'BB', 'It is refused.'],
  ['items of a header array narrowed', parameter('{name: X-A, in: header, schema: {type: array, items: {type: number}}}'), parameter('{name: X-A, in: header, schema: {type: array, items: {type: integer}}}'), 'BC', '0.5 is refused.'],
  ['deepObject property removed', query('{type: object, properties: {x: {type: string}, y: {type: string}}, additionalProperties: false}', ', style: deepObject'), query('{type: object, properties: {x: {type: string}}, additionalProperties: false}', ', style: deepObject'), 'BC', 'y is refused.'],
  ['explode false of a scalar', query('{type: string}'), query('{type: string}', ', explode: false'), 'CC', 'A scalar has no parts.'],
  ['default of a required query parameter', query('{type: integer, default: 1}', ', required: true'), query('{type: integer, default: 2}', ', required: true'), 'CC', 'Every client sends it.'],
  ['required part', sent(multipart('a: {type: string}')), sent(multipart('a: {type: string}', ', required: [a]')), 'BC', 'A form without a is refused.'],
  ['charset of a part', sent(multipart('a: {type: string}', '', ', encoding: {a: {contentType: "text/plain; charset=utf-8"}}')), sent(multipart('a: {type: string}', '', ', encoding: {a: {contentType: "text/plain; charset=utf-16"}}')), 'BB', 'Other bytes.'],
  ['default charset of a part', sent(multipart('a: {type: string}', '', ', encoding: {a: {contentType: text/plain}}')), sent(multipart('a: {type: string}', '', ', encoding: {a: {contentType: "text/plain; charset=UTF-8"}}')), 'CC', 'The default.'],
  ['number in a form narrowed', sent(form('a: {type: number, exclusiveMaximum: 1}')), sent(form('a: {type: number, maximum: 0.9}')), 'BC', '0.95 is refused.'],
  ['list in a form as text', sent(form('a: {type: array, items: {type: string}}', '', ', encoding: {a: {style: form, explode: false}}')), sent(form('a: {type: array, items: {type: string}}')), 'BB', 'a=1,2 becomes a=1&a=2.'],
  ['bytes become JSON', sent('application/octet-stream: {schema: {type: string, format: binary}}'), sent(json('{type: string}')), 'BB', 'Another media type.'],
  ['charset of XML', sent('"application/xml; charset=utf-8": {schema: {type: object, properties: {a: {type: string}}}}'), sent('"application/xml; charset=utf-16": {schema: {type: object, properties: {a: {type: string}}}}'), 'BB', 'Other bytes.'],
  ['charset of HTML read', read('"text/html; charset=ISO-8859-1": {schema: {type: string}}'), read('"text/html; charset=iso-8859-1": {schema: {type: string}}'), 'CC', 'The name is case-insensitive.'],
  ['quoted charset', read('"text/plain; charset=utf-8": {schema: {type: string}}'), read("'text/plain; charset=\"utf-8\"': {schema: {type: string}}"), 'CC', 'The same parameter.'],
  ['charset of a webhook', hook('post', `requestBody: {content: {"text/plain; charset=us-ascii": {schema: {type: string}}}}, ${OK}`), hook('post', `requestBody: {content: {"text/plain; charset=utf-8": {schema: {type: string}}}}, ${OK}`), 'BC', 'Clients may get other characters than ASCII.'],
  ['vendor suffix narrowed', sent('application/vnd.a+json: {schema: {type: integer}}'), sent('application/vnd.a+json: {schema: {type: integer, maximum: 9}}'), 'BC', '10 is refused.'],
  ['second media type of a request', sent(`${json('{type: string}')}, text/csv: {schema: {type: string}}`), sent(json('{type: string}')), 'BC', 'CSV is refused.'],
  ['optional body of a required property', sent(json('{type: object, properties: {a: {type: string}}, required: [a]}')), sent(json('{type: object, properties: {a: {type: string}}, required: [a]}'), 'required: true, '), 'BC', 'No body is refused.'],
  ['range of successes as its statuses', response('2XX: {description: a}'), response('"200": {description: a}, "201": {description: a}'), 'CR', 'Fewer statuses.'],
  ['default becomes statuses', response('"200": {description: a}, default: {description: b}'), response('"200": {description: a}, "400": {description: b}'), 'CR', 'Fewer errors.'],
  ['not modified removed', response('"200": {description: a}, "304": {description: b}'), response('"200": {description: a}'), 'RR', 'The contract holds, but a client that caches notices.'],
  ['redirect replaced', response('"301": {description: a}'), response('"302": {description: a}'), '--', 'Undecided by hand.'],
  ['server error added', response('"200": {description: a}'), response('"200": {description: a}, "503": {description: b}'), 'RC', 'An error that clients do not handle.'],
  ['body of an error widened', response(`"200": {description: a}, "400": {description: b, content: {${json('{type: object, properties: {code: {enum: [1, 2]}}}')}}}`), response(`"200": {description: a}, "400": {description: b, content: {${json('{type: object, properties: {code: {enum: [1, 2, 3]}}}')}}}`), 'BC', 'Clients may get 3.'],
  ['response header narrowed', header('schema: {type: number, minimum: 0.01}'), header('schema: {type: number, exclusiveMinimum: 0}'), 'BC', 'Clients may get 0.005.'],
  ['response header by reference', header('schema: {type: integer}'), withRef(response('"200": {description: a, headers: {X-A: {$ref: "#/components/headers/A"}}}'), 'headers: {A: {schema: {type: integer}}}'), 'CC', 'The same header.'],
  ['response header deprecated', header('schema: {type: integer}'), header('deprecated: true, schema: {type: integer}'), 'CC', 'It is still sent.'],
  ['method of a webhook', hook('post', OK), hook('put', OK), 'BB', 'Subscribers expect the other method.'],
  ['required property of a webhook becomes optional', hook('post', `requestBody: {content: {${json('{type: object, properties: {a: {type: string}}, required: [a]}')}}}, ${OK}`), hook('post', `requestBody: {content: {${json('{type: object, properties: {a: {type: string}}}')}}}, ${OK}`), 'BC', 'Clients may not receive a.'],
  ['property added to a webhook', hook('post', `requestBody: {content: {${json('{type: object, properties: {a: {type: string}}}')}}}, ${OK}`), hook('post', `requestBody: {content: {${json('{type: object, properties: {a: {type: string}, b: {type: string}}}')}}}, ${OK}`), 'CB', 'Clients ignore it.'],
  ['callback added', get(OK), get(`callbacks: {sold: {"{$request.query.u}": {post: {${OK}}}}}, ${OK}`), 'CB', 'Clients may subscribe.'],
  ['key in another place', secured('security: [{b: []}], '), secured('security: [{c: []}], '), 'BB', 'Other credentials.'],
  ['security of the document removed', secured('', 'security: [{a: []}]\n'), secured(''), 'CB', 'No credentials are needed.'],
  ['empty requirement first', secured('security: [{}, {a: []}], '), secured('security: [{a: []}, {}], '), 'CC', 'The same alternatives.'],
  ['scope of OpenID', secured('security: [{i: [r]}], '), secured('security: [{i: [r, w]}], '), 'BC', 'Tokens lack w.'],
  ['unused scheme removed, again', secured('security: [{a: []}], '), secured('security: [{a: []}], ', '', 'a: {type: http, scheme: bearer}'), 'CC', 'Nobody uses it.'],
  ['three alternatives, one stricter', secured('security: [{a: []}, {b: []}], '), secured('security: [{a: []}, {b: [], c: []}], '), 'BC', 'b alone is refused.'],
  ['server of one operation', `servers: [{url: https://a.test}]\n${get(OK)}`, `servers: [{url: https://a.test}]\n${get(`servers: [{url: https://b.test}], ${OK}`)}`, 'BB', 'Another host.'],
  ['server of one operation written out', `servers: [{url: https://a.test}]\n${get(OK)}`, `servers: [{url: https://a.test}]\n${get(`servers: [{url: https://a.test/}], ${OK}`)}`, 'CC', 'The same URL.'],
  ['deprecation with a distant date', get(OK), get(`deprecated: true, x-sunset: "2999-01-01", ${OK}`), 'CC', 'Clients have time.'],
  ['deprecation with a past date', get(OK), get(`deprecated: true, x-sunset: "2000-01-01", ${OK}`), 'BC', 'Clients have no time.'],
  ['other dialects', `jsonSchemaDialect: https://a.test/one\n${get(OK)}`, `jsonSchemaDialect: https://a.test/two\n${get(OK)}`, 'RR', 'The keywords may have another meaning.'],
  ['component renamed', withRef(query('{$ref: "#/components/schemas/A"}'), 'schemas: {A: {type: string}}'), withRef(query('{$ref: "#/components/schemas/B"}'), 'schemas: {B: {type: string}}'), 'RR', 'SDKs rename a type.'],
  ['XML name of items', sent(xml('{type: object, properties: {t: {type: array, items: {type: string, xml: {name: u}}, xml: {wrapped: true}}}}')), sent(xml('{type: object, properties: {t: {type: array, items: {type: string, xml: {name: v}}, xml: {wrapped: true}}}}')), 'BB', 'Other elements.'],
  ['XML name of an attribute written out', sent(xml('{type: object, properties: {t: {type: string, xml: {attribute: true}}}}')), sent(xml('{type: object, properties: {t: {type: string, xml: {attribute: true, name: t}}}}')), 'CC', 'The name of the property is the default.'],
  ['XML content narrowed', sent(xml('{type: object, properties: {t: {type: integer}}}')), sent(xml('{type: object, properties: {t: {type: integer, minimum: 0}}}')), 'BC', '-1 is refused.'],
  ['default mapping set', at32(withRef(read(json('{oneOf: [{$ref: "#/components/schemas/A"}, {$ref: "#/components/schemas/B"}], discriminator: {propertyName: k}}')), 'schemas: {A: {type: object, properties: {k: {type: string}}}, B: {type: object, properties: {k: {type: string}, n: {type: string}}, required: [n]}}')), at32(withRef(read(json('{oneOf: [{$ref: "#/components/schemas/A"}, {$ref: "#/components/schemas/B"}], discriminator: {propertyName: k, defaultMapping: A}}')), 'schemas: {A: {type: object, properties: {k: {type: string}}}, B: {type: object, properties: {k: {type: string}, n: {type: string}}, required: [n]}}')), 'RR', 'SDKs select a schema in another way.'],
  ['body of an additional method', at32(`paths: {/toys: {additionalOperations: {COPY: {operationId: copyToys, requestBody: {content: {${json('{type: number, exclusiveMinimum: 0}')}}}, ${OK}}}}}`), at32(`paths: {/toys: {additionalOperations: {COPY: {operationId: copyToys, requestBody: {content: {${json('{type: number, minimum: 0.01}')}}}, ${OK}}}}}`), 'BC', '0.005 is refused.'],
  ['media type of components narrowed', at32(withRef(sent('application/json: {$ref: "#/components/mediaTypes/A"}'), 'mediaTypes: {A: {schema: {type: string}}}')), at32(withRef(sent('application/json: {$ref: "#/components/mediaTypes/A"}'), 'mediaTypes: {A: {schema: {type: string, pattern: "^(?!x)"}}}')), 'BC', 'x is refused.'],
  ['events of a stream', at32(read('text/event-stream: {itemSchema: {type: object, properties: {data: {type: string}}, required: [data]}}')), at32(read('text/event-stream: {itemSchema: {type: object, properties: {data: {type: string}}}}')), 'BC', 'Clients may get an event without data.'],
  ['summary of a response', at32(response('"200": {description: a}')), at32(response('"200": {summary: b}')), 'CC', 'Only documentation.'],
  ['device flow added, again', at32(withRef(get(`security: [{o: []}], ${OK}`), 'securitySchemes: {o: {type: oauth2, flows: {clientCredentials: {tokenUrl: https://a.test/t, scopes: {}}}}}')), at32(withRef(get(`security: [{o: []}], ${OK}`), 'securitySchemes: {o: {type: oauth2, flows: {clientCredentials: {tokenUrl: https://a.test/t, scopes: {}}, deviceAuthorization: {deviceAuthorizationUrl: https://a.test/d, tokenUrl: https://a.test/t, scopes: {}}}}}')), 'C-', 'Clients may use another flow.'],
  ['nullable upgraded', at30(sent(json('{type: array, items: {type: integer, nullable: true, minimum: 0, exclusiveMinimum: true}}'))), sent(json("{type: array, items: {type: [integer, 'null'], minimum: 1}}")), 'CC', 'The same arrays.'],
  ['exclusive maximum upgraded wrongly', at30(read(json('{type: number, maximum: 5, exclusiveMaximum: true}'))), read(json('{type: number, maximum: 5}')), 'BC', 'Clients may get 5.'],
];
