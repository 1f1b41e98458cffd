// Gives a value the type of another one.
import { isNumber } from './jsonNumber.ts';

/** A contract may declare an id as a string in the path and as an integer in the body. */
export function likeType(value: unknown, before: unknown): unknown {
  if (typeof before === 'string' && ['number', 'bigint'].includes(typeof value)) {
    return String(value);
  }
  const isInteger = typeof value === 'string' && /^-?(?:0|[1-9]\d{0,18})$/.test(value);
  if (!isNumber(before) || !isInteger) return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value);
}
