// Fourth blind set: paths, security, servers, webhooks, references, discriminators, OpenAPI 3.2. Written before the code that it tests.
import { type ContractRow, contractOf } from '../pair.ts';
import { at30, at32, get, jsonReply, OK, oauth, post, ref } from '../texts.ts';

const sent = (schema: string) =>
  post(`requestBody: {content: {application/json: {schema: ${schema}}}}, ${OK}`);

const schemes = (text: string, rest: string) => `components: {securitySchemes: {${text}}}\n${rest}`;
const client = (scopes: string, url = 'https://a.test/token') =>
  `clientCredentials: {tokenUrl: '${url}', scopes: {${scopes}}}`;
const SCOPES = 'read: r, write: w';
const TOKENS =
  'token: {type: http, scheme: bearer}, key: {type: apiKey, in: header, name: X-Key}, tls: {type: mutualTLS}';
const secured = (requirement: string, text = TOKENS) =>
  schemes(text, get(`security: ${requirement}, ${OK}`));
const scoped = (requirement: string) => secured(requirement, oauth(client(SCOPES)));
const one = (scheme: string) => secured('[{one: []}]', `one: ${scheme}`);
const servers = (text: string) => `servers: [${text}]\n${get(OK)}`;
const region = (values: string, initial: string) =>
  servers(
    `{url: 'https://{region}.a.test', variables: {region: {default: ${initial}, enum: [${values}]}}}`,
  );

const toy = (schema: string, extra = '') =>
  `paths: {"/toys/{id}": {get: {operationId: getToy, parameters: [{name: id, in: path, required: true, schema: ${schema}}], ${jsonReply('{type: object, properties: {id: {type: string}}, required: [id]}')}}}${extra}}`;
const NEW = `, /toys/new: {get: {operationId: getNew, ${jsonReply('{type: array, items: {type: string}}')}}}`;

// biome-ignore format: a table
const PATHS: readonly ContractRow[] = [
  ['a fixed path that takes a value of a string', toy('{type: string}'), toy('{type: string}', NEW), 'R-', 'Whether a toy "new" exists is unknown, as the rules say.'],
  ['a fixed path that no integer has', toy('{type: integer}'), toy('{type: integer}', NEW), 'C-', 'No integer is "new".'],
  ['deprecated operation removed', `paths: {/toys: {get: {deprecated: true, ${OK}}, post: {${OK}}}}`, `paths: {/toys: {post: {${OK}}}}`, 'BC', 'A deprecated operation still has callers.'],
  ['documentation of everything', `tags: [{name: a, description: x}]\nexternalDocs: {url: 'https://a.test'}\n${get(`summary: x, description: x, tags: [a], ${OK}`)}`, `tags: [{name: a, description: y}]\nexternalDocs: {url: 'https://b.test'}\n${get(`summary: y, description: y, tags: [a], ${OK}`)}`, 'CC', 'Documentation.'],
  ['path item behind a reference', get(OK), `paths: {/toys: {$ref: '#/components/pathItems/Toys'}}\ncomponents: {pathItems: {Toys: {get: {operationId: getToys, ${OK}}}}}`, 'CC', 'The same path.'],
  ['extensions', get(`x-team: a, ${OK}`), get(`x-team: b, x-cost: 4, ${OK}`), 'CC', 'Extensions of others.'],
];

// biome-ignore format: a table
const SECURITY: readonly ContractRow[] = [
  ['a scheme beside anonymous access', secured('[{}]'), secured('[{token: []}, {}]'), 'CC', 'Anonymous access stays.'],
  ['anonymous access dropped', secured('[{token: []}, {}]'), secured('[{token: []}]'), 'BC', 'A request without a token is refused.'],
  ['an alternative added', secured('[{token: []}]'), secured('[{token: []}, {key: []}]'), 'CB', 'A key is refused in the reverse.'],
  ['one of two schemes no longer needed', secured('[{token: [], key: []}]'), secured('[{key: []}]'), 'CB', 'A token is needed in the reverse.'],
  ['both schemes as either', secured('[{token: [], key: []}]'), secured('[{token: []}, {key: []}]'), 'CB', 'Both are needed in the reverse.'],
  ['an alternative that needs more', secured('[{token: []}]'), secured('[{token: []}, {token: [], key: []}]'), 'CC', 'The token suffices in both.'],
  ['client certificate needed', secured('[{token: []}]'), secured('[{token: [], tls: []}]'), 'BC', 'A request without a certificate is refused.'],
  ['requirement of the contract moved to the operation', schemes(TOKENS, `security: [{token: []}]\n${get(OK)}`), secured('[{token: []}]'), 'CC', 'The same requirement.'],
  ['public operation of a secured contract', schemes(TOKENS, `security: [{token: []}]\n${get(`security: [], ${OK}`)}`), schemes(TOKENS, `security: [{token: []}]\n${get(OK)}`), 'BC', 'The empty list lifts the requirement.'],
  ['one of two scopes as alternatives', scoped('[{auth: [read]}, {auth: [write]}]'), scoped('[{auth: [write]}]'), 'BC', 'A token with read is refused.'],
  ['alternative with a scope more', scoped('[{auth: [read]}, {auth: [read, write]}]'), scoped('[{auth: [read]}]'), 'CC', 'read suffices in both.'],
  ['scopes in another order', scoped('[{auth: [read, write]}]'), scoped('[{auth: [write, read]}]'), 'CC', 'Scopes have no order.'],
  ['address of tokens', secured('[{auth: [read]}]', oauth(client(SCOPES))), secured('[{auth: [read]}]', oauth(client(SCOPES, 'https://b.test/token'))), 'BB', 'Clients fetch tokens at the old address.'],
  ['a flow dropped', secured('[{auth: [read]}]', oauth(`${client(SCOPES)}, password: {tokenUrl: 'https://a.test/token', scopes: {${SCOPES}}}`)), secured('[{auth: [read]}]', oauth(client(SCOPES))), 'BC', 'Clients of the password flow get no token.'],
  ['description of scopes', secured('[{auth: [read]}]', oauth(client('read: r'))), secured('[{auth: [read]}]', oauth(client('read: Reads toys'))), 'CC', 'Documentation.'],
  ['key from the query to a header', one('{type: apiKey, in: query, name: key}'), one('{type: apiKey, in: header, name: key}'), 'BB', 'Another location.'],
  ['key header in other capitals', one('{type: apiKey, in: header, name: X-Key}'), one('{type: apiKey, in: header, name: x-key}'), 'CC', 'Header names are case-insensitive.'],
  ['key cookie in other capitals', one('{type: apiKey, in: cookie, name: key}'), one('{type: apiKey, in: cookie, name: Key}'), 'BB', 'Cookie names are case-sensitive.'],
  ['scheme in other capitals', one('{type: http, scheme: Bearer}'), one('{type: http, scheme: bearer}'), 'CC', 'Scheme names are case-insensitive.'],
  ['form of the token named', one('{type: http, scheme: bearer}'), one('{type: http, scheme: bearer, bearerFormat: JWT}'), 'CC', 'A hint.'],
  ['address of OpenID Connect', one("{type: openIdConnect, openIdConnectUrl: 'https://a.test/c'}"), one("{type: openIdConnect, openIdConnectUrl: 'https://b.test/c'}"), 'BB', 'Another issuer.'],
];

// biome-ignore format: a table
const SERVERS: readonly ContractRow[] = [
  ['host in capitals', servers("{url: 'https://API.a.test/v1'}"), servers("{url: 'https://api.a.test/v1'}"), 'CC', 'Hosts are case-insensitive.'],
  ['path of the server in capitals', servers("{url: 'https://a.test/V1'}"), servers("{url: 'https://a.test/v1'}"), 'BB', 'Paths are case-sensitive.'],
  ['default port', servers("{url: 'https://a.test:443/v1'}"), servers("{url: 'https://a.test/v1'}"), 'CC', 'The port of https is 443.'],
  ['another port', servers("{url: 'https://a.test:8443/v1'}"), servers("{url: 'https://a.test/v1'}"), 'BB', 'Another port.'],
  ['http dropped', servers("{url: 'http://a.test'}, {url: 'https://a.test'}"), servers("{url: 'https://a.test'}"), 'BC', 'Clients use http.'],
  ['region dropped', region('eu, us', 'eu'), region('eu', 'eu'), 'BC', 'us.a.test is lost.'],
  ['regions written out', region('eu, us', 'eu'), servers("{url: 'https://eu.a.test'}, {url: 'https://us.a.test'}"), 'CR', 'The same URLs; of one server several are made, or its default changes, as in the older sets.'],
  ['description of a server', servers("{url: 'https://a.test', description: x}"), servers("{url: 'https://a.test', description: y}"), 'CC', 'Documentation.'],
];

const hook = (schema: string, responses = '"204": {description: none}', rest = '') =>
  `paths: {}\nwebhooks: {sold: {post: {${rest}requestBody: {required: true, content: {application/json: {schema: ${schema}}}}, responses: {${responses}}}}}`;
const ID = '{type: object, properties: {id: {type: string}}, required: [id]}';
const ANY_ID = '{type: object, properties: {id: {type: string}}}';
const CALLBACK = `post: {requestBody: {content: {application/json: {schema: ${ID}}}}, ${OK}}`;
const SUBSCRIBE =
  'requestBody: {content: {application/json: {schema: {type: object, properties: {url: {type: string}, other: {type: string}}, required: [url, other]}}}}, ';
const subscribe = (url: string) =>
  post(`${SUBSCRIBE}callbacks: {sold: {'{$request.body#/${url}}': {${CALLBACK}}}}, ${OK}`);

// biome-ignore format: a table
const OUTGOING: readonly ContractRow[] = [
  ['property of a webhook becomes optional', hook(ID), hook(ANY_ID), 'BC', 'The receiver reads id.'],
  ['answer of a receiver no longer accepted', hook(ID, '"200": {description: a}, "204": {description: b}'), hook(ID, '"204": {description: b}'), 'BC', 'A receiver answers 200.'],
  ['body that a receiver must answer', hook(ID, `"200": {description: a, content: {application/json: {schema: ${ANY_ID}}}}`), hook(ID, `"200": {description: a, content: {application/json: {schema: ${ID}}}}`), 'BC', 'A receiver answers without id.'],
  ['property of a webhook widened', hook('{type: object, properties: {id: {type: integer, maximum: 9}}}'), hook('{type: object, properties: {id: {type: integer}}}'), 'BC', 'A receiver gets 10.'],
  ['webhook behind a reference', hook(ID), `paths: {}\nwebhooks: {sold: {$ref: '#/components/pathItems/Sold'}}\ncomponents: {pathItems: {Sold: {post: {requestBody: {required: true, content: {application/json: {schema: ${ID}}}}, ${OK}}}}}`, 'CC', 'The same webhook.'],
  ['method of a webhook', hook(ID), hook(ID).replace('post:', 'put:'), 'BB', 'Receivers listen to POST.'],
  ['callback behind a reference', subscribe('url'), `${post(`${SUBSCRIBE}callbacks: {sold: {$ref: '#/components/callbacks/Sold'}}, ${OK}`)}\ncomponents: {callbacks: {Sold: {'{$request.body#/url}': {${CALLBACK}}}}}`, 'CC', 'The same callback.'],
  ['callback to another address', subscribe('url'), subscribe('other'), 'BB', 'The service calls another address.'],
];

const named = (schema: string, components: string) =>
  `${sent(schema)}\ncomponents: {schemas: {${components}}}`;
const NODE = (next: string, value = 'type: integer') =>
  `{type: object, properties: {v: {${value}}, next: ${next}}}`;
const pet = (property: string) =>
  `{type: object, properties: {kind: {type: string}, ${property}: {type: integer}}, required: [kind, ${property}]}`;
const PETS = `components: {schemas: {Cat: ${pet('lives')}, Dog: ${pet('tricks')}}}`;
const pets = (discriminator: string) =>
  `{oneOf: [${ref('Cat')}, ${ref('Dog')}], discriminator: ${discriminator}}`;
const sentPets = (discriminator: string) => `${sent(pets(discriminator))}\n${PETS}`;
const readPets = (discriminator: string) => `${get(jsonReply(pets(discriminator)))}\n${PETS}`;
const MAPPED = (mapping: string) => `{propertyName: kind, mapping: {${mapping}}}`;
const [CAT, DOG] = ["'#/components/schemas/Cat'", "'#/components/schemas/Dog'"];

// biome-ignore format: a table
const REFERENCES: readonly ContractRow[] = [
  ['sibling of a reference in 3.0', at30(named(`{type: object, properties: {n: {$ref: '#/components/schemas/Name', maxLength: 3}}}`, 'Name: {type: string}')), at30(named(`{type: object, properties: {n: ${ref('Name')}}}`, 'Name: {type: string}')), 'CC', '3.0 ignores siblings of $ref.'],
  ['sibling of a reference in 3.1', named(`{type: object, properties: {n: ${ref('Name')}}}`, 'Name: {type: string}'), named(`{type: object, properties: {n: {$ref: '#/components/schemas/Name', maxLength: 3}}}`, 'Name: {type: string}'), 'BC', 'Four characters are refused.'],
  ['sibling of a reference from 3.0 to 3.1', at30(named(`{type: object, properties: {n: {$ref: '#/components/schemas/Name', maxLength: 3}}}`, 'Name: {type: string}')), named(`{type: object, properties: {n: {$ref: '#/components/schemas/Name', maxLength: 3}}}`, 'Name: {type: string}'), 'BC', '3.1 applies the sibling.'],
  ['nullable from 3.0 to 3.1', at30(sent('{type: string, nullable: true}')), sent('{type: string, nullable: true}'), 'BC', '3.1 has no nullable: null is refused.'],
  ['recursion unrolled', named(ref('Node'), `Node: ${NODE(ref('Node'))}`), named(ref('Node'), `Node: ${NODE(NODE(ref('Node')))}`), 'CC', 'The same lists.'],
  ['recursion unrolled with a bound inside', named(ref('Node'), `Node: ${NODE(ref('Node'))}`), named(ref('Node'), `Node: ${NODE(NODE(ref('Node'), 'type: integer, maximum: 9'))}`), 'BC', 'A second value of 10 is refused.'],
  ['recursion through two schemas', named(ref('Node'), `Node: ${NODE(ref('Node'))}`), named(ref('Node'), `Node: ${NODE(ref('Other'))}, Other: ${NODE(ref('Node'))}`), 'CR', 'The same lists; SDKs lose a type in the reverse.'],
  ['chain of references', named(ref('A'), `A: ${ref('B')}, B: ${ref('C')}, C: {type: string, maxLength: 3}`), named(ref('A'), 'A: {type: string, maxLength: 3}'), 'RC', 'The same schema; SDKs lose types.'],
  ['inheritance flattened', named(ref('Cat'), `Pet: {type: object, properties: {name: {type: string}}, required: [name]}, Cat: {allOf: [${ref('Pet')}, {properties: {lives: {type: integer}}}]}`), named(ref('Cat'), 'Cat: {type: object, properties: {name: {type: string}, lives: {type: integer}}, required: [name]}'), 'RC', 'The same objects; SDKs lose a type.'],
  ['unused component narrowed', named(ref('A'), 'A: {type: string}, B: {type: string}'), named(ref('A'), 'A: {type: string}, B: {type: integer}'), 'CC', 'No message has it.'],
  ['mapping written out', sentPets('{propertyName: kind}'), sentPets(MAPPED(`Cat: ${CAT}, Dog: ${DOG}`)), 'CC', 'The names of the schemas are the default.'],
  ['mapping by name', sentPets(MAPPED('cat: Cat, dog: Dog')), sentPets(MAPPED(`cat: ${CAT}, dog: ${DOG}`)), 'CC', 'The same schemas.'],
  ['value of a mapping renamed', readPets(MAPPED(`cat: ${CAT}, dog: ${DOG}`)), readPets(MAPPED(`feline: ${CAT}, dog: ${DOG}`)), 'BB', 'Clients read an unknown kind.'],
  ['targets of a mapping swapped', readPets(MAPPED(`x: ${CAT}, y: ${DOG}`)), readPets(MAPPED(`x: ${DOG}, y: ${CAT}`)), 'BB', 'Clients read x as a cat.'],
];

const stream = (schema: string, kind = 'text/event-stream') =>
  get(`responses: {"200": {description: a, content: {${kind}: {itemSchema: ${schema}}}}}`);
const lines = (content: string) =>
  post(`requestBody: {required: true, content: {application/jsonl: ${content}}}, ${OK}`);
const querystring = (schema: string, rest = '', kind = 'application/x-www-form-urlencoded') =>
  get(
    `parameters: [{name: q, in: querystring, content: {${kind}: {schema: ${schema}}}${rest}}], ${OK}`,
  );
const queries = (text: string) => get(`parameters: [${text}], ${OK}`);
const additional = (method: string) =>
  `paths: {/toys: {get: {${OK}}, additionalOperations: {${method}: {${OK}}}}}`;
const mixed = (encoding: string) =>
  post(`requestBody: {content: {multipart/mixed: {itemSchema: {}, ${encoding}}}}, ${OK}`);
const biscuits = (style: string, schema: string) =>
  queries(`{name: a, in: cookie, style: ${style}, explode: true, schema: ${schema}}`);
const EVENT = '{type: object, properties: {data: {type: string}}, required: [data]}';
const LOOSE_EVENT = '{type: object, properties: {data: {type: string}}}';
const FILTER = '{type: object, properties: {a: {type: string}}, additionalProperties: false}';
const rows = (before: string, after: string) => [at32(before), at32(after)] as const;

// biome-ignore format: a table
const OPENAPI_32: readonly ContractRow[] = [
  ['other method removed', ...rows(additional('COPY'), `paths: {/toys: {get: {${OK}}}}`), 'BC', 'COPY is lost.'],
  ['other method in small letters', ...rows(additional('COPY'), additional('copy')), 'BB', 'Methods are case-sensitive.'],
  ['QUERY removed', ...rows(`paths: {/toys: {get: {${OK}}, query: {${OK}}}}`, `paths: {/toys: {get: {${OK}}}}`), 'BC', 'QUERY is lost.'],
  ['querystring as a query parameter', ...rows(querystring(FILTER), queries('{name: a, in: query, schema: {type: string}}')), 'RR', 'a=1 in both; SDKs have other arguments.'],
  ['querystring as another query parameter', ...rows(querystring(FILTER), queries('{name: b, in: query, schema: {type: string}}')), 'B-', 'a is lost.'],
  ['querystring narrowed', ...rows(querystring(FILTER), querystring('{type: object, properties: {a: {type: string, maxLength: 3}}, additionalProperties: false}')), 'BC', 'a=long is refused.'],
  ['querystring of JSON', ...rows(querystring(FILTER), querystring(FILTER, '', 'application/json')), 'BB', 'Another serialization.'],
  ['querystring becomes required', ...rows(querystring(FILTER), querystring(FILTER, ', required: true')), 'BC', 'A URL without a query is refused.'],
  ['event stream as JSON lines', ...rows(stream(EVENT), stream(EVENT, 'application/jsonl')), 'BB', 'Another media type.'],
  ['items of sent lines narrowed', ...rows(lines(`{itemSchema: ${LOOSE_EVENT}}`), lines(`{itemSchema: ${EVENT}}`)), 'BC', 'A line without data is refused.'],
  ['lines as an array', ...rows(lines(`{itemSchema: ${EVENT}}`), lines(`{schema: {type: array, items: ${EVENT}}}`)), 'CC', 'The schema of a sequential type sees an array of its items.'],
  ['lines as an array of bounded length', ...rows(lines(`{itemSchema: ${EVENT}}`), lines(`{schema: {type: array, items: ${EVENT}, maxItems: 100}}`)), 'BC', 'A request of 101 lines is refused.'],
  ['parts of any image as PNG', ...rows(mixed('itemEncoding: {contentType: image/*}'), mixed('itemEncoding: {contentType: image/png}')), 'BC', 'A JPEG is refused.'],
  ['integer in a cookie of another style', ...rows(biscuits('form', '{type: integer}'), biscuits('cookie', '{type: integer}')), 'CC', 'a=5 in both.'],
  ['list in a cookie of another style', ...rows(biscuits('form', '{type: array, items: {type: integer}}'), biscuits('cookie', '{type: array, items: {type: integer}}')), 'BB', 'a=1&a=2 or a=1; a=2.'],
  ['device flow removed', ...rows(secured('[{auth: [read]}]', oauth(`${client(SCOPES)}, deviceAuthorization: {deviceAuthorizationUrl: 'https://a.test/d', tokenUrl: 'https://a.test/token', scopes: {${SCOPES}}}`)), secured('[{auth: [read]}]', oauth(client(SCOPES)))), 'BC', 'Devices get no token.'],
  ['security scheme deprecated', ...rows(one('{type: http, scheme: bearer}'), one('{type: http, scheme: bearer, deprecated: true}')), 'CC', 'An announcement.'],
  ['summary of a response', ...rows(get('responses: {"204": {description: a}}'), get('responses: {"204": {summary: a}}')), 'CC', 'Documentation.'],
  ['tags in groups', ...rows(`tags: [{name: a}, {name: b}]\n${get(OK)}`, `tags: [{name: a, kind: nav, summary: A}, {name: b, parent: a}]\n${get(OK)}`), 'CC', 'Documentation.'],
  ['names of servers', ...rows("servers: [{url: 'https://a.test'}]\n".concat(get(OK)), "servers: [{url: 'https://a.test', name: main}]\n".concat(get(OK))), 'CC', 'Documentation.'],
  ['media type behind a reference', ...rows(sent('{type: string}'), `${post(`requestBody: {content: {application/json: {$ref: '#/components/mediaTypes/T'}}}, ${OK}`)}\ncomponents: {mediaTypes: {T: {schema: {type: string}}}}`), 'CC', 'The same media type.'],
  ['media type behind a reference narrowed', ...rows(sent('{type: string}'), `${post(`requestBody: {content: {application/json: {$ref: '#/components/mediaTypes/T'}}}, ${OK}`)}\ncomponents: {mediaTypes: {T: {schema: {type: string, maxLength: 3}}}}`), 'BC', 'Four characters are refused.'],
  ['element as a text node', ...rows(get('responses: {"200": {description: a, content: {application/xml: {schema: {type: object, xml: {name: toy}, properties: {a: {type: string}}}}}}}'), get('responses: {"200": {description: a, content: {application/xml: {schema: {type: object, xml: {name: toy}, properties: {a: {type: string, xml: {nodeType: text}}}}}}}}')), 'BB', '<toy><a>x</a></toy> or <toy>x</toy>.'],
  ['from 3.1 to 3.2', contractOf(sent('{type: string}')), at32(sent('{type: string}')), 'CC', 'The same messages.'],
];

export const FOURTH_SERVICE_ROWS: readonly ContractRow[] = [
  ...PATHS,
  ...SECURITY,
  ...SERVERS,
  ...OUTGOING,
  ...REFERENCES,
  ...OPENAPI_32,
];
