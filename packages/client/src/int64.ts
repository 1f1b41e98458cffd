// Integers of 64 bits as strings or numbers.

import type { Conversion } from './conversion.ts';
import type { Exact } from './json.ts';

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
