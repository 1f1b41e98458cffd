// The formats of the OpenAPI registry that are enforced; every other format is an annotation.
// https://spec.openapis.org/registry/format/
import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const BASE64URL = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?={0,2}$/;
const LARGEST_FLOAT = 2 ** 104 * (2 ** 24 - 1);

function integerFormat(min: number, max: number): Format {
  return {
    type: 'number',
    validate: (value: number) => Number.isInteger(value) && value >= min && value <= max,
  };
}

const ofRfc = [
  ...['date', 'time', 'date-time', 'duration', 'uri', 'uri-reference', 'uri-template', 'email'],
  ...['hostname', 'ipv4', 'ipv6', 'regex', 'uuid', 'json-pointer', 'relative-json-pointer'],
] as const;

export const formats: Record<string, Format> = {
  ...Object.fromEntries(ofRfc.map((name) => [name, fullFormats[name] as Format])),
  byte: BASE64,
  base64url: BASE64URL,
  int8: integerFormat(-(2 ** 7), 2 ** 7 - 1),
  int16: integerFormat(-(2 ** 15), 2 ** 15 - 1),
  int32: integerFormat(-(2 ** 31), 2 ** 31 - 1),
  uint8: integerFormat(0, 2 ** 8 - 1),
  uint16: integerFormat(0, 2 ** 16 - 1),
  uint32: integerFormat(0, 2 ** 32 - 1),
  float: { type: 'number', validate: (value: number) => Math.abs(value) <= LARGEST_FLOAT },
  double: { type: 'number', validate: Number.isFinite },
};
