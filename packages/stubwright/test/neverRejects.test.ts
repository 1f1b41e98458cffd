// No input of a handler, a verifier, a context, a formatter or a listener ends the process or a request.
import type { RequestListener } from 'node:http';
import { isNativeError } from 'node:util/types';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { createLog, type Service, startService } from '@stubwright/service';
import {
  asBodies,
  ERRORS,
  PROBLEMS,
  REPLIES,
  STREAMS,
  VALUES,
  WAYS,
} from '@stubwright/test-support/hostileValues';
import { isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import Koa, { type Context } from 'koa';
import { fetchHandler } from '../src/fetch.ts';
import {
  type Api,
  type ApiOptions,
  createApi,
  Problem,
  type ResponseValidation,
} from '../src/index.ts';
import { koaMiddleware } from '../src/koa.ts';
import { requestListener } from '../src/node.ts';
import { loadedContract } from './support/contract.ts';
import { closeServers, listening } from './support/listening.ts';

const TOY = '{type: object, required: [id], properties: {id: {type: integer}}}';
const loaded = loadedContract(`
components: {securitySchemes: {oauth: {type: http, scheme: bearer}}}
paths:
  /toy:
    get:
      operationId: getToy
      security: [{oauth: []}]
      responses:
        default:
          description: any
          headers: &headers
            Location: {schema: {type: string}}
            Content-Length: {schema: {}}
            Transfer-Encoding: {schema: {type: string}}
            Trailer: {schema: {type: string}}
          content: {application/json: {schema: ${TOY}}, application/problem+json: {schema: {type: object}}}
        2XX:
          description: ok
          headers: *headers
          content: {application/json: {schema: ${TOY}}, image/png: {}}
        '409': {description: taken, content: {application/problem+json: {schema: {type: object}}}}
`);

/** What the application does for the current request. */
interface Behaviour {
  handler: () => unknown;
  context: () => unknown;
  verifier: () => unknown;
  toProblem: () => unknown;
  format: () => unknown;
  listener: () => unknown;
}

const USUAL: Behaviour = {
  handler: () => ({ status: 200, body: { id: 1 } }),
  context: () => undefined,
  verifier: () => ({ name: 'alice' }),
  toProblem: () => undefined,
  format: () => undefined,
  listener: () => undefined,
};
let now = USUAL;
/** The causes of the responses, and the errors that changed no response. */
let logged: unknown[] = [];

function options(responseValidation: ResponseValidation) {
  const any = <T>(value: T) => value as never;
  return {
    handlers: { getToy: () => any(now.handler()) },
    context: () => any(now.context()),
    verifiers: { oauth: () => any(now.verifier()) },
    toProblem: () => any(now.toProblem()),
    errors: () => any(now.format()),
    responseValidation,
  };
}

interface Received {
  readonly status: number;
  readonly type: string | null;
  /** Undefined for a body that ends early. */
  readonly text: string | undefined;
}

type Send = (init?: RequestInit) => Promise<Received>;

async function received(response: Promise<Response>): Promise<Received> {
  const { status, headers, text } = await response.then(async (each) => ({
    status: each.status,
    headers: each.headers,
    text: await each.text().catch(() => undefined),
  }));
  return { status, type: headers.get('content-type'), text };
}

const HEADERS = { authorization: 'Bearer t' };

const sendingTo =
  (url: string): Send =>
  (init) =>
    received(fetch(`${url}/toy`, { headers: HEADERS, ...init }));

async function served(listener: RequestListener): Promise<Send> {
  return sendingTo(await listening(listener));
}

const services: Service[] = [];

async function apiOf<Native>(validation: ResponseValidation): Promise<Api<Native>> {
  const own = options(validation) as Partial<ApiOptions<unknown, Native>>;
  const api = await createApi<unknown, Native>({ contract: loaded, ...own });
  api.events.on('responded', ({ cause }) => {
    if (cause !== undefined) logged.push(cause);
  });
  api.events.on('responded', () => now.listener() as undefined);
  api.events.on('internalError', (error) => logged.push(error));
  api.events.on('internalError', () => now.listener() as undefined);
  return api;
}

const ADAPTERS: Readonly<Record<string, (validation: ResponseValidation) => Promise<Send>>> = {
  fetch: async (validation) => {
    const handle = fetchHandler(await apiOf(validation));
    return (init) => received(handle(new Request('http://t/toy', { headers: HEADERS, ...init })));
  },
  node: async (validation) => served(requestListener(await apiOf(validation))),
  koa: async (validation) => {
    const app = new Koa();
    app.on('error', (error) => logged.push(error));
    app.use(koaMiddleware(await apiOf<Context>(validation)));
    return served(app.callback());
  },
  service: async (validation) => {
    const { verifiers, ...others } = options(validation);
    const service = await startService({
      ...others,
      ...{ contract: loaded, verifiers: () => verifiers, log: createLog('silent'), tokens: ['t'] },
      env: { PORT: '0', ADMIN_PORT: '0', LAG_LIMIT: '60000', DOCS: 'off' },
      open: async () => ({
        services: undefined,
        addMetrics(_library, _registers, events) {
          events.on('responded', ({ cause }) => {
            if (cause !== undefined) logged.push(cause);
          });
          events.on('responded', () => now.listener() as undefined);
          events.on('internalError', (error) => logged.push(error));
        },
      }),
    });
    services.push(service);
    return sendingTo(service.url);
  },
};

/** A response is complete, or the connection ends after the first chunk of a stream that failed. */
async function expectResponse(
  send: Send,
  behaviour: Partial<Behaviour>,
): Promise<Received | undefined> {
  logged = [];
  now = { ...USUAL, ...behaviour };
  const response = await send().catch(() => undefined);
  if (response?.text === undefined) {
    expect(logged.length).toBeGreaterThan(0);
    return undefined;
  }
  const { status, type, text } = response;
  expect(status).toBeGreaterThanOrEqual(200);
  if (status >= 400)
    expect([type, JSON.parse(text)]).toEqual([expect.stringMatching(/json/), expect.anything()]);
  if (status === 500) expect(logged.some(isNativeError)).toBe(true);
  return response;
}

async function expectUsual(send: Send): Promise<void> {
  now = USUAL;
  expect(await send()).toMatchObject({ status: 200, text: '{"id":1}' });
}

const everything = Object.entries({
  ...VALUES,
  ...ERRORS,
  ...PROBLEMS,
  ...REPLIES,
  ...asBodies(VALUES),
});
/** A stream that does not reach the engine has no listener of the engine. */
const replies = Object.entries({ ...REPLIES, ...asBodies({ ...VALUES, ...STREAMS }) });
const ways = Object.entries(WAYS);
const waysToReturn = ways.filter(([way]) => /^re(?:turns|solves)(?!.*throws)/.test(way));

describe.each(Object.entries(ADAPTERS))('stubwright/%s', (adapter, open) => {
  let send: Send;
  // The default run takes some ways in process, and one on sockets.
  const few = adapter === 'fetch' ? ['returns', 'rejects with'] : ['rejects with'];
  const waysHere = isTestAll ? ways : ways.filter(([way]) => few.includes(way));
  // Their errors are written by the same code of an adapter as those of a handler; its listeners are those of fetch.
  const othersHere = isTestAll || ['fetch', 'service'].includes(adapter) ? waysHere : [];
  const returnsHere = isTestAll ? waysToReturn : waysToReturn.slice(0, 1);
  beforeAll(async () => {
    send = await open('strict');
  });
  afterAll(async () => {
    closeServers();
    for (const service of services.splice(0)) await service.stop();
  });
  beforeEach(() => {
    now = USUAL;
    // A listener of `internalError` that throws has no other log.
    jest.spyOn(console, 'error').mockImplementation((error) => {
      logged.push(error);
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each(waysHere)('responds to a handler that %s anything', async (_, way) => {
    for (const [name, value] of everything) {
      const response = await expectResponse(send, { handler: () => way(value) });
      expect([name, response?.status ?? 0]).toEqual([name, expect.any(Number)]);
    }
    await expectUsual(send);
  });

  it.each(returnsHere)('responds to a handler that %s any reply', async (_, way) => {
    for (const [, value] of replies) await expectResponse(send, { handler: () => way(value) });
    await expectUsual(send);
  });

  const ofOthers = othersHere.length > 0 ? it.each(othersHere) : it.skip.each(ways);
  ofOthers('responds if context, verifier, mapping or format %s anything', async (_, way) => {
    const fail = () => {
      throw new Error('x');
    };
    for (const [, value] of everything) {
      const act = () => way(value);
      await expectResponse(send, { context: act });
      await expectResponse(send, { verifier: act });
      await expectResponse(send, { handler: fail, toProblem: act });
      await expectResponse(send, { handler: fail, format: act });
    }
    await expectUsual(send);
  });

  const ofListeners = othersHere.length > 0 ? it.each(othersHere) : it.skip.each(ways);
  ofListeners('responds if a listener %s anything', async (_, way) => {
    for (const [, value] of everything) {
      const { status } = (await expectResponse(send, { listener: () => way(value) }))!;
      expect(status).toBe(200);
    }
    await expectUsual(send);
  });

  it('responds with the error where format and mapping throw', async () => {
    const fail = () => {
      throw new Error('x');
    };
    const conflict = () => {
      throw new Problem(409, 'taken');
    };
    const behaviour = { handler: conflict, toProblem: fail, format: fail, listener: fail };
    expect(await expectResponse(send, behaviour)).toMatchObject({ status: 409 });
    expect(logged).toContainEqual(new Error('x'));
  });

  it.each<ResponseValidation>(['log', 'off'])(
    'responds with the validation %s',
    async (validation) => {
      const lenient = await open(validation);
      for (const [, value] of replies) await expectResponse(lenient, { handler: value });
      await expectUsual(lenient);
    },
  );

  it('responds to HEAD', async () => {
    for (const [, value] of replies) {
      now = { ...USUAL, handler: value };
      expect((await send({ method: 'HEAD' })).text).toBe('');
    }
    await expectUsual(send);
  });

  it('responds to any combination', async () => {
    const act = fc
      .tuple(fc.constantFrom(...ways), fc.constantFrom(...everything))
      .map(([[way, hand], [name, value]]) =>
        Object.assign(() => hand(value), { toString: () => `${way} ${name}` }),
      );
    const { handler, ...others } = Object.fromEntries(Object.keys(USUAL).map((key) => [key, act]));
    const behaviour = fc.record({ handler: handler!, ...others }, { requiredKeys: ['handler'] });
    await fc.assert(
      fc.asyncProperty(behaviour, async (each) => {
        await expectResponse(send, each);
        await expectUsual(send);
      }),
      { numRuns: isTestAll ? 300 : 8 },
    );
  });
});
