// Tenth blind set: discriminators, security, servers, encodings, webhooks, and the shapes of changes that @figma/rest-api-spec and
// @octokit/openapi made. Labels follow from OpenAPI, JSON Schema, HTTP and docs/stubwright/diff-rules.md.
// First run of its 236 pairs: recall 1.000, precision 0.990, noise 0.8 %. One label was wrong: a required header of a part that has
// no effect any more is breaking, as that of a request. The diff took another first server for documentation.
import { blindSet, type ContractRow, type SchemaRow } from './pair.ts';
import {
  array,
  at30,
  at32,
  closed,
  get,
  hook,
  json,
  OK,
  object,
  open,
  parameterIn,
  parameters,
  post,
  queryParameter,
  REQUIRED,
  read,
  ref,
  response,
  sent,
} from './texts.ts';

const withSchemas = (text: string, schemas: string) =>
  `${text}\ncomponents: {schemas: {${schemas}}}`;
const node = (kind: string, rest = '') =>
  `{type: object, properties: {type: {type: string, enum: [${kind}]}, name: {type: string}${rest}}, required: [type]}`;
const NODES = `FRAME: ${node('FRAME', ', fills: {type: array, items: {type: string}}')}, TEXT: ${node('TEXT', ', characters: {type: string}')}, SLIDE: ${node('SLIDE')}`;
const nodesOf = (names: readonly string[], rest = ', discriminator: {propertyName: type}') =>
  `{oneOf: [${names.map(ref).join(', ')}]${rest}}`;
const MAPPED = (more = '') =>
  `, discriminator: {propertyName: type, mapping: {FRAME: '#/components/schemas/FRAME', TEXT: '#/components/schemas/TEXT'${more}}}`;
const readNodes = (schema: string, schemas = NODES) => withSchemas(read(json(schema)), schemas);
const sendNodes = (schema: string, schemas = NODES) => withSchemas(sent(json(schema)), schemas);

// Labels are those of the change and of its reverse.
// biome-ignore format: a table
const DISCRIMINATORS: readonly ContractRow[] = [
  ['a new kind of node to read', readNodes(nodesOf(['FRAME', 'TEXT'])), readNodes(nodesOf(['FRAME', 'TEXT', 'SLIDE'])), 'BC', 'Clients do not expect SLIDE.'],
  ['a new kind of node to send', sendNodes(nodesOf(['FRAME', 'TEXT'])), sendNodes(nodesOf(['FRAME', 'TEXT', 'SLIDE'])), 'CB', 'SLIDE is refused in the reverse.'],
  ['the order of kinds', readNodes(nodesOf(['FRAME', 'TEXT'])), readNodes(nodesOf(['TEXT', 'FRAME'])), 'CC', 'The same kinds.'],
  ['a mapping that names the components', sendNodes(nodesOf(['FRAME', 'TEXT'])), sendNodes(nodesOf(['FRAME', 'TEXT'], MAPPED())), 'CC', 'The same names.'],
  ['a property of one kind to read, removed', readNodes(nodesOf(['FRAME', 'TEXT'])), readNodes(nodesOf(['FRAME', 'TEXT']), NODES.replace(', characters: {type: string}', '')), 'BC', 'Clients read characters.'],
  ['a property of one kind to send, required', sendNodes(nodesOf(['FRAME', 'TEXT'])), sendNodes(nodesOf(['FRAME', 'TEXT']), NODES.replace('characters: {type: string}}, required: [type]', 'characters: {type: string}}, required: [type, characters]')), 'BC', 'Texts without characters are refused.'],
  ['a bound of a list of one kind', sendNodes(nodesOf(['FRAME', 'TEXT'])), sendNodes(nodesOf(['FRAME', 'TEXT']), NODES.replace('items: {type: string}', 'items: {type: string}, maxItems: 3')), 'BC', 'Four fills are refused.'],
  ['kinds as constants', readNodes(nodesOf(['FRAME', 'TEXT'])), readNodes(nodesOf(['FRAME', 'TEXT']), NODES.replaceAll(/type: string, enum: \[(\w+)\]/g, 'const: $1')), 'CC', 'The same kinds.'],
  ['kinds in an array', readNodes(`{type: array, items: ${nodesOf(['FRAME', 'TEXT'])}}`), readNodes(`{type: array, items: ${nodesOf(['FRAME', 'TEXT', 'SLIDE'])}}`), 'BC', 'Clients do not expect SLIDE.'],
  ['kinds behind a component', readNodes(nodesOf(['FRAME', 'TEXT'])), readNodes(ref('Node'), `${NODES}, Node: ${nodesOf(['FRAME', 'TEXT'])}`), 'CR', 'The same values; SDKs lose a type in the reverse.'],
  ['a discriminator without effect on values', readNodes(nodesOf(['FRAME', 'TEXT'], '')), readNodes(nodesOf(['FRAME', 'TEXT'])), 'RR', 'SDKs read other types.'],
  ['a description of one kind', readNodes(nodesOf(['FRAME', 'TEXT'])), readNodes(nodesOf(['FRAME', 'TEXT']), NODES.replace('TEXT: {', 'TEXT: {description: A text, ')), 'CC', 'Documentation.'],
  ['another name of a kind', sendNodes(nodesOf(['FRAME', 'TEXT'])), sendNodes(nodesOf(['FRAME', 'TEXT']), NODES.replace('[TEXT]', '[LABEL]')), 'BB', 'Clients send TEXT.'],
];

const SCHEMES =
  "PersonalAccessToken: {type: apiKey, in: header, name: X-Figma-Token}, OAuth2: {type: oauth2, flows: {authorizationCode: {authorizationUrl: 'https://a.test/oauth', tokenUrl: 'https://a.test/token', scopes: {'files:read': f, 'file_content:read': c, 'projects:read': p}}}}";
const secured = (requirement: string, schemes = SCHEMES) =>
  `components: {securitySchemes: {${schemes}}}\n${get(`security: ${requirement}, ${OK}`)}`;
const BOTH = "[{PersonalAccessToken: []}, {OAuth2: ['files:read']}]";

// biome-ignore format: a table
const SECURITY: readonly ContractRow[] = [
  ['a scope more beside the old one', secured(BOTH), secured("[{PersonalAccessToken: []}, {OAuth2: ['file_content:read', 'files:read']}]"), 'BC', 'Tokens of the old scope are refused.'],
  ['a scope as an alternative', secured(BOTH), secured("[{PersonalAccessToken: []}, {OAuth2: ['files:read']}, {OAuth2: ['file_content:read']}]"), 'CB', 'In the reverse tokens of the new scope are refused.'],
  ['a finer scope in place of the old one', secured(BOTH), secured("[{PersonalAccessToken: []}, {OAuth2: ['file_content:read']}]"), 'BB', 'Tokens have the other scope.'],
  ['personal tokens dropped', secured(BOTH), secured("[{OAuth2: ['files:read']}]"), 'BC', 'Personal tokens are refused.'],
  ['OAuth dropped', secured(BOTH), secured('[{PersonalAccessToken: []}]'), 'BC', 'OAuth tokens are refused.'],
  ['the alternatives in another order', secured(BOTH), secured("[{OAuth2: ['files:read']}, {PersonalAccessToken: []}]"), 'CC', 'The same alternatives.'],
  ['no token needed', secured(BOTH), secured(BOTH.replace(']}]', ']}, {}]')), 'CB', 'Anonymous requests are refused in the reverse.'],
  ['a scope that no operation needs, new', secured(BOTH), secured(BOTH, SCHEMES.replace("'projects:read': p", "'projects:read': p, 'webhooks:read': w")), 'CR', 'A scope that clients may ask for is gone in the reverse.'],
  ['a scope that no operation needs, described', secured(BOTH), secured(BOTH, SCHEMES.replace("'projects:read': p", "'projects:read': Reads projects")), 'CC', 'Documentation.'],
  ['a header of a key under another name', secured(BOTH), secured(BOTH, SCHEMES.replace('X-Figma-Token', 'X-Token')), 'BB', 'Clients send the old header.'],
  ['a key of a header in the query', secured('[{PersonalAccessToken: []}]'), secured('[{PersonalAccessToken: []}]', SCHEMES.replace('in: header', 'in: query')), 'BB', 'Clients send the header.'],
  ['another token URL', secured(BOTH), secured(BOTH, SCHEMES.replace('https://a.test/token', 'https://a.test/v2/token')), 'BB', 'Clients get tokens at the old URL.'],
  ['a refresh URL', secured(BOTH), secured(BOTH, SCHEMES.replace("tokenUrl: 'https://a.test/token'", "tokenUrl: 'https://a.test/token', refreshUrl: 'https://a.test/refresh'")), 'C-', 'Clients need not use it.'],
  ['a flow of machines more', secured(BOTH), secured(BOTH, SCHEMES.replace('flows: {', "flows: {clientCredentials: {tokenUrl: 'https://a.test/token', scopes: {'files:read': f}}, ")), 'CB', 'In the reverse its tokens are refused.'],
  ['a deprecated scheme of 3.2', at32(secured(BOTH)), at32(secured(BOTH, SCHEMES.replace('type: apiKey', 'type: apiKey, deprecated: true'))), 'CC', 'Documentation.'],
  ['a bearer format', secured('[{t: []}]', 't: {type: http, scheme: bearer}'), secured('[{t: []}]', 't: {type: http, scheme: bearer, bearerFormat: JWT}'), 'CC', 'Documentation.'],
  ['Basic beside a bearer token', secured('[{t: []}]', 't: {type: http, scheme: bearer}, b: {type: http, scheme: basic}'), secured('[{t: []}, {b: []}]', 't: {type: http, scheme: bearer}, b: {type: http, scheme: basic}'), 'CB', 'Basic is refused in the reverse.'],
  ['a token with Basic', secured('[{t: []}]', 't: {type: http, scheme: bearer}, k: {type: apiKey, in: query, name: k}'), secured('[{t: [], k: []}]', 't: {type: http, scheme: bearer}, k: {type: apiKey, in: query, name: k}'), 'BC', 'A token alone is refused.'],
];

const at = (servers: string, rest = get(OK)) => `servers: [${servers}]\n${rest}`;
const url = (text: string, rest = '') => `{url: '${text}'${rest}}`;
const region = (rest: string) => url('https://{region}.a.test', `, variables: {region: {${rest}}}`);

// biome-ignore format: a table
const SERVERS: readonly ContractRow[] = [
  ['a government host beside the old one', at(url('https://api.figma.com')), at(`${url('https://api.figma.com')}, ${url('https://api.figma-gov.com')}`), 'CB', 'In the reverse clients of the host lose it.'],
  ['a host described', at(url('https://api.figma.com')), at(url('https://api.figma.com', ', description: Commercial')), 'CC', 'Documentation.'],
  ['a slash at the end of a server', at(url('https://a.test/v1')), at(url('https://a.test/v1/')), 'CC', 'Paths are appended to the same URL.'],
  ['HTTP in place of HTTPS', at(url('https://a.test')), at(url('http://a.test')), 'BB', 'Clients call the other scheme.'],
  ['another port', at(url('https://a.test:8443')), at(url('https://a.test:9443')), 'BB', 'Clients call the old port.'],
  ['a region as a variable', at(url('https://eu.a.test')), at(region('default: eu, enum: [eu, us]')), 'CB', 'eu is one of them; in the reverse us is gone.'],
  ['another default region', at(region('default: eu, enum: [eu, us]')), at(region('default: us, enum: [eu, us]')), 'RR', 'Both stay.'],
  ['any region', at(region('default: eu, enum: [eu, us]')), at(region('default: eu')), 'CB', 'In the reverse others are gone.'],
  ['a name of a server of 3.2', at32(at(url('https://a.test'))), at32(at(url('https://a.test', ', name: prod'))), 'CC', 'Documentation.'],
  ['servers in another order', at(`${url('https://a.test')}, ${url('https://b.test')}`), at(`${url('https://b.test')}, ${url('https://a.test')}`), 'RR', 'SDKs call the first one.'],
  ['a host of one operation', at(url('https://a.test')), at(url('https://a.test'), get(`servers: [${url('https://up.a.test')}], ${OK}`)), 'BB', 'The operation is at another host.'],
];

const form = (properties: string, encoding = '', type = 'multipart/form-data') =>
  sent(
    `${type}: {schema: {type: object, properties: {${properties}}}${encoding && `, encoding: {${encoding}}`}}`,
  );
const FORM = 'application/x-www-form-urlencoded';
const FILE = 'file: {type: string, contentMediaType: application/octet-stream}';

// biome-ignore format: a table
const ENCODINGS: readonly ContractRow[] = [
  ['a part as XML', form('a: {type: object}'), form('a: {type: object}', 'a: {contentType: application/xml}'), 'BB', 'Another media type of the part.'],
  ['a second media type of a file', form(FILE, 'file: {contentType: image/png}'), form(FILE, "file: {contentType: 'image/png, image/jpeg'}"), 'CB', 'JPEG is refused in the reverse.'],
  ['any image as a file', form(FILE, 'file: {contentType: image/png}'), form(FILE, "file: {contentType: 'image/*'}"), 'CB', 'Other images are refused in the reverse.'],
  ['a required header of a part', form('a: {type: string}'), form('a: {type: string}', 'a: {headers: {X-Id: {required: true, schema: {type: string}}}}'), 'BB', 'Parts lack it; in the reverse it has no effect.'],
  ['an optional header of a part', form('a: {type: string}'), form('a: {type: string}', 'a: {headers: {X-Id: {schema: {type: string}}}}'), 'C-', 'Parts may lack it.'],
  ['an object of a form as a deep object', form('a: {type: object, properties: {x: {type: integer}}}', 'a: {style: form}', FORM), form('a: {type: object, properties: {x: {type: integer}}}', 'a: {style: deepObject, explode: true}', FORM), 'BB', 'Another serialization.'],
  ['a property of a form', form('a: {type: string}', '', FORM), form('a: {type: string}, b: {type: string}', '', FORM), 'CR', 'In the reverse it is ignored.'],
  ['a form beside JSON', sent(json(open('a: {type: string}'))), sent(`${json(open('a: {type: string}'))}, ${FORM}: {schema: ${open('a: {type: string}')}}`), 'CB', 'Forms are refused in the reverse.'],
  ['an encoding of a property that is not there', form('a: {type: string}'), form('a: {type: string}', 'b: {contentType: text/csv}'), 'CC', 'OpenAPI ignores it.'],
];

const EVENT = (schema: string, rest = '') =>
  hook(`${rest}requestBody: {required: true, content: {${json(schema)}}}, ${OK}`);
const PING = open('id: {type: integer}, zen: {type: string}', ', required: [id]');

// biome-ignore format: a table
const WEBHOOKS: readonly ContractRow[] = [
  ['a property more in a webhook', EVENT(PING), EVENT(PING.replace('zen:', 'at: {type: string}, zen:')), 'CB', 'Receivers ignore it; in the reverse they read it.'],
  ['an action more in a webhook', EVENT(open('action: {enum: [opened, closed]}')), EVENT(open('action: {enum: [opened, closed, pinned]}')), 'BC', 'Receivers do not expect it.'],
  ['a property of a webhook that may be null', EVENT(open('id: {type: integer}')), EVENT(open("id: {type: [integer, 'null']}")), 'BC', 'Receivers do not expect null.'],
  ['a property of a webhook always sent', EVENT(PING), EVENT(PING.replace('[id]', '[id, zen]')), 'CB', 'In the reverse it may be missing.'],
  ['a closed object of a webhook', EVENT(PING), EVENT(PING.replace('type: object', 'type: object, additionalProperties: false')), 'CB', 'Others may come in the reverse.'],
  ['a header of a webhook', hook(OK), hook(`parameters: [${parameterIn('header', 'X-GitHub-Event', '{type: string}')}], ${OK}`), 'CB', 'Receivers ignore it; in the reverse they read it.'],
  ['a webhook by PUT', EVENT(PING), EVENT(PING).replace('{post:', '{put:'), 'BB', 'Receivers wait for the other method.'],
  ['a webhook described', EVENT(PING), EVENT(PING, 'summary: Ping, description: A ping, '), 'CC', 'Documentation.'],
  ['the id of a webhook with a wider format', EVENT(open('id: {type: integer, format: int32}')), EVENT(open('id: {type: integer, format: int64}')), 'BC', 'Receivers do not expect large ids.'],
];

const LIST = (rest: string) =>
  response(
    `"200": {description: a, content: {${json(object(`properties: {repos: {type: array, items: ${ref('repo')}}}, ${rest}`))}}}`,
  );
const REPO = (rest = '') =>
  `repo: {type: object, properties: {id: {type: integer}, name: {type: string}, private: {type: boolean}${rest}}, required: [id, name]}`;
const PAGED = (size: string) =>
  parameters(queryParameter('page_size', size), queryParameter('cursor', '{type: string}'));

// biome-ignore format: a table
const REAL: readonly ContractRow[] = [
  ['the largest page in words', PAGED('{type: number}'), PAGED('{type: number, maximum: 1000}'), 'BC', '1001 is refused.'],
  ['pages of a list as integers', PAGED('{type: number}'), PAGED('{type: integer}'), 'BC', '0.5 is refused.'],
  ['a page size of another default', PAGED('{type: integer, default: 30}'), PAGED('{type: integer, default: 100}'), 'BB', 'Another size if it is omitted.'],
  ['a read operation beside a write operation', post(OK), `paths: {/toys: {post: {operationId: postToys, ${OK}}, get: {operationId: getToys, ${OK}}}}`, 'CB', 'The reverse removes it.'],
  ['metadata of a file as an operation', get(OK), `${get(OK).slice(0, -1)}, "/files/{key}/meta": {get: {operationId: getFileMeta, parameters: [${parameterIn('path', 'key', '{type: string}', REQUIRED)}], ${OK}}}}`, 'CB', 'The reverse removes it.'],
  ['an id of an operation in other capitals', get(OK), get(OK).replace('getToys', 'gettoys'), 'BB', 'SDKs have another method.'],
  ['an envelope around a list', withSchemas(response(`"200": {description: a, content: {${json(array(`items: ${ref('repo')}`))}}}`), REPO()), withSchemas(LIST('required: [repos]'), REPO()), 'BB', 'Clients read an array.'],
  ['the count of an envelope', withSchemas(LIST('required: [repos]'), REPO()), withSchemas(LIST('required: [repos]').replace('repos: {', 'total_count: {type: integer}, repos: {'), REPO()), 'CB', 'Clients ignore it; in the reverse they read it.'],
  ['a visibility of items', withSchemas(LIST('required: [repos]'), REPO()), withSchemas(LIST('required: [repos]'), REPO(', visibility: {type: string}')), 'CB', 'Clients ignore it; in the reverse they read it.'],
  ['a name of items that may be missing', withSchemas(LIST('required: [repos]'), REPO()), withSchemas(LIST('required: [repos]'), REPO().replace('[id, name]', '[id]')), 'BC', 'Clients read it.'],
  ['a deprecated property of items', withSchemas(LIST('required: [repos]'), REPO()), withSchemas(LIST('required: [repos]'), REPO().replace('{type: boolean}', '{type: boolean, deprecated: true}')), 'CC', 'Documentation.'],
  ['items under another name of the component', withSchemas(LIST('required: [repos]'), REPO()), withSchemas(LIST('required: [repos]'), REPO()).replaceAll('repo:', 'repository:').replaceAll('/repo\'', '/repository\''), 'RR', 'SDKs have another type.'],
  ['nullable items of 3.0 upgraded to 3.1', at30(read(json(open('a: {type: string, nullable: true}')))), read(json(open("a: {type: [string, 'null']}"))), 'CC', 'The same values.'],
  ['a nullable reference of 3.0 upgraded to 3.1', at30(withSchemas(read(json(open('a: {nullable: true, allOf: [{$ref: "#/components/schemas/repo"}]}'))), REPO())), withSchemas(read(json(open(`a: {anyOf: [${ref('repo')}, {type: 'null'}]}`))), REPO()), 'CC', 'A repo and null.'],
  ['a teapot', response('"200": {description: a}'), response('"200": {description: a}, "418": {description: b}'), 'RC', 'A new status; an error that is gone.'],
  ['an error with a documentation URL', response(`"404": {description: a, content: {${json(open('message: {type: string}'))}}}`), response(`"404": {description: a, content: {${json(open('message: {type: string}, documentation_url: {type: string}'))}}}`), 'CB', 'Clients ignore it; in the reverse they read it.'],
  ['a body that only describes its example', sent(json(open('a: {type: string}'))), sent(json(open('a: {type: string}')).replace('{schema:', '{example: {a: x}, schema:')), 'CC', 'Documentation.'],
  ['at least one of two properties', sent(json(open('a: {type: string}, b: {type: string}'))), sent(json(open('a: {type: string}, b: {type: string}', ', anyOf: [{required: [a]}, {required: [b]}]'))), 'BC', '{} is refused.'],
  ['an integer or a string as an id', parameters(queryParameter('id', '{type: integer}')), parameters(queryParameter('id', '{oneOf: [{type: integer}, {type: string}]}')), 'R-', 'Digits may match both branches.'],
  ['a list of reasons as one text', read(json(open('r: {type: array, items: {type: string}}'))), read(json(open('r: {type: string}'))), 'BB', 'Clients read an array.'],
  ['a closed settings object with one more', sent(json(closed('a: {type: boolean}'))), sent(json(closed('a: {type: boolean}, b: {type: boolean}'))), 'CB', 'b is refused in the reverse.'],
  ['a tag of a group renamed', get(`tags: [Files], ${OK}`), get(`tags: [Projects], ${OK}`), 'RR', 'SDKs have another class.'],
  ['a summary and a description', get(OK), get(`summary: Lists, description: Lists toys, ${OK}`), 'CC', 'Documentation.'],
  ['a code sample', get(OK), get(`x-codeSamples: [{lang: sh, source: curl}], ${OK}`), 'CC', 'Documentation.'],
  ['the license of the contract', get(OK), `openapi: 3.1.0\ninfo: {title: Toys, version: 1.0.0, license: {name: MIT}, contact: {email: a@b.test}}\n${get(OK)}\n`, 'CC', 'Documentation.'],
];

// Labels: sent and read, then the reverse change sent and read.
// biome-ignore format: a table
const SCHEMAS: readonly SchemaRow[] = [
  ['a color of numbers with an alpha', open('r: {type: number}, g: {type: number}', ', required: [r, g]'), open('r: {type: number}, g: {type: number}, a: {type: number}', ', required: [r, g]'), 'CC RB', 'Optional.'],
  ['a color with a required alpha', open('r: {type: number}', ', required: [r]'), open('r: {type: number}, a: {type: number}', ', required: [r, a]'), 'BC RB', 'Requests lack it.'],
  ['a share of numbers between', '{type: number}', '{type: number, minimum: 0, maximum: 1}', 'BC CB', '2 is valid before only.'],
  ['a transform as a matrix', array('items: {type: array, items: {type: number}}'), array('items: {type: array, items: {type: number}, minItems: 3, maxItems: 3}, minItems: 2, maxItems: 2'), 'BC CB', '[] is valid before only.'],
  ['a URL as a text', '{type: string, format: uri}', '{type: string}', 'CB BC', 'a b is valid after only.'],
  ['an enum of one value as a constant', '{type: string, enum: [a]}', '{const: a}', 'CC CC', 'Only a.'],
  ['two enums of a union', '{anyOf: [{enum: [a, b]}, {enum: [c]}]}', '{enum: [a, b, c, d]}', 'CB BC', 'd is valid after only.'],
  ['allOf with a property more', "{allOf: [{$ref: '#/components/schemas/Cat'}]}", "{allOf: [{$ref: '#/components/schemas/Cat'}, {type: object, properties: {age: {type: integer}}}]}", 'CC RB', 'Optional.'],
  ['a base of allOf that is gone', "{allOf: [{$ref: '#/components/schemas/Car'}, {type: object, properties: {age: {type: integer}}}]}", '{type: object, properties: {age: {type: integer}}}', 'RB BC', 'The properties of Car are gone.'],
  ['a dependency beside a required property', object('properties: {a: {}, b: {}}, dependentRequired: {a: [b]}'), object('properties: {a: {}, b: {}}, required: [b]'), 'BC CB', '{} is valid before only.'],
  ['a readOnly id', open('id: {type: string, readOnly: true}, n: {type: string}'), open('id: {type: string, readOnly: true, pattern: "^[0-9]+$"}, n: {type: string}'), 'CC CB', 'Only responses have it.'],
];

export const TENTH_PAIRS = blindSet('tenth', SCHEMAS, [
  ...DISCRIMINATORS,
  ...SECURITY,
  ...SERVERS,
  ...ENCODINGS,
  ...WEBHOOKS,
  ...REAL,
]);
