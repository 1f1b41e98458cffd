// Creates valid requests of operations from examples and schemas, for curl commands and tests.

import type { Definition, LocatedNode, Operation } from '../document/definition.ts';
import { stringifyJson } from '../json/json.ts';
import { mediaContentOf, mediaKindOf, preferredKey } from '../request/body/mediaKinds.ts';
import { parseMediaType } from '../request/body/mediaType.ts';
import { formTextOf } from '../request/body/writeForm.ts';
import { isReservedHeader } from '../request/parameters/parameters.ts';
import { serializationOf, withName, writeParameter } from '../request/parameters/serialization.ts';
import type { Validators } from '../schema/validator.ts';
import type { Samples } from './sample.ts';

export interface ExampleRequest {
  /** In upper case. */
  readonly method: string;
  /** Path and query, without the base path. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
}

/** Invalid as a number, a boolean, most enums and formats. */
export const WRONG_TEXT = '~';

/** The scheme of `Authorization` by type of security scheme; `''` for another header. */
const SCHEMES: Readonly<Record<string, string>> = {
  apiKey: '',
  oauth2: 'bearer',
  openIdConnect: 'bearer',
};

/** Creates requests for the operations of one contract. */
export class ExampleRequests {
  readonly #definition: Definition;
  readonly #validators: Validators;
  readonly #samples: Samples;

  /** @param validators for requests @param samples for requests */
  constructor(definition: Definition, validators: Validators, samples: Samples) {
    this.#definition = definition;
    this.#validators = validators;
    this.#samples = samples;
  }

  /**
   * @param token the credentials for all security schemes
   * @param wrong a parameter that is sent as WRONG_TEXT
   * @throws {NoSample} if no valid value is found for a required part
   */
  of(operation: Operation, token: string, wrong?: LocatedNode): ExampleRequest {
    const headers: Record<string, string> = {};
    const query: string[] = [];
    let { path } = operation;
    for (const parameter of operation.parameters) {
      const { name, in: where, required } = parameter.node;
      const isWrong = parameter === wrong;
      const isSent = where === 'path' || (required === true && !isReservedHeader(parameter.node));
      if (!isSent && !isWrong) continue;
      const pairs = isWrong ? withName(where, name, WRONG_TEXT) : this.#serialize(parameter);
      if (where === 'path') path = path.replace(`{${name}}`, () => pairs.join());
      else if (where.startsWith('query')) query.push(...pairs);
      else if (where === 'cookie') addCookies(headers, pairs);
      else headers[name] = pairs.join();
    }
    this.#addCredentials(operation, token, headers, query);
    const body = this.#body(operation, headers);
    const target = path + (query.length > 0 ? `?${query.join('&')}` : '');
    return { method: operation.method.toUpperCase(), target, headers, body };
  }

  #serialize(location: LocatedNode): string[] {
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

  /** @returns a valid example, else a sample of the schema */
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
    const isSupported = (requirement: object) =>
      isKnown(requirement) && this.#fitsOneHeader(requirement);
    const requirement = security.find(isSupported) ?? security.find(isKnown) ?? {};
    for (const name of Object.keys(requirement)) {
      const { type, scheme, in: where, name: key } = schemes.get(name)!.node;
      if (type === 'apiKey' && where === 'query') query.push(`${key}=${encodeURIComponent(token)}`);
      else if (type === 'apiKey' && where === 'cookie') addCookies(headers, [`${key}=${token}`]);
      else if (type === 'apiKey') headers[key] = token;
      else if (/^basic$/i.test(scheme)) headers['Authorization'] = `Basic ${btoa(`user:${token}`)}`;
      else headers['Authorization'] = `Bearer ${token}`;
    }
  }

  /** True if one Authorization header satisfies all schemes of a requirement. */
  #fitsOneHeader(requirement: object): boolean {
    const schemes = Object.keys(requirement).map((name) => {
      const { type, scheme } = this.#definition.securitySchemes.get(name)!.node;
      return type === 'http' ? String(scheme).toLowerCase() : SCHEMES[type];
    });
    const inHeader = new Set(schemes.filter((scheme) => scheme !== ''));
    return (
      inHeader.size <= 1 && [...inHeader].every((each) => each === 'basic' || each === 'bearer')
    );
  }

  #body(
    { requestBody, method }: Operation,
    headers: Record<string, string>,
  ): ExampleRequest['body'] {
    // RFC 9110, section 9.3.1: a body of GET and HEAD has no semantics, and clients reject it.
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
    // fetch adds the Content-Type of a FormData, with the boundary.
    if (typeof body === 'string') headers['Content-Type'] = type;
    return body;
  }
}

function addCookies(headers: Record<string, string>, pairs: readonly string[]): void {
  headers['Cookie'] = [headers['Cookie'] ?? [], ...pairs].flat().join('; ');
}
