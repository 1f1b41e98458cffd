// The URLs of operations of the current contract as those of a served version, in the headers of replies.
import { type Contract, type Operation, templateNames } from '@stubwright/contract';
import { type HandlerReply, Router } from 'stubwright/internals';
import type { Level } from './level.ts';

/** @returns the URL of the same resource in the older contract; the URL itself for any other */
export type ToOldUrl = (url: string) => string;

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

/** @returns the reply whose headers have the URLs of the served version */
export function withOldUrls(reply: HandlerReply, toOldUrl: ToOldUrl): HandlerReply {
  if (reply.headers === undefined) return reply;
  const headers = Object.entries(reply.headers).map(([name, value]) => {
    return [
      name,
      typeof value === 'string' ? headerToOld(name.toLowerCase(), value, toOldUrl) : value,
    ];
  });
  return { ...reply, headers: Object.fromEntries(headers) };
}

function headerToOld(name: string, value: string, toOldUrl: ToOldUrl): string {
  if (name === 'location' || name === 'content-location') return toOldUrl(value);
  if (name !== 'link') return value;
  return value.replace(/<([^<>]*)>/g, (_, url: string) => `<${toOldUrl(url)}>`);
}
