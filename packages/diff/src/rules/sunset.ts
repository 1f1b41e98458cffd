// Announced removals: `deprecated: true` with `x-sunset`, the date of the removal.
import { type Node, timeOf } from '@stubwright/contract';
import type { Severity } from './severity.ts';

/** The announced date of a removal. */
export interface Announcement {
  readonly date: unknown;
  readonly isPast: boolean;
}

/**
 * @param node an operation, a parameter or a schema that was removed
 * @returns undefined without an announcement
 */
export function announcedRemoval(
  node: Node | boolean | undefined,
  now = new Date(),
): Announcement | undefined {
  const time = sunsetTime(node);
  if (time === undefined) return undefined;
  return { date: Object(node)['x-sunset'], isPast: time <= now.getTime() };
}

export function announcedSeverity({ isPast }: Announcement): Severity {
  return isPast ? 'compatible' : 'breaking';
}

const ANNOUNCED = 'The removal was announced for';

/** True for a removal after its announced date. */
export function isAnnouncedRemoval({ effect }: { readonly effect: string }): boolean {
  return effect.startsWith(ANNOUNCED);
}

export function announcedEffect({ date, isPast }: Announcement): string {
  return isPast ? `${ANNOUNCED} ${date}.` : `It is removed before ${date}, the announced date.`;
}

/** A date that leaves clients less time. */
export interface EarlierSunset {
  /** Undefined if the part was not deprecated. */
  readonly was: unknown;
  readonly is: unknown;
}

export function sunsetText({ was, is }: EarlierSunset): string {
  return was === undefined
    ? `it was deprecated with x-sunset ${is}`
    : `x-sunset ${was} became ${is}`;
}

export function sunsetEffect({ was }: EarlierSunset): string {
  return was === undefined ? 'Clients had no time to change.' : 'Clients have less time to change.';
}

/**
 * @param before an operation, a parameter, a header or a schema
 * @returns undefined for a date that leaves clients as much time
 */
export function earlierSunset(
  before: Node,
  after: Node,
  now = new Date(),
): EarlierSunset | undefined {
  const [was, is] = [sunsetTime(before), sunsetTime(after)];
  if (is === undefined) return undefined;
  const isEarlier = was === undefined ? is <= now.getTime() : is < was;
  if (!isEarlier) return undefined;
  return { was: was === undefined ? undefined : before['x-sunset'], is: after['x-sunset'] };
}

/** @returns milliseconds since 1970; undefined without `deprecated` or a date */
function sunsetTime(node: Node | boolean | undefined): number | undefined {
  const { deprecated, 'x-sunset': sunset } = Object(node);
  return deprecated === true ? timeOf(sunset) : undefined;
}
