// The rules of strings.

import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isDateText, isDateTimeText, isTimeText } from '../../document/dates.ts';
import type { Node } from '../../document/node.ts';
import { lenientTest } from '../pattern.ts';
import { assertion, type Rule } from './rule.ts';

interface StringKeywords {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** The lengths first: a pattern or a format takes longer. */
export function stringRules(schema: StringKeywords): Rule<string>[] {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema;
  const sizes: Rule<string>[] = [];
  if (maxLength < Number.POSITIVE_INFINITY) {
    sizes.push(
      assertion(
        'maxLength',
        (text) => !isLonger(text, maxLength),
        limit('more', maxLength, 'character'),
      ),
    );
  }
  if (minLength > 0) {
    sizes.push(
      assertion(
        'minLength',
        (text) => isLonger(text, minLength - 1),
        limit('fewer', minLength, 'character'),
      ),
    );
  }
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

/** @returns the rules of `max…` and `min…` */
export function sizeRules<Value>(
  schema: Node,
  of: 'Items' | 'Properties',
  noun: string,
  sizeOf: (value: Value) => number,
): Rule<Value>[] {
  const { [`max${of}`]: max, [`min${of}`]: min } = schema;
  const most = () =>
    assertion<Value>(`max${of}`, (value) => sizeOf(value) <= max, limit('more', max, noun));
  const least = () =>
    assertion<Value>(`min${of}`, (value) => sizeOf(value) >= min, limit('fewer', min, noun));
  return [...(max === undefined ? [] : [most()]), ...(min === undefined ? [] : [least()])];
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
  const test = typeof format === 'function' ? format : (format as { validate: unknown }).validate;
  return test as (text: string) => boolean;
}
