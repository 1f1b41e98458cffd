// Removes the undeclared parts of a value; compiled for each set of schemas.
import { setOwn } from '../document/node.ts';
import { Applicators, type Applied, type SchemaValues } from '../schema/applying.ts';
import { Evaluation, Location } from '../schema/evaluation.ts';
import { isHidden, type Schema } from '../schema/model.ts';
import type { Validators } from '../schema/validator.ts';

/** What counts as declared. */
export interface DeclaredOptions {
  /** The alternatives whose properties count as declared: by default the matching ones. */
  readonly branches?: 'matching' | 'all';
  /** True to keep `writeOnly` properties. */
  readonly keepsHidden?: boolean;
}

/** A copy with the declared properties. */
export interface DeclaredPart {
  declared: unknown;
  /** True if properties were removed. */
  isCut: boolean;
  /** True if the copy contains a bigint. */
  hasBigint: boolean;
  readonly evaluation: Evaluation;
}

/** @returns a function that copies a valid value without its undeclared properties */
export function declaredOnly(
  validators: Validators,
  schema: Schema,
  { branches, keepsHidden = false }: DeclaredOptions = {},
): (value: unknown) => DeclaredPart {
  const applicators: Applicators<Declaration> = new Applicators(validators, {
    compile: (applied) => new Declaration(applied, keepsHidden),
    branches,
  });
  const values = applicators.values([schema]);
  return (value) => {
    const evaluation = new Evaluation(value);
    const part = { declared: value, isCut: false, hasBigint: false, evaluation };
    part.declared = copyOf(value, values, part);
    return part;
  };
}

/** @yields the properties of a value that its declared part lacks: a caller may stop at any number */
export function* removedFrom(
  value: unknown,
  declared: unknown,
  at = new Location(),
): Generator<{ readonly pointer: string; readonly value: unknown }> {
  if (typeof value !== 'object' || value === null || value instanceof Blob) return;
  for (const [name, each] of Object.entries(value)) {
    const inner = at.child(name);
    if (Object.hasOwn(declared as object, name)) {
      yield* removedFrom(each, (declared as Record<string, unknown>)[name], inner);
    } else yield { pointer: inner.pointer, value: each };
  }
}

function copyOf(value: unknown, values: SchemaValues<Declaration>, copied: DeclaredPart): unknown {
  if (typeof value === 'bigint') copied.hasBigint = true;
  if (typeof value !== 'object' || value === null || value instanceof Blob) return value;
  return values.applying(value, copied.evaluation).data.copy(value, copied);
}

interface Property {
  readonly values: SchemaValues<Declaration>;
  readonly isKept: boolean;
}

/** The properties and items of a value to which exactly these schemas apply. */
class Declaration {
  readonly #applied: Applied<Declaration>;
  readonly #keepsHidden: boolean;
  readonly #isFreeForm: boolean;
  /** The names in the contract: a value may have any number of others. */
  readonly #names: ReadonlySet<string>;
  readonly #properties = new Map<string, Property>();

  constructor(applied: Applied<Declaration>, keepsHidden: boolean) {
    const schemas = [...applied.schemas];
    this.#applied = applied;
    this.#keepsHidden = keepsHidden;
    this.#isFreeForm = !schemas.some(
      (schema) => schema.has('properties') || schema.has('patternProperties'),
    );
    this.#names = new Set(
      schemas.flatMap((schema) => [...schema.map('properties').keys(), ...requiredNames(schema)]),
    );
  }

  copy(value: object, copied: DeclaredPart): object {
    if (Array.isArray(value)) {
      return value.map((item, at) => copyOf(item, this.#applied.item(at), copied));
    }
    const kept: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      const { values, isKept } = this.#property(name);
      if (isKept) setOwn(kept, name, copyOf((value as typeof kept)[name], values, copied));
      else copied.isCut = true;
    }
    return kept;
  }

  #property(name: string): Property {
    const known = this.#properties.get(name);
    if (known !== undefined) return known;
    const values = this.#applied.property(name);
    const isDeclared = !values.isEmpty || this.#names.has(name) || this.#isFreeForm;
    const isHiddenHere = !this.#keepsHidden && values.schemas.some(isWriteOnly);
    const property = { values, isKept: isDeclared && !isHiddenHere };
    if (this.#names.has(name)) this.#properties.set(name, property);
    return property;
  }
}

function isWriteOnly(property: Schema): boolean {
  return isHidden(property, 'response');
}

/** A required property counts as declared. */
function requiredNames({ keywords: { required = [], dependentRequired = {} } }: Schema): string[] {
  return [...required, ...Object.values<string[]>(dependentRequired).flat()];
}
