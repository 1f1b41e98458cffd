// Fourth blind set: parameters, bodies, media types, responses, forms, XML. Written before the code that it tests.
import { type ContractRow, contractOf } from '../pair.ts';
import { get, OK, post, queryParameter, REQUIRED, STRINGS } from '../texts.ts';

const parameter = (...texts: readonly string[]) => get(`parameters: [${texts.join(', ')}], ${OK}`);
const header = (name: string, schema: string, rest = '') =>
  `{name: ${name}, in: header, schema: ${schema}${rest}}`;
const cookie = (name: string, schema: string, rest = '') =>
  `{name: ${name}, in: cookie, schema: ${schema}${rest}}`;
const route = (schema: string, rest = '') =>
  `paths: {"/toys/{id}": {get: {operationId: getToy, parameters: [{name: id, in: path, required: true, schema: ${schema}${rest}}], ${OK}}}}`;
const body = (content: string, rest = '') =>
  post(`requestBody: {content: {${content}}${rest}}, ${OK}`);
const replies = (responses: string) => get(`responses: {${responses}}`);
const reply = (content: string) => replies(`"200": {description: a, content: {${content}}}`);
const type = (name: string, schema: string, rest = '') => `"${name}": {schema: ${schema}${rest}}`;
const headers = (text: string) => replies(`"200": {description: a, headers: {${text}}}`);

const STRING = '{type: string}';
const INTEGER = '{type: integer}';
const PAIR = '{type: object, properties: {a: {type: string}, b: {type: string}}}';
const JSON_STRING = type('application/json', STRING);
const PROBLEM = type(
  'application/json',
  '{type: object, properties: {code: {type: string}}, required: [code]}',
);
const LOOSE_PROBLEM = type(
  'application/json',
  '{type: object, properties: {code: {type: string}}}',
);
const FORM = 'application/x-www-form-urlencoded';
const MULTI = 'multipart/form-data';
const FILE = '{type: object, properties: {file: {}, meta: {type: object}, name: {type: string}}}';
const encoded = (kind: string, schema: string, encoding: string) =>
  body(type(kind, schema, `, encoding: {${encoding}}`));
const xml = (inner: string, rest = '') =>
  type('application/xml', `{type: object, xml: {name: toy${rest}}, properties: {${inner}}}`);

// biome-ignore format: a table
const PARAMETERS: readonly ContractRow[] = [
  ['explode of at most one integer', parameter(queryParameter('a', '{type: array, items: {type: integer}, minItems: 1, maxItems: 1}')), parameter(queryParameter('a', '{type: array, items: {type: integer}, minItems: 1, maxItems: 1}', ', explode: false')), 'CC', 'a=5 in both forms.'],
  ['spaces as pipes', parameter(queryParameter('a', STRINGS, ', style: spaceDelimited, explode: false')), parameter(queryParameter('a', STRINGS, ', style: pipeDelimited, explode: false')), 'BB', 'Another delimiter.'],
  ['deepObject as form', parameter(queryParameter('a', PAIR, ', style: deepObject, explode: true')), parameter(queryParameter('a', PAIR, ', style: form, explode: true')), 'BB', 'a[b]=1 or b=1.'],
  ['explode of an object in a header', parameter(header('X-A', PAIR)), parameter(header('X-A', PAIR, ', explode: true')), 'BB', 'a,1 or a=1.'],
  ['explode of an array in a path', route(STRINGS), route(STRINGS, ', explode: true'), 'CC', 'The style simple has one form for arrays.'],
  ['matrix as simple', route(STRING, ', style: matrix'), route(STRING), 'BB', ';id=5 or 5.'],
  ['label as simple', route(INTEGER, ', style: label'), route(INTEGER), 'BB', '.5 or 5.'],
  ['integer as JSON', parameter(queryParameter('a', INTEGER)), parameter('{name: a, in: query, content: {application/json: {schema: {type: integer}}}}'), 'CC', 'a=5 in both forms.'],
  ['required header parameter removed', parameter(header('Tenant', STRING, REQUIRED)), get(OK), 'BB', 'The service no longer reads the tenant, or demands one.'],
  ['required cookie parameter removed', parameter(cookie('tenant', STRING, REQUIRED)), get(OK), 'BB', 'The service no longer reads the tenant, or demands one.'],
  ['header parameters that OpenAPI ignores', parameter(header('Authorization', STRING, REQUIRED), header('accept', STRING)), get(OK), 'CC', 'Definitions of Accept, Content-Type and Authorization are ignored.'],
  ['query parameter in other capitals', parameter(queryParameter('limit', INTEGER)), parameter(queryParameter('Limit', INTEGER)), 'BB', 'Names of query parameters are case-sensitive.'],
  ['cookie in other capitals', parameter(cookie('theme', STRING)), parameter(cookie('Theme', STRING)), 'RR', 'The service ignores the old cookie.'],
  ['required cookie in other capitals', parameter(cookie('theme', STRING, REQUIRED)), parameter(cookie('Theme', STRING, REQUIRED)), 'BB', 'Names of cookies are case-sensitive.'],
  ['integers in the path as their texts', route('{type: integer, enum: [1, 2]}'), route("{type: string, enum: ['1', '2']}"), 'CC', '/toys/1 in both.'],
  ['integers in the path as one text less', route('{type: integer, enum: [1, 2]}'), route("{type: string, enum: ['1']}"), 'BC', '/toys/2 is lost.'],
  ['object in the query as parameters', parameter(queryParameter('filter', '{type: object, properties: {a: {type: string}, b: {type: string}}, additionalProperties: false}')), parameter(queryParameter('a', STRING), queryParameter('b', STRING)), 'RR', 'A form that explodes is a=1&b=2; SDKs have other arguments.'],
  ['object in the query as fewer parameters', parameter(queryParameter('filter', '{type: object, properties: {a: {type: string}, b: {type: string}}, additionalProperties: false}')), parameter(queryParameter('a', STRING)), 'B-', 'b is lost.'],
  ['parameter of the path item that the operation replaces', `paths: {/toys: {parameters: [${queryParameter('a', INTEGER, REQUIRED)}], get: {operationId: getToys, parameters: [${queryParameter('a', STRING)}], ${OK}}}}`, parameter(queryParameter('a', STRING)), 'CC', 'The operation wins.'],
  ['parameter of the path item in another location', `paths: {/toys: {parameters: [${header('a', STRING, REQUIRED)}], get: {operationId: getToys, parameters: [${queryParameter('a', STRING)}], ${OK}}}}`, parameter(queryParameter('a', STRING)), 'BB', 'A name is unique per location: the header stays.'],
  ['optional query parameter becomes required with a default', parameter(queryParameter('a', '{type: integer, default: 5}')), parameter(queryParameter('a', '{type: integer, default: 5}', REQUIRED)), 'BC', 'A request without it is refused.'],
  ['items of a list in the query narrowed', parameter(queryParameter('a', '{type: array, items: {enum: [x, y, z]}}')), parameter(queryParameter('a', '{type: array, items: {enum: [x, y]}}')), 'BC', 'a=z is refused.'],
  ['parameter behind references', `${get(`parameters: [{$ref: '#/components/parameters/A'}], ${OK}`)}\ncomponents: {parameters: {A: ${queryParameter('a', INTEGER)}}}`, parameter(queryParameter('a', INTEGER)), 'CC', 'The same parameter.'],
  ['order of parameters', parameter(queryParameter('a', INTEGER), header('X-B', STRING)), parameter(header('X-B', STRING), queryParameter('a', INTEGER)), 'CC', 'Parameters have no order.'],
];

// biome-ignore format: a table
const MEDIA_TYPES: readonly ContractRow[] = [
  ['charset of text in a reply', reply(type('text/plain; charset=utf-8', STRING)), reply(type('text/plain; charset=utf-16', STRING)), 'BB', 'Other bytes.'],
  ['charset in capitals and quotes', reply(type('text/plain; charset=utf-8', STRING)), reply(`'text/plain;charset="UTF-8"': {schema: ${STRING}}`), 'CC', 'The same charset.'],
  ['any image as PNG in a request', body(type('image/*', '{}')), body(type('image/png', '{}')), 'BC', 'A JPEG is refused.'],
  ['any image as PNG in a reply', reply(type('image/*', '{}')), reply(type('image/png', '{}')), '-R', 'A media type that a reply gains is risky, as in the older sets.'],
  ['a type under any type', body(`${JSON_STRING}, ${type('*/*', STRING)}`), body(type('*/*', STRING)), 'CC', 'The range has the same schema.'],
  ['a type under a range with another schema', body(`${type('application/json', INTEGER)}, ${type('application/*', STRING)}`), body(type('application/*', STRING)), 'BB', 'JSON integers are lost, JSON strings are gained.'],
  ['JSON as merge patch', body(JSON_STRING), body(type('application/merge-patch+json', STRING)), 'BB', 'Another media type.'],
  ['problem as JSON in a reply', replies(`"200": {description: a}, "400": {description: b, content: {${type('application/problem+json', PAIR)}}}`), replies(`"200": {description: a}, "400": {description: b, content: {${type('application/json', PAIR)}}}`), 'BB', 'Another media type.'],
  ['version of a vendor type', reply(type('application/vnd.toy.v1+json', PAIR)), reply(type('application/vnd.toy.v2+json', PAIR)), 'BB', 'Another media type.'],
  ['media types in another order', body(`${JSON_STRING}, ${type('text/plain', STRING)}`), body(`${type('text/plain', STRING)}, ${JSON_STRING}`), 'CC', 'Content has no order.'],
  ['body becomes optional', body(JSON_STRING, REQUIRED), body(JSON_STRING), 'CB', 'A request without a body is refused in the reverse.'],
  ['optional body written out', body(JSON_STRING), body(JSON_STRING, ', required: false'), 'CC', 'The default.'],
  ['body behind a reference', body(JSON_STRING), `${post(`requestBody: {$ref: '#/components/requestBodies/B'}, ${OK}`)}\ncomponents: {requestBodies: {B: {content: {${JSON_STRING}}}}}`, 'CC', 'The same body.'],
];

// biome-ignore format: a table
const RESPONSES: readonly ContractRow[] = [
  ['one success as a range', replies(`"200": {description: a, content: {${JSON_STRING}}}`), replies(`2XX: {description: a, content: {${JSON_STRING}}}`), 'RC', 'A status that a reply gains is risky, as the rules say.'],
  ['a success under a range', replies(`"200": {description: a, content: {${JSON_STRING}}}, 2XX: {description: b, content: {${JSON_STRING}}}`), replies(`2XX: {description: b, content: {${JSON_STRING}}}`), 'CC', 'The range covers 200 with the same schema.'],
  ['a success under a range with another schema', replies(`"200": {description: a, content: {${type('application/json', INTEGER)}}}, 2XX: {description: b, content: {${JSON_STRING}}}`), replies(`2XX: {description: b, content: {${JSON_STRING}}}`), 'BB', '200 changes between an integer and a string.'],
  ['a range of errors under default', replies(`"200": {description: a}, default: {description: b, content: {${PROBLEM}}}`), replies(`"200": {description: a}, 4XX: {description: b, content: {${PROBLEM}}}, default: {description: b, content: {${PROBLEM}}}`), 'CC', 'Default covers 4XX with the same schema.'],
  ['a looser range of errors under default', replies(`"200": {description: a}, default: {description: b, content: {${PROBLEM}}}`), replies(`"200": {description: a}, 4XX: {description: b, content: {${LOOSE_PROBLEM}}}, default: {description: b, content: {${PROBLEM}}}`), 'BC', 'A 404 without code is new.'],
  ['errors split, the rest looser', replies(`"200": {description: a}, 4XX: {description: b, content: {${PROBLEM}}}`), replies(`"200": {description: a}, "404": {description: b, content: {${PROBLEM}}}, 4XX: {description: b, content: {${LOOSE_PROBLEM}}}`), 'BC', 'A 409 without code is new.'],
  ['errors split, all the same', replies(`"200": {description: a}, 4XX: {description: b, content: {${PROBLEM}}}`), replies(`"200": {description: a}, "404": {description: b, content: {${PROBLEM}}}, 4XX: {description: b, content: {${PROBLEM}}}`), 'CC', 'The same replies.'],
  ['descriptions of responses', replies(`"200": {description: a}, "400": {description: b, content: {${PROBLEM}}}`), replies(`"200": {description: z}, "400": {description: y, content: {${PROBLEM}}}`), 'CC', 'Descriptions only.'],
  ['Content-Type as a response header', headers('Content-Type: {required: true, schema: {type: string}}, X-A: {schema: {type: string}}'), headers('X-A: {schema: {type: string}}'), 'CC', 'A definition of Content-Type is ignored.'],
  ['explode of an array in a response header', headers(`X-A: {schema: ${STRINGS}}`), headers(`X-A: {schema: ${STRINGS}, explode: true}`), 'CC', 'Both forms are x,y.'],
  ['explode of an object in a response header', headers(`X-A: {schema: ${PAIR}}`), headers(`X-A: {schema: ${PAIR}, explode: true}`), 'BB', 'a,1 or a=1.'],
  ['response header as JSON', headers(`X-A: {schema: ${PAIR}}`), headers(`X-A: {content: {application/json: {schema: ${PAIR}}}}`), 'BB', 'Another serialization.'],
  ['required header of an error becomes optional', replies('"200": {description: a}, "429": {description: b, headers: {Retry-After: {required: true, schema: {type: integer}}}}'), replies('"200": {description: a}, "429": {description: b, headers: {Retry-After: {schema: {type: integer}}}}'), 'BC', 'A 429 may come without it.'],
  ['response behind a reference', reply(JSON_STRING), `${replies(`"200": {$ref: '#/components/responses/R'}`)}\ncomponents: {responses: {R: {description: a, content: {${JSON_STRING}}}}}`, 'CC', 'The same response.'],
  ['link by reference', `${replies('"200": {description: a, links: {self: {operationId: getToys}}}')}`, `${replies("\"200\": {description: a, links: {self: {operationRef: '#/paths/~1toys/get'}}}")}`, 'CC', 'The same operation.'],
  ['nullable reply in 3.0', contractOf(reply(type('application/json', '{type: string, nullable: false}')), '3.0.3'), contractOf(reply(type('application/json', '{type: string, nullable: true}')), '3.0.3'), 'BC', 'Clients may get null.'],
];

// biome-ignore format: a table
const FORMS: readonly ContractRow[] = [
  ['files of one type less', encoded(MULTI, FILE, 'file: {contentType: "image/png, image/jpeg"}'), encoded(MULTI, FILE, 'file: {contentType: image/png}'), 'BC', 'A JPEG is refused.'],
  ['files of any image as PNG', encoded(MULTI, FILE, 'file: {contentType: image/*}'), encoded(MULTI, FILE, 'file: {contentType: image/png}'), 'BC', 'A JPEG is refused.'],
  ['default content type of an object', encoded(MULTI, FILE, 'meta: {contentType: application/json}'), body(type(MULTI, FILE)), 'CC', 'Objects are JSON by default.'],
  ['default content type of a string', encoded(MULTI, FILE, 'name: {contentType: text/plain}'), body(type(MULTI, FILE)), 'CC', 'Strings are text by default.'],
  ['object of a form as XML', body(type(MULTI, FILE)), encoded(MULTI, FILE, 'meta: {contentType: application/xml}'), 'BB', 'Objects are JSON by default.'],
  ['required header of a part', encoded(MULTI, FILE, 'file: {contentType: image/png}'), encoded(MULTI, FILE, 'file: {contentType: image/png, headers: {X-Hash: {required: true, schema: {type: string}}}}'), 'BB', 'Parts need the header, or the header that clients must send is ignored.'],
  ['encoding of no property', body(type(MULTI, FILE)), encoded(MULTI, FILE, 'ghost: {contentType: image/png}'), 'CC', 'No part has this name.'],
  ['encoding of JSON', body(type('application/json', FILE)), encoded('application/json', FILE, 'file: {contentType: image/png}'), 'CC', 'Encoding applies to forms only.'],
  ['list in a form joined by commas', body(type(FORM, `{type: object, properties: {a: ${STRINGS}}}`)), encoded(FORM, `{type: object, properties: {a: ${STRINGS}}}`, 'a: {explode: false}'), 'BB', 'a=x&a=y or a=x,y.'],
  ['form as multipart', body(type(FORM, PAIR)), body(type(MULTI, PAIR)), 'BB', 'Another media type.'],
  ['base64 of 3.0 in 3.1', contractOf(body(type('application/json', '{type: string, format: byte}')), '3.0.3'), contractOf(body(type('application/json', '{type: string, contentEncoding: base64}'))), 'CC', 'The same text.'],
];

// biome-ignore format: a table
const XML: readonly ContractRow[] = [
  ['element renamed', body(xml('a: {type: string, xml: {name: b}}')), body(xml('a: {type: string, xml: {name: c}}')), 'BB', '<b> or <c>.'],
  ['element by its own name', body(xml('a: {type: string, xml: {name: a}}')), body(xml('a: {type: string}')), 'CC', 'The name of the property is the default.'],
  ['element as attribute', reply(xml('a: {type: string}')), reply(xml('a: {type: string, xml: {attribute: true}}')), 'BB', '<a> or a="".'],
  ['attribute written out as false', reply(xml('a: {type: string}')), reply(xml('a: {type: string, xml: {attribute: false}}')), 'CC', 'The default.'],
  ['list wrapped', reply(xml(`a: ${STRINGS}`)), reply(xml('a: {type: array, items: {type: string}, xml: {wrapped: true}}')), 'BB', 'An element around the list.'],
  ['wrapped set on a string', reply(xml('a: {type: string}')), reply(xml('a: {type: string, xml: {wrapped: true}}')), 'CC', 'wrapped has an effect on arrays only.'],
  ['namespace of the root', reply(xml('a: {type: string}', ', namespace: "https://a.test/1"')), reply(xml('a: {type: string}', ', namespace: "https://a.test/2"')), 'BB', 'Another element.'],
  ['xml of a JSON property', body(type('application/json', '{type: object, properties: {a: {type: string, xml: {name: b, attribute: true}}}}')), body(type('application/json', '{type: object, properties: {a: {type: string}}}')), 'CC', 'JSON has no XML names.'],
];

export const FOURTH_MESSAGE_ROWS: readonly ContractRow[] = [
  ...PARAMETERS,
  ...MEDIA_TYPES,
  ...RESPONSES,
  ...FORMS,
  ...XML,
];
