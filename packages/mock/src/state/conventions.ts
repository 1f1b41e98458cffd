// The role of each operation by its method and path: a collection `/toys`, an item `/toys/{id}`.

import type { Operation } from '@stubwright/contract';

export type Role = 'create' | 'list' | 'read' | 'replace' | 'change' | 'remove';

export interface Convention {
  readonly role: Role;
  /** The path template of the collection. */
  readonly collection: string;
  /** The path parameter that identifies an item; undefined on the path of a collection. */
  readonly parameter: string | undefined;
  /** The same parameter, also on the path of the collection; `id` if no operation has the path of an item. */
  readonly idName: string;
}

const OF_ITEM: Readonly<Record<string, Role>> = {
  get: 'read',
  put: 'replace',
  patch: 'change',
  delete: 'remove',
};
/** The body of PUT has the id. */
const OF_COLLECTION: Readonly<Record<string, Role>> = {
  get: 'list',
  post: 'create',
  put: 'replace',
};
const ITEM_PATH = /^(.*)\/\{([^{}/]+)\}$/;

/** @returns the operations that have a role, of collections that a request can add an item to */
export function conventionsOf(operations: readonly Operation[]): Map<Operation, Convention> {
  const idNames = new Map<string, string>();
  for (const { path } of operations) {
    const [, collection, name] = ITEM_PATH.exec(path) ?? [];
    if (collection !== undefined && !idNames.has(collection)) idNames.set(collection, name!);
  }
  const all = new Map<Operation, Convention>();
  for (const operation of operations) {
    const { path, method } = operation;
    const [, collection = path, parameter] = ITEM_PATH.exec(path) ?? [];
    const role = parameter === undefined ? OF_COLLECTION[method] : OF_ITEM[method];
    const idName = parameter ?? idNames.get(path) ?? 'id';
    if (role !== undefined) all.set(operation, { role, collection, parameter, idName });
  }
  const roles = new Map<string, Set<Role>>();
  for (const { collection, role, parameter } of all.values()) {
    const own = roles.get(collection) ?? new Set();
    // PUT on the path of an item can add it, PUT on the path of the collection only replaces it.
    roles.set(collection, parameter === undefined && role === 'replace' ? own : own.add(role));
  }
  // Another operation must return the item.
  const isKept = ({ collection }: Convention) => {
    const own = roles.get(collection)!;
    return (own.has('create') || own.has('replace')) && (own.has('read') || own.has('list'));
  };
  return new Map([...all].filter(([, convention]) => isKept(convention)));
}
