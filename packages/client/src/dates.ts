// Dates as Date (RFC 3339, section 5.6).
import { type Conversion, tagOf } from './conversion.ts';

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
