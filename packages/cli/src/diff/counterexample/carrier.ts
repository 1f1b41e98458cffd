// Transports a value from one contract to the other, as the engine writes and reads it.

import {
  type Definition,
  isJson,
  isReservedHeader,
  type LocatedNode,
  parseMediaType,
  type Schema,
  unescapeToken,
} from '@stubwright/contract';
import {
  Coercions,
  declaredPart,
  describeErrors,
  type FormFields,
  formFieldsOf,
  formTextOf,
  NO_PARAMETERS,
  readForm,
  type Validators,
} from '@stubwright/contract/values';
import { Parameters, RequestWriter } from 'stubwright/internals';

export interface RefusedValue {
  /** JSON pointer in the value; `''` for the whole value and for text. */
  readonly path: string;
  readonly message: string;
}

/** One contract as the sender and the receiver of the values of a schema. */
export interface Carrier<Sent = unknown> {
  /** @returns the value as it is transmitted; undefined if it cannot be */
  send(value: unknown): Sent | undefined;
  /** @returns undefined if the transmitted value is accepted */
  refusal(sent: Sent): RefusedValue | undefined;
}

/**
 * @param holder a Parameter, Header or Media Type Object
 * @returns undefined for media types other than JSON and URL-encoded forms
 */
export function carrierOf(
  definition: Definition,
  holder: LocatedNode,
  validators: Validators,
): Carrier | undefined {
  const name = unescapeToken(holder.pointer.slice(holder.pointer.lastIndexOf('/') + 1));
  // A Header Object has no name of its own.
  if (/\/headers\/[^/]*$/.test(holder.pointer)) {
    const node = { ...holder.node, in: 'header', name };
    return parameterCarrier(definition, { ...holder, node }, validators);
  }
  if (holder.node.in !== undefined) return parameterCarrier(definition, holder, validators);
  const type = parseMediaType(name)?.type ?? '';
  if (isJson(type) || type.endsWith('*')) return jsonCarrier(holder, validators);
  const isForm = type === 'application/x-www-form-urlencoded' && validators.direction === 'request';
  return isForm ? formCarrier(holder, validators) : undefined;
}

function jsonCarrier({ pointer }: LocatedNode, validators: Validators): Carrier {
  const validate = validators.at(`${pointer}/schema`);
  const schema = validators.model.at(`${pointer}/schema`)!;
  const declared = declaredPart(validators, schema);
  return {
    // The engine sends only declared properties.
    send:
      validators.direction === 'response'
        ? (value) => unlessError(() => declared(value))
        : (value) => value,
    refusal(value) {
      if (validate(value)) return undefined;
      const errors = validate.errorsOf(value);
      return { path: errors[0]!.pointer, message: describeErrors(errors, '') };
    },
  };
}

/** Carries the values that are valid against all schemas, as JSON. */
export function schemaCarrier(schemas: readonly Schema[], validators: Validators): Carrier {
  return {
    send: (value) => value,
    refusal(value) {
      for (const { pointer } of schemas) {
        const validate = validators.at(pointer);
        if (validate(value)) continue;
        const errors = validate.errorsOf(value);
        return { path: errors[0]!.pointer, message: describeErrors(errors, '') };
      }
      return undefined;
    },
  };
}

function formCarrier(holder: LocatedNode, validators: Validators): Carrier<string> {
  const fields: FormFields = formFieldsOf(holder, validators);
  const json = jsonCarrier(holder, validators);
  return {
    send: (value) =>
      typeof value === 'object' && value !== null ? formTextOf(value, fields) : undefined,
    refusal(text) {
      try {
        return json.refusal(readForm(text, fields));
      } catch (error) {
        return { path: '', message: (error as Error).message };
      }
    },
  };
}

function parameterCarrier(
  definition: Definition,
  location: LocatedNode,
  validators: Validators,
): Carrier<readonly string[]> | undefined {
  const { in: where, name } = location.node;
  if (isReservedHeader(location.node)) return undefined;
  const writer = new RequestWriter(definition, validators);
  const coercions = new Coercions(validators);
  const parameters = new Parameters(definition, { parameters: [location] }, validators, coercions);
  return {
    send(value) {
      const texts = unlessError(() => writer.parameter(location, value));
      const text = texts?.join() ?? '';
      const isUnsendable =
        (where === 'path' && text === '') || (where === 'header' && !FIELD_VALUE.test(text));
      return isUnsendable ? undefined : texts;
    },
    refusal(texts) {
      const headers =
        where === 'header'
          ? { [name.toLowerCase()]: texts.join() }
          : where === 'cookie'
            ? { cookie: texts.join('; ') }
            : {};
      const params = where === 'path' ? { [name]: texts.join() } : {};
      const queryText = where.startsWith('query') ? texts.join('&') : '';
      const exchange = { params, headers, queryText, parameters: NO_PARAMETERS };
      const [message] = parameters.read(exchange);
      return message === undefined ? undefined : { path: '', message };
    },
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
