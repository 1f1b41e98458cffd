// The rule of numbers: types, formats and bounds of numbers, with exact bigints.
import { isNumber, type Node } from '../document/node.ts';
import type { JsonType, Schema } from './model.ts';
import { kindOf, type Rule } from './rules/rule.ts';

/** Minimum and maximum of each integer format. */
export const INTEGER_FORMATS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int8: [-(2n ** 7n), 2n ** 7n - 1n],
  int16: [-(2n ** 15n), 2n ** 15n - 1n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint8: [0n, 2n ** 8n - 1n],
  uint16: [0n, 2n ** 16n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};
const MAX_OF_FLOAT_FORMAT: Readonly<Record<string, number>> = {
  float: 2 ** 104 * (2 ** 24 - 1),
  double: Number.MAX_VALUE,
};

/** Keyword -> validation and expectation. JavaScript compares a bigint with a number by value. */
const BOUNDS: Readonly<Record<string, readonly [MeetsBound, string]>> = {
  minimum: [(bound) => (value) => value >= bound, 'to be >='],
  maximum: [(bound) => (value) => value <= bound, 'to be <='],
  exclusiveMinimum: [(bound) => (value) => value > bound, 'to be >'],
  exclusiveMaximum: [(bound) => (value) => value < bound, 'to be <'],
  multipleOf: [multipleOf, 'to be multiple of'],
};
type MeetsBound = (bound: Numeric) => (value: Numeric) => boolean;

interface Check {
  readonly keyword: string;
  readonly isMet: (value: Numeric) => boolean;
  readonly expected: string;
}

/**
 * Types, formats and bounds; a bound is an error of its own only for a number of the right kind.
 *
 * @returns undefined for a schema that does not restrict numbers
 */
export function numericRule({ types, keywords }: Schema): Rule | undefined {
  const format = isNumericFormat(keywords.format) ? keywords.format : undefined;
  const limits = Object.keys(BOUNDS)
    .filter((keyword) => isBound(keywords[keyword], keyword))
    .map((keyword) => boundCheck(keyword, keywords[keyword]));
  const allowsNumbers = types?.has('integer') || types?.has('number');
  const isLimited = format !== undefined || limits.length > 0;
  if (!(types === undefined ? isLimited : allowsNumbers)) return undefined;
  const kind = kindCheck(types, format);
  const isOther = (value: unknown) => {
    const other = kindOf(value);
    return types === undefined ? other !== 'none' : types.has(other as JsonType);
  };
  const isOfKind = (value: unknown) => (isNumber(value) ? kind.isMet(value) : isOther(value));
  return {
    test(value) {
      if (!isNumber(value)) return isOther(value);
      if (!kind.isMet(value)) return false;
      for (let at = 0; at < limits.length; at++) if (!limits[at]!.isMet(value)) return false;
      return true;
    },
    report(value, at, errors) {
      if (!isOfKind(value))
        errors.add(at, { keyword: kind.keyword, message: kind.expected, value });
      else if (isNumber(value)) {
        for (const { keyword, isMet, expected } of limits) {
          if (!isMet(value)) errors.add(at, { keyword, message: expected, value });
        }
      }
    },
  };
}

/** True for an enforced numeric format. */
export function isNumericFormat(format: unknown): format is string {
  if (typeof format !== 'string') return false;
  return Object.hasOwn(INTEGER_FORMATS, format) || Object.hasOwn(MAX_OF_FLOAT_FORMAT, format);
}

/** Ignores a `multipleOf` of 0 or less, which is invalid (JSON Schema Validation 2020-12, section 6.2.1). */
function isBound(value: Node[string], keyword: string): boolean {
  const isNumber = typeof value === 'bigint' || Number.isFinite(value);
  return isNumber && (keyword !== 'multipleOf' || value > 0);
}

function boundCheck(keyword: string, bound: Numeric): Check {
  const [meets, expected] = BOUNDS[keyword]!;
  return { keyword, isMet: meets(bound), expected: `expected ${expected} ${bound}` };
}

function kindCheck(types: Schema['types'], format: string | undefined): Check {
  const names = Array.from(types ?? [], (type) =>
    type === 'integer' || type === 'number' ? numberName(type, format) : type,
  );
  const isMet = formatCheck(types, format);
  const expected = `expected ${names.join(' or ') || numberName('number', format)}`;
  return { keyword: format === undefined ? 'type' : 'format', isMet, expected };
}

/** `integer`, `an int64 integer`, `a float number` */
function numberName(type: string, format: string | undefined): string {
  if (format === undefined) return type;
  if (!Object.hasOwn(INTEGER_FORMATS, format)) return `a ${format} ${type}`;
  return `${format.startsWith('i') ? 'an' : 'a'} ${format} integer`;
}

function formatCheck(types: Schema['types'], format = ''): Check['isMet'] {
  const isWhole = types?.has('integer') && !types.has('number');
  const range = Object.hasOwn(INTEGER_FORMATS, format) ? INTEGER_FORMATS[format] : undefined;
  if (range !== undefined) {
    const [min, max] = range;
    // Powers of two are exact as doubles.
    const [least, above] = [Number(min), Number(max + 1n)];
    return (value) =>
      typeof value === 'bigint'
        ? value >= min && value <= max
        : Number.isInteger(value) && value >= least && value < above;
  }
  const greatest = MAX_OF_FLOAT_FORMAT[format] ?? Number.POSITIVE_INFINITY;
  return (value) => {
    const isKind =
      typeof value === 'bigint' || (isWhole ? Number.isInteger(value) : Number.isFinite(value));
    return isKind && value <= greatest && value >= -greatest;
  };
}

/** A JSON number: a bigint where a double would round the integer. */
export type Numeric = number | bigint;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;
/** A decimal of at most 15 significant digits is the shortest text of its double. */
const EXACT_UNITS = 1e15;
/** Powers of ten up to this one are exact doubles. */
const EXACT_DIGITS = 22;

/** @returns the number of decimal places: 2 for 0.25 */
export function decimalsOf(value: Numeric): number {
  const [, , , fraction = '', exponent = '0'] = DECIMAL.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}

/** @returns the number in units of 10^-digits. @param digits at least its decimal places */
export function unitsOf(value: Numeric, digits: number): bigint {
  const [, sign, whole, fraction = '', exponent = '0'] = DECIMAL.exec(String(value)) ?? [];
  const zeros = digits + Number(exponent) - fraction.length;
  return BigInt(`${sign}${whole}${fraction}${'0'.repeat(zeros)}`);
}

/** @param step above 0. @returns whether a number, by its decimal digits in JSON, is a multiple of it */
function multipleOf(step: Numeric): (value: Numeric) => boolean {
  const stepDigits = decimalsOf(step);
  const stepUnits = unitsOf(step, stepDigits);
  const scale = 10 ** stepDigits;
  const isExact = stepDigits <= EXACT_DIGITS && stepUnits <= EXACT_UNITS;
  const exactStep = Number(stepUnits);
  return (value) => {
    if (isExact && typeof value === 'number') {
      const units = Math.round(value * scale);
      // Division is correctly rounded: it returns the value, or the value has more decimal places.
      if (Math.abs(units) <= EXACT_UNITS) return units / scale === value && units % exactStep === 0;
    }
    const digits = Math.max(decimalsOf(value), stepDigits);
    return unitsOf(value, digits) % unitsOf(step, digits) === 0n;
  };
}
