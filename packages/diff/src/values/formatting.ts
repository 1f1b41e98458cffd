// Types and values: their names in messages, lists of them, and canonical JSON.
import type { ContractObject } from '@stubwright/contract';

/** @returns JSON with sorted keys and exact integers: equal strings mean equal values */
export function canonical(value: unknown): string {
  return canonicalOf(value) ?? 'nothing';
}

/** A replacer of JSON.stringify takes three times as long. @returns undefined for what JSON leaves out */
function canonicalOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => canonicalOf(each) ?? 'null').join()}]`;
  const members: string[] = [];
  for (const [name, sortedMember] of sortedMembers(value)) {
    const text = canonicalOf(sortedMember);
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join()}}`;
}

/** Array indexes come first, in their order, as in any object. */
function sortedMembers(value: object): readonly (readonly [string, unknown])[] {
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const hasIndexes = members.some(([name]) => /^\d/.test(name));
  return hasIndexes ? Object.entries(Object.fromEntries(members)) : members;
}

/** @returns the fields of an object, those with a name that is not excluded */
export function fieldsOf(
  object: ContractObject | undefined,
  isExcluded = (_name: string) => false,
): Record<string, unknown> {
  const names = (object?.fields ?? []).filter((field) => !isExcluded(field));
  return Object.fromEntries(names.map((name) => [name, object!.field(name)]));
}

const MAX_LENGTH = 60;

/** @returns a value as JSON, truncated to 60 characters */
export function abbreviated(value: unknown): string {
  const text = canonical(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** @returns `a, b or c` */
export function disjunction(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}

/** @returns the items of `all` that are not in `others` */
export function without<Item>(all: Iterable<Item>, others: Iterable<Item>): Item[] {
  const known = new Set(others);
  return [...all].filter((item) => !known.has(item));
}

/** @returns `x 1 became 2`, `x 2 was set` or `x 1 was removed` */
export function became(keyword: string, before: unknown, after: unknown): string {
  if (before === undefined) return `${keyword} ${abbreviated(after)} was set`;
  if (after === undefined) return `${keyword} ${abbreviated(before)} was removed`;
  return `${keyword} ${abbreviated(before)} became ${abbreviated(after)}`;
}

/** @returns `max-length` for `maxLength` */
export function kebabCase<Keyword extends string>(keyword: Keyword): KebabCase<Keyword> {
  return keyword.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) as KebabCase<Keyword>;
}

type KebabCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${KebabCase<Rest>}`
  : '';

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
