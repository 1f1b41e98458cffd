// Parses server-sent events (WHATWG HTML, section 9.2.6).
import { contentTooLarge } from '../../errors/problem.ts';
import { MAX_ITEM_BYTES } from './itemCodec.ts';

/** The fields of an event as they were sent. */
interface SentEvent {
  event?: string;
  data?: string;
  id?: string;
  retry?: number;
}

/** @yields each event; comments and unknown fields are ignored, and so is an event without its end */
export async function* eventsOf(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Readonly<Record<string, unknown>>, void, undefined> {
  let event: SentEvent = {};
  let length = 0;
  for await (const line of linesOf(body)) {
    length += line.length;
    if (length > MAX_ITEM_BYTES) throw contentTooLarge(MAX_ITEM_BYTES);
    if (line === '') {
      if (Object.keys(event).length > 0) yield event as Readonly<Record<string, unknown>>;
      event = {};
      length = 0;
      continue;
    }
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line)!;
    if (name === 'data') event.data = event.data === undefined ? value : `${event.data}\n${value}`;
    else if (name === 'event') event.event = value;
    else if (name === 'id' && !value.includes('\0')) event.id = value;
    else if (name === 'retry' && /^\d{1,15}$/.test(value)) event.retry = Number(value);
  }
}

/** A carriage return at the end of a chunk may be the start of a line end. */
const LINE_END = /\r\n|\n|\r(?!$)/;

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of body) {
    const piece = decoder.decode(chunk, { stream: true });
    // The first bytes of a character.
    if (piece === '') continue;
    const isAfterReturn = pieces.at(-1)?.endsWith('\r') === true;
    pieces.push(piece);
    length += piece.length;
    // Splitting at each piece of a long line would take quadratic time.
    if (!isAfterReturn && !LINE_END.test(piece)) {
      if (length > MAX_ITEM_BYTES) throw contentTooLarge(MAX_ITEM_BYTES);
      continue;
    }
    const lines = pieces.join('').split(LINE_END);
    pieces = [lines.pop()!];
    length = pieces[0]!.length;
    yield* lines;
  }
  const rest = pieces.join('') + decoder.decode();
  // Without a line end, the line was cut off.
  if (rest.endsWith('\r')) yield rest.slice(0, -1);
}
