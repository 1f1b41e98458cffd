// The engine of all versions: selects one for each request, and announces the end of each.
import {
  chain,
  errorFrom,
  gone,
  internalError,
  type MaybePromise,
  Problem,
  timeOf,
} from '@stubwright/contract';
import { type Engine, type EngineResponse, Exchange } from 'stubwright/internals';
import type { ServedEntry } from './configuration.ts';
import {
  privately,
  type VersionOfRequest,
  type VersionPin,
  type VersionSelection,
  withVary,
} from './versionSelection.ts';

const DAY_MS = 86_400_000;

export class VersionEnd {
  readonly #until: string;
  readonly #refusedFrom: number;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(until: string, deprecated: string | undefined) {
    // Days are those of UTC.
    const end = timeOf(until)! + DAY_MS;
    const since = deprecated === undefined ? end : timeOf(deprecated)!;
    this.#until = until;
    this.#refusedFrom = end;
    this.#headers = {
      // RFC 9745, section 2, and RFC 8594, section 3.
      Deprecation: `@${Math.floor(since / 1000)}`,
      Sunset: new Date(end).toUTCString(),
    };
  }

  /** @returns undefined for an entry without `until` */
  static of({ until, deprecated }: ServedEntry): VersionEnd | undefined {
    return until === undefined ? undefined : new VersionEnd(until, deprecated);
  }

  /** @returns the error of each request after the end */
  error(version: string): Problem | undefined {
    if (Date.now() < this.#refusedFrom) return undefined;
    return gone(`version ${version}: served until ${this.#until}`);
  }

  /** A part of the contract that ends earlier has headers of its own. */
  announced(response: EngineResponse): EngineResponse {
    const names = new Set(Object.keys(response.headers).map((name) => name.toLowerCase()));
    const added = Object.entries(this.#headers).filter(([name]) => !names.has(name.toLowerCase()));
    return { ...response, headers: { ...response.headers, ...Object.fromEntries(added) } };
  }
}

export interface VersionedEngineOptions {
  readonly current: Pick<Engine, 'handle' | 'reject' | 'match' | 'authenticate'>;
  readonly currentVersion: string;
  readonly selection: VersionSelection;
  /** @returns the engine of a served version, which is created at its first request */
  readonly engineOf: (selected: VersionOfRequest) => Promise<Engine>;
  /** The served versions, oldest first. */
  readonly versions: readonly string[];
  /** By version; none for one without an end. */
  readonly ends: ReadonlyMap<string, VersionEnd>;
  /** Undefined without a pin. */
  readonly pins: VersionPin | undefined;
  /** The header that selects a version, for preflight requests; undefined for none. */
  readonly header: string | undefined;
}

/** One request has one engine: limits, log, metrics and recorder see it once. */
export class VersionedEngine {
  readonly #options: VersionedEngineOptions;

  constructor(options: VersionedEngineOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  readonly handle = async (exchange: Exchange): Promise<EngineResponse> => {
    const { current } = this.#options;
    if (isPreflight(exchange)) return this.varying(await this.#preflight(exchange));
    try {
      const named = this.#options.selection.named(exchange);
      if (named !== undefined) return await this.#handled(named, exchange);
      const { pins, selection } = this.#options;
      if (pins === undefined) return await this.#handled(selection.byDefault, exchange);
      const { version, credentialHeaders } = await pins.of(exchange);
      const selected = version === undefined ? selection.byDefault : { version, prefix: undefined };
      const response = await this.#handled(selected, exchange);
      return credentialHeaders === undefined ? response : privately(response, credentialHeaders);
    } catch (error) {
      return this.varying(await current.reject(problemOf(error), exchange));
    }
  };

  /** As declared by the version that the request names. */
  readonly reject = (error: Problem, exchange?: Exchange): MaybePromise<EngineResponse> => {
    const { current, currentVersion, selection } = this.#options;
    if (exchange === undefined) return current.reject(error);
    const selected = selection.orCurrent(exchange);
    if (selected.version === currentVersion) {
      return chain(current.reject(error, exchange), (response) => this.varying(response));
    }
    return this.#within(selected, exchange, (engine) => engine.reject(error, exchange));
  };

  async #handled(selected: VersionOfRequest, exchange: Exchange): Promise<EngineResponse> {
    const { current, currentVersion, ends } = this.#options;
    if (selected.version === currentVersion) return this.varying(await current.handle(exchange));
    const ended = ends.get(selected.version)?.error(selected.version);
    return this.#within(selected, exchange, (engine) =>
      ended === undefined ? engine.handle(exchange) : engine.reject(ended, exchange),
    );
  }

  /** A version that cannot be opened is an internal error: its files are wrong. */
  async #within(
    selected: VersionOfRequest,
    exchange: Exchange,
    respond: (engine: Engine) => MaybePromise<EngineResponse>,
  ): Promise<EngineResponse> {
    const { engineOf, current } = this.#options;
    const { version } = selected;
    try {
      const response = this.varying(await respond(await engineOf(selected)));
      const end = this.#options.ends.get(version);
      return { ...(end === undefined ? response : end.announced(response)), version };
    } catch (error) {
      const cause = new Error(`version ${version}: ${errorFrom(error).message}`, { cause: error });
      const problem = internalError('internal error', cause);
      return { ...this.varying(await current.reject(problem, exchange)), version };
    }
  }

  /** It has no header of its own: the first version that has the path responds. */
  async #preflight(exchange: Exchange): Promise<EngineResponse> {
    const { current, currentVersion, ends, engineOf, versions, header, selection } = this.#options;
    const { version: named, prefix } = selection.orCurrent(exchange);
    const latestFirst = [named, currentVersion, ...versions.toReversed()];
    for (const version of prefix === undefined ? new Set(latestFirst) : [named]) {
      const isCurrent = version === currentVersion;
      const engine = isCurrent
        ? current
        : await engineOf({ version, prefix }).catch(() => undefined);
      // A match is kept in the exchange.
      const asked = new Exchange(exchange, exchange.body);
      if (engine?.match(asked) === undefined) continue;
      const ended = ends.get(version)?.error(version);
      const isHandled = engine.authenticate(asked) !== undefined;
      if (ended !== undefined && isHandled) return engine.reject(ended, exchange);
      return withAllowedHeader(await engine.handle(exchange), header);
    }
    return current.handle(exchange);
  }

  /** @returns the response with the headers in `Vary` that select a version */
  varying(response: EngineResponse): EngineResponse {
    const { varies } = this.#options.selection;
    if (varies.length === 0) return response;
    return { ...response, headers: withVary(response.headers, varies) };
  }
}

function problemOf(error: unknown): Problem {
  return error instanceof Problem ? error : internalError('internal error', error);
}

function isPreflight({ method, headers }: Exchange): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

function withAllowedHeader(response: EngineResponse, header: string | undefined): EngineResponse {
  const { headers } = response;
  if (header === undefined || headers['Access-Control-Allow-Methods'] === undefined)
    return response;
  const allowed = headers['Access-Control-Allow-Headers'];
  const names = allowed === undefined ? header : `${allowed}, ${header}`;
  return { ...response, headers: { ...headers, 'Access-Control-Allow-Headers': names } };
}
