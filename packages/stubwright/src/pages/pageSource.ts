// The source of the pages of any operation, and a page of it.
import { type Contract, contractViolation, type MaybePromise } from '@stubwright/contract';
import type { Exchange } from '../request/exchange.ts';
import type { KeyValue } from './cursors.ts';
import type { PageValues } from './pageLinks.ts';
import type { PagePlan } from './pagePlan.ts';

/** A row by the names of its properties. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** `CursorSource` and `OffsetSource` have the exact types. */
export interface AnySource {
  readonly order?: readonly string[];
  readonly maxAgeSeconds?: number | undefined;
  readonly boundTo?: string | undefined;
  readonly origin?: string | undefined;
  readonly item?: (row: never) => unknown;
  readonly fetch: (range: {
    readonly after: readonly KeyValue[] | undefined;
    readonly offset: number;
    readonly limit: number;
  }) => MaybePromise<readonly AnyRow[]>;
}

/** Of the API. */
export interface PageParts {
  readonly definition: Contract;
  /** The first one signs cursors, all verify; undefined for none. */
  readonly cursorSecrets: readonly string[] | undefined;
}

/** A page without its envelope. */
export interface FetchedPage {
  readonly rows: readonly AnyRow[];
  readonly values: PageValues;
}

/** @returns the number of items of the page that a request selects */
export function sizeOf(
  { parameters: { query } }: Exchange,
  { pagination: { size }, defaultSize, maxSize }: PagePlan,
): number {
  const given = size === undefined ? undefined : query[size];
  if (given === undefined) return defaultSize;
  return Math.min(integerIn(given, size!, 1), maxSize);
}

/** @throws {Problem} 40000 for a value below the minimum, which the contract may not declare */
export function integerIn(value: unknown, parameter: string, min: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= min) return number;
  throw pageViolation(parameter, `an integer from ${min}`);
}

/** @returns 40000 */
export function pageViolation(parameter: string, expected: string) {
  return contractViolation(`query ${parameter}: expected ${expected}`, [
    { in: 'query', pointer: `/${parameter}`, rule: 'minimum', expected },
  ]);
}

/** @throws {Error} for a source that ignores the limit */
export function expectAtMost(rows: readonly unknown[], limit: number, operationId: string): void {
  if (rows.length <= limit) return;
  throw new Error(`${operationId}: fetch returned ${rows.length} rows, expected at most ${limit}`);
}
