// The cases of Prism's test harness on mocks, negotiation, security and validation, as Prism 5 responds.
// Source: the OpenAPI 3.0 cases in test-harness/specs of https://github.com/stoplightio/prism. The
// contracts are shortened.

export interface Expected {
  readonly status: number;
  readonly type?: string;
  /** Compared if given. */
  readonly body?: string;
}

export interface PrismCase {
  /** The file in test-harness/specs, without its folder and extension. */
  readonly harness: string;
  /** The path item of `/`, or `paths` and `components` of the contract. */
  readonly contract: string;
  readonly url?: string;
  readonly init?: RequestInit;
  readonly prism: Expected;
  /** Where the responses differ. */
  readonly stubwright?: Expected;
}

const JSON_OR_XML = `get: {responses: {'200': {description: ok, content: {application/json: {example: hello}, application/xml: {example: '<a>1</a>'}}}}}`;
const TEXT = `get: {responses: {'200': {description: ok, content: {text/plain: {example: hello}}}}}`;
const TEXT_OR_JSON = `get: {responses: {'200': {description: ok, content: {text/plain: {example: hello}, application/json: {example: hello}}}}}`;
const VENDOR = `get: {responses: {'200': {description: ok, content: {application/json: {example: hello}, application/vnd.api+json: {example: vendor}}}}}`;
const OK = `'200': {description: ok, content: {application/json: {example: ok}}}`;
const TEST_OK = `{get: {responses: {'200': {description: ok, content: {application/json: {example: test}}}}}}`;
const CATS = `examples: {cat: {value: {id: 2}}, dog: {value: {id: 1}}}`;

const accept = (value: string): RequestInit => ({ headers: { Accept: value } });
const authorization = (value: string): RequestInit => ({ headers: { Authorization: value } });
const secured = (schemes: string, security: string) =>
  `{paths: {/: ${TEST_OK}}, components: {securitySchemes: ${schemes}}, security: ${security}}`;
const BASIC = '{basic: {type: http, scheme: basic}}';
const OAUTH = '{oauth: {type: oauth2, flows: {}}}';
const TWO =
  '{basic: {type: http, scheme: basic}, key: {type: apiKey, in: header, name: X-API-Key}}';
const KEYS =
  '{one: {type: apiKey, in: header, name: X-API-Key}, two: {type: apiKey, in: query, name: apiKey}}';
const parameter = (text: string) =>
  `get: {parameters: [${text}], responses: {'200': {description: ok, content: {application/json: {example: abc}}}}}`;
const FIELDS =
  '{type: object, properties: {id: {type: integer}, status: {enum: [open, close]}}, required: [id]}';
const body = (type: string, schema: string, more = '') =>
  `post: {requestBody: {content: {${type}: {schema: ${schema}${more}}}}, responses: {'200': {description: ok, content: {text/plain: {example: ok}}}}}`;
const post = (type: string, text: string): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': type },
  body: text,
});
const FORM = 'application/x-www-form-urlencoded';
const PROBLEM = 'application/problem+json';

export const PRISM_CASES: readonly PrismCase[] = [
  // Negotiation.
  {
    harness: 'Content-Negotiation-AC-2',
    contract: JSON_OR_XML,
    init: accept('application/xml, application/json'),
    prism: { status: 200, type: 'application/xml', body: '<a>1</a>' },
  },
  {
    harness: 'Content-Negotiation-AC-6',
    contract: TEXT,
    init: accept('application/json'),
    prism: { status: 406, type: PROBLEM },
  },
  {
    harness: 'Content-Negotiation-AC-7',
    contract: TEXT,
    init: accept('*/*'),
    prism: { status: 200, type: 'text/plain', body: 'hello' },
  },
  {
    harness: 'Content-Negotiation-AC-8',
    contract: TEXT_OR_JSON,
    init: accept('*/*'),
    prism: { status: 200, type: 'text/plain' },
    stubwright: { status: 200, type: 'application/json' },
  },
  {
    harness: 'Content-Negotiation-AC-10',
    contract: JSON_OR_XML,
    init: accept('application/json;q=0.8, application/xml'),
    prism: { status: 200, type: 'application/xml' },
  },
  {
    harness: 'Content-Negotiation-AC-11',
    contract: TEXT,
    init: accept('application/json;q=0.8, application/xml, text/plain;q=0.5'),
    prism: { status: 200, type: 'text/plain', body: 'hello' },
  },
  {
    harness: 'Content-Negotiation-AC-12',
    contract: VENDOR,
    init: accept('application/vnd.api+json'),
    prism: { status: 200, type: 'application/vnd.api+json', body: '"vendor"' },
  },
  {
    harness: 'Content-Negotiation-AC-13',
    contract: VENDOR,
    prism: { status: 200, type: 'application/json', body: '"hello"' },
  },
  {
    harness: 'Content-Negotiation-AC-14',
    contract: `get: {responses: {'200': {description: ok, content: {application/xml: {example: '<n>a</n>'}, application/json: {example: a}}}}}`,
    prism: { status: 200, type: 'application/xml' },
    stubwright: { status: 200, type: 'application/json' },
  },
  {
    harness: 'Content-Negotiation-AC-15',
    contract: `get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: string}}}}}}`,
    init: accept('application/json, text/plain, */*'),
    prism: { status: 200, type: 'application/json' },
  },
  {
    harness: 'Content-Negotiation.invalid',
    contract: TEXT,
    init: accept('inv/alid'),
    prism: { status: 406, type: PROBLEM },
  },
  {
    harness: 'Content-Negotiation.complex',
    contract: `get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: object, required: [honey], properties: {honey: {type: string, example: killer bees}}}}}}}}`,
    init: accept(
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8,application/signed-exchange;v=b3',
    ),
    prism: { status: 200, type: 'application/json', body: '{"honey":"killer bees"}' },
  },
  {
    harness: 'Content-Negotiation-Xml-AC-1',
    contract: `{paths: {/: {get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}, application/xml: {schema: {$ref: '#/components/schemas/Pet'}, examples: {a: {value: {id: 1, name: Sharik}}}}}}}}}}, components: {schemas: {Pet: {type: object, properties: {id: {type: integer}, name: {type: string}}}}}}`,
    init: accept('application/xml'),
    prism: {
      status: 200,
      type: 'application/xml',
      body: '<xml><id>1</id><name>Sharik</name></xml>',
    },
    stubwright: {
      status: 200,
      type: 'application/xml',
      body: '<?xml version="1.0" encoding="UTF-8"?>\n<Pet><id>1</id><name>Sharik</name></Pet>',
    },
  },
  {
    harness: 'text-plain-serialisation',
    contract: `get: {responses: {'200': {description: ok, content: {text/plain: {schema: {type: string, example: pong}}}}}}`,
    init: accept('text/plain'),
    prism: { status: 200, type: 'text/plain', body: 'pong' },
  },
  {
    harness: 'text-plain-complex-serialisation',
    contract: `get: {responses: {'200': {description: ok, content: {text/plain: {schema: {type: object, properties: {name: {type: string, example: Clark}}}}}}}}`,
    init: accept('text/plain'),
    prism: { status: 500 },
    stubwright: { status: 200, type: 'text/plain' },
  },
  // Status codes.
  {
    harness: 'default_responses-AC-1',
    contract: `get: {responses: {default: {description: any, content: {application/json: {example: test}}}}}`,
    prism: { status: 200, type: 'application/json', body: '"test"' },
  },
  {
    harness: 'default_responses-AC-2',
    contract: `get: {responses: {${OK}, default: {description: any, content: {application/json: {example: test}}}}}`,
    url: '/?__code=201',
    prism: { status: 201, body: '"test"' },
  },
  {
    harness: 'default_responses-AC-3',
    contract: `get: {responses: {${OK}}}`,
    url: '/?__code=304',
    prism: { status: 404, type: PROBLEM },
  },
  {
    harness: 'default_responses-AC-4',
    contract: `get: {responses: {'405': {description: no}}}`,
    prism: { status: 500, type: PROBLEM },
    stubwright: { status: 405 },
  },
  {
    harness: 'default_responses-AC-5',
    contract: `get: {responses: {${OK}}}`,
    url: '/?__code=200',
    prism: { status: 200, body: '"ok"' },
  },
  {
    harness: 'default_responses-AC-6',
    contract: `get: {responses: {'202': {description: a, content: {application/json: {example: ok}}}, '204': {description: b}, '210': {description: c}}}`,
    prism: { status: 202, body: '"ok"' },
  },
  {
    harness: 'default_responses-AC-7',
    contract: `get: {responses: {'400': {description: test}}}`,
    url: '/?__code=404',
    prism: { status: 404, type: PROBLEM },
  },
  {
    harness: 'range-status-codes-AC-4',
    contract: `get: {responses: {'503': {description: a, content: {text/plain: {example: exact}}}, 5XX: {description: b, content: {text/plain: {example: range}}}}}`,
    url: '/?__code=401',
    prism: { status: 404, type: PROBLEM },
  },
  {
    harness: 'empty-responses-AC-1',
    contract: `get: {responses: {'204': {description: none}}}`,
    prism: { status: 204, body: '' },
  },
  {
    harness: 'empty-responses-AC-2',
    contract: `get: {responses: {'204': {description: none}}}`,
    init: accept('text/plain'),
    prism: { status: 406 },
    stubwright: { status: 204 },
  },
  {
    harness: '204-no-content',
    contract: `post: {responses: {'204': {description: none}}}`,
    init: { ...accept('application/json'), method: 'POST' },
    prism: { status: 204 },
  },
  {
    harness: 'empty-responses-AC-9',
    contract: `get: {responses: {'204': {description: none}, '200': {description: ok, content: {text/plain: {schema: {type: string, example: abc}}}}}}`,
    init: accept('text/plain'),
    prism: { status: 200, body: 'abc' },
  },
  {
    harness: 'head_requests-AC-1',
    contract: `head: {responses: {'200': {description: ok, headers: {nonce: {schema: {type: string, example: abc}}}}}}`,
    init: { method: 'HEAD' },
    prism: { status: 200, body: '' },
  },
  {
    harness: 'head_requests-AC-2',
    contract: `get: {responses: {default: {description: any, content: {text/plain: {example: abc}}}}}`,
    init: { method: 'HEAD' },
    prism: { status: 405 },
    stubwright: { status: 200, body: '' },
  },
  {
    harness: 'prefer-concrete-path',
    contract: `{paths: {'/{id}': {get: {parameters: [{name: id, in: path, required: true, schema: {}}], responses: {'200': {description: ok, content: {application/json: {example: templated}}}}}}, /fixed: {get: {responses: {'200': {description: ok, content: {application/json: {example: fixed}}}}}}}}`,
    url: '/fixed',
    prism: { status: 200, body: '"fixed"' },
  },
  // Bodies.
  {
    harness: 'manually-select-examples-AC-1',
    contract: `get: {responses: {'200': {description: ok, content: {application/json: {${CATS}}}}}}`,
    url: '/?__example=dog',
    prism: { status: 200, body: '{"id":1}' },
  },
  {
    harness: 'manually-select-examples-AC-2',
    contract: `get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: number}}}}}}`,
    url: '/?__example=mantis-shrimp',
    prism: { status: 404, type: PROBLEM },
  },
  {
    harness: 'manually-select-examples-AC-3',
    contract: `get: {responses: {'200': {description: ok, content: {application/json: {example: {id: 9}, ${CATS}}}}}}`,
    url: '/?__example=cat',
    prism: { status: 200, body: '{"id":2}' },
  },
  {
    harness: 'too_complex-AC-1',
    contract: `get: {responses: {default: {description: any, content: {application/json: {schema: {type: array, items: {type: string}, minItems: 3000}}}}}}`,
    prism: { status: 500 },
    stubwright: { status: 200 },
  },
  {
    harness: 'Multiple-Refs-Handling',
    contract: `{paths: {/: {get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {a: {$ref: '#/components/schemas/T'}, b: {$ref: '#/components/schemas/T'}}}}}}}}}}, components: {schemas: {T: {type: object, properties: {output: {type: string, nullable: true}}}}}}`,
    prism: { status: 200 },
  },
  // Security.
  { harness: 'security-AC-2', contract: secured(BASIC, '[{basic: []}]'), prism: { status: 401 } },
  {
    harness: 'security-AC-3',
    contract: secured(TWO, '[{basic: []}, {key: []}]'),
    prism: { status: 401 },
  },
  {
    harness: 'security-AC-5',
    contract: secured(TWO, '[{basic: []}, {key: []}]'),
    init: authorization('Basic abc123'),
    prism: { status: 401 },
  },
  {
    harness: 'security-AC-7',
    contract: `{paths: {/: {get: {security: [], responses: {${OK}}}}}, components: {securitySchemes: ${BASIC}}, security: [{basic: []}]}`,
    prism: { status: 200, body: '"ok"' },
  },
  {
    harness: 'security-AC-9',
    contract: secured('{b: {type: http, scheme: bearer}}', '[{b: []}]'),
    init: authorization('Bearer abc123'),
    prism: { status: 200, body: '"test"' },
  },
  {
    harness: 'security-AC-10',
    contract: secured(OAUTH, '[{oauth: [read, write]}]'),
    init: authorization('Bearer abc123'),
    prism: { status: 200, body: '"test"' },
  },
  {
    harness: 'security-AC-13',
    contract: secured('{c: {type: apiKey, in: cookie, name: SESSIONID}}', '[{c: []}]'),
    prism: { status: 401 },
  },
  {
    harness: 'security-AC-14',
    contract: secured('{k: {type: apiKey, in: header, name: X-API-Key}}', '[{k: []}]'),
    prism: { status: 401 },
  },
  {
    harness: 'security-AC-16',
    contract: secured(OAUTH, '[{oauth: [read]}]'),
    init: authorization('Basic dGVzdDp0ZXN0'),
    prism: { status: 401 },
  },
  {
    harness: 'security-AC-17',
    contract: secured(OAUTH, '[{oauth: [read]}]'),
    init: authorization('Digest abc123'),
    prism: { status: 401 },
  },
  {
    harness: 'security-AC-19',
    contract: secured('{k: {type: apiKey, in: query, name: apiKey}}', '[{k: []}]'),
    prism: { status: 401 },
  },
  {
    harness: 'security-AC-20',
    contract: `{paths: {/: {get: {responses: {${OK}, '401': {description: no, content: {application/json: {example: unauthorized}}}}}}}, components: {securitySchemes: ${BASIC}}, security: [{basic: []}]}`,
    prism: { status: 401, type: 'application/json', body: '"unauthorized"' },
    stubwright: { status: 401, type: 'application/json' },
  },
  {
    harness: 'security-AC-22',
    contract: secured('{d: {type: http, scheme: digest}}', '[{d: []}]'),
    prism: { status: 401 },
  },
  {
    harness: 'security-AC-23',
    contract: secured('{d: {type: http, scheme: digest}}', '[{d: []}]'),
    init: authorization('Digest username="", realm="", nonce="", uri="", response=""'),
    prism: { status: 200, body: '"test"' },
  },
  {
    harness: 'security-AC-24',
    contract: secured(KEYS, '[{one: [], two: []}]'),
    url: '/?apiKey=abc123',
    init: { headers: { 'X-API-Key': 'xyz987' } },
    prism: { status: 200, body: '"test"' },
  },
  {
    harness: 'security-AC-25',
    contract: secured(KEYS, '[{one: [], two: []}]'),
    url: '/?apiKey=abc123',
    prism: { status: 401 },
  },
  {
    harness: 'security-AC-26',
    contract: secured(
      '{basic: {type: http, scheme: basic}, oauth: {type: oauth2, flows: {}}}',
      '[{oauth: [read], basic: []}]',
    ),
    prism: { status: 401 },
  },
  {
    harness: 'security-AC-27',
    contract: `get: {parameters: [{in: query, name: age, required: true, schema: {}}], responses: {${OK}, '422': {description: no, content: {application/json: {example: abc}}}}}`,
    prism: { status: 422, body: '"abc"' },
    stubwright: { status: 400, type: PROBLEM },
  },
  {
    harness: 'empty-responses-AC-8',
    contract: `get: {parameters: [{in: query, name: abc, required: true, schema: {}}], responses: {'400': {description: no}}}`,
    prism: { status: 400, body: '' },
  },
  // Requests.
  {
    harness: 'parameters-ac1',
    contract: `{paths: {'/pet/a/{b}': {get: {parameters: [{in: path, name: b, required: true, schema: {}}], responses: {${OK}}}}}}`,
    url: '/pet/a',
    prism: { status: 404, type: PROBLEM },
  },
  {
    harness: 'parameters-ac2',
    contract: parameter('{in: query, name: age, required: true, schema: {}}'),
    prism: { status: 422, type: PROBLEM },
    stubwright: { status: 400, type: PROBLEM },
  },
  {
    harness: 'parameters-ac3',
    contract: parameter('{in: query, name: age, required: true, schema: {type: number}}'),
    url: '/?age=old',
    prism: { status: 422, type: PROBLEM },
    stubwright: { status: 400, type: PROBLEM },
  },
  {
    harness: 'parameters-ac4',
    contract: parameter('{in: header, name: x-age, required: true, schema: {}}'),
    prism: { status: 422, type: PROBLEM },
    stubwright: { status: 400, type: PROBLEM },
  },
  {
    harness: 'parameters-ac5',
    contract: parameter('{in: header, name: x-age, required: true, schema: {type: number}}'),
    init: { headers: { 'x-age': 'old' } },
    prism: { status: 422, type: PROBLEM },
    stubwright: { status: 400, type: PROBLEM },
  },
  {
    harness: 'parameters-ac6',
    contract: parameter(
      '{in: query, name: name, required: true, style: pipeDelimited, explode: false, schema: {type: array, minItems: 2, items: {type: string}}}',
    ),
    url: '/?name=abc,xyz',
    prism: { status: 422, type: PROBLEM },
    stubwright: { status: 400, type: PROBLEM },
  },
  {
    harness: 'parameters-ac9',
    contract: `{paths: {'/path/{p}': {get: {parameters: [{in: path, name: p, required: true, schema: {type: string, pattern: '^[A-Z]+$'}}], responses: {${OK}}}}}}`,
    url: '/path/fp',
    prism: { status: 422, type: PROBLEM },
    stubwright: { status: 400, type: PROBLEM },
  },
  {
    harness: 'parameters-ac10',
    contract: `{paths: {'/path/{p}/foo': {get: {parameters: [{in: path, name: p, required: true, schema: {type: string}}], responses: {${OK}}}}}}`,
    url: '/path//foo',
    prism: { status: 422, type: PROBLEM },
    stubwright: { status: 404, type: PROBLEM },
  },
  {
    harness: 'json-invalid-request-2',
    contract: body('application/json', FIELDS),
    init: post('application/json', '{"status":"ooopsie!"}'),
    prism: { status: 422, type: PROBLEM },
    stubwright: { status: 400, type: PROBLEM },
  },
  {
    harness: 'form-data-invalid-request',
    contract: body(FORM, FIELDS),
    init: post(FORM, 'status=ooopsie%21'),
    prism: { status: 422, type: PROBLEM },
    stubwright: { status: 400, type: PROBLEM },
  },
  {
    harness: 'form-data-valid-request',
    contract: body(FORM, FIELDS),
    init: post(FORM, 'id=1&status=open'),
    prism: { status: 200, body: 'ok' },
  },
  {
    harness: 'multipart-form-data-invalid-request',
    contract: body('multipart/form-data', FIELDS),
    init: post('multipart/form-data', 'id=100&status=open'),
    prism: { status: 422, type: PROBLEM },
    stubwright: { status: 400, type: PROBLEM },
  },
  {
    harness: 'form-data-allow-reserved-fail',
    contract: body(
      FORM,
      '{type: object, properties: {reserved: {type: string}}}',
      ', encoding: {reserved: {allowReserved: false, style: form}}',
    ),
    init: post(FORM, "reserved=:/?#[]@!$'()*,;"),
    prism: { status: 422, type: PROBLEM },
    stubwright: { status: 200, body: 'ok' },
  },
  {
    harness: 'form-data-style-deepObject',
    contract: body(
      FORM,
      '{type: object, properties: {key: {type: object, properties: {a: {type: string}}}, other: {type: string}}}',
      ', encoding: {key: {style: deepObject}}',
    ),
    init: post(FORM, 'key%5Ba%5D=str&other=other'),
    prism: { status: 200, body: 'ok' },
  },
];
