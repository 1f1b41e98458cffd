// Fast check of the type of a JSON text against a schema.
import { commonTypes, type Schema } from '../schema/model.ts';

const TYPES: Readonly<Record<string, string>> = {
  '{': 'object',
  '[': 'array',
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

/** @returns false if the first character is valid JSON but excludes all types */
export function mayBeOfType(text: string, types: ReadonlySet<string>): boolean {
  let at = 0;
  while (text.charCodeAt(at) <= 0x20) at++;
  const first = text.charAt(at);
  const type = TYPES[first];
  if (type !== undefined) return types.has(type);
  return !/[-0-9]/.test(first) || types.has('number') || types.has('integer');
}

/** @returns the types of all valid values; undefined if no `type` applies to all of them */
export function jsonTypesOf({ conjuncts }: Schema): ReadonlySet<string> | undefined {
  const types = commonTypes(conjuncts);
  const isNullable = conjuncts.some((each) => each.isNullable);
  return types && new Set([...types, ...(isNullable ? ['null'] : [])]);
}
