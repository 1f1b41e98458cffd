// Seventh blind set: parameters, request bodies, media types, deprecation. Written without the code of the diff.
import { type ContractRow, contractOf } from '../pair.ts';
import {
  at30,
  getOrders,
  jsonParameter,
  OK,
  parameterIn,
  queryParameter,
  REQUIRED,
  STRINGS,
} from '../texts.ts';

const parameters = (...texts: readonly string[]) =>
  getOrders(`parameters: [${texts.join(', ')}], ${OK}`);
const header = (name: string, schema: string, rest = '') =>
  parameterIn('header', name, schema, rest);
const path = (schema: string, rest = '') =>
  `paths: {"/orders/{id}": {get: {operationId: getOrder, parameters: [{name: id, in: path, required: true, schema: ${schema}${rest}}], ${OK}}}}`;
const two = (route: string, x: string, y: string) =>
  `paths: {"${route}": {get: {operationId: getItem, parameters: [{name: x, in: path, required: true, schema: ${x}}, {name: y, in: path, required: true, schema: ${y}}], ${OK}}}}`;
const body = (content: string, rest = '') =>
  `paths: {/orders: {post: {operationId: addOrder, requestBody: {${rest}content: {${content}}}, ${OK}}}}`;
const sent = (schema: string) => body(`application/json: {schema: ${schema}}`);
const form = (properties: string, rest = '') =>
  body(
    `application/x-www-form-urlencoded: {schema: {type: object, properties: {${properties}}}${rest}}`,
  );
const parts = (properties: string, rest = '') =>
  body(`multipart/form-data: {schema: {type: object, properties: {${properties}}}${rest}}`);
const xml = (schema: string) => body(`application/xml: {schema: ${schema}}`);
const latest = (...pair: readonly [string, string]) =>
  pair.map((each) => contractOf(each, '3.2.0')) as [string, string];

const IDS = '{type: array, items: {type: integer}}';
const RANGE = '{type: object, properties: {from: {type: integer}, to: {type: integer}}}';
const CLOSED_RANGE =
  '{type: object, properties: {from: {type: integer}, to: {type: integer}}, additionalProperties: false}';

// Labels are those of the change and of its reverse.
// biome-ignore format: a table
const QUERIES: readonly ContractRow[] = [
  ['form style written out', parameters(queryParameter('ids', IDS)), parameters(queryParameter('ids', IDS, ', style: form, explode: true')), 'CC', 'The defaults.'],
  ['explode of a string', parameters(queryParameter('q', '{type: string}')), parameters(queryParameter('q', '{type: string}', ', explode: false')), 'CC', 'q=x in both.'],
  ['spaces instead of pipes', parameters(queryParameter('ids', IDS, ', style: spaceDelimited, explode: false')), parameters(queryParameter('ids', IDS, ', style: pipeDelimited, explode: false')), 'BB', 'ids=1%202 or ids=1|2.'],
  ['commas as text', parameters(queryParameter('ids', IDS, ', explode: false')), parameters(queryParameter('ids', '{type: string}')), 'CB', 'The text 1,2 is a string; x is no integer.'],
  ['pipes as text', parameters(queryParameter('ids', IDS, ', style: pipeDelimited, explode: false')), parameters(queryParameter('ids', '{type: string}')), 'CB', 'The text 1|2 is a string; x is no integer.'],
  ['exploded values as text', parameters(queryParameter('ids', IDS)), parameters(queryParameter('ids', '{type: string}')), 'B-', 'ids=1&ids=2 is no string.'],
  ['commas as short text', parameters(queryParameter('ids', IDS, ', explode: false')), parameters(queryParameter('ids', '{type: string, maxLength: 5}')), 'B-', '1,2,3,4 is refused.'],
  ['filter that gains a condition', parameters(queryParameter('filter', RANGE, ', style: deepObject, explode: true')), parameters(queryParameter('filter', '{type: object, properties: {from: {type: integer}, to: {type: integer}, step: {type: integer}}}', ', style: deepObject, explode: true')), 'C-', 'filter[from]=1 in both.'],
  ['filter with a condition that it needs', parameters(queryParameter('filter', RANGE, ', style: deepObject, explode: true')), parameters(queryParameter('filter', `{type: object, properties: {from: {type: integer}, to: {type: integer}}, required: [from]}`, ', style: deepObject, explode: true')), 'BC', 'filter[to]=1 is refused.'],
  ['page size within new bounds', parameters(queryParameter('per_page', '{type: integer, minimum: 1, maximum: 100, default: 30}')), parameters(queryParameter('per_page', '{type: integer, minimum: 1, maximum: 200, default: 30}')), 'CB', '101 is refused in the reverse.'],
  ['page size with another default', parameters(queryParameter('per_page', '{type: integer, minimum: 1, maximum: 100, default: 30}')), parameters(queryParameter('per_page', '{type: integer, minimum: 1, maximum: 100, default: 20}')), 'BB', 'A page has another length if it is omitted.'],
  ['default of a required parameter', parameters(queryParameter('page', '{type: integer, default: 1}', REQUIRED)), parameters(queryParameter('page', '{type: integer, default: 2}', REQUIRED)), 'CC', 'Every request has it.'],
  ['number for integer', parameters(queryParameter('price', '{type: integer}')), parameters(queryParameter('price', '{type: number}')), 'CB', '1.5 is refused in the reverse.'],
  ['boolean as text', parameters(queryParameter('archived', '{type: boolean}')), parameters(queryParameter('archived', '{type: string}')), 'CB', 'The text true is a string.'],
  ['boolean as a flag of two words', parameters(queryParameter('archived', '{type: boolean}')), parameters(queryParameter('archived', "{type: string, enum: ['true', 'false', all]}")), 'CB', 'all is refused in the reverse.'],
  ['boolean as a flag of other words', parameters(queryParameter('archived', '{type: boolean}')), parameters(queryParameter('archived', '{type: string, enum: [yes, no]}')), 'BB', 'true is refused.'],
  ['sort keys with a direction', parameters(queryParameter('sort', '{type: string, enum: [name, date]}')), parameters(queryParameter('sort', "{type: string, pattern: '^-?(name|date)$'}")), 'CB', '-name is refused in the reverse.'],
  ['sort keys as a pattern', parameters(queryParameter('sort', '{type: string, enum: [name, -name]}')), parameters(queryParameter('sort', "{type: string, pattern: '^-?name$'}")), 'CC', 'The same two keys.'],
  ['sort keys, several with commas', parameters(queryParameter('sort', '{type: string, enum: [name, date]}')), parameters(queryParameter('sort', '{type: array, items: {type: string, enum: [name, date]}}', ', explode: false')), 'CB', 'One key is a list of one; name,date is refused in the reverse.'],
  ['unique ids', parameters(queryParameter('ids', IDS)), parameters(queryParameter('ids', '{type: array, items: {type: integer}, uniqueItems: true}')), 'BC', 'ids=1&ids=1 is refused.'],
  ['a name with brackets for exploded values', parameters(queryParameter("'expand[]'", STRINGS)), parameters(queryParameter('expand', STRINGS)), 'BB', 'Another name.'],
  ['deep object as names with brackets', parameters(queryParameter('filter', CLOSED_RANGE, ', style: deepObject, explode: true')), parameters(queryParameter("'filter[from]'", '{type: integer}'), queryParameter("'filter[to]'", '{type: integer}')), 'RR', 'filter[from]=1 in both; SDKs have other arguments.'],
  ['exploded object as separate parameters', parameters(queryParameter('range', CLOSED_RANGE)), parameters(queryParameter('from', '{type: integer}'), queryParameter('to', '{type: integer}')), 'RR', 'from=1&to=2 in both; SDKs have other arguments.'],
  ['exploded object as separate parameters, one with a bound', parameters(queryParameter('range', CLOSED_RANGE)), parameters(queryParameter('from', '{type: integer}'), queryParameter('to', '{type: integer, maximum: 9}')), 'BR', 'to=10 is refused.'],
  ['order of parameters', parameters(queryParameter('a', '{type: string}'), header('X-B', '{type: string}')), parameters(header('X-B', '{type: string}'), queryParameter('a', '{type: string}')), 'CC', 'No order.'],
  ['two parameters of one name, one gone', parameters(queryParameter('id', '{type: string}'), header('id', '{type: string}')), parameters(queryParameter('id', '{type: string}')), 'RC', 'The header is ignored.'],
  ['reserved characters permitted', parameters(queryParameter('q', '{type: string}')), parameters(queryParameter('q', '{type: string}', ', allowReserved: true')), 'CB', 'Clients may send them without encoding after only.'],
  ['JSON in the query with a further property', parameters(jsonParameter('query', RANGE)), parameters(jsonParameter('query', '{type: object, properties: {from: {type: integer}, to: {type: integer}, step: {type: integer}}}')), 'C-', 'The object is open.'],
  ['JSON in the query as a form', parameters(jsonParameter('query', RANGE)), parameters(queryParameter('X', RANGE)), 'BB', 'X={"from":1} or from=1.'],
  ['string in the query as JSON', parameters(queryParameter('X', '{type: string}')), parameters(jsonParameter('query', '{type: string}')), 'BB', 'X=a or X="a".'],
];

const shared = (inner: string, outer: string) =>
  `paths: {/orders: {parameters: [${outer}], get: {operationId: listOrders, ${inner}${OK}}}}`;
const LIMIT = (maximum: number) => queryParameter('limit', `{type: integer, maximum: ${maximum}}`);

// biome-ignore format: a table
const PLACES: readonly ContractRow[] = [
  ['parameter of the path item moved to its operation', shared('', LIMIT(9)), shared(`parameters: [${LIMIT(9)}], `, header('X-A', '{type: string}')), 'CR', 'The same limit; in the reverse X-A is gone.'],
  ['parameter of the operation that overrides its path item', shared(`parameters: [${LIMIT(50)}], `, LIMIT(100)), shared('', LIMIT(100)), 'CB', 'The operation has 50; in the reverse 100 is refused.'],
  ['parameter of the path item that is overridden', shared(`parameters: [${LIMIT(50)}], `, LIMIT(100)), shared(`parameters: [${LIMIT(50)}], `, LIMIT(10)), 'CC', 'The operation has 50 in both.'],
  ['parameters behind references', parameters(LIMIT(50)), `${getOrders(`parameters: [{$ref: '#/components/parameters/Limit'}], ${OK}`)}\ncomponents: {parameters: {Limit: ${LIMIT(50)}}}`, 'CC', 'The same parameter.'],
  ['parameters behind references, narrowed', parameters(LIMIT(50)), `${getOrders(`parameters: [{$ref: '#/components/parameters/Limit'}], ${OK}`)}\ncomponents: {parameters: {Limit: ${LIMIT(49)}}}`, 'BC', '50 is refused.'],
  ['a path list with explode', path(IDS), path(IDS, ', style: simple, explode: true'), 'CC', '1,2 in both.'],
  ['a path object with explode', path(RANGE), path(RANGE, ', explode: true'), 'BB', 'from,1 or from=1.'],
  ['a list of labels with explode', ...latest(path(IDS, ', style: label'), path(IDS, ', style: label, explode: true')), 'BB', '.1,2 or .1.2.'],
  ['a label of one integer with explode', path('{type: integer}', ', style: label'), path('{type: integer}', ', style: label, explode: true'), 'CC', '.5 in both.'],
  ['a label as a matrix', path('{type: integer}', ', style: label'), path('{type: integer}', ', style: matrix'), 'BB', '.5 or ;id=5.'],
  ['a path integer as any text', path('{type: integer}'), path('{type: string}'), 'CB', 'x is refused in the reverse.'],
  ['a path integer as a UUID', path('{type: integer}'), path('{type: string, format: uuid}'), 'BB', '5 is no UUID.'],
  ['a path text with the pattern of a slug', path('{type: string}'), path("{type: string, pattern: '^[a-z-]+$'}"), 'BC', 'A is refused.'],
  ['default of a path parameter', path('{type: string, default: main}'), path('{type: string, default: master}'), 'CC', 'Every request has it.'],
  ['names of path parameters that trade places', two('/shops/{x}/items/{y}', '{type: integer}', '{type: integer}'), two('/shops/{y}/items/{x}', '{type: integer}', '{type: integer}'), 'BB', 'The first value has another meaning, as diff-rules.md and the sixth set have it for the same change.'],
  ['path parameters with types that trade places', two('/shops/{x}/items/{y}', '{type: integer}', '{type: string}'), two('/shops/{y}/items/{x}', '{type: integer}', '{type: string}'), 'BB', 'The second segment is an integer now.'],
  ['a list in a header with explode', parameters(header('X-Ids', IDS)), parameters(header('X-Ids', IDS, ', explode: true')), 'CC', '1,2 in both.'],
  ['a list in a header as text', parameters(header('X-Ids', IDS)), parameters(header('X-Ids', '{type: string}')), 'CB', '1,2 is text; x is no integer.'],
  ['a header that OpenAPI ignores', getOrders(OK), parameters(header('Authorization', '{type: string}', REQUIRED)), 'CC', 'Parameters named Authorization are ignored.'],
  ['an optional header moved to the query', parameters(header('tenant', '{type: string}')), parameters(queryParameter('tenant', '{type: string}')), 'RB', 'The header is ignored; in the reverse the query parameter is refused.'],
  ['a required header moved to a cookie', parameters(header('tenant', '{type: string}', REQUIRED)), parameters(parameterIn('cookie', 'tenant', '{type: string}')), 'BB', 'Its value has no effect any more; in the reverse the header is missing.'],
  ['a cookie in other capitals', parameters(parameterIn('cookie', 'sid', '{type: string}')), parameters(parameterIn('cookie', 'SID', '{type: string}')), 'RR', 'Another name; the old cookie is ignored.'],
  ['an integer in a cookie as text', parameters(parameterIn('cookie', 'page', '{type: integer}')), parameters(parameterIn('cookie', 'page', '{type: string}')), 'CB', 'x is refused in the reverse.'],
  ['a required header that is optional', parameters(header('X-Trace', '{type: string}', REQUIRED)), parameters(header('X-Trace', '{type: string}')), 'CB', 'A request without it is refused in the reverse.'],
  ['a header with a default', parameters(header('X-Version', '{type: string, default: v1}')), parameters(header('X-Version', '{type: string, default: v2}')), 'BB', 'Another value if it is omitted.'],
  ['documentation of a parameter', parameters(queryParameter('q', '{type: string, example: a}', ', description: x, example: a')), parameters(queryParameter('q', '{type: string, example: b}', ', description: y, example: b')), 'CC', 'Documentation.'],
];

const ORDER = '{type: object, properties: {name: {type: string}}, required: [name]}';
const QUANTITY = (schema: string) => `{type: object, properties: {n: ${schema}}}`;
const UPLOAD = 'file: {type: string, format: binary}';

// biome-ignore format: a table
const BODIES: readonly ContractRow[] = [
  ['charset of plain text', body('text/plain: {schema: {type: string}}'), body('text/plain; charset=utf-8: {schema: {type: string}}'), 'CC', 'The default.'],
  ['capitals of a charset', body('text/plain; charset=utf-8: {schema: {type: string}}'), body('text/plain; charset=UTF-8: {schema: {type: string}}'), 'CC', 'Charsets are case-insensitive.'],
  ['charset of JSON', sent(ORDER), body(`application/json; charset=utf-8: {schema: ${ORDER}}`), 'CC', 'JSON is UTF-8.'],
  ['capitals of a media type', sent(ORDER), body(`Application/JSON: {schema: ${ORDER}}`), 'CC', 'Media types are case-insensitive.'],
  ['any media type for JSON and CSV', body('application/json: {}, text/csv: {}'), body("'*/*': {}"), 'CB', 'XML is refused in the reverse.'],
  ['text of one kind for any text', body('text/*: {}'), body('text/csv: {}'), 'BC', 'Plain text is refused.'],
  ['vendor type for JSON', sent(ORDER), body(`application/vnd.api+json: {schema: ${ORDER}}`), 'BB', 'Another media type.'],
  ['vendor type beside JSON', sent(ORDER), body(`application/json: {schema: ${ORDER}}, application/vnd.api+json: {schema: ${ORDER}}`), 'CB', 'The vendor type is refused in the reverse.'],
  ['a vendor type that is narrower than JSON', body(`application/json: {schema: ${ORDER}}, application/vnd.api+json: {schema: ${ORDER}}`), body(`application/json: {schema: ${ORDER}}, application/vnd.api+json: {schema: {type: object, properties: {name: {type: string, maxLength: 9}}, required: [name]}}`), 'BC', 'A long name is refused in the vendor type.'],
  ['optional in words', body(`application/json: {schema: ${ORDER}}`), body(`application/json: {schema: ${ORDER}}`, 'required: false, '), 'CC', 'The default.'],
  ['body behind a reference', sent(ORDER), `paths: {/orders: {post: {operationId: addOrder, requestBody: {$ref: '#/components/requestBodies/Order'}, ${OK}}}}\ncomponents: {requestBodies: {Order: {content: {application/json: {schema: ${ORDER}}}}}}`, 'CC', 'The same body.'],
  ['body behind a reference that is required', sent(ORDER), `paths: {/orders: {post: {operationId: addOrder, requestBody: {$ref: '#/components/requestBodies/Order'}, ${OK}}}}\ncomponents: {requestBodies: {Order: {required: true, content: {application/json: {schema: ${ORDER}}}}}}`, 'BC', 'A request without a body is refused.'],
  ['schema of any JSON', body('application/json: {}'), body('application/json: {schema: true}'), 'CC', 'Any JSON.'],
  ['list of a form with its default encoding', form('n: {type: array, items: {type: string}}'), form('n: {type: array, items: {type: string}}', ', encoding: {n: {style: form, explode: true}}'), 'CC', 'n=a&n=b in both.'],
  ['list of a form with commas', form('n: {type: array, items: {type: string}}'), form('n: {type: array, items: {type: string}}', ', encoding: {n: {explode: false}}'), 'BB', 'n=a&n=b or n=a,b.'],
  ['form with another required field', form('n: {type: string}, m: {type: string}'), form('n: {type: string}, m: {type: string}').replace('type: object, ', 'type: object, required: [m], '), 'BC', 'n=a is refused.'],
  ['form beside JSON dropped', body(`application/json: {schema: ${ORDER}}, application/x-www-form-urlencoded: {schema: ${ORDER}}`), sent(ORDER), 'BC', 'A form is refused.'],
  ['integer of a part as text', parts('n: {type: integer}'), parts('n: {type: string}'), 'CB', 'Both are text/plain; x is refused in the reverse.'],
  ['text of a part as an object', parts('n: {type: string}'), parts('n: {type: object}'), 'BB', 'text/plain or application/json.'],
  ['default media type of an object part', parts('n: {type: object}'), parts('n: {type: object}', ', encoding: {n: {contentType: application/json}}'), 'CC', 'The default.'],
  ['media types of a part in another order', parts(UPLOAD, ", encoding: {file: {contentType: 'image/png, image/jpeg'}}"), parts(UPLOAD, ", encoding: {file: {contentType: 'image/jpeg,image/png'}}"), 'CC', 'The same two.'],
  ['media types of a part with one more', parts(UPLOAD, ", encoding: {file: {contentType: 'image/png, image/jpeg'}}"), parts(UPLOAD, ", encoding: {file: {contentType: 'image/png, image/jpeg, image/gif'}}"), 'CB', 'GIF is refused in the reverse.'],
  ['several files', parts(UPLOAD), parts('file: {type: array, items: {type: string, format: binary}}'), 'C-', 'One file is a list of one.'],
  ['integer of XML as text', xml(`{type: object, xml: {name: order}, properties: {n: {type: integer}}}`), xml(`{type: object, xml: {name: order}, properties: {n: {type: string}}}`), 'CB', 'XML carries text.'],
  ['integer of XML and JSON as text', body(`application/xml: {schema: {type: object, xml: {name: order}, properties: {n: {type: integer}}}}, application/json: {schema: ${QUANTITY('{type: integer}')}}`), body(`application/xml: {schema: {type: object, xml: {name: order}, properties: {n: {type: string}}}}, application/json: {schema: ${QUANTITY('{type: string}')}}`), 'BB', 'In JSON 1 is no string.'],
  ['XML name that a property has anyway', xml('{type: object, xml: {name: order}, properties: {n: {type: string}}}'), xml('{type: object, xml: {name: order}, properties: {n: {type: string, xml: {name: n, wrapped: false, attribute: false}}}}'), 'CC', 'The defaults.'],
  ['XML name in a body of JSON only', sent('{type: object, xml: {name: order}, properties: {n: {type: string, xml: {attribute: true}}}}'), sent('{type: object, xml: {name: Order}, properties: {n: {type: string}}}'), 'CC', 'JSON has no element names.'],
  ['examples of a body', body(`application/json: {schema: ${ORDER}, example: {name: a}}`), body(`application/json: {schema: ${ORDER}, examples: {first: {value: {name: b}}}}`), 'CC', 'Documentation.'],
  ['lines of 3.1 in 3.2', contractOf(body('application/jsonl: {x-item-schema: {type: integer}}')), contractOf(body('application/jsonl: {itemSchema: {type: integer}}'), '3.2.0'), 'CC', 'The same lines.'],
  ['lines of 3.1 in 3.2, narrowed', contractOf(body('application/jsonl: {x-item-schema: {type: integer}}')), contractOf(body('application/jsonl: {itemSchema: {type: integer, minimum: 0}}'), '3.2.0'), 'BC', '-1 is refused.'],
  ['a method for queries with a body', ...latest(`paths: {/orders: {get: {operationId: listOrders, ${OK}}}}`, `paths: {/orders: {get: {operationId: listOrders, ${OK}}, query: {operationId: findOrders, requestBody: {content: {application/json: {schema: ${ORDER}}}}, ${OK}}}}`), 'CB', 'QUERY is lost in the reverse.'],
  ['a method for queries written out', ...latest(`paths: {/orders: {query: {operationId: findOrders, ${OK}}}}`, `paths: {/orders: {query: {operationId: findOrders, ${OK}}, parameters: []}}`), 'CC', 'The same operation.'],
  ['a whole query string as JSON with a further property', ...latest(parameters(`{name: q, in: querystring, content: {application/json: {schema: ${ORDER}}}}`), parameters(`{name: q, in: querystring, content: {application/json: {schema: {type: object, properties: {name: {type: string}, size: {type: integer}}, required: [name]}}}}`)), 'C-', 'The object is open.'],
  ['a whole query string as two parameters', ...latest(parameters(`{name: q, in: querystring, content: {application/x-www-form-urlencoded: {schema: ${CLOSED_RANGE}}}}`), parameters(queryParameter('from', '{type: integer}'), queryParameter('to', '{type: integer}'))), 'RR', 'from=1&to=2 in both; SDKs have other arguments.'],
  ['bytes of 3.0 in 3.1', at30(body('image/png: {schema: {type: string, format: binary}}')), contractOf(body('image/png: {}')), 'CC', 'Any bytes.'],
];

const retired = (rest: string) =>
  queryParameter('old', '{type: string}', `, deprecated: true${rest}`);
const property = (rest: string) =>
  sent(
    `{type: object, properties: {name: {type: string}, old: {type: string, deprecated: true${rest}}}}`,
  );
const WITHOUT = sent('{type: object, properties: {name: {type: string}}}');
const [PAST, FUTURE] = [", x-sunset: '2001-01-31'", ", x-sunset: '2999-01-31'"];
const operations = (rest: string) =>
  `paths: {/orders: {get: {operationId: listOrders, ${OK}}, post: {operationId: addOrder, ${rest}${OK}}}}`;

// biome-ignore format: a table
const DEPRECATIONS: readonly ContractRow[] = [
  ['a parameter removed after its sunset', parameters(retired(PAST)), getOrders(OK), 'C-', 'The removal was announced.'],
  ['a parameter removed before its sunset', parameters(retired(FUTURE)), getOrders(OK), 'B-', 'The removal is announced for later.'],
  ['a parameter removed without a sunset', parameters(retired('')), getOrders(OK), 'B-', 'Nothing announced when.'],
  ['a property removed after its sunset', property(PAST), WITHOUT, 'C-', 'The removal was announced.'],
  ['a header removed after its sunset', parameters(header('X-Old', '{type: string}', `, required: true, deprecated: true${PAST}`)), getOrders(OK), 'C-', 'The removal was announced.'],
  ['an operation removed after its sunset', operations("deprecated: true, x-sunset: '2001-01-31', "), getOrders(OK), 'C-', 'The removal was announced.'],
  ['an operation removed before its sunset', operations("deprecated: true, x-sunset: '2999-01-31', "), getOrders(OK), 'B-', 'The removal is announced for later.'],
  ['a sunset that is postponed', operations("deprecated: true, x-sunset: '2999-01-31', "), operations("deprecated: true, x-sunset: '2999-02-28', "), 'CB', 'Postponed; the reverse is earlier.'],
  ['a sunset with its time of day', operations("deprecated: true, x-sunset: '2999-01-31', "), operations("deprecated: true, x-sunset: '2999-01-31T00:00:00Z', "), 'CC', 'The same moment.'],
  ['a sunset without quotes', operations("deprecated: true, x-sunset: '2999-01-31', "), operations('deprecated: true, x-sunset: 2999-01-31, '), 'CC', 'The same date.'],
  ['a sunset announced for later', operations('deprecated: true, '), operations("deprecated: true, x-sunset: '2999-01-31', "), 'C-', 'There is time.'],
  ['a sunset announced for the past', operations('deprecated: true, '), operations("deprecated: true, x-sunset: '2001-01-31', "), 'B-', 'There is no time.'],
  ['deprecation', operations(''), operations('deprecated: true, '), 'CC', 'An announcement.'],
  ['the date of a deprecation', operations("deprecated: true, x-deprecated-since: '2020-01-31', "), operations("deprecated: true, x-deprecated-since: '2021-01-31', "), 'CC', 'Documentation.'],
];

export const SEVENTH_REQUEST_ROWS: readonly ContractRow[] = [
  ...QUERIES,
  ...PLACES,
  ...BODIES,
  ...DEPRECATIONS,
];
