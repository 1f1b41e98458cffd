// The conversions of dates and of integers of 64 bits to other types.

import type { AnyReply } from './anyReply.ts';
import { isBytes } from './bodies.ts';
import type { AnyCall, AnyRequest } from './connection.ts';
import {
  type ContentConversions,
  type Conversion,
  Converter,
  exactIn,
  NotConvertible,
  writtenPart,
} from './conversion.ts';
import { UndeclaredResponse } from './errors.ts';
import type { Exact, ExactHolder } from './json.ts';
import { tagOf } from './mediaTypes.ts';
import { LOCATIONS, type OperationFunction } from './operation.ts';
import { specOf } from './replies.ts';
import { freeing } from './timeLimit.ts';

export { selecting } from './conversion.ts';

/** The parts of an operation that are converted. */
export interface ConversionSpec {
  readonly path?: Exact;
  readonly query?: Exact;
  readonly header?: Exact;
  readonly cookie?: Exact;
  /** All media types of the request, as in `OperationSpec`. */
  readonly bodies?: ContentConversions;
  /** All declared statuses. */
  readonly replies?: Readonly<Record<string, ReplyConversions>>;
}

interface ReplyConversions {
  readonly headers?: Exact;
  readonly content?: ContentConversions;
}

/** The operation with conversions of its requests, and of its replies. */
export function withConversions<Operation>(
  call: OperationFunction<Operation>,
  spec: ConversionSpec,
): OperationFunction<Operation> {
  const send: AnyCall = call as never;
  const { operationId } = call;
  const converting: AnyCall = async (connection, request = {}, options = {}) => {
    const reply = await send(connection, sentRequest(operationId, spec, request), options);
    return receivedReply(spec, reply);
  };
  return Object.assign(converting, { operationId, conversions: spec }) as never;
}

/** @throws {TypeError} */
function sentRequest(id: string, spec: ConversionSpec, request: AnyRequest): AnyRequest {
  const write = (exact: Exact | undefined, value: unknown, location: string) =>
    writtenPart(id, exact, value, location);
  const parts = LOCATIONS.filter((location) => spec[location] && request[location] !== undefined);
  const parameters = parts.map((part) => [part, write(spec[part], request[part], part)]);
  const { body, mediaType } = request;
  const exact = spec.bodies && exactIn(spec.bodies, mediaType ?? Object.keys(spec.bodies)[0]!);
  const own =
    exact === undefined || isBytes(body)
      ? body
      : isSequence(body)
        ? convertedItems(body, (item, at) => write(itemsIn(exact), item, `body/${at}`))
        : write(exact, body, 'body');
  return {
    ...request,
    ...Object.fromEntries(parameters),
    ...(body !== undefined && { body: own }),
  };
}

type Items = Iterable<unknown> | AsyncIterable<unknown>;

function isSequence(body: unknown): body is Items {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  if (body instanceof FormData || body instanceof URLSearchParams) return false;
  return Symbol.iterator in body || Symbol.asyncIterator in body;
}

/** The generator describes a sequence as an array. */
function itemsIn(exact: Exact): Exact {
  return (exact as ExactHolder).items ?? [];
}

/** @throws {UndeclaredResponse} */
function receivedReply({ replies = {} }: ConversionSpec, reply: AnyReply): AnyReply {
  const { operationId, response, headers, type, body } = reply;
  const read = (exact: Exact, value: unknown, location: string) => {
    try {
      return new Converter('read').convert(exact, value, location);
    } catch (error) {
      if (!(error instanceof NotConvertible)) throw error;
      const { location: at, got, conversion } = error;
      const reason = `got ${got} for ${conversion.wire} at ${at}`;
      throw new UndeclaredResponse({ operationId, reason, response }, value);
    }
  };
  const spec = specOf(replies, reply.status) ?? {};
  const exact = spec.content && type && exactIn(spec.content, type);
  const own = spec.headers && read(spec.headers, headers, 'headers');
  const converted = { ...reply, headers: (own as typeof headers) ?? headers };
  if (!exact || isBytes(body)) return converted;
  if (!isItems(body)) return { ...converted, body: read(exact, body, 'body') };
  const readItem = (item: unknown, at: number) => read(itemsIn(exact), item, `body/${at}`);
  return { ...converted, body: freeing(convertedItems(body, readItem), () => body.return?.()) };
}

function isItems(body: unknown): body is AsyncIterableIterator<unknown, void, undefined> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

async function* convertedItems(
  items: Items,
  convert: (item: unknown, at: number) => unknown,
): AsyncGenerator<unknown, void, undefined> {
  let at = 0;
  for await (const item of items) yield convert(item, at++);
}

const text: Conversion = {
  wire: 'an integer of 64 bits',
  type: 'the digits of an integer of 64 bits',
  read: (wire) => integerOf(wire)?.toString(),
  write: (value) =>
    typeof value === 'string' && /^(?:0|-?[1-9]\d*)$/.test(value)
      ? BigInt(value)
      : integerOf(value),
};

const number: Conversion = {
  wire: 'an integer of at most 53 bits',
  type: 'a safe integer',
  read: safeNumber,
  write: safeNumber,
};

/** The first part makes bigints of JSON. */
export const int64AsString: Exact = [1, text];
export const int64AsNumber: Exact = [1, number];

function integerOf(value: unknown): bigint | undefined {
  return typeof value === 'bigint' || Number.isSafeInteger(value)
    ? BigInt(value as bigint)
    : undefined;
}

function safeNumber(value: unknown): number | undefined {
  const integer = Number(integerOf(value));
  return Number.isSafeInteger(integer) ? integer : undefined;
}

/** As the engine reads it: its tests compare the two. */
const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** `date-time` as a Date: to milliseconds, in UTC. */
export const dateTimeAsDate: Conversion = {
  wire: 'a date-time',
  type: 'a Date of the years 0 to 9999',
  read: (wire) => (isDateTime(wire) ? instantOf(wire) : undefined),
  write: (value) => validText(isDate(value) ? value.toJSON() : value, isDateTime),
};

/** `date` as a Date at midnight, in UTC. */
export const dateAsDate: Conversion = {
  wire: 'a date',
  type: 'a Date at midnight in UTC',
  read: (wire) => (isFullDate(wire) ? new Date(wire) : undefined),
  write(value) {
    const text = isDate(value) ? value.toJSON()?.replace(/T00:00:00\.000Z$/, '') : value;
    return validText(text, isFullDate);
  },
};

/** True for the text of a `date-time`. */
export function isDateTime(value: unknown): value is string {
  const [, day, minutes, seconds, , zone] =
    DATE_TIME.exec(typeof value === 'string' ? value : '') ?? [];
  if (!isFullDate(day)) return false;
  // A leap second ends a day in UTC.
  const minute = new Date(`${day}T${minutes}:00${zone?.toUpperCase()}`);
  return seconds !== '60' || (minute.getUTCHours() === 23 && minute.getUTCMinutes() === 59);
}

/** True for the text of a `date`. */
export function isFullDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const day = new Date(value);
  return Number.isFinite(day.getTime()) && day.toJSON().startsWith(value);
}

/** A leap second is the one before it. */
function instantOf(wire: string): Date {
  const [, day, minutes, seconds, fraction = '.', zone] = DATE_TIME.exec(wire)!;
  const second = seconds === '60' ? '59' : seconds;
  const digits = fraction.padEnd(4, '0').slice(0, 4);
  return new Date(`${day}T${minutes}:${second}${digits}${zone!.toUpperCase()}`);
}

/** Also of another realm. */
function isDate(value: unknown): value is Date {
  return tagOf(value) === '[object Date]';
}

/** Values that are text of the contract already stay. */
function validText(text: unknown, isValid: (text: unknown) => boolean): unknown {
  return isValid(text) ? text : undefined;
}
