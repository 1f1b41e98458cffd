// Deserializes, validates and coerces the parameters of one operation.

import type { Definition, LocatedNode, Node, Operation } from '../document/definition.ts';
import { Problem } from '../errors/problem.ts';
import { parseJsonText } from '../json/json.ts';
import { formFieldsOf, readForm } from '../media/form.ts';
import { isJson, isJsonMediaType, parseMediaType } from '../media/mediaType.ts';
import { cookiePairs, Pairs, pairsOf, plainCookiePairs } from '../media/styles/pairs.ts';
import {
  BadText,
  decode,
  fromLabel,
  fromMatrix,
  fromSimple,
} from '../media/styles/parameterText.ts';
import { serializationOf } from '../media/styles/serialization.ts';
import { bestReading, type Shape, shapeOf, UNKNOWN } from '../media/styles/shape.ts';
import type { Coercion, Coercions } from '../schema/coercion.ts';
import { defaultOf } from '../schema/defaults.ts';
import {
  describeViolation,
  joinMessages,
  type Validate,
  type Validators,
  type Violation,
  violationsOf,
} from '../schema/validator.ts';
import {
  type Exchange,
  NO_PARAMETERS,
  newParameterValues,
  type ParameterValues,
} from './exchange.ts';

type Where = keyof ParameterValues;

interface Parameter {
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
interface Sent {
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Exchange['headers'];
  readonly query: Pairs;
  /** The query without credentials. */
  readonly queryText: string;
  readonly cookies: Pairs;
  /** For `style: cookie`. */
  readonly plainCookies: Pairs;
}

const NO_PAIRS = new Pairs([]);
const NOTHING_SENT: Omit<Sent, 'headers'> = {
  params: {},
  query: NO_PAIRS,
  queryText: '',
  cookies: NO_PAIRS,
  plainCookies: NO_PAIRS,
};
const FORM = 'application/x-www-form-urlencoded';
const RESERVED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

/** True for a header parameter that OpenAPI ignores (OpenAPI 3.0.3, Parameter Object). */
export function isReservedHeader({ in: where, name }: Node): boolean {
  return where === 'header' && RESERVED_HEADERS.has(name.toLowerCase());
}

export class Parameters {
  readonly #parameters: readonly Parameter[];
  /** Names of API keys in the query. */
  readonly #credentialNames: ReadonlySet<string>;
  /** True for `in: querystring` (OpenAPI 3.2). */
  readonly #isQueryWhole: boolean;

  constructor(
    definition: Definition,
    { parameters }: Pick<Operation, 'parameters'>,
    validators: Validators,
    coercions: Coercions,
  ) {
    this.#parameters = parameters
      .filter(({ node }) => !isReservedHeader(node))
      .map((location) => compile(definition, location, validators, coercions));
    this.#isQueryWhole = parameters.some(({ node }) => node.in === 'querystring');
    const schemes = [...definition.securitySchemes.values()];
    this.#credentialNames = new Set(
      schemes.filter(({ node }) => node.in === 'query').map(({ node }) => node.name),
    );
  }

  /**
   * Sets the parameters of the exchange.
   *
   * @returns one message per parameter with errors, for the client
   */
  read(exchange: SentParameters): string[] {
    return describe(this.violations(exchange));
  }

  /** The same, with one violation per error. */
  violations(exchange: SentParameters): Violation[] {
    if (this.#parameters.length === 0 && exchange.queryText === '') {
      exchange.parameters = NO_PARAMETERS;
      return [];
    }
    const { cookie } = exchange.headers;
    const sent: Sent = {
      params: exchange.params,
      headers: exchange.headers,
      query: new Pairs(pairsOf(exchange.queryText), this.#credentialNames),
      queryText: withoutNames(exchange.queryText, this.#credentialNames),
      cookies: cookie === undefined ? NO_PAIRS : new Pairs(cookiePairs(cookie)),
      plainCookies: cookie === undefined ? NO_PAIRS : new Pairs(plainCookiePairs(cookie)),
    };
    const values = newParameterValues();
    const errors = this.#parameters.flatMap((each) => readOne(each, sent, values));
    exchange.parameters = values;
    return this.#isQueryWhole ? errors : [...errors, ...undeclared(sent.query)];
  }
}

/** The declared headers of a response. */
export class ResponseHeaders {
  readonly #headers: readonly Parameter[];

  /** @param declared Header Objects by name @param validators for responses */
  constructor(
    definition: Definition,
    declared: ReadonlyMap<string, LocatedNode>,
    validators: Validators,
    coercions: Coercions,
  ) {
    // OpenAPI ignores a response header named Content-Type.
    const headers = [...declared].filter(([name]) => name.toLowerCase() !== 'content-type');
    this.#headers = headers.map(([name, { pointer, node }]) => {
      const parameter = { pointer, node: { ...node, name, in: 'header' } };
      const compiled = compile(definition, parameter, validators, coercions);
      return { ...compiled, title: `header ${name}`, default: undefined };
    });
  }

  /** @returns the values by declared name */
  read(headers: Exchange['headers']): {
    values: Record<string, unknown>;
    violations: Violation[];
  } {
    const sent: Sent = { ...NOTHING_SENT, headers };
    const values = newParameterValues();
    const violations = this.#headers.flatMap((each) => readOne(each, sent, values));
    return { values: values.header, violations };
  }
}

function compile(
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

type SentParameters = Pick<Exchange, 'params' | 'headers' | 'queryText' | 'parameters'>;

/** @returns one line per parameter */
function describe(violations: readonly Violation[]): string[] {
  if (violations.length === 0) return [];
  const groups = Map.groupBy(violations, ({ where }) => where);
  return Array.from(groups.values(), (group) =>
    joinMessages(new Set(group.map(describeViolation))),
  );
}

function violation(where: string, message: string, value?: unknown): Violation {
  return { where, pointer: '', message, value };
}

function readOne(parameter: Parameter, sent: Sent, values: ParameterValues): Violation[] {
  const { name, title, where, validate, coercion } = parameter;
  try {
    const read = parameter.read(sent);
    if (read === undefined && parameter.isRequired) return [violation(title, 'is required')];
    const value = read === undefined ? structuredClone(parameter.default) : read;
    if (value === undefined) return [];
    const isEmpty = value === '' && parameter.allowsEmpty;
    if (!isEmpty && validate && !validate(value))
      return violationsOf(validate.errorsOf(value), title);
    values[where][name] = coercion && !isEmpty ? coercion(value) : value;
    return [];
  } catch (error) {
    if (error instanceof BadText) return [violation(title, error.message)];
    throw error;
  }
}

function undeclared(query: Pairs): Violation[] {
  const malformed = [...query.malformed].map((name) =>
    violation(`query parameter ${name}`, 'expected percent-encoded UTF-8'),
  );
  const unknown = [...query.rest()].map(([name, [value]]) =>
    violation(`query parameter ${name}`, 'is not declared', value),
  );
  return [...malformed, ...unknown];
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

function withoutNames(queryText: string, names: ReadonlySet<string>): string {
  if (names.size === 0) return queryText;
  const pairs = queryText.split('&');
  return pairs.filter((pair) => !names.has(pair.split('=', 1)[0]!)).join('&');
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
    const reading = bestReading(shape, (each) => read(sent, each));
    if (where === 'query') sent.query.take(name, style, reading, explode);
    return read(sent, reading);
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
    case 'header':
      return ({ headers }, shape) => {
        const key = name.toLowerCase();
        if (!Object.hasOwn(headers, key)) return undefined;
        return fromHeader([headers[key]].flat().join(','), shape, explode);
      };
    case 'cookie':
      return ({ cookies, plainCookies }, shape) =>
        (style === 'cookie' ? plainCookies : cookies).read(name, style, shape, explode);
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
  const escaped = text.replaceAll('%', '%25');
  if (shape.kind === 'scalar') return fromSimple(escaped, shape, explode);
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
