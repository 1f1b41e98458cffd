// Streams of events that reconnect (WHATWG HTML, section 9.2.3).

import type { AnyReply } from './anyReply.ts';
import type { AnyCall, AnyRequest } from './connection.ts';
import { ErrorReply, NoResponse } from './errors.ts';
import type { OperationFunction } from './operation.ts';
import { expectIntegers, type ReadOptions, type ReconnectOptions } from './options.ts';
import { sleep } from './send.ts';
import type { EventIterator } from './streams.ts';
import { freeing } from './timeLimit.ts';

const LAST_ID = 'Last-Event-ID';
const LONGEST_DELAY_MS = 30_000;

/** The operation with streams of events that reconnect if the option `reconnect` asks for it. */
export function withReconnection<Operation>(
  call: OperationFunction<Operation>,
): OperationFunction<Operation> {
  const open: AnyCall = call as never;
  const reconnecting: AnyCall = async (connection, request = {}, options = {}) => {
    const { reconnect, signal } = options;
    if (!reconnect) return open(connection, request, options);
    const how = reconnect === true ? {} : reconnect;
    expectIntegers({ 'reconnect.limit': how.limit, 'reconnect.delayMs': how.delayMs }, 0);
    const reply = await open(connection, request, options);
    if (!hasEvents(reply)) return reply;
    const again = (id: string | undefined) => {
      const headers = resumedHeaders(options, id);
      return open(connection, resumedRequest(request, id), { ...options, headers });
    };
    const first = reply.body as EventIterator;
    const body = freeing(eventsOf(first, again, how, signal), () => first.return?.());
    return { ...reply, body };
  };
  return Object.assign(reconnecting, { operationId: call.operationId }) as never;
}

function hasEvents({ type = '' }: AnyReply): boolean {
  return /^text\/event-stream\b/i.test(type);
}

/** @param id of the last event; an empty one is not sent */
function resumedHeaders({ headers }: ReadOptions, id: string | undefined): Headers {
  const all = new Headers(headers);
  if (id === undefined) return all;
  all.delete(LAST_ID);
  // A header has bytes, which are those of UTF-8.
  if (id !== '') all.set(LAST_ID, String.fromCharCode(...new TextEncoder().encode(id)));
  return all;
}

/** Without the id that the first request has. */
function resumedRequest(request: AnyRequest, id: string | undefined): AnyRequest {
  if (id === undefined) return request;
  const isOther = ([name]: [string, unknown]) => name.toLowerCase() !== LAST_ID.toLowerCase();
  const header = Object.fromEntries(Object.entries(request.header ?? {}).filter(isOther));
  return { ...request, header };
}

async function* eventsOf(
  first: EventIterator,
  again: (id: string | undefined) => Promise<AnyReply>,
  { limit = Infinity, delayMs = 3000 }: ReconnectOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void, undefined> {
  let id: string | undefined;
  let retryMs = delayMs;
  // Connections without an event.
  let failures = 0;
  for (let body: EventIterator | undefined = first; ; body = undefined) {
    let failure: unknown;
    failures++;
    try {
      if (body === undefined) {
        const reply = await again(id);
        if (reply.status === 204) return;
        if (!hasEvents(reply)) throw new ErrorReply(reply);
        body = reply.body as EventIterator;
      }
      for await (const event of body) {
        failures = 0;
        yield { ...event, id: event.id ?? id };
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof NoResponse)) throw error;
      failure = error;
    }
    ({ id = id, retry: retryMs = retryMs } = body?.position ?? {});
    if (failures >= limit) {
      if (failure !== undefined) throw failure;
      return;
    }
    const longer = Math.min(LONGEST_DELAY_MS, retryMs * 2 ** failures);
    await sleep(Math.max(retryMs, longer), signal);
  }
}
