// Deserializes, validates and coerces one parameter or header.
import type { IncomingHttpHeaders } from 'node:http';
import { NameMap } from '../../document/node.ts';
import { Problem } from '../../errors/problem.ts';
import { parseJsonText } from '../../json/json.ts';
import {
  type Content,
  type Header,
  Parameter,
  type ParameterLocation,
  type Serialization,
} from '../../operations/describedValues.ts';
import {
  type ContentEntry,
  FORM_TYPE,
  isJson,
  isJsonMediaType,
  parseMediaType,
} from '../../operations/mediaType.ts';
import { type Coercion, type Coercions, copyOf, defaultOf } from '../../schema/coercion.ts';
import {
  type Validate,
  type Validators,
  type Violation,
  violationsOf,
} from '../../schema/validator.ts';
import { formFieldsOf, readForm } from '../form.ts';
import { BadText, decode, fromPath, fromSimple, Pairs, scalar } from './parameterText.ts';
import { bestReading, type Shape, shapeOf, UNKNOWN } from './shape.ts';

/** Deserializes, validates and coerces one parameter or header. */
export interface ParameterReader {
  readonly name: string;
  /** For messages: `query parameter limit`. */
  readonly title: string;
  readonly where: Where;
  readonly isRequired: boolean;
  readonly allowsEmpty: boolean;
  readonly default: unknown;
  /** @returns the deserialized value; undefined if the parameter is missing */
  readonly read: (sent: Sent) => unknown;
  readonly validate: Validate | undefined;
  readonly coercion: Coercion | undefined;
}

/** The parts of a request that contain parameters. */
export interface Sent {
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly query: Pairs;
  /** The query without credentials. */
  readonly queryText: string;
  readonly cookies: Pairs;
  /** For `style: cookie`. */
  readonly plainCookies: Pairs;
}

const SET_COOKIE = 'set-cookie';

export const NO_PAIRS = new Pairs([]);

/** @param name of the parameter, or of the header @param where of a header: `header` */
export function compileParameter(
  declared: Header,
  { name, where }: { readonly name: string; readonly where: ParameterLocation },
  validators: Validators,
  coercions: Coercions,
): ParameterReader {
  const { valueSchema: schema } = declared;
  const shape = shapeOf(schema, validators);
  return {
    name,
    title: `${where} parameter ${name}`,
    where: where === 'querystring' ? 'query' : where,
    isRequired: declared.isRequired,
    allowsEmpty: declared instanceof Parameter && declared.allowsEmpty,
    default: schema && defaultOf(schema, validators),
    read: readerFor(declared, { name, where }, shape, validators),
    validate: schema && validators.at(schema.pointer),
    coercion: schema && coercions.at(schema.pointer),
  };
}

/** Sets the coerced value, or the default; or adds the violations. */
export function readParameter(
  parameter: ParameterReader,
  sent: Sent,
  values: ParameterValues,
  violations: Violation[],
): void {
  const { name, title, where } = parameter;
  try {
    setParameter(parameter, parameter.read(sent), values, violations);
  } catch (error) {
    if (!(error instanceof BadText)) throw error;
    const own = { in: where, name };
    violations.push({ ...violation(title, error.message), keyword: 'style', parameter: own });
  }
}

/** As {@link readParameter}. @param read the deserialized value; undefined if the parameter is missing */
export function setParameter(
  parameter: ParameterReader,
  given: unknown,
  values: ParameterValues,
  violations: Violation[],
): void {
  const { name, title, where, validate, coercion } = parameter;
  const read = isOmitted(parameter, given) ? undefined : given;
  const own = { in: where, name };
  if (read === undefined && parameter.isRequired) {
    violations.push({ ...violation(title, 'is required'), keyword: 'required', parameter: own });
    return;
  }
  const value = read === undefined ? copyOf(parameter.default) : read;
  if (value === undefined) return;
  if (read === undefined) keepSent(values, parameter, undefined);
  else if (coercion && typeof read === 'object') keepSent(values, parameter, structuredClone(read));
  if (validate && !validate(value)) {
    violations.push(...violationsOf(validate.errorsOf(value), title, own));
  } else values[where][name] = coercion ? coercion(value) : value;
}

/** True for an empty value that `allowEmptyValue` permits, and the schema does not: it has no value. */
function isOmitted({ allowsEmpty, validate }: ParameterReader, read: unknown): boolean {
  if (!allowsEmpty) return false;
  const isEmpty = read === '' || (Array.isArray(read) && read.length === 1 && read[0] === '');
  return isEmpty && validate?.(read) === false;
}

export function violation(where: string, message: string, value?: unknown): Violation {
  return { where, pointer: '', message, value };
}

interface Named {
  readonly name: string;
  readonly where: ParameterLocation;
}

function readerFor(
  declared: Header,
  named: Named,
  shape: Shape,
  validators: Validators,
): ParameterReader['read'] {
  const { content, serialization } = declared;
  if (content === undefined) return styleReader(named, serialization, shape);
  if (named.where === 'querystring') return querystringReader(content, validators);
  return contentReader(named, serialization, content.key);
}

/** Reads the query as one value: a form, JSON or text. */
function querystringReader(
  { key, content }: ContentEntry<Content>,
  validators: Validators,
): ParameterReader['read'] {
  const type = parseMediaType(key)?.type ?? '';
  const fields = formFieldsOf(content, validators);
  return ({ queryText }) => {
    if (queryText === '') return undefined;
    const text = type === FORM_TYPE ? queryText : decode(queryText);
    if (type !== FORM_TYPE && !isJson(type)) return text;
    try {
      return type === FORM_TYPE ? readForm(text, fields) : parseJsonText(text);
    } catch (error) {
      throw error instanceof Problem ? new BadText(error.message) : error;
    }
  };
}

function contentReader(
  named: Named,
  serialization: Serialization,
  contentType: string,
): ParameterReader['read'] {
  const isText = !isJsonMediaType(contentType);
  const read = styleReader(named, serialization, UNKNOWN);
  return (sent) => {
    const text = read(sent);
    if (isText || typeof text !== 'string') return text;
    try {
      return parseJsonText(text);
    } catch {
      throw new BadText('expected JSON');
    }
  };
}

function styleReader(
  { name, where: location }: Named,
  styled: Serialization,
  shape: Shape,
): ParameterReader['read'] {
  // The location of a whole query string has no style.
  const where = location === 'querystring' ? 'query' : location;
  const read = readerOf(name, where, styled);
  return (sent) => {
    if (where === 'query' && sent.query === NO_PAIRS) return undefined;
    const reading = bestReading(shape, (shape) => read(sent, shape));
    return where === 'query' ? sent.query.take(name, styled, reading) : read(sent, reading);
  };
}

function readerOf(
  name: string,
  where: Where,
  styled: Serialization,
): (sent: Sent, shape: Shape) => unknown {
  const { style, explode } = styled;
  switch (where) {
    case 'path':
      return ({ params: { [name]: text } }, shape) =>
        text === undefined ? undefined : fromPath(text, name, styled, shape);
    case 'header': {
      const key = name.toLowerCase();
      return ({ headers }, shape) => {
        if (!Object.hasOwn(headers, key)) return undefined;
        const values = [headers[key]].flat();
        return key === SET_COOKIE && shape.kind === 'array'
          ? fromCookies(values.join('\n'), shape)
          : fromHeader(values.join(key === SET_COOKIE ? '\n' : ','), shape, explode);
      };
    }
    case 'cookie':
      return (sent, shape) => {
        const cookies = style === 'cookie' ? sent.plainCookies : sent.cookies;
        return cookies.read(name, styled, shape);
      };
    default:
      return ({ query }, shape) => query.read(name, styled, shape);
  }
}

/** One cookie per line (OpenAPI 3.2.0): a cookie may contain a comma. */
function fromCookies(text: string, shape: Shape): unknown {
  const escaped = text.replaceAll('%', '%25').replaceAll(',', '%2C');
  return fromSimple(escaped.replaceAll('\n', ','), shape, false);
}

/** Headers are not percent-encoded. White space around commas is removed. */
function fromHeader(text: string, shape: Shape, explode: boolean): unknown {
  if (shape.kind === 'scalar') return scalar(text, shape);
  const escaped = text.replaceAll('%', '%25');
  return fromSimple(escaped.split(',').map(trimBlanks).join(','), shape, explode);
}

/** Not a regular expression: /[ \t]+$/ takes quadratic time. */
function trimBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === ' ' || text[at] === '\t';
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end);
}

/** The locations of parameters; `querystring` is in the query. */
export type Where = 'path' | 'query' | 'header' | 'cookie';

/** The parameters of a request by location and name. */
export interface ParameterValues {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly header: Record<string, unknown>;
  readonly cookie: Record<string, unknown>;
  /** By location and name, of parameters that defaults may have changed: the sent values. */
  sent?: Map<string, unknown>;
}

/** @returns the value of a parameter without defaults; undefined if it was not sent */
export function sentValue(values: ParameterValues, where: Where, name: string): unknown {
  const key = `${where} ${name}`;
  return values.sent?.has(key) ? values.sent.get(key) : values[where][name];
}

/** Keeps the value that was sent. */
function keepSent(
  values: ParameterValues,
  { where, name }: { readonly where: Where; readonly name: string },
  value: unknown,
): void {
  values.sent ??= new Map();
  values.sent.set(`${where} ${name}`, value);
}

export function newParameterValues(): ParameterValues {
  return {
    path: new NameMap(),
    query: new NameMap(),
    header: new NameMap(),
    cookie: new NameMap(),
  };
}

/** Of a request without parameters. */
export const NO_PARAMETERS = newParameterValues();
