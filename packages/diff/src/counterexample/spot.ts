// A location inside of a value, with the schemas that may apply there in both contracts.

import { declaredProperty, type Schema } from '@stubwright/contract';

export interface Spot {
  readonly before: readonly Schema[];
  readonly after: readonly Schema[];
}

/** @returns the spot of a property or an item; a token of an array is its index */
export function inside({ before, after }: Spot, token: string | number): Spot {
  const of = (schemas: readonly Schema[]) =>
    schemas.flatMap((each) =>
      typeof token === 'number' ? itemSchemas(each, token) : propertySchemas(each, token),
    );
  return { before: of(applying(before)), after: of(applying(after)) };
}

/** @returns the schemas with all subschemas for the same value, whether they apply or not */
export function applying(schemas: readonly Schema[]): Schema[] {
  const all = new Set(schemas);
  for (const each of all) for (const inner of each.inPlace) all.add(inner);
  return [...all];
}

function itemSchemas(schema: Schema, index: number): Schema[] {
  const item = schema.list('prefixItems')[index] ?? schema.child('items');
  const contained = schema.child('contains');
  const rest = item ?? schema.child('unevaluatedItems');
  return [rest, contained].filter((each) => each !== undefined);
}

function propertySchemas(schema: Schema, name: string): Schema[] {
  const declared = declaredProperty(schema, name);
  if (declared.length > 0) return declared;
  const rest = schema.child('additionalProperties') ?? schema.child('unevaluatedProperties');
  return rest === undefined ? [] : [rest];
}

/** @returns true if the schemas declare a property; `additionalProperties: true` declares none */
export function declares(schemas: readonly Schema[], name: string): boolean {
  const all = new Set(schemas);
  for (const each of all) {
    // A property that only a condition mentions is not declared.
    const conditions = [each.child('if'), each.child('not')];
    for (const inner of each.inPlace) if (!conditions.includes(inner)) all.add(inner);
  }
  return [...all].some(
    (each) =>
      each.keywords.required?.includes(name) ||
      propertySchemas(each, name).some(({ types, written }) => {
        return types !== undefined || Object.keys(Object(written)).length > 0;
      }) ||
      // `false` disallows the property.
      each.map('properties').get(name)?.isNever === false,
  );
}
