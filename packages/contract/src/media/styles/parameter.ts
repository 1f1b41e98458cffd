// Deserializes, validates and coerces one parameter or header.
import type { IncomingHttpHeaders } from 'node:http';
import type { Definition, LocatedNode } from '../../document/definition.ts';
import { Problem } from '../../errors/problem.ts';
import { parseJsonText } from '../../json/json.ts';
import type { Coercion, Coercions } from '../../schema/coercion.ts';
import { copyOf, defaultOf } from '../../schema/defaults.ts';
import {
  type Validate,
  type Validators,
  type Violation,
  violationsOf,
} from '../../schema/validator.ts';
import { formFieldsOf, readForm } from '../form.ts';
import { isJson, isJsonMediaType, parseMediaType } from '../mediaType.ts';
import { Pairs } from './pairs.ts';
import { BadText, decode, fromLabel, fromMatrix, fromSimple, scalar } from './parameterText.ts';
import { keepSent, type ParameterValues, type Where } from './parameterValues.ts';
import { serializationOf } from './serialization.ts';
import { bestReading, type Shape, shapeOf, UNKNOWN } from './shape.ts';

/** A Parameter or Header Object, compiled. */
export interface Parameter {
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

export const NO_PAIRS = new Pairs([]);
const FORM = 'application/x-www-form-urlencoded';
export function compileParameter(
  definition: Definition,
  declared: LocatedNode,
  validators: Validators,
  coercions: Coercions,
): Parameter {
  const { name, in: location, required, allowEmptyValue } = declared.node;
  const [contentType] = Object.keys(declared.node.content ?? {});
  const holder =
    contentType === undefined
      ? declared
      : definition.child(definition.child(declared, 'content')!, contentType)!;
  const hasSchema = holder.node.schema !== undefined;
  const schema = hasSchema ? validators.model.at(`${holder.pointer}/schema`) : undefined;
  const shape = shapeOf(schema, validators);
  return {
    name,
    title: `${location} parameter ${name}`,
    where: location === 'querystring' ? 'query' : location,
    isRequired: required === true || location === 'path',
    allowsEmpty: allowEmptyValue === true,
    default: schema && defaultOf(schema, validators),
    read: readerFor(declared, holder, shape, contentType, validators),
    validate: schema && validators.at(schema.pointer),
    coercion: schema && coercions.at(schema.pointer),
  };
}

/** Sets the coerced value, or the default; or adds the violations. */
export function readParameter(
  parameter: Parameter,
  sent: Sent,
  values: ParameterValues,
  violations: Violation[],
): void {
  const { name, title, where, validate, coercion } = parameter;
  const own = { in: where, name };
  try {
    const read = parameter.read(sent);
    if (read === undefined && parameter.isRequired) {
      violations.push({ ...violation(title, 'is required'), keyword: 'required', parameter: own });
      return;
    }
    const value = read === undefined ? copyOf(parameter.default) : read;
    if (value === undefined) return;
    if (read === undefined) keepSent(values, parameter, undefined);
    else if (coercion && typeof read === 'object')
      keepSent(values, parameter, structuredClone(read));
    const isEmpty = value === '' && parameter.allowsEmpty;
    if (!isEmpty && validate && !validate(value)) {
      violations.push(...violationsOf(validate.errorsOf(value), title, own));
    } else values[where][name] = coercion && !isEmpty ? coercion(value) : value;
  } catch (error) {
    if (!(error instanceof BadText)) throw error;
    violations.push({ ...violation(title, error.message), keyword: 'style', parameter: own });
  }
}

export function violation(where: string, message: string, value?: unknown): Violation {
  return { where, pointer: '', message, value };
}

function readerFor(
  location: LocatedNode,
  holder: LocatedNode,
  shape: Shape,
  contentType: string | undefined,
  validators: Validators,
): Parameter['read'] {
  if (contentType === undefined) return styleReader(location, shape);
  if (location.node.in !== 'querystring') return contentReader(location, contentType);
  return querystringReader(holder, contentType, validators);
}

/** Reads the query as one value: a form, JSON or text. */
function querystringReader(
  holder: LocatedNode,
  contentType: string,
  validators: Validators,
): Parameter['read'] {
  const type = parseMediaType(contentType)?.type ?? '';
  const fields = formFieldsOf(holder, validators);
  return ({ queryText }) => {
    if (queryText === '') return undefined;
    const text = type === FORM ? queryText : decode(queryText);
    if (type !== FORM && !isJson(type)) return text;
    try {
      return type === FORM ? readForm(text, fields) : parseJsonText(text);
    } catch (error) {
      throw error instanceof Problem ? new BadText(error.message) : error;
    }
  };
}

function contentReader(location: LocatedNode, contentType: string): Parameter['read'] {
  const isText = !isJsonMediaType(contentType);
  const read = styleReader(location, UNKNOWN);
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

function styleReader({ node }: LocatedNode, shape: Shape): Parameter['read'] {
  const { name, in: where } = node;
  const { style, explode } = serializationOf(node);
  const read = readerOf(name, where, style, explode);
  return (sent) => {
    if (where === 'query' && sent.query === NO_PAIRS) return undefined;
    const reading = bestReading(shape, (each) => read(sent, each));
    return where === 'query' ? sent.query.take(name, style, reading, explode) : read(sent, reading);
  };
}

function readerOf(
  name: string,
  where: Where,
  style: string,
  explode: boolean,
): (sent: Sent, shape: Shape) => unknown {
  switch (where) {
    case 'path':
      return ({ params }, shape) => fromPath(params[name], name, style, shape, explode);
    case 'header': {
      const key = name.toLowerCase();
      return ({ headers }, shape) => {
        if (!Object.hasOwn(headers, key)) return undefined;
        const value = headers[key];
        const text = typeof value === 'string' ? value : [value].flat().join(',');
        return fromHeader(text, shape, explode);
      };
    }
    case 'cookie':
      return (sent, shape) => {
        const cookies = style === 'cookie' ? sent.plainCookies : sent.cookies;
        return cookies.read(name, style, shape, explode);
      };
    default:
      return ({ query }, shape) => query.read(name, style, shape, explode);
  }
}

function fromPath(
  text: string | undefined,
  name: string,
  style: string,
  shape: Shape,
  explode: boolean,
): unknown {
  if (text === undefined) return undefined;
  if (style === 'label') return fromLabel(text, shape, explode);
  if (style === 'matrix') return fromMatrix(text, name, shape, explode);
  return fromSimple(text, shape, explode);
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
