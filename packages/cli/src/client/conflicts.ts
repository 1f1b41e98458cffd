// Compares two alternatives of a schema: whether a value may be converted in one only.
import { itemSchemas, prefixLength, propertySchemas, type Schema } from '@stubwright/contract';
import type { ConvertedFormat } from '../types/valueTypes.ts';
import { inPlace } from './inPlace.ts';

/** Deeper schemas count as different. */
const MAX_DEPTH = 8;

/** How a schema is read: `integer` of 64 bits, or as another type of the client. */
export type LeafKind = 'integer' | ConvertedFormat;

type LeafOf = (schema: Schema) => LeafKind | undefined;

export class Conflicts {
  readonly #leafOf: LeafOf;

  constructor(leafOf: LeafOf) {
    this.#leafOf = leafOf;
  }

  /** @returns true if a value of `other` may be read otherwise where `schema` has a conversion */
  between(schema: Schema, other: Schema, depth = 0): boolean {
    const [own, others] = [inPlace([schema]), inPlace([other])];
    const leaves = own.flatMap((each) => this.#leafOf(each) ?? []);
    if (leaves.length > 0) return leaves.some((leaf) => this.#hasOther(leaf, others));
    if (depth === MAX_DEPTH) return true;
    const names = new Set(own.flatMap((each) => [...each.map('properties').keys()]));
    const isFreeForm = allows(others, 'object') && !isTyped(others);
    for (const name of names) {
      const properties = own.flatMap((each) => each.map('properties').get(name) ?? []);
      const rivals = propertySchemas(new Set(others), name, false);
      if (!properties.some((each) => this.#hasLeaf(each))) continue;
      if (isFreeForm && rivals.length === 0) return true;
      if (this.#any(properties, rivals, depth)) return true;
    }
    const maps = own
      .flatMap((each) => [
        ...each.map('patternProperties').values(),
        each.child('additionalProperties') ?? [],
        each.child('unevaluatedProperties') ?? [],
      ])
      .flat()
      .filter((each) => this.#hasLeaf(each));
    if (maps.length > 0 && allows(others, 'object')) return true;
    if (!allows(others, 'array')) return false;
    const positions = Array.from({ length: prefixLength([...own, ...others]) + 1 }, (_, at) => at);
    return positions.some((at) => {
      const items = itemSchemas(new Set(own), at, false).filter((each) => this.#hasLeaf(each));
      const rivals = itemSchemas(new Set(others), at, false);
      return items.length > 0 && (rivals.length === 0 || this.#any(items, rivals, depth));
    });
  }

  #any(own: readonly Schema[], others: readonly Schema[], depth: number): boolean {
    return own.some((each) =>
      others.some((other) => each !== other && this.between(each, other, depth + 1)),
    );
  }

  /** True if a value is valid that is read otherwise: a number, or any but null for other conversions. */
  #hasOther(leaf: LeafKind, schemas: readonly Schema[]): boolean {
    const isSame = (each: Schema) => this.#leafOf(each) === leaf;
    if (leaf === 'integer') return !schemas.some(isSame) && allows(schemas, 'number');
    const valued = schemas.filter(
      ({ types, keywords }) => types !== undefined || 'enum' in keywords || 'const' in keywords,
    );
    const isNull = ({ types }: Schema) => types?.size === 1 && types.has('null');
    return valued.length === 0 || !valued.every((each) => isSame(each) || isNull(each));
  }

  #hasLeaf(schema: Schema): boolean {
    const seen = new Set([schema]);
    for (const each of seen) {
      if (this.#leafOf(each) !== undefined) return true;
      for (const inner of each.inner) seen.add(inner);
    }
    return false;
  }
}

function allows(schemas: readonly Schema[], type: string): boolean {
  const typed = schemas.filter(({ types }) => types !== undefined);
  const isOf = ({ types }: Schema) =>
    types!.has(type as never) || (type === 'number' && types!.has('integer'));
  return typed.length === 0 || typed.some(isOf);
}

function isTyped(schemas: readonly Schema[]): boolean {
  return schemas.some((each) => each.has('properties') || each.has('additionalProperties'));
}
