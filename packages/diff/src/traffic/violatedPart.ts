// The part of an operation that a recorded request violates, and whether a change is about it.
import { parseMediaType, tokensOf } from '@stubwright/contract';
import type { Violation } from '@stubwright/contract/values';
import type { Change, ChangedPart } from '../rules/change.ts';
import { isWithin } from './partUse.ts';

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
