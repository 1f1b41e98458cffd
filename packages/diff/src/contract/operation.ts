// Compares one operation, its callbacks, and webhooks, in which the service sends and clients respond.
import {
  type Operation,
  type OutgoingItem,
  type OutgoingOperation,
  type Pagination,
  type RequestRate,
  Responses,
} from '@stubwright/contract';
import { type ChangeMessage, change } from '../rules/rules.ts';
import { DOCUMENTATION_KEYWORDS } from '../rules/severity.ts';
import { announcedRemoval, announcementOf } from '../rules/sunset.ts';
import { canonical } from '../values/formatting.ts';
import {
  areBoth,
  type Both,
  ComparedPart,
  type ContractComparison,
  joined,
  type Sides,
} from './comparedPart.ts';
import { compareRequestBody } from './content.ts';
import { compareParameters } from './parameters.ts';
import { compareResponses } from './responses.ts';
import { compareSecurity } from './security.ts';
import { compareOperationServers } from './servers.ts';

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
  const [was, is] = [before, after].map((side) => side.rateLimit && side.field('x-rate-limit'));
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

function compareIdempotency(operation: ComparedPart, sides: Both<Operation>): void {
  const { before, after } = sides;
  const [was, is] = [before.idempotency, after.idempotency];
  const [older, newer] = [was?.parameter.name, is?.parameter.name];
  if (older?.toLowerCase() !== newer?.toLowerCase()) {
    if (older !== undefined && !isAnnounced(sides, older)) {
      reportIdempotency(operation, sides, older, change('idempotency-removed', { name: older }));
    }
    // Clients of the older contract do not send a new header.
    if (newer !== undefined && before.parameter('header', newer) !== undefined) {
      reportIdempotency(operation, sides, newer, change('idempotency-added', { name: newer }));
    }
    return;
  }
  if (was === undefined || is === undefined || was.ttlMs === is.ttlMs) return;
  const [ttlWas, ttlIs] = [was, is].map(({ parameter }) => parameter.field('x-idempotency'));
  const kind = is.ttlMs < was.ttlMs ? 'shortened' : 'lengthened';
  const facts = { was: ttlWas, is: ttlIs };
  reportIdempotency(operation, sides, is.parameter.name, change(`idempotency-${kind}`, facts));
}

/** The removal of the parameter itself, which `parameter-removed` reports. */
function isAnnounced({ before, after }: Both<Operation>, name: string): boolean {
  const removed = before.parameter('header', name)!;
  if (after.parameter('header', name) !== undefined) return false;
  return announcedRemoval(announcementOf(removed)) !== undefined;
}

function reportIdempotency(
  operation: ComparedPart,
  { before, after }: Both<Operation>,
  name: string,
  message: ChangeMessage,
): void {
  const [was, is] = [before, after].map((side) => side.parameter('header', name));
  const title = (is ?? was)!.title;
  if (was !== undefined && is !== undefined) {
    operation.within(title).with({ before: was, after: is }).report(message, 'x-idempotency');
  } else operation.within(title).report(message, 'parameters', { before: was, after: is });
}

const KEYWORD = 'x-pagination';

/**
 * Without `x-pagination` on either side, the parameters and properties that clients recognize are compared alone.
 *
 * @returns true if it reported a change
 */
function comparePagination(operation: ComparedPart<Operation>): boolean {
  const { before, after } = operation;
  if (before.field(KEYWORD) === undefined && after.field(KEYWORD) === undefined) return false;
  const [was, is] = [before.pagination, after.pagination];
  if (was === undefined || is === undefined) {
    if (was === is) return false;
    const kind = is === undefined ? 'removed' : 'added';
    operation.report(change(`pagination-${kind}`), KEYWORD);
    return true;
  }
  const names = PAGINATION_PARTS.filter((name) => isMissed(name, was, is));
  if (names.length === 0) return false;
  const changed = (pages: Pagination) =>
    Object.fromEntries(names.map((name) => [name, readParts(pages)[name] ?? null]));
  operation.report(change('pagination-changed', { was: changed(was), is: changed(is) }), KEYWORD);
  return true;
}

const PAGINATION_PARTS = ['kind', 'parameter', 'items', 'next', 'more'] as const;

/** The parts that clients read: those of a page by number do not read `next`, nor those of a link a parameter. */
function readParts({ kind, parameter, items, next, more }: Pagination): Partial<Pagination> {
  const isFollowed = kind === 'cursor' || kind === 'link';
  return {
    ...{ kind, items },
    ...(kind !== 'link' && parameter !== undefined && { parameter }),
    ...(isFollowed && next !== undefined && { next }),
    ...(more !== undefined && { more }),
  };
}

/** A client that does not read `more` ends with an empty page. */
function isMissed(
  name: (typeof PAGINATION_PARTS)[number],
  was: Pagination,
  is: Pagination,
): boolean {
  const [earlier, later] = [readParts(was)[name], readParts(is)[name]];
  return earlier !== later && !(name === 'more' && earlier === undefined);
}

export function compareWebhooks(documents: ComparedPart): void {
  const { context } = documents;
  for (const { name, ...item } of joined(context.before.webhookItems, context.after.webhookItems)) {
    compareItem(new ComparedPart(context, documents, { operation: `webhook ${name}` }), item);
  }
}

/** A callback maps runtime expressions, which yield its URLs, to path items. */
function compareCallbacks(operation: ComparedPart<Operation>): void {
  const { before, after, context } = operation;
  const was = context.before.callbackObjectsOf(before);
  const is = context.after.callbackObjectsOf(after);
  for (const { name, ...callback } of joined(was, is)) {
    const inside = operation.within(`callback ${name}`);
    if (!areBoth(callback)) reportAddedOrRemoved(inside, callback);
    else {
      const items = joined(callback.before.items, callback.after.items);
      for (const item of items) compareItem(inside, item);
    }
  }
}

function compareItem(holder: ComparedPart, item: Sides<OutgoingItem>): void {
  if (!areBoth(item)) {
    reportAddedOrRemoved(holder, item);
    return;
  }
  for (const operation of joined(item.before.operations, item.after.operations)) {
    if (areBoth(operation)) compareOutgoing(holder.with(operation));
    else reportAddedOrRemoved(holder.with(item), operation);
  }
}

function reportAddedOrRemoved(
  holder: ComparedPart,
  entry: Sides<{ readonly pointer: string }>,
): void {
  const kind = entry.after === undefined ? 'removed' : 'added';
  holder.report(change(`webhook-${kind}`), '', entry);
}

/** Inverts the direction: the service sends the request and the client responds. */
function compareOutgoing(operation: ComparedPart<OutgoingOperation>): void {
  const inverted = operation.inverted();
  const [was, is] = [partsOf(operation.before), partsOf(operation.after)];
  compareParameters(inverted, was, is);
  compareRequestBody(inverted, was, is);
  compareResponses(inverted, was, is);
  operation.documentation(DOCUMENTATION_KEYWORDS.webhook);
}

function partsOf(operation: OutgoingOperation) {
  const { parameters, requestBody, responses } = operation;
  const isAny = operation.field('responses') === undefined;
  return { path: '', parameters, requestBody, responses: isAny ? new Responses([]) : responses };
}
