// The next page of an operation.

import type { AnyReply } from './anyReply.ts';
import type { Connection } from './connection.ts';
import type { OutgoingRequest } from './options.ts';
import { withQuery } from './send.ts';

/** How an operation returns a list in pages: `x-pagination` of the contract. */
export interface PageSpec {
  readonly kind: 'cursor' | 'page' | 'offset' | 'link';
  /** The query parameter that selects a page. */
  readonly parameter?: string;
  /** The first page or item, by default 1 and 0. */
  readonly start?: number;
  /** The names of the properties that contain the items, from the outside. */
  readonly items: readonly string[];
  /** Those of the next cursor or URL. */
  readonly next?: readonly string[];
  /** Those of a boolean: false for the last page. */
  readonly more?: readonly string[];
}

/** The parameters of the next page, or its URL. */
export interface Next {
  readonly query: object;
  readonly url?: string;
  /** The cursor, or the URL. */
  readonly cursor?: unknown;
}

/** @throws {Error} for a page that is its own next one */
export function nextOf(
  operationId: string,
  spec: PageSpec,
  { body, response }: AnyReply,
  { query, cursor: before }: Next,
): Next | undefined {
  const { kind, parameter = '', next, more } = spec;
  if (more !== undefined && !valueAt(body, more)) return undefined;
  if (kind === 'page' || kind === 'offset') {
    const { length } = pageItems(body, spec);
    if (length === 0 && (kind === 'offset' || more === undefined)) return undefined;
    const { [parameter]: own } = query as Readonly<Record<string, unknown>>;
    const current = own ?? spec.start ?? (kind === 'page' ? 1 : 0);
    const step = kind === 'page' ? 1 : length;
    const following = typeof current === 'bigint' ? current + BigInt(step) : Number(current) + step;
    return { query: { ...query, [parameter]: following } };
  }
  const cursor = next === undefined ? linkIn(response.headers) : valueAt(body, next);
  if (cursor === undefined || cursor === null || cursor === '') return undefined;
  if (cursor === before) {
    throw new Error(`${operationId}: expected another cursor than ${cursor} for the next page`);
  }
  if (kind === 'link') return { query: {}, url: String(cursor), cursor };
  return { query: { ...query, [parameter]: cursor }, cursor };
}

export function pageItems(body: unknown, { items }: PageSpec): readonly unknown[] {
  const found = valueAt(body, items);
  return Array.isArray(found) ? found : [];
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => Object(inner)[name], value);
}

const LINK = /<([^<>]*)>((?:[^,"]|"(?:[^"\\]|\\.)*")*)/g;
const LINK_PARAMETER = /;\s*([\w*-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g;

/** @returns the target of `rel="next"` (RFC 8288) */
function linkIn(headers: Headers): string | undefined {
  for (const [, target, parameters = ''] of (headers.get('Link') ?? '').matchAll(LINK)) {
    const all = [...parameters.matchAll(LINK_PARAMETER)];
    const [, , quoted, plain] = all.find(([, name]) => name!.toLowerCase() === 'rel') ?? [];
    const relations = (quoted ?? plain ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next')) return target;
  }
  return undefined;
}

/** @returns the connection, with the query of a URL in place of that of the request */
export function following(connection: Connection, target: string): Connection {
  const before = (request: OutgoingRequest) => {
    request.url = followedUrl(request.url, target);
  };
  const { middleware = [] } = connection.options;
  const options = { ...connection.options, middleware: [{ before }, ...middleware] };
  return { ...connection, options };
}

/**
 * With the credentials in the query of the request. Another origin would receive the others: of its URL,
 * which a proxy may have changed, only the query is used.
 */
function followedUrl(written: string, target: string): string {
  const own = new URL(written, Object(globalThis).location?.href);
  const next = new URL(target, own);
  const url = next.origin === own.origin ? next : new URL(next.search, own);
  url.hash = '';
  const missing: string[] = [];
  own.searchParams.forEach((value, name) => {
    if (url.searchParams.has(name)) return;
    missing.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  });
  return withQuery(url.href, missing);
}
