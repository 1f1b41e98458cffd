// Removes undeclared properties for schemas that have no compiled serializer (anyOf, oneOf, recursion).
import { Evaluation } from '../schema/evaluation.ts';
import type { Schema } from '../schema/model.ts';
import { Location } from '../schema/schemaErrors.ts';
import type { Validators } from '../schema/validator.ts';
import { type DeclaredOptions, declaredCopy } from './declaration.ts';

export interface DeclaredPart {
  /** A copy with the declared properties. */
  readonly declared: unknown;
  /** True if properties were removed. */
  readonly isCut: boolean;
  /** True if the copy contains a bigint. */
  readonly hasBigint: boolean;
}

/** @returns a function that copies a valid value without its undeclared properties */
export function declaredOnly(
  validators: Validators,
  schema: Schema,
  options: DeclaredOptions = {},
): (value: unknown) => DeclaredPart {
  const copy = declaredCopy(validators, schema, options);
  return (value) => {
    const copied = { isCut: false, hasBigint: false, evaluation: new Evaluation(value) };
    return { declared: copy(value, copied), isCut: copied.isCut, hasBigint: copied.hasBigint };
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
