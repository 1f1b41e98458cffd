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
      list.map((schema) => {
        const parts = this.#partsFor(value, list, schema);
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
      for (const conjunct of root.conjuncts) {
        if (parts.has(conjunct)) continue;
        parts.add(conjunct);
        const alternatives = alternativesOf(conjunct).flatMap((own) =>
          own === list ? chosen! : own,
        );
        const dependent = [...conjunct.map('dependentSchemas')].flatMap(([name, inner]) =>
          Object.hasOwn(value, name) ? inner : [],
        );
        for (const inner of [
          ...alternatives,
          ...dependent,
          ...this.#branches(conjunct, value, evaluation),
        ]) {
          roots.add(inner);
        }
      }
      for (const schema of selectedBy(root, value)) roots.add(schema);
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
  return Array.from(parts).flatMap((schema) =>
    alternativesOf(schema).filter(({ length }) => length > 1),
  );
}

export function namesIn(schemas: Iterable<Schema>): ReadonlySet<string> {
  return new Set(Array.from(schemas).flatMap((schema) => [...schema.map('properties').keys()]));
}

/** @returns the different sets of types that schemas give to a property */
function typesOf(schemas: ReadonlySet<Schema>, name: string): ReadonlySet<string> {
  const types = propertySchemas(schemas, name, false).map((propertySchema) =>
    [...new Set([...possibleSchemas([propertySchema])].flatMap(typesIn))].sort().join(),
  );
  return new Set(types.filter((type) => type !== ''));
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
  const ofValues = values.filter((value) => value !== undefined).map((value) => typeof value);
  return [
    ...(types ?? []),
    ...implied,
    ...ofValues.map((each) => (each === 'bigint' ? 'integer' : each)),
  ];
}
