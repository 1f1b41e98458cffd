// Reads and writes streams of events and of JSON values as async iterables.
import type { BodyWriter } from './bodies.ts';
import { type Exact, parse, stringify } from './json.ts';
import type { BodyReader } from './replies.ts';

/** An event of `text/event-stream` (WHATWG HTML, section 9.2). */
export interface StreamEvent<Data = string> {
  /** Undefined for an event without a name. */
  readonly event: string | undefined;
  readonly data: Data;
  /** The id of the last event that had one. */
  readonly id: string | undefined;
  /** Milliseconds to wait before a reconnection. */
  readonly retry: number | undefined;
}

const EVENT_LINE = /\r\n|\n|\r(?!$)/;
const JSON_LINE = /\n|\x1e/;

/** Of data that is JSON; 0 for JSON without int64. */
type DataExact = Exact | 0;

/**
 * Reads `text/event-stream`.
 *
 * @param exact of events whose data is JSON @param byEvent of those whose data is JSON, by their names
 */
export function receiveEvents(
  exact?: DataExact,
  byEvent: Readonly<Record<string, DataExact>> = {},
): BodyReader {
  return streamReader(async function* (response) {
    let pending: { event?: string; data?: string; retry?: number } = {};
    let id: string | undefined;
    for await (const line of linesOf(response, EVENT_LINE)) {
      if (line === '') {
        const { event, data, retry } = pending;
        pending = {};
        if (data === undefined) continue;
        const own = Object.hasOwn(byEvent, event!) ? byEvent[event!] : exact;
        const value = own === undefined ? data : parse(data, own || undefined);
        yield { event, data: value, id, retry };
        continue;
      }
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line)!;
      if (name === 'data') {
        pending.data = pending.data === undefined ? value : `${pending.data}\n${value}`;
      } else if (name === 'event') pending.event = value;
      else if (name === 'id' && !value.includes('\0')) id = value;
      else if (name === 'retry' && /^\d+$/.test(value)) pending.retry = Number(value);
    }
  });
}

/** Reads JSON Lines, NDJSON, and JSON text sequences (RFC 7464). */
export function receiveJsonLines(exact?: Exact): BodyReader {
  return streamReader(async function* (response) {
    for await (const line of linesOf(response, JSON_LINE)) {
      if (line.trim() !== '') yield parse(line, exact);
    }
  });
}

/** @param start of each value: U+001E in a JSON text sequence @returns a writer of iterables */
export function sendJsonLines(start = ''): BodyWriter {
  return (values, type) => {
    const lines = linesFrom(values as Iterable<unknown> | AsyncIterable<unknown>, start);
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value, done } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await lines.return(undefined);
      },
    });
    return { body, type };
  };
}

async function* linesFrom(
  values: Iterable<unknown> | AsyncIterable<unknown>,
  start: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const value of values) yield encoder.encode(`${start}${stringify(value)}\n`);
}

type Items = (response: Response) => AsyncGenerator<unknown, void, undefined>;

/** The connection is freed when the iteration ends. */
function streamReader(items: Items): BodyReader {
  const read = async (response: Response, release: () => void) =>
    (async function* () {
      try {
        yield* items(response);
      } finally {
        release();
      }
    })();
  return Object.assign(read, { isStream: true });
}

/** @param end of a line, which the last one may lack */
async function* linesOf({ body }: Response, end: RegExp): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  try {
    for (let isDone = false; !isDone; ) {
      const { value, done } = await reader.read();
      isDone = done;
      const piece = decoder.decode(value, { stream: !done });
      pieces.push(piece);
      // Splitting at each piece of a long line would take quadratic time.
      if (!end.test(piece) && !piece.startsWith('\n')) continue;
      const lines = pieces.join('').split(end);
      pieces = [lines.pop()!];
      yield* lines;
    }
    const rest = pieces.join('').replace(/\r$/, '');
    yield rest;
  } finally {
    // Frees the connection of a loop that ends early.
    await reader.cancel().catch(() => {});
  }
}
