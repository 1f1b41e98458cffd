// The version that the service has pinned for the principal of a request.
import { internalError, Problem } from '@stubwright/contract';
import type {
  Authenticated,
  Engine,
  EngineResponse,
  Exchange,
  Principal,
} from 'stubwright/internals';
import { withPrivate, withVary } from './vary.ts';
import type { VersionSelection } from './versionSelection.ts';

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
