import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { loadContractFiles } from '@stubwright/cli/loader';
import { Contents, Contract } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { FIGMA, GITHUB, itWith } from '@stubwright/test-support/publicContracts';
import {
  type LogLine,
  serveDefinition,
  serveToy,
  type Toy,
  type ToyOptions,
} from '@stubwright/test-support/toy';
import type { HandlersOf } from 'stubwright';
import { Replies } from 'stubwright/internals';
import { parse } from 'yaml';
import { InvalidMock, mocked } from '../src/mocked.ts';
import {
  isDynamic,
  isSelected,
  MockReplies,
  parsePrefer,
  selectMediaType,
} from '../src/replies/mockReplies.ts';
import { Samples } from '../src/sampling/sample.ts';

let toy: Toy;

const PATHS = `
components:
  securitySchemes: {bearer: {type: http, scheme: bearer}, mtls: {type: mutualTLS}}
paths:
  /made/{id}:
    get:
      operationId: made
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        '201':
          description: ok
          headers: {X-Id: {required: true, schema: {type: string, format: uuid}}}
          content:
            application/json:
              schema:
                type: array
                minItems: 2
                items: {type: object, required: [id, mail], properties: {id: {type: integer, format: int64, minimum: 9007199254740993}, mail: {type: string, format: email}}}
  /empty: {delete: {operationId: empty, responses: {'204': {description: ok}}}}
  /default: {get: {operationId: default, responses: {default: {description: ok, content: {application/octet-stream: {}}}}}}
  /secured: {get: {operationId: secured, security: [{bearer: [admin]}], responses: {'204': {description: ok}}}}
  /mtls: {get: {operationId: mtls, security: [{mtls: []}], responses: {'204': {description: ok}}}}
`;

beforeAll(async () => {
  toy = await serveToy('3.1.0', PATHS, { mock: 'all' });
});
afterAll(() => toy.close());

const get = (path: string, headers: Record<string, string> = {}) => toy.fetch(path, { headers });

describe('a mock', () => {
  it('generates a valid, deterministic response from the schema, with its required headers', async () => {
    const first = await get('/made/1');
    const again = await get('/made/1');
    expect(first.status).toBe(201);
    expect(first.headers.get('x-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.text).toMatch(/^\[\{"id":\d{16,19},"mail":"[^"]+@[^"]+"\}/);
    expect(again.text).toBe(first.text);
  });

  it('validates requests', async () => {
    expect((await get('/made/x')).status).toBe(400);
  });

  it.each([
    ['DELETE', '/empty', 204],
    ['GET', '/default', 200],
    ['GET', '/mtls', 204],
  ])('returns for %s %s %i', async (method, path, status) => {
    expect((await toy.fetch(path, { method })).status).toBe(status);
  });

  it('checks only the presence and the form of credentials', async () => {
    expect((await get('/secured')).status).toBe(401);
    expect((await get('/secured', { Authorization: 'Bearer' })).status).toBe(401);
    expect((await get('/secured', { Authorization: 'Basic eDp5' })).status).toBe(401);
    expect((await get('/secured', { Authorization: 'Bearer any' })).status).toBe(204);
  });
});

describe('an operation marked mocked', () => {
  it('compiles, and is mocked without MOCK', async () => {
    type Contract = {
      a: { responses: { 204: { content?: never } } };
      b: { responses: { 204: { content?: never } } };
    };
    const handlers: HandlersOf<Contract, null> = { a: mocked, b: () => ({ status: 204 }) };
    expect(Object.keys(handlers)).toEqual(['a', 'b']);
    const own = await serveToy(
      '3.0.3',
      "paths: {/a: {get: {operationId: a, responses: {'200': {description: ok, content: {application/json: {example: {n: 1}}}}}}}}",
      { handlers: { a: mocked } },
    );
    expect(await own.fetch('/a')).toMatchObject({ status: 200, text: '{"n":1}' });
    await own.close();
  });
});

const toys: Toy[] = [];

afterEach(async () => {
  await Promise.all(toys.splice(0).map((toy) => toy.close()));
});

async function serve(yaml: string, options: ToyOptions = {}): Promise<Toy> {
  const toy = await serveToy('3.0.3', yaml, { mock: 'all', ...options });
  toys.push(toy);
  return toy;
}

/** A contract with one operation, `GET /toy`, and these responses. */
async function answering(responses: string) {
  const toy = await serve(
    `paths:\n  /toy:\n    get:\n      operationId: getToy\n      responses:\n${responses}`,
  );
  return async (headers: Record<string, string> = {}, path = '/toy') => {
    const { status, text, headers: answered } = await toy.fetch(path, { headers });
    return {
      status,
      text,
      type: answered.get('Content-Type'),
      header: (name: string) => answered.get(name),
    };
  };
}

const json = (schema: string, more = '') =>
  `{description: d, content: {application/json: {schema: ${schema}${more}}}}`;
const NAMED = json(
  '{type: string, maxLength: 5}',
  `, examples: {long: {value: too long}, a: {value: first}, b: {$ref: '#/components/examples/b'}}`,
);
const EXAMPLES = '\ncomponents: {examples: {b: {value: other}}}';

describe('an answer', () => {
  it('is the first example that matches the schema', async () => {
    const get = await answering(`        '200': ${NAMED}${EXAMPLES}`);
    expect(await get()).toMatchObject({ status: 200, type: 'application/json', text: '"first"' });
  });

  it('is a sample of the schema when no example matches it', async () => {
    const schema =
      "{type: object, required: [id, code], properties: {id: {type: integer, format: int64}, code: {type: string, pattern: '^[A-Z]{3}$'}}}";
    const get = await answering(`        '200': ${json(schema, ', example: {id: 1}')}`);
    const { text } = await get();
    expect(JSON.parse(text)).toEqual({
      id: expect.any(Number),
      code: expect.stringMatching(/^[A-Z]{3}$/),
    });
  });

  it('is deterministic for a request, with GET and HEAD alike, and varies between requests', async () => {
    const get = await answering(
      `        '200': ${json('{type: array, minItems: 9, items: {type: integer}}')}`,
    );
    const { text } = await get();
    expect((await get()).text).toBe(text);
    const toy = toys[0]!;
    const head = await toy.fetch('/toy', { method: 'HEAD' });
    expect(head.headers.get('Content-Length')).toBe(String(text.length));
  });

  it.each([
    ["'404': @, '201': @, '202': @", 201],
    ["'404': @, 2XX: @", 200],
    ["'400': @, default: @", 200],
    ["'302': @, default: @", 302],
    ["'404': @, '410': @", 404],
    ['4XX: @', 400],
    ["'204': {description: none}, '404': @", 204],
  ])('of %s is that of %d', async (responses, status) => {
    const get = await answering(`        {${responses.replaceAll('@', json('{}'))}}`);
    expect((await get()).status).toBe(status);
  });

  it('has the required headers, and those with an example, but none of the server', async () => {
    const headers = `headers: {X-Limit: {required: true, schema: {type: integer, minimum: 7, maximum: 7}}, X-Shown: {schema: {type: string}, examples: {a: {value: shown}, b: {value: other}}}, X-Broken: {required: true, schema: {type: string, maxLength: 3}, example: too long}, X-Optional: {schema: {type: string}}, Content-Length: {schema: {type: integer}, example: 1}}`;
    const get = await answering(`        '200': {description: d, ${headers}}`);
    const { status, header } = await get();
    expect([status, header('X-Limit'), header('X-Shown'), header('X-Optional')]).toEqual([
      200,
      '7',
      'shown',
      null,
    ]);
    expect(header('X-Broken')!.length).toBeLessThan(4);
  });

  it.each([
    ['text/plain: {schema: {type: string, enum: [words]}}', 'text/plain', 'words'],
    ['text/csv: {example: "a,b"}', 'text/csv', 'a,b'],
    ["'text/*': {schema: {type: string, enum: [words]}}", 'text/plain', 'words'],
    ["'*/*': {schema: {type: integer, enum: [3]}}", 'application/json', '3'],
    [
      'application/xml: {schema: {type: object}}',
      'application/xml',
      '<?xml version="1.0" encoding="UTF-8"?>\n<root/>',
    ],
    ['application/json: {}', 'application/json', '{}'],
    [
      'application/problem+json: {schema: {type: boolean, enum: [true]}}',
      'application/problem+json',
      'true',
    ],
  ])('of %s is %s', async (content, type, text) => {
    const get = await answering(`        '200': {description: d, content: {${content}}}`);
    expect(await get()).toMatchObject({ status: 200, type, text });
  });

  it('has the media type of Accept, or JSON by default', async () => {
    const content =
      'text/plain: {example: words}, application/json: {example: 1}, text/html: {example: <p>}';
    const get = await answering(`        '200': {description: d, content: {${content}}}`);
    expect((await get()).text).toBe('1');
    expect((await get({ Accept: 'text/html' })).text).toBe('<p>');
    expect((await get({ Accept: 'text/html;q=0.5, text/plain;q=0.9' })).text).toBe('words');
    expect((await get({ Accept: 'text/*' })).text).toBe('words');
    expect((await get({ Accept: 'image/png, */*;q=0.1' })).text).toBe('1');
  });

  it('is reported as an invalid mock when the schema has no valid value', async () => {
    const get = await answering(
      `        '200': ${json('{type: integer, minimum: 2, maximum: 1}')}`,
    );
    for (const { status, text, header } of [await get(), await get()]) {
      expect([status, typeof JSON.parse(text)]).toEqual([200, 'number']);
      expect(header('Mock-Violation')).toMatch(/^expected to be [<>]= \d$/);
    }
  });

  it('is the written example as an invalid mock', async () => {
    const get = await answering(
      `        '200': {description: d, content: {application/json: {example: [1, ü], schema: {not: {}}}}}`,
    );
    const { text, header } = await get();
    expect([text, header('Mock-Violation')]).toEqual(['[1,"ü"]', 'expected to NOT be valid']);
  });

  it('has no body as an invalid mock for a header that no value satisfies', async () => {
    const get = await answering(
      `        '204': {description: d, headers: {X-A: {required: true, schema: {not: {}}}}}`,
    );
    const { status, text, header } = await get();
    expect([status, text]).toEqual([204, '']);
    expect(header('Mock-Violation')).toContain('no valid value was found');
  });

  it('is the cause of the response where it is an invalid mock', async () => {
    const definition = new Contract(
      parse(`openapi: 3.1.0
paths: {/a: {get: {responses: {'200': {description: d, content: {text/plain: {schema: false}}}}}}}`),
    );
    const lines: LogLine[] = [];
    const { close, fetch } = await serveDefinition(definition, {
      mock: 'all',
      handlers: {},
      onLog: (line) => lines.push(line),
    });
    expect(await fetch('/a')).toMatchObject({ status: 200 });
    await close();
    expect(lines.filter(({ status }) => status !== undefined)).toMatchObject([
      { status: 200, err: { message: expect.stringContaining('getA: ') } },
    ]);
  });
});

describe('a request from another origin', () => {
  const PAGE = { Origin: 'https://page.example' };
  const CONTRACT = `
paths:
  /mocked: {put: {operationId: open, responses: {'200': {description: d, headers: {X-A: {required: true, schema: {enum: [a]}}}}}}}
  /handled: {put: {operationId: handled, responses: {'204': {description: d}}}}
`;
  const preflight = {
    ...PAGE,
    'Access-Control-Request-Method': 'PUT',
    'Access-Control-Request-Headers': 'authorization, x-a',
  };

  it('may use a mocked operation', async () => {
    const { fetch } = await serve(CONTRACT, { mock: 'all' });
    const asked = await fetch('/mocked', { method: 'OPTIONS', headers: preflight });
    expect([asked.status, Object.fromEntries(asked.headers)]).toMatchObject([
      204,
      {
        'access-control-allow-origin': 'https://page.example',
        'access-control-allow-methods': 'PUT',
        'access-control-allow-headers': 'authorization, x-a',
        vary: 'Origin',
      },
    ]);
    const answered = await fetch('/mocked', { method: 'PUT', headers: PAGE });
    expect(answered.headers.get('access-control-allow-origin')).toBe('https://page.example');
    expect(answered.headers.get('access-control-expose-headers')).toContain('X-A');
    const refused = await fetch('/nowhere', { headers: PAGE });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      404,
      'https://page.example',
    ]);
  });

  it('may not use an operation with a handler', async () => {
    const { fetch } = await serve(CONTRACT, { mock: 'missing', handlers: { open: mocked } });
    const origins = ['/mocked', '/handled', '/nowhere'].map(async (path) => {
      const { headers } = await fetch(path, { method: 'OPTIONS', headers: preflight });
      return headers.get('access-control-allow-origin');
    });
    expect(await Promise.all(origins)).toEqual(['https://page.example', null, null]);
  });

  it('gets no such header without an Origin', async () => {
    const { fetch } = await serve(CONTRACT, { mock: 'all' });
    const { headers } = await fetch('/mocked', { method: 'PUT' });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('Prefer', () => {
  const RESPONSES = `        '200': ${NAMED}\n        '404': ${json('{type: string, enum: [gone]}', ', examples: {a: {value: gone}}')}\n        4XX: ${json('{oneOf: [{type: string, enum: [range]}, {type: object}]}', ', example: range')}${EXAMPLES}`;

  it.each([
    ['code=404', 404, '"gone"'],
    ['code="404"', 404, '"gone"'],
    ['Code=404; because=why', 404, '"gone"'],
    ['respond-async, code=404, code=200', 404, '"gone"'],
    ['code=418', 418, '"range"'],
    ['example=b', 200, '"other"'],
    ['example="b"', 200, '"other"'],
    ['example=a, code=404', 404, '"gone"'],
    ['wait=1', 200, '"first"'],
  ])('%s gets %d', async (prefer, status, text) => {
    const get = await answering(RESPONSES);
    expect(await get({ Prefer: prefer })).toMatchObject({ status, text });
  });

  it.each([
    ['code=500', 'Prefer: code=500 is not declared, expected one of 200, 404, 4XX'],
    ['code=abc', 'Prefer: code=abc is not declared, expected one of 200, 404, 4XX'],
    ['example=c', 'Prefer: example=c is not declared, expected one of long, a, b'],
    ['example=b, code=404', 'Prefer: example=b is not declared, expected one of a'],
  ])('%s gets a 404 that differs from the declared one', async (prefer, message) => {
    const get = await answering(RESPONSES);
    const { status, text } = await get({ Prefer: prefer });
    expect([status, JSON.parse(text)]).toEqual([404, { error: 40402, message }]);
  });

  it('of an example that violates its schema is an error of the contract: 500', async () => {
    const get = await answering(RESPONSES);
    const { status, text } = await get({ Prefer: 'example=long' });
    expect([status, JSON.parse(text).message]).toEqual([
      500,
      expect.stringContaining('example long violates'),
    ]);
  });
});

describe('credentials of a mocked operation', () => {
  it('for HTTP basic have a colon', async () => {
    const { fetch } = await serve(`
security: [{basic: []}]
components: {securitySchemes: {basic: {type: http, scheme: basic}}}
paths: {/toy: {get: {operationId: getToy, responses: {'204': {description: none}}}}}
`);
    const statusFor = async (text: string) =>
      (await fetch('/toy', { headers: { Authorization: `Basic ${btoa(text)}` } })).status;
    expect(await Promise.all(['a:b', 'ab'].map(statusFor))).toEqual([204, 401]);
  });
});

describe.each([
  ['GitHub', GITHUB, 3437],
  ['Figma', FIGMA, 307],
] as const)('the contract of %s', (_, path, declared) => {
  itWith(path)(
    'has a mock of every declared answer that the reply writer takes',
    async () => {
      const { definition } = await loadContractFiles(path);
      const validators = new Validators(definition, 'response');
      const mocks = new MockReplies(validators, new Samples(validators));
      const replies = new Replies(definition, validators);
      const answers = definition.operations.flatMap((operation) =>
        [...operation.responses.keys()].map((key) => {
          const code = key === 'default' ? '500' : key;
          const request = { prefer: `code=${code}`, accept: '', seed: operation.path };
          const reply = mocks.reply(operation, request);
          return (
            !(reply instanceof InvalidMock) &&
            replies.of(operation).serialize(reply).status === Number(code)
          );
        }),
      );
      expect([answers.length, answers.every(Boolean)]).toEqual([declared, true]);
    },
    60_000,
  );
});

describe('the header Accept', () => {
  const keys = ['text/plain', 'application/json', 'image/*', 'text/html; level=1', 'audio/*'];
  const contents = new Contents(keys.map((key) => [key, key]));

  it.each<[accept: string, key: string | undefined, type?: string]>([
    ['', 'application/json'],
    ['no range', 'application/json'],
    ['*/*', 'application/json'],
    ['text/plain', 'text/plain'],
    ['TEXT/plain', 'text/plain'],
    ['text/*', 'text/plain'],
    ['text/html', 'text/html; level=1'],
    ['text/html; level=1', 'text/html; level=1'],
    ['text/html; level=2', undefined],
    ['application/json; charset=utf-8', 'application/json'],
    ['image/gif', 'image/*', 'image/gif'],
    ['image/*', 'image/*', 'image/png'],
    ['audio/*', 'audio/*', 'audio/octet-stream'],
    ['video/*', undefined],
    ['video/*, text/plain;q=0.1', 'text/plain'],
    ['text/plain;q=0.5, text/html;q=0.6', 'text/html; level=1'],
    ['text/plain;q=0.6 , text/html;Q=0.5', 'text/plain'],
    ['*/*, text/plain', 'text/plain'],
    ['text/plain;q=0', undefined],
    ['text/*;q=0, */*', 'application/json'],
    ['application/json;q=0, */*', 'text/plain'],
    ['image/gif;q=0, image/*', 'image/*', 'image/png'],
    ['image/png;q=0, image/*', undefined],
    ['text/plain;q=-1', 'application/json'],
    ['text/plain;q=a, image/gif', 'image/*', 'image/gif'],
    ['text/plain;a="b,image/gif,c"', 'text/plain'],
  ])('%j selects %s', (accept, ...[key, type = key]) => {
    const selected = selectMediaType(accept, contents);
    expect(selected).toEqual(key === undefined ? undefined : { key, type });
  });

  it.each([
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['text/*', 'text/plain'],
    ['image/*', 'image/png'],
    ['video/*', 'video/octet-stream'],
  ])('selects of the range %s the type %s', (key, type) => {
    expect(selectMediaType('', new Contents([[key, 1]]))).toEqual({ key, type });
  });
});

describe('examples of a request and its responses', () => {
  const PAIRED = `
paths:
  /toys/{id}:
    get:
      operationId: getToy
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer, format: int64}, examples: {bear: {value: 1}, robot: {value: 9007199254740992}, lost: {value: 404}, both: {value: 5}}}
        - {name: q, in: query, schema: {type: string}, examples: {both: {value: x}}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {type: object}, examples: {first: {value: {n: 0}}, bear: {value: {n: 1}}, robot: {value: {n: 2}}, both: {value: {n: 5}}}}}}
        '404': {description: lost, content: {application/json: {schema: {type: object}, examples: {lost: {value: {n: 404}}, bear: {value: {n: 405}}}}}}
  /toys:
    post:
      operationId: storeToy
      requestBody: {content: {application/json: {schema: {type: object, required: [name]}, examples: {bear: {value: {name: Bear, tags: [a]}}, 'a "b"': {value: {name: Quoted}}, wrong: {value: {name: Wrong}}}}}}
      responses:
        '201': {description: ok, content: {application/json: {schema: {type: object, properties: {n: {type: integer}}}, examples: {first: {value: {n: 0}}, bear: {value: {n: 1}}, 'a "b"': {value: {n: 2}}, wrong: {value: {n: x}}}}}}
`;
  let paired: Toy;
  let lenient: Toy;
  beforeAll(async () => {
    paired = await serveToy('3.1.0', PAIRED, { mock: 'all' });
    const mockOptions = { validatesRequests: false };
    lenient = await serveToy('3.1.0', PAIRED, { mock: 'all', mockOptions });
  });
  afterAll(() => Promise.all([paired.close(), lenient.close()]));

  it.each([
    ['/toys/1', 200, 1],
    ['/toys/9007199254740992', 200, 2],
    ['/toys/9007199254740993', 200, 0],
    ['/toys/404', 404, 404],
    ['/toys/5', 200, 0],
    ['/toys/5?q=x', 200, 5],
    ['/toys/1?__example=both', 200, 5],
    ['/toys/1?__code=404', 404, 404],
  ])('belong together by their name: GET %s', async (path, status, n) => {
    const response = await paired.fetch(path);
    expect([response.status, response.text]).toEqual([status, JSON.stringify({ n })]);
  });

  const post = (toy: Toy, body: string) =>
    toy.fetch('/toys', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });

  it.each([
    ['{"tags":["a"],"name":"Bear"}', 1],
    ['{"name":"Quoted"}', 2],
    ['{"name":"Wrong"}', 0],
    ['{"name":"Other"}', 0],
  ])('belong together by their name: POST %s', async (body, n) => {
    expect(await post(paired, body)).toMatchObject({ status: 201, text: JSON.stringify({ n }) });
  });

  it('are sent to requests that violate the contract, if these are not validated', async () => {
    expect((await post(paired, '{}')).status).toBe(400);
    expect((await paired.fetch('/toys/x')).status).toBe(400);
    expect(await post(lenient, '{}')).toMatchObject({ status: 201, text: '{"n":0}' });
    expect(await lenient.fetch('/toys/x?q=1&z=2')).toMatchObject({ status: 200, text: '{"n":0}' });
    expect((await post(lenient, '{')).status).toBe(400);
    expect((await lenient.fetch('/toys/404')).status).toBe(404);
  });

  it('are not sent to a request that prefers a generated body, or another media type', async () => {
    const dynamic = await paired.fetch('/toys/1', { headers: { Prefer: 'dynamic' } });
    expect(dynamic).toMatchObject({ status: 200, text: '{}' });
    const other = await paired.fetch('/toys/1', { headers: { Accept: 'text/plain' } });
    expect(other.status).toBe(406);
  });

  it('of the usual status come before those of others', async () => {
    const bear = (n: number) =>
      `content: {application/json: {schema: {type: object}, examples: {bear: {value: {n: ${n}}}}}}`;
    const ranges = await serveToy(
      '3.1.0',
      `
paths:
  /toys/{id}:
    get:
      operationId: getToy
      parameters: [{name: id, in: path, required: true, schema: {type: string}, examples: {bear: {value: bear}}}]
      responses: {4XX: {description: lost, ${bear(4)}}, 2XX: {description: ok, ${bear(2)}}}
`,
      { mock: 'all' },
    );
    const { status, text } = await ranges.fetch('/toys/bear');
    await ranges.close();
    expect([status, text]).toEqual([200, '{"n":2}']);
  });

  it('without validation does not concern operations with a handler', async () => {
    const handled = await serveToy('3.1.0', PAIRED, {
      ...{ mock: 'missing', mockOptions: { validatesRequests: false } },
      handlers: { getToy: mocked, storeToy: () => ({ status: 201, body: {} }) },
    });
    const statuses = [
      (await post(handled, '{}')).status,
      (await post(handled, '{"name":"Bear"}')).status,
      (await handled.fetch('/toys/x')).status,
    ];
    await handled.close();
    expect(statuses).toEqual([400, 201, 200]);
  });

  it('without validation are sent for a sequence with an invalid item', async () => {
    const paths = `
paths:
  /lines:
    post:
      operationId: addLines
      requestBody: {content: {application/jsonl: {itemSchema: {type: integer}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {const: read}}}}}
`;
    const send = (each: Toy, body: string) =>
      each.fetch('/lines', {
        ...{ method: 'POST', headers: { 'Content-Type': 'application/jsonl' }, body },
      });
    const strict = await serveToy('3.2.0', paths, { mock: 'all' });
    const mockOptions = { validatesRequests: false };
    const any = await serveToy('3.2.0', paths, { mock: 'all', mockOptions });
    try {
      expect((await send(strict, '1\n"x"\n')).status).toBe(400);
      expect(await send(any, '1\n"x"\n')).toMatchObject({ status: 200, text: '"read"' });
      expect((await send(any, '1\n{\n')).status).toBe(400);
    } finally {
      await Promise.all([strict.close(), any.close()]);
    }
  });

  it.each([
    ['default', '500', 501],
    ['4XX', '400', 401],
    ['5xx', "'501'", 500],
  ])(
    'of the range %s have a status of it that %s does not declare',
    async (range, taken, status) => {
      const content = (value: object) =>
        `content: {application/json: {schema: {type: object}, examples: ${JSON.stringify(value)}}}`;
      const ranged = await serveToy(
        '3.1.0',
        `
paths:
  /toys/{id}:
    get:
      operationId: getToy
      parameters: [{name: id, in: path, required: true, schema: {type: string}, examples: {lost: {value: lost}}}]
      responses:
        '200': {description: ok, ${content({ first: { value: { n: 0 } } })}}
        ${taken}: {description: own, ${content({ other: { value: { n: 1 } } })}}
        ${range}: {description: range, ${content({ lost: { value: { n: 2 } } })}}
`,
        { mock: 'all' },
      );
      const { status: found, text } = await ranged.fetch('/toys/lost');
      await ranged.close();
      expect([found, text]).toEqual([status, '{"n":2}']);
    },
  );

  it('without validation leave stateful mocks valid', async () => {
    const toy = `{type: object, required: [name], properties: {id: {type: integer}, name: {type: string}}}`;
    const content = `content: {application/json: {schema: ${toy}}}`;
    const stateful = await serveToy(
      '3.1.0',
      `
paths:
  /toys:
    post: {operationId: addToy, requestBody: {required: true, ${content}}, responses: {'201': {description: ok, ${content}}}}
  /toys/{id}:
    get:
      operationId: getToy
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: ok, ${content}}, '404': {description: lost}}
`,
      { mock: 'all', mockOptions: { validatesRequests: false, isStateful: true } },
    );
    const headers = { 'Content-Type': 'application/json' };
    const send = (body: string) => stateful.fetch('/toys', { method: 'POST', headers, body });
    const answers = [
      ...[await send('{"id":7,"name":5}'), await send('[]'), await send('null')],
      ...[await stateful.fetch('/toys/7'), await stateful.fetch('/toys/x')],
    ];
    await stateful.close();
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 200, 404]);
  });
});

describe('the header Prefer', () => {
  it.each<[header: string, preferences: Record<string, string>]>([
    ['', {}],
    ['code=404', { code: '404' }],
    ['Code = 404 , example="a, \\"b\\""', { code: '404', example: 'a, "b"' }],
    ['code=404; a=b, code=500', { code: '404' }],
    ['dynamic', { dynamic: '' }],
    ['dynamic; a="x,y", example=b', { dynamic: '', example: 'b' }],
    [',, code=1,\tb="c;d"', { code: '1', b: 'c;d' }],
    ['a=, b', { a: '', b: '' }],
    ['a="unclosed, b=1', { a: '' }],
    ['A = "x, \\"y\\"" ; p=1 , b=2,,a=3', { a: 'x, "y"', b: '2' }],
  ])('%j has %j', (header, preferences) => {
    expect(Object.fromEntries(parsePrefer(header))).toEqual(preferences);
  });

  it.each<[header: string, dynamic: boolean, selected: boolean]>([
    ['', false, false],
    ['dynamic', true, false],
    ['dynamic=true', true, false],
    ['dynamic=false, code=1', false, true],
    ['dynamic=1, example=a', false, true],
  ])('%j is dynamic: %j, selects: %j', (header, dynamic, selected) => {
    const preferences = parsePrefer(header);
    expect([isDynamic(preferences), isSelected(preferences)]).toEqual([dynamic, selected]);
  });
});
