// The URLs of operations of the current contract as those of a served version.
import { type Contract, type Operation, templateNames } from '@stubwright/contract';
import { Router } from 'stubwright/internals';
import type { Level } from './level.ts';
import type { ToOldUrl } from './representationHeaders.ts';

interface Routes {
  readonly definition: Contract;
  /** Of all routes; undefined for the paths of the contract's servers. */
  readonly basePath: string | undefined;
}

/** @param older the level of the served version */
export function oldUrls(older: Level, routes: Routes, current: Routes): ToOldUrl {
  const router = new Router(current.definition.operations, current.basePath);
  const byCurrent = new Map<string, Operation>();
  for (const each of routes.definition.operations) {
    const id = older.currentOperation(each.operationId);
    if (id !== undefined && !byCurrent.has(id)) byCurrent.set(id, each);
  }
  return (url) => {
    const [, origin = '', path, rest = ''] =
      /^(https?:\/\/[^/?#]*)?(\/[^?#]*)(.*)$/s.exec(url) ?? [];
    if (path === undefined) return url;
    for (const method of router.allowed(path)) {
      const match = router.match(method, path);
      const operation = match && byCurrent.get(match.operation.operationId);
      const old = operation && pathOf(operation, match.params, routes.basePath);
      if (old !== undefined) return `${origin}${old}${rest}`;
    }
    return url;
  };
}

/** @returns undefined for a path with a parameter that the current one does not have */
function pathOf(
  { path, basePaths }: Operation,
  params: Readonly<Record<string, string>>,
  basePath: string | undefined,
): string | undefined {
  const base = basePath ?? basePaths[0] ?? '';
  const isKnown = templateNames(base + path).every((name) => params[name] !== undefined);
  return isKnown ? (base + path).replace(/\{([^{}]+)\}/g, (_, name) => params[name]!) : undefined;
}
