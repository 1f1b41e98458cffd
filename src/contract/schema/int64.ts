// The keyword `int64`: an integer of 64 bits, exact. Ajv's own numeric keywords compare doubles and
// know no bigint. The data is a number where a double holds the integer exactly, else a bigint.
import type { FuncKeywordDefinition } from 'ajv';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

interface Int64Schema {
  /** Types that the schema allows beside the integer: `null`, `string`, … */
  readonly otherTypes: readonly string[];
  readonly bounds: Readonly<Record<string, number | bigint | boolean | readonly unknown[]>>;
}

type Check = (value: bigint) => boolean;

export const int64Keyword: FuncKeywordDefinition = {
  keyword: 'int64',
  errors: false,
  compile({ otherTypes, bounds }: Int64Schema) {
    const checks = Object.entries(bounds).map(([word, bound]) => checkOf(word, bound));
    const isOtherType = typeCheck(otherTypes);
    return (data: unknown) => {
      const value = toInt64(data);
      return value === undefined ? isOtherType(data) : checks.every((check) => check(value));
    };
  },
};

/** @returns the integer that `data` is, as a bigint of 64 bits; undefined for anything else. */
function toInt64(data: unknown): bigint | undefined {
  if (typeof data === 'number') {
    // -2^63 is a double; 2^63 - 1 is not, and every double below 2^63 is below it too.
    if (!Number.isInteger(data) || data < -(2 ** 63) || data >= 2 ** 63) return undefined;
    return BigInt(data);
  }
  return typeof data === 'bigint' && data >= MIN && data <= MAX ? data : undefined;
}

function checkOf(word: string, bound: unknown): Check {
  if (word === 'enum') return oneOf(bound as unknown[]);
  if (word === 'const') return oneOf([bound]);
  // A bigint and a number compare by value in ECMAScript, without rounding.
  const limit = bound as number | bigint;
  switch (word) {
    case 'minimum':
      return (value) => value >= limit;
    case 'maximum':
      return (value) => value <= limit;
    case 'exclusiveMinimum':
      return (value) => value > limit;
    case 'exclusiveMaximum':
      return (value) => value < limit;
    default:
      return multipleOf(limit);
  }
}

function oneOf(allowed: readonly unknown[]): Check {
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals a number of the same value
  return (value) => allowed.some((each) => typeof each !== 'string' && value == each);
}

function multipleOf(divisor: number | bigint): Check {
  if (typeof divisor === 'number' && !Number.isInteger(divisor)) {
    return (value) => Number.isInteger(Number(value) / divisor);
  }
  const step = BigInt(divisor);
  return (value) => value % step === 0n;
}

function typeCheck(types: readonly string[]): (data: unknown) => boolean {
  return (data) => {
    if (data === null) return types.includes('null');
    if (Array.isArray(data)) return types.includes('array');
    return types.includes(typeof data);
  };
}
