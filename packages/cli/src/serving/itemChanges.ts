// Changes of the items of streams.
import { isSequential, type Operation, parseMediaType, unescapeToken } from '@stubwright/contract';
import type { Change } from '@stubwright/diff';

/** @param newer the operation of the newer contract @returns true for a change within an item of a stream */
export function isItemChange({ after }: Change, newer: Operation | undefined): boolean {
  if (newer === undefined) return false;
  const [, type, inner] = /\/content\/([^/]+)\/(.*)$/.exec(after) ?? [];
  if (type === undefined || inner === undefined) return false;
  const media = parseMediaType(unescapeToken(type))?.type ?? '';
  return isSequential(media) && /^(?:itemSchema|x-item-schema|schema\/items)\b/.test(inner);
}
