// Streams of events that reconnect, on a real socket.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import {
  ErrorReply,
  NoResponse,
  openConnection,
  operation,
  type ReadOptions,
  type ReconnectOptions,
  receiveEvents,
  receiveJson,
} from '../src/index.ts';
import { withReconnection } from '../src/reconnect.ts';
import { testServers } from './support/server.ts';

const listening = testServers();

interface Watch {
  parameters: { path?: never; header?: { 'last-event-ID'?: string } };
  responses: {
    200: {
      headers: Record<never, never>;
      content: { 'text/event-stream': string; 'application/json': number[] };
    };
    204: { headers: Record<never, never>; content?: never };
    409: { headers: Record<never, never>; content?: never };
  };
}

const watchToys = withReconnection(
  operation<Watch>({
    ...{ id: 'watchToys', method: 'GET', path: '/toys' },
    replies: {
      200: { content: { 'text/event-stream': receiveEvents(), 'application/json': receiveJson() } },
      204: {},
      409: {},
    },
  }),
);

type Answer = (response: ServerResponse) => void;
const sends =
  (...texts: string[]): Answer =>
  (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.end(texts.join(''));
  };
const breaksAfter =
  (text: string): Answer =>
  (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(text, () => response.destroy());
  };
const status =
  (code: number): Answer =>
  (response) =>
    void response.writeHead(code).end();
const drops: Answer = (response) => void response.destroy();

/** @param answers of the requests in order; then 204 */
async function serve(...answers: Answer[]) {
  const seen: IncomingMessage[] = [];
  const times: number[] = [];
  const baseUrl = await listening((request, response) => {
    times.push(performance.now());
    seen.push(request);
    (answers[seen.length - 1] ?? status(204))(response);
  });
  const connection = openConnection({}, { baseUrl, retry: false });
  const ids = () => seen.map(({ headers }) => headers['last-event-id']);
  const waits = () => times.slice(1).map((each, at) => each - times[at]!);
  return { connection, ids, waits };
}

type Served = Awaited<ReturnType<typeof serve>>;

/** @returns the events of a stream, and the error that ends it */
async function eventsOf(
  { connection }: Served,
  reconnect: boolean | ReconnectOptions = { delayMs: 1 },
  options: ReadOptions<undefined> = {},
  header: { 'last-event-ID'?: string } = {},
) {
  const events: unknown[] = [];
  try {
    const reply = await watchToys(connection, { header }, { ...options, reconnect });
    if (reply.type !== 'text/event-stream') return { events, reply };
    for await (const { data, id } of reply.body) events.push(id === undefined ? data : [data, id]);
    return { events };
  } catch (error) {
    return { events, error };
  }
}

describe('a stream of events', () => {
  it('ends with its connection unless a reconnection is asked for', async () => {
    const service = await serve(sends('data: 1\n\n'));
    expect(await eventsOf(service, false)).toEqual({ events: ['1'] });
    const other = await serve(breaksAfter('data: 1\n\n'));
    const { error } = await eventsOf(other, false);
    expect([error, other.ids()]).toEqual([expect.any(NoResponse), [undefined]]);
  });

  it('continues after its end and after a broken connection, with the last id, until 204', async () => {
    const service = await serve(
      sends('id: 1\ndata: a\n\n'),
      breaksAfter('data: b\n\nid: é2\ndata: c\n\ndata: lost'),
      drops,
      sends('data: d\n\n', 'id\ndata: e\n\n'),
    );
    expect(await eventsOf(service)).toEqual({
      events: [
        ['a', '1'],
        ['b', '1'],
        ['c', 'é2'],
        ['d', 'é2'],
        ['e', ''],
      ],
    });
    const utf8 = Buffer.from('é2').toString('latin1');
    expect(service.ids()).toEqual([undefined, '1', utf8, utf8, undefined]);
  });

  it('reads id and retry of blocks without data', async () => {
    const service = await serve(sends('retry: 120\n\nid: 7\n\n'), sends('retry: 1\n\n'));
    expect(await eventsOf(service)).toEqual({ events: [] });
    expect(service.ids()).toEqual([undefined, '7', '7']);
    expect(service.waits()[0]).toBeGreaterThan(110);
    expect(service.waits()[1]).toBeLessThan(110);
  });

  it('replaces the id of the request', async () => {
    const service = await serve(sends('data: a\n\n'), sends('id: 9\ndata: b\n\n'));
    await eventsOf(service, { delayMs: 1 }, {}, { 'last-event-ID': '5' });
    expect(service.ids()).toEqual(['5', '5', '9']);
  });

  it('ends with another declared reply, and with an undeclared one', async () => {
    const refused = await eventsOf(await serve(sends('data: a\n\n'), status(409)));
    expect(refused).toMatchObject({ events: ['a'], error: { reply: { status: 409 } } });
    expect(refused.error).toBeInstanceOf(ErrorReply);
    const undeclared = await eventsOf(await serve(sends('data: a\n\n'), status(418)));
    expect(undeclared.error).toMatchObject({ name: 'UndeclaredResponse', status: 418 });
  });

  it('waits longer after each connection without an event, and stops at the limit', async () => {
    const service = await serve(sends('data: a\n\n'), drops, sends(''), drops, drops);
    const { error, events } = await eventsOf(service, { delayMs: 20, limit: 3 });
    expect(events).toEqual(['a']);
    expect(error).toBeInstanceOf(NoResponse);
    const [first, second, third] = service.waits();
    expect(service.ids()).toHaveLength(4);
    expect(first).toBeGreaterThan(18);
    expect(second).toBeGreaterThan(38);
    expect(third).toBeGreaterThan(78);
  });

  it('ends with its signal while it waits, and frees its connection with the loop', async () => {
    const abort = new AbortController();
    const service = await serve(sends('retry: 60000\ndata: a\n\n'));
    setTimeout(() => abort.abort(new Error('enough')), 50);
    const { error } = await eventsOf(service, true, { signal: abort.signal });
    expect(error).toEqual(new Error('enough'));
    const gone = Promise.withResolvers<void>();
    const open = await serve((response) => {
      response.on('close', () => gone.resolve());
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const reply = await watchToys(open.connection, {}, { reconnect: true });
    if (reply.type !== 'text/event-stream') throw new Error('expected events');
    for await (const _ of reply.body) break;
    await gone.promise;
  });

  it('frees a connection that is never read', async () => {
    const gone = Promise.withResolvers<void>();
    const { connection } = await serve((response) => {
      response.on('close', () => gone.resolve());
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const { body } = await watchToys(connection, {}, { reconnect: true });
    await (body as AsyncIterableIterator<unknown>).return!();
    await gone.promise;
  });

  it('returns other bodies as they are', async () => {
    const service = await serve((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('[1]');
    });
    expect(await eventsOf(service)).toMatchObject({ reply: { body: [1] } });
  });

  it.each([
    [{ limit: -1 }, RangeError],
    [{ delayMs: 0.5 }, RangeError],
    [{ delayMs: '1' as never }, TypeError],
  ])('rejects %j', async (reconnect, kind) => {
    expect((await eventsOf(await serve(), reconnect)).error).toBeInstanceOf(kind);
  });
});
