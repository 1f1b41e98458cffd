// Compares one operation.
import type { Operation, RequestRate } from '@stubwright/contract';
import { DOCUMENTATION_KEYWORDS } from '../rules/documentationKeywords.ts';
import { change } from '../rules/rules.ts';
import { canonical } from '../values/formatting.ts';
import { ComparedPart } from './comparedPart.ts';
import { compareRequestBody } from './content.ts';
import type { ContractComparison } from './contractComparison.ts';
import { compareIdempotency } from './idempotency.ts';
import { comparePagination } from './pagination.ts';
import { compareParameters } from './parameters.ts';
import { compareResponses } from './responses.ts';
import { compareSecurity } from './security.ts';
import { compareOperationServers } from './servers.ts';
import { compareCallbacks } from './webhooks.ts';

/** @returns `POST /toys` */
export function routeTitle({ requestMethod, path }: Operation): string {
  return `${requestMethod} ${path}`;
}

export function compareOperation(
  context: ContractComparison,
  before: Operation,
  after: Operation,
): void {
  const title = { operation: routeTitle(after) };
  const operation = new ComparedPart(context, { before, after }, title);
  compareNames(operation);
  compareOperationServers(operation);
  compareSecurity(operation);
  compareRateLimit(operation);
  compareParameters(operation, before, after);
  compareIdempotency(operation, { before, after });
  compareRequestBody(operation, before, after);
  compareResponses(operation, before, after);
  compareCallbacks(operation);
  const isPaginationReported = comparePagination(operation);
  operation.documentation(
    DOCUMENTATION_KEYWORDS.operation,
    isPaginationReported ? ['x-pagination'] : [],
  );
}

/** Compares the names that SDKs use for methods and classes. */
function compareNames(operation: ComparedPart): void {
  const { before, after } = operation;
  const ids = { was: before.field('operationId'), is: after.field('operationId') };
  if (ids.was !== ids.is) {
    const kind = ids.was === undefined ? 'added' : ids.is === undefined ? 'removed' : 'changed';
    operation.report(change(`operation-id-${kind}`, ids), 'operationId');
  }
  const tags = { was: before.field('tags'), is: after.field('tags') };
  if (canonical(tags.was) === canonical(tags.is)) return;
  operation.report(change('tags-changed', tags), 'tags');
}

function compareRateLimit(operation: ComparedPart<Operation>): void {
  const { before, after } = operation;
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
