// The context of a handler, which ends with its request, in each adapter on a real socket.
import { EventEmitter, once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type ApiOptions,
  createApi,
  type DisposableContext,
  Problem,
  type RequestOutcome,
} from '../src/index.ts';
import { requestListener } from '../src/node.ts';
import { loadedContract } from './support/contract.ts';
import { ADAPTERS, closeServers, listening } from './support/listening.ts';

const ERROR = '{description: no, content: {application/problem+json: {}}}';
const CONTRACT = loadedContract(`
paths:
  /toy:
    get:
      operationId: getToy
      responses:
        '200':
          description: ok
          content:
            application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}
            application/octet-stream: {}
        '409': ${ERROR}
        '500': ${ERROR}
        '503': ${ERROR}
`);

/** Logs its end, as `begin`, `query` and `replied 200`. */
class Transaction implements DisposableContext {
  readonly events: string[];
  readonly #onDispose: () => unknown;

  constructor(events: string[], onDispose: () => unknown = () => {}) {
    events.push('begin');
    this.events = events;
    this.#onDispose = onDispose;
  }

  query(): void {
    this.events.push('query');
  }

  async [Symbol.asyncDispose](outcome?: RequestOutcome): Promise<void> {
    this.events.push(shownOutcome(outcome));
    await this.#onDispose();
  }
}

function shownOutcome(outcome: RequestOutcome | undefined): string {
  if (outcome?.kind === 'replied') return `replied ${outcome.status}`;
  return outcome?.kind === 'failed'
    ? `failed ${(outcome.error as Error).message}`
    : String(outcome?.kind);
}

// biome-ignore lint/suspicious/noExplicitAny: the contract of this test has no generated types
type ToyHandler = (request: any, tx: Transaction) => unknown;

interface Case {
  readonly handler: ToyHandler;
  readonly onDispose?: () => unknown;
  readonly options?: Partial<ApiOptions<Transaction>>;
}

afterEach(closeServers);

type Adapter = keyof typeof ADAPTERS;

async function open(adapter: Adapter, { handler, onDispose, options }: Case) {
  const events: string[] = [];
  const api = await createApi<Transaction>({
    contract: CONTRACT,
    handlers: { getToy: handler },
    context: () => new Transaction(events, onDispose),
    ...options,
  });
  api.events.on('internalError', ({ message }) => events.push(`reported ${message}`));
  const send = await ADAPTERS[adapter](api);
  return { events, send: (signal: AbortSignal | null = null) => send('/toy', { signal }) };
}

const reply = (body: unknown) => ({ status: 200, body });
const fail = (error: Error) => () => {
  throw error;
};
const bytes = (body: unknown) => ({ status: 200, type: 'application/octet-stream', body });
const INVALID = 'getToy returned 200: /id is required';
const NO_REPLY = 'getToy returned undefined, expected {status, …}';
const LATE = 'the request was not handled in time';

const ok = () => reply({ id: 1 });
const taken = fail(new Problem(409, 'taken'));
const never = () => new Promise(() => {});
const limited = { handlerTimeoutMs: 20 };
const failingStream = () =>
  new Readable({
    read() {
      this.destroy(new Error('gone'));
    },
  });
const toProblem = (error: unknown) => new Problem(503, (error as Error).message);

/** Of a context whose disposal throws. */
const disposing = (handler: ToyHandler, error: Error): Case => ({
  handler,
  onDispose: fail(error),
});
const CONFLICT = new Problem(409, 'conflict');
const UNSERIALIZABLE = new Error('serialization failure');
const logging: Case = { handler: () => reply({}), options: { responseValidation: 'log' } };
const streaming: Case = { handler: (_, tx) => bytes(Readable.from(streamed(tx))) };

/** The expected events after the begin, separated by commas, then the status. */
const CASES: readonly [string, Case, string, number][] = [
  ['a valid reply', { handler: ok }, 'replied 200', 200],
  ['an invalid reply', { handler: () => reply({}) }, `failed ${INVALID}`, 500],
  ['an invalid reply that is sent nevertheless', logging, 'replied 200', 200],
  ['a Problem', { handler: taken }, 'failed taken', 409],
  ['an error', { handler: async () => fail(new Error('x'))() }, 'failed x', 500],
  ['no reply', { handler: () => undefined }, `failed ${NO_REPLY}`, 500],
  ['a reply and a disposal that throws', disposing(ok, new Error('x')), 'replied 200', 500],
  ['a reply and a disposal with a Problem', disposing(ok, CONFLICT), 'replied 200', 409],
  [
    'a reply and a disposal whose error toProblem maps',
    { ...disposing(ok, UNSERIALIZABLE), options: { toProblem } },
    'replied 200',
    503,
  ],
  [
    'an error and a disposal that throws',
    disposing(taken, new Error('rollback')),
    'failed taken,reported rollback',
    409,
  ],
  [
    'a reply and a disposal that never settles',
    { handler: ok, onDispose: never, options: limited },
    'replied 200',
    503,
  ],
  [
    'an error and a disposal that never settles',
    { handler: taken, onDispose: never, options: limited },
    `failed taken,reported ${LATE}`,
    409,
  ],
  ['a stream', streaming, 'query,replied 200,query', 200],
  ['a stream that fails first', { handler: () => bytes(failingStream()) }, 'failed gone', 500],
];

/** The second query runs after the disposal: the first chunk starts the response. */
async function* streamed(tx: Transaction) {
  tx.query();
  yield 'one';
  await new Promise(setImmediate);
  tx.query();
  yield 'two';
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

describe.each(Object.keys(ADAPTERS) as Adapter[])('a context under stubwright/%s', (adapter) => {
  it.each(CASES)('ends before the response to %s', async (_, options, events, status) => {
    const { send, events: got } = await open(adapter, options);
    const response = await send();
    await response.text();
    expect([response.status, got.join()]).toEqual([status, `begin,${events}`]);
  });

  it('has ended when the client receives the response', async () => {
    const done = Promise.withResolvers<void>();
    const { send } = await open(adapter, {
      handler: ok,
      onDispose: () => done.promise,
    });
    let isAnswered = false;
    const answered = send().then((response) => {
      isAnswered = true;
      return response.status;
    });
    await turns(20);
    expect(isAnswered).toBe(false);
    done.resolve();
    expect(await answered).toBe(200);
  });

  it('learns that the client is gone', async () => {
    const client = new AbortController();
    const gone = new EventEmitter();
    const { send, events } = await open(adapter, {
      async handler({ signal }: { signal: AbortSignal }) {
        setImmediate(() => client.abort());
        await once(signal, 'abort');
        return reply({ id: 1 });
      },
      onDispose: () => gone.emit('disposed'),
    });
    const disposed = once(gone, 'disposed');
    await send(client.signal).catch(() => {});
    await disposed;
    expect(events).toEqual(['begin', 'aborted']);
  });

  it('ends after a handler that the time limit has abandoned', async () => {
    const late = Promise.withResolvers<void>();
    const { send, events } = await open(adapter, {
      async handler({ signal }, tx) {
        await once(signal, 'abort');
        await late.promise;
        tx.query();
        return reply({ id: 1 });
      },
      options: limited,
    });
    expect([(await send()).status, events]).toEqual([503, ['begin']]);
    late.resolve();
    await turns(5);
    expect(events).toEqual(['begin', 'query', `failed ${LATE}`]);
  });
});

describe('a context', () => {
  it('that is ready after the time limit ends without its handler', async () => {
    const late = Promise.withResolvers<void>();
    const events: string[] = [];
    const { send } = await open('node', {
      handler: (_, tx) => tx.query(),
      options: {
        handlerTimeoutMs: 20,
        async context() {
          await late.promise;
          return new Transaction(events);
        },
      },
    });
    expect((await send()).status).toBe(503);
    late.resolve();
    await turns(5);
    expect(events).toEqual(['begin', `failed ${LATE}`]);
  });

  it('without Symbol.asyncDispose is left alone', async () => {
    const database = { [Symbol.dispose]: () => events.push('closed') };
    const { send, events } = await open('node', {
      handler: ok,
      options: { context: () => database as never },
    });
    expect([(await send()).status, events]).toEqual([200, []]);
  });
});

describe('a request', () => {
  it('has the address, an id of its own, and a log with that id', async () => {
    const lines: unknown[] = [];
    const logOf = (bound: object): never => {
      const write = (line: object | string) => lines.push({ ...bound, line });
      const child = (more: object) => logOf({ ...bound, ...more });
      return { child, debug: write, info: write, warn: write, error: write } as never;
    };
    const seen: string[] = [];
    const { send } = await open('node', {
      handler({ address, requestId, log }) {
        seen.push(address, requestId);
        log.info('stored');
        return reply({ id: 1 });
      },
      options: { log: logOf({ app: 'toys' }) },
    });
    await send();
    await send();
    const [address, first, , second] = seen;
    expect(address).toBe('127.0.0.1');
    expect(first).not.toBe(second);
    expect(lines).toEqual(
      [first, second].map((requestId) => ({ app: 'toys', requestId, line: 'stored' })),
    );
  });

  it('discards log lines without a log', async () => {
    const { send } = await open('node', {
      handler({ log }) {
        log.child({ a: 1 }).error({ b: 2 }, 'lost');
        return reply({ id: 1 });
      },
    });
    expect((await send()).status).toBe(200);
  });

  it('has a signal that a complete response does not abort', async () => {
    let signal: AbortSignal | undefined;
    const { send } = await open('node', {
      handler(request) {
        signal = request.signal;
        return reply({ id: 1 });
      },
    });
    await (await send()).text();
    await turns(10);
    expect(signal?.aborted).toBe(false);
  });

  it('whose handler passes the abort on is no internal error', async () => {
    const { send, events } = await open('node', {
      handler: ({ signal }) => once(new EventEmitter(), 'never', { signal }),
      options: limited,
    });
    expect((await send()).status).toBe(503);
    await turns(5);
    expect(events).toEqual(['begin', `failed ${LATE}`]);
  });

  it('whose client is gone is not an error of the service', async () => {
    const api = await createApi({
      contract: CONTRACT,
      handlers: {
        getToy: (({ signal }: { signal: AbortSignal }) =>
          once(new EventEmitter(), 'never', { signal })) as never,
      },
    });
    const responded = once(api.events, 'responded');
    const request = httpRequest(`${await listening(requestListener(api))}/toy`, { agent: false });
    request.on('error', () => {}).end();
    await once(request, 'finish');
    setTimeout(() => request.destroy(), 50);
    expect((await responded)[0]).toMatchObject({ status: 503, cause: undefined });
  });
});
