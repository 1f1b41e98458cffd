// The engine's own errors have the media type and the schema that the contract declares.
import { writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createLog, readSettings, startService } from '@stubwright/service';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { fetchHandler } from '../src/fetch.ts';
import { type ApiOptions, createApi, Problem } from '../src/index.ts';
import { loadedContract, objectSchema as object } from './support/contract.ts';

/** @param responses the responses of GET /toys/{id}, as YAML in flow style */
const contractOf = (responses: string) =>
  loadedContract(`
components:
  responses:
    Missing: {description: missing, content: {application/json: {schema: {type: object, required: [code, message], properties: {code: {type: integer, format: int32}, message: {type: string}}}}}}
paths:
  /toys/{id}:
    get:
      operationId: getToy
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: ok}, ${responses}}
`);

const json = (schema: string, type = 'application/json') =>
  `{description: error, content: {${type}: {schema: ${schema}}}}`;

/** The errors that did not change a response. */
const reported: string[] = [];

async function errorOf(responses: string, path = '/toys/x', options: Partial<ApiOptions> = {}) {
  const api = await createApi({
    contract: contractOf(responses),
    handlers: { getToy: async () => ({ status: 200 }) },
    ...options,
  });
  api.events.on('internalError', ({ message }) => reported.push(message));
  const response = await fetchHandler(api)(new Request(`http://t${path}`));
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    headers: response.headers,
    text,
    body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
  };
}

const JSON_TYPE = 'application/json';
const DETAIL = 'path parameter id expected integer';
const DETAILS = { type: 'about:blank', title: 'Bad Request', status: 400, detail: DETAIL };
const VIOLATION = { in: 'path', rule: 'type', expected: 'integer' };
const ERRORS = [{ detail: 'expected integer', pointer: '#/id', ...VIOLATION }];
const WITH_ERRORS = { ...DETAILS, errors: ERRORS };
const NUMBERED = { error: 40000, message: DETAIL };
const CLOSED = 'additionalProperties: false,';
const PROBLEM =
  'type: {type: string, format: uri-reference}, title: string, status: integer, detail: string';
const REQUIRED = 'required: [title, status],';
const problem = (more = REQUIRED) => object(PROBLEM, more);
const DETAILS_TYPE = 'application/problem+json';
const ITEM = object('detail: string, pointer: string', 'required: [detail],');
const CODE = 'code: integer, message: string';

describe('a 400', () => {
  it.each<[response: string, body: unknown, sent?: string, declared?: string]>([
    [problem(), DETAILS],
    [problem(), DETAILS, DETAILS_TYPE, DETAILS_TYPE],
    [problem(REQUIRED + CLOSED), DETAILS],
    ['{}', WITH_ERRORS],
    ['{}', WITH_ERRORS, DETAILS_TYPE, "'*/*'"],
    [object('error: integer, message: string', 'required: [error, message],'), NUMBERED],
    [
      object(`detail: string, errors: {type: array, items: ${ITEM}}`),
      { detail: DETAIL, errors: [{ detail: 'expected integer', pointer: '#/id' }] },
    ],
    // The errors have another type.
    [object('detail: string, errors: {type: array, items: {type: string}}'), { detail: DETAIL }],
    [object(`${CODE}, requestId: string`), { code: 400, message: DETAIL }],
    [object('code: {enum: [A, B]}, message: string'), { message: DETAIL }],
    [
      object('statusCode: integer, error: string, message: string'),
      { statusCode: 400, error: 'Bad Request', message: DETAIL },
    ],
    // Two properties for the message.
    [
      object('status: integer, message: string, description: string'),
      { status: 400, message: DETAIL },
    ],
    ...['message', 'detail', 'error_description', 'msg', 'reason'].map(
      (name): [string, unknown] => [object(`${name}: string`), { [name]: DETAIL }],
    ),
    [object('status: integer, reason: string'), { status: 400, reason: DETAIL }],
    // No property for the message.
    [
      object('status: integer, title: string'),
      { status: 400, title: 'Bad Request', detail: DETAIL, errors: ERRORS },
    ],
    [
      object(
        `errors: {type: array, minItems: 1, items: ${object('statusCode: string, description: string, kind: {enum: [bad, worse]}', 'required: [statusCode, description, kind],')}}`,
        `${CLOSED} required: [errors],`,
      ),
      { errors: [{ statusCode: '400', description: DETAIL, kind: 'bad' }] },
    ],
    // The message is too long.
    [
      object('text: {type: string, maxLength: 3, example: bad}', `${CLOSED} required: [text],`),
      { text: '' },
    ],
    ['{type: string}', DETAIL, 'text/plain', 'text/plain'],
    // No input of the client.
    ['{type: string}', 'Bad Request', 'text/html', 'text/html'],
    [
      object(`error: ${object(CODE)}`, 'xml: {name: fault},'),
      expect.stringContaining(`<error><code>400</code><message>${DETAIL}</message></error>`),
      'application/xml',
      'application/xml',
    ],
    [
      object('detail: string', 'required: [detail], xml: {name: problem},'),
      expect.stringContaining(`<detail>${DETAIL}</detail>`),
      'application/problem+xml',
      'application/problem+xml',
    ],
  ])(
    'is sent as declared: %s',
    async (schema, ...[body, sent = JSON_TYPE, declared = JSON_TYPE]) => {
      for (const status of ["'400'", '4XX', 'default']) {
        const error = await errorOf(`${status}: ${json(schema, declared)}`);
        expect([error.status, error.type, error.body]).toEqual([400, sent, body]);
      }
    },
  );

  it.each([
    ["'404': {description: x}", WITH_ERRORS],
    [
      "'400': {description: x, content: {application/json: {}, application/problem+json: {}}}",
      WITH_ERRORS,
    ],
  ])('has problem details with %s', async (responses, body) => {
    const error = await errorOf(responses);
    expect([error.status, error.type, error.body]).toEqual([400, DETAILS_TYPE, body]);
  });

  it('has the format of the application where the contract allows it', async () => {
    const errors = ({ message }: Problem) => ({ why: message });
    const own = await errorOf("'404': {description: x}", undefined, { errors });
    expect([own.type, own.body]).toEqual(['application/json', { why: DETAIL }]);
    const declared = `'400': ${json('{type: object, required: [title]}')}`;
    expect((await errorOf(declared, '/toys/x', { errors })).body).toEqual(WITH_ERRORS);
    const numbered = await errorOf("'404': {description: x}", '/toys/x', { errors: 'numbered' });
    expect(numbered.body).toEqual(NUMBERED);
  });
});

const failing = (message: string) => () => {
  throw new Error(message);
};

it.each<[string, Partial<ApiOptions>, string]>([
  ['a formatter that throws', { errors: failing('no format') }, DETAIL],
  ['a formatter that returns undefined', { errors: () => undefined }, DETAIL],
  [
    'a mapping that throws',
    { handlers: { getToy: failing('a defect') }, toProblem: failing('no mapping') },
    'internal error',
  ],
])('%s does not prevent a response', async (name, options, detail) => {
  const path = options.handlers === undefined ? '/toys/x' : '/toys/1';
  const sent = await errorOf("'404': {description: x}", path, options);
  expect(sent.body.detail).toBe(detail);
  const [error = ''] = reported.splice(0);
  expect(error).toMatch(/throws/.test(name) ? /^no (?:format|mapping)$/ : /^$/);
});

it('a declared response without content has no body', async () => {
  const sent = await errorOf("'400': {description: x}");
  expect([sent.status, sent.type, sent.text]).toEqual([400, null, '']);
});

it('a problem of a handler keeps its members', async () => {
  const { body } = await errorOf("'404': {description: x}", '/toys/1', {
    handlers: {
      getToy() {
        throw new Problem(409, 'taken', {
          type: 'https://example.com/taken',
          title: 'Taken',
          members: { by: 9007199254740993n },
        });
      },
    },
  });
  expect(body).toMatchObject({ type: 'https://example.com/taken', title: 'Taken', status: 409 });
});

describe('the violations of a 400', () => {
  const contract = loadedContract(`
paths:
  /toys/{id}:
    put:
      operationId: putToy
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer, format: int32}}
        - {name: a/b, in: query, schema: {type: array, maxItems: 1, items: {type: boolean}}}
        - {name: X-Day, in: header, required: true, schema: {type: string}}
        - {name: theme, in: cookie, schema: {enum: [dark, light]}}
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                name: {type: string, minLength: 2, pattern: '^[a-z]*$'}
                parts: {type: array, items: {type: object, additionalProperties: false, properties: {n: {type: integer, maximum: 9}}}}
          multipart/form-data:
            schema: {type: object, properties: {photo: {type: string, format: binary}}}
            encoding: {photo: {contentType: image/png}}
      responses: {'200': {description: ok}}
`);

  async function violationsOf(path: string, init: RequestInit = {}) {
    const api = await createApi({
      contract,
      handlers: { putToy: () => ({ status: 200 }) },
      errors: ({ violations }) => violations,
    });
    const headers = { 'X-Day': 'a', 'Content-Type': 'application/json', ...init.headers };
    const request = new Request(`http://t${path}`, { method: 'PUT', ...init, headers });
    return (await fetchHandler(api)(request)).json();
  }

  it('have the parameter, the pointer, the rule and the expectation', async () => {
    const headers = { 'X-Day': '', Cookie: 'theme=x' };
    expect(await violationsOf('/toys/1.5?a/b=1&a/b=true&c=2', { headers })).toEqual([
      { in: 'path', pointer: '/id', rule: 'format', expected: 'an int32 integer' },
      {
        in: 'query',
        pointer: '/a~1b',
        rule: 'maxItems',
        expected: 'to NOT have more than 1 items',
      },
      { in: 'query', pointer: '/a~1b/0', rule: 'type', expected: 'boolean' },
      { in: 'cookie', pointer: '/theme', rule: 'enum', expected: 'one of ["dark","light"]' },
      { in: 'query', pointer: '/c', rule: 'additionalProperties', expected: 'no such name' },
    ]);
  });

  it.each([
    [{}, ['/name', 'required', 'a value']],
    [{ name: 'a' }, ['/name', 'minLength', 'to NOT have fewer than 2 characters']],
    [{ name: 'AB' }, ['/name', 'pattern', 'to match pattern "^[a-z]*$"']],
    [[], ['', 'type', 'object']],
    [{ name: 'ab', parts: [{}, { n: 10 }] }, ['/parts/1/n', 'maximum', 'to be <= 9']],
    [{ name: 'ab', parts: [{ m: 1 }] }, ['/parts/0/m', 'additionalProperties', 'no such name']],
  ])('name the part of the body %j', async (body, [pointer, rule, expected]) => {
    const found = await violationsOf('/toys/1', { body: JSON.stringify(body) });
    expect(found).toEqual([{ in: 'body', pointer, rule, expected }]);
  });

  it('name the part of a form', async () => {
    const body =
      '--b\r\nContent-Disposition: form-data; name="photo"\r\nContent-Type: a/b\r\n\r\nx\r\n--b--\r\n';
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const expected = 'Content-Type image/png';
    expect(await violationsOf('/toys/1', { body, headers })).toEqual([
      { in: 'body', pointer: '/photo', rule: 'contentType', expected },
    ]);
  });

  it('are at most 50', async () => {
    const parts = Array.from({ length: 200 }, () => ({ m: 1 }));
    const body = JSON.stringify({ name: 'ab', parts });
    expect(await violationsOf('/toys/1', { body })).toHaveLength(50);
  });

  it('are empty for other errors, and those of a handler for its own', async () => {
    expect(await violationsOf('/toys/1', { body: '{' })).toEqual([]);
    const violations = [
      { in: 'body', pointer: '/é#', rule: 'taken', expected: 'another name' },
    ] as const;
    const { text } = await errorOf("'404': {description: x}", '/toys/1', {
      handlers: {
        getToy: () => {
          throw new Problem(422, 'taken', { violations });
        },
      },
    });
    const detail = 'expected another name';
    expect(JSON.parse(text).errors).toEqual([{ ...violations[0], detail, pointer: '#/%C3%A9%23' }]);
  });
});

it('a status outside of 400 to 599 is not a problem', () => {
  expect(() => new Problem(200, 'fine')).toThrow('expected a status from 400 to 599');
  expect(() => new Problem(40401, 'a number')).toThrow('expected a status from 400 to 599');
  expect(() => new Problem(404, 'x', { number: 40901 })).toThrow('expected 40400 to 40499');
});

it('an unknown path has the response that most operations declare for 404', async () => {
  const sent = await errorOf("'404': {$ref: '#/components/responses/Missing'}", '/nowhere');
  expect([sent.type, sent.body]).toEqual([
    'application/json',
    { code: 404, message: 'no such path' },
  ]);
  const text = await errorOf(`'404': ${json('{type: string}', 'text/plain')}`, '/nowhere');
  expect([text.type, text.body]).toEqual(['text/plain', 'no such path']);
});

it('a mock sends the required headers of a declared error', async () => {
  const response =
    '{description: x, headers: {X-Trace: {required: true, schema: {type: string, minLength: 3}}}, content: {application/json: {schema: {}}}}';
  const mocked = await errorOf(`'400': ${response}`, '/toys/x', { mock: 'all', handlers: {} });
  expect([mocked.status, mocked.headers.get('x-trace')?.length]).toEqual([400, expect.any(Number)]);
  const handled = await errorOf(`'400': ${response}`);
  expect(handled.headers.get('x-trace')).toBeNull();
});

describe('a service', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const ERROR =
    '{type: object, required: [code, message], additionalProperties: false, properties: {code: {type: integer}, message: {type: string}}}';
  const start = (responses: string, env: Record<string, string>) => {
    const path = join(folder.path, 'openapi.json');
    writeFileSync(path, JSON.stringify(contractOf(responses).definition.document));
    return startService({
      settings: readSettings({ PORT: '0', LAG_LIMIT: '60000', CONTRACT: path, ...env }),
      tokens: ['t'],
      log: createLog('silent'),
      handlers: { getToy: async () => ({ status: 200 }) },
      open: async () => ({
        services: undefined,
        store: { isReady: async () => true, waiting: 1, close: async () => {} },
      }),
      bounds: { settleMs: 20, lingerMs: 100 },
    });
  };

  it('sends load shedding and malformed HTTP as declared', async () => {
    const service = await start(`default: ${json(ERROR)}`, { QUEUE_LIMIT: '1' });
    const shed = await fetch(`${service.url}/toys/1`);
    expect([shed.status, shed.headers.get('retry-after'), await shed.json()]).toEqual([
      503,
      '1',
      { code: 503, message: expect.stringContaining('more requests are waiting') },
    ]);
    await service.serve(contractOf(`default: ${json('{type: string}', 'text/plain')}`));
    const { port } = new URL(service.url);
    const socket = createConnection(Number(port), '127.0.0.1');
    socket.write('NOT HTTP\r\n\r\n');
    const response = await textOf(socket);
    expect(response).toContain('HTTP/1.1 400 Bad Request\r\n');
    expect(response).toContain('Content-Type: text/plain\r\n');
    expect(response).toMatch(/\r\n\r\nexpected an HTTP\/1.1 request$/);
    await service.stop();
  });
});
