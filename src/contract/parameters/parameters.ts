// The parameters of one operation: read from path, query, headers and cookies in their declared
// styles, validated, and typed as the generated types promise.

import { isJson, parseMediaType } from '../body/mediaType.ts';
import type { Definition, Operation, Place } from '../definition/definition.ts';
import { type Exchange, NO_PARAMETERS, type ParameterValues } from '../exchange.ts';
import { parseJsonText } from '../json.ts';
import type { Typing, Typings } from '../schema/typed.ts';
import { tellFaults, type ValidateFunction, type Validators } from '../schema/validator.ts';
import { cookiePairs, fromPairs, type Pair, pairsOf } from './pairs.ts';
import { BadText, decode, fromLabel, fromMatrix, fromSimple } from './parameterText.ts';
import { type Shape, shapeOf, UNKNOWN } from './shape.ts';

type Where = keyof ParameterValues;

interface Parameter {
  readonly name: string;
  readonly where: Where;
  readonly isRequired: boolean;
  readonly allowsEmpty: boolean;
  readonly default: unknown;
  /** @returns the value as it was sent; undefined where it was not */
  readonly read: (sent: Sent) => unknown;
  readonly validate: ValidateFunction | undefined;
  readonly typing: Typing | undefined;
}

/** What was sent, taken apart once; each reader marks the names in the query that it takes. */
interface Sent {
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Exchange['headers'];
  readonly query: readonly Pair[];
  readonly cookies: readonly Pair[];
  readonly taken: Set<string>;
}

/** RFC 9110 gives these headers their meaning; a parameter of that name is ignored (OpenAPI 3.0.3). */
const RESERVED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

export class Parameters {
  readonly #parameters: readonly Parameter[];
  /** Names in the query that belong to a security scheme. */
  readonly #credentialNames: ReadonlySet<string>;

  constructor(
    definition: Definition,
    { parameters }: Operation,
    validators: Validators,
    typings: Typings,
  ) {
    this.#parameters = parameters
      .filter(({ node }) => node.in !== 'header' || !RESERVED_HEADERS.has(node.name.toLowerCase()))
      .map((place) => compile(definition, place, validators, typings));
    const schemes = [...definition.securitySchemes.values()];
    this.#credentialNames = new Set(
      schemes.filter(({ node }) => node.in === 'query').map(({ node }) => node.name),
    );
  }

  /**
   * Reads the request's parameters into the exchange.
   *
   * @returns everything that is wrong with them, told for their sender
   */
  read(exchange: Exchange): string[] {
    if (this.#parameters.length === 0 && exchange.queryText === '') {
      exchange.parameters = NO_PARAMETERS;
      return [];
    }
    const sent: Sent = {
      params: exchange.params,
      headers: exchange.headers,
      query: pairsOf(exchange.queryText),
      cookies: cookiePairs(exchange.request.headers.cookie),
      taken: new Set(this.#credentialNames),
    };
    const values: ParameterValues = { path: {}, query: {}, header: {}, cookie: {} };
    const faults = this.#parameters.flatMap((each) => readOne(each, sent, values));
    exchange.parameters = values;
    return [...faults, ...undeclared(sent)];
  }
}

function compile(
  definition: Definition,
  place: Place,
  validators: Validators,
  typings: Typings,
): Parameter {
  const { name, in: where, required, allowEmptyValue } = place.node;
  const [contentType] = Object.keys(place.node.content ?? {});
  const holder =
    contentType === undefined
      ? place
      : definition.child(definition.child(place, 'content')!, contentType)!;
  const schema = holder.node.schema === undefined ? undefined : definition.step(holder, 'schema');
  const shape = shapeOf(definition, schema);
  return {
    name,
    where,
    isRequired: required === true || where === 'path',
    allowsEmpty: allowEmptyValue === true,
    default: schema && definition.followSchema(schema).node.default,
    read: contentType === undefined ? styleReader(place, shape) : contentReader(place, contentType),
    validate: schema && validators.at(schema.pointer),
    typing: schema && typings.at(schema.pointer),
  };
}

function readOne(parameter: Parameter, sent: Sent, values: ParameterValues): string[] {
  const { name, where, validate, typing } = parameter;
  const told = `${where} parameter ${name}`;
  try {
    const read = parameter.read(sent);
    const value = read === undefined ? structuredClone(parameter.default) : read;
    if (value === undefined) return parameter.isRequired ? [`${told} is required`] : [];
    const isEmpty = value === '' && parameter.allowsEmpty;
    if (!isEmpty && validate && !validate(value)) return [tellFaults(validate.errors!, `${told} `)];
    values[where][name] = typing && !isEmpty ? typing(value) : value;
    return [];
  } catch (error) {
    if (error instanceof BadText) return [`${told} ${error.message}`];
    throw error;
  }
}

function undeclared({ query, taken }: Sent): string[] {
  const faults = query.map(([key]) => {
    try {
      const name = decode(key);
      return taken.has(name) ? '' : `query parameter ${name} is not declared`;
    } catch {
      return `query parameter ${key} expected percent-encoded UTF-8`;
    }
  });
  return [...new Set(faults)].filter(Boolean);
}

function contentReader(place: Place, contentType: string): Parameter['read'] {
  const isText = !isJson(parseMediaType(contentType)?.type ?? '');
  const read = styleReader(place, UNKNOWN);
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

function styleReader({ node }: Place, shape: Shape): Parameter['read'] {
  const { name, in: where } = node;
  const style: string = node.style ?? (where === 'query' || where === 'cookie' ? 'form' : 'simple');
  const explode: boolean = node.explode ?? style === 'form';
  switch (where) {
    case 'path':
      return ({ params }) => fromPath(params[name], name, style, shape, explode);
    case 'header':
      return ({ headers }) => {
        const text = [headers[name.toLowerCase()]].flat().join(',');
        if (headers[name.toLowerCase()] === undefined) return undefined;
        return fromHeader(text, shape, explode);
      };
    case 'cookie':
      return ({ cookies }) => fromPairs(cookies, new Set(), name, style, shape, explode);
    default:
      return ({ query, taken }) => fromPairs(query, taken, name, style, shape, explode);
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

/** A header is no URL: nothing in it is percent-encoded, and white space after a comma is none. */
function fromHeader(text: string, shape: Shape, explode: boolean): unknown {
  const escaped = text.replaceAll('%', '%25');
  return fromSimple(
    shape.kind === 'scalar' ? escaped : escaped.replace(/[ \t]*,[ \t]*/g, ','),
    shape,
    explode,
  );
}
