// Rate limits per caller: RATE_LIMIT, and `x-rate-limit` of operations. Loaded only if there is one.
import {
  type Contract,
  type Operation,
  type RequestRate,
  tooManyRequests,
} from '@stubwright/contract';
import type { Admit, RateLimitOf } from 'stubwright/internals';
import { type Counters, InMemory } from './counters.ts';
import { Limit, type LimitState } from './limit.ts';

export class RateLimits {
  readonly #caller: Limit | undefined;
  readonly #counters: Counters;

  /**
   * @param rate of all requests of a caller: RATE_LIMIT
   * @param counters by default in the memory of this process
   */
  constructor(rate: RequestRate | undefined, counters: Counters = new InMemory()) {
    this.#counters = counters;
    this.#caller = rate && new Limit('caller', rate, counters.counter(rate, ['caller']));
  }

  /** @returns the limits of the operations of a contract, which older versions share */
  of({ document: { info } }: Contract): RateLimitOf {
    const admits = new Map<Operation, Admit | undefined>();
    return (operation) => {
      const known = admits.get(operation) ?? this.#admitTo(operation, String(info?.title));
      admits.set(operation, known);
      return known;
    };
  }

  close(): Promise<void> {
    return this.#counters.close();
  }

  #admitTo({ operationId, rateLimit }: Operation, title: string): Admit | undefined {
    const limits = this.#caller === undefined ? [] : [this.#caller];
    if (rateLimit !== undefined) {
      const counter = this.#counters.counter(rateLimit, ['operation', title, operationId]);
      limits.push(new Limit(operationId, rateLimit, counter));
    }
    return limits.length === 0 ? undefined : admitWithin(limits);
  }
}

/** Counts each request in all limits, also one that a limit refuses. */
function admitWithin(limits: readonly Limit[]): Admit {
  const policy = limits.map((each) => each.policy).join(', ');
  return async (principal) => {
    const counted = await Promise.all(limits.map((each) => each.count(principal)));
    const states = counted.filter((each) => each !== undefined);
    if (states.length === 0) return undefined;
    const state = states.map(({ text }) => text).join(', ');
    const exceeded = states.filter(({ isExceeded }) => isExceeded);
    if (exceeded.length > 0) throw tooManyRequests(longest(exceeded), state, policy);
    return { RateLimit: state, 'RateLimit-Policy': policy };
  };
}

function longest(states: readonly LimitState[]): number {
  return Math.max(...states.map(({ seconds }) => seconds));
}
