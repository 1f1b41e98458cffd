// Dates of a contract.

/** `full-date` or `date-time` (RFC 3339, section 5.6). */
const DATE =
  /^(\d{4}-\d\d-\d\d)(?:[Tt]((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(\.\d+)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/** @returns milliseconds since 1970 of a date (RFC 3339); undefined for another value */
export function timeOf(date: unknown): number | undefined {
  const [, day, minute = '00:00', second = '00', fraction = '', offset = 'Z'] =
    DATE.exec(typeof date === 'string' ? date : '') ?? [];
  if (day === undefined) return undefined;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // 2026-02-30 parses as a day of March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined;
  // A leap second is the first second of the next minute.
  const time = Date.parse(`${day}T${minute}:00${fraction}${offset.toUpperCase()}`);
  return time + Number(second) * 1000;
}
