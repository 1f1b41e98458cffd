// Describes operations as expressions of @stubwright/client.

import {
  type Content,
  type ContentEntry,
  type Contents,
  type Contract,
  type Header,
  isEventStream,
  isJsonMediaType,
  type Operation,
  type Parameter,
  parseMediaType,
  type Schema,
} from '@stubwright/contract';
import {
  type DataContent,
  dataContentsOf,
  serializationOf,
  Validators,
} from '@stubwright/contract/validation';
import type { ValueTypes } from '../types/valueTypes.ts';
import { Code, Constants, expressionOf, objectOf } from './code.ts';
import { ConversionCode, hasJson, rangeReader } from './conversionCode.ts';
import { ExactCode, SchemaCode } from './exactCode.ts';
import type { PageCode } from './paginationTable.ts';
import { serverSpec } from './servers.ts';
import {
  inPlace,
  isBinaryValue,
  type MediaCategory,
  mediaCategory,
  propertyIn,
  shapeTypes,
  statusKey,
  textShape,
} from './textShapes.ts';

const FORM = 'application/x-www-form-urlencoded';

export class OperationCode {
  readonly constants: Constants;
  readonly #isVersion30: boolean;
  readonly #validators: Validators;
  readonly #exact: ExactCode;
  readonly #conversions: ConversionCode;

  /** @param taken the names of the functions of the module */
  constructor(definition: Contract, taken: Iterable<string>, types: ValueTypes) {
    this.constants = new Constants(taken);
    this.#isVersion30 = definition.isVersion30;
    this.#validators = new Validators(definition, 'request');
    const schemas = new SchemaCode(this.constants, types);
    this.#exact = new ExactCode(this.constants, schemas, types);
    this.#conversions = new ConversionCode(this.#exact, this.#validators);
  }

  /**
   * @param security of operations without their own @param optionOf the option of a security scheme
   * @returns a call of `operation`
   */
  of(
    operation: Operation,
    security: readonly (readonly string[])[],
    optionOf: (scheme: string) => string,
    pages: PageCode | undefined,
  ): Code {
    const { operationId: id, method, path, responses } = operation;
    const own = operation.security.map((requirement) => Object.keys(requirement).map(optionOf));
    const isShared = expressionOf(own) === expressionOf(security);
    const parameters = operation.parameters.filter(({ isReserved }) => !isReserved);
    const accept = [...responses.values()].flatMap(({ contents }) => contents.keys);
    const key = this.keySpec(operation);
    const spec = {
      id,
      method: method.toUpperCase(),
      path,
      parameters:
        parameters.length > 0
          ? parameters.map((parameter) => this.#parameter(parameter))
          : undefined,
      bodies: this.#bodies(operation.request),
      accept: accept.length > 0 ? [...new Set(accept)].join(', ') : undefined,
      replies: this.#replies(operation),
      security: isShared ? undefined : own,
      isIdempotent: key || operation.field('x-idempotent') === true ? true : undefined,
      server: serverSpec(operation.servers),
    };
    const single = this.constants.call('operation', [spec]);
    const hasEvents = accept.some((type) => isEventStream(essence(type)));
    const call = hasEvents ? this.constants.call('withReconnection', [single]) : single;
    const conversions = this.#conversions.of(operation, jsonFirst(operation.request));
    const wrapped = (inner: Code, name: string, spec: object | undefined) =>
      spec === undefined ? inner : this.constants.call(name, [inner, spec]);
    const converted = wrapped(call, 'withConversions', conversions);
    return wrapped(wrapped(converted, 'withIdempotencyKey', key), 'paged', pages);
  }

  /** @returns undefined for an operation whose calls have no key of the client */
  keySpec(operation: Operation): KeySpec | undefined {
    return keySpecOf(operation, ({ pointer }, value) => this.#validators.at(pointer)(value));
  }

  #parameter(parameter: Parameter): object {
    const { in: where, name, content, serialization, schema, isRequired } = parameter;
    if (content !== undefined) return { in: where, name, write: this.#textWriter(content) };
    const { style, explode, allowReserved } = serialization;
    const isUsual = style === serializationOf({ in: where }).style;
    return {
      in: where,
      name,
      style: isUsual ? undefined : style,
      explode: explode === serializationOf({ in: where, style }).explode ? undefined : explode,
      allowReserved: allowReserved || undefined,
      required: (where !== 'path' && isRequired && allowsNull(schema)) || undefined,
    };
  }

  #textWriter({ key, content }: ContentEntry<Content>): Code {
    if (isJsonMediaType(key)) return this.constants.imported('toJson');
    if (essence(key) !== FORM) return new Code('String');
    this.constants.imports.add('formText');
    const fields = expressionOf(this.#fields(content, false));
    return new Code(`(value) => formText(value, ${fields})`);
  }

  #bodies(contents: Contents<Content>): object | undefined {
    return objectOf(
      jsonFirst(contents).map(([type, content]) => [type, this.#writer(type, content)]),
    );
  }

  #writer(type: string, content: Content): Code {
    const writers: Readonly<Record<MediaCategory, () => Code>> = {
      json: () => this.constants.imported('sendJson'),
      lines: () => this.constants.imported('sendJsonLines'),
      form: () => this.constants.call('sendForm', present(this.#fields(content, false))),
      multipart: () => this.constants.call('sendMultipart', present(this.#fields(content, true))),
      events: () => this.constants.call('sendEvents', this.#eventData(content)),
      text: () => this.constants.imported('sendText'),
      bytes: () => this.constants.imported('sendText'),
      xml: () => this.constants.imported('sendText'),
    };
    return writers[mediaCategory(type, content, this.#validators)]();
  }

  #fields({ schema, encodings }: Content, isMultipart: boolean): Readonly<Record<string, object>> {
    const fields = [...encodings].flatMap(([name, encoding]): [string, object][] => {
      const own = propertyIn(schema, name);
      const { serialization, contentTypes } = encoding;
      const isUsable = !isMultipart || (!this.#isVersion30 && own !== undefined && !isFile(own));
      if (serialization !== undefined && isUsable) {
        const { style, explode, allowReserved } = serialization;
        return [[name, { style, explode, allowReserved: allowReserved || undefined }]];
      }
      const type = concreteType(contentTypes);
      return type === undefined ? [] : [[name, { type }]];
    });
    const all: Record<string, object> = Object.fromEntries(fields);
    const names = schema?.conjuncts.flatMap(({ keywords }) => keywords.required ?? []) as string[];
    for (const name of names ?? []) {
      if (allowsNull(propertyIn(schema, name))) all[name] = { ...all[name], required: true };
    }
    return all;
  }

  #replies({ method, responses }: Operation): object {
    const replies = Array.from(responses, ([status, { contents, headers }]) => {
      const readers = Array.from(
        contents,
        ([type, content]) => [type, this.#reader(type, content)] as const,
      );
      const spec = {
        content: method === 'head' ? undefined : objectOf(readers),
        headers: objectOf(Array.from(headers, ([name, header]) => [name, this.#header(header)])),
      };
      return [statusKey(status), spec];
    });
    return Object.fromEntries(replies);
  }

  #reader(type: string, content: Content): Code {
    const { schema, item } = content;
    const call = (name: string, args: readonly unknown[] = []) => this.constants.call(name, args);
    const shape = () => textShape(schema === undefined ? [] : [schema]);
    const readers: Readonly<Record<MediaCategory, () => Code>> = {
      json: () => call('receiveJson', present(this.#exact.integersIn(schema))),
      lines: () => call('receiveJsonLines', present(this.#exact.integersIn(item))),
      form: () => call('receiveForm', [shape()]),
      multipart: () => call('receiveForm', [shape()]),
      events: () => call('receiveEvents', this.#eventData(content)),
      text: () => {
        const type = shape();
        return call('receiveText', typeof type === 'string' && type !== 'string' ? [type] : []);
      },
      bytes: () =>
        hasJson(essence(type))
          ? rangeReader(schema, { constants: this.constants, exact: this.#exact })
          : call('receiveBytes'),
      xml: () => call('receiveText'),
    };
    return readers[mediaCategory(type, content, this.#validators)]();
  }

  /** @returns arguments: without, the data of an event is text */
  #eventData({ item }: Content): unknown[] {
    const contents = item === undefined ? [] : dataContentsOf(item);
    const exactOf = ({ schema }: DataContent) => this.#exact.integersIn(schema) ?? 0;
    const named = contents.flatMap((content) =>
      [...(content.events ?? [])].map((event) => [String(event), exactOf(content)] as const),
    );
    const always = contents.find(({ branch }) => branch === undefined);
    const byEvent = named.length === 0 ? [] : [Object.fromEntries(named)];
    if (always !== undefined) return [exactOf(always), ...byEvent];
    return byEvent.length === 0 ? [] : [new Code('undefined'), ...byEvent];
  }

  #header(header: Header): Code {
    const { content, valueSchema: schema } = header;
    if (isJsonMediaType(content?.key)) {
      return this.constants.call('receiveHeader', [{ json: this.#exact.integersIn(schema) ?? 0 }]);
    }
    const shape = textShape(schema === undefined ? [] : [schema]);
    const explode = header.serialization.explode ? [true] : [];
    return this.constants.call('receiveHeader', [shape, ...explode]);
  }
}

/** The default is JSON. */
function jsonFirst(contents: Contents<Content>): (readonly [type: string, content: Content])[] {
  return [...contents].sort(
    ([one], [other]) => Number(isJsonMediaType(other)) - Number(isJsonMediaType(one)),
  );
}

function essence(type: string): string {
  return parseMediaType(type)?.type ?? type;
}

function present(value: unknown): unknown[] {
  const isEmpty =
    typeof value === 'object' && !(value instanceof Code) && Object.keys(value!).length === 0;
  return value === undefined || isEmpty ? [] : [value];
}

/** @returns the first media type that is not a range, else that of the first range; undefined for none */
function concreteType(types: readonly string[]): string | undefined {
  const type = types.find((candidate) => !candidate.includes('*')) ?? types[0];
  return type?.replace('*/*', 'application/octet-stream').replace('/*', '/octet-stream');
}

function allowsNull(schema: Schema | undefined): boolean {
  const types = schema && shapeTypes(inPlace([schema]));
  return types !== undefined && (types.length === 0 || types.includes('null'));
}

function isFile(schema: Schema | undefined): boolean {
  return isBinaryValue(schema) || isBinaryValue(schema?.child('items'));
}

/** As @stubwright/client makes them, and as the draft of the IETF quotes strings. */
const KEY = '8e03978e-40d5-43e8-bc93-6894a57f9324';
const QUOTES = ['', '"'];

/** The argument of `withIdempotencyKey`. */
export interface KeySpec {
  readonly header: string;
  readonly quote?: string;
}

/** @returns undefined for an operation without such a header, or with another kind of key */
export function keySpecOf(
  { idempotencyKey: parameter }: Operation,
  isValid: (schema: Schema, value: unknown) => boolean,
): KeySpec | undefined {
  if (parameter === undefined || parameter.content !== undefined) return undefined;
  const { name: header, schema } = parameter;
  const quote = QUOTES.find((quotation) => !schema || isValid(schema, quotation + KEY + quotation));
  if (quote === undefined) return undefined;
  return quote === '' ? { header } : { header, quote };
}
