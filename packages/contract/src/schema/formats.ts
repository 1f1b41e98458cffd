// The enforced string formats; numeric.ts has the numeric ones. All other formats are annotations.
// https://spec.openapis.org/registry/format/
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isDateText, isDateTimeText, isTimeText } from '../document/dates.ts';

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
