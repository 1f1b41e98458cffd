// Documents that OpenAPI's own schema accepts or rejects, one construct each.

/** `#!` ends the line that the error is expected at. */
export interface ConformanceDocument {
  readonly name: string;
  /** Minor versions of OpenAPI 3. */
  readonly versions: readonly number[];
  readonly text: string;
}

const ALL = [0, 1, 2];
const SINCE_31 = [1, 2];
const IN_32 = [2];

const INFO = 'info: {title: Toys, version: 1.0.0}';
const PATHS = 'paths: {}';

/** @param text a complete document without `openapi` */
function row(name: string, versions: readonly number[], text: string): ConformanceDocument {
  return { name, versions, text: text.trim() };
}

/** A document with other properties than `info` and `paths`. */
function root(name: string, versions: readonly number[], text: string) {
  return row(name, versions, `${INFO}\n${PATHS}\n${text.trim()}`);
}

function info(name: string, versions: readonly number[], text: string) {
  return row(name, versions, `info:\n${indented(text, 2)}\n${PATHS}`);
}

function component(kind: string, name: string, versions: readonly number[], text: string) {
  return root(name, versions, `components:\n  ${kind}:\n    a:\n${indented(text, 6)}`);
}

const schema = component.bind(undefined, 'schemas');
const parameter = component.bind(undefined, 'parameters');
const header = component.bind(undefined, 'headers');
const example = component.bind(undefined, 'examples');
const scheme = component.bind(undefined, 'securitySchemes');
const link = component.bind(undefined, 'links');
const response = component.bind(undefined, 'responses');

const parameterIn =
  (location: string) => (name: string, versions: readonly number[], text: string) =>
    parameter(name, versions, `in: ${location}\nname: a\n${text}`);
const inQuery = parameterIn('query');
const inPath = parameterIn('path');
const inHeader = parameterIn('header');
const inCookie = parameterIn('cookie');
const inQuerystring = parameterIn('querystring');

function pathItem(name: string, versions: readonly number[], text: string) {
  return row(name, versions, `${INFO}\npaths:\n  /a:\n${indented(text, 4)}`);
}

function operation(name: string, versions: readonly number[], text: string) {
  const responses = "responses: {'200': {description: ok}}";
  return pathItem(name, versions, `get:\n  ${responses}\n${indented(text, 2)}`);
}

function media(name: string, versions: readonly number[], type: string, text: string) {
  return component('requestBodies', name, versions, `content:\n  ${type}:\n${indented(text, 4)}`);
}

function multipart(name: string, text: string) {
  return media(name, IN_32, 'multipart/mixed', text);
}

function indented(text: string, spaces: number): string {
  return text
    .trim()
    .split('\n')
    .map((line) => ' '.repeat(spaces) + line)
    .join('\n');
}

const QUERYSTRING = '{in: querystring, name: q, content: {text/plain: {schema: {type: string}}}}';

/** Missing parts, and parts of another type, are those of `mutants`. */
export const FAIL: readonly ConformanceDocument[] = [
  // OpenAPI Object
  row('a path without a slash', ALL, `${INFO}\npaths:\n  a: {} #!`),
  row('no paths, components or webhooks', SINCE_31, INFO),
  root('$self has a fragment', IN_32, '$self: https://a.b/c#d #!'),
  root('the name of a component has a space', SINCE_31, 'components:\n  schemas:\n    a b: {} #!'),
  // Info Object
  info(
    'license with url and identifier',
    SINCE_31,
    'title: a\nversion: 1.0.0\nlicense:\n  name: MIT\n  identifier: MIT\n  url: https://a.b #!',
  ),
  // Path Item Object
  root(
    'enum of a server variable is empty',
    SINCE_31,
    'servers:\n  - url: https://{a}\n    variables:\n      a:\n        default: b\n        enum: [] #!',
  ),
  pathItem('an unknown method', ALL, 'fetch: {} #!'),
  pathItem(
    'query is an operation of 3.2 only',
    [0, 1],
    "query: {responses: {'200': {description: ok}}} #!",
  ),
  pathItem(
    'an additional operation has a fixed method',
    IN_32,
    'additionalOperations:\n  GET: {} #!',
  ),
  // Path Item and Operation Object
  ...[pathItem, operation].flatMap((holder) => [
    holder(
      'query and querystring',
      IN_32,
      `parameters:\n  - {in: query, name: a, schema: {}}\n  - ${QUERYSTRING} #!`,
    ),
    holder(
      'two querystrings',
      IN_32,
      `parameters:\n  - ${QUERYSTRING}\n  - ${QUERYSTRING.replace('name: q', 'name: r')} #!`,
    ),
  ]),
  pathItem(
    'a status is not a status',
    ALL,
    "get:\n  responses:\n    '200': {description: ok}\n    '600': {description: a} #!",
  ),
  // Parameter Object
  parameter('a parameter in the body', ALL, 'in: body #!\nname: a\nschema: {}'),
  parameter(
    'a path parameter with braces in its name',
    SINCE_31,
    'in: path\nname: a{b #!\nrequired: true\nschema: {}',
  ),
  parameter('a header with a space in its name', IN_32, 'in: header\nname: a b #!\nschema: {}'),
  inQuery('schema and content', ALL, 'schema: {}\ncontent: {text/plain: {}} #!'),
  inQuery('content with style', SINCE_31, 'style: form #!\ncontent: {text/plain: {}}'),
  inQuery('content with explode', IN_32, 'explode: true #!\ncontent: {text/plain: {}}'),
  inQuerystring('querystring with schema', IN_32, 'schema: {} #!'),
  inQuerystring('querystring with style', IN_32, 'content: {text/plain: {}}\nstyle: form #!'),
  inQuery('example and examples', ALL, 'schema: {}\nexample: a #!\nexamples: {b: {value: c}}'),
  inHeader('allowReserved in a header', SINCE_31, 'schema: {}\nallowReserved: true #!'),
  inPath('allowReserved in a path', [1], 'required: true\nschema: {}\nallowReserved: true #!'),
  inCookie('allowReserved in a cookie', [1], 'schema: {}\nallowReserved: true #!'),
  inCookie(
    'allowReserved in a cookie of style cookie',
    IN_32,
    'schema: {}\nstyle: cookie\nallowReserved: true #!',
  ),
  inHeader('a style of another location', ALL, 'schema: {}\nstyle: form #!'),
  inQuery('an unknown style', ALL, 'schema: {}\nstyle: unknown #!'),
  inHeader('allowEmptyValue of a header', SINCE_31, 'schema: {}\nallowEmptyValue: true #!'),
  // Header Object
  header('a header with allowReserved', SINCE_31, 'schema: {}\nallowReserved: true #!'),
  header('a header with a name', ALL, 'name: a #!\nschema: {}'),
  header('a header with a location', ALL, 'in: header #!\nschema: {}'),
  header('a header of style form', ALL, 'schema: {}\nstyle: form #!'),
  header('a header with schema and content', ALL, 'schema: {}\ncontent: {text/plain: {}} #!'),
  header(
    'a header with example and examples',
    ALL,
    'schema: {}\nexample: a #!\nexamples: {b: {value: c}}',
  ),
  response(
    'the name of a response header has an equals sign',
    IN_32,
    'description: ok\nheaders:\n  a=b: {schema: {}} #!',
  ),
  // Media Type and Encoding Object
  media(
    'a media type with example and examples',
    ALL,
    'text/plain',
    'example: a #!\nexamples: {b: {value: c}}',
  ),
  ...['itemEncoding: {}', 'prefixEncoding: []'].flatMap((other) => [
    multipart(
      `a media type with encoding and ${other}`,
      `schema: {type: array}\nencoding: {}\n${other} #!`,
    ),
    multipart(
      `an encoding with encoding and ${other}`,
      `schema: {}\nencoding:\n  a:\n    encoding: {}\n    ${other} #!`,
    ),
  ]),
  // Example Object
  example('value and externalValue', SINCE_31, 'value: a\nexternalValue: https://a.b #!'),
  example('value and dataValue', IN_32, 'value: a\ndataValue: b #!'),
  example('value and serializedValue', IN_32, 'value: a\nserializedValue: b #!'),
  example(
    'serializedValue and externalValue',
    IN_32,
    'serializedValue: a\nexternalValue: https://a.b #!',
  ),
  // Link Object
  link(
    'a link with operationRef and operationId',
    ALL,
    "operationRef: '#/paths/~1a/get'\noperationId: a #!",
  ),
  link('an unknown property of a link', ALL, 'operationId: a\nbody: {} #!'),
  // Security Scheme Object
  scheme('an API key in the path', ALL, 'type: apiKey\nname: a\nin: path #!'),
  scheme(
    'bearerFormat of another scheme',
    SINCE_31,
    'type: http\nscheme: basic\nbearerFormat: JWT #!',
  ),
  // Schema Object
  scheme(
    'the description of a scope is a number',
    ALL,
    'type: oauth2\nflows:\n  password:\n    tokenUrl: https://a.b\n    scopes:\n      a: 1 #!',
  ),
  schema('items is an array', ALL, 'type: array\nitems: [] #!'),
  schema('an unknown type', ALL, 'type: unknown #!'),
  ...['allOf', 'anyOf', 'oneOf'].map((keyword) =>
    schema(`${keyword} is empty`, SINCE_31, `${keyword}: [] #!`),
  ),
  schema('minLength is negative', ALL, 'minLength: -1 #!'),
  schema('pattern is a number', ALL, 'pattern: 1 #!'),
  schema('xml is a string', ALL, 'xml: a #!'),
  schema(
    'xml with attribute and nodeType',
    IN_32,
    'xml:\n  attribute: true #!\n  nodeType: attribute',
  ),
  schema('xml with wrapped and nodeType', IN_32, 'xml:\n  wrapped: true #!\n  nodeType: element'),
];

export const PASS: readonly ConformanceDocument[] = [
  row('an empty contract', ALL, `${INFO}\n${PATHS}`),
  row('components alone', SINCE_31, `${INFO}\ncomponents: {}`),
  row('webhooks alone', SINCE_31, `${INFO}\nwebhooks: {}`),
  root('extensions', ALL, 'x-a: {b: [1, null]}'),
  info(
    'info',
    ALL,
    'title: a\nversion: 1.0.0\ndescription: b\ntermsOfService: https://a.b\ncontact: {name: c, url: https://a.b, email: a@b.de}\nlicense: {name: MIT, url: https://a.b}',
  ),
  info(
    'summary and license identifier',
    SINCE_31,
    'title: a\nsummary: b\nversion: 1.0.0\nlicense: {name: MIT, identifier: MIT}',
  ),
  root('$self', IN_32, '$self: https://a.b/c'),
  root(
    'jsonSchemaDialect',
    SINCE_31,
    'jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema',
  ),
  root(
    'servers',
    ALL,
    'servers:\n  - url: https://{a}.b\n    description: c\n    variables:\n      a: {default: d, enum: [d, e], description: f}',
  ),
  root('a server with a name', IN_32, 'servers:\n  - {url: https://a.b, name: c}'),
  root(
    'tags',
    ALL,
    'tags:\n  - {name: a, description: b, externalDocs: {url: https://a.b, description: c}}',
  ),
  root(
    'tags with kind, parent and summary',
    IN_32,
    'tags:\n  - {name: a, summary: b, kind: nav}\n  - {name: c, parent: a}',
  ),
  root(
    'path items as components',
    SINCE_31,
    "components:\n  pathItems:\n    a: {get: {}}\nwebhooks:\n  b:\n    $ref: '#/components/pathItems/a'\n    description: c",
  ),
  root(
    'media types as components',
    IN_32,
    "components:\n  mediaTypes:\n    a: {itemSchema: {type: object}}\n  requestBodies:\n    b:\n      content:\n        application/jsonl: {$ref: '#/components/mediaTypes/a'}",
  ),
  root(
    'empty maps of components',
    ALL,
    'components: {schemas: {}, responses: {}, parameters: {}, examples: {}, requestBodies: {}, headers: {}, securitySchemes: {}, links: {}, callbacks: {}}',
  ),
  pathItem(
    'path item',
    ALL,
    "summary: a\ndescription: b\nservers: [{url: https://a.b}]\nparameters:\n  - {in: query, name: c, schema: {type: string}}\ntrace: {responses: {'200': {description: d}}}",
  ),
  pathItem('an empty path item', ALL, '{}'),
  pathItem('an operation without responses in 3.1', SINCE_31, 'get: {operationId: a}'),
  pathItem(
    'additional operations',
    IN_32,
    "additionalOperations:\n  COPY: {operationId: a, responses: {'200': {summary: b}}}\nquery: {operationId: c, responses: {'200': {}}}",
  ),
  row('a path with a fragment', SINCE_31, `${INFO}\npaths:\n  /a#b: {}`),
  row('an undeclared path parameter', ALL, `${INFO}\npaths:\n  /{a}: {}`),
  operation(
    'operation',
    ALL,
    "tags: [a]\nsummary: b\ndescription: c\noperationId: d\ndeprecated: true\nsecurity: [{}]\nservers: [{url: https://a.b}]\nexternalDocs: {url: https://a.b}\ncallbacks:\n  e:\n    '{$request.body#/url}':\n      post: {responses: {'200': {description: f}}}",
  ),
  inQuery(
    'query parameter',
    ALL,
    'required: true\nallowEmptyValue: true\nallowReserved: true\nschema: {type: array, items: {type: string}}\nstyle: form\nexplode: false',
  ),
  ...['spaceDelimited', 'pipeDelimited', 'deepObject'].map((style) =>
    inQuery(
      `query parameter of style ${style}`,
      ALL,
      `schema: {type: object, properties: {b: {type: string}}}\nstyle: ${style}\nexplode: ${style === 'deepObject'}`,
    ),
  ),
  ...['simple', 'label', 'matrix'].map((style) =>
    inPath(
      `path parameter of style ${style}`,
      ALL,
      `required: true\nschema: {type: string}\nstyle: ${style}`,
    ),
  ),
  inPath(
    'path parameter with allowReserved',
    IN_32,
    'required: true\nschema: {type: string}\nallowReserved: true',
  ),
  inCookie(
    'cookie of style form with allowReserved',
    IN_32,
    'schema: {type: string}\nstyle: form\nallowReserved: true',
  ),
  inCookie('cookie of style cookie', IN_32, 'schema: {type: string}\nstyle: cookie\nexplode: true'),
  inQuerystring(
    'querystring',
    IN_32,
    'content:\n  application/x-www-form-urlencoded: {schema: {type: object}, example: {b: c}}',
  ),
  inQuery('parameter with content', ALL, 'content:\n  application/json: {schema: {type: object}}'),
  inQuery(
    'parameter with examples',
    ALL,
    'schema: {type: string}\nexamples: {b: {summary: c, value: d}, e: {externalValue: https://a.b}}',
  ),
  parameter(
    'a header parameter with any token as name',
    ALL,
    'in: header\nname: "a!#$%&\'*+.^_`|~-9"\nschema: {type: string}',
  ),
  header(
    'header',
    ALL,
    'description: a\nrequired: true\nschema: {type: integer}\nstyle: simple\nexplode: true\nexample: 1',
  ),
  header('header with content', ALL, 'content: {text/plain: {schema: {type: string}}}'),
  response(
    'response',
    ALL,
    "description: a\nheaders: {X-A: {schema: {type: integer}}}\ncontent: {'*/*': {schema: {type: string}}, text/*: {example: b}}\nlinks: {c: {operationId: d}}",
  ),
  response('a response with a summary alone', IN_32, 'summary: a'),
  media(
    'media type',
    ALL,
    'application/json',
    'schema: {type: object}\nexamples: {a: {value: {b: c}}}',
  ),
  media(
    'encodings',
    ALL,
    'application/x-www-form-urlencoded',
    'schema: {type: object, properties: {a: {type: string}}}\nencoding:\n  a: {contentType: "text/plain, text/html", style: form, explode: true, allowReserved: true}',
  ),
  multipart(
    'prefixEncoding and itemEncoding',
    'itemSchema: {type: object}\nprefixEncoding: [{contentType: text/plain, headers: {Content-Location: {schema: {type: string}}}}]\nitemEncoding: {contentType: image/png}',
  ),
  media(
    'nested encodings',
    IN_32,
    'multipart/form-data',
    'schema: {type: object, properties: {a: {type: object}}}\nencoding:\n  a:\n    contentType: multipart/form-data\n    encoding: {b: {}}',
  ),
  example('example', ALL, 'summary: a\ndescription: b\nvalue: null'),
  example('dataValue and serializedValue', IN_32, 'dataValue: {a: 1}\nserializedValue: a=1'),
  example('dataValue and externalValue', IN_32, 'dataValue: {a: 1}\nexternalValue: https://a.b'),
  link(
    'link',
    ALL,
    "operationId: a\nparameters: {b: '$response.body#/b'}\nrequestBody: '$request.body'\ndescription: c\nserver: {url: https://a.b}",
  ),
  link('link with operationRef', ALL, "operationRef: 'https://a.b/c#/paths/~1d/get'"),
  scheme('API key', ALL, 'type: apiKey\nname: a\nin: cookie'),
  scheme('bearer', ALL, 'type: http\nscheme: Bearer\nbearerFormat: JWT'),
  scheme('any HTTP authentication', ALL, 'type: http\nscheme: digest'),
  scheme('mutualTLS', SINCE_31, 'type: mutualTLS'),
  scheme(
    'OpenID Connect',
    ALL,
    'type: openIdConnect\nopenIdConnectUrl: https://a.b/.well-known/openid-configuration',
  ),
  scheme(
    'OAuth',
    ALL,
    'type: oauth2\nflows:\n  implicit: {authorizationUrl: https://a.b, scopes: {a: b}}\n  password: {tokenUrl: https://a.b, scopes: {}}\n  clientCredentials: {tokenUrl: https://a.b, refreshUrl: https://a.b, scopes: {}}\n  authorizationCode: {authorizationUrl: https://a.b, tokenUrl: https://a.b, scopes: {}}',
  ),
  scheme(
    'OAuth with the device flow and metadata',
    IN_32,
    'type: oauth2\noauth2MetadataUrl: https://a.b\nflows:\n  deviceAuthorization: {deviceAuthorizationUrl: https://a.b, tokenUrl: https://a.b, scopes: {}}',
  ),
  scheme('a deprecated security scheme', IN_32, 'type: http\nscheme: basic\ndeprecated: true'),
  root(
    'scopes of any security scheme',
    SINCE_31,
    'security:\n  - a: [b]\ncomponents: {securitySchemes: {a: {type: apiKey, name: c, in: header}}}',
  ),
  schema(
    'schema of 3.0',
    [0],
    'type: string\nnullable: true\nexclusiveMinimum: false\ndeprecated: true\nxml: {name: a, namespace: https://a.b, prefix: c, attribute: true, wrapped: false}\nexternalDocs: {url: https://a.b}',
  ),
  schema(
    'schema of 3.1',
    SINCE_31,
    "type: [string, 'null']\nexclusiveMaximum: 1\nconst: a\nexamples: [a]\n$comment: b\n$defs: {c: false}\nif: true\nthen: false\nunknownKeyword: 1",
  ),
  root(
    'boolean schemas',
    SINCE_31,
    'components:\n  schemas: {a: true, b: false, c: {items: false, not: true, properties: {d: true}}}',
  ),
  root(
    'discriminator',
    ALL,
    "components:\n  schemas:\n    a: {oneOf: [{$ref: '#/components/schemas/d'}], discriminator: {propertyName: b, mapping: {c: '#/components/schemas/d'}}}\n    d: {type: object, required: [b], properties: {b: {type: string}}}",
  ),
  schema(
    'discriminator with defaultMapping',
    IN_32,
    'type: object\nproperties: {b: {type: string}}\ndiscriminator: {propertyName: b, defaultMapping: a}',
  ),
  schema('xml with nodeType', IN_32, 'xml: {nodeType: cdata}'),
];
