// The end of a served version: the headers that announce it, and the error after it.
import { gone, type Problem, timeOf } from '@stubwright/contract';
import type { EngineResponse } from 'stubwright/internals';
import type { ServedEntry } from './configuration.ts';

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
    const names = new Set(Object.keys(response.headers).map((each) => each.toLowerCase()));
    const own = Object.entries(this.#headers).filter(([name]) => !names.has(name.toLowerCase()));
    return { ...response, headers: { ...response.headers, ...Object.fromEntries(own) } };
  }
}
