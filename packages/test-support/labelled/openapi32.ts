// Labelled changes of sequences, in every version of OpenAPI, and of what OpenAPI 3.2 adds.
import { type ContractRow, contractOf } from './pair.ts';

const NONE = 'responses: {"204": {description: none}}';
const of32 = (parts: string) => contractOf(parts, '3.2.0');
const media = (type: string, content: string) => `content: {${type}: {${content}}}`;
const read = (version: string, type: string, content: string) =>
  contractOf(
    `paths: {/toys: {get: {operationId: getToys, responses: {"200": {description: a, ${media(type, content)}}}}}}`,
    version,
  );
const sent = (version: string, type: string, content: string) =>
  contractOf(
    `paths: {/toys: {post: {operationId: postToys, requestBody: {${media(type, content)}}, ${NONE}}}}`,
    version,
  );
const JSONL = 'application/jsonl';
const SSE = 'text/event-stream';
/** The data of an event is the JSON of a value. */
const event = (schema: string, rest = '') =>
  `itemSchema: {type: object, required: [data], properties: {data: {type: string, contentMediaType: application/json, contentSchema: ${schema}}${rest}}}`;
const kinds = (...names: string[]) =>
  `itemSchema: {type: object, properties: {event: {type: string}, data: {type: string}}, oneOf: [${names.map((name) => `{properties: {event: {const: ${name}}}}`).join(', ')}]}`;
const get = (operation: string) =>
  of32(`paths: {/toys: {get: {operationId: getToys, ${operation}, ${NONE}}}}`);
const parameter = (rest: string) => get(`parameters: [{${rest}}]`);
const inPath = (rest: string, version = '3.2.0') =>
  contractOf(
    `paths: {"/toys/{a}": {get: {operationId: getToy, parameters: [{name: a, in: path, required: true, schema: {type: string}${rest}}], ${NONE}}}}`,
    version,
  );
const whole = (schema: string, type = 'application/x-www-form-urlencoded') =>
  parameter(`name: q, in: querystring, content: {${type}: {schema: ${schema}}}`);
const scheme = (flows: string, rest = '') =>
  `${get('security: [{login: []}]')}components: {securitySchemes: {login: {type: oauth2, flows: {${flows}}${rest}}}}`;
const device = (url: string) =>
  `deviceAuthorization: {deviceAuthorizationUrl: https://a.example/${url}, tokenUrl: https://a.example/token, scopes: {}}`;
const shared = (schema: string) =>
  `${of32(`paths: {/toys: {get: {operationId: getToys, responses: {"200": {description: a, content: {application/json: {$ref: "#/components/mediaTypes/Toy"}}}}}}}`)}components: {mediaTypes: {Toy: {schema: ${schema}}}}`;
const xml = (property: string) =>
  read(
    '3.2.0',
    'application/xml',
    `schema: {type: object, xml: {name: toy}, properties: {a: ${property}}}`,
  );
const operations = (list: string) =>
  of32(`paths: {/toys: {get: {operationId: getToys, ${NONE}}, additionalOperations: {${list}}}}`);
const head = (rest: string) =>
  of32(`${rest}\npaths: {/toys: {get: {operationId: getToys, ${NONE}}}}`);
const selected = (rest: string) =>
  `${read('3.2.0', 'application/json', 'schema: {$ref: "#/components/schemas/Pet"}')}components: {schemas: {Pet: {oneOf: [{$ref: "#/components/schemas/Cat"}, {$ref: "#/components/schemas/Dog"}], discriminator: {propertyName: kind${rest}}}, Cat: {type: object, required: [lives], properties: {kind: {type: string}, lives: {type: integer}}}, Dog: {type: object, required: [tricks], properties: {kind: {type: string}, tricks: {type: integer}}}}}`;

// biome-ignore format: a table
export const OPENAPI_32_ROWS: readonly ContractRow[] = [
  ['x-item-schema of 3.1 gains a bound', read('3.1.0', JSONL, 'x-item-schema: {type: integer}'), read('3.1.0', JSONL, 'x-item-schema: {type: integer, maximum: 9}'), 'CB', 'Clients get fewer values.'],
  ['x-item-schema of 3.0 gains a bound', read('3.0.3', JSONL, 'x-item-schema: {type: integer}'), read('3.0.3', JSONL, 'x-item-schema: {type: integer, maximum: 9}'), 'CB', 'Clients get fewer values.'],
  ['sent x-item-schema gains a bound', sent('3.1.0', JSONL, 'x-item-schema: {type: integer}'), sent('3.1.0', JSONL, 'x-item-schema: {type: integer, maximum: 9}'), 'BC', '10 is refused.'],
  ['x-item-schema changes its type', read('3.0.3', 'application/x-ndjson', 'x-item-schema: {type: integer}'), read('3.0.3', 'application/x-ndjson', 'x-item-schema: {type: string}'), 'BB', 'Clients get another type.'],
  ['x-item-schema becomes itemSchema', read('3.1.0', JSONL, 'x-item-schema: {type: integer}'), read('3.2.0', JSONL, 'itemSchema: {type: integer}'), 'CC', 'The same items.'],
  ['array schema becomes itemSchema', read('3.1.0', JSONL, 'schema: {type: array, items: {type: integer}}'), read('3.2.0', JSONL, 'itemSchema: {type: integer}'), 'CC', 'The same items.'],
  ['array schema becomes a narrower itemSchema', sent('3.1.0', JSONL, 'schema: {type: array, items: {type: integer}}'), sent('3.2.0', JSONL, 'itemSchema: {type: integer, minimum: 1}'), 'BC', '0 is refused.'],
  ['items of an array schema gain a bound', read('3.1.0', JSONL, 'schema: {type: array, items: {type: integer}}'), read('3.1.0', JSONL, 'schema: {type: array, items: {type: integer, maximum: 9}}'), 'CB', 'Clients get fewer values.'],
  ['itemSchema behind a reference', `${read('3.2.0', JSONL, 'itemSchema: {$ref: "#/components/schemas/A"}')}components: {schemas: {A: {type: object, required: [a], properties: {a: {type: string}}}}}`, `${read('3.2.0', JSONL, 'itemSchema: {$ref: "#/components/schemas/A"}')}components: {schemas: {A: {type: object, properties: {a: {type: string}}}}}`, 'BC', 'Clients may get an item without a.'],
  ['item of a JSON text sequence', sent('3.2.0', 'application/json-seq', 'itemSchema: {type: string}'), sent('3.2.0', 'application/json-seq', 'itemSchema: {type: string, maxLength: 4}'), 'BC', 'A longer string is refused.'],
  ['data of an event gains a bound', read('3.2.0', SSE, event('{type: integer}')), read('3.2.0', SSE, event('{type: integer, maximum: 9}')), 'CB', 'Clients get fewer values.'],
  ['data of an event loses a required property', read('3.2.0', SSE, event('{type: object, required: [a], properties: {a: {type: string}}}')), read('3.2.0', SSE, event('{type: object, properties: {a: {type: string}}}')), 'BC', 'Clients may get data without a.'],
  ['data of an event of 3.1 changes its type', read('3.1.0', SSE, event('{type: integer}').replace('itemSchema', 'x-item-schema')), read('3.1.0', SSE, event('{type: string}').replace('itemSchema', 'x-item-schema')), 'BB', 'Clients get another type.'],
  ['data of an event becomes JSON', read('3.2.0', SSE, 'itemSchema: {type: object, required: [data], properties: {data: {type: string}}}'), read('3.2.0', SSE, event('{type: integer}')), 'BB', 'Generated clients return a value in place of the text.'],
  ['another event in a stream', read('3.2.0', SSE, kinds('word')), read('3.2.0', SSE, kinds('word', 'done')), 'BC', 'Clients get an event that they do not expect.'],
  ['id of an event becomes required', read('3.2.0', SSE, 'itemSchema: {type: object, properties: {id: {type: string}}}'), read('3.2.0', SSE, 'itemSchema: {type: object, required: [id], properties: {id: {type: string}}}'), 'CB', 'Clients get fewer values.'],
  ['stream becomes an array', read('3.2.0', JSONL, 'itemSchema: {type: integer}'), read('3.2.0', 'application/json', 'schema: {type: array, items: {type: integer}}'), 'BB', 'Another media type.'],
  ['itemSchema removed', read('3.2.0', JSONL, 'itemSchema: {type: integer}'), read('3.2.0', JSONL, ''), 'BC', 'Any value is allowed.'],
  ['title of an item', read('3.2.0', SSE, event('{type: integer}')), read('3.2.0', SSE, event('{type: integer, title: A}')), 'CC', 'Only documentation.'],
  ['property of a querystring becomes required', whole('{type: object, properties: {a: {type: string}}}'), whole('{type: object, required: [a], properties: {a: {type: string}}}'), 'BC', 'A query without a is refused.'],
  ['querystring of JSON gains a bound', whole('{type: integer}', 'application/json'), whole('{type: integer, maximum: 9}', 'application/json'), 'BC', '10 is refused.'],
  ['querystring becomes JSON', whole('{type: object}'), whole('{type: object}', 'application/json'), 'BB', 'Another text.'],
  ['deviceAuthorizationUrl changed', scheme(device('one')), scheme(device('two')), 'BB', 'Clients request a device code at the older URL.'],
  ['device flow added', scheme('clientCredentials: {tokenUrl: https://a.example/token, scopes: {}}'), scheme(`clientCredentials: {tokenUrl: https://a.example/token, scopes: {}}, ${device('one')}`), 'CB', 'In the reverse, clients use a flow that is gone.'],
  ['oauth2MetadataUrl added', scheme(device('one')), scheme(device('one'), ', oauth2MetadataUrl: https://a.example/meta'), 'CC', 'The flows of the contract stay.'],
  ['defaultMapping set', selected(', mapping: {cat: "#/components/schemas/Cat"}'), selected(', mapping: {cat: "#/components/schemas/Cat"}, defaultMapping: Dog'), 'RR', 'SDKs select another schema; the values are the same.'],
  ['shared media type gains a bound', shared('{type: integer}'), shared('{type: integer, maximum: 9}'), 'CB', 'Clients get fewer values.'],
  ['media type moves to components', read('3.2.0', 'application/json', 'schema: {type: integer}'), shared('{type: integer}'), 'CC', 'The same values.'],
  ['allowReserved of a path removed', inPath(', allowReserved: true'), inPath(''), 'BC', 'As in a query: an unescaped character may be refused.'],
  ['allowReserved of a path in 3.1', inPath(', allowReserved: true', '3.1.0'), inPath('', '3.1.0'), 'CC', 'It has no effect there.'],
  ['allowReserved of a cookie removed', parameter('name: a, in: cookie, allowReserved: true, schema: {type: string}'), parameter('name: a, in: cookie, schema: {type: string}'), 'BC', 'As in a query.'],
  ['style cookie becomes form', parameter('name: a, in: cookie, style: cookie, schema: {type: string}'), parameter('name: a, in: cookie, style: form, schema: {type: string}'), 'BB', 'The value is percent-encoded.'],
  ['COPY operation added', operations(''), operations(`COPY: {operationId: copyToys, ${NONE}}`), 'CB', 'In the reverse its clients get 405.'],
  ['required property in the body of COPY', operations(`COPY: {operationId: copyToys, requestBody: {${media('application/json', 'schema: {type: object, properties: {a: {type: string}}}')}}, ${NONE}}`), operations(`COPY: {operationId: copyToys, requestBody: {${media('application/json', 'schema: {type: object, required: [a], properties: {a: {type: string}}}')}}, ${NONE}}`), 'BC', 'A body without a is refused.'],
  ['nodeType of a property becomes attribute', xml('{type: string}'), xml('{type: string, xml: {nodeType: attribute}}'), 'BB', 'Clients find an attribute in place of an element.'],
  ['attribute becomes nodeType attribute', xml('{type: string, xml: {attribute: true}}'), xml('{type: string, xml: {nodeType: attribute}}'), 'CC', 'The same XML.'],
  ['text of an element becomes CDATA', xml('{type: string, xml: {nodeType: text}}'), xml('{type: string, xml: {nodeType: cdata}}'), 'CC', 'Parsers return the same text.'],
  ['wrapped becomes nodeType element', xml('{type: array, items: {type: string}, xml: {wrapped: true}}'), xml('{type: array, items: {type: string}, xml: {nodeType: element}}'), 'CC', 'The same XML.'],
  ['array gains a wrapper by nodeType', xml('{type: array, items: {type: string}}'), xml('{type: array, items: {type: string}, xml: {nodeType: element}}'), 'BB', 'Clients find the items in another element.'],
  ['type of a part by position', sent('3.2.0', 'multipart/mixed', `schema: {type: array, prefixItems: [{type: string}]}, prefixEncoding: [{contentType: text/plain}]`), sent('3.2.0', 'multipart/mixed', `schema: {type: array, prefixItems: [{type: string}]}, prefixEncoding: [{contentType: text/html}]`), 'BB', 'Clients send another type.'],
  ['further type of the other parts', sent('3.2.0', 'multipart/mixed', `schema: {type: array, items: {type: string}}, itemEncoding: {contentType: text/plain}`), sent('3.2.0', 'multipart/mixed', `schema: {type: array, items: {type: string}}, itemEncoding: {contentType: 'text/plain, text/html'}`), 'CB', 'Clients may send more.'],
  ['itemEncoding instead of prefixEncoding', sent('3.2.0', 'multipart/mixed', `schema: {type: array, items: {type: string}}, prefixEncoding: [{contentType: text/csv}], itemEncoding: {contentType: text/csv}`), sent('3.2.0', 'multipart/mixed', `schema: {type: array, items: {type: string}}, itemEncoding: {contentType: text/csv}`), 'CC', 'The same parts.'],
  ['$self set', head(''), head('$self: https://a.example/toys.yaml'), 'CC', 'It identifies the document.'],
  ['name of a server', head('servers: [{url: https://a.example}]'), head('servers: [{url: https://a.example, name: production}]'), 'CC', 'Only documentation.'],
  ['parent and kind of a tag', head('tags: [{name: a}, {name: b}]'), head('tags: [{name: a}, {name: b, parent: a, kind: nav}]'), 'CC', 'Only documentation.'],
  ['dataValue of an example', read('3.2.0', 'application/json', 'schema: {type: integer}, examples: {a: {value: 1}}'), read('3.2.0', 'application/json', 'schema: {type: integer}, examples: {a: {dataValue: 1, serializedValue: "1"}}'), 'CC', 'Only documentation.'],
];
