// The cases of Prism's test harness on mocks, negotiation, security and validation, as Prism 5 responds.
// Source: the OpenAPI 3.0 cases in test-harness/specs of https://github.com/stoplightio/prism. The
// contracts are shortened.

/** The type and the body are compared if given. */
export type Expected = readonly [status: number, type?: string | undefined, body?: string];

export type PrismCase = readonly [
  /** The file in test-harness/specs, without its folder and extension. */
  harness: string,
  /** The path item of `/`, or `paths` and `components` of the contract. */
  contract: string,
  request: RequestInit & { readonly url?: string },
  prism: Expected,
  /** Where the responses differ. */
  stubwright?: Expected,
];

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

const ANY = undefined;

// biome-ignore format: a table
export const PRISM_CASES: readonly PrismCase[] = [
  // Negotiation.
  ['Content-Negotiation-AC-2', JSON_OR_XML, accept('application/xml, application/json'), [200, 'application/xml', '<a>1</a>']],
  ['Content-Negotiation-AC-6', TEXT, accept('application/json'), [406, PROBLEM]],
  ['Content-Negotiation-AC-7', TEXT, accept('*/*'), [200, 'text/plain', 'hello']],
  ['Content-Negotiation-AC-8', TEXT_OR_JSON, accept('*/*'), [200, 'text/plain'], [200, 'application/json']],
  ['Content-Negotiation-AC-10', JSON_OR_XML, accept('application/json;q=0.8, application/xml'), [200, 'application/xml']],
  ['Content-Negotiation-AC-11', TEXT, accept('application/json;q=0.8, application/xml, text/plain;q=0.5'), [200, 'text/plain', 'hello']],
  ['Content-Negotiation-AC-12', VENDOR, accept('application/vnd.api+json'), [200, 'application/vnd.api+json', '"vendor"']],
  ['Content-Negotiation-AC-13', VENDOR, {}, [200, 'application/json', '"hello"']],
  ['Content-Negotiation-AC-14', `get: {responses: {'200': {description: ok, content: {application/xml: {example: '<n>a</n>'}, application/json: {example: a}}}}}`, {}, [200, 'application/xml'], [200, 'application/json']],
  ['Content-Negotiation-AC-15', `get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: string}}}}}}`, accept('application/json, text/plain, */*'), [200, 'application/json']],
  ['Content-Negotiation.invalid', TEXT, accept('inv/alid'), [406, PROBLEM]],
  ['Content-Negotiation.complex', `get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: object, required: [honey], properties: {honey: {type: string, example: killer bees}}}}}}}}`, accept('text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8,application/signed-exchange;v=b3'), [200, 'application/json', '{"honey":"killer bees"}']],
  ['Content-Negotiation-Xml-AC-1', `{paths: {/: {get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}, application/xml: {schema: {$ref: '#/components/schemas/Pet'}, examples: {a: {value: {id: 1, name: Sharik}}}}}}}}}}, components: {schemas: {Pet: {type: object, properties: {id: {type: integer}, name: {type: string}}}}}}`, accept('application/xml'), [200, 'application/xml', '<xml><id>1</id><name>Sharik</name></xml>'], [200, 'application/xml', '<?xml version="1.0" encoding="UTF-8"?>\n<Pet><id>1</id><name>Sharik</name></Pet>']],
  ['text-plain-serialisation', `get: {responses: {'200': {description: ok, content: {text/plain: {schema: {type: string, example: pong}}}}}}`, accept('text/plain'), [200, 'text/plain', 'pong']],
  ['text-plain-complex-serialisation', `get: {responses: {'200': {description: ok, content: {text/plain: {schema: {type: object, properties: {name: {type: string, example: Clark}}}}}}}}`, accept('text/plain'), [500], [200, 'text/plain']],
  // Status codes.
  ['default_responses-AC-1', `get: {responses: {default: {description: any, content: {application/json: {example: test}}}}}`, {}, [200, 'application/json', '"test"']],
  ['default_responses-AC-2', `get: {responses: {${OK}, default: {description: any, content: {application/json: {example: test}}}}}`, { url: '/?__code=201' }, [201, ANY, '"test"']],
  ['default_responses-AC-3', `get: {responses: {${OK}}}`, { url: '/?__code=304' }, [404, PROBLEM]],
  ['default_responses-AC-4', `get: {responses: {'405': {description: no}}}`, {}, [500, PROBLEM], [405]],
  ['default_responses-AC-5', `get: {responses: {${OK}}}`, { url: '/?__code=200' }, [200, ANY, '"ok"']],
  ['default_responses-AC-6', `get: {responses: {'202': {description: a, content: {application/json: {example: ok}}}, '204': {description: b}, '210': {description: c}}}`, {}, [202, ANY, '"ok"']],
  ['default_responses-AC-7', `get: {responses: {'400': {description: test}}}`, { url: '/?__code=404' }, [404, PROBLEM]],
  ['range-status-codes-AC-4', `get: {responses: {'503': {description: a, content: {text/plain: {example: exact}}}, 5XX: {description: b, content: {text/plain: {example: range}}}}}`, { url: '/?__code=401' }, [404, PROBLEM]],
  ['empty-responses-AC-1', `get: {responses: {'204': {description: none}}}`, {}, [204, ANY, '']],
  ['empty-responses-AC-2', `get: {responses: {'204': {description: none}}}`, accept('text/plain'), [406], [204]],
  ['204-no-content', `post: {responses: {'204': {description: none}}}`, { ...accept('application/json'), method: 'POST' }, [204]],
  ['empty-responses-AC-9', `get: {responses: {'204': {description: none}, '200': {description: ok, content: {text/plain: {schema: {type: string, example: abc}}}}}}`, accept('text/plain'), [200, ANY, 'abc']],
  ['head_requests-AC-1', `head: {responses: {'200': {description: ok, headers: {nonce: {schema: {type: string, example: abc}}}}}}`, { method: 'HEAD' }, [200, ANY, '']],
  ['head_requests-AC-2', `get: {responses: {default: {description: any, content: {text/plain: {example: abc}}}}}`, { method: 'HEAD' }, [405], [200, ANY, '']],
  ['prefer-concrete-path', `{paths: {'/{id}': {get: {parameters: [{name: id, in: path, required: true, schema: {}}], responses: {'200': {description: ok, content: {application/json: {example: templated}}}}}}, /fixed: {get: {responses: {'200': {description: ok, content: {application/json: {example: fixed}}}}}}}}`, { url: '/fixed' }, [200, ANY, '"fixed"']],
  // Bodies.
  ['manually-select-examples-AC-1', `get: {responses: {'200': {description: ok, content: {application/json: {${CATS}}}}}}`, { url: '/?__example=dog' }, [200, ANY, '{"id":1}']],
  ['manually-select-examples-AC-2', `get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: number}}}}}}`, { url: '/?__example=mantis-shrimp' }, [404, PROBLEM]],
  ['manually-select-examples-AC-3', `get: {responses: {'200': {description: ok, content: {application/json: {example: {id: 9}, ${CATS}}}}}}`, { url: '/?__example=cat' }, [200, ANY, '{"id":2}']],
  ['too_complex-AC-1', `get: {responses: {default: {description: any, content: {application/json: {schema: {type: array, items: {type: string}, minItems: 3000}}}}}}`, {}, [500], [200]],
  ['Multiple-Refs-Handling', `{paths: {/: {get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {a: {$ref: '#/components/schemas/T'}, b: {$ref: '#/components/schemas/T'}}}}}}}}}}, components: {schemas: {T: {type: object, properties: {output: {type: string, nullable: true}}}}}}`, {}, [200]],
  // Security.
  ['security-AC-2', secured(BASIC, '[{basic: []}]'), {}, [401]],
  ['security-AC-3', secured(TWO, '[{basic: []}, {key: []}]'), {}, [401]],
  ['security-AC-5', secured(TWO, '[{basic: []}, {key: []}]'), authorization('Basic abc123'), [401]],
  ['security-AC-7', `{paths: {/: {get: {security: [], responses: {${OK}}}}}, components: {securitySchemes: ${BASIC}}, security: [{basic: []}]}`, {}, [200, ANY, '"ok"']],
  ['security-AC-9', secured('{b: {type: http, scheme: bearer}}', '[{b: []}]'), authorization('Bearer abc123'), [200, ANY, '"test"']],
  ['security-AC-10', secured(OAUTH, '[{oauth: [read, write]}]'), authorization('Bearer abc123'), [200, ANY, '"test"']],
  ['security-AC-13', secured('{c: {type: apiKey, in: cookie, name: SESSIONID}}', '[{c: []}]'), {}, [401]],
  ['security-AC-14', secured('{k: {type: apiKey, in: header, name: X-API-Key}}', '[{k: []}]'), {}, [401]],
  ['security-AC-16', secured(OAUTH, '[{oauth: [read]}]'), authorization('Basic dGVzdDp0ZXN0'), [401]],
  ['security-AC-17', secured(OAUTH, '[{oauth: [read]}]'), authorization('Digest abc123'), [401]],
  ['security-AC-19', secured('{k: {type: apiKey, in: query, name: apiKey}}', '[{k: []}]'), {}, [401]],
  ['security-AC-20', `{paths: {/: {get: {responses: {${OK}, '401': {description: no, content: {application/json: {example: unauthorized}}}}}}}, components: {securitySchemes: ${BASIC}}, security: [{basic: []}]}`, {}, [401, 'application/json', '"unauthorized"'], [401, 'application/json']],
  ['security-AC-22', secured('{d: {type: http, scheme: digest}}', '[{d: []}]'), {}, [401]],
  ['security-AC-23', secured('{d: {type: http, scheme: digest}}', '[{d: []}]'), authorization('Digest username="", realm="", nonce="", uri="", response=""'), [200, ANY, '"test"']],
  ['security-AC-24', secured(KEYS, '[{one: [], two: []}]'), { url: '/?apiKey=abc123', headers: { 'X-API-Key': 'xyz987' } }, [200, ANY, '"test"']],
  ['security-AC-25', secured(KEYS, '[{one: [], two: []}]'), { url: '/?apiKey=abc123' }, [401]],
  ['security-AC-26', secured('{basic: {type: http, scheme: basic}, oauth: {type: oauth2, flows: {}}}', '[{oauth: [read], basic: []}]'), {}, [401]],
  ['security-AC-27', `get: {parameters: [{in: query, name: age, required: true, schema: {}}], responses: {${OK}, '422': {description: no, content: {application/json: {example: abc}}}}}`, {}, [422, ANY, '"abc"'], [400, PROBLEM]],
  ['empty-responses-AC-8', `get: {parameters: [{in: query, name: abc, required: true, schema: {}}], responses: {'400': {description: no}}}`, {}, [400, ANY, '']],
  // Requests.
  ['parameters-ac1', `{paths: {'/pet/a/{b}': {get: {parameters: [{in: path, name: b, required: true, schema: {}}], responses: {${OK}}}}}}`, { url: '/pet/a' }, [404, PROBLEM]],
  ['parameters-ac2', parameter('{in: query, name: age, required: true, schema: {}}'), {}, [422, PROBLEM], [400, PROBLEM]],
  ['parameters-ac3', parameter('{in: query, name: age, required: true, schema: {type: number}}'), { url: '/?age=old' }, [422, PROBLEM], [400, PROBLEM]],
  ['parameters-ac4', parameter('{in: header, name: x-age, required: true, schema: {}}'), {}, [422, PROBLEM], [400, PROBLEM]],
  ['parameters-ac5', parameter('{in: header, name: x-age, required: true, schema: {type: number}}'), { headers: { 'x-age': 'old' } }, [422, PROBLEM], [400, PROBLEM]],
  ['parameters-ac6', parameter('{in: query, name: name, required: true, style: pipeDelimited, explode: false, schema: {type: array, minItems: 2, items: {type: string}}}'), { url: '/?name=abc,xyz' }, [422, PROBLEM], [400, PROBLEM]],
  ['parameters-ac9', `{paths: {'/path/{p}': {get: {parameters: [{in: path, name: p, required: true, schema: {type: string, pattern: '^[A-Z]+$'}}], responses: {${OK}}}}}}`, { url: '/path/fp' }, [422, PROBLEM], [400, PROBLEM]],
  ['parameters-ac10', `{paths: {'/path/{p}/foo': {get: {parameters: [{in: path, name: p, required: true, schema: {type: string}}], responses: {${OK}}}}}}`, { url: '/path//foo' }, [422, PROBLEM], [404, PROBLEM]],
  ['json-invalid-request-2', body('application/json', FIELDS), post('application/json', '{"status":"ooopsie!"}'), [422, PROBLEM], [400, PROBLEM]],
  ['form-data-invalid-request', body(FORM, FIELDS), post(FORM, 'status=ooopsie%21'), [422, PROBLEM], [400, PROBLEM]],
  ['form-data-valid-request', body(FORM, FIELDS), post(FORM, 'id=1&status=open'), [200, ANY, 'ok']],
  ['multipart-form-data-invalid-request', body('multipart/form-data', FIELDS), post('multipart/form-data', 'id=100&status=open'), [422, PROBLEM], [400, PROBLEM]],
  ['form-data-allow-reserved-fail', body(FORM, '{type: object, properties: {reserved: {type: string}}}', ', encoding: {reserved: {allowReserved: false, style: form}}'), post(FORM, "reserved=:/?#[]@!$'()*,;"), [422, PROBLEM], [200, ANY, 'ok']],
  ['form-data-style-deepObject', body(FORM, '{type: object, properties: {key: {type: object, properties: {a: {type: string}}}, other: {type: string}}}', ', encoding: {key: {style: deepObject}}'), post(FORM, 'key%5Ba%5D=str&other=other'), [200, ANY, 'ok']],
];
