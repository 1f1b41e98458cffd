// Compares the rate limits of an operation.
import type { Operation, RequestRate } from '@stubwright/contract';
import { change } from '../rules/rules.ts';
import type { ComparedPart } from './comparedPart.ts';

export function compareRateLimit(
  operation: ComparedPart,
  before: Operation,
  after: Operation,
): void {
  const rule = ruleOf(before.rateLimit, after.rateLimit);
  if (rule === undefined) return;
  const [was, is] = [before, after].map((each) => each.rateLimit && each.field('x-rate-limit'));
  operation.report(change(rule, { was, is }), 'x-rate-limit');
}

function ruleOf(before: RequestRate | undefined, after: RequestRate | undefined) {
  if (before === undefined) return after === undefined ? undefined : 'rate-limit-set';
  if (after === undefined) return 'rate-limit-removed';
  if (!admits(after, before)) return 'rate-limit-lowered';
  return admits(before, after) ? undefined : 'rate-limit-raised';
}

/** True if a window admits the requests of all windows of the other limit that fit into it. */
function admits(limit: RequestRate, other: RequestRate): boolean {
  const windows = Math.ceil(limit.windowSeconds / other.windowSeconds);
  return limit.requests >= windows * other.requests;
}
