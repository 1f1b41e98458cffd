// Adds to changes whom they break, according to recorded requests.
import type { Contract } from '@stubwright/contract';
import { countOf } from '@stubwright/contract/printable';
import type { TrafficRecord } from '@stubwright/traffic';
import { bySeverity, type Change, type ChangeTraffic } from '../rules/rules.ts';
import { isAnnouncedRemoval } from '../rules/sunset.ts';
import { BrokenCallers, type Evidence } from './brokenCallers.ts';
import { type CallerRequests, callersText } from './callerCounts.ts';
import { isVisible } from './visibility.ts';

interface TrafficOptions {
  readonly records: AsyncIterable<TrafficRecord>;
  /** A shorter recording is no evidence that nobody uses a part. */
  readonly minimumDays: number;
}

/** @returns the changes, and a line that describes the recording */
export async function withTraffic(
  changes: readonly Change[],
  contracts: { readonly before: Contract; readonly after: Contract },
  { records, minimumDays }: TrafficOptions,
): Promise<{ changes: Change[]; summary: string }> {
  const callers = new BrokenCallers(contracts.before, contracts.after);
  for await (const record of records) await callers.add(record);
  const { total, ignored, days } = callers;
  const noticed = (change: Change): Change => {
    if (change.operations.length === 0) return change;
    const evidence = isVisible(change) ? callers.evidenceFor(change) : undefined;
    const traffic = evidence === undefined ? NOT_VISIBLE : trafficOf(evidence, minimumDays);
    if (change.severity !== 'compatible') return { ...change, traffic };
    if (!isAnnouncedRemoval(change)) return change;
    // The announcement was not enough for those who still use the part.
    const isStillUsed = traffic.callers.length > 0 && !change.rule.startsWith('response-');
    return { ...change, traffic, severity: isStillUsed ? 'breaking' : 'compatible' };
  };
  return {
    changes: changes.map(noticed).sort(bySeverity),
    summary: `${countOf(total, 'recorded request')} in ${countOf(days, 'day')}, ${ignored} not of the first contract`,
  };
}

const NOT_VISIBLE: ChangeTraffic = {
  text: 'not visible in recorded requests',
  isUsed: true,
  callers: [],
};

function trafficOf(evidence: Evidence, minimumDays: number): ChangeTraffic {
  const { broken, possible, callers, days, isOfResponse } = evidence;
  const affected = isOfResponse ? callers : [...broken, ...othersThan(broken, possible)];
  return {
    text: evidenceText(evidence, minimumDays),
    isUsed: affected.length > 0 || days === 0 || days < minimumDays,
    callers: affected.map(({ last, ...each }) => ({ ...each, last: new Date(last).toISOString() })),
  };
}

/** @returns the callers that are possible only */
function othersThan(
  broken: readonly CallerRequests[],
  possible: readonly CallerRequests[],
): CallerRequests[] {
  const known = new Set(broken.map(({ caller }) => caller));
  return possible.filter(({ caller }) => !known.has(caller));
}

/** @returns `breaks mobile-app (1,204 requests, last 2026-11-20) and 2 other callers` */
function evidenceText(
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
    return `called by ${named(callers)}; the parts that they read are not recorded`;
  }
  if (days === 0) return 'no evidence: the recording has no dated request of the first contract';
  if (days < minimumDays) {
    return `no evidence: the recording has ${countOf(days, 'day')} of ${minimumDays}`;
  }
  return `no recorded request in ${countOf(days, 'day')} ${isOfResponse ? 'calls' : 'uses'} it`;
}

/** The first one has a name. */
function named(callers: readonly CallerRequests[]): string {
  return callersText(callers, 1);
}
