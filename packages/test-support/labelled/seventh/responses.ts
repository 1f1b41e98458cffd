// Seventh blind set: statuses, headers and bodies of responses, errors, webhooks, callbacks. Written without the code of the diff.
import { type ContractRow, contractOf } from '../pair.ts';
import { REQUIRED } from '../texts.ts';

const get = (responses: string, rest = '') =>
  `paths: {/orders: {get: {operationId: listOrders, ${rest}responses: {${responses}}}}}`;
const json = (schema: string, type = 'application/json') =>
  `content: {${type}: {schema: ${schema}}}`;
const status = (code: string, rest = '') => `"${code}": {description: a${rest && `, ${rest}`}}`;
const fallback = (rest: string) => `default: {description: a, ${rest}}`;
const ok = (schema: string) => status('200', json(schema));
const read = (schema: string) => get(ok(schema));
const media = (content: string) => get(status('200', `content: {${content}}`));
const headers = (text: string, code = '200') => get(status(code, `headers: {${text}}`));

const ORDER = '{type: object, properties: {id: {type: integer}}, required: [id]}';
const ERROR = '{type: object, properties: {title: {type: string}}, required: [title]}';
const DETAIL =
  '{type: object, properties: {title: {type: string}, detail: {type: string}}, required: [title]}';
const OTHER_ERROR = '{type: object, properties: {message: {type: string}}, required: [message]}';
const OK = ok(ORDER);
const header = (name: string, schema: string, rest = '') => `${name}: {schema: ${schema}${rest}}`;

// Labels are those of the change and of its reverse.
// biome-ignore format: a table
const STATUSES: readonly ContractRow[] = [
  ['an error that the default has', get(`${OK}, ${fallback(json(ERROR))}`), get(`${OK}, ${status('404', json(ERROR))}, ${fallback(json(ERROR))}`), 'CC', 'The default declared it.'],
  ['an error that the default has, with a further member', get(`${OK}, ${fallback(json(ERROR))}`), get(`${OK}, ${status('404', json(DETAIL))}, ${fallback(json(ERROR))}`), 'C-', 'title is still there.'],
  ['an error that differs from the default', get(`${OK}, ${fallback(json(ERROR))}`), get(`${OK}, ${status('404', json(OTHER_ERROR))}, ${fallback(json(ERROR))}`), 'BB', 'title is gone; in the reverse message is.'],
  ['the default in place of an error', get(`${OK}, ${status('404', json(ERROR))}`), get(`${OK}, ${fallback(json(ERROR))}`), 'RC', 'Other errors may come; in the reverse fewer.'],
  ['an error of a range', get(`${OK}, ${status('4XX', json(ERROR))}`), get(`${OK}, ${status('4XX', json(ERROR))}, ${status('422', json(ERROR))}`), 'CC', 'The range declared it.'],
  ['a range in place of the default', get(`${OK}, ${fallback(json(ERROR))}`), get(`${OK}, ${status('4XX', json(ERROR))}, ${status('5XX', json(ERROR))}`), 'C-', 'The default declared both.'],
  ['an error under another status', get(`${OK}, ${status('404', json(ERROR))}`), get(`${OK}, ${status('410', json(ERROR))}`), 'RR', 'A status that the contract did not declare.'],
  ['server errors removed', get(`${OK}, ${status('500')}, ${status('503')}`), get(OK), 'CR', 'The responses stay declared; in the reverse they are new.'],
  ['created instead of no content', get(status('204')), get(status('201')), 'BB', 'Clients wait for 204.'],
  ['accepted beside created', get(`${status('201', json(ORDER))}`), get(`${status('201', json(ORDER))}, ${status('202')}`), 'RB', 'A new status; in the reverse clients wait for it.'],
  ['success of a range as one status', get(status('2XX', json(ORDER))), get(status('200', json(ORDER))), 'C-', 'The range declared it.'],
  ['a permanent redirect with another status', get(`${OK}, ${status('301')}`), get(`${OK}, ${status('308')}`), 'RR', 'A redirect is gone, another comes.'],
  ['not modified', get(OK), get(`${OK}, ${status('304')}`), 'RR', 'A new status; a redirect that is gone.'],
  ['a default beside a range', get(`${OK}, ${status('4XX', json(ERROR))}`), get(`${OK}, ${status('4XX', json(ERROR))}, ${fallback(json(ERROR))}`), 'RC', 'Statuses besides 4XX may come.'],
  ['a member of an error removed', get(`${OK}, ${status('400', json(DETAIL))}`), get(`${OK}, ${status('400', json(ERROR))}`), 'BC', 'Clients show detail.'],
  ['a code of an error added', get(`${OK}, ${status('400', json('{type: object, properties: {code: {type: string, enum: [a]}}}'))}`), get(`${OK}, ${status('400', json('{type: object, properties: {code: {type: string, enum: [a, b]}}}'))}`), 'BC', 'Clients do not know b.'],
  ['errors as problem details', get(`${OK}, ${status('400', json(ERROR))}`), get(`${OK}, ${status('400', json(ERROR, 'application/problem+json'))}`), 'BB', 'Another media type.'],
  ['description of a status', get(OK), get(OK.replace('description: a', 'description: b')), 'CC', 'Documentation.'],
  ['responses behind references', get(`${OK}, ${status('404', json(ERROR))}`), `${get(`${OK}, "404": {$ref: '#/components/responses/NotFound'}`)}\ncomponents: {responses: {NotFound: {description: a, ${json(ERROR)}}}}`, 'CC', 'The same response.'],
];

// biome-ignore format: a table
const HEADERS: readonly ContractRow[] = [
  ['a header in other capitals', headers(header('X-Total', '{type: integer}')), headers(header('x-total', '{type: integer}')), 'CC', 'Header names are case-insensitive.'],
  ['an integer in a header as text', headers(header('X-Total', '{type: integer}')), headers(header('X-Total', '{type: string}')), 'BC', 'Clients parse an integer.'],
  ['a response header that OpenAPI ignores', headers(header('Content-Type', '{type: string}')), headers(header('X-A', '{type: string}')), 'CB', 'Headers named Content-Type are ignored; X-A is gone in the reverse.'],
  ['a header that is always sent', headers(header('ETag', '{type: string}')), headers(header('ETag', '{type: string}', REQUIRED)), 'CB', 'Clients of the reverse read it always.'],
  ['the header of another status removed', get(`${OK}, ${status('429', 'headers: {Retry-After: {schema: {type: integer}}}')}`), get(`${OK}, ${status('429')}`), 'BC', 'Clients wait for its seconds.'],
  ['the style of a header written out', headers(header('X-Ids', '{type: array, items: {type: integer}}')), headers(header('X-Ids', '{type: array, items: {type: integer}}', ', style: simple, explode: false')), 'CC', 'The defaults.'],
  ['explode of a list in a header', headers(header('X-Ids', '{type: array, items: {type: integer}}')), headers(header('X-Ids', '{type: array, items: {type: integer}}', ', explode: true')), 'CC', '1,2 in both.'],
  ['explode of an object in a header', headers(header('X-Range', '{type: object, properties: {a: {type: integer}}}')), headers(header('X-Range', '{type: object, properties: {a: {type: integer}}}', ', explode: true')), 'BB', 'a,1 or a=1.'],
  ['an integer in a header as JSON', headers(header('X-Total', '{type: integer}')), headers('X-Total: {content: {application/json: {schema: {type: integer}}}}'), 'CC', '5 in both.'],
  ['headers behind references', headers(header('X-Total', '{type: integer}')), `${headers("X-Total: {$ref: '#/components/headers/Total'}")}\ncomponents: {headers: {Total: {schema: {type: integer}}}}`, 'CC', 'The same header.'],
  ['headers behind references, optional again', headers(header('X-Total', '{type: integer}', REQUIRED)), `${headers("X-Total: {$ref: '#/components/headers/Total'}")}\ncomponents: {headers: {Total: {schema: {type: integer}}}}`, 'BC', 'Clients read it always.'],
  ['a bound of a header dropped', headers(header('X-Left', '{type: integer, minimum: 0, maximum: 9}')), headers(header('X-Left', '{type: integer, minimum: 0}')), 'BC', '10 comes.'],
  ['a deprecated header', headers(header('X-Total', '{type: integer}')), headers(header('X-Total', '{type: integer}', ', deprecated: true')), 'CC', 'An announcement.'],
];

const PAGE = (item: string) =>
  `{type: object, properties: {data: {type: array, items: ${item}}, next: {type: [string, 'null']}}, required: [data]}`;
const retired = (date: string) =>
  `{type: object, properties: {id: {type: integer}, old: {type: string, deprecated: true, x-sunset: ${date}}}}`;
const LINE = (more: string) =>
  `{type: object, properties: {sku: {type: string}, state: {type: string, enum: [open, sent]}${more}}, required: [sku]}`;

// biome-ignore format: a table
const BODIES: readonly ContractRow[] = [
  ['a page whose items have a further property', read(PAGE(LINE(''))), read(PAGE(LINE(', note: {type: string}'))), 'CB', 'Clients ignore it; in the reverse they read it.'],
  ['a page with a required cursor', read(PAGE(ORDER)), read(PAGE(ORDER).replace('[data]', '[data, next]')), 'CB', 'It is always there; in the reverse it may lack.'],
  ['an array as a page', read(`{type: array, items: ${ORDER}}`), read(PAGE(ORDER)), 'BB', 'An object is no array.'],
  ['an id as text or integer', read(ORDER), read(ORDER.replace('integer', '[integer, string]')), 'BC', 'Text may come.'],
  ['a property removed after its sunset, read', read(retired("'2001-01-31'")), read('{type: object, properties: {id: {type: integer}}}'), 'C-', 'The removal was announced.'],
  ['a property removed before its sunset, read', read(retired("'2999-01-31'")), read('{type: object, properties: {id: {type: integer}}}'), 'B-', 'The removal is announced for later.'],
  ['CSV beside JSON', media(`application/json: {schema: ${ORDER}}`), media(`application/json: {schema: ${ORDER}}, text/csv: {}`), 'RB', 'Clients that accept anything may get it; in the reverse it is gone.'],
  ['JSON with its charset', media(`application/json: {schema: ${ORDER}}`), media(`application/json; charset=utf-8: {schema: ${ORDER}}`), 'CC', 'JSON is UTF-8.'],
  ['plain text in Latin-1', media('text/plain: {schema: {type: string}}'), media('text/plain; charset=iso-8859-1: {schema: {type: string}}'), 'BB', 'Clients decode UTF-8.'],
  ['JSON in capitals', media(`application/json: {schema: ${ORDER}}`), media(`application/JSON: {schema: ${ORDER}}`), 'CC', 'Media types are case-insensitive.'],
  ['any media type as JSON', media(`'*/*': {schema: ${ORDER}}`), media(`application/json: {schema: ${ORDER}}`), 'CR', 'The range declared it; in the reverse further types may come.'],
  ['an image of one type', media('image/*: {}'), media('image/png: {}'), 'CR', 'The range declared it; in the reverse further types may come.'],
  ['examples of a response', get(status('200', `content: {application/json: {schema: ${ORDER}, example: {id: 1}}}`)), get(status('200', `content: {application/json: {schema: ${ORDER}, examples: {a: {value: {id: 2}}}}}`)), 'CC', 'Documentation.'],
  ['an integer of XML as text', media('application/xml: {schema: {type: object, xml: {name: order}, properties: {n: {type: integer}}}}'), media('application/xml: {schema: {type: object, xml: {name: order}, properties: {n: {type: string}}}}'), 'BC', 'Clients parse an integer.'],
  ['events with a further type', contractOf(media("text/event-stream: {itemSchema: {type: object, properties: {event: {type: string, enum: [a]}, data: {type: string}}, required: [event, data]}}"), '3.2.0'), contractOf(media("text/event-stream: {itemSchema: {type: object, properties: {event: {type: string, enum: [a, b]}, data: {type: string}}, required: [event, data]}}"), '3.2.0'), 'BC', 'Clients do not know b.'],
  ['events of 3.1 in 3.2', contractOf(media('text/event-stream: {x-item-schema: {type: object, properties: {data: {type: string}}}}')), contractOf(media('text/event-stream: {itemSchema: {type: object, properties: {data: {type: string}}}}'), '3.2.0'), 'CC', 'The same events.'],
  ['a nullable order of 3.0 in 3.1', contractOf(read('{type: object, nullable: true, properties: {note: {type: string, nullable: true}}}'), '3.0.3'), contractOf(read("{type: [object, 'null'], properties: {note: {type: ['null', string]}}}")), 'CC', 'The same orders.'],
  ['a note that may be null from 3.0 to 3.1', contractOf(read('{type: object, properties: {note: {type: string}}}'), '3.0.3'), contractOf(read("{type: object, properties: {note: {type: [string, 'null']}}}")), 'BC', 'null comes.'],
];

const hook = (schema: string, rest = '', responses = status('204'), method = 'post') =>
  `paths: {}\nwebhooks: {orderSent: {${method}: {${rest}requestBody: {required: true, content: {application/json: {schema: ${schema}}}}, responses: {${responses}}}}}`;
const sign = (rest: string) =>
  `parameters: [{name: X-Signature, in: header, schema: {type: string}${rest}}], `;
const types = (...names: readonly string[]) =>
  `paths: {}\nwebhooks: {orderSent: {post: {requestBody: {required: true, content: {${names.map((each) => `${each}: {schema: ${ORDER}}`).join(', ')}}}, responses: {${status('204')}}}}}`;
const callbacks = (text: string) =>
  `paths: {/orders: {post: {operationId: addOrder, requestBody: {content: {application/json: {schema: {type: object, properties: {url: {type: string}}, required: [url]}}}}, callbacks: {${text}}, responses: {${status('201')}}}}}`;
const call = (schema: string, responses = status('204'), rest = '') =>
  `'{$request.body#/url}': {post: {${rest}requestBody: {content: {application/json: {schema: ${schema}}}}, responses: {${responses}}}}`;
const ACK = '{type: object, properties: {seen: {type: boolean}}}';

// biome-ignore format: a table
const OUTGOING: readonly ContractRow[] = [
  ['a webhook with a further state', hook(LINE('')), hook(LINE('').replace('sent', 'sent, lost')), 'BC', 'Receivers do not know lost.'],
  ['a webhook with a required property', hook('{type: object, properties: {id: {type: integer}}}'), hook(ORDER), 'CB', 'The service sends it always.'],
  ['a webhook with a shorter text', hook('{type: object, properties: {note: {type: string, maxLength: 9}}}'), hook('{type: object, properties: {note: {type: string, maxLength: 5}}}'), 'CB', 'Receivers of the reverse get nine characters.'],
  ['a webhook with a signature', hook(ORDER), hook(ORDER, sign(REQUIRED)), 'CB', 'Receivers may ignore it; in the reverse they verify it.'],
  ['a webhook whose signature may lack', hook(ORDER, sign(REQUIRED)), hook(ORDER, sign('')), 'BC', 'Receivers verify it.'],
  ['a webhook with a further status to answer', hook(ORDER), hook(ORDER, '', `${status('204')}, ${status('202')}`), 'CB', 'Receivers answer 204; in the reverse 202 is refused.'],
  ['a webhook whose answer has a body', hook(ORDER, '', status('200', json(ACK))), hook(ORDER, '', status('200', json(ACK.replace('}}', '}}, required: [seen]')))), 'BC', 'Receivers answer without seen.'],
  ['a webhook in XML too', types('application/json'), types('application/json', 'application/xml'), 'RB', 'Receivers may get XML; in the reverse it is gone.'],
  ['a webhook by another method', hook(ORDER), hook(ORDER, '', status('204'), 'put'), 'BB', 'Receivers listen to POST.'],
  ['a webhook by its reference', hook(ORDER), `${hook(`{$ref: '#/components/schemas/Order'}`)}\ncomponents: {schemas: {Order: ${ORDER}}}`, 'CR', 'The same body; in the reverse SDKs lose a type.'],
  ['a second webhook', hook(ORDER), hook(ORDER).replace('webhooks: {', `webhooks: {orderLost: {post: {responses: {${status('204')}}}}, `), 'CB', 'It is gone in the reverse.'],
  ['documentation of a webhook', hook(ORDER, 'summary: a, '), hook(ORDER, 'summary: b, description: c, '), 'CC', 'Documentation.'],
  ['a callback with a further property', callbacks(`sent: {${call(ORDER)}}`), callbacks(`sent: {${call(ORDER.replace('}}, ', '}, at: {type: string}}, '))}}`), 'CB', 'Receivers ignore it; in the reverse they read it.'],
  ['a callback with a wider id', callbacks(`sent: {${call('{type: object, properties: {id: {type: integer, maximum: 9}}}')}}`), callbacks(`sent: {${call('{type: object, properties: {id: {type: integer}}}')}}`), 'BC', '10 comes.'],
  ['a callback that needs an answer', callbacks(`sent: {${call(ORDER, status('200', json(ACK)))}}`), callbacks(`sent: {${call(ORDER, status('200', json(ACK.replace('boolean', 'boolean, const: true'))))}}`), 'BC', 'false is refused.'],
  ['a callback with a header', callbacks(`sent: {${call(ORDER)}}`), callbacks(`sent: {${call(ORDER, status('204'), sign(''))}}`), 'CB', 'Receivers ignore it; in the reverse they read it.'],
  ['a second callback', callbacks(`sent: {${call(ORDER)}}`), callbacks(`sent: {${call(ORDER)}}, lost: {${call(ORDER)}}`), 'CB', 'It is gone in the reverse.'],
];

export const SEVENTH_RESPONSE_ROWS: readonly ContractRow[] = [
  ...STATUSES,
  ...HEADERS,
  ...BODIES,
  ...OUTGOING,
];
