// Documents that OpenAPI's own schema accepts or rejects, one construct each.

/** `#!` ends the line of the expected error; in an accepted document, of a part without an effect. */
export interface ConformanceDocument {
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
function row(versions: readonly number[], text: string): ConformanceDocument {
  return { versions, text: text.trim() };
}

/** A document with other properties than `info` and `paths`. */
function root(versions: readonly number[], text: string) {
  return row(versions, `${INFO}\n${PATHS}\n${text.trim()}`);
}

function info(versions: readonly number[], text: string) {
  return row(versions, `info:\n${indented(text, 2)}\n${PATHS}`);
}

function component(kind: string, versions: readonly number[], text: string) {
  return root(versions, `components:\n  ${kind}:\n    a:\n${indented(text, 6)}`);
}

const schema = component.bind(undefined, 'schemas');
const parameter = component.bind(undefined, 'parameters');
const header = component.bind(undefined, 'headers');
const example = component.bind(undefined, 'examples');
const scheme = component.bind(undefined, 'securitySchemes');
const link = component.bind(undefined, 'links');
const response = component.bind(undefined, 'responses');

const parameterIn = (location: string) => (versions: readonly number[], text: string) =>
  parameter(versions, `in: ${location}\nname: a\n${text}`);
const inQuery = parameterIn('query');
const inPath = parameterIn('path');
const inHeader = parameterIn('header');
const inCookie = parameterIn('cookie');
const inQuerystring = parameterIn('querystring');

function pathItem(versions: readonly number[], text: string) {
  return row(versions, `${INFO}\npaths:\n  /a:\n${indented(text, 4)}`);
}

function operation(versions: readonly number[], text: string) {
  const responses = "responses: {'200': {description: ok}}";
  return pathItem(versions, `get:\n  ${responses}\n${indented(text, 2)}`);
}

function media(versions: readonly number[], type: string, text: string) {
  return component('requestBodies', versions, `content:\n  ${type}:\n${indented(text, 4)}`);
}

function multipart(text: string) {
  return media(IN_32, 'multipart/mixed', text);
}

function indented(text: string, spaces: number): string {
  return text
    .trim()
    .split('\n')
    .map((line) => ' '.repeat(spaces) + line)
    .join('\n');
}

const QUERYSTRING = '{in: querystring, name: q, content: {text/plain: {schema: {type: string}}}}';

/** @param holder of parameters */
function parametersIn(kind: string, holder: typeof pathItem) {
  const other = QUERYSTRING.replace('name: q', 'name: r');
  const of = (...parameters: readonly string[]) =>
    holder(IN_32, `parameters:\n${parameters.map((each) => `  - ${each}`).join('\n')} #!`);
  return {
    [`query and querystring of a ${kind}`]: of('{in: query, name: a, schema: {}}', QUERYSTRING),
    [`two querystrings of a ${kind}`]: of(QUERYSTRING, other),
  };
}

/** @param other encoding, by position */
function encodingsWith(other: string) {
  return {
    [`media: encoding and ${other}`]: multipart(`schema: {type: array}\nencoding: {}\n${other} #!`),
    [`encoding: encoding and ${other}`]: multipart(
      `schema: {}\nencoding:\n  a:\n    encoding: {}\n    ${other} #!`,
    ),
  };
}

/** By the violation. Missing parts, and parts of another type, are those of `mutants`. */
export const FAIL: Readonly<Record<string, ConformanceDocument>> = {
  // OpenAPI Object
  'a path without a slash': row(ALL, `${INFO}\npaths:\n  a: {} #!`),
  'no paths, components or webhooks': row(SINCE_31, INFO),
  '$self has a fragment': root(IN_32, '$self: https://a.b/c#d #!'),
  'the name of a component has a space': root(SINCE_31, 'components:\n  schemas:\n    a b: {} #!'),
  // Info Object
  'license with url and identifier': info(
    SINCE_31,
    'title: a\nversion: 1.0.0\nlicense:\n  name: MIT\n  identifier: MIT\n  url: https://a.b #!',
  ),
  // Path Item Object
  'enum of a server variable is empty': root(
    SINCE_31,
    'servers:\n  - url: https://{a}\n    variables:\n      a:\n        default: b\n        enum: [] #!',
  ),
  'an unknown method': pathItem(ALL, 'fetch: {} #!'),
  'query is an operation of 3.2 only': pathItem(
    [0, 1],
    "query: {responses: {'200': {description: ok}}} #!",
  ),
  'an additional operation has a fixed method': pathItem(
    IN_32,
    'additionalOperations:\n  GET: {} #!',
  ),
  // Path Item and Operation Object
  ...parametersIn('path item', pathItem),
  ...parametersIn('operation', operation),
  'a status is not a status': pathItem(
    ALL,
    "get:\n  responses:\n    '200': {description: ok}\n    '600': {description: a} #!",
  ),
  // Parameter Object
  'a parameter in the body': parameter(ALL, 'in: body #!\nname: a\nschema: {}'),
  'a path parameter with braces in its name': parameter(
    SINCE_31,
    'in: path\nname: a{b #!\nrequired: true\nschema: {}',
  ),
  'a header with a space in its name': parameter(IN_32, 'in: header\nname: a b #!\nschema: {}'),
  'schema and content': inQuery(ALL, 'schema: {}\ncontent: {text/plain: {}} #!'),
  'content with style': inQuery(SINCE_31, 'style: form #!\ncontent: {text/plain: {}}'),
  'content with explode': inQuery(IN_32, 'explode: true #!\ncontent: {text/plain: {}}'),
  'querystring with schema': inQuerystring(IN_32, 'schema: {} #!'),
  'querystring with style': inQuerystring(IN_32, 'content: {text/plain: {}}\nstyle: form #!'),
  'example and examples': inQuery(ALL, 'schema: {}\nexample: a #!\nexamples: {b: {value: c}}'),
  'allowReserved in a header': inHeader(SINCE_31, 'schema: {}\nallowReserved: true #!'),
  'allowReserved in a path': inPath([1], 'required: true\nschema: {}\nallowReserved: true #!'),
  'allowReserved in a cookie': inCookie([1], 'schema: {}\nallowReserved: true #!'),
  'allowReserved in a cookie of style cookie': inCookie(
    IN_32,
    'schema: {}\nstyle: cookie\nallowReserved: true #!',
  ),
  'a style of another location': inHeader(ALL, 'schema: {}\nstyle: form #!'),
  'an unknown style': inQuery(ALL, 'schema: {}\nstyle: unknown #!'),
  'allowEmptyValue of a header': inHeader(SINCE_31, 'schema: {}\nallowEmptyValue: true #!'),
  // Header Object
  'a header with allowReserved': header(SINCE_31, 'schema: {}\nallowReserved: true #!'),
  'a header with a name': header(ALL, 'name: a #!\nschema: {}'),
  'a header with a location': header(ALL, 'in: header #!\nschema: {}'),
  'a header of style form': header(ALL, 'schema: {}\nstyle: form #!'),
  'a header with schema and content': header(ALL, 'schema: {}\ncontent: {text/plain: {}} #!'),
  'a header with example and examples': header(
    ALL,
    'schema: {}\nexample: a #!\nexamples: {b: {value: c}}',
  ),
  'the name of a response header has an equals sign': response(
    IN_32,
    'description: ok\nheaders:\n  a=b: {schema: {}} #!',
  ),
  // Media Type and Encoding Object
  'a media type with example and examples': media(
    ALL,
    'text/plain',
    'example: a #!\nexamples: {b: {value: c}}',
  ),
  ...encodingsWith('itemEncoding: {}'),
  ...encodingsWith('prefixEncoding: []'),
  // Example Object
  'value and externalValue': example(SINCE_31, 'value: a\nexternalValue: https://a.b #!'),
  'value and dataValue': example(IN_32, 'value: a\ndataValue: b #!'),
  'value and serializedValue': example(IN_32, 'value: a\nserializedValue: b #!'),
  'serializedValue and externalValue': example(
    IN_32,
    'serializedValue: a\nexternalValue: https://a.b #!',
  ),
  // Link Object
  'a link with operationRef and operationId': link(
    ALL,
    "operationRef: '#/paths/~1a/get'\noperationId: a #!",
  ),
  'an unknown property of a link': link(ALL, 'operationId: a\nbody: {} #!'),
  // Security Scheme Object
  'an API key in the path': scheme(ALL, 'type: apiKey\nname: a\nin: path #!'),
  'bearerFormat of another scheme': scheme(
    SINCE_31,
    'type: http\nscheme: basic\nbearerFormat: JWT #!',
  ),
  // Schema Object
  'the description of a scope is a number': scheme(
    ALL,
    'type: oauth2\nflows:\n  password:\n    tokenUrl: https://a.b\n    scopes:\n      a: 1 #!',
  ),
  'items is an array': schema(ALL, 'type: array\nitems: [] #!'),
  'an unknown type': schema(ALL, 'type: unknown #!'),
  'allOf is empty': schema(SINCE_31, 'allOf: [] #!'),
  'anyOf is empty': schema(SINCE_31, 'anyOf: [] #!'),
  'oneOf is empty': schema(SINCE_31, 'oneOf: [] #!'),
  'minLength is negative': schema(ALL, 'minLength: -1 #!'),
  'pattern is a number': schema(ALL, 'pattern: 1 #!'),
  'xml is a string': schema(ALL, 'xml: a #!'),
  'xml with attribute and nodeType': schema(
    IN_32,
    'xml:\n  attribute: true #!\n  nodeType: attribute',
  ),
  'xml with wrapped and nodeType': schema(IN_32, 'xml:\n  wrapped: true #!\n  nodeType: element'),
};

export const PASS: readonly ConformanceDocument[] = [
  row(ALL, `${INFO}\n${PATHS}`),
  row(SINCE_31, `${INFO}\ncomponents: {}`),
  row(SINCE_31, `${INFO}\nwebhooks: {}`),
  root(ALL, 'x-a: {b: [1, null]}'),
  info(
    ALL,
    'title: a\nversion: 1.0.0\ndescription: b\ntermsOfService: https://a.b\ncontact: {name: c, url: https://a.b, email: a@b.de}\nlicense: {name: MIT, url: https://a.b}',
  ),
  info(SINCE_31, 'title: a\nsummary: b\nversion: 1.0.0\nlicense: {name: MIT, identifier: MIT}'),
  root(IN_32, '$self: https://a.b/c'),
  root(SINCE_31, 'jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema'),
  root(
    ALL,
    'servers:\n  - url: https://{a}.b\n    description: c\n    variables:\n      a: {default: d, enum: [d, e], description: f}',
  ),
  root(IN_32, 'servers:\n  - {url: https://a.b, name: c}'),
  root(
    ALL,
    'tags:\n  - {name: a, description: b, externalDocs: {url: https://a.b, description: c}}',
  ),
  root(IN_32, 'tags:\n  - {name: a, summary: b, kind: nav}\n  - {name: c, parent: a}'),
  root(
    SINCE_31,
    "components:\n  pathItems:\n    a: {get: {}}\nwebhooks:\n  b:\n    $ref: '#/components/pathItems/a'\n    description: c",
  ),
  root(
    IN_32,
    "components:\n  mediaTypes:\n    a: {itemSchema: {type: object}}\n  requestBodies:\n    b:\n      content:\n        application/jsonl: {$ref: '#/components/mediaTypes/a'}",
  ),
  root(
    ALL,
    'components: {schemas: {}, responses: {}, parameters: {}, examples: {}, requestBodies: {}, headers: {}, securitySchemes: {}, links: {}, callbacks: {}}',
  ),
  pathItem(
    ALL,
    "summary: a\ndescription: b\nservers: [{url: https://a.b}]\nparameters:\n  - {in: query, name: c, schema: {type: string}}\ntrace: {responses: {'200': {description: d}}}",
  ),
  pathItem(ALL, '{}'),
  pathItem(SINCE_31, 'get: {operationId: a}'),
  pathItem(
    IN_32,
    "additionalOperations:\n  COPY: {operationId: a, responses: {'200': {summary: b}}}\nquery: {operationId: c, responses: {'200': {}}}",
  ),
  row(SINCE_31, `${INFO}\npaths:\n  /a#b: {} #!`),
  row(ALL, `${INFO}\npaths:\n  /{a}: {}`),
  operation(
    ALL,
    "tags: [a]\nsummary: b\ndescription: c\noperationId: d\ndeprecated: true\nsecurity: [{}]\nservers: [{url: https://a.b}]\nexternalDocs: {url: https://a.b}\ncallbacks:\n  e:\n    '{$request.body#/url}':\n      post: {responses: {'200': {description: f}}}",
  ),
  inQuery(
    ALL,
    'required: true\nallowEmptyValue: true\nallowReserved: true\nschema: {type: array, items: {type: string}}\nstyle: form\nexplode: false',
  ),
  ...['spaceDelimited', 'pipeDelimited', 'deepObject'].map((style) =>
    inQuery(
      ALL,
      `schema: {type: object, properties: {b: {type: string}}}\nstyle: ${style}\nexplode: ${style === 'deepObject'}`,
    ),
  ),
  ...['simple', 'label', 'matrix'].map((style) =>
    inPath(ALL, `required: true\nschema: {type: string}\nstyle: ${style}`),
  ),
  inPath(IN_32, 'required: true\nschema: {type: string}\nallowReserved: true'),
  inCookie(IN_32, 'schema: {type: string}\nstyle: form\nallowReserved: true'),
  inCookie(IN_32, 'schema: {type: string}\nstyle: cookie\nexplode: true'),
  inQuerystring(
    IN_32,
    'content:\n  application/x-www-form-urlencoded: {schema: {type: object}, example: {b: c}}',
  ),
  inQuery(ALL, 'content:\n  application/json: {schema: {type: object}}'),
  inQuery(
    ALL,
    'schema: {type: string}\nexamples: {b: {summary: c, value: d}, e: {externalValue: https://a.b}}',
  ),
  parameter(ALL, 'in: header\nname: "a!#$%&\'*+.^_`|~-9"\nschema: {type: string}'),
  header(
    ALL,
    'description: a\nrequired: true\nschema: {type: integer}\nstyle: simple\nexplode: true\nexample: 1',
  ),
  header(ALL, 'content: {text/plain: {schema: {type: string}}}'),
  response(
    ALL,
    "description: a\nheaders: {X-A: {schema: {type: integer}}}\ncontent: {'*/*': {schema: {type: string}}, text/*: {example: b}}\nlinks: {c: {operationId: d}}",
  ),
  response(IN_32, 'summary: a'),
  media(ALL, 'application/json', 'schema: {type: object}\nexamples: {a: {value: {b: c}}}'),
  media(
    ALL,
    'application/x-www-form-urlencoded',
    'schema: {type: object, properties: {a: {type: string}}}\nencoding:\n  a: {contentType: "text/plain, text/html", style: form, explode: true, allowReserved: true}',
  ),
  multipart(
    'itemSchema: {type: object} #!\nprefixEncoding: [{contentType: text/plain, headers: {Content-Location: {schema: {type: string}}}}]\nitemEncoding: {contentType: image/png}',
  ),
  media(
    IN_32,
    'multipart/form-data',
    'schema: {type: object, properties: {a: {type: object}}}\nencoding:\n  a:\n    contentType: multipart/form-data\n    encoding: {b: {}}',
  ),
  example(ALL, 'summary: a\ndescription: b\nvalue: null'),
  example(IN_32, 'dataValue: {a: 1}\nserializedValue: a=1'),
  example(IN_32, 'dataValue: {a: 1}\nexternalValue: https://a.b'),
  link(
    ALL,
    "operationId: a\nparameters: {b: '$response.body#/b'}\nrequestBody: '$request.body'\ndescription: c\nserver: {url: https://a.b}",
  ),
  link(ALL, "operationRef: 'https://a.b/c#/paths/~1d/get'"),
  scheme(ALL, 'type: apiKey\nname: a\nin: cookie'),
  scheme(ALL, 'type: http\nscheme: Bearer\nbearerFormat: JWT'),
  scheme(ALL, 'type: http\nscheme: digest'),
  scheme(SINCE_31, 'type: mutualTLS'),
  scheme(
    ALL,
    'type: openIdConnect\nopenIdConnectUrl: https://a.b/.well-known/openid-configuration',
  ),
  scheme(
    ALL,
    'type: oauth2\nflows:\n  implicit: {authorizationUrl: https://a.b, scopes: {a: b}}\n  password: {tokenUrl: https://a.b, scopes: {}}\n  clientCredentials: {tokenUrl: https://a.b, refreshUrl: https://a.b, scopes: {}}\n  authorizationCode: {authorizationUrl: https://a.b, tokenUrl: https://a.b, scopes: {}}',
  ),
  scheme(
    IN_32,
    'type: oauth2\noauth2MetadataUrl: https://a.b\nflows:\n  deviceAuthorization: {deviceAuthorizationUrl: https://a.b, tokenUrl: https://a.b, scopes: {}}',
  ),
  scheme(IN_32, 'type: http\nscheme: basic\ndeprecated: true'),
  root(
    SINCE_31,
    'security:\n  - a: [b]\ncomponents: {securitySchemes: {a: {type: apiKey, name: c, in: header}}}',
  ),
  schema(
    [0],
    'type: string\nnullable: true\nexclusiveMinimum: false\ndeprecated: true\nxml: {name: a, namespace: https://a.b, prefix: c, attribute: true, wrapped: false}\nexternalDocs: {url: https://a.b}',
  ),
  schema(
    SINCE_31,
    "type: [string, 'null']\nexclusiveMaximum: 1\nconst: a\nexamples: [a]\n$comment: b\n$defs: {c: false}\nif: true\nthen: false\nunknownKeyword: 1 #!",
  ),
  root(
    SINCE_31,
    'components:\n  schemas: {a: true, b: false, c: {items: false, not: true, properties: {d: true}}}',
  ),
  root(
    ALL,
    "components:\n  schemas:\n    a: {oneOf: [{$ref: '#/components/schemas/d'}], discriminator: {propertyName: b, mapping: {c: '#/components/schemas/d'}}}\n    d: {type: object, required: [b], properties: {b: {type: string}}}",
  ),
  schema(
    IN_32,
    'type: object\nproperties: {b: {type: string}}\ndiscriminator: {propertyName: b, defaultMapping: a}',
  ),
  schema(IN_32, 'xml: {nodeType: cdata}'),
];
