// Which callers use the part of a change, by the counts of the parts that they send.
import { keyOfPart, type PartLocation } from '@stubwright/traffic';
import type { ChangedPart, ChangeMessage } from '../rules/rules.ts';

/** Requests of one caller. */
export interface Count {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly last: number;
}

/** A part, and the requests of one caller that have it. */
interface CountedPart extends Count {
  readonly part: PartLocation;
}

/** What one caller sent to one operation. */
export interface OperationUse {
  valid: number;
  last: number;
  /** By key. */
  readonly parts: Map<string, CountedPart>;
  isTruncated: boolean;
}

type Change = Pick<ChangeMessage, 'rule' | 'facts'>;
type Path = ChangedPart['path'];

const BODY = 'request body';

/** Changes that concern requests without the part. */
const WITHOUT_PART = new Set<string>([
  'required-parameter-added',
  'parameter-became-required',
  'request-required-body-added',
  'request-body-became-required',
  'request-default-changed',
  'request-property-became-required',
  'request-required-property-added',
]);

/** Changes of one property of the object that they are reported at. */
const OF_PROPERTY = new Set<string>([
  'request-property-removed',
  'request-property-disallowed',
  'request-property-became-required',
  'request-required-property-added',
]);

/** @param part that a change is reported at @returns the part that it changes */
export function changedPartOf({ rule, facts = {} }: Change, part: ChangedPart): ChangedPart {
  const { name } = facts;
  if (!OF_PROPERTY.has(rule) || typeof name !== 'string') return part;
  return { ...part, path: [...part.path, name] };
}

/** @returns the requests that a change may concern, at least all that it does; undefined for none */
export function useOf(
  { rule, facts = {} }: Change,
  part: ChangedPart,
  use: OperationUse,
): Count | undefined {
  const { valid, last } = use;
  if (valid === 0) return undefined;
  if (part.subject === '') return { count: valid, last };
  const { mediaType } = part;
  const isSent =
    mediaType === undefined || use.parts.has(keyOfPart({ subject: BODY, path: [], mediaType }));
  if (!isSent) return undefined;
  if (WITHOUT_PART.has(rule)) return usesWithout(part, use);
  const { value } = facts;
  if (rule === 'request-enum-value-removed' && typeof value === 'string' && !use.isTruncated) {
    return usesOfValue(part, value, use);
  }
  return usesOf(part, use);
}

/** A value of an item or of a property without a declaration is counted under the name of each. */
function usesOfValue(part: ChangedPart, value: string, { parts }: OperationUse): Count | undefined {
  return maximum(
    [...parts.values()].filter(
      ({ part: used }) =>
        used.value === value && used.path.length === part.path.length && isWithin(used, part),
    ),
  );
}

function usesOf(part: ChangedPart, { parts, isTruncated }: OperationUse): Count | undefined {
  const all = [...parts.values()];
  const used = all.filter(({ part: own }) => {
    if (isWithin(own, part)) return true;
    if (!isWithin(part, own)) return false;
    // A container of the changed part: it counts if its own parts are not known.
    return isTruncated || !all.some(({ part: other }) => isWithin(other, own, 1));
  });
  return maximum(used);
}

/** Of the value that should have the part. */
function usesWithout(part: ChangedPart, use: OperationUse): Count | undefined {
  const { parts, valid, last } = use;
  const { subject, path } = part;
  const all =
    path.length === 0 ? { count: valid, last } : usesOf({ subject, path: path.slice(0, -1) }, use);
  if (all === undefined) return undefined;
  // Of items, only the requests are counted.
  if (path.includes(null) || use.isTruncated) return all;
  const isBody = subject === BODY && path.length === 0;
  const sent = isBody ? bodies(use) : (parts.get(keyOfPart({ subject, path }))?.count ?? 0);
  return sent < all.count ? { count: all.count - sent, last: all.last } : undefined;
}

function bodies({ parts }: OperationUse): number {
  return [...parts.values()]
    .filter(({ part }) => part.mediaType !== undefined)
    .reduce((sum, { count }) => sum + count, 0);
}

/** True if `inner` is `outer` or a part of it, at least `deeper` levels below. */
export function isWithin(
  inner: { readonly subject: string; readonly path: Path },
  outer: { readonly subject: string; readonly path: Path },
  deeper = 0,
): boolean {
  if (inner.subject !== outer.subject || inner.path.length < outer.path.length + deeper)
    return false;
  return outer.path.every((each, at) => {
    const own = inner.path[at]!;
    return each === own || each === null || own === null;
  });
}

/** @returns undefined for none */
export function maximum(counts: readonly Count[]): Count | undefined {
  if (counts.length === 0) return undefined;
  return {
    count: Math.max(...counts.map(({ count }) => count)),
    last: Math.max(...counts.map(({ last }) => last)),
  };
}
