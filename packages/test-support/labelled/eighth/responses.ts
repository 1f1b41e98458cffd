// Eighth blind set: statuses, headers and bodies of responses, webhooks, callbacks. Written without the code of the diff.
import { type ContractRow, contractOf } from '../pair.ts';

const get = (responses: string, rest = '') =>
  `paths: {/charges: {get: {operationId: listCharges, ${rest}responses: {${responses}}}}}`;
const json = (schema: string, type = 'application/json') =>
  `content: {${type}: {schema: ${schema}}}`;
const status = (code: string, rest = '') => `"${code}": {description: a${rest && `, ${rest}`}}`;
const fallback = (schema: string) => `default: {description: a, ${json(schema)}}`;
const read = (schema: string) => get(status('200', json(schema)));
const media = (content: string) => get(status('200', `content: {${content}}`));
const headers = (text: string) => get(status('200', `headers: {${text}}`));
const header = (name: string, schema: string, rest = '') => `${name}: {schema: ${schema}${rest}}`;
const schemas = (text: string) => `components: {schemas: {${text}}}`;
const ref = (name: string) => `{$ref: '#/components/schemas/${name}'}`;
const REQUIRED = ', required: true';

const CHARGE =
  '{type: object, properties: {id: {type: string}, amount: {type: integer}}, required: [id, amount]}';
const ERROR = '{type: object, properties: {message: {type: string}}, required: [message]}';
const CODED =
  '{type: object, properties: {message: {type: string}, code: {type: string}}, required: [message]}';
const OK = status('200', json(CHARGE));

// Labels are those of the change and of its reverse.
// biome-ignore format: a table
const STATUSES: readonly ContractRow[] = [
  ['client errors one by one', get(`${OK}, ${status('4XX', json(ERROR))}`), get(`${OK}, ${status('400', json(ERROR))}, ${status('404', json(ERROR))}, ${status('422', json(ERROR))}`), 'CR', 'The range declared them; in the reverse others may come.'],
  ['successes one by one', get(status('2XX', json(CHARGE))), get(`${status('200', json(CHARGE))}, ${status('201', json(CHARGE))}`), 'C-', 'The range declared both.'],
  ['no default', get(`${OK}, ${fallback(ERROR)}`), get(OK), 'CR', 'Errors are no longer declared; in the reverse they are new.'],
  ['a success in words beside a default', get(fallback(CHARGE)), get(`${OK}, ${fallback(CHARGE)}`), 'C-', 'The default declared 200.'],
  ['an error of a default with a code', get(`${OK}, ${fallback(ERROR)}`), get(`${OK}, ${fallback(CODED)}`), 'CB', 'Clients ignore it; in the reverse they read it.'],
  ['an error of a default with a code that is not for one status', get(`${OK}, ${fallback(CODED)}`), get(`${OK}, ${status('404', json(ERROR))}, ${fallback(CODED)}`), 'BC', 'Clients read the code of 404.'],
  ['too many requests', get(OK), get(`${OK}, ${status('429', 'headers: {Retry-After: {schema: {type: integer}}}')}`), 'RC', 'A new status; an error that is gone.'],
  ['a conflict with a body of its own', get(`${OK}, ${status('409')}`), get(`${OK}, ${status('409', json(ERROR))}`), '-B', 'In the reverse the message is gone.'],
  ['no content in place of the object', get(OK), get(status('204')), 'BB', 'Clients wait for 200, or for 204.'],
  ['an object that is no longer sent', get(OK), get(status('200')), 'B-', 'Clients read the object.'],
  ['accepted in place of created', get(status('201', json(CHARGE))), get(status('202', json(CHARGE))), 'BB', 'Clients wait for 201, or for 202.'],
  ['see other in place of found', get(`${OK}, ${status('302')}`), get(`${OK}, ${status('303')}`), 'RR', 'A redirect is gone, another comes.'],
  ['a component of a response under another name', `${get(`${OK}, "404": {$ref: '#/components/responses/Missing'}`)}\ncomponents: {responses: {Missing: {description: a, ${json(ERROR)}}}}`, `${get(`${OK}, "404": {$ref: '#/components/responses/NotFound'}`)}\ncomponents: {responses: {NotFound: {description: a, ${json(ERROR)}}}}`, 'CC', 'The same response.'],
  ['a component of a response with a further property', `${get(`${OK}, "404": {$ref: '#/components/responses/Missing'}`)}\ncomponents: {responses: {Missing: {description: a, ${json(ERROR)}}}}`, `${get(`${OK}, "404": {$ref: '#/components/responses/Missing'}`)}\ncomponents: {responses: {Missing: {description: a, ${json(CODED)}}}}`, 'CB', 'Clients ignore it; in the reverse they read it.'],
  ['a part of the charges', get(OK), get(`${OK}, ${status('206', json(CHARGE))}`), 'RB', 'A new status; in the reverse clients wait for it.'],
  ['a redirect', get(OK), get(`${OK}, ${status('307')}`), 'RR', 'A new status; a redirect that is gone.'],
  ['errors of a gateway', get(OK), get(`${OK}, ${status('502')}, ${status('504')}`), 'RC', 'New statuses; errors that are gone.'],
  ['two errors as a range', get(`${OK}, ${status('400', json(ERROR))}, ${status('404', json(ERROR))}`), get(`${OK}, ${status('4XX', json(ERROR))}`), 'RC', 'Other errors may come; the range declared both.'],
  ['not found as gone', get(`${OK}, ${status('404', json(ERROR))}`), get(`${OK}, ${status('410', json(ERROR))}, ${status('404', json(ERROR))}`), 'RC', 'A new status; an error that is gone.'],
  ['the order of statuses', get(`${OK}, ${status('404')}, ${status('409')}`), get(`${status('409')}, ${status('404')}, ${OK}`), 'CC', 'No order.'],
  ['a status as a number', get(OK), get(OK.replace('"200"', '200')), 'CC', 'The same status.'],
  ['a range in small numbers', get(`${OK}, ${status('5XX', json(ERROR))}`), get(`${OK}, ${status('500', json(ERROR))}, ${status('5XX', json(ERROR))}`), 'CC', 'The range declared 500.'],
  ['a server error with another message than the range', get(`${OK}, ${status('5XX', json(CODED))}`), get(`${OK}, ${status('500', json(ERROR))}, ${status('5XX', json(CODED))}`), 'BC', 'Clients read the code of 500.'],
];

// biome-ignore format: a table
const HEADERS: readonly ContractRow[] = [
  ['the rest of a limit under another name', headers(header('X-RateLimit-Remaining', '{type: integer}')), headers(header('RateLimit-Remaining', '{type: integer}')), 'BB', 'Clients read the old name.'],
  ['the rest of a limit under both names', headers(header('X-RateLimit-Remaining', '{type: integer}')), headers(`${header('X-RateLimit-Remaining', '{type: integer}', ', deprecated: true')}, ${header('RateLimit-Remaining', '{type: integer}')}`), 'CB', 'The old name stays; in the reverse the new one is gone.'],
  ['the rest of a limit that is never negative', headers(header('X-Left', '{type: integer}')), headers(header('X-Left', '{type: integer, minimum: 0}')), 'CB', 'Fewer values; -1 comes in the reverse.'],
  ['a header as a component', headers(header('X-Left', '{type: integer}')), `${headers("X-Left: {$ref: '#/components/headers/Left'}")}\ncomponents: {headers: {Left: {schema: {type: integer}, description: The rest}}}`, 'CC', 'The same header.'],
  ['links to pages', headers(header('X-A', '{type: string}')), headers(`${header('X-A', '{type: string}')}, ${header('Link', '{type: string}')}`), 'CB', 'In the reverse clients follow them.'],
  ['an enum of a header with a value more', headers(header('X-Cache', '{type: string, enum: [hit, miss]}')), headers(header('X-Cache', '{type: string, enum: [hit, miss, stale]}')), 'BC', 'Clients do not know stale.'],
  ['a date of a header as an instant', headers(header('X-Reset', '{type: integer}')), headers(header('X-Reset', '{type: string, format: date-time}')), 'BB', 'Seconds or an instant.'],
  ['a flag of a header as words', headers(header('X-Live', '{type: boolean}')), headers(header('X-Live', "{type: string, enum: ['true', 'false']}")), 'CC', 'The same text.'],
  ['a description of a header', headers(header('X-A', '{type: string}', ', description: a, example: x')), headers(header('X-A', '{type: string}', ', description: b')), 'CC', 'Documentation.'],
];

const PAGE = (rest: string) =>
  `{type: object, properties: {object: {type: string, const: list}, data: {type: array, items: ${CHARGE}}${rest}}, required: [object, data]}`;
const EXPANDABLE = `{anyOf: [{type: string}, ${ref('Customer')}]}`;
const CUSTOMER = 'Customer: {type: object, properties: {id: {type: string}}, required: [id]}';
const EVENT = (values: string) =>
  `{type: object, properties: {type: {type: string, enum: [${values}]}, data: {type: object}}, required: [type]}`;

// biome-ignore format: a table
const BODIES: readonly ContractRow[] = [
  ['a page that says whether there is more', read(PAGE('')), read(PAGE(', has_more: {type: boolean}')), 'CB', 'Clients ignore it; in the reverse they read it.'],
  ['a page that always says whether there is more', read(PAGE(', has_more: {type: boolean}')), read(PAGE(', has_more: {type: boolean}').replace('[object, data]', '[object, data, has_more]')), 'CB', 'It is always there; in the reverse it may lack.'],
  ['a constant of a page as an enum', read(PAGE('')), read(PAGE('').replace('const: list', 'enum: [list]')), 'CC', 'The same value.'],
  ['an id that may be expanded', `${read('{type: object, properties: {customer: {type: string}}}')}\n${schemas(CUSTOMER)}`, `${read(`{type: object, properties: {customer: ${EXPANDABLE}}}`)}\n${schemas(CUSTOMER)}`, 'BC', 'An object comes.'],
  ['an amount that may lack', read(CHARGE), read(CHARGE.replace('[id, amount]', '[id]')), 'BC', 'Clients read it always.'],
  ['an amount in two currencies as one object', read(CHARGE), read(CHARGE.replace('amount: {type: integer}', 'amount: {type: object, properties: {value: {type: integer}}}')), 'BB', 'Another type.'],
  ['HAL beside JSON', media(`application/json: {schema: ${CHARGE}}`), media(`application/json: {schema: ${CHARGE}}, application/hal+json: {schema: ${CHARGE}}`), 'RB', 'Clients that accept anything may get it; in the reverse it is gone.'],
  ['a picture beside JSON', media(`application/json: {schema: ${CHARGE}}`), media(`application/json: {schema: ${CHARGE}}, image/png: {}`), 'RB', 'Clients that accept anything may get it; in the reverse it is gone.'],
  ['any image for PNG', media('image/png: {}'), media("image/*: {}, image/png: {}"), 'R-', 'Other images may come; the range declared PNG.'],
  ['HAL in place of JSON', media(`application/json: {schema: ${CHARGE}}`), media(`application/hal+json: {schema: ${CHARGE}}`), 'BB', 'Another media type.'],
  ['any application type for JSON to read', media(`application/json: {schema: ${CHARGE}}`), media(`application/*: {schema: ${CHARGE}}`), 'RC', 'Other types may come; the range declared JSON.'],
  ['any text for CSV', media('text/*: {}'), media('text/csv: {}'), 'CR', 'The range declared CSV; in the reverse others may come.'],
  ['the order of media types', media(`application/json: {schema: ${CHARGE}}, text/csv: {}`), media(`text/csv: {}, application/json: {schema: ${CHARGE}}`), 'CC', 'No order.'],
  ['a charset of CSV in words', media('text/csv: {schema: {type: string}}'), media('text/csv; charset=utf-8: {schema: {type: string}}'), 'CC', 'Text without charset is UTF-8.'],
  ['a list as a map', read(`{type: array, items: ${CHARGE}}`), read(`{type: object, additionalProperties: ${CHARGE}}`), 'BB', 'An object is no array.'],
  ['a parameter of a media type', media(`application/vnd.a+json; version=1: {schema: ${CHARGE}}`), media(`application/vnd.a+json; version=2: {schema: ${CHARGE}}`), 'BB', 'Another media type.'],
  ['a status of a charge that may be extended', read('{type: object, properties: {state: {type: string, x-extensible-enum: [paid, open]}}}'), read('{type: object, properties: {state: {type: string, x-extensible-enum: [paid, open, void]}}}'), 'CC', 'Clients expect further values.'],
  ['a component of a page split', `${read(ref('Page'))}\n${schemas(`Page: ${PAGE('')}`)}`, `${read(ref('Page'))}\n${schemas(`Page: ${PAGE('').replace(CHARGE, ref('Charge'))}, Charge: ${CHARGE}`)}`, 'CR', 'The same pages; SDKs lose a type in the reverse.'],
  ['a component of a charge split in two', `${read(ref('Charge'))}\n${schemas(`Charge: ${CHARGE}`)}`, `${read(ref('Charge'))}\n${schemas(`Charge: {allOf: [${ref('Base')}, {type: object, properties: {amount: {type: integer}}, required: [amount]}]}, Base: {type: object, properties: {id: {type: string}}, required: [id]}`)}`, 'CR', 'The same charges; SDKs lose a type in the reverse.'],
  ['a component of a charge split in two without a requirement', `${read(ref('Charge'))}\n${schemas(`Charge: ${CHARGE}`)}`, `${read(ref('Charge'))}\n${schemas(`Charge: {allOf: [${ref('Base')}, {type: object, properties: {amount: {type: integer}}, required: [amount]}]}, Base: {type: object, properties: {id: {type: string}}}`)}`, 'BR', 'Clients read id always; in the reverse SDKs lose a type.'],
  ['lines of events with a kind more', contractOf(media(`application/x-ndjson: {itemSchema: ${EVENT('a')}}`), '3.2.0'), contractOf(media(`application/x-ndjson: {itemSchema: ${EVENT('a, b')}}`), '3.2.0'), 'BC', 'Clients do not know b.'],
  ['lines of events by a reference', contractOf(media(`application/x-ndjson: {itemSchema: ${EVENT('a')}}`), '3.2.0'), contractOf(`${media(`application/x-ndjson: {itemSchema: ${ref('Event')}}`)}\n${schemas(`Event: ${EVENT('a')}`)}`, '3.2.0'), 'CR', 'The same lines; SDKs lose a type in the reverse.'],
  ['an exact number of 3.0 in 3.1', contractOf(read('{type: number, minimum: 0, exclusiveMinimum: true}'), '3.0.3'), contractOf(read('{type: number, exclusiveMinimum: 0}')), 'CC', 'The same numbers.'],
  ['a bound of 3.0 that is lost in 3.1', contractOf(read('{type: number, minimum: 0, exclusiveMinimum: true}'), '3.0.3'), contractOf(read('{type: number, minimum: 0}')), 'BC', '0 comes.'],
];

const hook = (schema: string, rest = '', name = 'chargePaid') =>
  `paths: {}\nwebhooks: {${name}: {post: {${rest}requestBody: {required: true, content: {application/json: {schema: ${schema}}}}, responses: {${status('200')}}}}}`;
const callback = (text: string) =>
  `paths: {/charges: {post: {operationId: charge, callbacks: {${text}}, responses: {${status('201')}}}}}`;
const call = (schema: string, expression = '$request.query.callback', answers = status('200')) =>
  `'{${expression}}': {post: {requestBody: {required: true, content: {application/json: {schema: ${schema}}}}, responses: {${answers}}}}`;
const PAID = `paid: {${call(CHARGE)}}`;
const SIGNATURE = (rest: string) =>
  `parameters: [{name: Signature, in: header, schema: {type: string}${rest}}], `;

// biome-ignore format: a table
const OUTGOING: readonly ContractRow[] = [
  ['a webhook with a kind of event more', hook(EVENT('charge.paid')), hook(EVENT('charge.paid, charge.failed')), 'BC', 'Receivers do not know it.'],
  ['a webhook with a property more', hook(CHARGE), hook(CHARGE.replace('}}, ', '}, fee: {type: integer}}, ')), 'CB', 'Receivers ignore it; in the reverse they read it.'],
  ['a webhook with a property that may lack', hook(CHARGE), hook(CHARGE.replace('[id, amount]', '[id]')), 'BC', 'Receivers read it always.'],
  ['a webhook whose property may be null', hook(CHARGE), hook(CHARGE.replace('type: integer', "type: [integer, 'null']")), 'BC', 'null comes.'],
  ['a webhook under another name', hook(CHARGE), hook(CHARGE, '', 'paid'), 'BB', 'Receivers wait for the old one.'],
  ['a webhook behind a component', hook(CHARGE), `paths: {}\nwebhooks: {chargePaid: {$ref: '#/components/pathItems/Paid'}}\ncomponents: {pathItems: {Paid: {post: {requestBody: {required: true, content: {application/json: {schema: ${CHARGE}}}}, responses: {${status('200')}}}}}}`, 'CC', 'The same webhook.'],
  ['a webhook with a signature of another name', hook(CHARGE, SIGNATURE(REQUIRED)), hook(CHARGE, SIGNATURE(REQUIRED).replace('Signature', 'X-Signature')), 'BB', 'Receivers read the old name.'],
  ['a webhook with a signature in other capitals', hook(CHARGE, SIGNATURE(REQUIRED)), hook(CHARGE, SIGNATURE(REQUIRED).replace('Signature', 'signature')), 'CC', 'Header names are case-insensitive.'],
  ['a webhook with an amount of fewer values', hook(CHARGE), hook(CHARGE.replace('type: integer', 'type: integer, minimum: 0')), 'CB', 'Fewer values; -1 comes in the reverse.'],
  ['a webhook with other documentation', hook(CHARGE, 'description: a, '), hook(CHARGE, 'description: b, externalDocs: {url: https://a.test}, '), 'CC', 'Documentation.'],
  ['a webhook as an object in parts', hook(CHARGE), hook(`{allOf: [{type: object, properties: {id: {type: string}}, required: [id]}, {properties: {amount: {type: integer}}, required: [amount]}]}`), 'CC', 'The same body.'],
  ['a callback behind a component', callback(PAID), `paths: {/charges: {post: {operationId: charge, callbacks: {paid: {$ref: '#/components/callbacks/Paid'}}, responses: {${status('201')}}}}}\ncomponents: {callbacks: {Paid: {${call(CHARGE)}}}}`, 'CC', 'The same callback.'],
  ['a callback removed', callback(`${PAID}, failed: {${call(CHARGE)}}`), callback(PAID), 'BC', 'Receivers wait for it.'],
  ['a callback to another address', callback(PAID), callback(`paid: {${call(CHARGE, '$request.query.url')}}`), 'BB', 'The service calls another address.'],
  ['a callback with a value less', callback(`paid: {${call(EVENT('a, b'))}}`), callback(`paid: {${call(EVENT('a'))}}`), 'CB', 'Receivers know both; in the reverse b is new.'],
  ['a callback that takes another answer', callback(PAID), callback(`paid: {${call(CHARGE, '$request.query.callback', `${status('200')}, ${status('202')}`)}}`), 'CB', 'Receivers answer 200; in the reverse 202 is refused.'],
  ['a callback that takes another answer only', callback(PAID), callback(`paid: {${call(CHARGE, '$request.query.callback', status('204'))}}`), 'BB', 'Receivers answer 200, or 204.'],
];

export const EIGHTH_RESPONSE_ROWS: readonly ContractRow[] = [
  ...STATUSES,
  ...HEADERS,
  ...BODIES,
  ...OUTGOING,
];
