// Turns the description of an operation into a function.

import { isBytes, type SentBody } from './bodies.ts';
import type { AnyCall, AnyRequest, Connection } from './connection.ts';
import { addCookie } from './credentials.ts';
import { matchingType, sentTypeOf } from './mediaTypes.ts';
import type { BodyAs, CallOptions } from './options.ts';
import { type OperationSpec, type Prepared, send, withQuery } from './send.ts';
import { definedEntries, type ParameterSpec, parameterTexts } from './styles.ts';
import type { ReplyFor, RequestArguments } from './types.ts';

/** An operation of a generated client. */
export interface OperationFunction<Operation> {
  <As extends BodyAs = undefined>(
    connection: Connection,
    ...args: RequestArguments<Operation, As>
  ): Promise<ReplyFor<Operation, As>>;
  readonly operationId: string;
}

/** An operation as a method. */
export type OperationMethod<Operation> = <As extends BodyAs = undefined>(
  ...args: RequestArguments<Operation, As>
) => Promise<ReplyFor<Operation, As>>;

/** Operations as methods, with the comments of the functions. */
export type MethodsOf<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends WithMethod<infer Method>
    ? Method
    : Functions[Name] extends OperationFunction<infer Operation>
      ? OperationMethod<Operation>
      : never;
};

/** An operation whose method has functions of its own. */
interface WithMethod<Method> {
  asMethod(connection: Connection, method: never): Method;
}

export const LOCATIONS = ['path', 'query', 'header', 'cookie'] as const;
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** @typeParam Operation the generated type */
export function operation<Operation>(spec: OperationSpec): OperationFunction<Operation> {
  const call: AnyCall = async (connection, request = {}, options = {}) => {
    const prepared = prepare(connection, spec, request, options);
    return send(connection, spec, prepared, options);
  };
  return Object.assign(call, { operationId: spec.id }) as never;
}

/** @throws {TypeError} for a missing or empty path parameter, and a body of an undeclared media type */
function prepare(
  connection: Connection,
  spec: OperationSpec,
  request: AnyRequest,
  options: CallOptions,
): Prepared {
  const headers = new Headers(connection.options.headers);
  new Headers(options.headers).forEach((value, name) => {
    headers.set(name, value);
  });
  if (spec.accept !== undefined && !headers.has('Accept')) headers.set('Accept', spec.accept);
  let { path } = spec;
  const query: string[] = [];
  for (const where of LOCATIONS) {
    for (const [name, value] of definedEntries(request[where] ?? {})) {
      const parameter = parameterNamed(spec, where, name);
      const texts = parameterTexts(parameter, value);
      if (value === null && texts.length === 0) {
        if (!parameter.required && where !== 'path') continue;
        throw new TypeError(`${spec.id}: expected the ${where} parameter ${name}, got null`);
      }
      // An empty one would address another resource.
      if (where === 'path') path = path.replace(`{${name}}`, (written) => texts.join() || written);
      else if (where === 'query') query.push(...texts);
      else if (where === 'header') headers.set(name, texts.join());
      else for (const text of texts) addCookie(headers, text);
    }
  }
  const [, missing] = /\{([^{}]+)\}/.exec(path) ?? [];
  if (missing) {
    throw new TypeError(`${spec.id}: expected the path parameter ${missing}`);
  }
  if (DOT_SEGMENT.test(path)) {
    throw new TypeError(`${spec.id}: expected path parameters other than . and ..`);
  }
  const { body, type } = bodyOf(spec, request);
  if (type !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', type);
  const base = connection.baseUrl(spec.id, spec.server);
  const url = base.replace(/\/*(\?.+)?\??$/, (_, own = '') => path + own);
  return { url: withQuery(url, query), headers, body };
}

/** An undeclared parameter has the default style. */
function parameterNamed(
  { parameters = [] }: OperationSpec,
  where: ParameterSpec['in'],
  name: string,
): ParameterSpec {
  const keyOf = (text: string) => (where === 'header' ? text.toLowerCase() : text);
  const isIn = (parameterSpec: ParameterSpec) =>
    parameterSpec.in === where || (parameterSpec.in === 'querystring' && where === 'query');
  const found = parameters.find(
    (parameter) => isIn(parameter) && keyOf(parameter.name) === keyOf(name),
  );
  return found ?? { in: where, name };
}

function bodyOf(
  { id, bodies = {} }: OperationSpec,
  { body, mediaType }: AnyRequest,
): { readonly body?: SentBody['body']; readonly type: string | undefined } {
  if (body === undefined) return { type: mediaType };
  const declared = Object.keys(bodies);
  const sent = mediaType ?? (isBytes(body) ? typeOfBytes(body, declared) : declared[0]) ?? '';
  const key = sent && matchingType(sent, declared);
  if (!key) {
    throw new TypeError(`${id}: expected a body of ${declared.join(' or ') || 'no media type'}`);
  }
  const type = sentTypeOf(sent, body);
  if (type === undefined) throw new TypeError(`${id}: expected a mediaType or a Blob of ${sent}`);
  return bodies[key]!(body, type);
}

/** The type of a Blob if it is declared, else the first declared type that is not JSON. */
function typeOfBytes(body: unknown, declared: readonly string[]): string | undefined {
  const own = body instanceof Blob ? body.type : '';
  if (own !== '' && matchingType(own, declared)) return own;
  return declared.find((text) => !/[/+]json\b/.test(text)) ?? declared[0];
}
