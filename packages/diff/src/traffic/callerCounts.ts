// Counts the requests of callers, and names the callers.
import { countOf, printable } from '@stubwright/contract/printable';
import type { Count } from './partUse.ts';

/** The requests of one caller. */
export interface CallerRequests extends Count {
  readonly caller: string;
}

/** By caller. */
export type Counts = Map<string, Count>;

export function addCount(counts: Counts, caller: string, { count, last }: Count): void {
  const known = counts.get(caller) ?? { count: 0, last: 0 };
  counts.set(caller, { count: known.count + count, last: Math.max(known.last, last) });
}

/** @returns the callers, most requests first */
export function mostFirst(counts: Counts): CallerRequests[] {
  return [...counts]
    .map(([caller, each]) => ({ caller, ...each }))
    .sort((a, b) => b.count - a.count || (a.caller < b.caller ? -1 : 1));
}

/**
 * @param callers at least one
 * @param most the number of callers with a name
 * @returns `mobile-app (1,204 requests, last 2026-11-20) and 2 other callers`
 */
export function callersText(callers: readonly CallerRequests[], most: number): string {
  const texts = callers.slice(0, most).map(({ caller, count, last }) => {
    const requests = `${count.toLocaleString('en')} ${count === 1 ? 'request' : 'requests'}`;
    return `${printable(caller)} (${requests}, last ${new Date(last).toISOString().slice(0, 10)})`;
  });
  const others = callers.length - texts.length;
  const text = texts.join(', ');
  return others === 0 ? text : `${text} and ${countOf(others, 'other caller')}`;
}
