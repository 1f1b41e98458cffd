// The schemas that may apply to an object of text, by its alternatives and conditions.

import { isObject } from '../../document/node.ts';
import { selectedBy } from '../../schema/discriminator.ts';
import { Evaluation } from '../../schema/evaluation.ts';
import type { Schema } from '../../schema/model.ts';
import { possibleSchemas, propertySchemas } from '../../schema/possible.ts';
import type { Validators } from '../../schema/validator.ts';

/** Each is read and validated: the work for a value is bounded. */
const MAX_ALTERNATIVES = 50;

/** The schemas of a value. */
export interface Narrowed {
  readonly parts: ReadonlySet<Schema>;
  /** True if all apply: no alternatives are left. */
  readonly isCertain: boolean;
}

export class Narrowing {
  readonly #schemas: readonly Schema[];
  readonly #validators: Validators;
  /** True if a property has several types. */
  readonly isAmbiguous: boolean;

  constructor(schemas: readonly Schema[], validators: Validators) {
    this.#schemas = schemas;
    this.#validators = validators;
    const parts = possibleSchemas(schemas);
    this.isAmbiguous = [...namesIn(parts)].some((name) => typesOf(parts, name).size > 1);
  }

  /**
   * @param value read with the types of all alternatives and conditions
   * @returns the schemas under the conditions of the value, and of them those with one alternative
   */
  of(value: unknown): readonly Narrowed[] {
    if (!isObject(value)) return [];
    const all = this.#partsFor(value);
    const lists = choicesIn(all);
    const narrowed = lists.flatMap((list) =>
      list.map((each) => {
        const parts = this.#partsFor(value, list, each);
        return { parts, isCertain: choicesIn(parts).every((other) => other === list) };
      }),
    );
    const first = { parts: all, isCertain: lists.length === 0 };
    return [first, ...narrowed].slice(0, MAX_ALTERNATIVES);
  }

  /** @param chosen the alternative of `list` */
  #partsFor(value: object, list?: readonly Schema[], chosen?: Schema): ReadonlySet<Schema> {
    const evaluation = new Evaluation(value);
    const roots = new Set(this.#schemas);
    const parts = new Set<Schema>();
    for (const root of roots) {
      for (const each of root.conjuncts) {
        if (parts.has(each)) continue;
        parts.add(each);
        const alternatives = alternativesOf(each).flatMap((own) => (own === list ? chosen! : own));
        const dependent = [...each.map('dependentSchemas')].flatMap(([name, inner]) =>
          Object.hasOwn(value, name) ? inner : [],
        );
        for (const inner of [
          ...alternatives,
          ...dependent,
          ...this.#branches(each, value, evaluation),
        ]) {
          roots.add(inner);
        }
      }
      for (const each of selectedBy(root, value)) roots.add(each);
    }
    return parts;
  }

  #branches(schema: Schema, value: object, evaluation: Evaluation): Schema[] {
    const condition = schema.child('if');
    if (condition === undefined) return [];
    const isMet = this.#validators.branch(condition, schema)(value, evaluation);
    return isMet
      ? [condition, schema.child('then') ?? []].flat()
      : [schema.child('else') ?? []].flat();
  }
}

function alternativesOf(schema: Schema): (readonly Schema[])[] {
  return [schema.list('oneOf'), schema.list('anyOf'), schema.dynamicRefs];
}

function choicesIn(parts: Iterable<Schema>): (readonly Schema[])[] {
  return Array.from(parts).flatMap((each) =>
    alternativesOf(each).filter(({ length }) => length > 1),
  );
}

export function namesIn(schemas: Iterable<Schema>): ReadonlySet<string> {
  return new Set(Array.from(schemas).flatMap((each) => [...each.map('properties').keys()]));
}

/** @returns the different sets of types that schemas give to a property */
function typesOf(schemas: ReadonlySet<Schema>, name: string): ReadonlySet<string> {
  const types = propertySchemas(schemas, name, false).map((each) =>
    [...new Set([...possibleSchemas([each])].flatMap(typesIn))].sort().join(),
  );
  return new Set(types.filter((each) => each !== ''));
}

/** @returns the types that a schema alone allows: those of its properties, items and listed values without `type` */
export function typesIn(schema: Schema): string[] {
  const { types, isNullable, keywords } = schema;
  const implied = [
    ...(isNullable ? ['null'] : []),
    ...(schema.has('properties') ? ['object'] : []),
    ...(schema.has('items') ? ['array'] : []),
  ];
  const values: unknown[] = types === undefined ? [...(keywords.enum ?? []), keywords.const] : [];
  const ofValues = values.filter((each) => each !== undefined).map((each) => typeof each);
  return [
    ...(types ?? []),
    ...implied,
    ...ofValues.map((each) => (each === 'bigint' ? 'integer' : each)),
  ];
}
