// Ninth blind set: links, callbacks, cookies, content of parameters, dependencies, dynamic references, sequences, headers, roles of
// properties, security, servers, encodings. Labels follow from OpenAPI, JSON Schema, HTTP and docs/stubwright/diff-rules.md.
// First run of its 247 pairs: recall 0.989, precision 0.967, noise 1.3 %. Two of the labels were wrong: see the cookie of digits and the string as JSON.
import { blindSet, type ContractRow, type SchemaRow } from './pair.ts';
import {
  at32,
  closed,
  get,
  json,
  OK,
  object,
  open,
  parameterIn,
  parameters,
  post,
  REQUIRED,
  read,
  ref,
  response,
  sent,
} from './texts.ts';

const LINKED = (links: string, schema = '{type: object, properties: {id: {type: string}}}') =>
  `paths: {/toys: {post: {operationId: postToys, responses: {"201": {description: a, content: {${json(schema)}}${links}}}}}, "/toys/{id}": {get: {operationId: getToy, parameters: [{name: id, in: path, required: true, schema: {type: string}}], ${OK}}}}`;
const LINK = (rest: string) => `, links: {toy: {${rest}}}`;
const BY_ID = "operationId: getToy, parameters: {id: '$response.body#/id'}";

// Labels are those of the change and of its reverse.
// biome-ignore format: a table
const LINKS: readonly ContractRow[] = [
  ['a link of a response', LINKED(''), LINKED(LINK(BY_ID)), 'C-', 'A link describes a request that exists.'],
  ['a description of a link', LINKED(LINK(BY_ID)), LINKED(LINK(`description: The toy, ${BY_ID}`)), 'CC', 'Documentation.'],
  ['a link by reference to the operation', LINKED(LINK(BY_ID)), LINKED(LINK(BY_ID.replace('operationId: getToy', "operationRef: '#/paths/~1toys~1{id}/get'"))), 'CC', 'The same operation.'],
  ['a link as a component', LINKED(LINK(BY_ID)), `${LINKED(", links: {toy: {$ref: '#/components/links/Toy'}}")}\ncomponents: {links: {Toy: {${BY_ID}}}}`, 'CC', 'The same link.'],
  ['a link to a property that leaves the response', LINKED(LINK(BY_ID)), LINKED('', '{type: object}'), 'BC', 'Clients read id; in the reverse it is added.'],
  ['a link beside a header that leaves the response', LINKED(', headers: {Location: {schema: {type: string}}}'), LINKED(LINK(BY_ID)), 'B-', 'Clients read Location.'],
];

const BACK = (callback: string, rest = '') =>
  post(`${rest}callbacks: {sold: {${callback}}}, ${OK}`);
const EVENT = "'{$request.query.to}'";
const CALL = (operation: string, url = EVENT) => `${url}: {post: {${operation}}}`;
const EVENT_BODY = (schema: string, rest = '') =>
  `requestBody: {${rest}content: {${json(schema)}}}, ${OK}`;
const TOY = open('id: {type: string}, tag: {type: string}', ', required: [id]');

// biome-ignore format: a table
const CALLBACKS: readonly ContractRow[] = [
  ['a property of an event that is optional now', BACK(CALL(EVENT_BODY(TOY))), BACK(CALL(EVENT_BODY(TOY.replace(', required: [id]', '')))), 'BC', 'Receivers read id.'],
  ['a property more in an event', BACK(CALL(EVENT_BODY(TOY))), BACK(CALL(EVENT_BODY(TOY.replace('tag:', 'at: {type: string}, tag:')))), 'CB', 'Receivers ignore it; in the reverse they read it.'],
  ['a longer text of an event', BACK(CALL(EVENT_BODY('{type: string, maxLength: 3}'))), BACK(CALL(EVENT_BODY('{type: string, maxLength: 9}'))), 'BC', 'Receivers expect three characters.'],
  ['a number of an event as a string', BACK(CALL(EVENT_BODY('{type: integer}'))), BACK(CALL(EVENT_BODY('{type: string}'))), 'BB', 'Receivers read the other type.'],
  ['an event without a body', BACK(CALL(EVENT_BODY(TOY))), BACK(CALL(OK)), 'B-', 'Receivers read the body.'],
  ['the body of an event that always comes', BACK(CALL(EVENT_BODY(TOY))), BACK(CALL(EVENT_BODY(TOY, 'required: true, '))), 'CB', 'In the reverse it may be missing.'],
  ['an event by PUT', BACK(CALL(EVENT_BODY(TOY))), BACK(`${EVENT}: {put: {${EVENT_BODY(TOY)}}}`), 'BB', 'Receivers wait for the other method.'],
  ['a second event', BACK(CALL(EVENT_BODY(TOY))), BACK(`${CALL(EVENT_BODY(TOY))}}, lost: {${CALL(EVENT_BODY(TOY))}`), 'CB', 'In the reverse an event is gone.'],
  ['a callback that is gone', BACK(CALL(EVENT_BODY(TOY))), post(OK), 'BC', 'Receivers no longer get the event.'],
  ['the URL of a callback from the body', BACK(CALL(EVENT_BODY(TOY))), BACK(CALL(EVENT_BODY(TOY), "'{$request.body#/to}'")), 'BB', 'The URL that clients send is not used.'],
  ['a header of an event', BACK(CALL(OK)), BACK(CALL(`parameters: [${parameterIn('header', 'X-Sign', '{type: string}')}], ${OK}`)), 'CB', 'Receivers ignore it; in the reverse they read it.'],
  ['a header of an event that may be missing', BACK(CALL(`parameters: [${parameterIn('header', 'X-Sign', '{type: string}', REQUIRED)}], ${OK}`)), BACK(CALL(`parameters: [${parameterIn('header', 'X-Sign', '{type: string}')}], ${OK}`)), 'BC', 'Receivers read the header.'],
  ['the reply that a callback expects', BACK(CALL('responses: {"200": {description: a}}')), BACK(CALL(OK)), 'BB', 'The service does not accept the old status.'],
  ['a second reply that a callback expects', BACK(CALL(OK)), BACK(CALL('responses: {"200": {description: a}, "204": {description: none}}')), 'CB', 'In the reverse 200 is not accepted.'],
  ['a longer reply that a callback accepts', BACK(CALL('responses: {"200": {description: a, content: {application/json: {schema: {type: string, maxLength: 3}}}}}')), BACK(CALL('responses: {"200": {description: a, content: {application/json: {schema: {type: string, maxLength: 9}}}}}')), 'CB', 'In the reverse it is refused.'],
  ['a callback as a component', BACK(CALL(EVENT_BODY(TOY))), `${post(`callbacks: {sold: {$ref: '#/components/callbacks/Sold'}}, ${OK}`)}\ncomponents: {callbacks: {Sold: {${CALL(EVENT_BODY(TOY))}}}}`, 'CC', 'The same callback.'],
  ['a description of an event', BACK(CALL(EVENT_BODY(TOY))), BACK(CALL(`description: Sold, ${EVENT_BODY(TOY)}`)), 'CC', 'Documentation.'],
  ['an event as XML', BACK(CALL(EVENT_BODY(TOY))), BACK(CALL(EVENT_BODY(TOY).replace('application/json', 'application/xml'))), 'BB', 'Receivers read the other media type.'],
];

const cookie = (schema: string, rest = '') =>
  parameters(parameterIn('cookie', 'sid', schema, rest));
const WORDS = '{type: array, items: {type: string}}';

// biome-ignore format: a table
const COOKIES: readonly ContractRow[] = [
  ['a cookie that is required', cookie('{type: string}'), cookie('{type: string}', REQUIRED), 'BC', 'Requests without it are refused.'],
  ['a required cookie more', get(OK), cookie('{type: string}', REQUIRED), 'BB', 'Requests lack it; in the reverse it has no effect.'],
  ['an optional cookie more', get(OK), cookie('{type: string}'), 'CR', 'In the reverse it is ignored.'],
  ['a cookie of other letters', cookie('{type: string, pattern: "^[a-z]+$"}'), cookie('{type: string, pattern: "^[0-9a-z]+$"}'), 'CB', 'Digits are refused in the reverse.'],
  ['a cookie of digits as an integer', cookie('{type: string, pattern: "^[0-9]+$"}'), cookie('{type: integer, minimum: 0}'), 'BC', 'Leading zeros are refused.'],
  ['a cookie as a header', cookie('{type: string}', REQUIRED), parameters(parameterIn('header', 'sid', '{type: string}', REQUIRED)), 'BB', 'It is read from the other place.'],
  ['a cookie with the style in words', cookie('{type: string}'), cookie('{type: string}', ', style: form, explode: true'), 'CC', 'The defaults.'],
  ['an enum of a cookie with one value less', cookie('{enum: [a, b]}'), cookie('{enum: [a]}'), 'BC', 'b is refused.'],
  ['words of a cookie joined by commas', cookie(WORDS, ', explode: false'), cookie(WORDS, ', explode: false, deprecated: true'), 'CC', 'Documentation.'],
  ['a deprecated cookie removed before its date', cookie('{type: string}', `${REQUIRED}, deprecated: true, x-sunset: '2999-01-01'`), get(OK), 'B-', 'The date is not there yet.'],
  ['a description of a cookie', cookie('{type: string}'), cookie('{type: string}', ', description: Session'), 'CC', 'Documentation.'],
  ['a longer default of a cookie', cookie('{type: string, default: a}'), cookie('{type: string, default: bb}'), 'BB', 'Another value if it is omitted.'],
];

const jsonIn = (where: string, schema: string, rest = '') =>
  parameters(`{name: X, in: ${where}, content: {${json(schema)}}${rest}}`);
const POINT = open('x: {type: integer}, y: {type: integer}');

// biome-ignore format: a table
const CONTENTS: readonly ContractRow[] = [
  ['a filter as JSON with one property more', jsonIn('query', POINT), jsonIn('query', POINT.replace('y:', 'z: {type: integer}, y:')), 'CR', 'In the reverse z is accepted without effect.'],
  ['a closed filter as JSON with one property more', jsonIn('query', closed('x: {type: integer}')), jsonIn('query', closed('x: {type: integer}, y: {type: integer}')), 'CB', 'In the reverse y is refused.'],
  ['a filter as JSON with a required property', jsonIn('query', POINT), jsonIn('query', POINT.replace('}}}', '}}, required: [x]}')), 'BC', '{} is refused.'],
  ['a number of a filter as JSON as text', jsonIn('query', open('x: {type: integer}')), jsonIn('query', open('x: {type: string}')), 'BB', 'JSON has types, other than the text of a query.'],
  ['a filter as JSON as a deep object', jsonIn('query', POINT), parameters(`{name: X, in: query, style: deepObject, explode: true, schema: ${POINT}}`), 'BB', 'Another serialization.'],
  ['a string as JSON as a plain string', jsonIn('query', '{type: string}'), parameters(parameterIn('query', 'X', '{type: string}')), 'B-', 'The quotes are part of the value now.'],
  ['a header as JSON with a bound', jsonIn('header', '{type: integer}'), jsonIn('header', '{type: integer, minimum: 0}'), 'BC', '-1 is refused.'],
  ['a header as JSON that is required', jsonIn('header', POINT), jsonIn('header', POINT, REQUIRED), 'BC', 'Requests without it are refused.'],
  ['a cookie as JSON with null', jsonIn('cookie', '{type: string}'), jsonIn('cookie', "{type: [string, 'null']}"), 'CB', 'null is refused in the reverse.'],
  ['an integer in JSON as a number', jsonIn('query', '{type: integer}'), jsonIn('query', '{type: number}'), 'CB', '0.5 is refused in the reverse.'],
  ['a filter as JSON and its schema as a component', jsonIn('query', POINT), `${jsonIn('query', ref('Point'))}\ncomponents: {schemas: {Point: ${POINT}}}`, 'CR', 'The same values; SDKs lose a type in the reverse.'],
  ['a filter as XML', jsonIn('query', POINT), jsonIn('query', POINT).replace('application/json', 'application/xml'), 'BB', 'Another media type.'],
  ['a filter as JSON with a name of a vendor', jsonIn('query', POINT), jsonIn('query', POINT).replace('application/json', 'application/vnd.a+json'), 'C-', 'The text is the same JSON.'],
  ['an example of a filter as JSON', jsonIn('query', POINT), jsonIn('query', POINT).replace('{schema:', '{example: {x: 1}, schema:'), 'CC', 'Documentation.'],
];

// Labels: sent and read, then the reverse change sent and read.
// biome-ignore format: a table
const DEPENDENCIES: readonly SchemaRow[] = [
  ['a dependency of a property that is never there', object('properties: {a: false}'), object('properties: {a: false}, dependentRequired: {a: [b]}'), 'CC CC', 'No object has a.'],
  ['a dependency on itself', object('minProperties: 1'), object('minProperties: 1, dependentRequired: {a: [a]}'), 'CC CC', 'a is there if a is.'],
  ['a dependency without its end', object('dependentRequired: {a: [b], b: [c]}'), object('dependentRequired: {a: [c], b: [c]}'), 'CB BC', '{a, c} is valid after only.'],
  ['a bound that depends on a name', open('a: {type: string}, n: {type: integer}'), open('a: {type: string}, n: {type: integer}', ', dependentSchemas: {a: {properties: {n: {minimum: 1}}}}'), 'BC CB', '{a, n: 0} is valid before only.'],
  ['a bound that depends on a name, raised', open('a: {type: string}, n: {type: integer}', ', dependentSchemas: {a: {properties: {n: {minimum: 1}}}}'), open('a: {type: string}, n: {type: integer}', ', dependentSchemas: {a: {properties: {n: {minimum: 2}}}}'), 'BC CB', '{a, n: 1} is valid before only.'],
  ['a bound that no longer depends', open('a: {type: string}, n: {type: integer, minimum: 1}', ', dependentSchemas: {a: {properties: {n: {minimum: 1}}}}'), open('a: {type: string}, n: {type: integer, minimum: 1}'), 'CC CC', 'The bound is there in both.'],
  ['a name excluded beside another', open('a: {type: string}, b: {type: string}'), open('a: {type: string}, b: {type: string}', ', dependentSchemas: {a: {properties: {b: false}}}'), 'BC CB', '{a, b} is valid before only.'],
  ['an exclusion as not', open('a: {type: string}, b: {type: string}', ', dependentSchemas: {a: {not: {required: [b]}}}'), open('a: {type: string}, b: {type: string}', ', not: {required: [a, b]}'), 'CC CC', 'The same objects.'],
  ['a dependency of no names', object('minProperties: 1'), object('minProperties: 1, dependentRequired: {a: []}'), 'CC CC', 'It asks for nothing.'],
];

const withComponents = (text: string, schemas: string) =>
  `${text}\ncomponents: {schemas: {${schemas}}}`;
const NODE = (rest: string, more = '') =>
  `Node: {$dynamicAnchor: node, type: object, properties: {${rest}next: {$dynamicRef: '#node'}}${more}}`;
const STATIC = (rest: string, more = '') =>
  `Node: {type: object, properties: {${rest}next: {$ref: '#/components/schemas/Node'}}${more}}`;
const PAGE = (item: string) =>
  `Page: {$id: page, type: object, properties: {items: {type: array, items: {$dynamicRef: '#item'}}}, $defs: {any: {$dynamicAnchor: item}}}, Toys: {$id: toys, $ref: page, $defs: {toy: {$dynamicAnchor: item, ${item}}}}`;

// biome-ignore format: a table
const DYNAMIC: readonly ContractRow[] = [
  ['a dynamic reference as a reference to read', withComponents(read(json(ref('Node'))), NODE('')), withComponents(read(json(ref('Node'))), STATIC('')), 'CC', 'Nothing overrides the anchor.'],
  ['a dynamic reference as a reference to send', withComponents(sent(json(ref('Node'))), NODE('')), withComponents(sent(json(ref('Node'))), STATIC('')), 'CC', 'Nothing overrides the anchor.'],
  ['a bound below a dynamic reference to send', withComponents(sent(json(ref('Node'))), NODE('v: {type: integer}, ')), withComponents(sent(json(ref('Node'))), NODE('v: {type: integer, minimum: 1}, ')), 'BC', '0 is refused.'],
  ['a bound below a dynamic reference to read', withComponents(read(json(ref('Node'))), NODE('v: {type: integer}, ')), withComponents(read(json(ref('Node'))), NODE('v: {type: integer, minimum: 1}, ')), 'CB', '0 may come in the reverse.'],
  ['a required property below a dynamic reference', withComponents(sent(json(ref('Node'))), NODE('v: {type: integer}, ')), withComponents(sent(json(ref('Node'))), NODE('v: {type: integer}, ', ', required: [v]')), 'BC', 'Objects without v are refused.'],
  ['a property below a dynamic reference removed', withComponents(read(json(ref('Node'))), NODE('v: {type: integer}, ')), withComponents(read(json(ref('Node'))), NODE('')), 'BC', 'Clients read v.'],
  ['the items of a generic page, sent', withComponents(sent(json(ref('Toys'))), PAGE('type: string')), withComponents(sent(json(ref('Toys'))), PAGE('type: integer')), 'BB', 'The items have the other type.'],
  ['a bound of the items of a generic page, read', withComponents(read(json(ref('Toys'))), PAGE('type: string')), withComponents(read(json(ref('Toys'))), PAGE('type: string, maxLength: 3')), 'CB', 'Longer items may come in the reverse.'],
  ['a description of the items of a generic page', withComponents(read(json(ref('Toys'))), PAGE('type: string')), withComponents(read(json(ref('Toys'))), PAGE('type: string, description: A toy')), 'CC', 'Documentation.'],
];

const SEQUENCE = (schema: string, type = 'application/jsonl') =>
  at32(read(`${type}: {itemSchema: ${schema}}`));
const SENT_SEQUENCE = (schema: string, rest = '') =>
  at32(sent(`application/jsonl: {itemSchema: ${schema}}`, rest));
const EVENT_OF = (data: string, more = '') =>
  SEQUENCE(
    `{type: object, properties: {data: ${data}${more}}, required: [data]}`,
    'text/event-stream',
  );

// biome-ignore format: a table
const SEQUENCES: readonly ContractRow[] = [
  ['items of a sequence with one property less', SEQUENCE(TOY), SEQUENCE(TOY.replace(', tag: {type: string}', '')), 'BC', 'Clients read tag.'],
  ['items of a sequence with a bound', SEQUENCE('{type: integer}'), SEQUENCE('{type: integer, minimum: 0}'), 'CB', '-1 may come in the reverse.'],
  ['items of a sent sequence with a bound', SENT_SEQUENCE('{type: integer}'), SENT_SEQUENCE('{type: integer, minimum: 0}'), 'BC', '-1 is refused.'],
  ['items of a sent sequence with a required property', SENT_SEQUENCE(TOY), SENT_SEQUENCE(TOY.replace('[id]', '[id, tag]')), 'BC', 'Items without tag are refused.'],
  ['a sequence in another media type', SEQUENCE(TOY), SEQUENCE(TOY, 'text/event-stream'), 'BB', 'Clients read the other media type.'],
  ['a sequence beside an array', SEQUENCE(TOY), at32(read(`application/jsonl: {itemSchema: ${TOY}}, application/json: {schema: {type: array, items: ${TOY}}}`)), 'RB', 'A new media type; in the reverse it is gone.'],
  ['a sequence as its whole', SEQUENCE(TOY), at32(read(`application/jsonl: {schema: {type: array, items: ${TOY}}}`)), 'CC', 'schema describes the sequence as an array.'],
  ['data of an event as another type', EVENT_OF('{type: string}'), EVENT_OF('{type: string, pattern: "^[0-9]+$"}'), 'CB', 'Other text may come in the reverse.'],
  ['the name of an event', EVENT_OF('{type: string}'), EVENT_OF('{type: string}', ', event: {type: string}'), 'CB', 'Clients ignore it; in the reverse they read it.'],
  ['a further name of an event', EVENT_OF('{type: string}', ', event: {enum: [a]}'), EVENT_OF('{type: string}', ', event: {enum: [a, b]}'), 'BC', 'Clients do not expect b.'],
  ['a description of items', SEQUENCE(TOY), SEQUENCE(TOY.replace('{type: object', '{description: A toy, type: object')), 'CC', 'Documentation.'],
  ['the items of a sequence as a component', SEQUENCE(TOY), `${SEQUENCE(ref('Toy'))}components: {schemas: {Toy: ${TOY}}}`, 'CR', 'The same items; SDKs lose a type in the reverse.'],
];

const HEADER = (schema: string, rest = '') =>
  response(`"200": {description: a, headers: {X-Left: {schema: ${schema}${rest}}}}`);
const PLAIN = response('"200": {description: a}');

// biome-ignore format: a table
const HEADERS: readonly ContractRow[] = [
  ['a required header of a response', PLAIN, HEADER('{type: integer}', REQUIRED), 'CB', 'Clients ignore it; in the reverse they read it.'],
  ['a header of a response that may be missing', HEADER('{type: integer}', REQUIRED), HEADER('{type: integer}'), 'BC', 'Clients read it.'],
  ['a header of a response with lower values', HEADER('{type: integer, minimum: 1}'), HEADER('{type: integer, minimum: 0}'), 'BC', 'Clients do not expect 0.'],
  ['a number in a header of a response as text', HEADER('{type: integer}'), HEADER('{type: string}'), 'BC', 'Clients parse a number; digits are text.'],
  ['a header of a response in other capitals', HEADER('{type: integer}'), HEADER('{type: integer}').replace('X-Left', 'x-left'), 'CC', 'Names of headers are case-insensitive.'],
  ['a header of a response with JSON', HEADER('{type: string}'), response(`"200": {description: a, headers: {X-Left: {content: {${json('{type: string}')}}}}}`), 'B-', 'The text has quotes now.'],
  ['a header of a response as a component', HEADER('{type: integer}'), `${response(`"200": {description: a, headers: {X-Left: {$ref: '#/components/headers/Left'}}}`)}\ncomponents: {headers: {Left: {schema: {type: integer}}}}`, 'CC', 'The same header.'],
  ['a value of a header of a response', HEADER('{enum: [a]}'), HEADER('{enum: [a, b]}'), 'BC', 'Clients do not expect b.'],
  ['words in a header of a response', HEADER(WORDS), HEADER(WORDS, ', explode: false'), 'CC', 'The default.'],
  ['a deprecated header of a response', HEADER('{type: integer}'), HEADER('{type: integer}', ', deprecated: true'), 'CC', 'Documentation.'],
  ['a header of an error that is gone', response('"200": {description: a}, "429": {description: b, headers: {Retry-After: {schema: {type: integer}}}}'), response('"200": {description: a}, "429": {description: b}'), 'BC', 'Clients read Retry-After.'],
];

// biome-ignore format: a table
const ROLES: readonly SchemaRow[] = [
  ['a writeOnly property with a bound', open('pin: {type: string, writeOnly: true}'), open('pin: {type: string, writeOnly: true, minLength: 4}'), 'BC CC', 'Only requests have it.'],
  ['a readOnly property with a further value', open('s: {enum: [a], readOnly: true}'), open('s: {enum: [a, b], readOnly: true}'), 'CB CC', 'Only responses have it.'],
  ['a required writeOnly property more', object('properties: {}'), open('pin: {type: string, writeOnly: true}', ', required: [pin]'), 'BC RC', 'Requests lack it; in the reverse it is ignored.'],
  ['a readOnly property removed', open('id: {type: string, readOnly: true}'), object('properties: {}'), 'CB CC', 'Only responses have it.'],
];

export const NINTH_PAIRS = blindSet(
  'ninth',
  [...DEPENDENCIES, ...ROLES],
  [...LINKS, ...CALLBACKS, ...COOKIES, ...CONTENTS, ...DYNAMIC, ...SEQUENCES, ...HEADERS],
);
