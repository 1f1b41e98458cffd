// A location inside of a value, with the schemas that may apply there in both contracts.

import { declaredProperty, hiddenNames, type Schema, tokensOf } from '@stubwright/contract';

export interface Spot {
  readonly before: readonly Schema[];
  readonly after: readonly Schema[];
}

/**
 * @param token the name of a property, the index of an item, or null for any item or any undeclared property
 * @returns the spot of the property or the item
 */
export function inside({ before, after }: Spot, token: string | number | null): Spot {
  const of = (schemas: readonly Schema[]) =>
    schemas.flatMap((schema) => {
      if (typeof token === 'string') return propertySchemas(schema, token);
      return [
        ...itemSchemas(schema, token ?? 0),
        ...(token === null ? [schema.child('additionalProperties') ?? []].flat() : []),
        ...(token === null ? schema.map('patternProperties').values() : []),
      ];
    });
  return { before: of(applying(before)), after: of(applying(after)) };
}

/** @returns the schemas with all subschemas for the same value, whether they apply or not */
export function applying(schemas: readonly Schema[]): Schema[] {
  const all = new Set(schemas);
  for (const schema of all) for (const inner of schema.inPlace) all.add(inner);
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
  for (const schema of all) {
    // A property that only a condition mentions is not declared.
    const conditions = [schema.child('if'), schema.child('not')];
    for (const inner of schema.inPlace) if (!conditions.includes(inner)) all.add(inner);
  }
  return [...all].some(
    (schema) =>
      schema.keywords.required?.includes(name) ||
      propertySchemas(schema, name).some(({ types, written }) => {
        return types !== undefined || Object.keys(Object(written)).length > 0;
      }) ||
      // `false` disallows the property.
      schema.map('properties').get(name)?.isNever === false,
  );
}

/** Clients do not send properties that only the newer contract declares, nor readOnly ones. */
export function isSent(value: unknown, { before, after }: Spot): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const hidden = applying(before).map((schema) => hiddenNames(schema, 'request'));
  return Object.entries(value).every(([name, each]) => {
    const token = Array.isArray(value) ? Number(name) : name;
    const isNew = typeof token === 'string' && !declares(before, token) && declares(after, token);
    return (
      !isNew &&
      !hidden.some((names) => names.has(name)) &&
      isSent(each, inside({ before, after }, token))
    );
  });
}

/** The way to a part of a value: names of properties, and null for any item or undeclared property. */
type Segments = readonly (string | null)[];

/** @param path a JSON pointer, of which a token with digits may be an index */
export function segmentsOf(path: string): Segments {
  return tokensOf(path).map((token) => (/^\d+$/.test(token) ? null : token));
}

/** True if one part contains the other. */
export function areRelated(one: Segments, other: Segments): boolean {
  return one.every((segment, at) => {
    const opposite = other[at];
    return opposite === undefined || opposite === null || segment === null || segment === opposite;
  });
}
