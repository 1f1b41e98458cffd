// The valid defaults of schemas, and the errors of invalid ones.
import { stringifyJson } from '../json/json.ts';
import { isBinary, type Schema } from './model.ts';
import { describeErrors, type Validators } from './validator.ts';

export interface DefaultError {
  /** JSON pointer of the default in the bundled document. */
  readonly pointer: string;
  /** `error  expectation` */
  readonly message: string;
}

/**
 * @returns the default of a schema or of its `$ref` and `allOf`; undefined if it is missing or invalid, and
 *   for a file, which is no string in forms
 */
export function defaultOf(schema: Schema, validators: Validators): unknown {
  const value = written(schema)?.keywords.default;
  if (value === undefined || schema.conjuncts.some(isBinary)) return undefined;
  if (isPlainlyValid(value, schema)) return value;
  return validators.at(schema.pointer)(value) ? value : undefined;
}

/** @returns a default for one request, which may change it */
export function copyOf(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}

export function defaultError(schema: Schema, validators: Validators): DefaultError | undefined {
  const value = schema.keywords.default;
  if (value === undefined || isPlainlyValid(value, schema)) return undefined;
  const validate = validators.at(schema.pointer);
  const isFile = isBinary(schema);
  if (!isFile && validate(value)) return undefined;
  const expected = isFile
    ? 'no default of a file'
    : describeErrors(validate.errorsOf(value), '').replace(/^expected /, '');
  const message = `the default ${stringifyJson(value)} is ignored  expected ${expected}`;
  return { pointer: schema.pointerTo('default'), message };
}

function written({ conjuncts }: Schema): Schema | undefined {
  return conjuncts.findLast(({ keywords }) => keywords.default !== undefined);
}

const ANNOTATIONS = new Set(['default', 'description', 'title', 'example', 'examples']);

/** Fast path: true if the type shows that the value is valid, without compiling a validator. */
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
      (keyword) =>
        ANNOTATIONS.has(keyword) || (keyword === 'enum' && keywords.enum.includes(value)),
    )
  );
}
