// Replaces the servers of a contract by those that the service uses.

import { METHODS } from './methods.ts';
import { isObject, type Node } from './node.ts';

/** @returns a copy with these servers, and none at paths and operations */
export function withServers(document: Node, servers: readonly Node[]): Node {
  const { openapi, info, servers: _, ...rest } = document;
  const paths = Object.entries<Node>(rest.paths ?? {}).map(([path, item]) => [
    path,
    withoutServers(item),
  ]);
  const whole = { openapi, info, servers, ...rest };
  return paths.length === 0 ? whole : { ...whole, paths: Object.fromEntries(paths) };
}

function withoutServers(item: Node): Node {
  const { servers: _, ...rest } = item;
  for (const method of METHODS) {
    if (isObject(rest[method])) rest[method] = withoutOwn(rest[method]);
  }
  if (isObject(rest['additionalOperations'])) {
    const operations = Object.entries<Node>(rest['additionalOperations']);
    rest['additionalOperations'] = Object.fromEntries(
      operations.map(([name, each]) => [name, isObject(each) ? withoutOwn(each) : each]),
    );
  }
  return rest;
}

function withoutOwn({ servers: _, ...operation }: Node): Node {
  return operation;
}
