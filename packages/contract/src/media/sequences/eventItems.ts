// Server-sent events (WHATWG HTML, section 9.2): each item is an object with `data`, `event`, `id`, `retry`.
import { isObject } from '../../document/node.ts';
import { contentTooLarge } from '../../errors/problem.ts';
import { NotSerializable, parseJsonText, plainData, writeJson } from '../../json/json.ts';
import { type Coercion, Coercions } from '../../schema/coercion.ts';
import type { Schema } from '../../schema/model.ts';
import type { SchemaError } from '../../schema/schemaErrors.ts';
import { describeErrors, type Validate, type Validators } from '../../schema/validator.ts';
import { serializerOf, type Writer } from '../jsonWriter.ts';
import { type DataContent, dataContentsOf } from './eventData.ts';
import { errorsIn, type ItemCodec, MAX_ITEM_BYTES } from './itemCodec.ts';

/** @param item of the event: its `data` is a string, or by `contentSchema` or its type the JSON of a value */
export function eventItems(item: Schema, validators: Validators): ItemCodec {
  const codec = new EventItems(item, validators);
  return {
    write: (event, isValidated) => codec.write(event, isValidated),
    async *read(body) {
      for await (const event of eventsOf(body)) yield codec.decoded(event);
    },
    errorsOf: (event) => codec.errorsOf(event),
    coerced: (event) => codec.coerced(event as Event),
    signals: {
      keepAlive: ':\n\n',
      reconnect: (ms) => `retry: ${ms}\n\n`,
      error: (problem) => codec.tryWrite({ event: 'error', data: problem }),
    },
  };
}

/** An object with the fields of an event. */
type Event = Readonly<Record<string, unknown>>;

interface CompiledData extends DataContent {
  /** Undefined for JSON of any value. */
  readonly validate: Validate | undefined;
  readonly write: Writer;
  readonly coercion: Coercion | undefined;
}

class EventItems {
  readonly #validators: Validators;
  readonly #validate: Validate;
  readonly #coercion: Coercion | undefined;
  readonly #contents: readonly CompiledData[];

  constructor(item: Schema, validators: Validators) {
    const coercions = new Coercions(validators);
    this.#coercion = coercions.at(item.pointer);
    this.#validators = validators;
    this.#validate = validators.at(item.pointer);
    this.#contents = dataContentsOf(item).map((content) => {
      const { schema } = content;
      const validate = schema && validators.at(schema.pointer);
      return {
        ...content,
        validate,
        coercion: schema && coercions.at(schema.pointer),
        write: schema === undefined ? writeJson : serializerOf(validators, schema),
      };
    });
  }

  write(given: unknown, isValidated: boolean): string {
    const item = plainData(given);
    if (!isObject(item)) throw new NotSerializable('expected an event, an object with data');
    if (isValidated) {
      const errors = this.errorsOf(item);
      if (errors.length > 0) throw new NotSerializable(describeErrors(errors, ''));
    }
    const content = this.#contentOf(item);
    const data = isValidated && content ? content.write(item.data) : textOf(item.data);
    return eventText(item, data);
  }

  tryWrite(item: Event): string | undefined {
    try {
      return this.write(item, true);
    } catch (error) {
      if (error instanceof NotSerializable) return undefined;
      throw error;
    }
  }

  errorsOf(item: unknown): readonly SchemaError[] {
    if (!isObject(item)) return errorsIn(this.#validate, item);
    const content = this.#contentOf(item);
    if (content?.isValue === true) return errorsIn(this.#validate, item);
    if (content !== undefined && content.validate?.(item.data) === false) {
      return content.validate.errorsOf(item.data).map((error) => ({
        ...error,
        pointer: `/data${error.pointer}`,
      }));
    }
    return errorsIn(this.#validate, content === undefined ? item : withText(item));
  }

  /** @returns an event whose data is the value that its text represents @throws {Problem} 40001 */
  decoded(event: Event): Event {
    const content = this.#contentOf(event);
    if (content === undefined || typeof event['data'] !== 'string') return event;
    return { ...event, data: parseJsonText(event['data']) };
  }

  coerced(event: Event): Event {
    const { coercion, isValue } = this.#contentOf(event) ?? {};
    const coerced = (this.#coercion?.(event) ?? event) as Event;
    if (coercion === undefined || isValue) return coerced;
    return { ...coerced, data: coercion(event['data']) };
  }

  /** @returns the declaration of the data as JSON; undefined for data that is text */
  #contentOf(item: Event): CompiledData | undefined {
    if (item['data'] === undefined) return undefined;
    return this.#contents.find(({ events, branch, isValue }) => {
      if (events !== undefined) return events.has(item['event']);
      if (branch === undefined) return true;
      return this.#validators.at(branch.pointer)(isValue ? item : withText(item));
    });
  }
}

function withText(item: Event): Event {
  return typeof item['data'] === 'string' ? item : { ...item, data: textOf(item['data']) };
}

function textOf(data: unknown): string | undefined {
  return data === undefined || typeof data === 'string' ? data : writeJson(data);
}

const LINE_END = /\r\n|\n|\r/;

/** @throws {NotSerializable} for a field that the format cannot represent */
function eventText({ event, id, retry }: Event, data: string | undefined): string {
  let text = '';
  if (event !== undefined) text += `event: ${oneLine('event', event)}\n`;
  if (id !== undefined) text += `id: ${oneLine('id', id)}\n`;
  if (retry !== undefined) text += `retry: ${digits(retry)}\n`;
  if (data === undefined) return `${text}\n`;
  if (!data.includes('\n') && !data.includes('\r')) return `${text}data: ${data}\n\n`;
  const lines = data.split(LINE_END).map((line) => `data: ${line}\n`);
  return `${text}${lines.join('')}\n`;
}

function oneLine(name: string, value: unknown): string {
  const text = String(value);
  if (/[\r\n\0]/.test(text)) throw new NotSerializable(`/${name} expected one line without NUL`);
  return text;
}

function digits(retry: unknown): string {
  if (/^\d+$/.test(String(retry))) return String(retry);
  throw new NotSerializable('/retry expected a number of milliseconds');
}

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
const WHOLE_LINE_END = /\r\n|\n|\r(?!$)/;

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
    if (!isAfterReturn && !WHOLE_LINE_END.test(piece)) {
      if (length > MAX_ITEM_BYTES) throw contentTooLarge(MAX_ITEM_BYTES);
      continue;
    }
    const lines = pieces.join('').split(WHOLE_LINE_END);
    pieces = [lines.pop()!];
    length = pieces[0]!.length;
    yield* lines;
  }
  const rest = pieces.join('') + decoder.decode();
  // Without a line end, the line was cut off.
  if (rest.endsWith('\r')) yield rest.slice(0, -1);
}
