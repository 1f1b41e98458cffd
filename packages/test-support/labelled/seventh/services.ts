// Seventh blind set: paths, operations, extensions, security, servers, references, discriminators, whole contracts. Written without the code of the diff.
import { type ContractRow, contractOf } from '../pair.ts';
import { at30, at32, getOrders, jsonReply, KIND, OK, oauth, ref, SCOPES } from '../texts.ts';

const accept = (schema: string) =>
  `requestBody: {content: {application/json: {schema: ${schema}}}}`;
const post = (rest: string) => `paths: {/orders: {post: {operationId: addOrder, ${rest}}}}`;
const schemas = (text: string) => `components: {schemas: {${text}}}`;

const template = (schema: string, more = '') =>
  `paths: {"/orders/{id}": {get: {operationId: getOrder, parameters: [{name: id, in: path, required: true, schema: ${schema}}], ${jsonReply('{type: object}')}}}${more}}`;
const LATEST = `, /orders/latest: {get: {operationId: getLatest, ${jsonReply('{type: object}')}}}`;

// Labels are those of the change and of its reverse.
// biome-ignore format: a table
const PATHS: readonly ContractRow[] = [
  ['a fixed path that no number matches', template("{type: string, pattern: '^[0-9]+$'}"), template("{type: string, pattern: '^[0-9]+$'}", LATEST), 'CB', 'latest is no number; the reverse removes it.'],
  ['a fixed path that a slug matches', template("{type: string, pattern: '^[a-z]+$'}"), template("{type: string, pattern: '^[a-z]+$'}", LATEST), 'RB', 'An order may have the id latest; the reverse removes the operation.'],
  ['a fixed path that an enum excludes', template('{type: string, enum: [open, sent]}'), template('{type: string, enum: [open, sent]}', LATEST), 'CB', 'latest is no value; the reverse removes it.'],
  ['a fixed path that is too short', template('{type: string, minLength: 8}'), template('{type: string, minLength: 8}', LATEST), 'CB', 'latest has six characters; the reverse removes it.'],
  ['a plural path', getOrders(OK), getOrders(OK).replace('/orders', '/order'), 'BB', 'Another path.'],
  ['a path item that is repeated as a reference', `paths: {/orders: {get: {operationId: listOrders, ${OK}}}, /v2/orders: {get: {operationId: listOrders2, ${OK}}}}`, `paths: {/orders: {$ref: '#/components/pathItems/Orders'}, /v2/orders: {get: {operationId: listOrders2, ${OK}}}}\ncomponents: {pathItems: {Orders: {get: {operationId: listOrders, ${OK}}}}}`, 'CC', 'The same operation.'],
  ['PATCH in place of PUT', `paths: {/orders: {get: {operationId: listOrders, ${OK}}, put: {${OK}}}}`, `paths: {/orders: {get: {operationId: listOrders, ${OK}}, patch: {${OK}}}}`, 'BB', 'PUT is lost; PATCH in the reverse.'],
  ['an operationId with other capitals', getOrders(OK), getOrders(OK).replace('listOrders', 'ListOrders'), 'BB', 'SDKs have another method.'],
  ['a tag', getOrders(`tags: [orders], ${OK}`), getOrders(`tags: [sales], ${OK}`), 'RR', 'SDKs have another class.'],
  ['vendor extensions', getOrders(`x-internal: true, ${OK}`), getOrders(`x-internal: false, x-owner: {team: sales}, ${OK}`), 'CC', 'Extensions of others.'],
  ['version of the contract', getOrders(OK), contractOf(getOrders(OK)).replace('1.0.0}', '1.0.1, contact: {name: a}, license: {name: MIT}}'), 'CC', 'Documentation.'],
  ['a name of the server in the description', `servers: [{url: 'https://a.test', description: production}]\n${getOrders(OK)}`, `servers: [{url: 'https://a.test', description: live}]\n${getOrders(OK)}`, 'CC', 'Documentation.'],
];

const TOKEN = 'components: {securitySchemes: {token: {type: http, scheme: bearer}}}';
const limited = (limit: string) =>
  `${TOKEN}\n${getOrders(`security: [{token: []}], ${limit}${OK}`)}`;
const rate = (requests: number, window: string) =>
  `x-rate-limit: {requests: ${requests}, window: ${window}}, `;
const keyed = (ttl: string, rest = '') =>
  post(
    `parameters: [{name: Idempotency-Key, in: header${rest}, schema: {type: string}${ttl && `, x-idempotency: {ttl: ${ttl}}`}}], ${accept('{type: object}')}, ${OK}`,
  );
const paged = (pagination: string, name = 'cursor') =>
  getOrders(
    `x-pagination: {${pagination}}, parameters: [{name: ${name}, in: query, schema: {type: string}}, {name: limit, in: query, schema: {type: integer, minimum: 1}}], ${jsonReply('{type: object, properties: {data: {type: array, items: {type: string}}, rows: {type: array, items: {type: string}}, next: {type: string}, after: {type: string}, more: {type: boolean}}}')}`,
  );
const CURSOR = 'kind: cursor, parameter: cursor, items: /data, next: /next';

// biome-ignore format: a table
const EXTENSIONS: readonly ContractRow[] = [
  ['a window in seconds', limited(rate(60, '1m')), limited(rate(60, '60s')), 'CC', 'The same window.'],
  ['a window in hours', limited(rate(60, '24h')), limited(rate(60, '1d')), 'CC', 'The same window.'],
  ['a shorter window with the same number', limited(rate(60, '1m')), limited(rate(60, '30s')), 'CR', 'Twice as many; half as many in the reverse.'],
  ['a higher rate in smaller portions', limited(rate(10, '1m')), limited(rate(5, '10s')), 'RR', 'Ten at once are refused; in the reverse the rate is lower.'],
  ['a limit that is new', limited(''), limited(rate(1000, '1s')), 'RC', 'A client may exceed it.'],
  ['a lifetime of keys in other units', keyed('24h'), keyed('1d'), 'CC', 'The same time.'],
  ['a lifetime of keys in minutes', keyed('90m'), keyed('1h'), 'RC', 'A late retry acts twice.'],
  ['idempotency dropped', keyed('24h'), keyed(''), 'BR', 'A retry acts twice.'],
  ['a key that every request needs', keyed('24h'), keyed('24h', ', required: true'), 'BC', 'A request without a key is refused.'],
  ['the size of pages described', paged(CURSOR), paged(`${CURSOR}, size: limit`), 'C-', 'Clients may set the size.'],
  ['another property of pages for the cursor', paged(CURSOR), paged(CURSOR.replace('/next', '/after')), 'BB', 'Clients read next.'],
  ['another property of pages for the items', paged(CURSOR), paged(CURSOR.replace('/data', '/rows')), 'BB', 'Clients read data.'],
  ['more described', paged(CURSOR), paged(`${CURSOR}, more: /more`), 'CB', 'Clients of the reverse read it.'],
  ['pages in another order of members', paged(CURSOR), paged('next: /next, items: /data, parameter: cursor, kind: cursor'), 'CC', 'No order.'],
];

const SCHEMES =
  'token: {type: http, scheme: bearer}, basic: {type: http, scheme: basic}, key: {type: apiKey, in: header, name: X-Key}';
const secured = (requirement: string, text = SCHEMES) =>
  `components: {securitySchemes: {${text}}}\n${getOrders(`security: ${requirement}, ${OK}`)}`;
const root = (requirement: string, own = '') =>
  `components: {securitySchemes: {${SCHEMES}}}\nsecurity: ${requirement}\n${getOrders(`${own}${OK}`)}`;
const CLIENT = `clientCredentials: {tokenUrl: 'https://a.test/token', ${SCOPES}}`;
const code = (rest: string) =>
  `authorizationCode: {authorizationUrl: 'https://a.test/authorize', tokenUrl: 'https://a.test/token', ${rest}${SCOPES}}`;
const scoped = (requirement: string, flows = CLIENT) => secured(requirement, oauth(flows));

// biome-ignore format: a table
const SECURITY: readonly ContractRow[] = [
  ['alternatives in another order', secured('[{token: []}, {key: []}]'), secured('[{key: []}, {token: []}]'), 'CC', 'Either suffices.'],
  ['schemes of one alternative in another order', secured('[{token: [], key: []}]'), secured('[{key: [], token: []}]'), 'CC', 'Both are needed.'],
  ['an alternative that is repeated', secured('[{token: []}, {token: []}]'), secured('[{token: []}]'), 'CC', 'The same alternative.'],
  ['either as both', secured('[{token: []}, {key: []}]'), secured('[{token: [], key: []}]'), 'BC', 'A token alone is refused.'],
  ['an alternative with both that is never needed', secured('[{token: []}, {key: [], token: []}]'), secured('[{token: []}]'), 'CC', 'The token suffices in both.'],
  ['anonymous access in words', secured('[]'), secured('[{}]'), 'CC', 'No credentials are needed.'],
  ['anonymous access without security', `components: {securitySchemes: {${SCHEMES}}}\n${getOrders(OK)}`, secured('[]'), 'CC', 'No credentials are needed.'],
  ['anonymous access listed last', secured('[{}, {token: []}]'), secured('[{token: []}, {}]'), 'CC', 'Anonymous access stays.'],
  ['a requirement that overrides that of the contract', root('[{key: []}]', 'security: [{token: []}], '), root('[{basic: []}]', 'security: [{token: []}], '), 'CC', 'The operation has its own.'],
  ['a requirement that falls back to that of the contract', root('[{key: []}]', 'security: [{token: []}], '), root('[{key: []}]'), 'BB', 'A token is refused; a key in the reverse.'],
  ['password instead of token', secured('[{token: []}]'), secured('[{basic: []}]'), 'BB', 'Other credentials.'],
  ['the scheme of a name', secured('[{one: []}]', 'one: {type: http, scheme: bearer}'), secured('[{one: []}]', 'one: {type: http, scheme: basic}'), 'BB', 'Other credentials under the same name.'],
  ['the name of a scheme', secured('[{one: []}]', 'one: {type: http, scheme: bearer}'), secured('[{two: []}]', 'two: {type: http, scheme: bearer}'), 'RR', 'SDKs configure credentials by the name.'],
  ['a scheme behind a reference', secured('[{one: []}]', 'one: {type: http, scheme: bearer}'), secured('[{one: []}]', "one: {$ref: '#/components/securitySchemes/two'}, two: {type: http, scheme: bearer}"), 'C-', 'The same scheme.'],
  ['a scope that an operation needs as well', scoped('[{auth: [read]}]'), scoped('[{auth: [read, write]}]'), 'BC', 'A token with read is refused.'],
  ['a scope of two that suffices', scoped('[{auth: [read, write]}]'), scoped('[{auth: [read]}, {auth: [write]}]'), 'CB', 'Either scope suffices.'],
  ['a token without scopes', scoped('[{auth: [read]}]'), scoped('[{auth: []}]'), 'CB', 'Any token suffices; in the reverse it needs read.'],
  ['a flow for browsers added', scoped('[{auth: [read]}]'), scoped('[{auth: [read]}]', `${CLIENT}, ${code('')}`), 'CB', 'Clients of the reverse lose it.'],
  ['a URL to refresh tokens added', scoped('[{auth: [read]}]', code('')), scoped('[{auth: [read]}]', code("refreshUrl: 'https://a.test/refresh', ")), 'CB', 'Clients of the reverse use it.'],
  ['a scope of the scheme that no operation needs', scoped('[{auth: [read]}]'), scoped('[{auth: [read]}]', CLIENT.replace(', write: w', '')), 'RC', 'Clients that request it may be refused.'],
  ['description of a scheme', secured('[{token: []}]'), secured('[{token: []}]', SCHEMES.replace('bearer', 'bearer, bearerFormat: opaque, description: a')), 'CC', 'Documentation.'],
];

const at = (servers: string, own = '', item = '') =>
  `${servers && `servers: [${servers}]\n`}paths: {/orders: {${item}get: {operationId: listOrders, ${own}${OK}}}}`;
const url = (text: string) => `{url: '${text}'}`;
const region = (rest: string, address = 'https://{region}.a.test/v1') =>
  `{url: '${address}', variables: {region: {${rest}}}}`;

// biome-ignore format: a table
const SERVERS: readonly ContractRow[] = [
  ['the root as a server', at(''), at(url('/')), 'CC', 'The default.'],
  ['a variable with one value', at(region('default: eu, enum: [eu]')), at(url('https://eu.a.test/v1')), 'C-', 'The same URL.'],
  ['a variable without its enum', at(region('default: eu, enum: [eu, us]')), at(region('default: eu')), 'CB', 'Any region; in the reverse others are gone.'],
  ['values of a variable in another order', at(region('default: eu, enum: [eu, us]')), at(region('enum: [us, eu], default: eu')), 'CC', 'No order.'],
  ['a default that another region takes over', at(region('default: eu, enum: [eu, us]')), at(region('default: us, enum: [eu, us]')), 'RR', 'Clients that set no region call another host.'],
  ['a default with a region that is gone', at(region('default: eu, enum: [eu, us]')), at(region('default: us, enum: [us]')), 'BC', 'Clients of eu; the reverse keeps us, which is compatible in an older set although the default changes.'],
  ['the server of the contract on an operation', at(url('https://a.test')), at(url('https://a.test'), `servers: [${url('https://a.test')}], `), 'CC', 'The same URL.'],
  ['the servers of the contract on the path item', at(url('https://a.test')), at(url('https://a.test'), '', `servers: [${url('https://a.test')}], `), 'CC', 'The same URL.'],
  ['another host for one path item', at(url('https://a.test')), at(url('https://a.test'), '', `servers: [${url('https://b.test')}], `), 'BB', 'Clients call the old host.'],
  ['a further host for one operation', at(url('https://a.test')), at(url('https://a.test'), `servers: [${url('https://a.test')}, ${url('https://b.test')}], `), 'CB', 'Clients of the reverse call b.'],
  ['a server of the contract that its operations override', at(url('https://a.test'), `servers: [${url('https://b.test')}], `), at(url('https://c.test'), `servers: [${url('https://b.test')}], `), 'BB', 'Clients may use a declared server: the label of an older set for the same change.'],
  ['the scheme of a host', at(url('http://a.test')), at(url('https://a.test')), 'BB', 'Another URL.'],
  ['the scheme in capitals', at(url('https://a.test/v1')), at(url('HTTPS://a.test/v1')), 'CC', 'Schemes are case-insensitive.'],
  ['a base path for a new major version', at(url('https://a.test/v1')), at(`${url('https://a.test/v1')}, ${url('https://a.test/v2')}`), 'CB', 'The old path stays.'],
];

const pet = (kind: string, property: string) =>
  `{type: object, properties: {kind: {type: string, enum: [${kind}]}, ${property}: {type: integer}}, required: [kind, ${property}]}`;
const PETS = `cat: ${pet('cat', 'lives')}, dog: ${pet('dog', 'tricks')}`;
const PARROT = `${PETS}, parrot: ${pet('parrot', 'words')}`;
const choice = (names: readonly string[], rest = '', keyword = 'oneOf') =>
  `{${keyword}: [${names.map(ref).join(', ')}]${rest}}`;
const mapped = (mapping: string) => `, discriminator: {propertyName: kind, mapping: {${mapping}}}`;
const [CAT, DOG] = ["cat: '#/components/schemas/cat'", "dog: '#/components/schemas/dog'"];
const readPets = (schema: string, text = PETS) =>
  `${getOrders(jsonReply(schema))}\n${schemas(text)}`;
const sentPets = (schema: string, text = PETS) =>
  `${post(`${accept(schema)}, ${OK}`)}\n${schemas(text)}`;
const CATS_AND_DOGS = ['cat', 'dog'];
const ALL = ['cat', 'dog', 'parrot'];
const heirs = (more: string) =>
  `${getOrders(jsonReply(ref('Pet')))}\n${schemas(`Pet: {type: object, properties: {kind: {type: string}}, required: [kind], discriminator: {propertyName: kind}}, Cat: {allOf: [${ref('Pet')}, {type: object, properties: {lives: {type: integer}}}]}${more}`)}`;

// biome-ignore format: a table
const DISCRIMINATORS: readonly ContractRow[] = [
  ['a mapping of one of two', readPets(choice(CATS_AND_DOGS, mapped(CAT))), readPets(choice(CATS_AND_DOGS, mapped(`${CAT}, ${DOG}`))), 'CC', 'The other has its name.'],
  ['branches in another order', sentPets(choice(CATS_AND_DOGS, KIND)), sentPets(choice(['dog', 'cat'], KIND)), 'CC', 'No order.'],
  ['a further kind that is read', readPets(choice(CATS_AND_DOGS, KIND), PARROT), readPets(choice(ALL, KIND), PARROT), 'BC', 'Clients do not know parrots.'],
  ['a further kind that is sent', sentPets(choice(CATS_AND_DOGS, KIND), PARROT), sentPets(choice(ALL, KIND), PARROT), 'CB', 'Parrots are refused in the reverse.'],
  ['a discriminator over the same kinds', readPets(choice(CATS_AND_DOGS)), readPets(choice(CATS_AND_DOGS, KIND)), 'RR', 'SDKs read other types.'],
  ['exactly one kind as any kind', sentPets(choice(CATS_AND_DOGS)), sentPets(choice(CATS_AND_DOGS, '', 'anyOf')), 'CC', 'No pet has two kinds.'],
  ['a kind narrowed behind its reference', sentPets(choice(CATS_AND_DOGS, KIND)), sentPets(choice(CATS_AND_DOGS, KIND), PETS.replace('lives: {type: integer}', 'lives: {type: integer, maximum: 9}')), 'BC', 'Ten lives are refused.'],
  ['a kind narrowed behind its reference, read', readPets(choice(CATS_AND_DOGS, KIND)), readPets(choice(CATS_AND_DOGS, KIND), PETS.replace('lives: {type: integer}', 'lives: {type: integer, maximum: 9}')), 'CB', 'Ten lives come in the reverse.'],
  ['an heir added', heirs(''), heirs(`, Dog: {allOf: [${ref('Pet')}, {type: object, properties: {tricks: {type: integer}}}]}`), 'RR', 'It restricts no value; SDKs read values by it.'],
  ['an heir with a further property', heirs(''), heirs('').replace('lives: {type: integer}', 'lives: {type: integer}, age: {type: integer}'), 'CR', 'An added property is compatible (diff-rules.md); in the reverse SDKs no longer read it.'],
  ['an empty mapping', sentPets(choice(CATS_AND_DOGS, KIND)), sentPets(choice(CATS_AND_DOGS, ', discriminator: {propertyName: kind, mapping: {}}')), 'CC', 'The same names.'],
];

const toys = (schema: string, text = '') =>
  `${getOrders(jsonReply(schema))}${text && `\n${schemas(text)}`}`;
const both = (text: string) =>
  `paths: {/orders: {post: {operationId: addOrder, ${accept(ref('Order'))}, ${jsonReply(ref('Order'))}}}}\n${schemas(text)}`;
const ORDER = (state: string) =>
  `Order: {type: object, properties: {id: {type: string, readOnly: true}, state: {type: string, enum: [${state}]}, pin: {type: string, writeOnly: true}}, required: [state]}`;
const NODE = (items: string) =>
  `Node: {type: object, properties: {name: {type: string}, children: {type: array, items: ${items}}}}`;

// biome-ignore format: a table
const REFERENCES: readonly ContractRow[] = [
  ['a component for an inline schema', toys('{type: object, properties: {id: {type: string}}}'), toys(ref('Toy'), 'Toy: {type: object, properties: {id: {type: string}}}'), 'CR', 'The same schema; SDKs lose a type in the reverse.'],
  ['a component renamed', toys(ref('Toy'), 'Toy: {type: object}'), toys(ref('Game'), 'Game: {type: object}'), 'RR', 'SDKs have another type.'],
  ['a component that nothing uses', toys('{type: object}', 'Toy: {type: object}'), toys('{type: object}', 'Toy: {type: object}, Game: {type: object}'), 'CR', 'SDKs lose a type in the reverse.'],
  ['a property of a component by its reference', toys(`{type: object, properties: {id: {type: string, maxLength: 9}}}`, 'Toy: {type: object, properties: {id: {type: string, maxLength: 9}}}'), toys(`{type: object, properties: {id: {$ref: '#/components/schemas/Toy/properties/id'}}}`, 'Toy: {type: object, properties: {id: {type: string, maxLength: 9}}}'), 'CC', 'The same schema.'],
  ['a definition inside a component', toys(ref('Toy'), `Toy: {type: object, $defs: {Size: {type: string, enum: [s, m]}}, properties: {size: {$ref: '#/components/schemas/Toy/$defs/Size'}}}`), toys(ref('Toy'), 'Toy: {type: object, properties: {size: {type: string, enum: [s, m]}}}'), 'CC', 'The same sizes.'],
  ['a definition inside a component with a further value', toys(ref('Toy'), `Toy: {type: object, $defs: {Size: {type: string, enum: [s, m]}}, properties: {size: {$ref: '#/components/schemas/Toy/$defs/Size'}}}`), toys(ref('Toy'), `Toy: {type: object, $defs: {Size: {type: string, enum: [s, m, l]}}, properties: {size: {$ref: '#/components/schemas/Toy/$defs/Size'}}}`), 'BC', 'Clients do not know l.'],
  ['a conjunct of one reference in 3.0', at30(toys(`{type: object, properties: {toy: {allOf: [${ref('Toy')}], description: The toy}}}`, 'Toy: {type: object}')), at30(toys(`{type: object, properties: {toy: ${ref('Toy')}}}`, 'Toy: {type: object}')), 'CC', 'The same toy.'],
  ['a state added to an order that is sent and read', both(ORDER('open, sent')), both(ORDER('open, sent, lost')), 'BB', 'Replies have lost; in the reverse requests may not.'],
  ['a readOnly id of an order that is sent and read', both(ORDER('open')), both(ORDER('open').replace('id: {type: string, readOnly: true}', 'id: {type: string, readOnly: true, maxLength: 9}')), 'CB', 'Requests have no id.'],
  ['a writeOnly pin of an order that is sent and read', both(ORDER('open')), both(ORDER('open').replace('pin: {type: string, writeOnly: true}', 'pin: {type: string, writeOnly: true, minLength: 4}')), 'BC', 'Replies have no pin.'],
  ['a readOnly date of an order that is sent and read', both(ORDER('open')), both(ORDER('open').replace('id: {', 'at: {type: string, format: date, readOnly: true}, id: {').replace('[state]', '[state, at]')), 'CB', 'Only replies have it.'],
  ['an order in parts', both(ORDER('open')), both(`Order: {allOf: [{type: object, properties: {id: {type: string, readOnly: true}}}, {type: object, properties: {state: {type: string, enum: [open]}, pin: {type: string, writeOnly: true}}, required: [state]}]}`), 'CC', 'The same orders.'],
  ['a tree unrolled once', toys(ref('Node'), NODE(ref('Node'))), toys(ref('Node'), NODE(`{type: object, properties: {name: {type: string}, children: {type: array, items: ${ref('Node')}}}}`)), 'CC', 'The same trees.'],
  ['a tree of two levels', toys(ref('Node'), NODE(ref('Node'))), toys(ref('Node'), NODE('{type: object, properties: {name: {type: string}, children: {type: array, maxItems: 0}}}')), 'CB', 'Deeper trees come in the reverse.'],
  ['the same component at two places', `${toys(`{type: object, properties: {a: {type: string, format: uuid}, b: {type: string, format: uuid}}}`)}`, toys(`{type: object, properties: {a: ${ref('Id')}, b: ${ref('Id')}}}`, 'Id: {type: string, format: uuid}'), 'CR', 'The same ids; SDKs lose a type in the reverse.'],
  ['the dialect written out', getOrders(OK), `jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema\n${getOrders(OK)}`, 'CC', 'The same dialect.'],
  ['another dialect', getOrders(OK), `jsonSchemaDialect: http://json-schema.org/draft-07/schema#\n${getOrders(OK)}`, 'RR', 'Keywords have another meaning.'],
  ['a patch version of OpenAPI', contractOf(toys('{type: string, nullable: true}'), '3.0.0'), at30(toys('{type: string, nullable: true}')), 'CC', 'The same messages.'],
  ['bounds of 3.0 in 3.2', at30(toys('{type: number, maximum: 9, exclusiveMaximum: true}')), at32(toys('{type: number, exclusiveMaximum: 9}')), 'CC', 'The same numbers.'],
  ['an example of 3.0 in 3.1', at30(toys('{type: string, example: a}')), toys('{type: string, examples: [a]}'), 'CC', 'Documentation.'],
  ['a single value of 3.0 in 3.1', at30(toys('{type: string, enum: [a]}')), toys('{type: string, const: a}'), 'CC', 'The same value.'],
];

export const SEVENTH_SERVICE_ROWS: readonly ContractRow[] = [
  ...PATHS,
  ...EXTENSIONS,
  ...SECURITY,
  ...SERVERS,
  ...DISCRIMINATORS,
  ...REFERENCES,
];
