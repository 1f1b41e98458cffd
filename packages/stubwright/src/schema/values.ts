// The Ajv keywords `allowed` (enum, const) and `distinctItems` (uniqueItems): bigint-aware, linear time.
import type { ErrorObject, FuncKeywordDefinition } from 'ajv';
import { stringifyJson } from '../json/json.ts';

export const allowedKeyword: FuncKeywordDefinition = {
  keyword: 'allowed',
  errors: true,
  compile(values: readonly unknown[]) {
    const keys = new Set(values.map(valueKey));
    const expected =
      values.length === 1
        ? `expected ${stringifyJson(values[0])}`
        : `expected one of ${stringifyJson(values)}`;
    const validate: { (data: unknown): boolean; errors?: Partial<ErrorObject>[] } = (data) => {
      if (keys.has(valueKey(data))) return true;
      validate.errors = [{ keyword: 'allowed', message: expected, params: {} }];
      return false;
    };
    return validate;
  },
};

export const distinctItemsKeyword: FuncKeywordDefinition = {
  keyword: 'distinctItems',
  type: 'array',
  errors: true,
  compile() {
    const validate: { (data: unknown[]): boolean; errors?: Partial<ErrorObject>[] } = (data) => {
      const positions = new Map<string, number>();
      for (const [at, item] of data.entries()) {
        const key = valueKey(item);
        const first = positions.get(key);
        if (first !== undefined) {
          const message = `expected different items, ${first} and ${at} are equal`;
          validate.errors = [{ keyword: 'distinctItems', message, params: {} }];
          return false;
        }
        positions.set(key, at);
      }
      return true;
    };
    return validate;
  },
};

/** @returns a string that is equal for equal JSON values only */
export function valueKey(value: unknown): string {
  if (typeof value === 'string') return `"${value}`;
  if (typeof value === 'number') return Number.isInteger(value) ? integerKey(value) : `${value}`;
  if (typeof value !== 'object' || value === null) return `${value}`;
  return stringifyJson(canonical(value));
}

/** A large number and the bigint of the same value have the same key. */
function integerKey(value: number): string {
  return Number.isSafeInteger(value) ? `${value + 0}` : `${BigInt(value)}`;
}

/** Tagged arrays, sorted properties, and exact integers. */
function canonical(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return ['[', ...value.map(canonical)];
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return ['{', ...entries.map(([name, each]) => [name, canonical(each)])];
}
