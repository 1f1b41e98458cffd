// Adds to changes whom they break, according to recorded requests.
import type { Definition } from 'stubwright/contract';
import type { Change } from '../diff/change.ts';
import { BrokenCallers, type Evidence } from './brokenCallers.ts';
import type { TrafficEntry } from './entry.ts';
import { evidenceText } from './evidenceText.ts';

export interface TrafficOptions {
  readonly entries: AsyncIterable<TrafficEntry>;
  /** A shorter recording is no evidence that nobody uses a part. */
  readonly minimumDays: number;
}

/** @returns the changes, and a line that describes the recording */
export async function withTraffic(
  changes: readonly Change[],
  contracts: { readonly before: Definition; readonly after: Definition },
  { entries, minimumDays }: TrafficOptions,
): Promise<{ changes: Change[]; summary: string }> {
  const callers = new BrokenCallers(contracts.before, contracts.after);
  for await (const entry of entries) await callers.add(entry);
  const { total, ignored, days } = callers;
  return {
    changes: changes.map((change) =>
      change.severity === 'compatible' || change.operations.length === 0
        ? change
        : {
            ...change,
            traffic: isVisible(change)
              ? trafficOf(callers.evidenceFor(change), minimumDays)
              : { text: 'not visible in recorded requests', isUsed: true, callers: [] },
          },
    ),
    summary: `${total} recorded requests in ${days} days, ${ignored} not of the first contract`,
  };
}

const VISIBLE = /^(?:(?:path|query|header|cookie|querystring) parameter|request body|response)\b/;

/** False for security, webhooks and callbacks: what a recording cannot show counts as used. */
function isVisible({ operations, part, rule }: Change): boolean {
  if (part.includes('callback') || !operations.every((each) => /^[A-Z]+ \//.test(each)))
    return false;
  return VISIBLE.test(part) || (part === '' && rule.startsWith('operation-'));
}

function trafficOf(evidence: Evidence, minimumDays: number): NonNullable<Change['traffic']> {
  const { broken, callers, days, isOfResponse } = evidence;
  const affected = isOfResponse ? callers : broken;
  return {
    text: evidenceText(evidence, minimumDays),
    isUsed: affected.length > 0 || days < minimumDays,
    callers: affected.map(({ last, ...each }) => ({ ...each, last: new Date(last).toISOString() })),
  };
}
