// Names of servers and tags (OpenAPI 3.2): servers have names of their own, the parents of tags exist.
import type { ContractRule } from './rule.ts';

export const names: ContractRule = {
  code: 'name',
  objects: {
    Root({ servers, tags }, visit, { minor, reporter }) {
      if (minor < 2) return;
      const warn = (keys: readonly string[], message: string) =>
        reporter.warning(visit, message, { keys, isKey: true });
      const used = new Set<unknown>();
      for (const [at, server] of Array.isArray(servers) ? servers.entries() : []) {
        const name: unknown = Object(server).name;
        if (name !== undefined && used.has(name)) {
          const message = `two servers have the name ${name}  expected a name of its own`;
          warn(['servers', `${at}`, 'name'], message);
        }
        used.add(name);
      }
      if (!Array.isArray(tags)) return;
      const parents = new Map<unknown, unknown>(tags.map((tag) => [tag?.name, tag?.parent]));
      const circles = circularNames(parents);
      for (const [at, tag] of tags.entries()) {
        const { name, parent } = Object(tag);
        if (parent === undefined) continue;
        const keys = ['tags', `${at}`, 'parent'];
        const isKnown = parents.has(parent);
        if (!isKnown) warn(keys, `the tag ${parent} is unknown  expected a name in tags`);
        if (!circles.has(name)) continue;
        warn(keys, `the tag ${name} is its own ancestor  expected another parent`);
      }
    },
  },
};

/** Visits each name once. */
function circularNames(parents: ReadonlyMap<unknown, unknown>): Set<unknown> {
  const visited = new Set<unknown>();
  const circular = new Set<unknown>();
  for (const first of parents.keys()) {
    const path: unknown[] = [];
    const own = new Set<unknown>();
    let name: unknown = first;
    for (; name !== undefined && !visited.has(name); name = parents.get(name)) {
      visited.add(name);
      own.add(name);
      path.push(name);
    }
    if (own.has(name)) for (const value of path.slice(path.indexOf(name))) circular.add(value);
  }
  return circular;
}
