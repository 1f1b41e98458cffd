// Labelled changes of parameters, bodies, responses, security, servers, paths and components.
import type { ContractRow } from './pair.ts';
import { get, OK, parameters, SCOPES } from './texts.ts';

const query = (rest: string) => get(`parameters: [{name: a, in: query, ${rest}}], ${OK}`);
const header = (rest: string) => get(`parameters: [{name: X-A, in: header, ${rest}}], ${OK}`);
const cookie = (rest: string) => get(`parameters: [{name: a, in: cookie, ${rest}}], ${OK}`);
const path = (rest: string) =>
  `paths: {'/toys/{a}': {get: {operationId: getToy, parameters: [{name: a, in: path, required: true, ${rest}}], ${OK}}}}`;

// biome-ignore format: a table
const PARAMETERS: readonly ContractRow[] = [
  ['query: integer as string', query('schema: {type: integer}'), query('schema: {type: string}'), 'CB', 'The text of an integer is a string.'],
  ['query: number as string', query('schema: {type: number}'), query('schema: {type: string}'), 'CB', 'The text of a number is a string.'],
  ['query: boolean as string', query('schema: {type: boolean}'), query('schema: {type: string}'), 'CB', 'true and false are strings.'],
  ['query: integer as string or boolean', query('schema: {type: integer}'), query('schema: {type: [string, boolean]}'), 'CB', 'The text of an integer is a string.'],
  ['query: bounded integer as string', query('schema: {type: integer, minimum: 1}'), query('schema: {type: string}'), 'CB', 'The text of an integer is a string.'],
  ['query: integer as a short string', query('schema: {type: integer}'), query('schema: {type: string, maxLength: 3}'), 'BB', '1000 has four characters.'],
  ['query: integer as a non-empty string', query('schema: {type: integer}'), query('schema: {type: string, minLength: 1}'), 'CB', 'No integer has an empty text.'],
  ['query: integer as a date', query('schema: {type: integer}'), query('schema: {type: string, format: date}'), 'BB', 'The text of an integer is no date.'],
  ['query: numbers of an enum as strings', query('schema: {type: integer, enum: [1, 2]}'), query("schema: {type: string, enum: ['1', '2']}"), 'CC', 'The texts are the same.'],
  ['query: numbers of an enum as other strings', query('schema: {type: integer, enum: [1, 2]}'), query("schema: {type: string, enum: ['1', '3']}"), 'BB', '2 is valid before only.'],
  ['query: boolean as an enum of strings', query('schema: {type: boolean}'), query("schema: {type: string, enum: ['true', 'false']}"), 'CC', 'The texts are the same.'],
  ['query: integer as number', query('schema: {type: integer}'), query('schema: {type: number}'), 'CB', 'Every integer is a number.'],
  ['query: string as exploded array', query('schema: {type: string}'), query('schema: {type: array, items: {type: string}}'), 'CB', 'One string is an array of one item.'],
  ['query: string as array with commas', query('schema: {type: string}'), query('explode: false, schema: {type: array, items: {type: string}}'), 'B-', 'A string with a comma becomes two items.'],
  ['query: integer as array with commas', query('schema: {type: integer}'), query('explode: false, schema: {type: array, items: {type: integer}}'), 'CB', 'An integer has no comma.'],
  ['query: enum as exploded array of the enum', query('schema: {type: string, enum: [a, b]}'), query('schema: {type: array, items: {type: string, enum: [a, b]}}'), 'CB', 'One value is an array of one item.'],
  ['query: integer as exploded array of strings', query('schema: {type: integer}'), query('schema: {type: array, items: {type: string}}'), 'CB', 'The text of an integer is a string.'],
  ['query: string as exploded array of integers', query('schema: {type: string}'), query('schema: {type: array, items: {type: integer}}'), 'BB', 'a is no integer.'],
  ['query: string as exploded array of two or more', query('schema: {type: string}'), query('schema: {type: array, items: {type: string}, minItems: 2}'), 'BB', 'One string is one item.'],
  ['query: items of integers as strings', query('schema: {type: array, items: {type: integer}}'), query('schema: {type: array, items: {type: string}}'), 'CB', 'The text of an integer is a string.'],
  ['query: integer as string in JSON content', query('content: {application/json: {schema: {type: integer}}}'), query('content: {application/json: {schema: {type: string}}}'), 'BB', 'JSON distinguishes 1 from "1".'],
  ['path: integer as string', path('schema: {type: integer}'), path('schema: {type: string}'), 'CB', 'The text of an integer is a string.'],
  ['header: integer as string', header('schema: {type: integer}'), header('schema: {type: string}'), 'CB', 'The text of an integer is a string.'],
  ['cookie: integer as string', cookie('schema: {type: integer}'), cookie('schema: {type: string}'), 'CB', 'The text of an integer is a string.'],
  ['query: explode of a string', query('schema: {type: string}'), query('explode: false, schema: {type: string}'), 'CC', 'explode applies to arrays and objects.'],
  ['query: explode of an array', query('schema: {type: array, items: {type: string}}'), query('explode: false, schema: {type: array, items: {type: string}}'), 'BB', 'a=1&a=2 and a=1,2 differ.'],
  ['header: explode of an array', header('schema: {type: array, items: {type: string}}'), header('explode: true, schema: {type: array, items: {type: string}}'), 'CC', 'In style simple an array has commas with and without explode.'],
  ['header: explode of an object', header('schema: {type: object, properties: {k: {type: string}}}'), header('explode: true, schema: {type: object, properties: {k: {type: string}}}'), 'BB', 'k,v and k=v differ.'],
  ['path: explode of an integer', path('schema: {type: integer}'), path('explode: true, schema: {type: integer}'), 'CC', 'explode applies to arrays and objects.'],
  ['query: allowReserved set', query('schema: {type: string}'), query('allowReserved: true, schema: {type: string}'), 'C-', 'The escaped forms that were sent stay valid.'],
  ['query: allowReserved false written out', query('schema: {type: string}'), query('allowReserved: false, schema: {type: string}'), 'CC', 'false is the default.'],
  ['query: style of an array', query('explode: false, schema: {type: array, items: {type: string}}'), query('style: pipeDelimited, explode: false, schema: {type: array, items: {type: string}}'), 'BB', 'a=1,2 and a=1|2 differ.'],
  ['query: style of an object', query('schema: {type: object, properties: {k: {type: string}}}'), query('style: deepObject, explode: true, schema: {type: object, properties: {k: {type: string}}}'), 'BB', 'k=v and a[k]=v differ.'],
  ['path: style of a string', path('schema: {type: string}'), path('style: label, schema: {type: string}'), 'BB', 'The label style adds a dot.'],
  ['query: default style written out', query('schema: {type: string}'), query('style: form, explode: true, schema: {type: string}'), 'CC', 'form with explode is the default.'],
  ['path: default style written out', path('schema: {type: string}'), path('style: simple, explode: false, schema: {type: string}'), 'CC', 'simple without explode is the default.'],
  ['query: optional parameter added', get(OK), query('schema: {type: string}'), 'CB', 'A client of the reverse change sends a parameter that is no longer declared.'],
  ['query: required parameter added', get(OK), query('required: true, schema: {type: string}'), 'BB', 'A client does not send it.'],
  ['query: becomes required', query('schema: {type: string}'), query('required: true, schema: {type: string}'), 'BC', 'A client may omit it.'],
  ['query: required false written out', query('schema: {type: string}'), query('required: false, schema: {type: string}'), 'CC', 'false is the default.'],
  ['query parameter moved to a header', query('schema: {type: string}'), get(`parameters: [{name: a, in: header, schema: {type: string}}], ${OK}`), 'BR', 'The value is sent elsewhere.'],
  ['query parameter renamed', parameters('{name: a, in: query, schema: {type: string}}'), parameters('{name: b, in: query, schema: {type: string}}'), 'BB', 'Query parameters have names on the wire.'],
  ['query parameter in other capitals', parameters('{name: a, in: query, schema: {type: string}}'), parameters('{name: A, in: query, schema: {type: string}}'), 'BB', 'Names in a query are case-sensitive.'],
  ['header parameter in other capitals', header('schema: {type: string}'), get(`parameters: [{name: x-a, in: header, schema: {type: string}}], ${OK}`), 'CC', 'Names of headers are case-insensitive.'],
  ['parameters in another order', parameters('{name: a, in: query, schema: {}}, {name: b, in: query, schema: {}}'), parameters('{name: b, in: query, schema: {}}, {name: a, in: query, schema: {}}'), 'CC', 'The order has no meaning.'],
  ['parameter moved to the path item', query('schema: {type: string}'), `paths: {/toys: {parameters: [{name: a, in: query, schema: {type: string}}], get: {operationId: getToys, ${OK}}}}`, 'CC', 'An operation inherits the parameters of its path.'],
  ['parameter moved to components', query('schema: {type: string}'), `components: {parameters: {A: {name: a, in: query, schema: {type: string}}}}\n${parameters("{$ref: '#/components/parameters/A'}")}`, 'CC', 'The parameter is the same.'],
  ['component parameter renamed', `components: {parameters: {A: {name: a, in: query, schema: {type: string}}}}\n${parameters("{$ref: '#/components/parameters/A'}")}`, `components: {parameters: {B: {name: a, in: query, schema: {type: string}}}}\n${parameters("{$ref: '#/components/parameters/B'}")}`, 'CC', 'The name of a component is not sent.'],
  ['reserved header parameter', get(OK), get(`parameters: [{name: Accept, in: header, required: true, schema: {type: string}}], ${OK}`), 'CC', 'OpenAPI ignores header parameters named Accept.'],
  ['query: maximum set', query('schema: {type: integer}'), query('schema: {type: integer, maximum: 9}'), 'BC', '10 is valid before only.'],
  ['query: default replaced', query('schema: {type: integer, default: 1}'), query('schema: {type: integer, default: 2}'), 'BB', 'A client that omits it gets another result.'],
  ['query: allowEmptyValue', query('allowEmptyValue: true, schema: {type: string}'), query('schema: {type: string}'), 'BC', 'A client may send a name without a value.'],
  ['query: deprecated', query('schema: {type: string}'), query('deprecated: true, schema: {type: string}'), 'CC', 'The contract still holds.'],
  ['query: example', query('schema: {type: string}'), query('example: a, schema: {type: string}'), 'CC', 'Only documentation.'],
  ['query: schema as JSON content', query('schema: {type: object}'), query('content: {application/json: {schema: {type: object}}}'), 'BB', 'The value is serialized as JSON.'],
  ['query: enum in items extended', query('schema: {type: array, items: {type: string, enum: [a]}}'), query('schema: {type: array, items: {type: string, enum: [a, b]}}'), 'CB', 'b is valid after only.'],
];

const post = (content: string, rest = '') =>
  `paths: {/toys: {post: {operationId: postToys, requestBody: {${rest}content: {${content}}}, ${OK}}}}`;
const noBody = `paths: {/toys: {post: {operationId: postToys, ${OK}}}}`;
const JSON_TEXT = 'application/json: {schema: {type: string}}';
const part = (a: string, encoding: string, type = 'multipart/form-data') =>
  post(
    `${type}: {schema: {type: object, properties: {a: ${a}}}${encoding === '' ? '' : `, encoding: {${encoding}}`}}`,
  );
const FILE = '{type: string, contentMediaType: image/png}';

// biome-ignore format: a table
const BODIES: readonly ContractRow[] = [
  ['required body added', noBody, post(JSON_TEXT, 'required: true, '), 'BB', 'A client sends no body.'],
  ['optional body added', noBody, post(JSON_TEXT), 'CB', 'A client of the reverse change sends a body that is no longer declared.'],
  ['body becomes required', post(JSON_TEXT), post(JSON_TEXT, 'required: true, '), 'BC', 'A client may omit the body.'],
  ['body moved to components', post(JSON_TEXT), `components: {requestBodies: {A: {content: {${JSON_TEXT}}}}}\npaths: {/toys: {post: {operationId: postToys, requestBody: {$ref: '#/components/requestBodies/A'}, ${OK}}}}`, 'CC', 'The body is the same.'],
  ['media type added', post(JSON_TEXT), post(`${JSON_TEXT}, text/plain: {}`), 'CB', 'A client of the reverse change sends text/plain.'],
  ['media type replaced', post('application/json: {}'), post('application/xml: {}'), 'BB', 'A client sends JSON.'],
  ['media type under a range', post('text/plain: {}'), post('text/*: {}'), 'CB', 'The range covers text/plain and more.'],
  ['media type in other capitals', post('application/json: {}'), post('Application/JSON: {}'), 'CC', 'Media types are case-insensitive.'],
  ['media type with charset', post('application/json: {}'), post('application/json; charset=utf-8: {}'), 'CC', 'JSON is UTF-8 (RFC 8259).'],
  ['XML name', post('application/xml: {schema: {type: object, properties: {a: {type: string}}}}'), post('application/xml: {schema: {type: object, properties: {a: {type: string, xml: {name: b}}}}}'), 'BB', 'The element has another name.'],
  ['XML attribute', post('application/xml: {schema: {type: object, properties: {a: {type: string}}}}'), post('application/xml: {schema: {type: object, properties: {a: {type: string, xml: {attribute: true}}}}}'), 'BB', 'An attribute is no element.'],
  ['XML name in JSON', post('application/json: {schema: {type: object, properties: {a: {type: string}}}}'), post('application/json: {schema: {type: object, properties: {a: {type: string, xml: {name: b}}}}}'), 'CC', 'JSON has no element names.'],
  ['text body: integer as string', post('text/plain: {schema: {type: integer}}'), post('text/plain: {schema: {type: string}}'), 'CB', 'The text of an integer is a string.'],
  ['form field: integer as string', part('{type: integer}', '', 'application/x-www-form-urlencoded'), part('{type: string}', '', 'application/x-www-form-urlencoded'), 'CB', 'The text of an integer is a string.'],
  ['form field: enum narrowed', part('{enum: [a, b]}', '', 'application/x-www-form-urlencoded'), part('{enum: [a]}', '', 'application/x-www-form-urlencoded'), 'BC', 'b is valid before only.'],
  ['form encoding style', part('{type: array, items: {}}', '', 'application/x-www-form-urlencoded'), part('{type: array, items: {}}', 'a: {style: spaceDelimited, explode: false}', 'application/x-www-form-urlencoded'), 'BB', 'The items are joined differently.'],
  ['form encoding written out with defaults', part('{type: array, items: {}}', '', 'application/x-www-form-urlencoded'), part('{type: array, items: {}}', 'a: {style: form, explode: true}', 'application/x-www-form-urlencoded'), 'CC', 'form with explode is the default.'],
  ['multipart encoding added with its part', post('multipart/form-data: {schema: {type: object, properties: {a: {type: string}}}}'), post(`multipart/form-data: {schema: {type: object, properties: {a: {type: string}, b: ${FILE}}}, encoding: {b: {contentType: image/png}}}`), 'CR', 'A client does not send the new part.'],
  ['multipart encoding widened', part(FILE, 'a: {contentType: image/png}'), part(FILE, "a: {contentType: 'image/png, image/jpeg'}"), 'CB', 'A client of the reverse change sends image/jpeg.'],
  ['multipart encoding under a range', part(FILE, 'a: {contentType: image/png}'), part(FILE, "a: {contentType: 'image/*'}"), 'CB', 'The range covers image/png and more.'],
  ['multipart encoding replaced', part(FILE, 'a: {contentType: image/png}'), part(FILE, 'a: {contentType: image/jpeg}'), 'BB', 'A client sends image/png.'],
  ['multipart default of a string written out', part('{type: string}', ''), part('{type: string}', 'a: {contentType: text/plain}'), 'CC', 'text/plain is the default of a string.'],
  ['multipart default of an object written out', part('{type: object}', ''), part('{type: object}', 'a: {contentType: application/json}'), 'CC', 'application/json is the default of an object.'],
  ['multipart part restricted', part('{type: string}', ''), part('{type: string}', 'a: {contentType: application/json}'), 'BB', 'A client sends text/plain.'],
  ['encoding of a part that does not exist', part('{type: string}', ''), part('{type: string}', 'z: {contentType: image/png}'), 'CC', 'The encoding is ignored.'],
  ['encoding in JSON', post('application/json: {schema: {type: object, properties: {a: {type: string}}}}'), post('application/json: {schema: {type: object, properties: {a: {type: string}}}, encoding: {a: {contentType: text/csv}}}'), 'CC', 'encoding applies to forms only.'],
  ['multipart header required', part(FILE, 'a: {contentType: image/png}'), part(FILE, 'a: {contentType: image/png, headers: {X-A: {required: true, schema: {type: string}}}}'), 'BB', 'A client sends no header; in the reverse it sends one that is no longer declared.'],
  ['multipart header optional', part(FILE, 'a: {contentType: image/png}'), part(FILE, 'a: {contentType: image/png, headers: {X-A: {schema: {type: string}}}}'), 'CB', 'A client of the reverse change sends a header that is no longer declared.'],
  ['example of a media type', post('application/json: {example: a}'), post('application/json: {example: b}'), 'CC', 'Only documentation.'],
];

const answer = (text: string) => get(`responses: {${text}}`);
const ok = (content: string) => answer(`"200": {description: a, ${content}}`);
const inHeader = (schema: string, rest = '') =>
  answer(`"200": {description: a, headers: {X-A: {${rest}schema: ${schema}}}}`);
const ERROR =
  'content: {application/json: {schema: {type: object, properties: {e: {type: string}}}}}';

// biome-ignore format: a table
const RESPONSES: readonly ContractRow[] = [
  ['404 removed', answer('"200": {description: a}, "404": {description: b}'), answer('"200": {description: a}'), 'CR', 'Every response of the new service is declared; the reverse adds a status.'],
  ['404 with a body removed', answer(`"200": {description: a}, "404": {description: b, ${ERROR}}`), answer('"200": {description: a}'), 'CR', 'Every response of the new service is declared.'],
  ['default removed', answer('"200": {description: a}, default: {description: b}'), answer('"200": {description: a}'), 'CR', 'Every response of the new service is declared.'],
  ['default instead of 404', answer('"200": {description: a}, "404": {description: b}'), answer('"200": {description: a}, default: {description: b}'), 'RC', 'default adds statuses.'],
  ['range narrowed to one status', answer('"200": {description: a}, 4XX: {description: b}'), answer('"200": {description: a}, "404": {description: b}'), 'CR', 'The range covers 404.'],
  ['range narrowed to one status with another body', answer(`"200": {description: a}, 4XX: {description: b, ${ERROR}}`), answer('"200": {description: a}, "404": {description: b, content: {application/json: {schema: {type: object, properties: {e: {type: integer}}}}}}'), 'BB', 'The property e has another type.'],
  ['range in lower case', answer('"200": {description: a}, 4XX: {description: b}'), answer('"200": {description: a}, 4xx: {description: b}'), 'CC', 'The engine reads both.'],
  ['status that default covers', answer('"200": {description: a}, default: {description: b}'), answer('"200": {description: a}, "404": {description: b}, default: {description: b}'), 'CC', 'default already declares it.'],
  ['success status replaced', answer('"200": {description: a}'), answer('"201": {description: a}'), 'BB', 'The old contract does not declare the new status.'],
  ['second success status removed', answer(`"200": {description: a, ${ERROR}}, "201": {description: a, ${ERROR}}`), answer(`"200": {description: a, ${ERROR}}`), 'BR', 'Clients that wait for the removed success never get it.'],
  ['error status added', answer('"200": {description: a}'), answer('"200": {description: a}, "409": {description: b}'), 'RC', 'Clients handle unknown errors by their class (RFC 9110, section 15).'],
  ['success range', answer('"200": {description: a}'), answer('2XX: {description: a}'), 'RC', 'The range covers 200 and adds statuses.'],
  ['description', answer('"200": {description: a}'), answer('"200": {description: b}'), 'CC', 'Only documentation.'],
  ['response moved to components', answer('"200": {description: a}'), `components: {responses: {A: {description: a}}}\n${answer('"200": {$ref: "#/components/responses/A"}')}`, 'CC', 'The response is the same.'],
  ['body removed', ok('content: {application/json: {schema: {type: string}}}'), answer('"200": {description: a}'), 'B-', 'Clients read a body.'],
  ['media type of a response removed', ok('content: {application/json: {}, text/csv: {}}'), ok('content: {application/json: {}}'), 'BR', 'Clients that accept text/csv are not served.'],
  ['media type of a response under a range', ok('content: {text/plain: {}}'), ok("content: {'text/*': {}}"), 'RC', 'The range covers text/plain and more.'],
  ['media type of a response in other capitals', ok('content: {application/json: {}}'), ok('content: {Application/JSON: {}}'), 'CC', 'Media types are case-insensitive.'],
  ['header removed', inHeader('{type: string}'), answer('"200": {description: a}'), 'BC', 'Clients that read it no longer get it.'],
  ['header in other capitals', inHeader('{type: string}'), answer('"200": {description: a, headers: {x-a: {schema: {type: string}}}}'), 'CC', 'Names of headers are case-insensitive.'],
  ['header becomes optional', inHeader('{type: string}', 'required: true, '), inHeader('{type: string}'), 'BC', 'Clients rely on it.'],
  ['response header: integer as string', inHeader('{type: integer}'), inHeader('{type: string}'), 'BC', 'Clients parse an integer; every integer is a string.'],
  ['header: string with a pattern', inHeader('{type: string}'), inHeader("{type: string, pattern: '^a'}"), 'CB', 'Fewer values are sent.'],
  ['response header: explode of an array', inHeader('{type: array, items: {type: string}}'), inHeader('{type: array, items: {type: string}}', 'explode: true, '), 'CC', 'In style simple an array has commas with and without explode.'],
  ['Content-Type header', answer('"200": {description: a, headers: {Content-Type: {schema: {type: string}}}}'), answer('"200": {description: a}'), 'CC', 'OpenAPI ignores it.'],
  ['link', answer('"200": {description: a, links: {next: {operationId: getToys}}}'), answer('"200": {description: a}'), 'CC', 'The response is the same.'],
  ['enum of a response with one value more', ok('content: {application/json: {schema: {enum: [a]}}}'), ok('content: {application/json: {schema: {enum: [a, b]}}}'), 'BC', 'Clients do not know b.'],
  ['XML name in a response', ok('content: {application/xml: {schema: {type: object, xml: {name: a}}}}'), ok('content: {application/xml: {schema: {type: object, xml: {name: b}}}}'), 'BB', 'The element has another name.'],
];

const schemes = (text: string) => `components: {securitySchemes: {${text}}}\n`;
const secured = (scheme: string, need = '[{s: []}]') =>
  `${schemes(`s: {${scheme}}, t: {type: apiKey, in: header, name: X-Key}`)}${get(`security: ${need}, ${OK}`)}`;
const oauth = (flows: string, need?: string) => secured(`type: oauth2, flows: {${flows}}`, need);
const TOKEN = 'tokenUrl: https://a.example/token';
const AUTHORIZE = 'authorizationUrl: https://a.example/authorize';
const CLIENT = `clientCredentials: {${TOKEN}, ${SCOPES}}`;
const CODE = `authorizationCode: {${AUTHORIZE}, ${TOKEN}, ${SCOPES}}`;

// biome-ignore format: a table
const SECURITY: readonly ContractRow[] = [
  ['OAuth flow added', oauth(CLIENT), oauth(`${CLIENT}, ${CODE}`), 'CB', 'The flow in use stays; the reverse removes one.'],
  ['OAuth flow replaced', oauth(CODE), oauth(`implicit: {${AUTHORIZE}, ${SCOPES}}`), 'BB', 'The flow in use is gone.'],
  ['OAuth refreshUrl added', oauth(CODE), oauth(`authorizationCode: {${AUTHORIZE}, ${TOKEN}, refreshUrl: https://a.example/refresh, ${SCOPES}}`), 'CB', 'Clients of the reverse change use it.'],
  ['OAuth tokenUrl replaced', oauth(CLIENT), oauth(`clientCredentials: {tokenUrl: https://b.example/token, ${SCOPES}}`), 'BB', 'Clients ask the old URL for tokens.'],
  ['OAuth authorizationUrl replaced', oauth(CODE), oauth(`authorizationCode: {authorizationUrl: https://b.example/authorize, ${TOKEN}, ${SCOPES}}`), 'BB', 'Clients send users to the old URL.'],
  ['OAuth scope described', oauth(CLIENT), oauth(`clientCredentials: {${TOKEN}, scopes: {read: reading, write: w}}`), 'CC', 'Only documentation.'],
  ['OAuth scope offered', oauth(CLIENT), oauth(`clientCredentials: {${TOKEN}, scopes: {read: r, write: w, admin: a}}`), 'CR', 'Clients that request a scope that is gone may be refused a token.'],
  ['OAuth scope required', oauth(CLIENT, '[{s: [read]}]'), oauth(CLIENT, '[{s: [read, write]}]'), 'BC', 'A token with read no longer suffices.'],
  ['OAuth flow added and scope required', oauth(CLIENT, '[{s: [read]}]'), oauth(`${CLIENT}, ${CODE}`, '[{s: [read, write]}]'), 'BB', 'A token with read no longer suffices; the reverse removes a flow.'],
  ['OpenID Connect URL replaced', secured('type: openIdConnect, openIdConnectUrl: https://a.example'), secured('type: openIdConnect, openIdConnectUrl: https://b.example'), 'BB', 'Another issuer.'],
  ['credentials required', get(OK), secured('type: http, scheme: bearer'), 'BC', 'A client sends none.'],
  ['credentials become optional', secured('type: http, scheme: bearer'), secured('type: http, scheme: bearer', '[{s: []}, {}]'), 'CB', 'Credentials are still accepted.'],
  ['alternative added', secured('type: http, scheme: bearer'), secured('type: http, scheme: bearer', '[{s: []}, {t: []}]'), 'CB', 'A client of the reverse change uses the key.'],
  ['second scheme required as well', secured('type: http, scheme: bearer'), secured('type: http, scheme: bearer', '[{s: [], t: []}]'), 'BC', 'A client sends no key.'],
  ['alternatives in another order', secured('type: http, scheme: bearer', '[{t: []}, {s: []}]'), secured('type: http, scheme: bearer', '[{s: []}, {t: []}]'), 'CC', 'The order has no meaning.'],
  ['scheme in other capitals', secured('type: http, scheme: bearer'), secured('type: http, scheme: Bearer'), 'CC', 'Authentication schemes are case-insensitive.'],
  ['bearerFormat', secured('type: http, scheme: bearer'), secured('type: http, scheme: bearer, bearerFormat: JWT'), 'CC', 'A hint for documentation.'],
  ['scheme replaced', secured('type: http, scheme: bearer'), secured('type: http, scheme: basic'), 'BB', 'A client sends a bearer token.'],
  ['key in the query', secured('type: apiKey, in: header, name: X-A'), secured('type: apiKey, in: query, name: X-A'), 'BB', 'The key is sent elsewhere.'],
  ['key header in other capitals', secured('type: apiKey, in: header, name: X-A'), secured('type: apiKey, in: header, name: x-a'), 'CC', 'Names of headers are case-insensitive.'],
  ['scheme renamed', secured('type: http, scheme: bearer'), `${schemes('u: {type: http, scheme: bearer}, t: {type: apiKey, in: header, name: X-Key}')}${get(`security: [{u: []}], ${OK}`)}`, 'RR', 'SDKs configure credentials by the name.'],
  ['requirement moved to the document', secured('type: http, scheme: bearer'), `${schemes('s: {type: http, scheme: bearer}, t: {type: apiKey, in: header, name: X-Key}')}security: [{s: []}]\n${get(OK)}`, 'CC', 'Operations inherit the requirement.'],
  ['requirement of the document lifted', `${schemes('s: {type: http, scheme: bearer}')}security: [{s: []}]\n${get(OK)}`, `${schemes('s: {type: http, scheme: bearer}')}security: [{s: []}]\n${get(`security: [], ${OK}`)}`, 'CB', 'No credentials are needed.'],
  ['unused scheme removed', `${schemes('s: {type: http, scheme: bearer}')}${get(OK)}`, get(OK), 'CC', 'No operation uses it.'],
];

const servers = (list: string) => `servers: [${list}]\n${get(OK)}`;
const onOperation = (list: string) =>
  `servers: [{url: https://a.example}]\n${get(`servers: [${list}], ${OK}`)}`;
const onPath = (list: string) =>
  `servers: [{url: https://a.example}]\npaths: {/toys: {servers: [${list}], get: {operationId: getToys, ${OK}}}}`;
const region = (rest: string) =>
  servers(`{url: 'https://{region}.a.example', variables: {region: {${rest}}}}`);

// biome-ignore format: a table
const SERVERS: readonly ContractRow[] = [
  ['value of a server variable', region('default: eu, enum: [eu, us]'), region('default: eu, enum: [eu]'), 'BC', 'Clients use the host of the removed value.'],
  ['default of a server variable without enum', region('default: eu'), region('default: us'), 'BB', 'The only documented host is another one.'],
  ['default of a server variable with enum', region('default: eu, enum: [eu, us]'), region('default: us, enum: [eu, us]'), 'RR', 'The old host is still declared; new SDKs use another one.'],
  ['enum of a server variable set', region('default: eu'), region('default: eu, enum: [eu]'), 'BC', 'A client may substitute any value before.'],
  ['server variable described', region('default: eu, enum: [eu]'), region('default: eu, enum: [eu], description: d'), 'CC', 'Only documentation.'],
  ['server variable substituted', region('default: eu, enum: [eu]'), servers('{url: https://eu.a.example}'), 'CC', 'The same URL.'],
  ['base path of a variable', servers("{url: '/{v}', variables: {v: {default: v1, enum: [v1, v2]}}}"), servers("{url: '/{v}', variables: {v: {default: v2, enum: [v2]}}}"), 'BC', 'Clients call /v1; the reverse keeps both.'],
  ['server of an operation replaced', onOperation('{url: https://b.example}'), onOperation('{url: https://c.example}'), 'BB', 'Clients call the old host.'],
  ['server of an operation added', onOperation('{url: https://b.example}'), onOperation('{url: https://b.example}, {url: https://c.example}'), 'CB', 'The old host stays; the reverse removes one.'],
  ['server of an operation set', servers('{url: https://a.example}'), onOperation('{url: https://b.example}'), 'BB', 'The operation leaves the host of the document.'],
  ['server of an operation written out', servers('{url: https://a.example}'), onOperation('{url: https://a.example}'), 'CC', 'The same host.'],
  ['server of a path replaced', onPath('{url: https://b.example}'), onPath('{url: https://c.example}'), 'BB', 'Clients call the old host.'],
  ['server of a path moved to its operation', onPath('{url: https://b.example}'), onOperation('{url: https://b.example}'), 'CC', 'The same host.'],
  ['server of a path described', onPath('{url: https://b.example}'), onPath('{url: https://b.example, description: d}'), 'CC', 'Only documentation.'],
  ['host replaced', servers('{url: https://a.example/v1}'), servers('{url: https://b.example/v1}'), 'BB', 'Clients call the old host.'],
  ['base path replaced', servers('{url: /v1}'), servers('{url: /v2}'), 'BB', 'Clients call the old path.'],
  ['trailing slash', servers('{url: https://a.example}'), servers('{url: https://a.example/}'), 'CC', 'The same URL.'],
  ['trailing slash of a base path', servers('{url: https://a.example/v1}'), servers('{url: https://a.example/v1/}'), 'CC', 'The path of an operation is appended either way.'],
  ['capitals in the host', servers('{url: https://a.example/v1}'), servers('{url: https://A.Example/v1}'), 'CC', 'Hosts are case-insensitive.'],
  ['capitals in the base path', servers('{url: https://a.example/v1}'), servers('{url: https://a.example/V1}'), 'BB', 'Paths are case-sensitive.'],
  ['default port', servers('{url: https://a.example}'), servers('{url: https://a.example:443}'), 'CC', '443 is the default of https.'],
  ['other port', servers('{url: https://a.example}'), servers('{url: https://a.example:8443}'), 'BB', 'Clients connect to 443.'],
  ['https instead of http', servers('{url: http://a.example}'), servers('{url: https://a.example}'), 'BB', 'Clients call the http URL.'],
  ['servers added where none stood', get(OK), servers('{url: https://a.example}'), 'C-', 'Without servers clients configure the host.'],
  ['servers with a base path added where none stood', get(OK), servers('{url: https://a.example/v1}'), 'B-', 'Without servers the base path is empty.'],
  ['server written out as /', get(OK), servers('{url: /}'), 'CC', '/ is the default.'],
  ['second server added', servers('{url: https://a.example}'), servers('{url: https://a.example}, {url: https://b.example}'), 'CB', 'Clients of the reverse change use the second one.'],
  ['server described', servers('{url: https://a.example}'), servers('{url: https://a.example, description: d}'), 'CC', 'Only documentation.'],
];

const named = (schema: string) =>
  `'/toys/{name}': {get: {operationId: getToy, parameters: [{name: name, in: path, required: true, schema: ${schema}}], ${OK}}}`;
const paths = (...items: string[]) => `paths: {${items.join(', ')}}`;
const LATEST = `/toys/latest: {get: {operationId: getLatest, ${OK}}}`;

// biome-ignore format: a table
const PATHS: readonly ContractRow[] = [
  ['literal path over a template', paths(named('{type: string}')), paths(named('{type: string}'), LATEST), 'RB', 'A request for the toy named latest reaches another operation.'],
  ['literal path over a template of integers', paths(named('{type: integer}')), paths(named('{type: integer}'), LATEST), 'CB', 'latest was never a valid integer.'],
  ['literal path over a template of other values', paths(named('{type: string, enum: [a, b]}')), paths(named('{type: string, enum: [a, b]}'), LATEST), 'CB', 'latest was never a valid name.'],
  ['literal path beside a template', paths(named('{type: string}')), paths(named('{type: string}'), `/games/latest: {get: {operationId: getLatest, ${OK}}}`), 'CB', 'The template does not match it.'],
  ['template beside a literal path', paths(LATEST), paths(LATEST, named('{type: string}')), 'CB', 'The literal path takes precedence.'],
  ['other method over a template', paths(named('{type: string}')), paths(named('{type: string}'), `/toys/latest: {post: {operationId: postLatest, ${OK}}}`), 'RB', 'A literal path hides the template, also for other methods.'],
  ['path parameter renamed', paths(named('{type: string}')), paths(named('{type: string}').replaceAll('name}', 'id}').replace('name: name', 'name: id')), 'RR', 'SDKs rename the argument.'],
  ['operation added', get(OK), paths(`/toys: {get: {operationId: getToys, ${OK}}, put: {operationId: putToys, ${OK}}}`), 'CB', 'Clients do not call it; those of the reverse change do.'],
  ['path renamed', get(OK), paths(`/games: {get: {operationId: getToys, ${OK}}}`), 'BB', 'Clients call the old path.'],
  ['trailing slash of a path', get(OK), paths(`/toys/: {get: {operationId: getToys, ${OK}}}`), 'BB', 'The paths differ.'],
  ['method replaced', paths(`/toys: {put: {operationId: a, ${OK}}}`), paths(`/toys: {patch: {operationId: a, ${OK}}}`), 'BB', 'Clients use the old method.'],
  ['path item moved to components', get(OK), `components: {pathItems: {A: {get: {operationId: getToys, ${OK}}}}}\npaths: {/toys: {$ref: '#/components/pathItems/A'}}`, 'CC', 'The operations are the same.'],
  ['operationId renamed', get(OK), paths(`/toys: {get: {operationId: listToys, ${OK}}}`), 'BB', 'SDKs lose their method.'],
  ['operation deprecated', get(OK), get(`deprecated: true, ${OK}`), 'CC', 'The contract still holds.'],
  ['operations in another order', paths(`/a: {get: {operationId: a, ${OK}}}`, `/b: {get: {operationId: b, ${OK}}}`), paths(`/b: {get: {operationId: b, ${OK}}}`, `/a: {get: {operationId: a, ${OK}}}`), 'CC', 'The order has no meaning.'],
  ['summary', get(`summary: a, ${OK}`), get(`summary: b, ${OK}`), 'CC', 'Only documentation.'],
];

const hook = (schema: string) =>
  `paths: {}\nwebhooks: {sold: {post: {requestBody: {content: {application/json: {schema: ${schema}}}}, ${OK}}}}`;
const callback = (url: string, schema: string) =>
  get(
    `callbacks: {sold: {'${url}': {post: {requestBody: {content: {application/json: {schema: ${schema}}}}, ${OK}}}}}, ${OK}`,
  );
const URL = '{$request.query.url}';
const used = (name: string, schema: string) =>
  `components: {schemas: {${name}: ${schema}}}\n${ok(`content: {application/json: {schema: {$ref: '#/components/schemas/${name}'}}}`)}`;

// biome-ignore format: a table
const WEBHOOKS_AND_COMPONENTS: readonly ContractRow[] = [
  ['webhook removed', hook('{}'), 'paths: {}\nwebhooks: {}', 'BC', 'Subscribers no longer receive it.'],
  ['value of a webhook added', hook('{enum: [a]}'), hook('{enum: [a, b]}'), 'BC', 'Subscribers do not know b.'],
  ['property of a webhook removed', hook('{type: object, properties: {a: {}}}'), hook('{type: object}'), 'BC', 'Subscribers read a.'],
  ['property of a webhook becomes required', hook('{type: object, properties: {a: {}}}'), hook('{type: object, properties: {a: {}}, required: [a]}'), 'CB', 'Subscribers get it more often.'],
  ['property of a callback removed', callback(URL, '{type: object, properties: {a: {}}}'), callback(URL, '{type: object}'), 'BC', 'Receivers read a.'],
  ['type list of a webhook as oneOf', hook('{type: [string, integer]}'), hook('{oneOf: [{type: string}, {type: integer}]}'), 'CC', 'No value is both a string and an integer.'],
  ['schema renamed', used('A', '{type: object, properties: {a: {type: string}}}'), used('B', '{type: object, properties: {a: {type: string}}}'), 'RR', 'SDKs name types after schemas.'],
  ['schema inlined', used('A', '{type: object, properties: {a: {type: string}}}'), ok('content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}'), 'RC', 'SDKs lose a type.'],
  ['unused schema added', get(OK), `components: {schemas: {A: {}}}\n${get(OK)}`, 'CR', 'Operations are the same; the reverse loses a type.'],
  ['info', `${get(OK)}\ntags: [{name: a}]`, `${get(OK)}\ntags: [{name: b}]`, 'CC', 'Only documentation.'],
];

export const EXCHANGE_ROWS: readonly ContractRow[] = [
  ...PARAMETERS,
  ...BODIES,
  ...RESPONSES,
  ...SECURITY,
  ...SERVERS,
  ...PATHS,
  ...WEBHOOKS_AND_COMPONENTS,
];
