// Compares under which key an operation runs once, and for how long.
import type { Operation } from '@stubwright/contract';
import { type ChangeMessage, change } from '../rules/rules.ts';
import { announcedRemoval, announcementOf } from '../rules/sunset.ts';
import type { ComparedPart } from './comparedPart.ts';
import type { Both } from './sides.ts';

export function compareIdempotency(operation: ComparedPart, sides: Both<Operation>): void {
  const { before, after } = sides;
  const [was, is] = [before.idempotency, after.idempotency];
  const [older, newer] = [was?.parameter.name, is?.parameter.name];
  if (older?.toLowerCase() !== newer?.toLowerCase()) {
    if (older !== undefined && !isAnnounced(sides, older)) {
      report(operation, sides, older, change('idempotency-removed', { name: older }));
    }
    // Clients of the older contract do not send a new header.
    if (newer !== undefined && before.parameter('header', newer) !== undefined) {
      report(operation, sides, newer, change('idempotency-added', { name: newer }));
    }
    return;
  }
  if (was === undefined || is === undefined || was.ttlMs === is.ttlMs) return;
  const [ttlWas, ttlIs] = [was, is].map(({ parameter }) => parameter.field('x-idempotency'));
  const kind = is.ttlMs < was.ttlMs ? 'shortened' : 'lengthened';
  const facts = { was: ttlWas, is: ttlIs };
  report(operation, sides, is.parameter.name, change(`idempotency-${kind}`, facts));
}

/** The removal of the parameter itself, which `parameter-removed` reports. */
function isAnnounced({ before, after }: Both<Operation>, name: string): boolean {
  const removed = before.parameter('header', name)!;
  if (after.parameter('header', name) !== undefined) return false;
  return announcedRemoval(announcementOf(removed)) !== undefined;
}

function report(
  operation: ComparedPart,
  { before, after }: Both<Operation>,
  name: string,
  message: ChangeMessage,
): void {
  const [was, is] = [before, after].map((each) => each.parameter('header', name));
  const title = (is ?? was)!.title;
  if (was !== undefined && is !== undefined) {
    operation.within(title).with({ before: was, after: is }).report(message, 'x-idempotency');
  } else operation.within(title).report(message, 'parameters', { before: was, after: is });
}
