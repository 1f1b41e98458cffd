// Announced removals: `deprecated: true` with `x-sunset`, the date of the removal.
import type { Node } from 'stubwright/contract';
import type { Severity } from '../change.ts';

/**
 * @param node an operation, a parameter or a schema that was removed
 * @returns `compatible` once its date has passed, `risky` before; undefined without an announcement
 */
export function announcedRemoval(
  node: Node | boolean | undefined,
  now = new Date(),
): readonly [severity: Severity, effect: string] | undefined {
  const sunset: unknown = Object(node)['x-sunset'];
  const time = sunsetTime(node);
  if (time === undefined) return undefined;
  return time <= now.getTime()
    ? ['compatible', `The removal was announced for ${sunset}.`]
    : ['risky', `It is removed before ${sunset}, the announced date.`];
}

/**
 * @param before an operation, a parameter, a header or a schema
 * @returns the message and the effect of a date that leaves clients less time; undefined for any other
 */
export function earlierSunset(
  before: Node,
  after: Node,
  now = new Date(),
): readonly [what: string, effect: string] | undefined {
  const [was, is] = [sunsetTime(before), sunsetTime(after)];
  if (is === undefined) return undefined;
  const [old, date] = [before, after].map((node) => node['x-sunset']);
  if (was !== undefined) {
    if (is >= was) return undefined;
    return [`x-sunset ${old} became ${date}`, 'Clients have less time to change.'];
  }
  if (is > now.getTime()) return undefined;
  return [`it was deprecated with x-sunset ${date}`, 'Clients had no time to change.'];
}

/** @returns milliseconds since 1970; undefined without `deprecated` or a date */
function sunsetTime(node: Node | boolean | undefined): number | undefined {
  const { deprecated, 'x-sunset': sunset } = Object(node);
  const time = deprecated === true ? Date.parse(String(sunset)) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
