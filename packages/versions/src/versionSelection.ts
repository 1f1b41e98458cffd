// Which version a request selects: by path, header, media type, principal, or by default.
import { internalError, listElements, Problem, parseMediaType, shown } from '@stubwright/contract';
import type {
  Authenticated,
  Engine,
  EngineResponse,
  Exchange,
  HttpRequest,
  Principal,
} from 'stubwright/internals';
import type { Configuration } from './configuration.ts';

/** A request before it is routed. */
export type SelectedRequest = Pick<HttpRequest, 'headers'> & { readonly path: string };

/** The version that a request names. */
export interface VersionOfRequest {
  readonly version: string;
  /** Of its routes, with the base path of the service; undefined for one that the path does not name. */
  readonly prefix: string | undefined;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Selects by path, then header, then media type; a request that names none has its pin, or the default. */
export class VersionSelection {
  /** For `Vary`; empty if versions are selected by path alone. */
  readonly varies: readonly string[];
  readonly #configuration: Configuration;
  readonly #current: string;
  /** By path prefix, the longest first. */
  readonly #prefixes: readonly (readonly [prefix: string, version: string])[];
  /** Of all versions, the current one last. */
  readonly #names: readonly string[];
  /** Latest first; undefined unless all versions are dates. */
  readonly #dates: readonly string[] | undefined;

  /**
   * @param current the version of the current contract
   * @param basePath before the prefixes; `''` for none
   */
  constructor(configuration: Configuration, current: string, basePath: string) {
    const { header, mediaType, versions } = configuration;
    this.#configuration = configuration;
    this.#current = current;
    this.#prefixes = versions
      .flatMap(({ path, version }) =>
        path === undefined ? [] : [[basePath + path, version] as const],
      )
      .sort(([a], [b]) => b.length - a.length);
    this.#names = [...versions.map(({ version }) => version), current];
    const areDates = this.#names.every((text) => DATE.test(text));
    this.#dates = areDates ? this.#names.toSorted().reverse() : undefined;
    this.varies = [...(header ? [header] : []), ...(mediaType ? ['Accept', 'Content-Type'] : [])];
  }

  /** Of a request that names none. */
  get byDefault(): VersionOfRequest {
    return { version: this.#configuration.default ?? this.#current, prefix: undefined };
  }

  /** @returns undefined for a request that names none @throws {Problem} 400 for a version that is not served */
  named({ path, headers }: SelectedRequest): VersionOfRequest | undefined {
    const byPath = this.#byPath(path);
    if (byPath !== undefined) return byPath;
    const version = this.#byHeader(headers) ?? this.#byMediaType(headers);
    return version === undefined ? undefined : { version, prefix: undefined };
  }

  /** @param version of the function `pin` @throws {TypeError} for one that is not served */
  pinned(version: unknown): string {
    const served = this.#known(String(version));
    if (typeof version === 'string' && served !== undefined) return served;
    throw new TypeError(`pin: got ${shown(version)}, expected one of ${this.#names.join(', ')}`);
  }

  /** The version of a request that names none that is served is the current one. */
  orCurrent(request: SelectedRequest): VersionOfRequest {
    try {
      return this.named(request) ?? this.byDefault;
    } catch {
      return { version: this.#current, prefix: undefined };
    }
  }

  #byPath(path: string): VersionOfRequest | undefined {
    for (const [prefix, version] of this.#prefixes) {
      const end = path[prefix.length];
      if (path.startsWith(prefix) && (end === undefined || end === '/')) return { version, prefix };
    }
    return undefined;
  }

  #byHeader(headers: HttpRequest['headers']): string | undefined {
    const { header } = this.#configuration;
    const sent = header === undefined ? undefined : headers[header.toLowerCase()];
    return sent === undefined ? undefined : this.#named(header!, String(sent).trim());
  }

  #byMediaType({ accept, 'content-type': type }: HttpRequest['headers']): string | undefined {
    const { mediaType } = this.#configuration;
    if (mediaType === undefined) return undefined;
    for (const [name, text] of [
      ['Accept', accept],
      ['Content-Type', type],
    ] as const) {
      for (const listElement of listElements(text)) {
        const sent = parseMediaType(listElement)?.parameters.get(mediaType.toLowerCase());
        if (sent !== undefined) return this.#named(`${name} parameter ${mediaType}`, sent);
      }
    }
    return undefined;
  }

  /** A date stands for the closest earlier one. */
  #known(version: string): string | undefined {
    if (this.#names.includes(version)) return version;
    return DATE.test(version) ? this.#dates?.find((text) => text <= version) : undefined;
  }

  #named(where: string, sent: string): string {
    const served = this.#known(sent);
    if (served !== undefined) return served;
    const got = JSON.stringify(sent.slice(0, 100));
    throw new Problem(400, `${where}: got ${got}, expected one of ${this.#names.join(', ')}`);
  }
}

type Headers = EngineResponse['headers'];

/** @returns the headers with these names in `Vary` (RFC 9110, section 12.5.5) */
export function withVary(headers: Headers, names: readonly string[]): Headers {
  if (names.length === 0) return headers;
  const [field, listed] = fieldOf(headers, 'Vary');
  const isListed = (text: string) =>
    listed.some((other) => other === '*' || other.toLowerCase() === text.toLowerCase());
  const { [field]: _, ...rest } = headers;
  return { ...rest, Vary: [...listed, ...names.filter((name) => !isListed(name))].join(', ') };
}

/** For all clients: RFC 9111, section 5.2.2. */
const SHARED = /^(?:public|s-maxage\b.*|private=.*)$/i;

/** @returns the headers of a response that only the cache of its client may store */
function withPrivate(headers: Headers): Headers {
  const [field, directives] = fieldOf(headers, 'Cache-Control');
  if (directives.some((directive) => /^(?:private|no-store)$/i.test(directive))) return headers;
  const { [field]: _, ...rest } = headers;
  const kept = directives.filter((directive) => !SHARED.test(directive));
  return { ...rest, 'Cache-Control': ['private', ...kept].join(', ') };
}

/** @returns the name as the response has it, and the elements of its list */
function fieldOf(headers: Headers, name: string): readonly [string, string[]] {
  const found = Object.keys(headers).find((text) => text.toLowerCase() === name.toLowerCase());
  if (found === undefined) return [name, []];
  return [found, listElements(headers[found])];
}

/** @returns the version of a principal; undefined for the default */
export type Pin = (principal: Principal) => string | undefined;

export interface VersionPinOptions {
  readonly pin: Pin;
  readonly selection: VersionSelection;
  /** The versions, in the order in which they are asked for the operation of a request. */
  readonly versions: readonly string[];
  readonly engineOf: (version: string) => Promise<Pick<Engine, 'authenticate'>>;
}

/** The choice for a request that names no version. */
export interface Pinned {
  /** Undefined for the default. */
  readonly version: string | undefined;
  /** The request headers that decide; undefined if each principal gets the same version. */
  readonly credentialHeaders: readonly string[] | undefined;
}

const NOT_PINNED: Pinned = { version: undefined, credentialHeaders: undefined };

/** @returns the response, which no cache stores for other principals */
export function privately(
  response: EngineResponse,
  credentialHeaders: readonly string[],
): EngineResponse {
  return { ...response, headers: withPrivate(withVary(response.headers, credentialHeaders)) };
}

export class VersionPin {
  readonly #options: VersionPinOptions;

  constructor(options: VersionPinOptions) {
    this.#options = options;
  }

  /**
   * The first version that has the operation authenticates: the versions share their security.
   *
   * @throws {Problem} 500 for an error of the function, or a version that is not served
   */
  async of(exchange: Exchange): Promise<Pinned> {
    const { versions, engineOf } = this.#options;
    for (const version of versions) {
      const authenticated = (await engineOf(version)).authenticate(exchange);
      if (authenticated === undefined) continue;
      const { credentialHeaders, principal } = authenticated;
      if (credentialHeaders === undefined) return NOT_PINNED;
      const caller = await this.#known(principal, exchange);
      return { version: caller && this.#pinned(caller), credentialHeaders };
    }
    return NOT_PINNED;
  }

  /** A request that is refused belongs to the default version, which refuses it again. */
  async #known(authenticate: Authenticated['principal'], exchange: Exchange) {
    try {
      return await authenticate();
    } catch (error) {
      if (exchange.timedOut !== undefined) throw error;
      return undefined;
    }
  }

  #pinned(principal: Principal): string | undefined {
    const { pin, selection } = this.#options;
    try {
      const version: unknown = pin(principal);
      return version === undefined ? undefined : selection.pinned(version);
    } catch (error) {
      throw error instanceof Problem ? error : internalError('internal error', error);
    }
  }
}
