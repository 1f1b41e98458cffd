// The rules of strings, and the formats of dates and times (RFC 3339, section 5.6).

import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Node } from '../../document/node.ts';
import { lenientTest } from '../pattern.ts';
import { assertion, type Rule } from './rule.ts';

/** The lengths first: a pattern or a format takes longer. */
export function stringRules(keywords: Node, format: string | undefined): Rule<string>[] {
  const { pattern } = keywords;
  const sizes = sizeRules(keywords, 'Length', 'character', isLonger);
  const texts: Rule<string>[] = [];
  if (pattern !== undefined) {
    const expression = lenientTest(pattern);
    const message = `expected to match pattern "${pattern}"`;
    texts.push(assertion('pattern', (text) => expression.test(text), message));
  }
  if (format !== undefined && Object.hasOwn(formats, format)) {
    texts.push(assertion('format', formats[format]!, `expected to match format "${format}"`));
  }
  return sizes.length === 0 ? texts : [...sizes, ...texts.map((rule) => afterSizes(rule, sizes))];
}

/** Reports nothing for a text of the wrong size, which the test has not reached either. */
function afterSizes(rule: Rule<string>, sizes: readonly Rule<string>[]): Rule<string> {
  return {
    test: rule.test,
    report(text, at, errors) {
      const { evaluation } = errors;
      if (sizes.every((size) => size.test(text, evaluation))) rule.report(text, at, errors);
    },
  };
}

/** @param isLarger true for a value of more parts than a count @returns the rules of `max…` and `min…` */
export function sizeRules<Value>(
  schema: Node,
  of: 'Length' | 'Items' | 'Properties',
  noun: string,
  isLarger: (value: Value, count: number) => boolean,
): Rule<Value>[] {
  const { [`max${of}`]: max = Number.POSITIVE_INFINITY, [`min${of}`]: min = 0 } = schema;
  const rule = (
    keyword: string,
    test: (value: Value) => boolean,
    which: 'more' | 'fewer',
    count: number,
  ) => assertion(keyword, test, limit(which, count, noun));
  const most = rule(`max${of}`, (value) => !isLarger(value, max), 'more', max);
  const least = rule(`min${of}`, (value) => isLarger(value, min - 1), 'fewer', min);
  return [...(max < Number.POSITIVE_INFINITY ? [most] : []), ...(min > 0 ? [least] : [])];
}

/** @returns the message of a violated limit: `expected to NOT have more than 3 characters` */
export function limit(which: 'more' | 'fewer', count: number, of: string): string {
  const plural = of.endsWith('y') ? `${of.slice(0, -1)}ies` : `${of}s`;
  return `expected to NOT have ${which} than ${count} ${plural}`;
}

/** True for a text of more characters (code points) than `count`. */
function isLonger(text: string, count: number): boolean {
  if (text.length <= count) return false;
  if (text.length > 2 * count) return true;
  let characters = 0;
  for (let at = 0; at < text.length; at++) {
    if (++characters > count) return true;
    const isHigh = (text.charCodeAt(at) & 0xfc00) === 0xd800;
    if (isHigh && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) at++;
  }
  return false;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const BASE64URL = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?={0,2}$/;
const ofRfc = [
  ...['duration', 'uri', 'uri-reference', 'uri-template', 'email', 'hostname', 'ipv4', 'ipv6'],
  ...['regex', 'uuid', 'json-pointer', 'relative-json-pointer'],
] as const;

/** The test of each format. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  ...Object.fromEntries(ofRfc.map((name) => [name, testOf(fullFormats[name])])),
  // Those of ajv-formats allow `+09`, `+0900` and a space for `T`, which RFC 3339 does not.
  date: isDateText,
  time: isTimeText,
  'date-time': isDateTimeText,
  byte: testOf(BASE64),
  base64url: testOf(BASE64URL),
};

function testOf(format: unknown): (text: string) => boolean {
  if (format instanceof RegExp) return (text) => format.test(text);
  return format as (text: string) => boolean;
}

const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const TIME =
  /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(\.\d+)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const DAY_MINUTES = 24 * 60;

/** True for a `full-date` of the calendar. */
function isDateText(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  return Number(day) <= 28 || Number(day) <= daysOf(Number(year), Number(month));
}

/** True for a `full-time`: with an offset, and a leap second only at the end of a day in UTC. */
function isTimeText(text: string): boolean {
  const [, hour, minute, second, , sign, hours = 0, minutes = 0] = TIME.exec(text) ?? [];
  if (hour === undefined) return false;
  if (second !== '60') return true;
  const offset = Number(hours) * 60 + Number(minutes);
  const utc = Number(hour) * 60 + Number(minute) + (sign === '-' ? offset : -offset);
  return (utc + DAY_MINUTES) % DAY_MINUTES === DAY_MINUTES - 1;
}

/** True for a `date-time`; `T` and `Z` may be lower case. */
function isDateTimeText(text: string): boolean {
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
