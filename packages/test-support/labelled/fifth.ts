// Fifth blind set: near the classes that failed in the fourth, and others. Written before the diff ran on it.
import { blindSet, type ContractRow, contractOf, type SchemaRow } from './pair.ts';
import {
  array,
  CLOSED,
  get,
  jsonParameter,
  OK,
  object,
  parameterIn,
  parameters,
  pattern,
  queryParameter,
  REQUIRED,
  read,
  sent,
} from './texts.ts';

const containing = (...values: readonly string[]) =>
  `allOf: [${values.map((each) => `{contains: {const: ${each}}}`).join(', ')}]`;
const CAT = "$ref: '#/components/schemas/Cat'";
const CAT_PROPERTIES =
  'properties: {kind: {type: string, enum: [cat]}, lives: {type: integer}}, required: [kind]';

// biome-ignore format: a table
const VALUES: readonly SchemaRow[] = [
  ['halves that are no integers', '{type: number, multipleOf: 0.5, not: {type: integer}}', '{type: number, multipleOf: 0.5, not: {multipleOf: 1}}', 'CC --', 'The same halves.'],
  ['no halves as no integers', '{type: number, not: {multipleOf: 0.5}}', '{type: number, not: {type: integer}}', '-B B-', '0.5 is valid after only.'],
  ['integers between without one', '{type: integer, exclusiveMinimum: 0, exclusiveMaximum: 4, not: {const: 2}}', '{enum: [1, 3]}', 'CC --', '1 and 3.'],
  ['integers between without two', '{type: integer, exclusiveMinimum: 0, exclusiveMaximum: 4, not: {const: 2}}', '{enum: [1]}', 'B- -B', '3 is valid before only.'],
  ['even or threefold, not both', '{type: integer, oneOf: [{multipleOf: 2}, {multipleOf: 3}]}', '{type: integer, anyOf: [{multipleOf: 2}, {multipleOf: 3}]}', '-B B-', '6 is valid after only.'],
  ['anchored words in a group', pattern('^(foo|bar)$'), pattern('^foo$|^bar$'), 'CC --', 'The same words.'],
  ['edges inside a group', pattern('(^foo|bar$)'), pattern('^foo|bar$'), 'CC --', 'The same strings.'],
  ['an edge that binds one word', pattern('(^foo|bar)$'), pattern('^(foo|bar)$'), 'B- -B', 'xbar is valid before only.'],
  ['an end inside an optional part', pattern('^a(b|c$)'), pattern('^a(b|c)'), '-B B-', 'acc is valid after only.'],
  ['one letter of two', '{type: string, minLength: 1, maxLength: 1, pattern: "^[ab]"}', '{enum: [a, b]}', 'CC --', 'a and b.'],
  ['an enum value that its format refuses', "{type: string, format: date, enum: ['2020-01-01', x]}", "{type: string, enum: ['2020-01-01']}", 'CC --', 'x is no date.'],
  ['a length beside branches', "{anyOf: [{type: string}, {type: 'null'}], minLength: 2}", "{type: [string, 'null'], minLength: 2}", 'CC --', 'minLength ignores null.'],
  ['lengths as a pattern of any characters', '{type: string, minLength: 2, maxLength: 3}', pattern('^[^]{2,3}$'), 'CC --', 'The same lengths.'],
];

// biome-ignore format: a table
const PARTS: readonly SchemaRow[] = [
  ['three contained values as a count', array(containing('a', 'b', 'c')), array('contains: {enum: [a, b, c]}, minContains: 3'), 'CB B-', '[a, a, a] is valid after only.'],
  ['a value twice and another as a count', array('allOf: [{contains: {const: a}, minContains: 2}, {contains: {const: b}}]'), array('contains: {enum: [a, b]}, minContains: 3'), 'CB B-', '[a, b, b] is valid after only.'],
  ['a value twice and another as a larger count', array('allOf: [{contains: {const: a}, minContains: 2}, {contains: {const: b}}]'), array('contains: {enum: [a, b]}, minContains: 4'), 'BB --', '[a, a, b] is valid before only, [b, b, b, b] after only.'],
  ['no string contained', array('contains: {type: string}, minContains: 0, maxContains: 0'), array('items: {not: {type: string}}'), 'CC --', 'No string.'],
  ['larger items counted', array('contains: {minimum: 5}, minContains: 2'), array('contains: {minimum: 3}, minContains: 2'), 'CB B-', '[3, 3] is valid after only.'],
  ['all values of unique items', array(`items: {enum: [a, b, c]}, uniqueItems: true, minItems: 3`), array(`items: {enum: [a, b, c]}, uniqueItems: true, ${containing('a', 'b', 'c')}`), 'CC --', 'All three.'],
  ['two values of unique items', array(`items: {enum: [a, b, c]}, uniqueItems: true, minItems: 2`), array(`items: {enum: [a, b, c]}, uniqueItems: true, ${containing('a', 'b')}`), 'B- -B', '[a, c] is valid before only.'],
  ['two contained values need two items', array(containing('a', 'b')), array(`${containing('a', 'b')}, minItems: 2`), 'CC --', 'Two items are there.'],
  ['contained values of other types', array('allOf: [{contains: {type: string}}, {contains: {type: integer}}]'), array('minItems: 2'), 'CB B-', '[null, null] is valid after only.'],
  ['an item in an empty array', array('maxItems: 0, contains: {const: 1}'), '{not: {}}', 'CC --', 'No array is valid.'],
  ['a tuple of allOf closed by unevaluatedItems', array('allOf: [{prefixItems: [{type: string}]}], unevaluatedItems: false'), array('prefixItems: [{type: string}], items: false'), 'CC --', 'One string.'],
  ['a closed tuple loses its place', array('allOf: [{prefixItems: [{type: string}]}], unevaluatedItems: false'), array('maxItems: 0'), 'B- -B', '[a] is valid before only.'],
  ['a reference closed by unevaluatedProperties', `{${CAT}, unevaluatedProperties: false}`, object(`${CAT_PROPERTIES}, ${CLOSED}`), 'CC --', 'kind and lives.'],
  ['a reference closed by additionalProperties', `{${CAT}, unevaluatedProperties: false}`, `{${CAT}, ${CLOSED}}`, 'B- --', 'kind is valid before only.'],
  ['a property typed for one tag only', object('properties: {t: {enum: [a, b]}, n: {type: integer}}, required: [t]'), object('properties: {t: {enum: [a, b]}}, required: [t], if: {properties: {t: {const: a}}}, then: {properties: {n: {type: integer}}}'), 'CB B-', 'b with the text n is valid after only.'],
  ['a property typed beside another only', object('properties: {a: {type: string}, b: {type: integer}}'), object('properties: {a: {type: string}}, dependentSchemas: {a: {properties: {b: {type: integer}}}}'), 'CB B-', 'b as text without a is valid after only.'],
  ['a bound by if as by dependentSchemas', object('properties: {a: {type: string}, b: {type: integer}}, if: {required: [a]}, then: {properties: {b: {minimum: 5}}}'), object('properties: {a: {type: string}, b: {type: integer}}, dependentSchemas: {a: {properties: {b: {minimum: 5}}}}'), 'CC --', 'The same objects.'],
  ['default of a property that becomes required', object('properties: {a: {type: integer, default: 1}}'), object('properties: {a: {type: integer, default: 2}}, required: [a]'), 'BC --', 'The property is always there now.'],
  ['default of a property that becomes optional', object('properties: {a: {type: integer, default: 1}}, required: [a]'), object('properties: {a: {type: integer, default: 2}}'), 'CB --', 'Replies may lack it.'],
  ['default of a writeOnly property', object('properties: {a: {type: integer, writeOnly: true, default: 1}}'), object('properties: {a: {type: integer, writeOnly: true, default: 2}}'), 'BC BC', 'Only requests have it.'],
  ['a readOnly property narrowed', object('properties: {id: {type: string, readOnly: true, maxLength: 5}}'), object('properties: {id: {type: string, readOnly: true, maxLength: 3}}'), 'CC CB', 'Only replies have it.'],
  ['two patterns of names as an alternation', object("patternProperties: {'(^x|^y)-': {type: integer}}"), object("patternProperties: {'^x-': {type: integer}, '^y-': {type: integer}}"), 'CC --', 'The same names.'],
  ['names of an alternation as an enum', object("propertyNames: {pattern: '^(a|b)$'}"), object('propertyNames: {enum: [a, b]}'), 'CC --', 'a and b.'],
  ['names of an open alternation as an enum', object("propertyNames: {pattern: '^(a$|b)'}"), object('propertyNames: {enum: [a, b]}'), 'B- -B', 'bb is valid before only.'],
  ['a required name of a map declared', object('required: [x], additionalProperties: {type: integer}'), object('required: [x], properties: {x: {type: integer}}, additionalProperties: {type: integer}'), 'CC --', 'x is an integer in both.'],
  ['a closed object with names by pattern and by name', object(`properties: {a1: {type: string}}, patternProperties: {'^a': true}, ${CLOSED}`), object(`properties: {a1: {type: string}}, propertyNames: {pattern: '^a'}`), 'CC --', 'The same names.'],
  ['names by a pattern that misses one', object(`properties: {b: {type: string}}, patternProperties: {'^a': true}, ${CLOSED}`), object(`properties: {b: {type: string}}, propertyNames: {pattern: '^a'}`), 'B- --', 'b is valid before only.'],
];

const latest = (...parts: readonly [string, string]) =>
  parts.map((each) => contractOf(each, '3.2.0')) as [string, string];
const lines = (kind: string, text: string) => `${kind}: {${text}}`;
const additional = (method: string, rest = '', path = '/toys') =>
  `paths: {${path}: {get: {${OK}}, additionalOperations: {${method}: {${rest}${OK}}}}}`;
const sentBy = (schema: string) =>
  `requestBody: {content: {application/json: {schema: ${schema}}}}, `;
const ITEM = '{type: integer}';
const A = '{type: object, properties: {a: {type: string}}, additionalProperties: false}';
const NEEDED =
  '{type: object, properties: {a: {type: string}}, required: [a], additionalProperties: false}';
const toy = (inner: string) =>
  read(`application/xml: {schema: {type: object, xml: {name: toy}, properties: {${inner}}}}`);
const named = (items: string, list: string) =>
  toy(`animals: {type: array, items: {type: string, xml: {name: ${items}}}, xml: {${list}}}`);
const path = (route: string, schema: string, rest = '') =>
  `paths: {"${route}": {get: {operationId: getToy, parameters: [{name: id, in: path, required: true, schema: ${schema}${rest}}], ${OK}}}}`;
const scoped = (...scopes: readonly string[]) =>
  `components: {securitySchemes: {auth: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://a.test/t', scopes: {read: r, write: w, admin: a}}}}}}\n${get(`security: [${scopes.map((each) => `{auth: [${each}]}`).join(', ')}], ${OK}`)}`;
const hook = (rest: string, properties: string) =>
  `paths: {}\nwebhooks: {sold: {post: {${rest}requestBody: {content: {application/json: {schema: {type: object, properties: {${properties}}}}}}, ${OK}}}}`;
const callback = (responses: string) =>
  get(
    `callbacks: {sold: {'{$request.query.url}': {post: {requestBody: {content: {application/json: {}}}, responses: {${responses}}}}}}, ${OK}`,
  );

// biome-ignore format: a table
const CONTRACTS: readonly ContractRow[] = [
  ['another method of additionalOperations', ...latest(additional('LINK'), additional('UNLINK')), 'BB', 'LINK is lost.'],
  ['a method in small letters with a narrower body', ...latest(additional('copy', sentBy('{type: string}')), additional('copy', sentBy('{type: string, maxLength: 3}'))), 'BC', 'Four characters are refused.'],
  ['a method in small letters added', ...latest(additional('COPY'), `paths: {/toys: {get: {${OK}}, additionalOperations: {COPY: {${OK}}, copy: {${OK}}}}}`), 'CB', 'copy is lost in the reverse.'],
  ['lines that may be none', ...latest(sent(lines('application/jsonl', `schema: {type: array, items: ${ITEM}, minItems: 1}`)), sent(lines('application/jsonl', `itemSchema: ${ITEM}`))), 'CB', 'No line is refused in the reverse.'],
  ['lines of a reply bounded', ...latest(read(lines('application/jsonl', `itemSchema: ${ITEM}`)), read(lines('application/jsonl', `schema: {type: array, items: ${ITEM}, maxItems: 10}`))), 'CB', 'Eleven lines come in the reverse.'],
  ['events as an array', ...latest(read(lines('text/event-stream', 'itemSchema: {type: object}')), read(lines('text/event-stream', 'schema: {type: array, items: {type: object}}'))), 'CC', 'The same events.'],
  ['unique lines', ...latest(sent(lines('application/x-ndjson', `itemSchema: ${ITEM}`)), sent(lines('application/x-ndjson', `schema: {type: array, items: ${ITEM}, uniqueItems: true}`))), 'BC', 'Equal lines are refused.'],
  ['lines of an array with narrower items', ...latest(sent(lines('application/jsonl', `itemSchema: ${ITEM}`)), sent(lines('application/jsonl', 'schema: {type: array, items: {type: integer, maximum: 9}}'))), 'BC', '10 is refused.'],
  ['number in the query as JSON', parameters(queryParameter('X', '{type: number}')), parameters(jsonParameter('query', '{type: number}')), 'CC', 'X=1.5 in both.'],
  ['boolean in a header as JSON', parameters(parameterIn('header', 'X', '{type: boolean}')), parameters(jsonParameter('header', '{type: boolean}')), 'CC', 'true in both.'],
  ['integers in the query as JSON', parameters(queryParameter('X', '{type: array, items: {type: integer}}')), parameters(jsonParameter('query', '{type: array, items: {type: integer}}')), 'BB', 'X=1&X=2 or X=[1,2].'],
  ['integer in the query as narrower JSON', parameters(queryParameter('X', '{type: integer}')), parameters(jsonParameter('query', '{type: integer, maximum: 9}')), 'BC', '10 is refused.'],
  ['boolean in a cookie of another style', ...latest(parameters(parameterIn('cookie', 'a', '{type: boolean}', ', style: form')), parameters(parameterIn('cookie', 'a', '{type: boolean}', ', style: cookie'))), 'CC', 'a=true in both.'],
  ['text in a cookie of another style', ...latest(parameters(parameterIn('cookie', 'a', '{type: string}', ', style: form')), parameters(parameterIn('cookie', 'a', '{type: string}', ', style: cookie'))), 'BB', 'The style cookie does not escape.'],
  ['explode of a scalar in the style matrix', path('/toys/{id}', '{type: integer}', ', style: matrix'), path('/toys/{id}', '{type: integer}', ', style: matrix, explode: true'), 'CC', ';id=5 in both.'],
  ['explode of a list in the style matrix', path('/toys/{id}', '{type: array, items: {type: integer}}', ', style: matrix'), path('/toys/{id}', '{type: array, items: {type: integer}}', ', style: matrix, explode: true'), 'BB', ';id=1,2 or ;id=1;id=2.'],
  ['explode of up to one integer', parameters(queryParameter('a', '{type: array, items: {type: integer}, minItems: 1, maxItems: 2}')), parameters(queryParameter('a', '{type: array, items: {type: integer}, minItems: 1, maxItems: 1}', ', explode: false')), 'B-', 'a=1&a=2 is refused.'],
  ['a required object as a required parameter', parameters(queryParameter('filter', NEEDED, REQUIRED)), parameters(queryParameter('a', '{type: string}', REQUIRED)), 'RR', 'a=1 in both; SDKs have other arguments.'],
  ['an open object as a parameter', parameters(queryParameter('filter', '{type: object, properties: {a: {type: string}}}')), parameters(queryParameter('a', '{type: string}')), 'B-', 'Other names are refused.'],
  ['an object with commas as a parameter', parameters(queryParameter('filter', A, ', explode: false')), parameters(queryParameter('a', '{type: string}')), 'BB', 'filter=a,1 or a=1.'],
  ['a deepObject as a parameter', parameters(queryParameter('filter', A, ', style: deepObject, explode: true')), parameters(queryParameter('a', '{type: string}')), 'BB', 'filter[a]=1 or a=1.'],
  ['an object as a required parameter', parameters(queryParameter('filter', A)), parameters(queryParameter('a', '{type: string}', REQUIRED)), 'BR', 'A query without a is refused.'],
  ['an object as a parameter of another type', parameters(queryParameter('filter', A)), parameters(queryParameter('a', '{type: integer}')), 'BR', 'a=x is refused.'],
  ['an object and a parameter that stays', parameters(queryParameter('filter', A), queryParameter('b', '{type: string}')), parameters(queryParameter('a', '{type: string}'), queryParameter('b', '{type: string, maxLength: 3}')), 'BR', 'b=long is refused.'],
  ['a querystring removed', ...latest(parameters(`{name: q, in: querystring, content: {application/x-www-form-urlencoded: {schema: ${A}}}}`), get(OK)), 'BC', 'a is refused.'],
  ['a cookie becomes optional', parameters(parameterIn('cookie', 'a', '{type: string}', REQUIRED)), parameters(parameterIn('cookie', 'a', '{type: string}')), 'CB', 'A request without it is refused in the reverse.'],
  ['a required header in other capitals', parameters(parameterIn('header', 'X-Tenant', '{type: string}', REQUIRED)), parameters(parameterIn('header', 'x-tenant', '{type: string}', REQUIRED)), 'CC', 'Header names are case-insensitive.'],
  ['a content type of a part in capitals', sent('multipart/form-data: {schema: {type: object, properties: {a: {}}}, encoding: {a: {contentType: image/png}}}'), sent('multipart/form-data: {schema: {type: object, properties: {a: {}}}, encoding: {a: {contentType: IMAGE/PNG}}}'), 'CC', 'Media types are case-insensitive.'],
  ['default content type of objects in a list', sent('multipart/form-data: {schema: {type: object, properties: {a: {type: array, items: {type: object}}}}}'), sent('multipart/form-data: {schema: {type: object, properties: {a: {type: array, items: {type: object}}}}, encoding: {a: {contentType: application/json}}}'), 'CC', 'Objects are JSON by default.'],
  ['a range of text as its members', sent('text/*: {schema: {type: string}}'), sent('text/plain: {schema: {type: string}}, text/csv: {schema: {type: string}}'), 'BC', 'text/html is refused.'],
  ['items of a list in XML renamed', named('animal', 'wrapped: true'), named('beast', 'wrapped: true'), 'BB', '<animal> or <beast>.'],
  ['name of a list without an element', named('animal', 'name: aliens'), named('animal', 'name: lizards'), 'CC', 'The name has no effect without wrapped.'],
  ['name of the element of a list', named('animal', 'name: aliens, wrapped: true'), named('animal', 'name: lizards, wrapped: true'), 'BB', '<aliens> or <lizards>.'],
  ['reserved characters of a path', ...latest(path('/toys/{id}', '{type: string}', ', allowReserved: true'), path('/toys/{id}', '{type: string}')), 'BC', 'Clients may send them without encoding before only.'],
  ['integers of a path as two of them', path('/toys/{id}', '{type: integer}'), path('/toys/{id}', '{enum: [1, 2]}'), 'BC', '/toys/3 is refused.'],
  ['an extension in a path', path('/toys/{id}', '{type: integer}'), path('/toys/{id}.json', '{type: integer}'), 'BB', 'Another path.'],
  ['HEAD removed', `paths: {/toys: {get: {${OK}}, head: {${OK}}}}`, `paths: {/toys: {get: {${OK}}}}`, 'BC', 'HEAD is lost.'],
  ['a deprecated query parameter removed', parameters(queryParameter('a', '{type: string}', ', deprecated: true')), get(OK), 'BC', 'a=1 is refused.'],
  ['an alternative scope replaced', scoped('read', 'write'), scoped('read', 'admin'), 'BB', 'A token with write is refused.'],
  ['the port of http', `servers: [{url: 'http://a.test:80'}]\n${get(OK)}`, `servers: [{url: 'http://a.test'}]\n${get(OK)}`, 'CC', 'The port of http is 80.'],
  ['a property of a webhook added', hook('', 'a: {type: string}'), hook('', 'a: {type: string}, b: {type: string}'), 'CB', 'Receivers of b find nothing in the reverse.'],
  ['a required header of a webhook removed', hook(`parameters: [${parameterIn('header', 'X-Sign', '{type: string}', REQUIRED)}], `, 'a: {type: string}'), hook('', 'a: {type: string}'), 'BC', 'Receivers read it.'],
  ['an answer to a callback no longer accepted', callback('"200": {description: a}, "204": {description: b}'), callback('"204": {description: b}'), 'BC', 'A receiver answers 200.'],
  ['closed bound of 3.0 in 3.1', contractOf(sent('application/json: {schema: {type: number, minimum: 0}}'), '3.0.3'), sent('application/json: {schema: {type: number, exclusiveMinimum: 0}}'), 'BC', '0 is refused.'],
];

export const FIFTH_PAIRS = blindSet('fifth', [...VALUES, ...PARTS], CONTRACTS);
