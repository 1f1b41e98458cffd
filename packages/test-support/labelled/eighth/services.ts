// Eighth blind set: paths, operations, security, servers, discriminators, references, upgrades, announcements. Written without the code of the diff.
import { type ContractRow, contractOf } from '../pair.ts';

const OK = 'responses: {"204": {description: none}}';
const get = (rest: string, path = '/pods') =>
  `paths: {${path}: {get: {operationId: listPods, ${rest}}}}`;
const reply = (schema: string) =>
  `responses: {"200": {description: a, content: {application/json: {schema: ${schema}}}}}`;
const accept = (schema: string) =>
  `requestBody: {content: {application/json: {schema: ${schema}}}}`;
const read = (schema: string, text = '') =>
  `${get(reply(schema))}${text && `\ncomponents: {schemas: {${text}}}`}`;
const sent = (schema: string, text = '') =>
  `paths: {/pods: {post: {operationId: addPod, ${accept(schema)}, ${OK}}}}${text && `\ncomponents: {schemas: {${text}}}`}`;
const ref = (name: string) => `{$ref: '#/components/schemas/${name}'}`;
const old = (text: string) => contractOf(text, '3.0.3');
const latest = (text: string) => contractOf(text, '3.2.0');

const pod = (name: string, schema = '{type: string}') =>
  `{name: ${name}, in: path, required: true, schema: ${schema}}`;
const pods = (name: string, more = '') =>
  `paths: {"/pods/{${name}}": {get: {operationId: getPod, parameters: [${pod(name)}], ${OK}}}, "/pods/{${name}}/logs": {get: {operationId: getLogs, parameters: [${pod(name)}], ${OK}}}${more}}`;
const numbered = (more: string) =>
  `paths: {"/pods/{id}": {get: {operationId: getPod, parameters: [${pod('id', '{type: integer}')}], ${OK}}}${more}}`;
const SEARCH = `, /pods/search: {get: {operationId: findPods, ${OK}}}`;

// Labels are those of the change and of its reverse.
// biome-ignore format: a table
const PATHS: readonly ContractRow[] = [
  ['a name in two paths', pods('id'), pods('name'), 'RR', 'The same paths; SDKs have other arguments.'],
  ['a slash at the end of a path', get(OK), get(OK, '/pods/'), 'BB', 'Another path.'],
  ['a path in other capitals', get(OK), get(OK, '/Pods'), 'BB', 'Paths are case-sensitive.'],
  ['a version in a path', get(OK), get(OK, '/v2/pods'), 'BB', 'Another path.'],
  ['a version in a path beside the old one', get(OK), `paths: {/pods: {get: {operationId: listPods, deprecated: true, ${OK}}}, /v2/pods: {get: {operationId: listPods2, ${OK}}}}`, 'CB', 'The old path stays; in the reverse the new one is gone.'],
  ['a fixed path beside a number', numbered(''), numbered(SEARCH), 'CB', 'search is no number; the reverse removes it.'],
  ['a fixed path beside a name that is long enough', pods('id').replaceAll('{type: string}', '{type: string, maxLength: 6}'), pods('id', SEARCH).replaceAll('{type: string}', '{type: string, maxLength: 6}'), 'RB', 'search has six characters; the reverse removes the operation.'],
  ['a fixed path beside a name that is too short', pods('id').replaceAll('{type: string}', '{type: string, maxLength: 5}'), pods('id', SEARCH).replaceAll('{type: string}', '{type: string, maxLength: 5}'), 'CB', 'search has six characters; the reverse removes the operation.'],
  ['a fixed path beside a name', pods('id'), pods('id', SEARCH), 'RB', 'A pod may have the name search; the reverse removes the operation.'],
  ['a further method of a path', get(OK), `paths: {/pods: {get: {operationId: listPods, ${OK}}, delete: {operationId: deletePods, ${OK}}}}`, 'CB', 'DELETE is lost in the reverse.'],
  ['POST in place of PUT', `paths: {/pods: {put: {operationId: setPod, ${OK}}}}`, `paths: {/pods: {post: {operationId: setPod, ${OK}}}}`, 'BB', 'The old method is lost.'],
  ['descriptions of a path item, of tags and of the contract', `tags: [{name: pods, description: a}]\n${get(`tags: [pods], ${OK}`)}`, contractOf(`tags: [{name: pods, description: b, externalDocs: {url: https://a.test}}]\nexternalDocs: {url: https://b.test}\npaths: {/pods: {summary: a, description: b, get: {operationId: listPods, tags: [pods], ${OK}}}}`).replace('title: Toys', 'title: Toys, description: All, termsOfService: https://a.test'), 'CC', 'Documentation.'],
  ['an operationId that is new', `paths: {/pods: {get: {${OK}}}}`, get(OK), 'RB', 'SDKs name the method by it; in the reverse it is lost.'],
  ['an operation under another operationId and summary', get(`summary: a, ${OK}`), get(`summary: b, ${OK}`).replace('listPods', 'getPods'), 'BB', 'SDKs lose their method.'],
  ['a summary in place of a description', get(`description: Lists pods, ${OK}`), get(`summary: Lists pods, ${OK}`), 'CC', 'Documentation.'],
  ['extensions of a generator', get(`x-kubernetes-action: list, ${OK}`), get(`x-kubernetes-action: get, x-codegen: {method: list}, ${OK}`), 'CC', 'Extensions of others.'],
  ['a method with a body of 3.2 in additionalOperations', latest(get(OK)), latest(`paths: {/pods: {get: {operationId: listPods, ${OK}}, additionalOperations: {LINK: {operationId: linkPods, ${OK}}}}}`), 'CB', 'LINK is lost in the reverse.'],
];

const SCHEMES =
  'token: {type: http, scheme: bearer}, basic: {type: http, scheme: basic}, key: {type: apiKey, in: header, name: X-API-Key}, mutual: {type: mutualTLS}, sid: {type: apiKey, in: cookie, name: sid}';
const secured = (requirement: string, text = SCHEMES) =>
  `components: {securitySchemes: {${text}}}\n${get(`security: ${requirement}, ${OK}`)}`;
const root = (requirement: string, own = '') =>
  `components: {securitySchemes: {${SCHEMES}}}\n${requirement && `security: ${requirement}\n`}${get(`${own}${OK}`)}`;
const SCOPES = "scopes: {'repo:read': r, 'repo:write': w}";
const CODE = `authorizationCode: {authorizationUrl: 'https://a.test/authorize', tokenUrl: 'https://a.test/token', ${SCOPES}}`;
const IMPLICIT = `implicit: {authorizationUrl: 'https://a.test/authorize', ${SCOPES}}`;
const flows = (requirement: string, text: string) =>
  secured(requirement, `auth: {type: oauth2, flows: {${text}}}`);
const READ = "[{auth: ['repo:read']}]";
const OPEN_ID = (url: string) => `id: {type: openIdConnect, openIdConnectUrl: 'https://${url}'}`;

// biome-ignore format: a table
const SECURITY: readonly ContractRow[] = [
  ['a key in other capitals', secured('[{key: []}]'), secured('[{key: []}]', SCHEMES.replace('X-API-Key', 'x-api-key')), 'CC', 'Header names are case-insensitive.'],
  ['a cookie of a session in other capitals', secured('[{sid: []}]'), secured('[{sid: []}]', SCHEMES.replace('name: sid', 'name: SID')), 'BB', 'Cookie names are case-sensitive.'],
  ['a scheme of HTTP in other capitals', secured('[{token: []}]'), secured('[{token: []}]', SCHEMES.replace('scheme: bearer', 'scheme: Bearer')), 'CC', 'Schemes of HTTP are case-insensitive.'],
  ['a certificate in place of a token', secured('[{token: []}]'), secured('[{mutual: []}]'), 'BB', 'Other credentials.'],
  ['a certificate beside a token', secured('[{token: []}]'), secured('[{token: []}, {mutual: []}]'), 'CB', 'In the reverse a certificate is refused.'],
  ['a certificate with a token', secured('[{token: []}]'), secured('[{token: [], mutual: []}]'), 'BC', 'A token alone is refused.'],
  ['the contract asks for a token', root(''), root('[{token: []}]'), 'BC', 'Requests have no token.'],
  ['the contract asks for a token, the operation does not', root('', 'security: [], '), root('[{token: []}]', 'security: [], '), 'CC', 'The operation has its own.'],
  ['the requirement of an operation moved to the contract', root('', 'security: [{key: []}], '), root('[{key: []}]'), 'CC', 'The operation inherits it.'],
  ['anonymous access removed', root('[{token: []}, {}]'), root('[{token: []}]'), 'BC', 'Requests without a token are refused.'],
  ['a session in place of a key or a session', secured('[{key: []}, {sid: []}]'), secured('[{sid: []}]'), 'BC', 'A key is refused.'],
  ['a scope under another name', flows(READ, CODE), flows(READ, CODE).replaceAll("'repo:read'", "'read:repo'"), 'BB', 'Tokens have the old scope.'],
  ['a flow for browsers dropped', flows(READ, `${CODE}, ${IMPLICIT}`), flows(READ, CODE), 'BC', 'Clients use it.'],
  ['a scope less of an operation', flows("[{auth: ['repo:read', 'repo:write']}]", CODE), flows(READ, CODE), 'CB', 'In the reverse a token with read alone is refused.'],
  ['scopes of an operation in another order', flows("[{auth: ['repo:read', 'repo:write']}]", CODE), flows("[{auth: ['repo:write', 'repo:read']}]", CODE), 'CC', 'Both are needed.'],
  ['descriptions of scopes', flows(READ, CODE), flows(READ, CODE.replaceAll(': r,', ': Reads repositories,')), 'CC', 'Documentation.'],
  ['a further scope of a scheme', flows(READ, CODE), flows(READ, CODE.replaceAll(': w}', ": w, 'repo:admin': a}")), 'CR', 'A scope that clients of the reverse may request.'],
  ['metadata of a server of tokens of 3.2', latest(flows(READ, CODE)), latest(flows(READ, CODE).replace('type: oauth2', "type: oauth2, oauth2MetadataUrl: 'https://a.test/meta'")), 'C-', 'The flow is as before.'],
  ['OpenID Connect in place of a token', secured('[{token: []}]'), secured('[{id: []}]', `${SCHEMES}, ${OPEN_ID('a.test')}`), 'BB', 'Other credentials.'],
  ['another issuer of OpenID Connect', secured('[{id: []}]', OPEN_ID('a.test')), secured('[{id: []}]', OPEN_ID('b.test')), 'BB', 'Tokens of the old issuer are refused.'],
  ['a further scope of OpenID Connect', secured('[{id: [openid]}]', OPEN_ID('a.test')), secured('[{id: [openid, email]}]', OPEN_ID('a.test')), 'BC', 'A token without email is refused.'],
  ['the name of a scheme of the contract', root('[{token: []}]'), root('[{token: []}]').replace('token: {', 'bearer: {').replace('[{token: []}]', '[{bearer: []}]'), 'RR', 'SDKs configure credentials by the name.'],
  ['the name of a scheme of two', secured('[{token: [], key: []}]', 'token: {type: http, scheme: bearer}, key: {type: apiKey, in: header, name: K}'), secured('[{bearer: [], key: []}]', 'bearer: {type: http, scheme: bearer}, key: {type: apiKey, in: header, name: K}'), 'RR', 'SDKs configure credentials by the name.'],
];

const at = (servers: string, rest = get(OK)) => `servers: [${servers}]\n${rest}`;
const url = (text: string, rest = '') => `{url: '${text}'${rest}}`;
const versioned = (rest: string) =>
  url('https://a.test/{version}', `, variables: {version: {${rest}}}`);

// biome-ignore format: a table
const SERVERS: readonly ContractRow[] = [
  ['the port of TLS in words', at(url('https://a.test/v1')), at(url('https://a.test:443/v1')), 'CC', 'The default port (RFC 3986).'],
  ['a host in capitals', at(url('https://a.test/v1')), at(url('https://A.Test/v1')), 'CC', 'Hosts are case-insensitive.'],
  ['a base path in capitals', at(url('https://a.test/v1')), at(url('https://a.test/V1')), 'BB', 'Paths are case-sensitive.'],
  ['a sandbox', at(url('https://a.test')), at(`${url('https://a.test')}, ${url('https://sandbox.a.test', ', description: Sandbox')}`), 'CB', 'Clients of the reverse use it.'],
  ['a further version in a variable', at(versioned('default: v1, enum: [v1]')), at(versioned('default: v1, enum: [v1, v2]')), 'CB', 'v2 is gone in the reverse.'],
  ['a description of a variable', at(versioned('default: v1, enum: [v1]')), at(versioned('default: v1, enum: [v1], description: The version')), 'CC', 'Documentation.'],
  ['a subdomain', at(url('https://a.test')), at(url('https://api.a.test')), 'BB', 'Clients call the old host.'],
  ['a subdomain beside the old host', at(url('https://a.test')), at(`${url('https://a.test')}, ${url('https://api.a.test')}`), 'CB', 'Clients of the reverse use it.'],
  ['servers of an operation moved to its path item', at(url('https://a.test'), get(`servers: [${url('https://b.test')}], ${OK}`)), at(url('https://a.test'), `paths: {/pods: {servers: [${url('https://b.test')}], get: {operationId: listPods, ${OK}}}}`), 'CC', 'The same server.'],
  ['servers of an operation dropped', at(url('https://a.test'), get(`servers: [${url('https://b.test')}], ${OK}`)), at(url('https://a.test')), 'BB', 'Clients call the other host.'],
  ['a base path of an environment moved to the paths', at(url('https://a.test/api')), at(url('https://a.test'), get(OK, '/api/pods')), 'CC', 'The same URLs.'],
  ['a relative base path', at(url('/v1')), at(url('/v2')), 'BB', 'Clients call v1.'],
];

const source = (kind: string, property: string) =>
  `{type: object, properties: {object: {type: string, enum: [${kind}]}, ${property}: {type: string}}, required: [object]}`;
const SOURCES = `card: ${source('card', 'last4')}, bank: ${source('bank', 'iban')}, wallet: ${source('wallet', 'email')}`;
const BY = ', discriminator: {propertyName: object}';
const any = (names: readonly string[], rest = BY, keyword = 'oneOf') =>
  `{${keyword}: [${names.map(ref).join(', ')}]${rest}}`;
const [TWO, THREE] = [
  ['card', 'bank'],
  ['card', 'bank', 'wallet'],
] as const;
const MAPPED = (more = '') =>
  `, discriminator: {propertyName: object, mapping: {card: '#/components/schemas/card', bank: '#/components/schemas/bank'${more}}}`;

// biome-ignore format: a table
const DISCRIMINATORS: readonly ContractRow[] = [
  ['names of a mapping in words', read(any(TWO), SOURCES), read(any(TWO, MAPPED()), SOURCES), 'CC', 'The names of the components.'],
  ['a source more to read, with its mapping', read(any(TWO, MAPPED()), SOURCES), read(any(THREE, MAPPED(", wallet: '#/components/schemas/wallet'")), SOURCES), 'BC', 'Clients do not know wallets.'],
  ['a source more to send, with its mapping', sent(any(TWO, MAPPED()), SOURCES), sent(any(THREE, MAPPED(", wallet: '#/components/schemas/wallet'")), SOURCES), 'CB', 'Wallets are refused in the reverse.'],
  ['a choice of sources as a component', read(`{type: object, properties: {source: ${any(TWO)}}}`, SOURCES), read(`{type: object, properties: {source: ${ref('Source')}}}`, `${SOURCES}, Source: ${any(TWO)}`), 'CR', 'The same sources; SDKs lose a type in the reverse.'],
  ['a discriminator of sources dropped', sent(any(TWO), SOURCES), sent(any(TWO, ''), SOURCES), 'RR', 'SDKs read and write other types.'],
  ['a discriminator beside anyOf', sent(any(TWO), SOURCES), sent(any(TWO, BY, 'anyOf'), SOURCES), 'CC', 'No source has two kinds.'],
  ['a source with a property more to read', read(any(TWO), SOURCES), read(any(TWO), SOURCES.replace('last4: {type: string}', 'last4: {type: string}, brand: {type: string}')), 'CB', 'Clients ignore it; in the reverse they read it.'],
  ['a source with a requirement to send', sent(any(TWO), SOURCES), sent(any(TWO), SOURCES.replace('iban: {type: string}}, required: [object]', 'iban: {type: string}}, required: [object, iban]')), 'BC', 'A bank without iban is refused.'],
  ['a kind of source under another name', sent(any(TWO, MAPPED()), SOURCES), sent(any(TWO, MAPPED().replace('card: ', 'credit_card: ')), SOURCES.replace('enum: [card]', 'enum: [credit_card]')), 'BB', 'The old name is refused.'],
  ['kinds by constants', read(any(TWO), SOURCES), read(any(TWO), SOURCES.replaceAll(/enum: \[(\w+)\]/g, 'const: $1')), 'CC', 'The same kinds.'],
];

const POD =
  '{type: object, properties: {name: {type: string}, phase: {type: string}}, required: [name]}';
const both = (schema: string, text: string) =>
  `paths: {/pods: {post: {operationId: addPod, ${accept(schema)}, ${reply(schema)}}}}\ncomponents: {schemas: {${text}}}`;

// biome-ignore format: a table
const REFERENCES: readonly ContractRow[] = [
  ['a component under the name of a version', both(ref('Pod'), `Pod: ${POD}`), both(ref('v1.Pod'), `v1.Pod: ${POD}`), 'RR', 'SDKs have another type.'],
  ['a component under another name with a property more', read(ref('Pod'), `Pod: ${POD}`), read(ref('PodV2'), `PodV2: ${POD.replace('phase:', 'node: {type: string}, phase:')}`), 'RB', 'SDKs have another type; in the reverse clients read node.'],
  ['a component that nothing uses, removed', read('{type: object}', `Pod: ${POD}`), read('{type: object}'), 'RC', 'SDKs lose a type.'],
  ['two components renamed', both(ref('PodList'), `PodList: {type: object, properties: {items: {type: array, items: ${ref('Pod')}}}}, Pod: ${POD}`), both(ref('Pods'), `Pods: {type: object, properties: {items: {type: array, items: ${ref('V1Pod')}}}}, V1Pod: ${POD}`), 'RR', 'SDKs have other types.'],
  ['an alias of a component', read(ref('Pod'), `Pod: ${POD}`), read(ref('Alias'), `Pod: ${POD}, Alias: ${ref('Pod')}`), 'CR', 'The same pods; SDKs lose a type in the reverse.'],
  ['an inline list as a component', read(`{type: object, properties: {items: {type: array, items: ${ref('Pod')}}}}`, `Pod: ${POD}`), read(ref('PodList'), `Pod: ${POD}, PodList: {type: object, properties: {items: {type: array, items: ${ref('Pod')}}}}`), 'CR', 'The same lists; SDKs lose a type in the reverse.'],
  ['a component for writing and one for reading', both(ref('Pod'), `Pod: ${POD}`), `paths: {/pods: {post: {operationId: addPod, ${accept(ref('PodInput'))}, ${reply(ref('Pod'))}}}}\ncomponents: {schemas: {Pod: ${POD}, PodInput: ${POD}}}`, 'CR', 'The same pods; SDKs lose a type in the reverse.'],
  ['a component for writing with a bound', both(ref('Pod'), `Pod: ${POD}`), `paths: {/pods: {post: {operationId: addPod, ${accept(ref('PodInput'))}, ${reply(ref('Pod'))}}}}\ncomponents: {schemas: {Pod: ${POD}, PodInput: ${POD.replace('name: {type: string}', 'name: {type: string, maxLength: 63}')}}}`, 'BR', 'A long name is refused; in the reverse SDKs lose a type.'],
  ['an enum that is sent and read, as a component', both(ref('Pod'), `Pod: ${POD.replace('phase: {type: string}', 'phase: {type: string, enum: [Running, Failed]}')}`), both(ref('Pod'), `Pod: ${POD.replace('phase: {type: string}', `phase: ${ref('Phase')}`)}, Phase: {type: string, enum: [Failed, Running]}`), 'CR', 'The same values; SDKs lose a type in the reverse.'],
  ['an enum that is sent and read, with a value more', both(ref('Pod'), `Pod: ${POD.replace('phase: {type: string}', 'phase: {type: string, enum: [Running, Failed]}')}`), both(ref('Pod'), `Pod: ${POD.replace('phase: {type: string}', 'phase: {type: string, enum: [Running, Failed, Unknown]}')}`), 'BB', 'Replies have it; in the reverse requests may not.'],
  ['a property by a pointer with an escape', read(`{type: object, properties: {a: {$ref: '#/components/schemas/Pod/properties/app~1name'}}}`, "Pod: {type: object, properties: {app/name: {type: string, maxLength: 63}}}"), read('{type: object, properties: {a: {type: string, maxLength: 63}}}', "Pod: {type: object, properties: {app/name: {type: string, maxLength: 63}}}"), 'CC', 'The same schema.'],
  ['a definition by its anchor', read(ref('Pod'), "Pod: {$defs: {Name: {$anchor: name, type: string, maxLength: 63}}, type: object, properties: {name: {$ref: '#/components/schemas/Pod/$defs/Name'}}}"), read(ref('Pod'), "Pod: {$defs: {Name: {$anchor: name, type: string, maxLength: 63}}, type: object, properties: {name: {$ref: '#name'}}}"), 'CC', 'The same schema.'],
  ['a tree by two components', read(ref('Dir'), `Dir: {type: object, properties: {name: {type: string}, dirs: {type: array, items: ${ref('Dir')}}}}`), read(ref('Dir'), `Dir: {type: object, properties: {name: {type: string}, dirs: {type: array, items: ${ref('Sub')}}}}, Sub: {type: object, properties: {name: {type: string}, dirs: {type: array, items: ${ref('Dir')}}}}`), 'CR', 'The same trees; SDKs lose a type in the reverse.'],
  ['keywords beside a reference of 3.0', old(sent(`{type: object, properties: {n: {$ref: '#/components/schemas/Name', maxLength: 3}}}`, 'Name: {type: string}')), old(sent(`{type: object, properties: {n: ${ref('Name')}}}`, 'Name: {type: string}')), 'CC', '3.0 ignores them.'],
  ['keywords beside a reference of 3.0 in 3.1', old(sent(`{type: object, properties: {n: {$ref: '#/components/schemas/Name', maxLength: 3}}}`, 'Name: {type: string}')), sent(`{type: object, properties: {n: {$ref: '#/components/schemas/Name', maxLength: 3}}}`, 'Name: {type: string}'), 'BC', '3.0 ignores them, 3.1 does not: abcd is refused.'],
  ['keywords beside a reference of 3.0 in 3.1, dropped', old(sent(`{type: object, properties: {n: {$ref: '#/components/schemas/Name', maxLength: 3}}}`, 'Name: {type: string}')), sent(`{type: object, properties: {n: ${ref('Name')}}}`, 'Name: {type: string}'), 'CC', '3.0 ignores them.'],
  ['a description beside a reference of 3.0 in 3.1', old(read(`{type: object, properties: {n: {$ref: '#/components/schemas/Name', description: a}}}`, 'Name: {type: string}')), read(`{type: object, properties: {n: {$ref: '#/components/schemas/Name', description: b}}}`, 'Name: {type: string}'), 'CC', 'Documentation.'],
  ['text of base64 of 3.0 in 3.1, closed', old(sent('{type: object, additionalProperties: false, properties: {data: {type: string, format: byte}}}')), sent('{type: object, additionalProperties: false, properties: {data: {type: string, contentEncoding: base64}}}'), 'CC', 'Both are base64.'],
  ['a contract of 3.1 in 3.2', contractOf(both(ref('Pod'), `Pod: ${POD}`)), latest(both(ref('Pod'), `Pod: ${POD}`)), 'CC', 'The same messages.'],
  ['a contract of 3.0 in 3.2 with a nullable property', old(read('{type: object, properties: {at: {type: string, format: date, nullable: true}}}')), latest(read("{type: object, properties: {at: {type: [string, 'null'], format: date}}}")), 'CC', 'The same values.'],
  ['a contract of 3.0 in 3.2 with a property that is never null', old(read('{type: object, properties: {at: {type: string, nullable: true}}}')), latest(read('{type: object, properties: {at: {type: string}}}')), 'CB', 'null comes in the reverse.'],
  ['examples in the words of 3.2', latest(get('responses: {"200": {description: a, content: {application/json: {schema: {type: integer}, examples: {a: {value: 1}}}}}}')), latest(get('responses: {"200": {description: a, content: {application/json: {schema: {type: integer}, examples: {a: {dataValue: 2}}}}}}')), 'CC', 'Documentation.'],
  ['the dialect of OpenAPI', get(OK), `jsonSchemaDialect: https://spec.openapis.org/oas/3.1/dialect/base\n${get(OK)}`, 'CC', 'The default.'],
];

const announced = (rest: string) =>
  `paths: {/pods: {get: {operationId: listPods, ${OK}}, delete: {operationId: deletePods, ${rest}${OK}}}}`;
const retired = (date: string) =>
  sent(
    `{type: object, properties: {name: {type: string}, node: {type: string, deprecated: true, x-sunset: '${date}'}}}`,
  );
const WITHOUT = sent('{type: object, properties: {name: {type: string}}}');
const PODS =
  '{type: object, properties: {items: {type: array, items: {type: string}}, continue: {type: string}, rest: {type: integer}}}';
const paged = (pagination: string) =>
  get(
    `${pagination && `x-pagination: {${pagination}}, `}parameters: [{name: continue, in: query, schema: {type: string}}, {name: limit, in: query, schema: {type: integer}}], ${reply(PODS)}`,
  );
const CURSOR = 'kind: cursor, parameter: continue, items: /items, next: /continue';
const limited = (limit: string) =>
  `components: {securitySchemes: {token: {type: http, scheme: bearer}}}\n${get(`security: [{token: []}], ${limit && `x-rate-limit: {${limit}}, `}${OK}`)}`;
const keyed = (rest: string) =>
  `paths: {/pods: {post: {operationId: addPod, parameters: [{name: Idempotency-Key, in: header, schema: {type: string}${rest}}], ${OK}}}}`;

// biome-ignore format: a table
const ANNOUNCEMENTS: readonly ContractRow[] = [
  ['a method removed after its day', announced("deprecated: true, x-sunset: '2020-02-29', "), get(OK), 'C-', 'The removal was announced.'],
  ['a method removed without a day', announced('deprecated: true, '), get(OK), 'B-', 'Nobody knew when.'],
  ['a property removed after its day, sent', retired('2020-02-29'), WITHOUT, 'C-', 'The removal was announced.'],
  ['a day that comes earlier for a property', retired('2999-02-01'), retired('2999-01-01'), 'BC', 'Clients have less time; in the reverse more.'],
  ['a method that is no longer deprecated', announced('deprecated: true, '), announced(''), 'CC', 'An announcement withdrawn.'],
  ['a link to the announcement', announced('deprecated: true, '), announced('deprecated: true, description: See the blog, externalDocs: {url: https://a.test}, '), 'CC', 'Documentation.'],
  ['pages described', paged(''), paged(CURSOR), 'CB', 'SDKs of the reverse follow the pages.'],
  ['pages by their number', paged(CURSOR), paged('kind: offset, parameter: limit, items: /items'), 'BB', 'SDKs follow the cursor.'],
  ['a limit that is lower', limited('requests: 5000, window: 1h'), limited('requests: 1000, window: 1h'), 'RC', 'A client may exceed it; in the reverse it is higher.'],
  ['a limit in seconds', limited('requests: 5000, window: 1h'), limited('requests: 5000, window: 3600s'), 'CC', 'The same window.'],
  ['a limit removed', limited('requests: 5000, window: 1h'), limited(''), 'CR', 'No limit; a new one in the reverse.'],
  ['keys that are kept for a week', keyed(', x-idempotency: {ttl: 24h}'), keyed(', x-idempotency: {ttl: 7d}'), 'CR', 'Longer; in the reverse a late retry acts twice.'],
  ['keys that make a request safe', keyed(''), keyed(', x-idempotency: {ttl: 24h}'), 'RB', 'An old header gets a meaning; in the reverse it loses it.'],
];

export const EIGHTH_SERVICE_ROWS: readonly ContractRow[] = [
  ...PATHS,
  ...SECURITY,
  ...SERVERS,
  ...DISCRIMINATORS,
  ...REFERENCES,
  ...ANNOUNCEMENTS,
];
