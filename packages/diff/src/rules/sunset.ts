// Announced removals: `deprecated: true` with `x-sunset`, the date of the removal.
import { type ContractObject, timeOf } from '@stubwright/contract';
import type { Severity } from './severity.ts';

/** The announced date of a removal. */
export interface Announcement {
  readonly date: unknown;
  readonly isPast: boolean;
}

/** The fields of an OpenAPI object or a schema that announce its removal. */
interface SunsetFields {
  readonly deprecated?: unknown;
  readonly 'x-sunset'?: unknown;
}

export function announcementOf(object: ContractObject): SunsetFields {
  return { deprecated: object.field('deprecated'), 'x-sunset': object.field('x-sunset') };
}

/**
 * @param removed an operation, a parameter or a schema
 * @returns undefined without an announcement
 */
export function announcedRemoval(
  removed: SunsetFields,
  now = new Date(),
): Announcement | undefined {
  const time = sunsetTime(removed);
  if (time === undefined) return undefined;
  return { date: removed['x-sunset'], isPast: time <= now.getTime() };
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
  /** The days until the date that the policy demands; 0 for a date in the past. */
  readonly expectedDays: number;
}

/** The default of `minimum-notice-days`. */
export const MINIMUM_NOTICE_DAYS = 30;
const DAY = 24 * 60 * 60 * 1000;

export function sunsetText({ was, is }: EarlierSunset): string {
  return was === undefined
    ? `it was deprecated with x-sunset ${is}`
    : `x-sunset ${was} became ${is}`;
}

export function sunsetEffect({ was, expectedDays }: EarlierSunset): string {
  if (was !== undefined) return 'Clients have less time to change.';
  return expectedDays === 0
    ? 'Clients had no time to change.'
    : `Clients have less than ${expectedDays} days to change.`;
}

/**
 * @param before an operation, a parameter, a header or a schema
 * @param minimumNoticeDays from today to the date of a new announcement
 * @returns undefined for a date that leaves clients as much time
 */
export function earlierSunset(
  before: SunsetFields,
  after: SunsetFields,
  minimumNoticeDays: number,
  now = new Date(),
): EarlierSunset | undefined {
  const [was, is] = [sunsetTime(before), sunsetTime(after)];
  if (is === undefined) return undefined;
  const left = is - now.getTime();
  const isPast = left <= 0;
  const isEarlier = was === undefined ? isPast || left < minimumNoticeDays * DAY : is < was;
  if (!isEarlier) return undefined;
  return {
    was: was === undefined ? undefined : before['x-sunset'],
    is: after['x-sunset'],
    expectedDays: isPast ? 0 : minimumNoticeDays,
  };
}

/** @returns milliseconds since 1970; undefined without `deprecated` or a date */
function sunsetTime({ deprecated, 'x-sunset': sunset }: SunsetFields): number | undefined {
  return deprecated === true ? timeOf(sunset) : undefined;
}
