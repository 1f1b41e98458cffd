// Transports a value from one contract to the other, as the engine writes and reads it.

import {
  Content,
  type Contract,
  type Header,
  isJson,
  Parameter,
  parseMediaType,
  type Schema,
} from '@stubwright/contract';
import {
  Coercions,
  compileParameter,
  declaredPart,
  describeErrors,
  describeViolations,
  formFieldsOf,
  formTextOf,
  NO_PAIRS,
  NO_PARAMETERS,
  newParameterValues,
  Parameters,
  readForm,
  readParameter,
  type Validators,
  type Violation,
  writtenParameter,
} from '@stubwright/contract/validation';
import { referenced } from '../schema/term.ts';

export interface RefusedValue {
  /** JSON pointers of the errors in the value; `''` for the whole value and for text. */
  readonly paths: readonly string[];
  readonly message: string;
}

/** Describes a refused value, which takes longer than its validation. */
export type Refusal = () => RefusedValue;

/** One contract as the sender and the receiver of the values of a schema. */
export interface Carrier<Sent = unknown> {
  /** @returns the value as it is transmitted; undefined if it cannot be */
  send(value: unknown): Sent | undefined;
  /** @returns undefined if the transmitted value is accepted */
  refusal(sent: Sent): Refusal | undefined;
}

export type Side = 'before' | 'after';

/** What the schema of a value belongs to. */
export interface Holder<Kind extends Header | Content = Header | Content> {
  /** The name of the parameter or header, or the media type. */
  readonly name: string;
  readonly value: Kind;
}

export type Holders<Kind extends Header | Content = Header | Content> = Readonly<
  Record<Side, Holder<Kind>>
>;

/**
 * @param holder of a schema
 * @returns undefined for media types other than JSON and URL-encoded forms
 */
export function carrierOf(
  definition: Contract,
  { name, value }: Holder,
  validators: Validators,
): Carrier | undefined {
  if (!(value instanceof Content)) {
    return parameterCarrier(definition, { name, value }, validators);
  }
  if (isJsonText(name)) return jsonCarrier(value, validators);
  const type = parseMediaType(name)?.type ?? '';
  const isForm = type === 'application/x-www-form-urlencoded' && validators.direction === 'request';
  return isForm ? formCarrier(value, validators) : undefined;
}

/** @returns true for a media type or range whose values are transported as JSON */
export function isJsonText(mediaType: string): boolean {
  const type = parseMediaType(mediaType)?.type ?? '';
  return isJson(type) || type.endsWith('*');
}

function jsonCarrier(content: Content, validators: Validators): Carrier {
  const schema = referenced(content.schema!);
  const carrier = schemaCarrier([schema], validators);
  if (validators.direction === 'request') return carrier;
  // The engine sends only declared properties.
  const declared = declaredPart(validators, schema);
  return { ...carrier, send: (value) => unlessError(() => declared(value)) };
}

/** Carries the values that are valid against all schemas, as JSON. */
export function schemaCarrier(schemas: readonly Schema[], validators: Validators): Carrier {
  return {
    send: (value) => value,
    refusal(value) {
      const refusing = schemas.find(({ pointer }) => !validators.at(pointer)(value));
      if (refusing === undefined) return undefined;
      return () => {
        const errors = validators.at(refusing.pointer).errorsOf(value);
        return { paths: errors.map((error) => error.pointer), message: describeErrors(errors, '') };
      };
    },
  };
}

function formCarrier(content: Content, validators: Validators): Carrier<string> {
  const fields = formFieldsOf(content, validators);
  const json = jsonCarrier(content, validators);
  return {
    send: (value) =>
      typeof value === 'object' && value !== null ? formTextOf(value, fields) : undefined,
    refusal(text) {
      try {
        return json.refusal(readForm(text, fields));
      } catch (error) {
        return () => ({ paths: [''], message: (error as Error).message });
      }
    },
  };
}

function parameterCarrier(
  definition: Contract,
  { name, value: declared }: Holder<Header>,
  validators: Validators,
): Carrier<readonly string[]> {
  const where = declared instanceof Parameter ? declared.in : 'header';
  const read =
    declared instanceof Parameter
      ? parameterReader(definition, declared, validators)
      : headerReader({ name, value: declared }, validators);
  return {
    send(value) {
      const named = { name, where };
      const texts = unlessError(() => writtenParameter(declared, named, value, validators));
      const text = texts?.join() ?? '';
      const isUnsendable =
        hasExponent(value) ||
        (where === 'path' && text === '') ||
        (where === 'header' && !FIELD_VALUE.test(text));
      return isUnsendable ? undefined : texts;
    },
    refusal(texts) {
      const message = read(texts);
      return message === undefined ? undefined : () => ({ paths: [''], message });
    },
  };
}

/** True for integers that JavaScript alone writes as 1e+39: the text of an integer is its digits. */
function hasExponent(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasExponent);
  return Number.isInteger(value) && Math.abs(value as number) >= 1e21;
}

/** @returns the error of the texts of a value; undefined if they are accepted */
type TextReader = (texts: readonly string[]) => string | undefined;

function parameterReader(
  definition: Contract,
  parameter: Parameter,
  validators: Validators,
): TextReader {
  const { name, in: where } = parameter;
  const parameters = new Parameters(definition, [parameter], validators, new Coercions(validators));
  return (texts) => {
    const headers =
      where === 'header'
        ? { [name.toLowerCase()]: texts.join() }
        : where === 'cookie'
          ? { cookie: texts.join('; ') }
          : {};
    const params = where === 'path' ? { [name]: texts.join() } : {};
    const queryText = where.startsWith('query') ? texts.join('&') : '';
    return parameters.read({ params, headers, queryText, parameters: NO_PARAMETERS })[0];
  };
}

function headerReader({ name, value }: Holder<Header>, validators: Validators): TextReader {
  const named = { name, where: 'header' } as const;
  const reader = compileParameter(value, named, validators, new Coercions(validators));
  const nothing = { query: NO_PAIRS, queryText: '', cookies: NO_PAIRS, plainCookies: NO_PAIRS };
  return (texts) => {
    const sent = { ...nothing, params: {}, headers: { [name.toLowerCase()]: texts.join() } };
    const violations: Violation[] = [];
    readParameter(reader, sent, newParameterValues(), violations);
    return describeViolations(violations)[0];
  };
}

/** The characters of a header that Node sends and receives unchanged (RFC 9110, section 5.5). */
const FIELD_VALUE = /^(?![ \t])[\t\x20-\x7e]*(?<![ \t])$/;

function unlessError<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
