// Validates the examples of a contract against their schemas.

import { isDeepStrictEqual } from 'node:util';
import {
  type Content,
  contentsOf,
  type Definition,
  exampleValue,
  isJsonMediaType,
  type LocatedNode,
  parsedJson,
  stringifyJson,
} from '@stubwright/contract';
import {
  describeErrors,
  type FormFields,
  formFieldsOf,
  readForm,
  Validators,
} from '@stubwright/contract/values';

const FORM = 'application/x-www-form-urlencoded';

/** The rules of Redocly that check the same examples. */
type ExampleRule = 'no-invalid-media-type-examples' | 'no-invalid-parameter-examples';

export interface ExampleError {
  readonly rule: ExampleRule;
  /** JSON pointer of the example in the bundled contract. */
  readonly pointer: string;
  readonly message: string;
}

/** @returns the invalid examples of all operations, each once */
export function exampleErrors(definition: Definition): ExampleError[] {
  const requestValidators = new Validators(definition, 'request');
  const responseValidators = new Validators(definition, 'response');
  const errors = definition.operations.flatMap(({ parameters, requestBody, responses }) => [
    ...errorsOfValues(parameters, definition, requestValidators),
    ...errorsOfBodies(requestBody, definition, requestValidators),
    ...[...responses.values()].flatMap((response) => [
      ...errorsOfBodies(response, definition, responseValidators),
      ...errorsOfValues(
        definition.children(response, 'headers').values(),
        definition,
        responseValidators,
      ),
    ]),
  ]);
  return [...new Map(errors.map((error) => [error.pointer + error.message, error])).values()];
}

/** Of parameters and headers. */
function errorsOfValues(
  holders: Iterable<LocatedNode>,
  definition: Definition,
  validators: Validators,
): ExampleError[] {
  return [...holders].flatMap((holder) => {
    const contents = [...contentsOf(definition, holder)];
    return [
      ...errorsOf(holder, definition, validators),
      ...contents.flatMap(([type, each]) => errorsOf(each, definition, validators, type)),
    ].map((error) => ({ rule: 'no-invalid-parameter-examples', ...error }));
  });
}

/** JSON media types only: examples of other types are not validated. */
function errorsOfBodies(
  holder: LocatedNode | undefined,
  definition: Definition,
  validators: Validators,
): ExampleError[] {
  return [...contentsOf(definition, holder)]
    .filter(([type]) => isJsonMediaType(type))
    .flatMap(([type, content]) => errorsOf(content, definition, validators, type))
    .map((error) => ({ rule: 'no-invalid-media-type-examples', ...error }));
}

/** @param holder of `schema` and of `example` or `examples` */
function errorsOf(
  holder: LocatedNode,
  definition: Definition,
  validators: Validators,
  type?: string,
): Omit<ExampleError, 'rule'>[] {
  const values = declaredExamples(holder, definition, type);
  const isRead = isJsonMediaType(type) || type === FORM;
  const serialized = isRead ? serializedErrors(holder, definition, type, validators) : [];
  if (holder.node.schema === undefined || values.length === 0) return serialized;
  const validate = validators.at(`${holder.pointer}/schema`);
  const invalid = values.flatMap(({ pointer, node }) => {
    if (validate(node)) return [];
    const message = `the example violates its schema: ${describeErrors(validate.errorsOf(node), '')}`;
    return [{ pointer, message }];
  });
  return [...serialized, ...invalid];
}

/** Compares the serialized form of JSON and of forms with their data (OpenAPI 3.2). */
function serializedErrors(
  holder: LocatedNode,
  definition: Definition,
  type: string | undefined,
  validators: Validators,
): Omit<ExampleError, 'rule'>[] {
  return [...definition.children(holder, 'examples').values()].flatMap(({ node, pointer }) => {
    const { serializedValue, dataValue } = node;
    if (typeof serializedValue !== 'string') return [];
    const value =
      type === FORM
        ? parsedForm(serializedValue, formFieldsOf(holder as Content, validators))
        : parsedJson(serializedValue);
    const isSame = dataValue === undefined || isSameJson(value, dataValue);
    if (value !== undefined && isSame) return [];
    const message =
      value === undefined
        ? `the serializedValue is malformed  expected ${type}`
        : 'the serializedValue differs from the dataValue  expected the same value';
    return [{ pointer: `${pointer}/serializedValue`, message }];
  });
}

/** A parsed form has no prototype. */
function isSameJson(one: unknown, other: unknown): boolean {
  const plain = (value: unknown) => parsedJson(stringifyJson(value));
  return isDeepStrictEqual(plain(one), plain(other));
}

/** @returns undefined for a malformed form */
function parsedForm(text: string, fields: FormFields): unknown {
  try {
    return readForm(text, fields);
  } catch {
    return undefined;
  }
}

/** @param holder of `example` or `examples` @returns the values, without `externalValue` */
export function declaredExamples(
  holder: LocatedNode,
  definition: Definition,
  type?: string,
): LocatedNode[] {
  const single = 'example' in holder.node ? [definition.step(holder, 'example')] : [];
  const named = [...definition.children(holder, 'examples').values()];
  return [...single, ...named.flatMap((each) => exampleValue(each, type) ?? [])];
}
