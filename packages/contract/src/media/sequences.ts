// Sequential media types: the items of a body, and server-sent events (WHATWG HTML, section 9.2).

import { isObject } from '../document/node.ts';
import { contentTooLarge } from '../errors/problem.ts';
import {
  NotSerializable,
  parseJsonBody,
  parseJsonText,
  plainData,
  toText,
  writeJson,
} from '../json/json.ts';
import { isJsonMediaType } from '../operations/mediaType.ts';
import { type Coercion, Coercions } from '../schema/coercion.ts';
import type { SchemaError } from '../schema/evaluation.ts';
import { commonTypes, type Schema } from '../schema/model.ts';
import { describeErrors, type Validate, type Validators } from '../schema/validator.ts';
import { serializerOf, type Writer } from './jsonWriter.ts';

/** The items of one entry of `content`, compiled. */
export interface ItemCodec {
  readonly write: ItemWriter;
  /**
   * @yields the items of a body as soon as they have arrived, before their validation
   * @throws {Problem} 40001 or 40004 for a malformed item, 41300 for one that is longer than MAX_ITEM_BYTES
   */
  read(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void, undefined>;
  /** @returns the errors of an invalid item; none for a valid one */
  errorsOf(item: unknown): readonly SchemaError[];
  /** @returns a valid item for the application: an int64 as a bigint, with defaults */
  coerced(item: unknown): unknown;
  /** Only for formats that can say more than items. */
  readonly signals?: StreamSignals;
}

/**
 * @param isValidated false to send an invalid item unchanged
 * @returns an item with its delimiters
 * @throws {NotSerializable} for an item that is invalid or has no serialization
 */
export type ItemWriter = (item: unknown, isValidated: boolean) => string;

/** What a format sends besides items. */
export interface StreamSignals {
  /** Ignored by clients. */
  readonly keepAlive: string;
  /** @returns the field that asks the client to connect again after so many milliseconds */
  reconnect(ms: number): string;
  /** @returns an item that describes an error; undefined if the contract does not allow it */
  error(problem: { readonly title: string; readonly status: number }): string | undefined;
}

/** Limits the memory for one item of a request. */
const MAX_ITEM_BYTES = 1024 * 1024;

/** @returns the errors of a value; none for a valid one */
function errorsIn(validate: Validate, value: unknown): readonly SchemaError[] {
  return validate(value) ? [] : validate.errorsOf(value);
}

/** The items of a body; a string is not one. */
export type ItemSource = Iterable<unknown> | AsyncIterable<unknown>;

/** @returns the mapped item; undefined leaves it out */
type MapItem = (item: unknown, at: number) => unknown;

/**
 * Not a generator: a generator passes `return` on after its pending item, which may never arrive.
 *
 * @returns an iterable whose end reaches the source at once
 */
export function mappedItems(items: ItemSource, map: MapItem): AsyncIterableIterator<unknown> {
  const source =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let at = 0;
  const end = async (value?: unknown): Promise<IteratorResult<unknown>> => {
    await source.return?.(value);
    return { done: true, value: undefined };
  };
  const next = async (): Promise<IteratorResult<unknown>> => {
    for (;;) {
      const read = await source.next();
      if (read.done) return read;
      try {
        const value = await map(read.value, at++);
        if (value !== undefined) return { done: false, value };
      } catch (error) {
        await end();
        throw error;
      }
    }
  };
  return {
    next,
    return: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** @returns the items @throws the error that `fail` returns, for the first item that is invalid */
export function checkedItems(
  items: ItemSource,
  codec: ItemCodec,
  fail: (violation: string) => Error,
): AsyncIterableIterator<unknown> {
  return mappedItems(items, (item, at) => {
    const value = plainData(item);
    const errors = codec.errorsOf(value);
    if (errors.length > 0) throw fail(`item ${at}: ${describeErrors(errors, '')}`);
    return value;
  });
}

/** @param item of one line @returns the codec of JSON Lines: one JSON value a line */
export function jsonLines(item: Schema, validators: Validators): ItemCodec {
  const validate = validators.at(item.pointer);
  const coercion = new Coercions(validators).at(item.pointer);
  const serialize = serializerOf(validators, item);
  return {
    write(given, isValidated) {
      const value = plainData(given);
      if (value === undefined)
        throw new NotSerializable(`expected a JSON value, got ${typeof given}`);
      if (isValidated) expectNone(errorsIn(validate, value));
      return `${isValidated ? serialize(value) : writeJson(value)}\n`;
    },
    async *read(body) {
      for await (const bytes of linesOf(body, { isEvents: false })) {
        const text = toText(bytes);
        if (text.trim() !== '') yield parseJsonBody(bytes, text);
      }
    },
    errorsOf: (value) => errorsIn(validate, value),
    coerced: coercion ?? ((value) => value),
  };
}

/** @throws {NotSerializable} for an invalid item */
function expectNone(errors: readonly SchemaError[]): void {
  if (errors.length > 0) throw new NotSerializable(describeErrors(errors, ''));
}

/** An object with the fields of an event. */
type Event = Readonly<Record<string, unknown>>;

interface CompiledData extends DataContent {
  /** Undefined for JSON of any value. */
  readonly validate: Validate | undefined;
  readonly write: Writer;
  readonly coercion: Coercion | undefined;
}

/** Server-sent events: the `data` of one is a string, or by `contentSchema` or its type the JSON of a value. */
export class EventItems implements ItemCodec {
  readonly signals: StreamSignals = {
    keepAlive: ':\n\n',
    reconnect: (ms) => `retry: ${ms}\n\n`,
    error: (problem) => this.#tryWrite({ event: 'error', data: problem }),
  };
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

  readonly write: ItemWriter = (given, isValidated) => {
    const item = plainData(given);
    if (!isObject(item)) throw new NotSerializable('expected an event, an object with data');
    if (isValidated) expectNone(this.errorsOf(item));
    const content = this.#contentOf(item);
    const data = isValidated && content ? content.write(item.data) : textOf(item.data);
    return eventText(item, data);
  };

  async *read(body: AsyncIterable<Uint8Array>): AsyncGenerator<Event, void, undefined> {
    for await (const event of eventsOf(body)) yield this.#decoded(event);
  }

  #tryWrite(item: Event): string | undefined {
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
  #decoded(event: Event): Event {
    const content = this.#contentOf(event);
    if (content === undefined || typeof event['data'] !== 'string') return event;
    return { ...event, data: parseJsonText(event['data']) };
  }

  coerced(item: unknown): Event {
    const event = item as Event;
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
  let isFirst = true;
  for await (const bytes of linesOf(body, { isEvents: true })) {
    const line = isFirst ? bytes.toString().replace(/^\uFEFF/, '') : bytes.toString();
    isFirst = false;
    length += bytes.length;
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

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * @param options.isEvents true if a carriage return ends a line too, and if a line without an end is incomplete
 * @yields each line as soon as its end has arrived; the time is linear in the length of the body
 * @throws {Problem} 41300 for a line that is longer than MAX_ITEM_BYTES
 */
async function* linesOf(
  body: AsyncIterable<Uint8Array>,
  { isEvents }: { readonly isEvents: boolean },
): AsyncGenerator<Buffer, void, undefined> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array) => {
    length += piece.length;
    if (length > MAX_ITEM_BYTES) throw contentTooLarge(MAX_ITEM_BYTES);
    pieces.push(piece);
  };
  const line = () => {
    const bytes = Buffer.concat(pieces);
    pieces = [];
    length = 0;
    return bytes;
  };
  let isAfterReturn = false;
  for await (const chunk of body) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      const isReturn = isEvents && byte === CARRIAGE_RETURN;
      if (byte === LINE_FEED && isAfterReturn) from = at + 1;
      else if (byte === LINE_FEED || isReturn) {
        add(chunk.subarray(from, at));
        yield line();
        from = at + 1;
      }
      isAfterReturn = isReturn;
    }
    add(chunk.subarray(from));
  }
  if (!isEvents) yield line();
}

/** A declaration of `data` as JSON. */
export interface DataContent {
  /** Of the value; undefined for any JSON. */
  readonly schema: Schema | undefined;
  /** True if the schema of `data` itself has no string: then it describes the value, not its text. */
  readonly isValue: boolean;
  /** The values of `event` for which it applies; undefined if `branch` decides. */
  readonly events: ReadonlySet<unknown> | undefined;
  /** The alternative that contains it; undefined if it always applies. */
  readonly branch: Schema | undefined;
}

/** @param item the schema of events @returns alternatives before what always applies */
export function dataContentsOf(item: Schema): DataContent[] {
  return collect(item, undefined, new Set());
}

function collect(schema: Schema, branch: Schema | undefined, seen: Set<Schema>): DataContent[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const parts = schema.conjuncts;
  const inner = parts.flatMap((part) =>
    [...part.list('oneOf'), ...part.list('anyOf')].flatMap((schema) =>
      collect(schema, schema, seen),
    ),
  );
  const data = parts.flatMap((part) => part.map('properties').get('data')?.conjuncts ?? []);
  const content = contentOf(data);
  if (content === undefined) return inner;
  return [...inner, { ...content, branch, events: branch && listedEvents(branch) }];
}

function contentOf(data: readonly Schema[]): Pick<DataContent, 'schema' | 'isValue'> | undefined {
  const json = data.find(({ keywords }) => isJsonMediaType(keywords.contentMediaType));
  if (json !== undefined) {
    const pointer = `${json.pointer}/contentSchema`;
    const schema = json.has('contentSchema') ? json.model.at(pointer) : undefined;
    return { schema, isValue: false };
  }
  const types = commonTypes(data);
  if (types === undefined || types.includes('string')) return undefined;
  return { schema: data.at(-1)!, isValue: true };
}

/** @returns the listed values of `event`; undefined if they are not listed */
function listedEvents({ conjuncts }: Schema): Set<unknown> | undefined {
  for (const part of conjuncts) {
    for (const { keywords } of part.map('properties').get('event')?.conjuncts ?? []) {
      if (keywords.const !== undefined) return new Set([keywords.const]);
      if (Array.isArray(keywords.enum)) return new Set(keywords.enum);
    }
  }
  return undefined;
}
