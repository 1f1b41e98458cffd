// Eighth blind set: parameters, request bodies, media types, encodings. Written without the code of the diff.
import { type ContractRow, contractOf } from '../pair.ts';

const OK = 'responses: {"204": {description: none}}';
const get = (rest: string) => `paths: {/repos: {get: {operationId: listRepos, ${rest}}}}`;
const parameter = (where: string, name: string, schema: string, rest = '') =>
  `{name: ${name}, in: ${where}, schema: ${schema}${rest}}`;
const query = (name: string, schema: string, rest = '') => parameter('query', name, schema, rest);
const header = (name: string, schema: string, rest = '') => parameter('header', name, schema, rest);
const REQUIRED = ', required: true';
const parameters = (...texts: readonly string[]) => get(`parameters: [${texts.join(', ')}], ${OK}`);
const path = (schema: string, rest = '') =>
  `paths: {"/repos/{id}": {get: {operationId: getRepo, parameters: [${parameter('path', 'id', schema, REQUIRED + rest)}], ${OK}}}}`;
const body = (content: string, rest = '') =>
  `paths: {/repos: {post: {operationId: addRepo, requestBody: {${rest}content: {${content}}}, ${OK}}}}`;
const json = (schema: string) => body(`application/json: {schema: ${schema}}`);
const form = (properties: string, rest = '', more = '') =>
  body(
    `application/x-www-form-urlencoded: {schema: {type: object, properties: {${properties}}${rest}}${more}}`,
  );
const parts = (properties: string, rest = '', more = '') =>
  body(`multipart/form-data: {schema: {type: object, properties: {${properties}}${rest}}${more}}`);
const xml = (schema: string) => body(`application/xml: {schema: ${schema}}`);
const old = (text: string) => contractOf(text, '3.0.3');
const latest = (text: string) => contractOf(text, '3.2.0');

const WORDS = '{type: array, items: {type: string}}';
const SORT = (values: string) => `{type: string, enum: [${values}], default: created}`;
const REPO = '{type: object, properties: {name: {type: string}}, required: [name]}';
const RANGE = (type: string) =>
  `{type: object, properties: {gt: {type: ${type}}, lt: {type: ${type}}}}`;
const DEEP = ', style: deepObject, explode: true';
const owned = (owner: string, repo: string) =>
  `paths: {"/repos/{${owner}}/{${repo}}": {get: {operationId: getRepo, parameters: [${parameter('path', owner, '{type: string}', REQUIRED)}, ${parameter('path', repo, '{type: string}', REQUIRED)}], ${OK}}}}`;
const OWN_PATH = (inner: string, outer: string) =>
  `paths: {"/repos/{id}": {${outer}get: {operationId: getRepo, ${inner}${OK}}}}`;
const ID = parameter('path', 'id', '{type: integer}', REQUIRED);

// Labels are those of the change and of its reverse.
// biome-ignore format: a table
const PARAMETERS: readonly ContractRow[] = [
  ['the size of pages under another name', parameters(query('per_page', '{type: integer}')), parameters(query('page_size', '{type: integer}')), 'BB', 'Names of a query are on the wire.'],
  ['the size of pages under both names', parameters(query('per_page', '{type: integer}')), parameters(query('per_page', '{type: integer}', ', deprecated: true'), query('page_size', '{type: integer}')), 'CB', 'The old name stays; in the reverse the new one is gone.'],
  ['a further order', parameters(query('sort', SORT('created, updated'))), parameters(query('sort', SORT('created, updated, pushed'))), 'CB', 'pushed is refused in the reverse.'],
  ['an order with the same values as a component', parameters(query('sort', SORT('created, updated'))), `${parameters(query('sort', "{$ref: '#/components/schemas/Sort'}"))}\ncomponents: {schemas: {Sort: ${SORT('updated, created')}}}`, 'CR', 'The same values; SDKs lose a type in the reverse.'],
  ['an order with the same values as a component and another default', parameters(query('sort', SORT('created, updated'))), `${parameters(query('sort', "{$ref: '#/components/schemas/Sort'}"))}\ncomponents: {schemas: {Sort: ${SORT('created, updated').replace('default: created', 'default: updated')}}}`, 'BB', 'Another order if it is omitted.'],
  ['a filter of several values with one less', parameters(query('state', '{type: array, items: {enum: [open, closed, merged]}}')), parameters(query('state', '{type: array, items: {enum: [open, closed]}}')), 'BC', 'state=merged is refused.'],
  ['a required filter that is optional', parameters(query('q', '{type: string, minLength: 1}', REQUIRED)), parameters(query('q', '{type: string, minLength: 1}')), 'CB', 'A request without it is refused in the reverse.'],
  ['a filter that is required', parameters(query('account', '{type: string}')), parameters(query('account', '{type: string}', REQUIRED)), 'BC', 'A request without it is refused.'],
  ['a filter that must not be empty', parameters(query('q', '{type: string}')), parameters(query('q', '{type: string, minLength: 1}')), 'BC', 'q= is refused.'],
  ['the names of two parameters of a path', owned('owner', 'repo'), owned('org', 'name'), 'RR', 'The same path; SDKs have other arguments.'],
  ['a parameter of a path moved to its path item', OWN_PATH(`parameters: [${ID}], `, ''), OWN_PATH('', `parameters: [${ID}], `), 'CC', 'The same parameter.'],
  ['a parameter of a path moved to its path item, with a bound', OWN_PATH(`parameters: [${ID}], `, ''), OWN_PATH('', `parameters: [${ID.replace('integer', 'integer, minimum: 1')}], `), 'BC', '0 is refused.'],
  ['a required parameter of a path as an enum', path('{type: string}'), path('{type: string, enum: [a, b]}'), 'BC', 'c is refused.'],
  ['an optional header under another name', parameters(header('X-Request-Id', '{type: string}')), parameters(header('X-Trace-Id', '{type: string}')), 'RR', 'The old header is ignored.'],
  ['a required header under another name', parameters(header('X-Account', '{type: string}', REQUIRED)), parameters(header('X-Tenant', '{type: string}', REQUIRED)), 'BB', 'The new header is missing.'],
  ['a condition on the entity', get(OK), parameters(header('If-None-Match', '{type: string}')), 'CR', 'Optional; in the reverse it is ignored.'],
  ['a version in a header as an enum', parameters(header('X-Api-Version', '{type: string, format: date}')), parameters(header('X-Api-Version', "{type: string, enum: ['2022-11-28']}")), 'BC', 'Other dates are refused.'],
  ['a version in a header with one value more', parameters(header('X-Api-Version', "{type: string, enum: ['2022-11-28']}")), parameters(header('X-Api-Version', "{type: string, enum: ['2022-11-28', '2026-03-10']}")), 'CB', 'The new date is refused in the reverse.'],
  ['a version in a header with quotes or without', parameters(header('X-Api-Version', "{type: string, enum: ['2022-11-28']}")), parameters(header('X-Api-Version', '{type: string, enum: [2022-11-28]}')), 'CC', 'A string in YAML 1.2.'],
  ['two optional headers removed', parameters(header('X-A', '{type: string}'), header('X-B', '{type: integer}'), query('q', '{type: string}')), parameters(query('q', '{type: string}')), 'RC', 'The headers are ignored.'],
  ['an optional header moved to a cookie', parameters(header('tenant', '{type: string}')), parameters(parameter('cookie', 'tenant', '{type: string}')), 'RR', 'The old place is ignored.'],
  ['an optional cookie removed', parameters(parameter('cookie', 'theme', '{type: string}')), get(OK), 'RC', 'The cookie is ignored.'],
  ['a required cookie removed', parameters(parameter('cookie', 'sid', '{type: string}', REQUIRED)), get(OK), 'BB', 'Its value has no effect any more; in the reverse it is missing.'],
  ['a header that OpenAPI ignores, with a bound', parameters(header('Content-Type', '{type: string}')), parameters(header('Content-Type', '{type: string, maxLength: 9}', REQUIRED)), 'CC', 'Parameters named Content-Type are ignored.'],
  ['a deprecated parameter', parameters(query('since', '{type: string}')), parameters(query('since', '{type: string}', ', deprecated: true')), 'CC', 'An announcement.'],
  ['a small number as words', parameters(query('level', '{type: integer, minimum: 1, maximum: 3}')), parameters(query('level', "{type: string, enum: ['1', '2', '3']}")), 'CC', 'level=1 in both.'],
  ['a small number as words with one less', parameters(query('level', '{type: integer, minimum: 1, maximum: 3}')), parameters(query('level', "{type: string, enum: ['1', '2']}")), 'BC', 'level=3 is refused.'],
  ['a number as digits of two places', parameters(query('month', '{type: integer, minimum: 1, maximum: 12}')), parameters(query('month', "{type: string, pattern: '^[0-9]{2}$'}")), 'B-', 'month=1 is refused.'],
  ['a list of words with a bound', parameters(query('labels', WORDS)), parameters(query('labels', '{type: array, items: {type: string}, maxItems: 100}')), 'BC', '101 labels are refused.'],
  ['a list of integers as words', parameters(query('ids', '{type: array, items: {type: integer}}')), parameters(query('ids', WORDS)), 'CB', 'ids=a is refused in the reverse.'],
  ['a day as an instant', parameters(query('since', '{type: string, format: date}')), parameters(query('since', '{type: string, format: date-time}')), 'BB', 'A day is no instant.'],
  ['a day or an instant', parameters(query('since', '{type: string, format: date}')), parameters(query('since', '{type: string, anyOf: [{format: date}, {format: date-time}]}')), 'CB', 'An instant is refused in the reverse.'],
  ['a range of instants as deep object with integers as words', parameters(query('created', RANGE('integer'), DEEP)), parameters(query('created', RANGE('string'), DEEP)), 'CB', 'created[gt]=1 in both; created[gt]=a is refused in the reverse.'],
  ['a range of instants as deep object, written as a form', parameters(query('created', RANGE('integer'), DEEP)), parameters(query('created', RANGE('integer'))), 'BB', 'created[gt]=1 or gt=1.'],
  ['a filter as JSON with a requirement', parameters("{name: filter, in: query, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}"), parameters("{name: filter, in: query, content: {application/json: {schema: {type: object, properties: {a: {type: string}}, required: [a]}}}}"), 'BC', 'filter={} is refused.'],
  ['a filter as JSON of another schema', parameters("{name: filter, in: query, content: {application/json: {schema: {type: object}}}}"), parameters("{name: filter, in: query, content: {application/json: {schema: {type: array}}}}"), 'BB', 'An object is no array.'],
  ['a component of a parameter under another name', `${get(`parameters: [{$ref: '#/components/parameters/Page'}], ${OK}`)}\ncomponents: {parameters: {Page: ${query('page', '{type: integer}')}}}`, `${get(`parameters: [{$ref: '#/components/parameters/PageNumber'}], ${OK}`)}\ncomponents: {parameters: {PageNumber: ${query('page', '{type: integer}')}}}`, 'CC', 'The same parameter.'],
  ['three parameters of which one is behind a reference', parameters(query('page', '{type: integer}'), query('per_page', '{type: integer}'), header('X-A', '{type: string}')), `${get(`parameters: [{$ref: '#/components/parameters/Page'}, ${header('X-A', '{type: string}')}, ${query('per_page', '{type: integer}')}], ${OK}`)}\ncomponents: {parameters: {Page: ${query('page', '{type: integer}')}}}`, 'CC', 'The same parameters.'],
  ['a positive page of 3.0', old(parameters(query('page', '{type: integer, minimum: 0, exclusiveMinimum: true}'))), parameters(query('page', '{type: integer, minimum: 1}')), 'CC', 'The same pages.'],
  ['a cookie by the style of 3.2', latest(parameters(parameter('cookie', 'page', '{type: integer}'))), latest(parameters(parameter('cookie', 'page', '{type: integer}', ', style: cookie'))), 'CC', 'page=1 in both.'],
  ['a flag in the query as a word', parameters(query('draft', '{type: boolean}')), parameters(query('draft', "{type: string, pattern: '^(true|false)$'}")), 'CC', 'draft=true in both.'],
  ['a flag in the query as a number', parameters(query('draft', '{type: boolean}')), parameters(query('draft', '{type: integer, enum: [0, 1]}')), 'BB', 'draft=true is refused.'],
];

const UPLOAD = 'file: {type: string, format: binary}';
const TWILIO = 'To: {type: string}, From: {type: string}, Body: {type: string}';

// biome-ignore format: a table
const BODIES: readonly ContractRow[] = [
  ['a form beside JSON', json(REPO), body(`application/json: {schema: ${REPO}}, application/x-www-form-urlencoded: {schema: ${REPO}}`), 'CB', 'A form is refused in the reverse.'],
  ['a merge patch in place of JSON', json(REPO), body(`application/merge-patch+json: {schema: ${REPO}}`), 'BB', 'Another media type.'],
  ['any application type for JSON', json(REPO), body(`application/*: {schema: ${REPO}}`), 'CB', 'Other types are refused in the reverse.'],
  ['JSON and a vendor type in another order', body(`application/json: {schema: ${REPO}}, application/vnd.github+json: {schema: ${REPO}}`), body(`application/vnd.github+json: {schema: ${REPO}}, application/json: {schema: ${REPO}}`), 'CC', 'No order.'],
  ['JSON and a vendor type, one gone', body(`application/json: {schema: ${REPO}}, application/vnd.github+json: {schema: ${REPO}}`), json(REPO), 'BC', 'The vendor type is refused.'],
  ['a body that is optional and has one property more', body(`application/json: {schema: ${REPO}}`, 'required: true, '), body(`application/json: {schema: ${REPO.replace('}}', '}, private: {type: boolean}}')}}`), 'CB', 'A body is required in the reverse.'],
  ['a body of a method that had none', `paths: {/repos: {put: {operationId: star, ${OK}}}}`, `paths: {/repos: {put: {operationId: star, requestBody: {content: {application/json: {schema: ${REPO}}}}, ${OK}}}}`, 'CB', 'Optional; in the reverse it is gone.'],
  ['a component of a body under another name', `paths: {/repos: {post: {operationId: addRepo, requestBody: {$ref: '#/components/requestBodies/New'}, ${OK}}}}\ncomponents: {requestBodies: {New: {content: {application/json: {schema: ${REPO}}}}}}`, `paths: {/repos: {post: {operationId: addRepo, requestBody: {$ref: '#/components/requestBodies/NewRepo'}, ${OK}}}}\ncomponents: {requestBodies: {NewRepo: {content: {application/json: {schema: ${REPO}}}}}}`, 'CC', 'The same body.'],
  ['examples behind references', body(`application/json: {schema: ${REPO}, examples: {a: {value: {name: x}}}}`), `${body(`application/json: {schema: ${REPO}, examples: {a: {$ref: '#/components/examples/A'}}}`)}\ncomponents: {examples: {A: {value: {name: y}}}}`, 'CC', 'Documentation.'],
  ['a message with an optional field more', form(TWILIO, ', required: [To]'), form(`${TWILIO}, StatusCallback: {type: string, format: uri}`, ', required: [To]'), 'CR', 'Optional; in the reverse it is ignored.'],
  ['a message with a required field more', form(TWILIO, ', required: [To]'), form(`${TWILIO}, MessagingServiceSid: {type: string}`, ', required: [To, MessagingServiceSid]'), 'BR', 'A message lacks it; in the reverse it is ignored.'],
  ['a message with a field under another name', form(TWILIO, ', required: [To]'), form(TWILIO.replace('Body', 'Text'), ', required: [To]'), 'RR', 'The old field is ignored.'],
  ['a message with a required field under another name', form(TWILIO, ', required: [To]'), form(TWILIO.replace('To', 'Recipient'), ', required: [Recipient]'), 'BB', 'The new field is missing.'],
  ['a part of an upload under another name', parts('file: {type: string, format: binary}, note: {type: string}', ', required: [file]'), parts('file: {type: string, format: binary}, comment: {type: string}', ', required: [file]'), 'RR', 'The old part is ignored.'],
  ['a message that needs its sender', form(TWILIO, ', required: [To]'), form(TWILIO, ', required: [To, From]'), 'BC', 'A message without From is refused.'],
  ['a message that needs a sender or a service', form(`${TWILIO}, Sid: {type: string}`, ', required: [To]'), form(`${TWILIO}, Sid: {type: string}`, ', required: [To], anyOf: [{required: [From]}, {required: [Sid]}]'), 'BC', 'A message with neither is refused.'],
  ['an amount of a form with fractions', form('amount: {type: integer}'), form('amount: {type: number}'), 'CB', 'amount=0.5 is refused in the reverse.'],
  ['a flag of a form as words', form('live: {type: boolean}'), form("live: {type: string, enum: ['true', 'false']}"), 'CC', 'live=true in both.'],
  ['a flag of a form as words with a third', form('live: {type: boolean}'), form("live: {type: string, enum: ['true', 'false', auto]}"), 'CB', 'live=auto is refused in the reverse.'],
  ['numbers of a form as words', form('level: {type: integer, enum: [1, 2]}'), form("level: {type: string, enum: ['1', '2']}"), 'CC', 'level=1 in both.'],
  ['numbers of JSON as words', json('{type: object, properties: {level: {type: integer, enum: [1, 2]}}}'), json("{type: object, properties: {level: {type: string, enum: ['1', '2']}}}"), 'BB', 'JSON distinguishes text and number.'],
  ['an object of a form by names with brackets', form('card: {type: object, properties: {cvc: {type: string}}}'), form('card: {type: object, properties: {cvc: {type: string}}}', '', ', encoding: {card: {style: deepObject, explode: true}}'), 'BB', 'card[cvc]=1 is another text.'],
  ['a list of a form with spaces', form('tags: {type: array, items: {type: string}}', '', ', encoding: {tags: {style: form, explode: false}}'), form('tags: {type: array, items: {type: string}}', '', ', encoding: {tags: {style: spaceDelimited, explode: false}}'), 'BB', 'tags=a,b or tags=a%20b.'],
  ['the encoding of a text of a form', form('name: {type: string}'), form('name: {type: string}', '', ', encoding: {name: {style: form}}'), 'CC', 'name=a in both.'],
  ['an upload with a description', parts(UPLOAD, ', required: [file]'), parts(`${UPLOAD}, description: {type: string}`, ', required: [file]'), 'CR', 'Optional; in the reverse it is ignored.'],
  ['an upload with a purpose that it needs', parts(UPLOAD, ', required: [file]'), parts(`${UPLOAD}, purpose: {type: string}`, ', required: [file, purpose]'), 'BR', 'The purpose is missing; in the reverse it is ignored.'],
  ['an upload of PNG only', parts(UPLOAD, '', ", encoding: {file: {contentType: 'image/png, image/jpeg'}}"), parts(UPLOAD, '', ', encoding: {file: {contentType: image/png}}'), 'BC', 'JPEG is refused.'],
  ['an upload of any image', parts(UPLOAD, '', ", encoding: {file: {contentType: 'image/png, image/jpeg'}}"), parts(UPLOAD, '', ", encoding: {file: {contentType: 'image/*'}}"), 'CB', 'GIF is refused in the reverse.'],
  ['an upload of images in other capitals', parts(UPLOAD, '', ', encoding: {file: {contentType: image/png}}'), parts(UPLOAD, '', ', encoding: {file: {contentType: Image/PNG}}'), 'CC', 'Media types are case-insensitive.'],
  ['items of a part with their media type', parts('rows: {type: array, items: {type: object}}'), parts('rows: {type: array, items: {type: object}}', '', ', encoding: {rows: {contentType: application/json}}'), 'CC', 'The default of objects.'],
  ['an integer of a part with its media type', parts('n: {type: integer}'), parts('n: {type: integer}', '', ', encoding: {n: {contentType: text/plain}}'), 'CC', 'The default of numbers.'],
  ['an upload in base64 with a bound', json('{type: object, properties: {file: {type: string, contentEncoding: base64}}}'), json('{type: object, properties: {file: {type: string, contentEncoding: base64, maxLength: 1000}}}'), 'BC', 'A longer text is refused.'],
  ['an upload in base64 as base16', json('{type: object, properties: {file: {type: string, contentEncoding: base64}}}'), json('{type: object, properties: {file: {type: string, contentEncoding: base16}}}'), 'BB', 'Another encoding.'],
  ['names of items of XML', xml('{type: object, xml: {name: order}, properties: {rows: {type: array, xml: {wrapped: true}, items: {type: string}}}}'), xml('{type: object, xml: {name: order}, properties: {rows: {type: array, xml: {wrapped: true}, items: {type: string, xml: {name: row}}}}}'), 'BB', '<rows><rows> or <rows><row>.'],
  ['the namespace of XML', xml('{type: object, xml: {name: order}}'), xml("{type: object, xml: {name: order, namespace: 'https://a.test/ns'}}"), 'BB', 'Another element.'],
  ['a wrapped list of XML in the words of 3.2', latest(xml('{type: object, xml: {name: order}, properties: {rows: {type: array, xml: {wrapped: true}, items: {type: string}}}}')), latest(xml('{type: object, xml: {name: order}, properties: {rows: {type: array, xml: {nodeType: element}, items: {type: string}}}}')), 'CC', 'wrapped is the older word.'],
  ['several files of 3.0 in 3.1', old(parts('files: {type: array, items: {type: string, format: binary}}')), parts('files: {type: array, items: {contentMediaType: application/octet-stream}}'), 'CC', 'The same files.'],
  ['a file and its name of 3.0 in 3.1', old(parts(`${UPLOAD}, name: {type: string}`, ', required: [file]')), parts('file: {contentMediaType: application/octet-stream}, name: {type: string}', ', required: [file]'), 'CC', 'The same parts.'],
  ['a file of 3.0 in 3.1 that is required', old(parts(`${UPLOAD}, name: {type: string}`)), parts('file: {contentMediaType: application/octet-stream}, name: {type: string}', ', required: [file]'), 'BC', 'A request without a file is refused.'],
  ['text as text of another kind', body('text/plain: {schema: {type: string}}'), body('text/markdown: {schema: {type: string}}'), 'BB', 'Another media type.'],
  ['text in US-ASCII permitted to be UTF-8', body('text/markdown; charset=us-ascii: {schema: {type: string}}'), body('text/markdown; charset=utf-8: {schema: {type: string}}'), 'C-', 'Every text in US-ASCII is UTF-8.'],
];

export const EIGHTH_REQUEST_ROWS: readonly ContractRow[] = [...PARAMETERS, ...BODIES];
