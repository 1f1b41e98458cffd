// Delays mocked replies, and selects the requests that fail.
import type { Operation } from '@stubwright/contract';
import type { MockedExchange } from '../exchange.ts';
import type { MockOptions } from '../mocked.ts';
import { Random } from '../sampling/random.ts';
import { isSelected } from './prefer.ts';

/** Maximum wait that a request can select. */
const MAX_WAIT_SECONDS = 60;
const RESOLUTION = 2 ** 30;

export class Disturbance {
  readonly #options: MockOptions;
  readonly #random: Random;

  /** @param seed of the sequence of delays and errors */
  constructor(options: MockOptions, seed: string) {
    this.#options = options;
    this.#random = new Random(`${seed} disturbance`);
  }

  /** Waits as long as `Prefer: wait` or the options select; until the client is gone at most. */
  async delay({ body }: MockedExchange, prefer: ReadonlyMap<string, string>): Promise<void> {
    const delayMs = waitOf(prefer) ?? this.#delayMs();
    if (delayMs === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      body.onClose?.(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** A selected reply does not fail. @returns the status of a failing request: a declared 5xx, else 503; undefined for a reply */
  errorOf({ responses }: Operation, prefer: ReadonlyMap<string, string>): number | undefined {
    const { errorRate = 0 } = this.#options;
    if (errorRate === 0 || isSelected(prefer)) return undefined;
    if (this.#random.below(RESOLUTION) >= errorRate * RESOLUTION) return undefined;
    const declared = [...responses.keys()].filter((key) => /^5\d\d$/.test(key)).map(Number);
    return declared.length > 0 ? this.#random.pick(declared) : 503;
  }

  #delayMs(): number {
    const [min, max] = this.#options.delayMs ?? [0, 0];
    return min + this.#random.below(max - min + 1);
  }
}

/** @returns milliseconds; undefined without a valid `wait` (RFC 7240, section 4.3) */
function waitOf(prefer: ReadonlyMap<string, string>): number | undefined {
  const text = prefer.get('wait');
  if (text === undefined || !/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return undefined;
  return Math.round(Math.min(Number(text), MAX_WAIT_SECONDS) * 1000);
}
