// Matches the operations of two contracts.
import type { Contract, Operation } from '@stubwright/contract';
import { routeTitle } from './operation.ts';
import { routeOf } from './paths.ts';
import { operationUrls } from './servers.ts';

export interface MatchedOperations {
  readonly pairs: readonly (readonly [Operation, Operation])[];
  readonly removed: readonly Operation[];
  readonly added: Set<Operation>;
}

/**
 * Matches by method and path, else without the names of path parameters, else by method and URL: a base path may
 * move between servers and paths.
 */
export function matchOperations(before: Contract, after: Contract): MatchedOperations {
  const [was, is] = [operationsOf(before), operationsOf(after)];
  const added = new Set(is);
  const counterparts = new Map<Operation, Operation>();
  const match = (operation: Operation, other: Operation | undefined) => {
    if (other === undefined || !added.delete(other)) return;
    counterparts.set(operation, other);
  };
  const byPath = new Map(is.map((each) => [routeTitle(each), each]));
  for (const each of was) match(each, byPath.get(routeTitle(each)));
  const byRoute = new Map([...added].map((each) => [routeOf(routeTitle(each)), each]));
  for (const each of was) {
    if (!counterparts.has(each)) match(each, byRoute.get(routeOf(routeTitle(each))));
  }
  const byUrl = new Map(
    [...added].flatMap((each) => urlKeys(after, each).map((key) => [key, each] as const)),
  );
  for (const each of byUrl.size === 0 ? [] : was) {
    if (counterparts.has(each)) continue;
    const key = urlKeys(before, each).find((url) => added.has(byUrl.get(url)!));
    if (key !== undefined) match(each, byUrl.get(key));
  }
  return {
    pairs: [...counterparts],
    removed: was.filter((each) => !counterparts.has(each)),
    added,
  };
}

/** A removal needs no comparison: operations with errors are matched as well. */
function operationsOf(contract: Contract): readonly Operation[] {
  const { operations, unservedOperations, disabledOperations } = contract;
  return [...operations, ...unservedOperations, ...disabledOperations];
}

function urlKeys(definition: Contract, operation: Operation): string[] {
  return [...operationUrls(definition, operation)].map(
    (url) => `${operation.requestMethod} ${url}`,
  );
}
