// Dates and times of RFC 3339, section 5.6.

const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const TIME =
  /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(\.\d+)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const DAY_MINUTES = 24 * 60;

/** True for a `full-date` of the calendar. */
export function isDateText(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  return Number(day) <= 28 || Number(day) <= daysOf(Number(year), Number(month));
}

/** True for a `full-time`: with an offset, and a leap second only at the end of a day in UTC. */
export function isTimeText(text: string): boolean {
  const [, hour, minute, second, , sign, hours = 0, minutes = 0] = TIME.exec(text) ?? [];
  if (hour === undefined) return false;
  if (second !== '60') return true;
  const offset = Number(hours) * 60 + Number(minutes);
  const utc = Number(hour) * 60 + Number(minute) + (sign === '-' ? offset : -offset);
  return (utc + DAY_MINUTES) % DAY_MINUTES === DAY_MINUTES - 1;
}

/** True for a `date-time`; `T` and `Z` may be lower case. */
export function isDateTimeText(text: string): boolean {
  const separator = text[10];
  const hasSeparator = separator === 'T' || separator === 't';
  return hasSeparator && isDateText(text.slice(0, 10)) && isTimeText(text.slice(11));
}

/** @returns milliseconds since 1970 of a `full-date` or `date-time`; undefined for another value */
export function timeOf(date: unknown): number | undefined {
  if (typeof date !== 'string') return undefined;
  if (isDateText(date)) return Date.parse(date);
  if (!isDateTimeText(date)) return undefined;
  const second = date.slice(17, 19);
  // A leap second is the first second of the next minute.
  const minute = Date.parse(`${date.slice(0, 17)}00${date.slice(19)}`.toUpperCase());
  return minute + Number(second) * 1000;
}

function daysOf(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return isLeap ? 29 : 28;
}
