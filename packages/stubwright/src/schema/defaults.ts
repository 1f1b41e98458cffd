// The defaults that a contract gives, those left out that violate their own schema.
import type { Definition, Operation } from '../document/definition.ts';
import { stringifyJson } from '../json/json.ts';
import { type Schema, SchemaModel } from './model.ts';
import { describeErrors, Validators } from './validator.ts';

export interface DefaultError {
  /** Of the default in the contract as one document. */
  readonly pointer: string;
  /** The error, two spaces, the expectation. */
  readonly message: string;
}

/** @returns the default of a schema, its own or one that `$ref` or `allOf` adds; undefined without a valid one */
export function defaultOf(schema: Schema, validators: Validators): unknown {
  const value = written(schema)?.keywords.default;
  if (value === undefined || isPlainlyValid(value, schema)) return value;
  return validators.at(schema.pointer)(value) ? value : undefined;
}

/** @returns the errors of the defaults in the parameters and bodies of requests, each once */
export function defaultErrors(definition: Definition): DefaultError[] {
  const validators = new Validators(definition, 'request');
  const reached = new Set(
    definition.operations.flatMap((each) => requestSchemas(each, definition)),
  );
  for (const schema of reached) for (const each of schema.inner) reached.add(each);
  return [...reached].flatMap((schema) => defaultError(schema, validators) ?? []);
}

function requestSchemas({ parameters, requestBody }: Operation, definition: Definition): Schema[] {
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
  if (validate(value)) return undefined;
  const expected = describeErrors(validate.errors!, '').replace(/^expected /, '');
  const message = `the default ${stringifyJson(value)} is ignored  expected ${expected}`;
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
