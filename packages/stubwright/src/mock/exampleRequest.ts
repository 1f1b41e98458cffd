// A request that keeps an operation's contract, made from its examples and schemas: for the curl
// line that a start prints, and for calling every operation of a contract in a test.

import type { Definition, LocatedNode, Operation } from '../document/definition.ts';
import { stringifyJson } from '../json/json.ts';
import { mediaContentOf, mediaKindOf, preferredKey } from '../request/body/mediaKinds.ts';
import { parseMediaType } from '../request/body/mediaType.ts';
import { formTextOf } from '../request/body/writeForm.ts';
import { serializationOf, withName, writeParameter } from '../request/parameters/serialization.ts';
import { Validators } from '../schema/validator.ts';
import { Samples } from './sample.ts';

export interface ExampleRequest {
  /** In upper case. */
  readonly method: string;
  /** From the base path on, without it: the path and its query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
}

/** A text that no number, boolean, list of words or format allows. */
export const WRONG_TEXT = '~';

/** Makes requests for the operations of one contract. */
export class ExampleRequests {
  readonly #definition: Definition;
  readonly #validators: Validators;
  readonly #samples: Samples;

  /** @param validators and samples of the request direction */
  constructor(definition: Definition, validators: Validators, samples: Samples) {
    this.#definition = definition;
    this.#validators = validators;
    this.#samples = samples;
  }

  /**
   * @param token what goes where the operation asks for credentials
   * @param wrong a parameter of the operation that is sent as WRONG_TEXT
   * @throws {NoSample} where a required part has no valid value
   */
  of(operation: Operation, token: string, wrong?: LocatedNode): ExampleRequest {
    const headers: Record<string, string> = {};
    const query: string[] = [];
    let { path } = operation;
    for (const parameter of operation.parameters) {
      const { name, in: where, required } = parameter.node;
      const isWrong = parameter === wrong;
      if (where !== 'path' && required !== true && !isWrong) continue;
      const pairs = isWrong ? withName(where, name, WRONG_TEXT) : this.#written(parameter);
      if (where === 'path') path = path.replace(`{${name}}`, pairs.join());
      else if (where.startsWith('query')) query.push(...pairs);
      else if (where === 'cookie') addCookies(headers, pairs);
      else headers[name] = pairs.join();
    }
    this.#addCredentials(operation, token, headers, query);
    const body = this.#body(operation, headers);
    const target = path + (query.length > 0 ? `?${query.join('&')}` : '');
    return { method: operation.method.toUpperCase(), target, headers, body };
  }

  #written(location: LocatedNode): string[] {
    const { name, in: where, content } = location.node;
    const [type] = Object.keys(content ?? {});
    if (type !== undefined) {
      const holder = this.#definition.child(this.#definition.child(location, 'content')!, type)!;
      const value = this.#value(holder);
      const isForm = where === 'querystring' && type === 'application/x-www-form-urlencoded';
      const text = isForm
        ? formTextOf(value, mediaContentOf(holder, this.#validators))
        : encodeURIComponent(stringifyJson(value));
      return withName(where, name, text);
    }
    return writeParameter(where, name, serializationOf(location.node), this.#value(location));
  }

  /** A written example where one is valid, else a value of the schema. */
  #value(holder: LocatedNode): unknown {
    const examples = [...this.#definition.children(holder, 'examples').values()];
    const written = examples.map(({ node }) => node.value);
    const candidates = [holder.node.example, ...written].filter((each) => each !== undefined);
    if (holder.node.schema === undefined) return candidates[0] ?? 'x';
    const pointer = `${holder.pointer}/schema`;
    const isValid = this.#validators.at(pointer);
    return candidates.find((each) => isValid(each)) ?? this.#samples.at(pointer, 'example');
  }

  #addCredentials(
    { security }: Operation,
    token: string,
    headers: Record<string, string>,
    query: string[],
  ): void {
    const schemes = this.#definition.securitySchemes;
    const isKnown = (requirement: object) =>
      Object.keys(requirement).every((name) => schemes.has(name));
    for (const name of Object.keys(security.find(isKnown) ?? {})) {
      const { type, scheme, in: where, name: key } = schemes.get(name)!.node;
      if (type === 'apiKey' && where === 'query') query.push(`${key}=${encodeURIComponent(token)}`);
      else if (type === 'apiKey' && where === 'cookie') addCookies(headers, [`${key}=${token}`]);
      else if (type === 'apiKey') headers[key] = token;
      else if (/^basic$/i.test(scheme)) headers['Authorization'] = `Basic ${btoa(`user:${token}`)}`;
      else headers['Authorization'] = `Bearer ${token}`;
    }
  }

  #body(
    { requestBody, method }: Operation,
    headers: Record<string, string>,
  ): ExampleRequest['body'] {
    // RFC 9110, section 9.3.1: a body of GET and HEAD has no defined meaning, and clients refuse it.
    const isSent = !['get', 'head'].includes(method) || requestBody?.node.required === true;
    if (!isSent) return undefined;
    const content = requestBody && this.#definition.child(requestBody, 'content');
    const key = preferredKey(Object.keys(content?.node ?? {}));
    if (key === undefined) return undefined;
    const type = key.replace('*/*', 'application/octet-stream').replace('/*', '/plain');
    const location = this.#definition.child(content!, key)!;
    const media = mediaContentOf(location, this.#validators);
    const kind = mediaKindOf(parseMediaType(type)?.type ?? '', media);
    const body = kind.encode(this.#value(location), media);
    // A FormData adds its own Content-Type with a boundary.
    if (typeof body === 'string') headers['Content-Type'] = type;
    return body;
  }
}

function addCookies(headers: Record<string, string>, pairs: readonly string[]): void {
  headers['Cookie'] = [headers['Cookie'] ?? [], ...pairs].flat().join('; ');
}

/** @returns the contract's first operation as a curl line; undefined where it has none */
export function exampleCurl(
  definition: Definition,
  url: string,
  token: string,
): string | undefined {
  const [operation] = definition.operations;
  if (operation === undefined) return undefined;
  const validators = new Validators(definition, 'request');
  const requests = new ExampleRequests(definition, validators, new Samples(validators));
  return curlLine(url, requests.of(operation, token));
}

/** @returns the request as a line for a shell */
function curlLine(url: string, { method, target, headers, body }: ExampleRequest): string {
  const words = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const data = typeof body === 'string' ? ['-d', body] : [];
  const verb = method === (data.length > 0 ? 'POST' : 'GET') ? [] : ['-X', method];
  return ['curl', ...verb, url + target, ...words, ...data].map(shellWord).join(' ');
}

function shellWord(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
