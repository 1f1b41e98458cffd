// The schemas that may apply to the same value as another.

import { inPlaceSchemas, propertySchemas, type Schema } from '@stubwright/contract';

/** @returns the schemas, and all that may apply to the same value: those that are written first */
export function inPlace(schemas: readonly Schema[]): Schema[] {
  const found = new Set(schemas);
  for (const schema of found) for (const inner of inPlaceSchemas(schema)) found.add(inner);
  return [...found];
}

/** @returns what `written` makes of the schemas of each declared property */
export function propertiesIn<Written>(
  parts: readonly Schema[],
  written: (schemas: readonly Schema[]) => Written,
): Record<string, Written> {
  const names = new Set(parts.flatMap((part) => [...part.map('properties').keys()]));
  return Object.fromEntries(
    Array.from(names, (name) => [name, written(propertySchemas(new Set(parts), name, false))]),
  );
}

export function propertyIn(schema: Schema | undefined, name: string): Schema | undefined {
  if (schema === undefined) return undefined;
  return inPlace([schema]).flatMap((part) => part.map('properties').get(name) ?? [])[0];
}
