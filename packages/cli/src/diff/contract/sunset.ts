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
  const { deprecated, 'x-sunset': sunset } = Object(node);
  const time = deprecated === true ? Date.parse(String(sunset)) : Number.NaN;
  if (Number.isNaN(time)) return undefined;
  return time <= now.getTime()
    ? ['compatible', `The removal was announced for ${sunset}.`]
    : ['risky', `It is removed before ${sunset}, the announced date.`];
}
