// The types of values.
import { disjunction } from './formatting.ts';

/** JSON's types, with number split into integers and non-integers. */
export const VALUE_TYPES = [
  ...['null', 'boolean', 'integer', 'nonInteger', 'string', 'array', 'object'],
] as const;
export type Type = (typeof VALUE_TYPES)[number];

const NAMES: Readonly<Record<Type, string>> = {
  null: 'null',
  boolean: 'a boolean',
  integer: 'an integer',
  nonInteger: 'a non-integer number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

export function typeOf(value: unknown): Type {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'nonInteger';
  return typeof value as 'string' | 'boolean' | 'object';
}

/** @returns `a string or null` */
export function someOf(types: readonly Type[]): string {
  return disjunction(types.map((type) => NAMES[type]));
}

/** @returns `string or null`, in the terms of the `type` keyword */
export function keywordOf(types: ReadonlySet<Type>): string {
  if (types.size === VALUE_TYPES.length) return 'any type';
  if (types.size === 0) return 'nothing';
  const names = [...types].flatMap((type) => {
    if (type === 'nonInteger') return ['number'];
    return type === 'integer' && types.has('nonInteger') ? [] : [type];
  });
  return disjunction(names);
}
