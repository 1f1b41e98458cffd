// Reads and writes streams of events and of JSON values as async iterables.
import { type BodyWriter, isBytes, streamOf } from './bodies.ts';
import { UnreadableBody } from './errors.ts';
import { type Exact, toJson } from './json.ts';
import { type BodyReader, jsonOf, type Reading } from './replies.ts';
import { bodyStream, freeing } from './timeLimit.ts';

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

/** How a stream of events continues: of the last id and `retry`, also without data. */
export interface StreamPosition {
  id?: string;
  retry?: number;
}

/** The events of one connection. */
export interface EventIterator extends AsyncIterableIterator<StreamEvent, void, undefined> {
  readonly position: StreamPosition;
}

const EVENT_LINE = /\r\n|\n|\r(?!$)/;
const JSON_LINE = /\n/;

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
  return streamReader(async function* (response, position) {
    let pending: { event?: string; data?: string; retry?: number } = {};
    for await (const line of linesOf(response, EVENT_LINE)) {
      if (line === '') {
        const { event, data, retry } = pending;
        pending = {};
        if (data === undefined) continue;
        const own = Object.hasOwn(byEvent, event!) ? byEvent[event!] : exact;
        const value = own === undefined ? data : jsonOf(data, own || undefined);
        yield { event, data: value, id: position.id, retry };
        continue;
      }
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line)!;
      if (name === 'data') {
        pending.data = pending.data === undefined ? value : `${pending.data}\n${value}`;
      } else if (name === 'event') pending.event = value;
      else if (name === 'id' && !value.includes('\0')) position.id = value;
      else if (name === 'retry' && /^\d+$/.test(value)) {
        position.retry = pending.retry = Number(value);
      }
    }
  });
}

/** Reads JSON Lines and NDJSON. */
export function receiveJsonLines(exact?: Exact): BodyReader {
  return streamReader(async function* (response) {
    for await (const line of linesOf(response, JSON_LINE)) {
      if (line.trim() !== '') yield jsonOf(line, exact);
    }
  });
}

/** Writes iterables as JSON Lines. */
export const sendJsonLines: BodyWriter = itemWriter((value) => `${toJson(value)}\n`);

/**
 * Writes iterables of events as `text/event-stream`.
 *
 * @param exact given for events whose data is JSON @param byEvent those whose data is JSON, by their names
 */
export function sendEvents(
  exact?: DataExact,
  byEvent: Readonly<Record<string, DataExact>> = {},
): BodyWriter {
  return itemWriter((value) => {
    const { event, data, id, retry } = value as Readonly<Record<string, unknown>>;
    const isJson = exact !== undefined || Object.hasOwn(byEvent, String(event));
    const text = typeof data === 'string' && !isJson ? data : toJson(data);
    return [
      ...fieldLines('event', event),
      ...fieldLines('id', id),
      ...fieldLines('retry', retry),
      ...(data === undefined ? [] : text.split(/\r\n|\n|\r/).map((line) => `data: ${line}\n`)),
      '\n',
    ].join('');
  });
}

function fieldLines(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  const text = String(value);
  if (/[\r\n\0]/.test(text)) throw new TypeError(`${name} expected one line without NUL`);
  return [`${name}: ${text}\n`];
}

function itemWriter(write: (value: unknown) => string): BodyWriter {
  return (values, type) => {
    if (isBytes(values)) return { body: values, type };
    return { body: streamOf(chunksOf(values as Iterable<unknown>, write)), type };
  };
}

async function* chunksOf(
  values: Iterable<unknown> | AsyncIterable<unknown>,
  write: (value: unknown) => string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const value of values) yield encoder.encode(write(value));
}

type Items = (
  response: Pick<Response, 'headers' | 'body'>,
  position: StreamPosition,
) => AsyncGenerator<unknown, void, undefined>;

function streamReader(items: Items): BodyReader {
  const read = async (response: Response, reading: Reading) => {
    const stream = bodyStream(response, reading);
    const position: StreamPosition = {};
    const readable = readItems(
      items({ headers: response.headers, body: stream }, position),
      reading,
    );
    // A copy of the response would delay the end.
    const iterator = freeing(readable, () => void stream.cancel().catch(() => {}));
    return Object.assign(iterator, { position });
  };
  return Object.assign(read, { isStream: true });
}

async function* readItems(
  items: AsyncGenerator<unknown, void, undefined>,
  { undeclared }: Reading,
): AsyncGenerator<unknown, void, undefined> {
  try {
    yield* items;
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error;
    throw await undeclared(error.message, error.cause);
  }
}

/** @param end of a line, which the last one may lack */
async function* linesOf(
  { body }: Pick<Response, 'body'>,
  end: RegExp,
): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  try {
    for (let isDone = false; !isDone; ) {
      const { value, done } = await reader.read();
      isDone = done;
      const piece = decoder.decode(value, { stream: !done });
      if (piece === '') continue;
      const before = pieces.at(-1)?.at(-1) ?? '';
      pieces.push(piece);
      // Splitting at each piece of a long line would take quadratic time.
      if (!end.test(before + piece)) continue;
      const lines = pieces.join('').split(end);
      pieces = [lines.pop()!];
      yield* lines;
    }
    const rest = pieces.join('');
    // Without a line end, the line of an event was cut off.
    if (end !== EVENT_LINE || rest.endsWith('\r')) yield rest.replace(/\r$/, '');
  } finally {
    // Frees the connection of a loop that ends early. A copy of the response would delay the end.
    reader.cancel().catch(() => {});
  }
}
