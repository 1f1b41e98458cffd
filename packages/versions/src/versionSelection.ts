// Which version of the contract a request names.
import { listElements, Problem, parseMediaType, shown } from '@stubwright/contract';
import type { HttpRequest } from 'stubwright/internals';
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
    const areDates = this.#names.every((each) => DATE.test(each));
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
    const known = this.#known(String(version));
    if (typeof version === 'string' && known !== undefined) return known;
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
      for (const each of listElements(text)) {
        const sent = parseMediaType(each)?.parameters.get(mediaType.toLowerCase());
        if (sent !== undefined) return this.#named(`${name} parameter ${mediaType}`, sent);
      }
    }
    return undefined;
  }

  /** A date stands for the closest earlier one. */
  #known(version: string): string | undefined {
    if (this.#names.includes(version)) return version;
    return DATE.test(version) ? this.#dates?.find((each) => each <= version) : undefined;
  }

  #named(where: string, sent: string): string {
    const known = this.#known(sent);
    if (known !== undefined) return known;
    const got = JSON.stringify(sent.slice(0, 100));
    throw new Problem(400, `${where}: got ${got}, expected one of ${this.#names.join(', ')}`);
  }
}
