// The types of values.

/** JSON's types, with number split into integers and non-integers. */
export const VALUE_TYPES = [
  ...['null', 'boolean', 'integer', 'nonInteger', 'string', 'array', 'object'],
] as const;
export type Type = (typeof VALUE_TYPES)[number];

export function typeOf(value: unknown): Type {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'nonInteger';
  return typeof value as 'string' | 'boolean' | 'object';
}
