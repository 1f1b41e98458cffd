// Replaces the servers of a contract by those that the service uses.
import { isObject, METHODS, type Node } from './definition.ts';

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
    if (!isObject(rest[method])) continue;
    const { servers: __, ...operation } = rest[method];
    rest[method] = operation;
  }
  return rest;
}
