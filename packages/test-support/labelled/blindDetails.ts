// A third set of pairs written before the diff was run on them: details of values, messages and versions.
import type { ContractRow, SchemaRow } from './pair.ts';
import {
  array,
  at30,
  at32,
  closed,
  get,
  header,
  hook,
  json,
  OK,
  open,
  POINT,
  parameters,
  query,
  read,
  ref,
  response,
  STRINGS,
  sent,
  string,
  withRef,
  xml,
} from './texts.ts';

// biome-ignore format: a table
const NUMBERS_AND_TEXTS: readonly SchemaRow[] = [
  ['largest int32 written out', '{type: integer, format: int32, maximum: 2147483647}', '{type: integer, format: int32}', 'CC CC', 'The format implies it.'],
  ['step as two steps, one larger', '{type: integer, multipleOf: 6}', '{type: integer, allOf: [{multipleOf: 4}, {multipleOf: 3}]}', 'BC CB', '6 is valid before only.'],
  ['step and bounds of one value', '{type: integer, multipleOf: 10, minimum: 5, maximum: 15}', '{const: 10}', 'CC CC', 'Only 10.'],
  ['a half excluded', '{type: number, minimum: 0, maximum: 1, not: {const: 0.5}}', '{anyOf: [{type: number, minimum: 0, exclusiveMaximum: 0.5}, {type: number, exclusiveMinimum: 0.5, maximum: 1}]}', 'CC CC', 'The same numbers.'],
  ['lower end excluded by not', '{type: integer, minimum: 0, not: {const: 0}}', '{type: integer, minimum: 1}', 'CC CC', 'The same integers.'],
  ['gap of integers', '{type: integer, anyOf: [{maximum: 0}, {minimum: 10}]}', '{type: integer, not: {minimum: 1, maximum: 9}}', 'CC CC', 'The same integers.'],
  ['gap of integers that grows', '{type: integer, not: {minimum: 1, maximum: 9}}', '{type: integer, not: {minimum: 1, maximum: 10}}', 'BC CB', '10 is valid before only.'],
  ['tenths to hundredths', '{type: number, multipleOf: 0.1}', '{type: number, multipleOf: 0.01}', 'CB BC', '0.01 is valid after only.'],
  ['zero by two bounds', '{type: number, minimum: 0, maximum: 0}', '{const: 0}', 'CC CC', 'Only 0.'],
  ['one character as a pattern', string('minLength: 1, maxLength: 1'), string("pattern: '^[\\s\\S]$'"), 'CC CC', 'The same strings.'],
  ['alternatives in another order', string("pattern: '^(?:ab|a|b)$'"), string("pattern: '^(?:a|b|ab)$'"), 'CC CC', 'The same strings.'],
  ['alternatives without a group', string("pattern: '^a|b$'"), string("pattern: '^(?:a|b)$'"), 'BC CB', 'ax is valid before only.'],
  ['class excluded by not', string("pattern: '^[^0-9]*$'"), string("not: {pattern: '[0-9]'}"), 'CC CC', 'The same strings.'],
  ['letters to word characters', string("pattern: '^[a-z0-9]+$'"), string("pattern: '^\\w+$'"), 'CB BC', '_ is valid after only.'],
  ['length in the pattern', string("pattern: '^[a-z]*$', minLength: 2, maxLength: 2"), string("pattern: '^[a-z]{2}$'"), 'CC CC', 'The same strings.'],
  ['start and end', string("allOf: [{pattern: '^a'}, {pattern: 'z$'}]"), string("pattern: '^a[\\s\\S]*z$'"), 'CC CC', 'The same strings.'],
  ['start or end', string("anyOf: [{pattern: '^a'}, {pattern: 'z$'}]"), string("pattern: '^a|z$'"), 'CC CC', 'The same strings.'],
  ['pattern as an enum, in detail', string("pattern: '^(?:red|green)$'"), '{enum: [red, green]}', 'CC CC', 'The same strings.'],
  ['enum beside a length', '{enum: [a, bb, ccc]}', '{enum: [a, bb, ccc], maxLength: 2}', 'BC CB', 'ccc is valid before only.'],
  ['line feed at the end', string("pattern: '^a$'"), string("pattern: '^a\\n?$'"), 'CB BC', 'a with a line feed is valid after only.'],
  ['letter in both cases', string("pattern: '^[aA]$'"), '{enum: [a, A]}', 'CC CC', 'The same strings.'],
  ['date-time or date', string('format: date-time'), `{anyOf: [${string('format: date-time')}, ${string('format: date')}]}`, 'CB BC', 'A date is valid after only.'],
  ['format of the only value', "{type: string, enum: ['2020-01-01']}", "{type: string, format: date, enum: ['2020-01-01']}", 'CC CC', 'It is a date.'],
  ['format that one value lacks', "{type: string, enum: [today, '2020-01-01']}", "{type: string, format: date, enum: [today, '2020-01-01']}", 'BC CB', 'today is no date.'],
  ['scheme of a URI', string('format: uri'), string("format: uri, pattern: '^https:'"), 'BC CB', 'An http URI is valid before only.'],
  ['date to ten characters', string('format: date'), string('minLength: 10, maxLength: 10'), 'CB BC', 'Ten letters are valid after only.'],
  ['prefix lengthened', string("pattern: '^id-'"), string("pattern: '^id-[0-9]'"), 'BC CB', 'id-a is valid before only.'],
  ['empty string excluded', string("pattern: '^[a-z]*$'"), string("pattern: '^[a-z]*$', minLength: 1"), 'BC CB', 'The empty string is valid before only.'],
  ['empty string excluded already', string("pattern: '^[a-z]+$'"), string("pattern: '^[a-z]+$', minLength: 1"), 'CC CC', 'It was never valid.'],
  ['exclusiveMinimum false', '{type: integer, minimum: 1, exclusiveMinimum: false}', '{type: integer, minimum: 1}', 'CC CC', 'false is the default.'],
  ['exclusive zero of OpenAPI 3.0', '{type: integer, minimum: 0, exclusiveMinimum: true}', '{type: integer, minimum: 1}', 'CC CC', 'The same integers.'],
  ['null lost in an upgrade', '{type: array, items: {type: string}, nullable: true}', '{type: array, items: {type: string}}', 'BC CB', 'null is valid before only.'],
  ['exclusive maximum raised in an upgrade', '{type: number, maximum: 5, exclusiveMaximum: true}', '{type: number, exclusiveMaximum: 6}', 'CB BC', '5 is valid after only.'],
];

// biome-ignore format: a table
const OBJECTS_AND_ARRAYS: readonly SchemaRow[] = [
  ['required name of a reference repeated', `{allOf: [${ref('Cat')}]}`, `{allOf: [${ref('Cat')}], required: [kind]}`, 'CC CC', 'Cat requires it.'],
  ['property that is false', open('a: {type: string}, b: false'), open('a: {type: string}', ', not: {required: [b]}'), 'CC CC', 'b is never valid.'],
  ['name excluded by propertyNames', '{type: object, propertyNames: {not: {const: id}}}', '{type: object, not: {required: [id]}}', 'CC CC', 'id is never valid.'],
  ['names excluded by a pattern', "{type: object, patternProperties: {'^_': false}}", "{type: object, propertyNames: {not: {pattern: '^_'}}}", 'CC CC', 'The same names.'],
  ['empty name of a map', '{type: object, propertyNames: {minLength: 1}, additionalProperties: {type: string}}', '{type: object, additionalProperties: {type: string}}', 'CB BC', 'The empty name is valid after only.'],
  ['closed by unevaluatedProperties', closed('a: {type: string}'), '{type: object, properties: {a: {type: string}}, unevaluatedProperties: false}', 'CC CC', 'The same objects.'],
  ['conjuncts closed together', '{allOf: [{type: object, properties: {a: {type: string}}}, {type: object, properties: {b: {type: string}}}], unevaluatedProperties: false}', closed('a: {type: string}, b: {type: string}'), 'CC CC', 'The same objects.'],
  ['dependentRequired as a condition, in detail', open('a: {}, b: {}', ', dependentRequired: {a: [b]}'), open('a: {}, b: {}', ', if: {required: [a]}, then: {required: [b]}'), 'CC CC', 'The same objects.'],
  ['dependentRequired of a required name', open('a: {}, b: {}', ', required: [a], dependentRequired: {a: [b]}'), open('a: {}, b: {}', ', required: [a, b]'), 'CC CC', 'Both are required.'],
  ['condition on another constant', '{type: object, properties: {k: {const: a}}, required: [k], if: {properties: {k: {const: b}}}, then: {required: [z]}}', '{type: object, properties: {k: {const: a}}, required: [k]}', 'CC CC', 'The condition never holds.'],
  ['third property no longer required', open('a: {}, b: {}', ', required: [a, b], minProperties: 3'), open('a: {}, b: {}', ', required: [a, b], minProperties: 2'), 'CB BC', 'a and b alone are valid after only.'],
  ['constant of a version', open('v: {const: 1}', ', required: [v]'), open('v: {const: 2}', ', required: [v]'), 'BB BB', 'Another constant.'],
  ['constant of an optional version', open('v: {enum: [1]}'), open('v: {enum: [1, 2]}'), 'CB BC', '2 is valid after only.'],
  ['object or null by types', "{type: [object, 'null'], required: [a]}", "{anyOf: [{type: object, required: [a]}, {type: 'null'}]}", 'CC CC', 'The same values.'],
  ['null beside a reference', `{anyOf: [${ref('Cat')}, {type: 'null'}]}`, ref('Cat'), 'BC CB', 'null is valid before only.'],
  ['other values of a map', "{type: object, patternProperties: {'^n': {type: integer}}, additionalProperties: {type: string}}", "{type: object, patternProperties: {'^n': {type: integer}}, additionalProperties: {type: [string, integer]}}", 'CB BC', 'a: 1 is valid after only.'],
  ['declared property under a pattern', '{type: object, properties: {na: {type: integer}}}', "{type: object, properties: {na: {type: integer}}, patternProperties: {'^n': {minimum: 0}}}", 'BC CB', 'na: -1 is valid before only.'],
  ['two numbers', array('items: {type: number}, minItems: 2, maxItems: 2'), array('prefixItems: [{type: number}, {type: number}], minItems: 2, items: false'), 'CC CC', 'The same arrays.'],
  ['head like the rest', array('prefixItems: [{type: number}], items: {type: number}'), array('items: {type: number}'), 'CC CC', 'The same arrays.'],
  ['head and rest as one schema', array('prefixItems: [{type: number}], items: {type: string}'), array('items: {type: [number, string]}'), 'CB BC', 'A string at the start is valid after only.'],
  ['two kinds contained', array('allOf: [{contains: {const: a}}, {contains: {const: b}}]'), array('contains: {enum: [a, b]}, minContains: 2'), 'CB BC', 'a twice is valid after only.'],
  ['distinct nulls', array("items: {type: 'null'}, uniqueItems: true"), array("items: {type: 'null'}, maxItems: 1"), 'CC CC', 'There is one.'],
  ['arrays of arrays', array('items: {type: array, maxItems: 2}'), array('items: {type: array, maxItems: 3}'), 'CB BC', 'Three items are valid after only.'],
  ['no strings contained', array('contains: {type: string}, minContains: 0, maxContains: 0'), array("items: {type: [number, object, array, boolean, 'null']}"), 'CC CC', 'Everything but strings.'],
  ['second item no longer optional', array('prefixItems: [{type: string}, {type: integer}], items: false, minItems: 1'), array('prefixItems: [{type: string}, {type: integer}], items: false, minItems: 2'), 'BC CB', 'One string is valid before only.'],
  ['oneOf of integer and number', '{oneOf: [{type: integer}, {type: number}]}', '{type: number, not: {type: integer}}', 'CC CC', 'An integer is both.'],
  ['oneOf of distinct types as anyOf', '{oneOf: [{type: string}, {type: array}]}', '{anyOf: [{type: string}, {type: array}]}', 'CC CC', 'No value is both.'],
  ['oneOf of ranges that meet as anyOf', '{oneOf: [{type: integer, maximum: 5}, {type: integer, minimum: 5}]}', '{anyOf: [{type: integer, maximum: 5}, {type: integer, minimum: 5}]}', 'CB BC', '5 is valid after only.'],
  ['branch within another', '{anyOf: [{type: string}, {type: string, minLength: 3}]}', '{type: string}', 'CC CC', 'The second adds nothing.'],
  ['not of a conjunction', '{not: {allOf: [{type: string}, {minLength: 3}]}}', '{anyOf: [{not: {type: string}}, {type: string, maxLength: 2}]}', 'CC CC', 'The same values.'],
  ['condition of another type', '{type: string, if: {type: integer}, then: {maximum: 3}}', '{type: string}', 'CC CC', 'No string is an integer.'],
  ['condition over the type', '{if: {type: string}, then: {maxLength: 3}, else: {type: integer}}', '{anyOf: [{type: string, maxLength: 3}, {type: integer}]}', 'CC CC', 'The same values.'],
  ['enum value of another type', '{type: string, enum: [a, 1]}', '{const: a}', 'CC CC', '1 was never valid.'],
];

export const DETAILED_SCHEMA_ROWS: readonly SchemaRow[] = [
  ...NUMBERS_AND_TEXTS,
  ...OBJECTS_AND_ARRAYS,
];

const inPath = (path: string, schema: string, rest = '') =>
  `paths: {"${path}": {get: {operationId: getToy, parameters: [{name: a, in: path, required: true, schema: ${schema}${rest}}], ${OK}}}}`;
const form = (properties: string, rest = '') =>
  `application/x-www-form-urlencoded: {schema: {type: object, properties: {${properties}}${rest}}}`;
const upload = (type: string) =>
  `multipart/form-data: {schema: {type: object, properties: {f: {}}}, encoding: {f: {contentType: ${type}}}}`;
const secured = (
  security: string,
  schemes = 'a: {type: http, scheme: bearer}, b: {type: apiKey, in: header, name: X-B}, i: {type: openIdConnect, openIdConnectUrl: https://a.test/o}',
) => `${get(`security: [${security}], ${OK}`)}\ncomponents: {securitySchemes: {${schemes}}}`;
const at = (servers: string, path = '/toys') =>
  `servers: [${servers}]\npaths: {${path}: {get: {operationId: getToys, ${OK}}}}`;
const copy = (schema: string) =>
  at32(
    `paths: {/toys: {get: {operationId: getToys, ${OK}}, additionalOperations: {COPY: {operationId: copyToys, requestBody: {content: {${json(schema)}}}, ${OK}}}}}`,
  );

// biome-ignore format: a table
export const DETAILED_CONTRACT_ROWS: readonly ContractRow[] = [
  ['spaces instead of commas', query(STRINGS, ', explode: false'), query(STRINGS, ', style: spaceDelimited, explode: false'), 'BB', 'Other separators.'],
  ['default replaced by required', query('{type: integer, default: 5}'), query('{type: integer}', ', required: true'), 'BC', 'A request without it is refused.'],
  ['enum of a query parameter', query('{enum: [a]}'), query('{enum: [a, b]}'), 'CB', 'b is accepted after only.'],
  ['length of a list in the query', query(STRINGS), query('{type: array, items: {type: string}, maxItems: 10}'), 'BC', 'Eleven items are refused.'],
  ['extension in the path', inPath('/toys/{a}', '{type: string}'), inPath('/toys/{a}.json', '{type: string}'), 'BB', 'Another URL.'],
  ['object in the query, deep', query(POINT), query(POINT, ', style: deepObject'), 'BB', 'x=1 becomes a[x]=1.'],
  ['object in the query, joined', query(POINT), query(POINT, ', explode: false'), 'BB', 'x=1 becomes a=x,1.'],
  ['parameter as JSON', query('{type: string}'), parameters('{name: a, in: query, content: {application/json: {schema: {type: string}}}}'), 'BB', 'Text becomes a JSON string.'],
  ['optional header becomes required, in detail', parameters('{name: X-A, in: header, schema: {type: string}}'), parameters('{name: X-A, in: header, required: true, schema: {type: string}}'), 'BC', 'A request without it is refused.'],
  ['error body added to a range', response(`"200": {description: a}, 4XX: {description: b, content: {${json('{enum: [1]}')}}}`), response(`"200": {description: a}, 4XX: {description: b, content: {${json('{enum: [1, 2]}')}}}`), 'BC', 'Clients may get 2.'],
  ['own body of one error', response(`"200": {description: a}, 4XX: {description: b, content: {${json('{type: string}')}}}`), response(`"200": {description: a}, 4XX: {description: b, content: {${json('{type: string}')}}}, "404": {description: c, content: {${json('{type: integer}')}}}`), 'BB', 'The body of 404 has another type.'],
  ['values of a response header', header('schema: {enum: [a]}'), header('schema: {enum: [a, b]}'), 'BC', 'Clients may get b.'],
  ['any type of a response', read('"*/*": {schema: {type: string}}'), read(json('{type: string}')), 'CR', 'Fewer media types; clients select one by Accept.'],
  ['property of a form becomes required', sent(form('a: {type: string}')), sent(form('a: {type: string}', ', required: [a]')), 'BC', 'A form without it is refused.'],
  ['any image of a part', sent(upload('image/png')), sent(upload('image/*')), 'CB', 'JPEG is accepted after only.'],
  ['response by a reference to a narrower one', read(json('{type: integer}')), withRef(response('"200": {$ref: "#/components/responses/A"}'), `responses: {A: {description: a, content: {${json('{type: integer, minimum: 0}')}}}}`), 'CB', 'Fewer values.'],
  ['second alternative of credentials', secured('{a: []}'), secured('{a: []}, {b: []}'), 'CB', 'b suffices after only.'],
  ['both credentials', secured('{a: []}, {b: []}'), secured('{a: [], b: []}'), 'BC', 'One alone is refused.'],
  ['header of a key in other capitals', secured('{b: []}', 'b: {type: apiKey, in: header, name: X-B}'), secured('{b: []}', 'b: {type: apiKey, in: header, name: x-b}'), 'CC', 'Names of headers are case-insensitive.'],
  ['scheme in capitals', secured('{a: []}', 'a: {type: http, scheme: bearer}'), secured('{a: []}', 'a: {type: http, scheme: Bearer}'), 'CC', 'Names of schemes are case-insensitive.'],
  ['scope no longer required', secured('{i: [r, w]}'), secured('{i: [r]}'), 'CB', 'w is not needed.'],
  ['port written out', at('{url: https://a.test}'), at('{url: "https://a.test:443"}'), 'CC', 'The default port.'],
  ['path of a server', at('{url: https://a.test/v1}'), at('{url: https://a.test/v2}'), 'BB', 'Other URLs.'],
  ['variable of a server written out', at('{url: "https://{h}.test", variables: {h: {default: a, enum: [a, b]}}}'), at('{url: https://a.test}, {url: https://b.test}'), 'CR', 'The same URLs; an SDK that selects the second server has only a variable.'],
  ['base path moved into the paths', at('{url: https://a.test/v1}'), at('{url: https://a.test}', '/v1/toys'), 'CC', 'The same URL.'],
  ['status that a subscriber sends', hook('responses: {"200": {description: a}}'), hook('responses: {"204": {description: a}}'), 'BB', 'The service expects the other.'],
  ['value that a subscriber receives', hook(`requestBody: {content: {${json('{enum: [a]}')}}}, ${OK}`), hook(`requestBody: {content: {${json('{enum: [a, b]}')}}}, ${OK}`), 'BC', 'Subscribers may get b.'],
  ['reply of a subscriber narrowed', hook(`responses: {"200": {description: a, content: {${json('{type: integer}')}}}}`), hook(`responses: {"200": {description: a, content: {${json('{type: integer, minimum: 0}')}}}}`), 'BC', '-1 is refused.'],
  ['items of a sequence', at32(read('application/jsonl: {itemSchema: {type: object, properties: {n: {type: integer}}}}')), at32(read('application/jsonl: {itemSchema: {type: object, properties: {n: {type: integer, minimum: 0}}}}')), 'CB', 'Fewer values.'],
  ['body of QUERY', at32(`paths: {/toys: {query: {operationId: findToys, requestBody: {content: {${json('{type: integer}')}}}, ${OK}}}}`), at32(`paths: {/toys: {query: {operationId: findToys, requestBody: {content: {${json('{type: integer, maximum: 9}')}}}, ${OK}}}}`), 'BC', '10 is refused.'],
  ['property of the query string', at32(parameters('{name: q, in: querystring, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: integer}}}}}}')), at32(parameters('{name: q, in: querystring, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: integer, maximum: 3}}}}}}')), 'BC', 'a=4 is refused.'],
  ['additional method removed', copy('{type: integer}'), at32(get(OK)), 'BC', 'COPY is refused.'],
  ['additional method widened', copy('{type: integer}'), copy('{type: number}'), 'CB', '0.5 is accepted after only.'],
  ['media type of components', at32(withRef(read('application/json: {$ref: "#/components/mediaTypes/A"}'), 'mediaTypes: {A: {schema: {type: string}}}')), at32(read(json('{type: string}'))), 'CC', 'The same media type.'],
  ['tags in a tree', at32(`tags: [{name: a}, {name: b}]\n${get(`tags: [a], ${OK}`)}`), at32(`tags: [{name: a, parent: b}, {name: b, kind: nav}]\n${get(`tags: [a], ${OK}`)}`), 'CC', 'Only documentation.'],
  ['bytes upgraded', at30(sent('application/octet-stream: {schema: {type: string, format: binary}}')), sent('application/octet-stream: {}'), 'CC', 'The same bytes.'],
  ['example upgraded', at30(read(json('{type: string, example: a}'))), read(json('{type: string, examples: [a]}')), 'CC', 'Only documentation.'],
  ['required null upgraded', at30(read(json('{type: object, required: [a], properties: {a: {type: string, nullable: true}}}'))), read(json("{type: object, required: [a], properties: {a: {type: [string, 'null']}}}")), 'CC', 'The same objects.'],
  ['null gained in an upgrade', at30(read(json('{type: string}'))), read(json("{type: [string, 'null']}")), 'BC', 'Clients may get null.'],
  ['namespace of XML', sent(xml('{type: object, xml: {namespace: https://a.test}, properties: {t: {type: string}}}')), sent(xml('{type: object, xml: {namespace: https://b.test}, properties: {t: {type: string}}}')), 'BB', 'Other elements.'],
];
