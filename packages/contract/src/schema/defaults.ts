// The valid defaults of schemas, and the errors of invalid ones.
import type { Definition, Operation } from '../document/definition.ts';
import { stringifyJson } from '../json/json.ts';
import { selectableBy } from './discriminator.ts';
import { isBinary, type Schema, SchemaModel } from './model.ts';
import { describeErrors, Validators } from './validator.ts';

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

/** @returns the errors of the defaults in parameters and request bodies, each once */
export function defaultErrors(definition: Definition): DefaultError[] {
  const validators = new Validators(definition, 'request');
  return [...requestSchemas(definition)].flatMap(
    (schema) => defaultError(schema, validators) ?? [],
  );
}

/**
 * @returns the schemas of parameters and request bodies, with all subschemas, referenced schemas and
 *   schemas that discriminators may select
 */
export function requestSchemas(definition: Definition): ReadonlySet<Schema> {
  const reached = new Set(
    definition.operations.flatMap((each) => writtenSchemas(each, definition)),
  );
  for (const schema of reached) {
    for (const each of [...schema.inner, ...selectableBy(schema)]) reached.add(each);
  }
  return reached;
}

function writtenSchemas({ parameters, requestBody }: Operation, definition: Definition): Schema[] {
  const bodies = requestBody === undefined ? parameters : [...parameters, requestBody];
  const holders = bodies.flatMap((location) => {
    const content = definition.child(location, 'content');
    const types = Object.keys(content?.node ?? {});
    return [location, ...types.flatMap((type) => definition.child(content!, type) ?? [])];
  });
  return holders.flatMap(
    ({ pointer, node }) =>
      (node.schema === undefined
        ? undefined
        : SchemaModel.of(definition).at(`${pointer}/schema`)) ?? [],
  );
}

function defaultError(schema: Schema, validators: Validators): DefaultError | undefined {
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
