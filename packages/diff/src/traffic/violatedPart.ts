// The part of an operation that a recorded request violates, and whether a change is about it.
import { isObject, parseMediaType, tokensOf } from '@stubwright/contract';
import type { Violation } from '@stubwright/contract/values';
import { messageOf, REDACTED, type TrafficRequest } from '@stubwright/traffic';
import type { Exchange } from 'stubwright/internals';
import type { Change, ChangedPart } from '../rules/change.ts';
import { isWithin } from './partUse.ts';

const HIDDEN = encodeURIComponent(REDACTED);

export function isRedacted(entry: TrafficRequest): boolean {
  const { target, headers, body = '' } = messageOf(entry);
  const texts = [target, ...Object.values(headers), body];
  return texts.some((each) => each.includes(REDACTED) || each.includes(HIDDEN));
}

/** A property without its name may be the one that a violation misses. */
export function isCertain({ where, pointer }: Violation, { parsedBody, url }: Exchange): boolean {
  if (where !== '') return !url.includes(`${HIDDEN}=`);
  let holder: unknown = parsedBody.value;
  for (const token of tokensOf(pointer)) {
    if (!isObject(holder) && !Array.isArray(holder)) return true;
    if (Object.hasOwn(holder, REDACTED)) return false;
    holder = Reflect.get(holder, token);
  }
  return !isObject(holder) || !Object.hasOwn(holder, REDACTED);
}

/** As in a change: no subject for the whole operation. @param mediaType of the body */
export function partOfViolation(
  { where, pointer }: Violation,
  mediaType: string | undefined,
): ChangedPart {
  if (where === 'path' || where === 'method') return WHOLE;
  const path = tokensOf(pointer);
  return where === '' ? { subject: BODY, mediaType, path } : { subject: where, path };
}

const BODY = 'request body';
const WHOLE: ChangedPart = { subject: '', path: [] };

/** @returns the part without the media type of a schema that several have */
export function partIn({ before, located }: Change, operation: string): ChangedPart {
  const { mediaType, ...part } = located?.get(operation) ?? WHOLE;
  const isOfType = mediaType !== undefined && before.includes('/content/');
  return isOfType ? { ...part, mediaType } : part;
}

/** True if one part contains the other. */
export function isSamePart(changed: ChangedPart, violated: ChangedPart): boolean {
  if (changed.subject === '' || violated.subject === '') return true;
  const { mediaType } = changed;
  const isSameType =
    mediaType === undefined || parseMediaType(mediaType)?.type === violated.mediaType;
  return isSameType && (isWithin(changed, violated) || isWithin(violated, changed));
}
