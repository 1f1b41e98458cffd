// Sixth blind set: parameters, media types, responses, security, servers, webhooks, references, OpenAPI 3.2. Written before the diff ran on it.
import { type ContractRow, contractOf } from '../pair.ts';

const OK = 'responses: {"204": {description: none}}';
const get = (rest: string) => `paths: {/toys: {get: {operationId: getToys, ${rest}}}}`;
const post = (rest: string) => `paths: {/toys: {post: {operationId: postToys, ${rest}}}}`;
const latest = (parts: string) => contractOf(parts, '3.2.0');
const old = (parts: string) => contractOf(parts, '3.0.3');
const parameters = (...texts: readonly string[]) => get(`parameters: [${texts.join(', ')}], ${OK}`);
const at = (where: string, name: string, schema: string, rest = '') =>
  `{name: ${name}, in: ${where}, schema: ${schema}${rest}}`;
const query = (schema: string, rest = '') => parameters(at('query', 'q', schema, rest));
const header = (schema: string, rest = '') => parameters(at('header', 'X-Q', schema, rest));
const path = (schema: string, rest = '') =>
  `paths: {"/toys/{id}": {get: {operationId: getToy, parameters: [{name: id, in: path, required: true, schema: ${schema}${rest}}], ${OK}}}}`;
const INTEGERS = '{type: array, items: {type: integer}}';
const ONE_INTEGER = '{type: array, items: {type: integer}, minItems: 1, maxItems: 1}';
const PAIR =
  '{type: object, properties: {a: {type: integer}, b: {type: integer}}, additionalProperties: false}';
const ROUTE = (from: string, to: string) =>
  `paths: {"/trips/{${from}}/{${to}}": {get: {operationId: getTrip, parameters: [{name: from, in: path, required: true, schema: {type: string}}, {name: to, in: path, required: true, schema: {type: string}}], ${OK}}}}`;

// biome-ignore format: a table
const PARAMETERS: readonly ContractRow[] = [
  ['list with pipes instead of spaces', query(INTEGERS, ', style: spaceDelimited, explode: false'), query(INTEGERS, ', style: pipeDelimited, explode: false'), 'BB', 'q=1%202 or q=1|2.'],
  ['one integer with pipes instead of commas', query(ONE_INTEGER, ', style: form, explode: false'), query(ONE_INTEGER, ', style: pipeDelimited, explode: false'), 'CC', 'q=1 in both.'],
  ['explode of a list in a header', header(INTEGERS), header(INTEGERS, ', explode: true'), 'CC', '1,2 in both.'],
  ['explode of an object in a header', header(PAIR), header(PAIR, ', explode: true'), 'BB', 'a,1 or a=1.'],
  ['reserved characters of an integer', query('{type: integer}'), query('{type: integer}', ', allowReserved: true'), 'CC', 'An integer has none.'],
  ['parameters of a path item', parameters(at('query', 'q', '{type: integer}')), `paths: {/toys: {parameters: [${at('query', 'q', '{type: integer}')}], get: {operationId: getToys, ${OK}}}}`, 'CC', 'The same parameter.'],
  ['parameter of a path item that the operation overrides', `paths: {/toys: {parameters: [${at('query', 'q', '{type: string}')}], get: {operationId: getToys, parameters: [${at('query', 'q', '{type: string, maxLength: 3}')}], ${OK}}}}`, query('{type: string, maxLength: 3}'), 'CC', 'The operation decides.'],
  ['override of a parameter dropped', `paths: {/toys: {parameters: [${at('query', 'q', '{type: string}')}], get: {operationId: getToys, parameters: [${at('query', 'q', '{type: string, maxLength: 3}')}], ${OK}}}}`, `paths: {/toys: {parameters: [${at('query', 'q', '{type: string}')}], get: {operationId: getToys, ${OK}}}}`, 'CB', 'Four characters are refused in the reverse.'],
  ['a required header that OpenAPI ignores', get(OK), parameters(at('header', 'Accept', '{type: string}', ', required: true')), 'CC', 'A header parameter named Accept is ignored.'],
  ['values of a query as text', query('{enum: [1, 2]}'), query("{enum: ['1', '2']}"), 'CC', 'q=1 in both.'],
  ['boolean in a query as text', query('{type: boolean}'), query("{enum: ['true', 'false']}"), 'CC', 'q=true in both.'],
  ['integer in a path as digits', path('{type: integer}'), path("{type: string, pattern: '^[0-9]+$'}"), 'B', '/toys/-1 is refused.'],
  ['integer in a path as signed digits', path('{type: integer, minimum: 0}'), path("{type: string, pattern: '^[0-9]+$'}"), 'C', 'The same digits.'],
  ['places of a path swapped', ROUTE('from', 'to'), ROUTE('to', 'from'), 'BB', 'The first value now means the end of the trip.'],
  ['default of a query parameter', query('{type: integer, default: 10}'), query('{type: integer, default: 20}'), 'BB', 'A request without it means another value.'],
  ['default of a required query parameter', query('{type: integer, default: 10}', ', required: true'), query('{type: integer, default: 20}', ', required: true'), 'CC', 'It is always there.'],
  ['items of a header bounded', header(INTEGERS), header('{type: array, items: {type: integer}, maxItems: 2}'), 'BC', 'Three integers are refused.'],
  ['examples and description of a parameter', query('{type: integer}', ', description: a, example: 1'), query('{type: integer}', ', description: b, example: 2'), 'CC', 'Documentation.'],
  ['a cookie in other capitals', parameters(at('cookie', 'sid', '{type: string}', ', required: true')), parameters(at('cookie', 'SID', '{type: string}', ', required: true')), 'BB', 'Cookie names are case-sensitive.'],
];

const body = (content: string, rest = '') =>
  post(`requestBody: {${rest}content: {${content}}}, ${OK}`);
const reply = (content: string) =>
  get(`responses: {"200": {description: a, content: {${content}}}}`);
const replies = (responses: string) => get(`responses: {${responses}}`);
const TEXT = '{schema: {type: string}}';
const JSON_TEXT = `application/json: ${TEXT}`;
const MULTI =
  'multipart/form-data: {schema: {type: object, properties: {a: {type: string}, o: {type: object}}}';
const NEXT = '"200": {description: a, headers: {X-Next: {schema: {type: integer}}}}';
const error = (property: string) =>
  `{description: e, content: {application/json: {schema: {type: object, properties: {${property}: {type: string}}, required: [${property}]}}}}`;

// biome-ignore format: a table
const MESSAGES: readonly ContractRow[] = [
  ['charset of text in capitals', body(`text/plain; charset=UTF-8: ${TEXT}`), body(`text/plain: ${TEXT}`), 'CC', 'UTF-8 is the default.'],
  ['media type in other capitals', reply(`Application/JSON: ${TEXT}`), reply(JSON_TEXT), 'CC', 'Media types are case-insensitive.'],
  ['JSON of a vendor', reply(JSON_TEXT), reply(`application/vnd.toys+json: ${TEXT}`), 'BB', 'Another media type.'],
  ['version of a media type', reply(`application/vnd.toys+json; version=1: ${TEXT}`), reply(`application/vnd.toys+json; version=2: ${TEXT}`), 'BB', 'Another media type.'],
  ['JSON beside a range of the same schema', body(`application/*: ${TEXT}`), body(`application/*: ${TEXT}, ${JSON_TEXT}`), 'CC', 'The range has it.'],
  ['JSON beside a range narrowed', body(`application/*: ${TEXT}`), body(`application/*: ${TEXT}, application/json: {schema: {type: string, maxLength: 3}}`), 'BC', 'Four characters are refused in JSON.'],
  ['content types of a part in another order', body(`${MULTI}, encoding: {a: {contentType: 'image/png, image/gif'}}}`), body(`${MULTI}, encoding: {a: {contentType: 'image/gif,image/png'}}}`), 'CC', 'The same types.'],
  ['content type of a part added', body(`${MULTI}, encoding: {a: {contentType: 'image/png'}}}`), body(`${MULTI}, encoding: {a: {contentType: 'image/png, image/gif'}}}`), 'CB', 'A GIF is refused in the reverse.'],
  ['default content types of parts written out', body(`${MULTI}}`), body(`${MULTI}, encoding: {a: {contentType: text/plain}, o: {contentType: application/json}}}`), 'CC', 'The defaults.'],
  ['an optional header of a part', body(`${MULTI}}`), body(`${MULTI}, encoding: {a: {headers: {X-A: {schema: {type: string}}}}}}`), 'C', 'Clients need not send it.'],
  ['binary part of 3.0 in 3.1', old(body('multipart/form-data: {schema: {type: object, properties: {f: {type: string, format: binary}}}}')), body('multipart/form-data: {schema: {type: object, properties: {f: {contentMediaType: application/octet-stream}}}}'), 'CC', 'The same part, as the guide for the upgrade says.'],
  ['body becomes required behind a reference', body(JSON_TEXT), `${post(`requestBody: {$ref: '#/components/requestBodies/B'}, ${OK}`)}\ncomponents: {requestBodies: {B: {required: true, content: {${JSON_TEXT}}}}}`, 'BC', 'A request without body is refused.'],
  ['every error written as two ranges', replies(`"204": {description: a}, default: ${error('code')}`), replies(`"204": {description: a}, "4XX": ${error('code')}, "5XX": ${error('code')}`), 'C', 'Errors are as before.'],
  ['a property of an error renamed', replies(`"204": {description: a}, "404": ${error('code')}`), replies(`"204": {description: a}, "404": ${error('type')}`), 'BB', 'Clients read the code.'],
  ['type of a response header', replies(NEXT), replies(NEXT.replace('integer', 'string')), 'BC', 'Clients read an integer.'],
  ['response header in other capitals', replies(NEXT), replies(NEXT.replace('X-Next', 'x-next')), 'CC', 'Header names are case-insensitive.'],
  ['response header behind a reference', replies(NEXT), `${replies('"200": {description: a, headers: {X-Next: {$ref: \'#/components/headers/N\'}}}')}\ncomponents: {headers: {N: {schema: {type: integer}}}}`, 'CC', 'The same header.'],
  ['description of a response and a link', replies('"200": {description: a, links: {self: {operationId: getToys, description: x}}}'), replies('"200": {description: b, links: {self: {operationId: getToys, description: y}}}'), 'CC', 'Documentation.'],
  ['examples of a body', body("application/json: {schema: {type: string}, example: a}"), body('application/json: {schema: {type: string}, examples: {one: {value: b}}}'), 'CC', 'Documentation.'],
  ['exclusive bound of 3.0 without its bound', old(body('application/json: {schema: {type: number, exclusiveMinimum: true}}')), body('application/json: {schema: {type: number}}'), 'CC', 'It has no effect alone.'],
  ['text and number of 3.0 as a list of types', old(body('application/json: {schema: {anyOf: [{type: string}, {type: number}]}}')), body('application/json: {schema: {type: [number, string]}}'), 'CC', 'The same values.'],
];

const TOKENS = 'token: {type: http, scheme: bearer}, key: {type: apiKey, in: query, name: key}';
const secured = (requirement: string, text = TOKENS) =>
  `components: {securitySchemes: {${text}}}\n${get(`security: ${requirement}, ${OK}`)}`;
const flow = (rest: string) =>
  `auth: {type: oauth2, flows: {authorizationCode: {authorizationUrl: 'https://a.test/a', tokenUrl: 'https://a.test/t', ${rest}scopes: {read: r, write: w}}}}`;
const scoped = (requirement: string, rest = '') => secured(requirement, flow(rest));
const served = (servers: string, rest = get(OK)) => `servers: [${servers}]\n${rest}`;
const A_TEST = "{url: 'https://a.test'}";
const TENANT = (initial: string) =>
  `{url: 'https://{tenant}.a.test', variables: {tenant: {default: ${initial}}}}`;

// biome-ignore format: a table
const SERVICES: readonly ContractRow[] = [
  ['schemes of one requirement in another order', secured('[{token: [], key: []}]'), secured('[{key: [], token: []}]'), 'CC', 'Both are needed.'],
  ['alternatives in another order', secured('[{token: []}, {key: []}]'), secured('[{key: []}, {token: []}]'), 'CC', 'Either suffices.'],
  ['an alternative that is there twice', secured('[{token: []}, {token: []}]'), secured('[{token: []}]'), 'CC', 'The same requirement.'],
  ['anonymous access in other words', secured('[{}]'), secured('[]'), 'CC', 'Nothing is needed.'],
  ['an unused scheme changed', secured('[{token: []}]'), secured('[{token: []}]', 'token: {type: http, scheme: bearer}, key: {type: apiKey, in: header, name: other}'), 'CC', 'No operation needs it.'],
  ['basic instead of bearer', secured('[{token: []}]'), secured('[{token: []}]', 'token: {type: http, scheme: basic}'), 'BB', 'Another scheme.'],
  ['query key in other capitals', secured('[{key: []}]'), secured('[{key: []}]', 'key: {type: apiKey, in: query, name: Key}'), 'BB', 'Query names are case-sensitive.'],
  ['a second scope needed', scoped('[{auth: [read]}]'), scoped('[{auth: [read, write]}]'), 'BC', 'A token with read is refused.'],
  ['another scope as an alternative', scoped('[{auth: [read]}]'), scoped('[{auth: [read]}, {auth: [write]}]'), 'CB', 'A token with write is refused in the reverse.'],
  ['two scopes as either', scoped('[{auth: [read, write]}]'), scoped('[{auth: [read]}, {auth: [write]}]'), 'CB', 'Both are needed in the reverse.'],
  ['the page of the authorization moved', scoped('[{auth: [read]}]'), scoped('[{auth: [read]}]').replace('a.test/a', 'b.test/a'), 'BB', 'Clients send users to the old page.'],
  ['a scope beside anonymous access', scoped('[{auth: [read]}, {}]'), scoped('[{auth: [write]}, {}]'), 'CC', 'Nothing is needed.'],
  ['servers of the contract moved to the path', served(A_TEST), `paths: {/toys: {servers: [${A_TEST}], get: {operationId: getToys, ${OK}}}}`, 'CC', 'The same server.'],
  ['default of a variable without values', served(TENANT('a')), served(TENANT('b')), 'BB', 'Clients call the other host; the table says so without enum.'],
];

const hook = (schema: string, responses = '"204": {description: none}') =>
  `paths: {}\nwebhooks: {sold: {post: {requestBody: {required: true, content: {application/json: {schema: ${schema}}}}, responses: {${responses}}}}}`;
const called = (url: string, schema: string, extra = '') =>
  get(
    `callbacks: {sold: {'{$request.query.${url}}': {post: {requestBody: {required: true, content: {application/json: {schema: ${schema}}}}, ${OK}}}}${extra}}, ${OK}`,
  );
const EVENT = (rest: string) =>
  `{type: object, properties: {kind: {enum: [${rest}]}}, required: [kind]}`;
const MORE = `, gone: {'{$request.query.url}': {post: {${OK}}}}`;
const HOOK_HEADER = (rest: string) =>
  hook('{type: object}').replace(
    'post: {',
    `post: {parameters: [{name: X-Sign, in: header, ${rest}schema: {type: string}}], `,
  );

// biome-ignore format: a table
const OUTGOING: readonly ContractRow[] = [
  ['a new kind of event', hook(EVENT('a')), hook(EVENT('a, b')), 'BC', 'Receivers do not know b.'],
  ['a kind of event less in other words', hook(EVENT('a, b')), hook('{type: object, properties: {kind: {const: a}}, required: [kind]}'), 'CB', 'Fewer events.'],
  ['one more answer of receivers', hook('{type: object}'), hook('{type: object}', '"200": {description: a}, "204": {description: none}'), 'CB', 'A receiver answers 200.'],
  ['any success of receivers', hook('{type: object}', '"2XX": {description: a}'), hook('{type: object}', '"200": {description: a}'), 'BC', 'A receiver answers 204.'],
  ['body of an answer less strict', hook('{type: object}', '"200": {description: a, content: {application/json: {schema: {type: integer, maximum: 9}}}}'), hook('{type: object}', '"200": {description: a, content: {application/json: {schema: {type: integer}}}}'), 'CB', '10 is refused in the reverse.'],
  ['header of a webhook that is not always sent', HOOK_HEADER('required: true, '), HOOK_HEADER(''), 'BC', 'Receivers read it.'],
  ['a callback to a header instead of a query', called('url', EVENT('a')), called('url', EVENT('a')).replace('$request.query', '$request.header'), 'BB', 'The service calls another address.'],
  ['a callback with a kind of event less', called('url', EVENT('a, b')), called('url', EVENT('b')), 'CB', 'Fewer events.'],
  ['one more callback', called('url', EVENT('a')), called('url', EVENT('a'), MORE), 'CB', 'Receivers wait for it in the reverse.'],
];

const ref = (name: string) => `{$ref: '#/components/schemas/${name}'}`;
const named = (schema: string, schemas: string) =>
  `${body(`application/json: {schema: ${schema}}`)}\ncomponents: {schemas: {${schemas}}}`;
const pet = (kind: string, rest: string) =>
  `{type: object, properties: {kind: {const: ${kind}}, ${rest}}, required: [kind]}`;
const PETS = `Cat: ${pet('Cat', 'lives: {type: integer}')}, Dog: ${pet('Dog', 'tricks: {type: integer}')}, Bird: ${pet('Bird', 'wings: {type: integer}')}`;
const BY_KIND = 'discriminator: {propertyName: kind}';
const pets = (way: string, names: readonly string[], rest = `, ${BY_KIND}`) =>
  named(`{${way}: [${names.map(ref).join(', ')}]${rest}}`, PETS);
const readPets = (names: readonly string[]) =>
  `${reply(`application/json: {schema: {oneOf: [${names.map(ref).join(', ')}], ${BY_KIND}}}`)}\ncomponents: {schemas: {${PETS}}}`;

// biome-ignore format: a table
const REFERENCES: readonly ContractRow[] = [
  ['oneOf of tagged schemas as anyOf', pets('oneOf', ['Cat', 'Dog']), pets('anyOf', ['Cat', 'Dog']), 'CC', 'The tag keeps them apart.'],
  ['tagged schemas in another order', pets('oneOf', ['Cat', 'Dog']), pets('oneOf', ['Dog', 'Cat']), 'CC', 'Alternatives have no order.'],
  ['one tagged schema more to send', pets('oneOf', ['Cat', 'Dog']), pets('oneOf', ['Cat', 'Dog', 'Bird']), 'CB', 'A bird is refused in the reverse.'],
  ['one tagged schema more to read', readPets(['Cat', 'Dog']), readPets(['Cat', 'Dog', 'Bird']), 'BC', 'Clients do not know birds.'],
  ['an anchor as a reference', named('{$ref: "#toy"}', 'Toy: {$anchor: toy, type: string, maxLength: 3}'), named(ref('Toy'), 'Toy: {$anchor: toy, type: string, maxLength: 3}'), 'CC', 'The same schema.'],
  ['a component renamed', named(ref('Toy'), 'Toy: {type: object, properties: {a: {type: string}}}'), named(ref('Game'), 'Game: {type: object, properties: {a: {type: string}}}'), 'RR', 'SDKs have another class.'],
  ['a component renamed and narrowed', named(ref('Toy'), 'Toy: {type: object, properties: {a: {type: string}}}'), named(ref('Game'), 'Game: {type: object, properties: {a: {type: string, maxLength: 9}}}'), 'BR', 'Ten characters are refused.'],
  ['a bound moved from a component to its uses', named(`{type: object, properties: {n: ${ref('Name')}}}`, 'Name: {type: string, maxLength: 3}'), named("{type: object, properties: {n: {$ref: '#/components/schemas/Name', maxLength: 3}}}", 'Name: {type: string}'), 'CC', 'The same values.'],
  ['a parameter behind a reference', query('{type: integer}'), `${get(`parameters: [{$ref: '#/components/parameters/Q'}], ${OK}`)}\ncomponents: {parameters: {Q: ${at('query', 'q', '{type: integer}')}}}`, 'CC', 'The same parameter.'],
];

const limited = (limit: string) =>
  `${get(`security: [{a: []}], x-rate-limit: ${limit}, ${OK}`)}\ncomponents: {securitySchemes: {a: {type: http, scheme: bearer}}}`;
const key = (name: string, ttl: string) =>
  post(
    `parameters: [{name: ${name}, in: header, schema: {type: string}, x-idempotency: {ttl: ${ttl}}}], ${OK}`,
  );
const gone = (day: string) =>
  `paths: {/toys: {get: {operationId: getToys, deprecated: true, x-sunset: ${day}, ${OK}}}, /games: {get: {operationId: getGames, ${OK}}}}`;
const GAMES = `paths: {/games: {get: {operationId: getGames, ${OK}}}}`;
const xml = (inner: string) =>
  reply(
    `application/xml: {schema: {type: object, xml: {name: toy}, properties: {a: {type: string${inner}}}}}`,
  );

// biome-ignore format: a table
const LATEST: readonly ContractRow[] = [
  ['method QUERY removed', latest(`paths: {/toys: {get: {operationId: getToys, ${OK}}, query: {operationId: findToys, ${OK}}}}`), latest(get(OK)), 'BC', 'QUERY is lost.'],
  ['summary of a response, name of a server, parent of a tag', latest(`servers: [${A_TEST}]\ntags: [{name: a}, {name: b}]\n${get(`tags: [a], ${OK}`)}`), latest(`servers: [{url: 'https://a.test', name: main}]\ntags: [{name: a, parent: b, kind: nav}, {name: b}]\n${get('tags: [a], responses: {"204": {summary: x, description: none}}')}`), 'CC', 'Documentation.'],
  ['element of XML in new words', latest(xml('')), latest(xml(', xml: {nodeType: element}')), 'CC', 'The default.'],
  ['attribute of XML in new words as an element', latest(xml(', xml: {nodeType: attribute}')), latest(xml(', xml: {nodeType: element}')), 'BB', 'a="" or <a>.'],
  ['media type behind a reference', latest(reply(JSON_TEXT)), latest(`${reply("application/json: {$ref: '#/components/mediaTypes/T'}")}\ncomponents: {mediaTypes: {T: ${TEXT}}}`), 'CC', 'The same media type.'],
  ['item of a stream of JSON', latest(reply('application/json-seq: {itemSchema: {type: integer}}')), latest(reply('application/json-seq: {itemSchema: {type: integer, maximum: 9}}')), 'CB', '10 comes in the reverse.'],
  ['deprecation of a scheme', latest(secured('[{token: []}]')), latest(secured('[{token: []}]', 'token: {type: http, scheme: bearer, deprecated: true}')), 'CC', 'It is still accepted.'],
  ['a flow for devices', latest(scoped('[{auth: [read]}]')), latest(scoped('[{auth: [read]}]').replace('flows: {', "flows: {deviceAuthorization: {deviceAuthorizationUrl: 'https://a.test/d', tokenUrl: 'https://a.test/t', scopes: {read: r}}, ")), 'CB', 'Devices get no token in the reverse.'],
  ['query string of a narrower property', latest(parameters('{name: q, in: querystring, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string}}}}}}')), latest(parameters('{name: q, in: querystring, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string, maxLength: 2}}}}}}')), 'BC', 'a=xxx is refused.'],
  ['rate limit in other units', limited('{requests: 100, window: 1h}'), limited('{requests: 100, window: 60m}'), 'CC', 'The same limit.'],
  ['name of the idempotency key in other capitals', key('Idempotency-Key', '24h'), key('idempotency-key', '1d'), 'CC', 'Header names are case-insensitive.'],
  ['an operation removed after its day', gone('2020-01-01'), GAMES, 'C', 'Its removal was announced.'],
  ['an operation removed before its day', gone('2999-01-01'), GAMES, 'B', 'Its day is to come.'],
  ['the day of an operation put off', gone('2998-01-01'), gone('2999-01-01'), 'CB', 'Clients have less time in the reverse.'],
];

export const SIXTH_CONTRACT_ROWS: readonly ContractRow[] = [
  ...PARAMETERS,
  ...MESSAGES,
  ...SERVICES,
  ...OUTGOING,
  ...REFERENCES,
  ...LATEST,
];
