// The operations of two contracts that are the same one.
import type { Contract, Operation } from '@stubwright/contract';

/** @returns by operationId of the older contract: the same operationId, else the same method and path */
export function operationPairs(older: Contract, newer: Contract): ReadonlyMap<string, Operation> {
  const byId = new Map(newer.operations.map((each) => [each.operationId, each]));
  const byRoute = new Map(newer.operations.map((each) => [routeOf(each), each]));
  const pairs = older.operations.map((each) => {
    return [each.operationId, byId.get(each.operationId) ?? byRoute.get(routeOf(each))] as const;
  });
  return new Map(pairs.flatMap(([id, pair]) => (pair === undefined ? [] : [[id, pair] as const])));
}

/** The names of path parameters make no difference. */
function routeOf({ method, path }: Operation): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
}
