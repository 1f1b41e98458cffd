// Changes of the items of streams.
import {
  isEventStream,
  isSequential,
  type Operation,
  parseMediaType,
  reachableSchemas,
  type Schema,
} from '@stubwright/contract';
import { dataContentsOf } from '@stubwright/contract/values';
import type { Change } from '@stubwright/diff';

/** @param newer the operation of the newer contract @returns true for a change within an item of a stream */
export function isItemChange({ after }: Change, newer: Operation | undefined): boolean {
  const schemas = reachableSchemas([...(newer?.responses.values() ?? [])].flatMap(itemSchemas));
  return [...schemas].some(({ pointer }) => after === pointer || after.startsWith(`${pointer}/`));
}

/** The schemas of the items of sequences, and of the data of events. */
function itemSchemas({ contents }: { contents: Operation['request'] }): Schema[] {
  return [...contents].flatMap(([key, { item }]) => {
    const type = parseMediaType(key)?.type ?? '';
    if (item === undefined || !isSequential(type)) return [];
    if (!isEventStream(type)) return [item];
    return [item, ...dataContentsOf(item).flatMap(({ schema }) => schema ?? [])];
  });
}
