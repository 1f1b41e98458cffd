// The schemas that may apply to the same value as another.

import { type Schema, selectableBy } from '@stubwright/contract';

/** @returns the schemas, their references, and the alternatives of both */
export function inPlace(schemas: readonly Schema[]): Schema[] {
  const found = new Set(schemas);
  for (const each of found) {
    const inner = [
      each.ref ?? [],
      each.dynamicRefs,
      ...(['allOf', 'oneOf', 'anyOf'] as const).map((keyword) => each.list(keyword)),
      ...(['then', 'else'] as const).map((keyword) => each.child(keyword) ?? []),
      [...each.map('dependentSchemas').values()],
      selectableBy(each),
    ];
    for (const one of inner.flat()) found.add(one);
  }
  return [...found];
}

/** @returns the first declaration of a property */
export function propertyIn(schema: Schema | undefined, name: string): Schema | undefined {
  if (schema === undefined) return undefined;
  return inPlace([schema]).flatMap((each) => each.map('properties').get(name) ?? [])[0];
}
