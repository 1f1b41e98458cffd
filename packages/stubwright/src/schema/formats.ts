// The enforced string formats; numeric.ts has the numeric ones. All other formats are annotations.
// https://spec.openapis.org/registry/format/
import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const BASE64URL = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?={0,2}$/;
const ofRfc = [
  ...['date', 'time', 'date-time', 'duration', 'uri', 'uri-reference', 'uri-template', 'email'],
  ...['hostname', 'ipv4', 'ipv6', 'regex', 'uuid', 'json-pointer', 'relative-json-pointer'],
] as const;

export const formats: Record<string, Format> = {
  ...Object.fromEntries(ofRfc.map((name) => [name, fullFormats[name] as Format])),
  byte: BASE64,
  base64url: BASE64URL,
};
