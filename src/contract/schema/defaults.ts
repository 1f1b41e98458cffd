// The defaults that a contract gives, those left out that violate their own schema.
import type { Schema } from './model.ts';
import { tellFaults, type Validators } from './validator.ts';

export interface DefaultFault {
  /** Of the default in the contract as one document. */
  readonly pointer: string;
  readonly message: string;
}

/** @returns the default of a schema, its own or one that `$ref` or `allOf` adds; undefined without a valid one */
export function defaultOf(schema: Schema, validators: Validators): unknown {
  const value = written(schema)?.keywords.default;
  if (value === undefined || isPlainlyValid(value, schema)) return value;
  return validators.at(schema.pointer)(value) ? value : undefined;
}

/** @returns the error of a schema's own default, if it violates the schema */
export function defaultFault(schema: Schema, validators: Validators): DefaultFault | undefined {
  const value = schema.keywords.default;
  if (value === undefined || isPlainlyValid(value, schema)) return undefined;
  const validate = validators.at(schema.pointer);
  if (validate(value)) return undefined;
  const message = `the default is ignored: ${tellFaults(validate.errors!, '')}`;
  return { pointer: schema.pointerTo('default'), message };
}

function written({ conjuncts }: Schema): Schema | undefined {
  return conjuncts.findLast(({ keywords }) => keywords.default !== undefined);
}

const ANNOTATIONS = new Set(['default', 'description', 'title', 'example', 'examples']);

/** True where the type alone decides, so that no validator is compiled for it. */
function isPlainlyValid(value: unknown, schema: Schema): boolean {
  const { types, keywords, inner } = schema;
  if (types === undefined || inner.length > 0) return false;
  const type = typeof value;
  const isOfType =
    type === 'number'
      ? Number.isInteger(value) && types.has('integer')
      : types.has(type as 'string');
  return (
    isOfType &&
    Object.keys(keywords).every(
      (word) => ANNOTATIONS.has(word) || (word === 'enum' && keywords.enum.includes(value)),
    )
  );
}
