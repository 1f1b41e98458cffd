// Labelled changes of parameters, media types, responses, security and references that are hard to classify.
import { type ContractRow, contractOf } from './pair.ts';
import { OK, POINT, parameters, STRINGS } from './texts.ts';

const toys = (operation: string, path = '/toys', item = '') =>
  `paths: {'${path}': {${item}get: {operationId: getToys, ${operation}}}}`;
const query = (rest: string) => parameters(`{name: a, in: query, ${rest}}`);
const header = (rest: string) => parameters(`{name: X-A, in: header, ${rest}}`);
const cookie = (rest: string) => parameters(`{name: a, in: cookie, ${rest}}`);
const path = (rest: string) =>
  toys(`parameters: [{name: a, in: path, required: true, ${rest}}], ${OK}`, '/toys/{a}');
const INTEGERS = '{type: array, items: {type: integer}}';

// biome-ignore format: a table
const PARAMETERS: readonly ContractRow[] = [
  ['header parameter moved to a cookie', header('schema: {type: string}'), cookie('schema: {type: string}'), 'RR', 'The value is sent elsewhere.'],
  ['query: exploded array with spaces', query(`schema: ${STRINGS}`), query(`style: spaceDelimited, explode: false, schema: ${STRINGS}`), 'BB', 'a=1&a=2 and a=1%202 differ.'],
  ['query: commas of numbers become pipes', query(`explode: false, schema: ${INTEGERS}`), query(`style: pipeDelimited, explode: false, schema: ${INTEGERS}`), 'BB', 'a=1,2 and a=1|2 differ.'],
  ['query: deepObject gains a property', query('style: deepObject, explode: true, schema: {type: object, properties: {x: {type: integer}}}'), query(`style: deepObject, explode: true, schema: ${POINT}`), 'CR', 'Clients may send y.'],
  ['query: property of deepObject as string', query(`style: deepObject, explode: true, schema: ${POINT}`), query('style: deepObject, explode: true, schema: {type: object, properties: {x: {type: string}, y: {type: integer}}}'), 'CB', 'The text of an integer is a string.'],
  ['query: property of deepObject becomes required', query(`style: deepObject, explode: true, schema: ${POINT}`), query('style: deepObject, explode: true, schema: {type: object, required: [x], properties: {x: {type: integer}, y: {type: integer}}}'), 'BC', 'Clients may omit x.'],
  ['query: exploded object as deepObject', query(`schema: ${POINT}`), query(`style: deepObject, explode: true, schema: ${POINT}`), 'BB', 'x=1 and a[x]=1 differ.'],
  ['query: exploded object as a list', query(`schema: ${POINT}`), query(`explode: false, schema: ${POINT}`), 'BB', 'x=1 and a=x,1 differ.'],
  ['query: content with charset', query('content: {application/json: {schema: {type: string}}}'), query("content: {'application/json; charset=utf-8': {schema: {type: string}}}"), 'CC', 'JSON is UTF-8.'],
  ['query: bound in JSON content', query('content: {application/json: {schema: {type: integer}}}'), query('content: {application/json: {schema: {type: integer, maximum: 9}}}'), 'BC', '10 is valid before only.'],
  ['query: property of JSON content becomes required', query(`content: {application/json: {schema: ${POINT}}}`), query('content: {application/json: {schema: {type: object, required: [x], properties: {x: {type: integer}, y: {type: integer}}}}}'), 'BC', 'Clients may omit x.'],
  ['query: type list as string', query('schema: {type: [integer, string]}'), query('schema: {type: string}'), 'CC', 'The text of an integer is a string.'],
  ['query: string becomes an enum', query('schema: {type: string}'), query('schema: {type: string, enum: [a, b]}'), 'BC', 'c is valid before only.'],
  ['query: integer as int32', query('schema: {type: integer}'), query('schema: {type: integer, format: int32}'), 'BC', '2^31 is valid before only.'],
  ['query: boolean as integer', query('schema: {type: boolean}'), query('schema: {type: integer}'), 'BB', 'true is no integer.'],
  ['query: number as free string with a default', query('schema: {type: number, default: 1}'), query("schema: {type: string, default: '1'}"), 'C-', 'The default has the same text.'],
  ['query: nullable string', query("schema: {type: [string, 'null']}"), query('schema: {type: string}'), 'C-', 'null has no text of its own.'],
  ['query: maxItems set', query(`schema: ${STRINGS}`), query('schema: {type: array, items: {type: string}, maxItems: 2}'), 'BC', 'Three items are valid before only.'],
  ['query: uniqueItems set', query(`schema: ${STRINGS}`), query('schema: {type: array, items: {type: string}, uniqueItems: true}'), 'BC', 'a=1&a=1 is valid before only.'],
  ['path: minLength 1', path('schema: {type: string}'), path('schema: {type: string, minLength: 1}'), 'CC', 'A path parameter is never empty.'],
  ['path: minLength 2', path('schema: {type: string}'), path('schema: {type: string, minLength: 2}'), 'BC', 'One character is valid before only.'],
  ['path: format uuid set', path('schema: {type: string}'), path('schema: {type: string, format: uuid}'), 'BC', 'a is valid before only.'],
  ['path: label becomes matrix', path('style: label, schema: {type: string}'), path('style: matrix, schema: {type: string}'), 'BB', 'Other delimiters.'],
  ['path: matrix explode of an array', path(`style: matrix, schema: ${STRINGS}`), path(`style: matrix, explode: true, schema: ${STRINGS}`), 'BB', ';a=1,2 and ;a=1;a=2 differ.'],
  ['path: positions of two parameters swapped', toys(`parameters: [{name: a, in: path, required: true, schema: {type: integer}}, {name: b, in: path, required: true, schema: {type: string}}], ${OK}`, '/toys/{a}/parts/{b}'), toys(`parameters: [{name: a, in: path, required: true, schema: {type: integer}}, {name: b, in: path, required: true, schema: {type: string}}], ${OK}`, '/toys/{b}/parts/{a}'), 'BB', 'The second segment becomes an integer.'],
  ['path: extension added to the template', path('schema: {type: string}'), toys(`parameters: [{name: a, in: path, required: true, schema: {type: string}}], ${OK}`, '/toys/{a}.json'), 'BB', 'Another URL.'],
  ['path: parameters of the path declared in another order', toys(`parameters: [{name: a, in: path, required: true, schema: {type: integer}}, {name: b, in: path, required: true, schema: {type: string}}], ${OK}`, '/toys/{a}/{b}'), toys(`parameters: [{name: b, in: path, required: true, schema: {type: string}}, {name: a, in: path, required: true, schema: {type: integer}}], ${OK}`, '/toys/{a}/{b}'), 'CC', 'The template gives the positions.'],
  ['overridden parameter of the path item replaced', toys(`parameters: [{name: a, in: query, schema: {type: string}}], ${OK}`, '/toys', 'parameters: [{name: a, in: query, schema: {type: integer}}], '), toys(`parameters: [{name: a, in: query, schema: {type: string}}], ${OK}`, '/toys', 'parameters: [{name: a, in: query, required: true, schema: {type: boolean}}], '), 'CC', 'The operation overrides it.'],
  ['override of a parameter removed', toys(`parameters: [{name: a, in: query, schema: {type: string}}], ${OK}`, '/toys', 'parameters: [{name: a, in: query, schema: {type: integer}}], '), toys(OK, '/toys', 'parameters: [{name: a, in: query, schema: {type: integer}}], '), 'BC', 'The parameter of the path item applies: an integer.'],
  ['parameter of the path item in another location', toys(OK, '/toys', 'parameters: [{name: a, in: query, schema: {type: string}}], '), toys(`parameters: [{name: a, in: header, schema: {type: string}}], ${OK}`, '/toys', 'parameters: [{name: a, in: query, schema: {type: string}}], '), 'CR', 'Both parameters apply.'],
  ['required parameter of the path item added', toys(OK), toys(OK, '/toys', 'parameters: [{name: a, in: query, required: true, schema: {type: string}}], '), 'BB', 'Every operation needs it.'],
  ['one of two parameters with the same name removed', parameters('{name: a, in: query, schema: {}}, {name: a, in: header, schema: {}}'), parameters('{name: a, in: query, schema: {}}'), 'RC', 'Clients send the header.'],
  ['deprecated parameter past its sunset removed', query("deprecated: true, x-sunset: '2020-01-01', schema: {type: string}"), toys(OK), 'C-', 'The removal was announced.'],
  ['deprecated parameter before its sunset removed', query("deprecated: true, x-sunset: '2999-01-01', schema: {type: string}"), toys(OK), 'B-', 'Clients may send it until that day.'],
  ['deprecated parameter without a date removed', query('deprecated: true, schema: {type: string}'), toys(OK), 'B-', 'Clients may use it until its date.'],
  ['required parameter with a default added', toys(OK), query('required: true, schema: {type: integer, default: 1}'), 'BB', 'A default does not satisfy required.'],
  ['default of a required parameter', query('required: true, schema: {type: integer}'), query('required: true, schema: {type: integer, minimum: -1}'), 'BC', '-2 is valid before only.'],
  ['Accept parameter becomes required', parameters('{name: Accept, in: header, schema: {type: string}}'), parameters('{name: Accept, in: header, required: true, schema: {type: string, enum: [a]}}'), 'CC', 'OpenAPI ignores a parameter with this name.'],
  ['cookie: required', cookie('schema: {type: string}'), cookie('required: true, schema: {type: string}'), 'BC', 'Clients may omit it.'],
  ['query: oneOf as string', query('schema: {oneOf: [{type: integer}, {type: boolean}]}'), query('schema: {type: string}'), 'CB', 'Every text is a string.'],
  ['query: description moved to the schema', query('description: d, schema: {type: string}'), query('schema: {type: string, description: d}'), 'CC', 'Only documentation.'],
  ['query: deprecated schema', query('schema: {type: string}'), query('schema: {type: string, deprecated: true}'), 'CC', 'Only documentation.'],
  ['query: empty values', query('allowEmptyValue: true, schema: {type: integer}'), query('schema: {type: integer}'), 'BC', 'a= is valid before only.'],
  ['query: date as date-time', query('schema: {type: string, format: date}'), query('schema: {type: string, format: date-time}'), 'BB', 'Other texts.'],
  ['query: extension of a parameter', query('x-a: 1, schema: {type: string}'), query('x-a: 2, schema: {type: string}'), 'CC', 'Unknown extensions are documentation.'],
];

const post = (content: string, rest = '', components = '') =>
  `paths: {/toys: {post: {operationId: postToys, requestBody: {${rest}content: {${content}}}, ${OK}}}}${components}`;
const typed = (type: string, schema = '{type: object, properties: {a: {type: string}}}') =>
  `'${type}': {schema: ${schema}}`;
const form = (schema: string, rest = '') =>
  post(`multipart/form-data: {schema: {type: object, properties: {a: ${schema}}}${rest}}`);

// biome-ignore format: a table
const BODIES: readonly ContractRow[] = [
  ['JSON as every subtype of application', post(typed('application/json')), post(typed('application/*')), 'CB', 'The range covers JSON and more.'],
  ['JSON as every type', post(typed('application/json')), post(typed('*/*')), 'CB', 'The range covers JSON and more.'],
  ['vendor JSON as JSON', post(typed('application/vnd.toys+json')), post(typed('application/json')), 'BB', 'Another media type.'],
  ['vendor version of a media type', post(typed('application/vnd.toys.v1+json')), post(typed('application/vnd.toys.v2+json')), 'BB', 'Another media type.'],
  ['JSON with a version', post(typed('application/json')), post(typed('application/json; version=2')), 'BC', 'A request without the version is refused.'],
  ['JSON with another version', post(typed('application/json; version=1')), post(typed('application/json; version=2')), 'BB', 'Another value of the parameter.'],
  ['version beside JSON removed', post(`${typed('application/json')}, ${typed('application/json; version=1')}`), post(typed('application/json')), 'CC', 'application/json matches every version.'],
  ['text as a range', post(typed('text/*', '{type: string}')), post(typed('text/plain', '{type: string}')), 'BC', 'text/csv is valid before only.'],
  ['specific type beside its range', post(typed('application/*')), post(`${typed('application/*')}, ${typed('application/json', '{type: object, properties: {a: {type: string, maxLength: 3}}}')}`), 'BC', 'JSON has a stricter schema.'],
  ['merge patch added', post(typed('application/json')), post(`${typed('application/json')}, ${typed('application/merge-patch+json')}`), 'CB', 'Clients may send it.'],
  ['spaces and capitals in a media type', post(typed('application/json;charset=UTF-8')), post(typed('Application/JSON; charset=utf-8')), 'CC', 'Media types are case-insensitive.'],
  ['schema of a body set', post('application/json: {}'), post(typed('application/json')), 'BR', 'A string is valid before only; the reverse no longer declares a.'],
  ['form as multipart', post(typed('application/x-www-form-urlencoded')), post(typed('multipart/form-data')), 'BB', 'Another media type.'],
  ['XML added', post(typed('application/json')), post(`${typed('application/json')}, ${typed('application/xml')}`), 'CB', 'Clients may send it.'],
  ['XML wrapped', post(typed('application/xml', '{type: object, properties: {a: {type: array, items: {type: string}}}}')), post(typed('application/xml', '{type: object, properties: {a: {type: array, xml: {wrapped: true}, items: {type: string}}}}')), 'BB', 'Another element around the items.'],
  ['part of a form becomes a file', form('{type: string}'), form('{type: string, contentMediaType: image/png}'), 'BB', 'The part has another media type.'],
  ['part of a form becomes required', post(typed('multipart/form-data')), post(typed('multipart/form-data', '{type: object, required: [a], properties: {a: {type: string}}}')), 'BC', 'Clients may omit a.'],
  ['body reference resolved', post(typed('application/json', "{$ref: '#/components/schemas/A'}"), '', '\ncomponents: {schemas: {A: {type: object, properties: {a: {type: string}}}}}'), post(typed('application/json'), '', '\ncomponents: {schemas: {A: {type: object, properties: {a: {type: string}}}}}'), 'CC', 'The same schema.'],
  ['required false of a body written out', post(typed('application/json')), post(typed('application/json'), 'required: false, '), 'CC', 'false is the default.'],
  ['body described', post(typed('application/json')), post(typed('application/json'), 'description: d, '), 'CC', 'Only documentation.'],
  ['text body with a pattern', post(typed('text/plain', '{type: string}')), post(typed('text/plain', "{type: string, pattern: '^[a-z]+$'}")), 'BC', '0 is valid before only.'],
];

const answer = (responses: string) => toys(`responses: {${responses}}`);
const json = (schema: string) => `content: {application/json: {schema: ${schema}}}`;
const E = json('{type: object, properties: {e: {type: string}}}');
const E2 = json('{type: object, properties: {e: {type: integer}}}');
const PROBLEM =
  'content: {application/problem+json: {schema: {type: object, properties: {e: {type: string}}}}}';

// biome-ignore format: a table
const RESPONSES: readonly ContractRow[] = [
  ['default as two ranges', answer(`"200": {description: a}, default: {description: b, ${E}}`), answer(`"200": {description: a}, 4XX: {description: b, ${E}}, 5XX: {description: b, ${E}}`), 'CR', 'Both ranges have the body of default.'],
  ['default as a range with another body', answer(`"200": {description: a}, default: {description: b, ${E}}`), answer(`"200": {description: a}, 4XX: {description: b, ${E2}}`), 'BB', 'e has another type.'],
  ['status under a range with another body', answer(`"200": {description: a}, 4XX: {description: b, ${E}}`), answer(`"200": {description: a}, 4XX: {description: b, ${E}}, "404": {description: b, ${E2}}`), 'BB', 'e of 404 has another type.'],
  ['exception of a range removed', answer(`"200": {description: a}, 4XX: {description: b, ${E}}, "404": {description: b, ${E}}`), answer(`"200": {description: a}, 4XX: {description: b, ${E}}`), 'CC', 'The range declares the same body.'],
  ['error as problem', answer(`"200": {description: a}, "404": {description: b, ${E}}`), answer(`"200": {description: a}, "404": {description: b, ${PROBLEM}}`), 'BB', 'Clients cannot parse the media type.'],
  ['property of an error removed', answer(`"200": {description: a}, "404": {description: b, ${E}}`), answer(`"200": {description: a}, "404": {description: b, ${json('{type: object}')}}`), 'BC', 'Clients read e.'],
  ['only default replaced by 200', answer(`default: {description: a, ${E}}`), answer(`"200": {description: a, ${E}}`), 'CR', 'default covered 200.'],
  ['only default with another body', answer(`default: {description: a, ${E}}`), answer(`default: {description: a, ${E2}}`), 'BB', 'e has another type.'],
  ['redirect added', answer('"200": {description: a}'), answer('"200": {description: a}, "302": {description: b}'), 'RR', 'Clients may not follow it; in the reverse they no longer reach its target.'],
  ['schema of a response removed', answer(`"200": {description: a, ${E}}`), answer('"200": {description: a, content: {application/json: {}}}'), 'BC', 'Any JSON value may be sent.'],
  ['200 without content instead of 204', answer('"204": {description: a}'), answer('"200": {description: a}'), 'BB', 'Another status.'],
  ['status as a number', answer('"200": {description: a}'), answer('200: {description: a}'), 'CC', 'The same status.'],
  ['range covers the status with the same body', answer(`"200": {description: a, ${E}}`), answer(`2XX: {description: a, ${E}}`), 'RC', 'The range adds statuses.'],
  ['version of a response media type added', answer('"200": {description: a, content: {application/json: {}}}'), answer("\"200\": {description: a, content: {application/json: {}, 'application/json; version=2': {}}}"), 'C-', 'application/json matches every version.'],
  ['response header as JSON content', answer('"200": {description: a, headers: {X: {schema: {type: string}}}}'), answer('"200": {description: a, headers: {X: {content: {application/json: {schema: {type: string}}}}}}'), 'BB', 'JSON has quotes.'],
  ['response header enum value added', answer('"200": {description: a, headers: {X: {schema: {enum: [a]}}}}'), answer('"200": {description: a, headers: {X: {schema: {enum: [a, b]}}}}'), 'BC', 'Clients do not know b.'],
  ['optional response header removed', answer('"200": {description: a, headers: {X: {schema: {type: string}}}}'), answer('"200": {description: a}'), 'BC', 'Clients read it.'],
  ['deprecated response header', answer('"200": {description: a, headers: {X: {schema: {type: string}}}}'), answer('"200": {description: a, headers: {X: {deprecated: true, schema: {type: string}}}}'), 'CC', 'Only documentation.'],
  ['link replaced', answer('"200": {description: a, links: {next: {operationId: getToys}}}'), answer('"200": {description: a, links: {next: {operationId: getToys, parameters: {a: $response.body#/a}}}}'), 'CC', 'The response is the same.'],
  ['extension in responses', answer('"200": {description: a}, x-a: 1'), answer('"200": {description: a}'), 'CC', 'No response.'],
  ['binary response as text', answer('"200": {description: a, content: {application/octet-stream: {}}}'), answer('"200": {description: a, content: {text/plain: {}}}'), 'BB', 'Another media type.'],
  ['response media type of a range with another schema', answer("\"200\": {description: a, content: {'application/*': {schema: {type: string}}}}"), answer('"200": {description: a, content: {application/json: {schema: {type: integer}}}}'), 'BB', 'Another type.'],
];

const SCHEMES =
  'components: {securitySchemes: {a: {type: apiKey, in: header, name: X-A}, b: {type: apiKey, in: query, name: b}, o: {type: oauth2, flows: {clientCredentials: {tokenUrl: https://a.example/t, scopes: {r: read, w: write}}}}, c: {type: openIdConnect, openIdConnectUrl: https://a.example/.well-known/openid-configuration}, h: {type: http, scheme: bearer}}}\n';
const need = (security: string, document = '') =>
  `${SCHEMES}${document}${toys(`security: ${security}, ${OK}`)}`;

// biome-ignore format: a table
const SECURITY: readonly ContractRow[] = [
  ['both schemes become one of them', need('[{a: [], b: []}]'), need('[{a: []}, {b: []}]'), 'CB', 'Clients send both.'],
  ['no requirement as an empty requirement', need('[]'), need('[{}]'), 'CC', 'Both need no credentials.'],
  ['empty alternative removed', need('[{a: []}, {}]'), need('[{a: []}]'), 'BC', 'Clients may send no credentials.'],
  ['alternative repeated', need('[{a: []}]'), need('[{a: []}, {a: []}]'), 'CC', 'The same alternative.'],
  ['alternative that needs more', need('[{a: []}]'), need('[{a: []}, {a: [], b: []}]'), 'CC', 'a suffices in both.'],
  ['scopes in another order', need('[{o: [r, w]}]'), need('[{o: [w, r]}]'), 'CC', 'The order has no meaning.'],
  ['one of two scopes required', need('[{o: [r, w]}]'), need('[{o: [r]}]'), 'CB', 'Clients have both scopes.'],
  ['alternative scopes', need('[{o: [r]}, {o: [w]}]'), need('[{o: [w]}]'), 'BC', 'A client with the scope r is refused.'],
  ['scope of OpenID Connect required', need('[{c: [r]}]'), need('[{c: [r, w]}]'), 'BC', 'Clients have the scope r only.'],
  ['OAuth replaced by a bearer token', need('[{o: [r]}]'), need('[{h: []}]'), 'BB', 'Clients get tokens elsewhere.'],
  ['requirement of the document repeated by the operation', `${SCHEMES}security: [{a: []}]\n${toys(OK)}`, need('[{a: []}]', 'security: [{a: []}]\n'), 'CC', 'The operation inherits it.'],
  ['requirement of the document overridden', need('[]', 'security: [{a: []}]\n'), `${SCHEMES}security: [{a: []}]\n${toys(OK)}`, 'BC', 'Clients send no credentials.'],
  ['requirement of the document replaced under an override', need('[{a: []}]', 'security: [{a: []}]\n'), need('[{a: []}]', 'security: [{b: []}]\n'), 'CC', 'The operation overrides it.'],
  ['alternative swapped', need('[{a: []}, {b: []}]'), need('[{b: []}, {a: []}]'), 'CC', 'The order has no meaning.'],
  ['alternative replaced', need('[{a: []}, {b: []}]'), need('[{a: []}, {h: []}]'), 'BB', 'Clients with b are refused.'],
  ['bearer in other capitals', `components: {securitySchemes: {h: {type: http, scheme: Bearer}}}\n${toys(`security: [{h: []}], ${OK}`)}`, `components: {securitySchemes: {h: {type: http, scheme: bearer}}}\n${toys(`security: [{h: []}], ${OK}`)}`, 'CC', 'Names of schemes are case-insensitive.'],
  ['cookie key renamed', `components: {securitySchemes: {k: {type: apiKey, in: cookie, name: sid}}}\n${toys(`security: [{k: []}], ${OK}`)}`, `components: {securitySchemes: {k: {type: apiKey, in: cookie, name: SID}}}\n${toys(`security: [{k: []}], ${OK}`)}`, 'BB', 'Names of cookies are case-sensitive.'],
];

const hook = (body: string, rest = OK, name = 'sold', method = 'post') =>
  `paths: {}\nwebhooks: {${name}: {${method}: {requestBody: {content: {${body}}}, ${rest}}}}`;
const J = json('{type: object, properties: {a: {type: integer}}}').slice(10, -1);
const call = (url: string, rest = OK) =>
  toys(`callbacks: {done: {'${url}': {post: {requestBody: {content: {${J}}}, ${rest}}}}}, ${OK}`);
const reply = (responses: string) => hook(J, `responses: {${responses}}`);

// biome-ignore format: a table
const OUTGOING: readonly ContractRow[] = [
  ['webhook: integer as number', hook(J), hook(json('{type: object, properties: {a: {type: number}}}').slice(10, -1)), 'BC', 'Subscribers may get 0.5.'],
  ['webhook: maxLength lowered', hook(typed('application/json', '{type: string, maxLength: 9}')), hook(typed('application/json', '{type: string, maxLength: 8}')), 'CB', 'Subscribers get shorter strings.'],
  ['webhook: media type', hook(typed('application/json')), hook(typed('application/xml')), 'BB', 'Subscribers cannot parse it.'],
  ['webhook: method', hook(J), hook(J, OK, 'sold', 'put'), 'BB', 'Subscribers handle another method.'],
  ['webhook: name', hook(J), hook(J, OK, 'bought'), 'BB', 'Subscribers wait for the old name.'],
  ['webhook: status that subscribers send removed', reply('"200": {description: a}, "202": {description: b}'), reply('"200": {description: a}'), 'BC', 'Subscribers answer 202.'],
  ['webhook: property of the reply becomes required', reply(`"200": {description: a, ${E}}`), reply(`"200": {description: a, ${json('{type: object, required: [e], properties: {e: {type: string}}}')}}`), 'BC', 'Subscribers may omit e.'],
  ['webhook: enum value of the reply added', reply(`"200": {description: a, ${json('{enum: [x]}')}}`), reply(`"200": {description: a, ${json('{enum: [x, y]}')}}`), 'CB', 'Subscribers may answer y.'],
  ['webhook: header that the service sends added', hook(J), hook(J, `parameters: [{name: X-Sign, in: header, required: true, schema: {type: string}}], ${OK}`), 'CB', 'Subscribers may ignore it; the reverse no longer sends it.'],
  ['webhook: header becomes optional', hook(J, `parameters: [{name: X-Sign, in: header, required: true, schema: {type: string}}], ${OK}`), hook(J, `parameters: [{name: X-Sign, in: header, schema: {type: string}}], ${OK}`), 'BC', 'Subscribers rely on it.'],
  ['webhook: query parameter of the service widened', hook(J, `parameters: [{name: q, in: query, schema: {enum: [a]}}], ${OK}`), hook(J, `parameters: [{name: q, in: query, schema: {enum: [a, b]}}], ${OK}`), 'BC', 'Subscribers do not know b.'],
  ['webhook in components', hook(J), `paths: {}\nwebhooks: {sold: {$ref: '#/components/pathItems/Sold'}}\ncomponents: {pathItems: {Sold: {post: {requestBody: {content: {${J}}}, ${OK}}}}}`, 'CC', 'The same webhook.'],
  ['webhook: body becomes required', `paths: {}\nwebhooks: {sold: {post: {requestBody: {content: {${J}}}, ${OK}}}}`, `paths: {}\nwebhooks: {sold: {post: {requestBody: {required: true, content: {${J}}}, ${OK}}}}`, 'CB', 'Subscribers always get a body.'],
  ['webhook: readOnly property', hook(typed('application/json', '{type: object, properties: {a: {type: string}, b: {type: string}}}')), hook(typed('application/json', '{type: object, properties: {a: {type: string}, b: {type: string, description: d}}}')), 'CC', 'Only documentation.'],
  ['callback: URL expression', call('{$request.body#/url}'), call('{$request.body#/hook}'), 'BB', 'The service calls another URL.'],
  ['callback removed', call('{$request.body#/url}'), toys(OK), 'BC', 'Receivers wait for it.'],
  ['callback: status that receivers send added', call('{$request.body#/url}', 'responses: {"200": {description: a}}'), call('{$request.body#/url}', 'responses: {"200": {description: a}, "202": {description: a}}'), 'CB', 'Receivers may answer 202.'],
];

const body = (schema: string, components: string, document = '') =>
  `${document}${toys(`responses: {"200": {description: a, ${json(schema)}}}`)}\ncomponents: {${components}}`;
const sent = (schema: string, components: string) =>
  `paths: {/toys: {post: {operationId: postToys, requestBody: {content: {application/json: {schema: ${schema}}}}, ${OK}}}}\ncomponents: {${components}}`;
const R = (name: string) => `{$ref: '#/components/schemas/${name}'}`;
const ABC = 'C: {type: object, properties: {a: {type: string}}}';

// biome-ignore format: a table
const REFERENCES: readonly ContractRow[] = [
  ['chain of references shortened', body(R('A'), `schemas: {A: ${R('B')}, B: ${R('C')}, ${ABC}}`), body(R('A'), `schemas: {A: ${R('C')}, B: ${R('C')}, ${ABC}}`), 'CC', 'The same schema.'],
  ['reference into a path', body(R('A'), `schemas: {A: {type: object, properties: {a: {type: string}}}}`), body("{$ref: '#/paths/~1toys/get/responses/201/content/application~1json/schema'}", 'schemas: {A: {type: object, properties: {a: {type: string}}}}').replace('"200"', `"201": {description: b, ${json(R('A'))}}, "200"`), 'R-', 'Another status is declared; the schema of 200 is the same.'],
  ['response reference resolved', `${toys('responses: {"200": {$ref: \'#/components/responses/R\'}}')}\ncomponents: {responses: {R: {description: a, ${E}}}}`, `${toys(`responses: {"200": {description: a, ${E}}}`)}\ncomponents: {responses: {R: {description: a, ${E}}}}`, 'CC', 'The same response.'],
  ['header reference resolved', `${toys('responses: {"200": {description: a, headers: {X: {$ref: \'#/components/headers/X\'}}}}')}\ncomponents: {headers: {X: {schema: {type: string}}}}`, `${toys('responses: {"200": {description: a, headers: {X: {schema: {type: string}}}}}')}\ncomponents: {headers: {X: {schema: {type: string}}}}`, 'CC', 'The same header.'],
  ['example reference resolved', `${toys(`responses: {"200": {description: a, content: {application/json: {examples: {e: {$ref: '#/components/examples/e'}}}}}}`)}\ncomponents: {examples: {e: {value: 1}}}`, `${toys('responses: {"200": {description: a, content: {application/json: {examples: {e: {value: 1}}}}}}')}\ncomponents: {examples: {e: {value: 1}}}`, 'CC', 'Only documentation.'],
  ['mutual recursion unrolled', body(R('A'), `schemas: {A: {type: object, properties: {n: ${R('B')}}}, B: {type: object, properties: {n: ${R('A')}}}}`), body(R('A'), `schemas: {A: {type: object, properties: {n: ${R('A')}}}, B: {type: object, properties: {n: ${R('A')}}}}`), 'CC', 'The same values at every depth.'],
  ['bound deep in mutual recursion', body(R('A'), `schemas: {A: {type: object, properties: {n: ${R('B')}}}, B: {type: object, properties: {n: ${R('A')}, v: {type: string}}}}`), body(R('A'), `schemas: {A: {type: object, properties: {n: ${R('B')}}}, B: {type: object, properties: {n: ${R('A')}, v: {type: string, maxLength: 3}}}}`), 'CB', 'v is shorter.'],
  ['recursive map bounded', sent(R('A'), `schemas: {A: {type: object, additionalProperties: ${R('A')}}}`), sent(R('A'), `schemas: {A: {type: object, maxProperties: 3, additionalProperties: ${R('A')}}}`), 'BC', 'Four properties are valid before only.'],
  ['recursive array as JSON value', sent(R('A'), `schemas: {A: {anyOf: [{type: string}, {type: array, items: ${R('A')}}]}}`), sent(R('A'), `schemas: {A: {type: [string, array], items: ${R('A')}}}`), 'CC', 'The same values.'],
  ['dynamic reference as a static one', sent(R('A'), "schemas: {A: {$dynamicAnchor: n, type: object, properties: {n: {$dynamicRef: '#n'}}}}"), sent(R('A'), `schemas: {A: {$dynamicAnchor: n, type: object, properties: {n: ${R('A')}}}}`), 'CC', 'No other schema has the anchor.'],
  ['reference with a description in 3.1', body(`{$ref: '#/components/schemas/C', description: d}`, `schemas: {${ABC}}`), body(R('C'), `schemas: {${ABC}}`), 'CC', 'Only documentation.'],
  ['readOnly beside a reference in 3.1', sent(`{type: object, properties: {c: {$ref: '#/components/schemas/C', readOnly: true}}}`, `schemas: {${ABC}}`), sent(`{type: object, properties: {c: ${R('C')}}}`, `schemas: {${ABC}}`), 'CB', 'Clients may send c after only.'],
  ['readOnly beside a reference in 3.0', contractOf(sent(`{type: object, properties: {c: {$ref: '#/components/schemas/C', readOnly: true}}}`, `schemas: {${ABC}}`), '3.0.3'), contractOf(sent(`{type: object, properties: {c: ${R('C')}}}`, `schemas: {${ABC}}`), '3.0.3'), 'CC', '3.0 ignores siblings of a reference.'],
  ['nullable beside a reference in 3.0', contractOf(body(`{$ref: '#/components/schemas/C', nullable: true}`, `schemas: {${ABC}}`), '3.0.3'), contractOf(body(R('C'), `schemas: {${ABC}}`), '3.0.3'), 'CC', '3.0 ignores siblings of a reference.'],
  ['YAML anchor written out', `${toys(`parameters: [&p {name: a, in: query, schema: {type: string}}], ${OK}`)}\nx-p: *p`, `${toys(`parameters: [{name: a, in: query, schema: {type: string}}], ${OK}`)}\nx-p: {name: a, in: query, schema: {type: string}}`, 'CC', 'The same document.'],
  ['jsonSchemaDialect', body(R('C'), `schemas: {${ABC}}`), body(R('C'), `schemas: {${ABC}}`, 'jsonSchemaDialect: https://spec.openapis.org/oas/3.1/dialect/base\n'), 'CC', 'The default dialect.'],
  ['patch version of OpenAPI', contractOf(body(R('C'), `schemas: {${ABC}}`), '3.1.0'), contractOf(body(R('C'), `schemas: {${ABC}}`), '3.1.1'), 'CC', 'A patch version.'],
  ['upgrade: nullable beside a reference', contractOf(body(`{$ref: '#/components/schemas/C', nullable: true}`, `schemas: {${ABC}}`), '3.0.3'), contractOf(body(`{oneOf: [${R('C')}, {type: 'null'}]}`, `schemas: {${ABC}}`), '3.1.0'), 'BC', '3.0 ignores nullable there: null is new.'],
  ['upgrade: exclusiveMinimum false', contractOf(sent('{type: integer, minimum: 5, exclusiveMinimum: false}', 'schemas: {}'), '3.0.3'), contractOf(sent('{type: integer, minimum: 5}', 'schemas: {}'), '3.1.0'), 'CC', 'The same bound.'],
  ['upgrade: enum of one as const', contractOf(sent('{type: string, enum: [a]}', 'schemas: {}'), '3.0.3'), contractOf(sent('{const: a}', 'schemas: {}'), '3.1.0'), 'CC', 'The same value.'],
  ['upgrade: nullable any value', contractOf(sent('{nullable: true}', 'schemas: {}'), '3.0.3'), contractOf(sent('{}', 'schemas: {}'), '3.1.0'), 'CC', 'Both allow every value.'],
  ['unused schema narrowed', sent('{type: string}', 'schemas: {A: {type: string}}'), sent('{type: string}', 'schemas: {A: {type: integer}}'), 'CC', 'No operation uses it.'],
  ['unused parameter removed', `${toys(OK)}\ncomponents: {parameters: {p: {name: a, in: query, schema: {}}}}`, toys(OK), 'CC', 'No operation uses it.'],
];

const base = (discriminator: string, branches: string, schemas: string) =>
  body(`{oneOf: [${branches}]${discriminator}}`, `schemas: {${schemas}}`);
const KINDS =
  'Cat: {type: object, required: [k], properties: {k: {type: string}, c: {type: string}}}, Dog: {type: object, required: [k], properties: {k: {type: string}, d: {type: string}}}';

// biome-ignore format: a table
const DISCRIMINATORS: readonly ContractRow[] = [
  ['discriminator: implicit names as mapping', base(', discriminator: {propertyName: k}', `${R('Cat')}, ${R('Dog')}`, KINDS), base(", discriminator: {propertyName: k, mapping: {Cat: '#/components/schemas/Cat', Dog: Dog}}", `${R('Cat')}, ${R('Dog')}`, KINDS), 'CC', 'The implicit names.'],
  ['discriminator: second name of a branch', base(', discriminator: {propertyName: k, mapping: {cat: Cat, dog: Dog}}', `${R('Cat')}, ${R('Dog')}`, KINDS), base(', discriminator: {propertyName: k, mapping: {cat: Cat, kitten: Cat, dog: Dog}}', `${R('Cat')}, ${R('Dog')}`, KINDS), 'BC', 'Clients do not know kitten.'],
  ['discriminator: mapping swapped', base(', discriminator: {propertyName: k, mapping: {cat: Cat, dog: Dog}}', `${R('Cat')}, ${R('Dog')}`, KINDS), base(', discriminator: {propertyName: k, mapping: {cat: Dog, dog: Cat}}', `${R('Cat')}, ${R('Dog')}`, KINDS), 'BB', 'The value cat selects another schema.'],
  ['discriminator: branches reordered', base(', discriminator: {propertyName: k, mapping: {cat: Cat, dog: Dog}}', `${R('Cat')}, ${R('Dog')}`, KINDS), base(', discriminator: {propertyName: k, mapping: {dog: Dog, cat: Cat}}', `${R('Dog')}, ${R('Cat')}`, KINDS), 'CC', 'The order has no meaning.'],
];

// biome-ignore format: a table
const DOCUMENTS: readonly ContractRow[] = [
  ['server variable: value added', `servers: [{url: 'https://{r}.a.example', variables: {r: {default: eu, enum: [eu]}}}]\n${toys(OK)}`, `servers: [{url: 'https://{r}.a.example', variables: {r: {default: eu, enum: [eu, us]}}}]\n${toys(OK)}`, 'CB', 'Clients may use the host us.'],
  ['server variable: renamed', `servers: [{url: 'https://{r}.a.example', variables: {r: {default: eu, enum: [eu]}}}]\n${toys(OK)}`, `servers: [{url: 'https://{s}.a.example', variables: {s: {default: eu, enum: [eu]}}}]\n${toys(OK)}`, 'CC', 'The same host.'],
  ['servers as one with a variable', `servers: [{url: https://a.example/v1}, {url: https://b.example/v1}]\n${toys(OK)}`, `servers: [{url: 'https://{h}.example/v1', variables: {h: {default: a, enum: [a, b]}}}]\n${toys(OK)}`, 'RC', 'The same hosts; the second server has no entry of its own.'],
  ['base path moved into the paths, other version', `servers: [{url: https://a.example/v1}]\n${toys(OK)}`, `servers: [{url: https://a.example}]\n${toys(OK, '/v2/toys')}`, 'BB', 'Another URL.'],
  ['server of an operation overrides a replaced one', `servers: [{url: https://a.example}]\n${toys(`servers: [{url: https://o.example}], ${OK}`)}`, `servers: [{url: https://a.example}, {url: https://c.example}]\n${toys(`servers: [{url: https://o.example}], ${OK}`)}`, 'CB', 'The operation has its own server.'],
  ['description of a path item', toys(OK), toys(OK, '/toys', 'summary: s, description: d, '), 'CC', 'Only documentation.'],
  ['paths in another order', `paths: {/toys/mine: {get: {operationId: a, ${OK}}}, '/toys/{id}': {get: {operationId: b, parameters: [{name: id, in: path, required: true, schema: {type: string}}], ${OK}}}}`, `paths: {'/toys/{id}': {get: {operationId: b, parameters: [{name: id, in: path, required: true, schema: {type: string}}], ${OK}}}, /toys/mine: {get: {operationId: a, ${OK}}}}`, 'CC', 'A literal path takes precedence.'],
  ['operationIds swapped', `paths: {/a: {get: {operationId: a, ${OK}}}, /b: {get: {operationId: b, ${OK}}}}`, `paths: {/a: {get: {operationId: b, ${OK}}}, /b: {get: {operationId: a, ${OK}}}}`, 'BB', 'SDK methods call other operations.'],
  ['deprecated operation past its sunset removed', `paths: {/a: {get: {operationId: a, deprecated: true, x-sunset: '2020-01-01', ${OK}}}, /b: {get: {operationId: b, ${OK}}}}`, `paths: {/b: {get: {operationId: b, ${OK}}}}`, 'C-', 'The removal was announced.'],
  ['deprecated operation before its sunset removed', `paths: {/a: {get: {operationId: a, deprecated: true, x-sunset: '2999-01-01', ${OK}}}, /b: {get: {operationId: b, ${OK}}}}`, `paths: {/b: {get: {operationId: b, ${OK}}}}`, 'B-', 'Clients may call it until that day.'],
  ['deprecated operation without a date removed', `paths: {/a: {get: {operationId: a, deprecated: true, ${OK}}}, /b: {get: {operationId: b, ${OK}}}}`, `paths: {/b: {get: {operationId: b, ${OK}}}}`, 'B-', 'Clients may call it until its date.'],
  ['path item reference resolved', `paths: {/toys: {$ref: '#/components/pathItems/T'}}\ncomponents: {pathItems: {T: {get: {operationId: getToys, ${OK}}}}}`, `${toys(OK)}\ncomponents: {pathItems: {T: {get: {operationId: getToys, ${OK}}}}}`, 'CC', 'The same operation.'],
  ['tags of the document', `tags: [{name: a}]\n${toys(OK)}`, `tags: [{name: a, description: d}, {name: b}]\n${toys(OK)}`, 'CC', 'Only documentation.'],
  ['extension of the document', `x-a: 1\n${toys(OK)}`, `x-a: 2\n${toys(OK)}`, 'CC', 'Unknown extensions are documentation.'],
  ['HEAD added', toys(OK), `paths: {/toys: {head: {operationId: headToys, ${OK}}, get: {operationId: getToys, ${OK}}}}`, 'CB', 'Clients may call it.'],
  ['path in other capitals', toys(OK), toys(OK, '/Toys'), 'BB', 'Paths are case-sensitive.'],
];

export const MESSAGE_ROWS: readonly ContractRow[] = [
  ...PARAMETERS,
  ...BODIES,
  ...RESPONSES,
  ...SECURITY,
  ...OUTGOING,
  ...REFERENCES,
  ...DISCRIMINATORS,
  ...DOCUMENTS,
];
