// Evidence of recorded requests as a part of a sentence.
import { countOf } from '@stubwright/contract/printable';
import type { Evidence } from './brokenCallers.ts';
import { type CallerRequests, callersText } from './callerCounts.ts';

/** @returns the callers that are possible only */
export function othersThan(
  broken: readonly CallerRequests[],
  possible: readonly CallerRequests[],
): CallerRequests[] {
  const known = new Set(broken.map(({ caller }) => caller));
  return possible.filter(({ caller }) => !known.has(caller));
}

/** @returns `breaks mobile-app (1,204 requests, last 2026-11-20) and 2 other callers` */
export function evidenceText(
  { broken, possible, callers, days, isOfResponse }: Evidence,
  minimumDays: number,
): string {
  const others = othersThan(broken, possible);
  const texts = [
    ...(broken.length > 0 ? [`breaks ${named(broken)}`] : []),
    ...(others.length > 0 ? [`may break ${named(others)}`] : []),
  ];
  if (texts.length > 0 && !isOfResponse) return texts.join('; ');
  if (isOfResponse && callers.length > 0) {
    return `called by ${named(callers)}; what they read is not recorded`;
  }
  if (days === 0) return 'no evidence: the recording has no request of the first contract';
  if (days < minimumDays) {
    return `no evidence: the recording has ${countOf(days, 'day')} of ${minimumDays}`;
  }
  return `no recorded request in ${countOf(days, 'day')} ${isOfResponse ? 'calls' : 'uses'} it`;
}

/** The first one has a name. */
function named(callers: readonly CallerRequests[]): string {
  return callersText(callers, 1);
}
