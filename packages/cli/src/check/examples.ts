// Validates the examples of a contract against their schemas.

import { isDeepStrictEqual } from 'node:util';
import {
  Content,
  type Contents,
  type Contract,
  type DescribedValue,
  type Example,
  type Header,
  isJsonMediaType,
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

interface ExampleError extends AtPointer {
  readonly rule: ExampleRule;
}

/** @returns the invalid examples of all operations, each once */
export function exampleErrors(definition: Contract): ExampleError[] {
  const requests = Validators.of(definition, 'request');
  const responses = Validators.of(definition, 'response');
  const errors = definition.operations.flatMap((operation) => [
    ...errorsOfValues(operation.parameters, requests),
    ...errorsOfBodies(operation.request, requests),
    ...[...operation.responses.values()].flatMap(({ contents, declaredHeaders }) => [
      ...errorsOfBodies(contents, responses),
      ...errorsOfValues(declaredHeaders.values(), responses),
    ]),
  ]);
  return [...new Map(errors.map((error) => [error.pointer + error.message, error])).values()];
}

/** Of parameters and headers. */
function errorsOfValues(values: Iterable<Header>, validators: Validators): ExampleError[] {
  return [...values].flatMap((value) => [
    ...errorsOf('no-invalid-parameter-examples', value, validators),
    ...[...value.contents].flatMap(([type, content]) =>
      errorsOf('no-invalid-parameter-examples', content, validators, type),
    ),
  ]);
}

/** JSON media types only: examples of other types are not validated. */
function errorsOfBodies(contents: Contents<Content>, validators: Validators): ExampleError[] {
  return [...contents].flatMap(([type, content]) =>
    isJsonMediaType(type)
      ? errorsOf('no-invalid-media-type-examples', content, validators, type)
      : [],
  );
}

/** @param type the media type of the examples; undefined for a value that is serialized by `style` */
function errorsOf(
  rule: ExampleRule,
  value: DescribedValue,
  validators: Validators,
  type?: string,
): ExampleError[] {
  const { schema, examples } = value;
  const values = examples.flatMap((example) => example.read(type) ?? []);
  const parse = type === undefined ? undefined : parserOf(type, value, validators);
  const serialized = parse === undefined ? [] : serializedErrors(examples, `${type}`, parse);
  const validate = schema && values.length > 0 ? validators.at(schema.pointer) : undefined;
  const invalid = values.flatMap((value) => {
    if (validate === undefined || validate(value.value)) return [];
    const errors = validate.errorsOf(value.value);
    const [first, ...others] = errors;
    const pointer = value.pointer + (others.length === 0 ? (first?.pointer ?? '') : '');
    const message = `the example violates its schema: ${describeErrors(errors, '')}`;
    return [{ pointer, message }];
  });
  return [...serialized, ...invalid].map((error) => ({ rule, ...error }));
}

/** @returns undefined for text that is malformed */
type Parser = (text: string) => unknown;

/** @returns undefined for a media type whose examples are not parsed */
function parserOf(type: string, value: DescribedValue, validators: Validators): Parser | undefined {
  if (isJsonMediaType(type)) return parsedJson;
  if (type !== FORM || !(value instanceof Content)) return undefined;
  const fields = formFieldsOf(value, validators);
  return (text) => parsedForm(text, fields);
}

/** Compares the serialized form of JSON and of forms with their data (OpenAPI 3.2). */
function serializedErrors(examples: readonly Example[], type: string, parse: Parser): AtPointer[] {
  return examples.flatMap(({ object, pointer }) => {
    const { serializedValue, dataValue } = object ?? {};
    if (typeof serializedValue !== 'string') return [];
    const value = parse(serializedValue);
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

export interface AtPointer {
  /** JSON pointer in the bundled contract. */
  readonly pointer: string;
  /** `error  expected …` */
  readonly message: string;
}
