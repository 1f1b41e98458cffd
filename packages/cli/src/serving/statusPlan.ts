// The statuses of a newer contract that an older one does not declare.
import type { Contract, Operation } from '@stubwright/contract';

export interface ConvertedStatus {
  /** The statuses of the older contract that may stand for it. */
  readonly allowed: readonly number[];
  /** The operationIds of the older contract whose newer operation declares the status. */
  readonly operations: readonly string[];
}

const EXACT = /^\d{3}$/;

/**
 * @param pairs the newer operations, by operationId of the older contract
 * @returns by status of the newer contract; without one that an operation of the older contract declares,
 *   because `statuses` applies to all operations
 */
export function convertedStatuses(
  older: Contract,
  pairs: ReadonlyMap<string, Operation>,
): ReadonlyMap<number, ConvertedStatus> {
  const declared = new Set(older.operations.flatMap((each) => statusesOf(each)));
  const found = new Map<number, { operation: Operation; allowed: readonly number[] }[]>();
  for (const operation of older.operations) {
    const newer = pairs.get(operation.operationId);
    for (const status of newer === undefined ? [] : statusesOf(newer)) {
      if (declared.has(status) || operation.responses.for(status) !== undefined) continue;
      const allowed = statusesOf(operation).filter((each) => each >= 400 === status >= 400);
      found.set(status, [...(found.get(status) ?? []), { operation, allowed }]);
    }
  }
  const all = [...found].flatMap(([status, uses]): [number, ConvertedStatus][] => {
    const allowed = uses
      .map((each) => each.allowed)
      .reduce((a, b) => a.filter((each) => b.includes(each)));
    if (allowed.length === 0) return [];
    const operations = uses.map(({ operation }) => operation.operationId);
    return [[status, { allowed, operations }]];
  });
  return new Map(all);
}

function statusesOf({ responses }: Operation): number[] {
  return [...responses.keys()].filter((each) => EXACT.test(each)).map(Number);
}
