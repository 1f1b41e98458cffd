// Values that enum and const allow, bigint-aware.
import { stringifyJson } from '../json/json.ts';
import { scalarKey } from './evaluation.ts';
import { assertion, type Rule } from './rules/rule.ts';

/** The rule of `enum` and `const`. A value longer than the longest allowed one is not read to its end. */
export function allowedRule(values: readonly unknown[]): Rule {
  const keys = new Set(values.map((value) => keyWithin(value, Number.POSITIVE_INFINITY)));
  const longest = Math.max(0, ...Array.from(keys, (key) => key!.length));
  const strings = new Set(values.filter((value) => typeof value === 'string'));
  return assertion(
    values.length === 1 ? 'const' : 'enum',
    (value) =>
      typeof value === 'string' ? strings.has(value) : keys.has(keyWithin(value, longest)),
    expectedOf(values),
  );
}

/** @returns the message of a value that is none of the allowed ones */
export function expectedOf(values: readonly unknown[]): string {
  return `expected ${values.length === 1 ? stringifyJson(values[0]) : `one of ${stringifyJson(values)}`}`;
}

/** @returns a string that is equal for equal JSON values only; undefined if it is longer than `limit` */
function keyWithin(value: unknown, limit: number): string | undefined {
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'string' && value.length > limit) return undefined;
    const key = scalarKey(value);
    return key.length > limit ? undefined : key;
  }
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  if ((names ?? (value as unknown[])).length > limit) return undefined;
  let key = names === undefined ? '[' : '{';
  const add = (name: string, part: unknown): boolean => {
    const inner = keyWithin(part, limit - key.length - name.length);
    if (inner !== undefined) key += `${name}${inner},`;
    return inner !== undefined;
  };
  const isWhole =
    names === undefined
      ? (value as unknown[]).every((item) => add('', item))
      : names
          .sort()
          .every((name) =>
            add(`${JSON.stringify(name)}:`, (value as Record<string, unknown>)[name]),
          );
  return isWhole && key.length <= limit ? key : undefined;
}

/** @returns a string that is equal for equal JSON values only */
export function valueKey(value: unknown): string {
  if (typeof value !== 'object' || value === null) return scalarKey(value);
  return stringifyJson(canonical(value));
}

/** Tagged arrays, sorted properties, and exact integers. */
function canonical(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return ['[', ...value.map(canonical)];
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return ['{', ...entries.map(([name, value]) => [name, canonical(value)])];
}
