// The steps of a request: their table in the documentation, their order, and how each may end a request.
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Problem, tooManyRequests, unavailable } from '@stubwright/contract';
import { mocked } from '@stubwright/mock/mocked';
import fc from 'fast-check';
import type { Preconditions } from '../src/conditional.ts';
import { fetchHandler } from '../src/fetch.ts';
import { type ApiOptions, createApi } from '../src/index.ts';
import { type EngineOptions, errorFindings } from '../src/internals.ts';
import type { OperationStep, ResponseStep } from '../src/pipeline/step.ts';
import { STEPS } from '../src/pipeline/steps.ts';
import { loadedContract } from './support/contract.ts';

const NAMES = STEPS.map(({ name }) => name);
/** Of operations with an idempotency key. */
const OF_CONDITIONS = [
  ...['Read the conditions', 'Require the check of the conditions', 'Compare the conditions'],
];
const OF_KEYS = ['Claim the idempotency key', 'Repeat the response', 'Store the response'];
const OF_RESPONSE = STEPS.filter(({ hook }) => hook === 'response').map(({ name }) => name);

describe('docs/stubwright/lifecycle.md', () => {
  const page = readFileSync(
    new URL('../../../docs/stubwright/lifecycle.md', import.meta.url),
    'utf8',
  );
  const rows = [...page.matchAll(/^\| (\d+)\. (.*?)(?: \(.*?\))? \| (.*?) \| (.*?) \|$/gm)];
  const own = rows.slice(4, -2);

  it('numbers the steps, with those of the server around the array', () => {
    expect(rows.map(([, number]) => Number(number))).toEqual(rows.map((_, at) => at + 1));
    expect(rows.map(([, , name]) => name)).toEqual([
      ...['Connection', 'Load shedding', 'Koa middleware of the application', 'CORS'],
      ...NAMES,
      ...['Send', 'Emit `responded`'],
    ]);
  });

  it('has what each step reads, its statuses, and whose errors it may respond with', () => {
    const described = own.map(([, , name, reads, responds]) => ({
      name,
      reads: reads!.replaceAll('`', ''),
      statuses: [...responds!.matchAll(/\b[2-5]\d\d\b/g)].map(([status]) => Number(status)),
      errorsOf: /errors of (.*)$/.exec(responds!)?.[1]?.replaceAll('`', ''),
    }));
    expect(described).toEqual(
      STEPS.map(({ name, reads, statuses, errorsOf }) => ({ name, reads, statuses, errorsOf })),
    );
  });
});

const JSON_CONTENT = 'content: {application/json: {}}';
const ETAG = 'headers: {ETag: {schema: {type: string}}}';

/** Everything that a step may need. */
const contract = loadedContract(`
openapi: 3.2.0
components: {securitySchemes: {token: {type: http, scheme: bearer}}}
paths:
  /toys:
    post:
      operationId: addToys
      security: [{token: [write]}]
      parameters:
        - {name: limit, in: query, schema: {type: integer}}
        - {name: If-Match, in: header, required: true, schema: {type: string}}
        - {name: old, in: query, deprecated: true, x-sunset: '2020-01-01', schema: {type: string}}
      requestBody: {required: true, ${JSON_CONTENT}}
      responses:
        '200': {description: ok, ${ETAG}, content: {application/jsonl: {itemSchema: {}}}}
        '428': {description: no condition, content: {application/problem+json: {}}}
  /cached: {get: {operationId: getCached, responses: {'200': {description: ok, ${ETAG}, ${JSON_CONTENT}}}}}
  /orders:
    post:
      operationId: order
      security: [{token: [write]}]
      parameters:
        - {name: Idempotency-Key, in: header, required: true, x-idempotency: {ttl: 1h}, schema: {type: string}}
      requestBody: {content: {application/json: {}, multipart/form-data: {}}}
      responses: {'200': {description: ok, content: {application/json: {}, application/octet-stream: {}}}}
  /plain: {get: {operationId: getPlain, responses: {'204': {description: ok}}}}
`);
const { definition } = contract;

describe('errorFindings', () => {
  it('expects the statuses of the steps, but 410, which a policy of the application enables', async () => {
    const findings = await errorFindings(definition);
    const optional = new Set(['Route', 'Sunset']);
    const ofSteps = STEPS.filter(({ name }) => !optional.has(name)).flatMap(
      (step) => step.statuses,
    );
    // 304 is of reads, and 428 is sent where it is declared.
    const isSent = (status: number) => status !== 304 && status !== 428;
    const expected = (operationId: string) =>
      findings.find(({ undeclared }) => undeclared?.operationId === operationId)?.undeclared
        ?.statuses;
    const union = ['addToys', 'order'].flatMap((operationId) => expected(operationId)!);
    expect(new Set(union)).toEqual(new Set(ofSteps.filter(isSent)));
    expect(expected('addToys')).not.toContain(422);
    expect(expected('order')).toEqual(expect.arrayContaining([409, 422]));
    expect(expected('getCached')).toEqual([304, 400, 500, 503]);
    expect(expected('getPlain')).toEqual([400, 500, 503]);
  });
});

/** A request, and the code of the application, as a fault changes them. */
interface Case {
  path: string;
  method: string;
  headers: Record<string, string>;
  body: string;
  memoryBytes: number;
  timeoutMs: number | undefined;
  verify: () => unknown;
  admit: () => Promise<Record<string, string> | undefined>;
  context: () => unknown;
  reply: () => unknown;
  isChecked: boolean;
  item: () => unknown;
  dispose: () => unknown;
  find: () => unknown;
  save: () => unknown;
}

const valid = (): Case => ({
  path: '/toys?',
  method: 'POST',
  headers: { authorization: 'Bearer a', 'content-type': 'application/json', 'if-match': '"1"' },
  body: '{}',
  memoryBytes: 1_000_000,
  timeoutMs: undefined,
  verify: () => ({ name: 'ann', scopes: ['write'] }),
  admit: async () => undefined,
  context: () => undefined,
  reply: () => undefined,
  isChecked: true,
  item: () => undefined,
  dispose: () => undefined,
  find: () => undefined,
  save: () => undefined,
});

/** To the operation that runs once for each key. */
const keyed = (): Case => ({
  ...valid(),
  path: '/orders?',
  headers: { ...valid().headers, 'idempotency-key': 'a' },
  reply: () => ({ status: 200, body: {} }),
});

/** A header that is undefined is not sent; the path continues that of the request. */
interface Change extends Partial<Omit<Case, 'headers'>> {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly query?: string;
}

interface Fault {
  readonly step: string;
  readonly status: number;
  readonly change: Change;
}

const fault = (step: string, status: number, change: Change): Fault => ({ step, status, change });

function changed(request: Case, { headers = {}, query = '', ...change }: Change): Case {
  const all = Object.entries({ ...request.headers, ...headers });
  const sent = all.filter((entry): entry is [string, string] => entry[1] !== undefined);
  const path = (change.path ?? request.path) + query;
  return { ...request, ...change, path, headers: Object.fromEntries(sent) };
}

const TIMEOUT_MS = 50;

const failing = (error: Error) => () => {
  throw error;
};

type Code = 'verify' | 'context' | 'reply' | 'item' | 'dispose' | 'find' | 'save';

/** @returns the faults of a part of the application: a Problem, another error, no end */
function faultsOf(step: string, code: Code): Fault[] {
  const faults = [
    fault(step, 418, { [code]: failing(new Problem(418, 'x')) }),
    fault(step, 500, { [code]: failing(new Error('x')) }),
  ];
  // The start of a stream has no time limit.
  if (code === 'item') return faults;
  const endless = { timeoutMs: TIMEOUT_MS, [code]: () => new Promise(() => {}) };
  return [...faults, fault(step, 503, endless)];
}

/** A key that a request in progress has. */
const IN_USE = 'in use';
const LIMITED = tooManyRequests(1, '"a";r=0;t=1', '"a";q=1;w=1');
const STREAM = { status: 200, type: 'application/octet-stream' };

const FAULTS: readonly Fault[] = [
  fault('Route', 204, { method: 'OPTIONS' }),
  fault('Route', 404, { path: '/none?' }),
  fault('Route', 405, { method: 'DELETE' }),
  fault('Authenticate', 401, { headers: { authorization: undefined } }),
  fault('Authenticate', 401, { verify: () => undefined }),
  fault('Authenticate', 403, { verify: () => ({ name: 'ann', scopes: [] }) }),
  ...faultsOf('Authenticate', 'verify'),
  fault('Rate limit', 429, { admit: () => Promise.reject(LIMITED) }),
  fault('Rate limit', 503, { admit: () => Promise.reject(unavailable('try again', 1)) }),
  fault('Media type', 415, { headers: { 'content-type': 'text/plain' } }),
  fault('Media type', 415, { headers: { 'content-encoding': 'gzip' } }),
  fault('Read the body', 400, { body: '{' }),
  fault('Read the body', 400, { body: '' }),
  fault('Read the body', 413, { body: `"${'a'.repeat(1000)}"` }),
  fault('Read the body', 503, { memoryBytes: 0 }),
  fault('Read the conditions', 400, { headers: { 'if-match': '1' } }),
  fault('Read the conditions', 428, { headers: { 'if-match': undefined } }),
  fault('Validate', 400, { query: 'limit=a&' }),
  fault('Sunset', 410, { query: 'old=a&' }),
  ...faultsOf('Create the context', 'context'),
  ...faultsOf('Handle', 'reply'),
  fault('Require the check of the conditions', 500, { isChecked: false }),
  fault('Validate and serialize the reply', 500, { reply: () => ({ status: 201 }) }),
  fault('Compare the conditions', 500, {
    reply: () => ({ status: 200, headers: { ETag: '1' }, body: [] }),
  }),
  ...faultsOf('Start the stream', 'item'),
  ...faultsOf('Dispose the context', 'dispose'),
];

const FAULTS_OF_READ: readonly Fault[] = [
  fault('Compare the conditions', 304, { headers: { 'if-none-match': '*' } }),
  fault('Compare the conditions', 412, { headers: { 'if-match': '"1"' } }),
];

/** Of a request with an idempotency key. */
const KEYED_FAULTS: readonly Fault[] = [
  fault('Claim the idempotency key', 400, { headers: { 'idempotency-key': 'a'.repeat(256) } }),
  fault('Claim the idempotency key', 409, { headers: { 'idempotency-key': IN_USE } }),
  fault('Repeat the response', 409, { find: () => 'inProgress' }),
  fault('Repeat the response', 422, {
    find: () => ({ fingerprint: 'of another request', status: 200, headers: {} }),
  }),
  ...faultsOf('Repeat the response', 'find'),
  fault('Store the response', 500, {
    reply: () => ({ ...STREAM, body: new Blob(['a']).stream() }),
  }),
  ...faultsOf('Store the response', 'save'),
];

/** The names of the steps of the latest requests. */
const ran: string[] = [];

/** Reports the compiled steps of each API that is created from here on. */
function observeSteps(): void {
  const [route, ...others] = STEPS;
  const { match } = route;
  jest.spyOn(route, 'match').mockImplementation((...args) => {
    ran.push(route.name);
    return match(...args);
  });
  for (const step of others) {
    // The array has steps of two types, whose results are functions of the exchange.
    const own = step as { name: string; compile(...args: unknown[]): unknown };
    const { compile } = own;
    jest.spyOn(own, 'compile').mockImplementation((...args) => {
      const run = compile(...args) as ((...values: unknown[]) => unknown) | undefined;
      if (run === undefined) return undefined;
      return (...values: unknown[]) => {
        ran.push(step.name);
        return run(...values);
      };
    });
  }
}

const recorder: NonNullable<ApiOptions['recorder']> = {
  observe: () => ({ accepted() {}, responded() {} }),
  close: async () => {},
};

/** Sends a request to the API as an application creates it, with a rate limit and a sunset policy. */
async function send(request: Case, more: Partial<EngineOptions<unknown>> = {}): Promise<number> {
  const { memoryBytes, timeoutMs, verify, admit, context, reply, item, dispose } = request;
  const idempotency = { isTransactional: true, find: request.find, save: request.save };
  const addToys = async ({ preconditions }: { preconditions: Preconditions }) => {
    if (request.isChecked) preconditions.check('1');
    return (await reply()) ?? { status: 200, body: items() };
  };
  async function* items() {
    await item();
    yield {};
  }
  const options: ApiOptions<unknown, Request> &
    Pick<EngineOptions<unknown>, 'rateLimitOf' | 'sunset' | 'context'> = {
    contract,
    handlers: { ...OTHERS, addToys, order: () => held?.promise ?? reply() },
    idempotency: idempotency as never,
    verifiers: { token: verify as never },
    context: async () => {
      await context();
      return { [Symbol.asyncDispose]: async () => void (await dispose()) };
    },
    ...{ rateLimitOf: () => admit, recorder, handlerTimeoutMs: timeoutMs },
    ...{ bodyLimitBytes: 500, bodyMemoryBytes: memoryBytes },
    sunset: { refuses: true },
    ...(more as object),
  };
  const handle = fetchHandler(await createApi<unknown, Request>(options));
  const { path, method, headers, body } = request;
  const init = { method, headers, ...(method === 'POST' && { body }) };
  const sent = () => handle(new Request(`http://localhost${path}`, init));
  const isInUse = headers['idempotency-key'] === IN_USE;
  const held = isInUse ? Promise.withResolvers<unknown>() : undefined;
  const first = isInUse ? sent() : undefined;
  await new Promise((resolve) => setTimeout(resolve, isInUse ? 20 : 0));
  ran.length = 0;
  const response = await sent();
  await response.text();
  held?.resolve({ status: 200, body: {} });
  await first;
  ran.length = isInUse ? NAMES.indexOf('Claim the idempotency key') + 1 : ran.length;
  return response.status;
}

const OTHERS = {
  getPlain: () => ({ status: 204 }),
  order: () => ({ status: 200, body: {} }),
  getCached: () => ({ status: 200, body: {} }),
};

/** @returns the last step before those of the response */
const endedIn = () => ran.findLast((name) => !OF_RESPONSE.includes(name));

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a request', () => {
  it('is authenticated before its body is read, and validated before it is handled', () => {
    const required = ['Route', 'Authenticate', 'Media type', 'Read the body', 'Validate', 'Handle'];
    expect(NAMES.filter((name) => required.includes(name))).toEqual(required);
  });

  it('runs every step once, in the order of the array', async () => {
    observeSteps();
    expect(await send(valid())).toBe(200);
    expect(ran).toEqual(NAMES.filter((name) => !OF_KEYS.includes(name)));
    expect(await send(keyed())).toBe(200);
    expect(ran).toEqual(NAMES.filter((name) => !OF_CONDITIONS.includes(name)));
  });

  it('runs the steps that its operation needs', async () => {
    observeSteps();
    const plain = { ...valid(), path: '/plain', method: 'GET' };
    const without: Partial<EngineOptions<unknown>> = {
      ...{ recorder: undefined, rateLimitOf: undefined, context: undefined },
      handlers: { ...OTHERS, addToys: mocked, order: mocked },
    };
    expect(await send(plain, without)).toBe(204);
    expect(ran).toEqual([
      ...['Route', 'Media type', 'Read the body', 'Validate', 'Handle'],
      ...['Validate and serialize the reply', 'Remove uploads', 'Announce deprecations'],
    ]);
  });

  it('of a mocked operation has no context', async () => {
    observeSteps();
    await send(valid(), { handlers: { ...OTHERS, addToys: mocked } });
    const ofHandlers = /the context$|^Require the check/;
    expect(ran).toEqual(NAMES.filter((name) => !ofHandlers.test(name) && !OF_KEYS.includes(name)));
  });

  const rowsOf = (faults: readonly Fault[]) =>
    faults.map(({ step, status, change }) => [step, status, change] as const);

  it.each(rowsOf(FAULTS))(
    'ends in %s with %d, and its response passes the steps of a response',
    async (step, status, change) => {
      observeSteps();
      expect([await send(changed(valid(), change)), endedIn()]).toEqual([status, step]);
      const before = NAMES.slice(0, NAMES.indexOf(step) + 1);
      expect(ran).toEqual([...before.filter((name) => !OF_KEYS.includes(name)), ...OF_RESPONSE]);
    },
  );

  it.each(rowsOf(KEYED_FAULTS))(
    'with an idempotency key ends in %s with %d',
    async (step, status, change) => {
      observeSteps();
      expect([await send(changed(keyed(), change)), endedIn()]).toEqual([status, step]);
    },
  );

  it.each(rowsOf(FAULTS_OF_READ))('that reads gets from %s %d', async (step, status, change) => {
    observeSteps();
    const request = { ...valid(), path: '/cached', method: 'GET', headers: {} };
    expect([await send(changed(request, change)), ran.includes(step)]).toEqual([status, true]);
  });

  it('with several faults ends with the first in the order of the array', async () => {
    const perStep = [...Map.groupBy(FAULTS, ({ step }) => step).values()];
    const oneOf = (faults: Fault[]) => fc.option(fc.constantFrom(...faults), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.tuple(...perStep.map(oneOf)), async (chosen) => {
        const faults = chosen.filter((each) => each !== undefined);
        const request = faults.reduce((sent, { change }) => changed(sent, change), valid());
        const [first] = faults.toSorted((a, b) => NAMES.indexOf(a.step) - NAMES.indexOf(b.step));
        expect(await send(request)).toBe(first?.status ?? 200);
      }),
      { numRuns: 60 },
    );
  });
});

it('the faults have each status that a step declares, and no other but errors of the application', () => {
  const declared = (step: OperationStep | ResponseStep | (typeof STEPS)[0]) => [
    ...step.statuses,
    ...(step.errorsOf === undefined ? [] : [418, 500]),
  ];
  for (const step of STEPS) {
    const all = [...FAULTS, ...FAULTS_OF_READ, ...KEYED_FAULTS];
    const own = all.filter((each) => each.step === step.name).map(({ status }) => status);
    expect([step.name, new Set(own.filter((each) => each !== 503 || !step.errorsOf))]).toEqual([
      step.name,
      new Set(declared(step)),
    ]);
  }
});
