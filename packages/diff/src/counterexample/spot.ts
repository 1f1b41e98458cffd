// A location inside of a value, with the schemas that may apply there in both contracts.

import { compilePattern, type Schema } from '@stubwright/contract';

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

const CONDITIONAL = ['if', 'then', 'else', 'not'] as const;

/** @returns the schemas with all subschemas for the same value, whether they apply or not */
export function applying(
  schemas: readonly Schema[],
  keywords: readonly (typeof CONDITIONAL)[number][] = CONDITIONAL,
): Schema[] {
  const all = new Set(schemas);
  for (const each of all) {
    const inPlace = [
      ...(each.ref === undefined ? [] : [each.ref]),
      ...each.dynamicRefs,
      ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((keyword) => each.list(keyword)),
      ...keywords.flatMap((keyword) => each.child(keyword) ?? []),
      ...each.map('dependentSchemas').values(),
    ];
    for (const one of inPlace) all.add(one);
  }
  return [...all];
}

function itemSchemas(schema: Schema, index: number): Schema[] {
  const item = schema.list('prefixItems')[index] ?? schema.child('items');
  const contained = schema.child('contains');
  const rest = item ?? schema.child('unevaluatedItems');
  return [rest, contained].filter((each) => each !== undefined);
}

function propertySchemas(schema: Schema, name: string): Schema[] {
  const declared = declaredSchemas(schema, name);
  if (declared.length > 0) return declared;
  const rest = schema.child('additionalProperties') ?? schema.child('unevaluatedProperties');
  return rest === undefined ? [] : [rest];
}

/** @returns the schemas under `properties` and `patternProperties` */
function declaredSchemas(schema: Schema, name: string): Schema[] {
  const own = schema.map('properties').get(name);
  const matching = [...schema.map('patternProperties')]
    .filter(([pattern]) => compilePattern(pattern)?.test(name))
    .map(([, each]) => each);
  return [...(own === undefined ? [] : [own]), ...matching];
}

/** @returns true if the schemas declare a property; `additionalProperties: true` declares none */
export function declares(schemas: readonly Schema[], name: string): boolean {
  // A property that only a condition mentions is not declared.
  return applying(schemas, ['then', 'else']).some(
    (each) =>
      each.keywords.required?.includes(name) ||
      propertySchemas(each, name).some(({ types, written }) => {
        return types !== undefined || Object.keys(Object(written)).length > 0;
      }) ||
      // `false` disallows the property.
      each.map('properties').get(name)?.isNever === false,
  );
}
