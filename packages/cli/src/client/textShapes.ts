// Describes how values are read from text, as expressions of @stubwright/client.
import { isBigint, isBinary, type Schema } from '@stubwright/contract';
import { typesIn } from '@stubwright/contract/validation';
import { inPlace, propertiesIn } from './inPlace.ts';

type TextShape =
  | string
  | { readonly items: TextShape }
  | { readonly properties: Readonly<Record<string, TextShape>>; readonly others?: TextShape };

const MAX_DEPTH = 3;

export function textShape(schemas: readonly Schema[], depth = 0): TextShape {
  const parts = inPlace(schemas);
  const types = new Set(shapeTypes(parts));
  if (depth < MAX_DEPTH && types.has('object')) return objectShape(parts, depth);
  if (depth < MAX_DEPTH && types.has('array')) {
    const items = parts.flatMap((part) => part.child('items') ?? []);
    return { items: textShape(items, depth + 1) };
  }
  return scalarsIn(types).join(' ') || 'string';
}

function scalarsIn(types: ReadonlySet<string>): string[] {
  return ['bigint', 'number', 'boolean', 'null', 'string'].filter((type) => types.has(type));
}

function objectShape(parts: readonly Schema[], depth: number): TextShape {
  const others = parts.flatMap((part) => part.child('additionalProperties') ?? []);
  return {
    properties: propertiesIn(parts, (list) => textShape(list, depth + 1)),
    ...(others.length > 0 && { others: textShape(others, depth + 1) }),
  };
}

/** @returns the types that the schemas allow; `bigint` for integers of 64 bits */
export function shapeTypes(parts: readonly Schema[]): string[] {
  return parts.flatMap((schema) =>
    typesIn(schema).map((type) => {
      if (type !== 'integer' && type !== 'number') return type;
      // A listed integer without `type` is one that a number cannot represent.
      const isExact = isBigint(schema) || (type === 'integer' && schema.types === undefined);
      return isExact ? 'bigint' : 'number';
    }),
  );
}

/** True if every string is binary. */
export function isBinaryValue(schema: Schema | undefined): boolean {
  if (schema === undefined) return false;
  const texts = inPlace([schema]).filter(({ types }) => types?.has('string'));
  return texts.length > 0 && texts.every(isBinary);
}
