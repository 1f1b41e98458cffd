// Compares the servers of the document, of path items and of operations.
import type { Definition, Node, Operation } from 'stubwright/contract';
import type { ComparedLocation, ContractComparison } from '../contractComparison.ts';
import { canonical } from '../formatting.ts';
import { type ChangeMessage, change } from '../rules.ts';
import { routeOf } from './paths.ts';

interface ServerList {
  readonly servers: readonly Node[];
  /** JSON pointer of the list, or of the nearest ancestor. */
  readonly pointer: string;
}

/** OpenAPI 3.1.1, section 4.8.1.1. */
const DEFAULT: readonly Node[] = [{ url: '/' }];
/** Maximum number of URLs of one server. */
const MAX_URLS = 100;
const URL_PARTS = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?(.*)$/is;
const DEFAULT_PORTS = /^(https:\/\/.*):443$|^(http:\/\/.*):80$/;

export function compareServers(context: ContractComparison, location: ComparedLocation): void {
  compareLists(context, location, documentServers(context.before), documentServers(context.after));
}

/** Compares the servers of operations that do not inherit those of the document. */
export function compareOperationServers(
  context: ContractComparison,
  location: ComparedLocation,
  before: Operation,
  after: Operation,
): void {
  const [was, is] = [ownServers(context.before, before), ownServers(context.after, after)];
  if (was === undefined && is === undefined) return;
  compareLists(
    context,
    location,
    was ?? documentServers(context.before),
    is ?? documentServers(context.after),
  );
}

function documentServers({ document }: Definition): ServerList {
  const isSet = Array.isArray(document.servers) && document.servers.length > 0;
  return { servers: isSet ? document.servers : DEFAULT, pointer: isSet ? '/servers' : '' };
}

function ownServers(definition: Definition, { location }: Operation): ServerList | undefined {
  const item = location.pointer.slice(0, location.pointer.lastIndexOf('/'));
  for (const pointer of [location.pointer, item]) {
    const servers: unknown = definition.at(pointer)?.node['servers'];
    if (Array.isArray(servers)) return { servers, pointer: `${pointer}/servers` };
  }
  return undefined;
}

function compareLists(
  context: ContractComparison,
  location: ComparedLocation,
  before: ServerList,
  after: ServerList,
): void {
  const [was, is] = [urlsOf(before), urlsOf(after)];
  const lost = [...was].filter(([key]) => !is.has(key));
  const gained = [...is].filter(([key]) => !was.has(key));
  const report = (message: ChangeMessage) =>
    context.report(location, message, before.pointer, after.pointer);
  for (const [key, url] of lost) {
    const sameBase = [...is.keys()].filter((each) => baseOf(each) === baseOf(key));
    if (sameBase.some((each) => !isAbsolute(key) && isAbsolute(each))) continue;
    const hasSamePath = sameBase.some((each) => !isAbsolute(each));
    report(change('server-removed', { url, hasSamePath }));
  }
  for (const [, url] of gained) report(change('server-added', { url }));
  if (lost.length > 0 || gained.length > 0) return;
  const [old, now] = [before, after].map(({ servers }) => servers.map((each) => defaultUrl(each)));
  if (old!.some((url) => !now!.includes(url))) {
    report(change('server-default-changed', { was: old!, is: now! }));
  } else if (canonical(before.servers) !== canonical(after.servers)) {
    report(change('documentation-changed', { keyword: 'servers' }));
  }
}

/** @returns the URLs of all servers, as written, by normalized URL */
function urlsOf({ servers }: ServerList): Map<string, string> {
  return new Map(servers.flatMap(expand).map((url) => [normalized(url), url]));
}

/** Expands variables; one without `enum` may have any value, for which its name stands. */
function expand({ url, variables = {} }: Node): string[] {
  let urls = [String(url ?? '/')];
  for (const [name, variable] of Object.entries<Node>(variables)) {
    const placeholder = `{${name}}`;
    const listed = Array.isArray(variable['enum']) ? variable['enum'] : [placeholder];
    const values = [...new Set([variable['default'], ...listed])].filter(
      (each) => each !== undefined,
    );
    if (urls.length * values.length > MAX_URLS) continue;
    urls = urls.flatMap((each) =>
      values.map((value) => each.replaceAll(placeholder, String(value))),
    );
  }
  return urls;
}

function defaultUrl(server: Node): string {
  return normalized(expand(server)[0]!);
}

/** Scheme and host are case-insensitive; the default port and a trailing slash are omitted. */
function normalized(url: string): string {
  const [, scheme, host, rest = ''] = URL_PARTS.exec(url) ?? [];
  const path = routeOf(rest)
    .replace(/\/+$/, '')
    .replace(/^(?=[^/])/, '/');
  if (host === undefined) return path;
  const origin = `${scheme === undefined ? '' : `${scheme}:`}//${routeOf(host)}`;
  return origin.toLowerCase().replace(DEFAULT_PORTS, '$1$2') + path;
}

function isAbsolute(url: string): boolean {
  return url.includes('//');
}

/** @returns the path of a normalized URL */
function baseOf(url: string): string {
  return isAbsolute(url) ? url.replace(/^.*?\/\/[^/]*/, '') : url;
}
