// Compares the servers of the document, of path items and of operations; finds added paths that a template matched.
import {
  type Contract,
  type Operation,
  type Server,
  type ServerList,
  templateNames,
} from '@stubwright/contract';
import { type ChangeMessage, change } from '../rules/rules.ts';
import { termOf } from '../schema/term.ts';
import { View } from '../schema/view.ts';
import { canonical, fieldsOf } from '../values/formatting.ts';
import type { ComparedPart } from './comparedPart.ts';

/** Maximum number of URLs of one server. */
const MAX_URLS = 100;
const URL_PARTS = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?(.*)$/is;
const DEFAULT_PORTS = /^(https:\/\/.*):443$|^(http:\/\/.*):80$/;

/** Compares the servers of the document, unless the servers of operations replace or become them. */
export function compareServers(
  documents: ComparedPart,
  pairs: readonly (readonly [Operation, Operation])[],
): void {
  const { before, after } = documents.context;
  const [was, is] = [before.servers, after.servers];
  const isUnused = pairs.every(([{ servers }]) => servers !== undefined);
  const isDeclared = before.root.field('servers') !== undefined;
  if ((isUnused && isDeclared) || pairs.some((pair) => isInherited(...pair))) {
    compareLists(documents, was, is);
  } else if (!areEqual(was, is)) {
    const entry = { before: was, after: is };
    documents.report(change('documentation-changed', { keyword: 'servers' }), '', entry);
  }
}

/** Compares the URLs of an operation that has its own servers or another path. */
export function compareOperationServers(part: ComparedPart<Operation>): void {
  const { context, before, after } = part;
  if (isInherited(before, after)) return;
  const [was, is] = [serversOf(context.before, before), serversOf(context.after, after)];
  if (routeOf(before.path) === routeOf(after.path)) compareLists(part, was, is);
  else {
    const urls = operationUrls(context.after, after);
    // The move of an operation to another URL is reported.
    const isSame = [...operationUrls(context.before, before)].some((url) => urls.has(url));
    if (isSame) compareLists(part, was, is, [before.path, after.path]);
  }
}

function isInherited(was: Operation, is: Operation): boolean {
  const hasOwn = was.servers !== undefined || is.servers !== undefined;
  return !hasOwn && routeOf(was.path) === routeOf(is.path);
}

function areEqual(was: ServerList, is: ServerList): boolean {
  const textOf = ({ servers }: ServerList) => canonical(servers.map((server) => fieldsOf(server)));
  return textOf(was) === textOf(is);
}

/** @returns the normalized URLs of an operation */
export function operationUrls(definition: Contract, operation: Operation): ReadonlySet<string> {
  return new Set(urlsOf(serversOf(definition, operation), operation.path).keys());
}

function serversOf({ servers }: Contract, operation: Operation): ServerList {
  return operation.servers ?? servers;
}

function compareLists(
  part: ComparedPart,
  before: ServerList,
  after: ServerList,
  [oldPath, newPath]: readonly [string, string] = ['', ''],
): void {
  const [was, is] = [urlsOf(before, oldPath), urlsOf(after, newPath)];
  const open = [...is.keys()].flatMap((key) => (key.includes('{}') ? [patternOf(key)] : []));
  const old = before.servers.map((server) => defaultUrl(server, oldPath));
  const isOpen = (key: string) => !old.includes(key) && open.some((each) => each.test(key));
  const lost = [...was].filter(([key]) => !is.has(key) && !isOpen(key));
  const gained = [...is].filter(([key]) => !was.has(key));
  const report = (message: ChangeMessage) => part.report(message, '', { before, after });
  for (const [key, url] of lost) {
    const sameBase = [...is.keys()].filter((other) => baseOf(other) === baseOf(key));
    if (sameBase.some((other) => !isAbsolute(key) && isAbsolute(other))) continue;
    const hasSamePath = sameBase.some((other) => !isAbsolute(other));
    report(change('server-removed', { url, hasSamePath }));
  }
  for (const [, url] of gained) report(change('server-added', { url }));
  if (lost.length > 0 || gained.length > 0) return;
  const now = after.servers.map((server) => defaultUrl(server, newPath));
  // SDKs call the first server.
  if (old[0] !== now[0] || old.some((url) => !now.includes(url))) {
    report(change('server-default-changed', { was: old, is: now }));
  } else if (!areEqual(before, after)) {
    report(change('documentation-changed', { keyword: 'servers' }));
  }
}

/** @param url normalized @returns an expression for its values: a variable without `enum` may have any text */
function patternOf(url: string): RegExp {
  const literals = url.split('{}').map((text) => text.replace(/[^\w]/g, '\\$&'));
  return new RegExp(`^${literals.join('[^/]*')}$`);
}

/** @returns the URLs of all servers, as written, by normalized URL */
function urlsOf({ servers }: ServerList, path = ''): Map<string, string> {
  const urls = servers.flatMap(expand);
  return new Map(urls.map((url) => [normalized(url) + routeOf(path), url]));
}

/** Expands variables; one without `enum` may have any value, for which its name stands. */
function expand({ url, variables }: Server): string[] {
  let urls = [url];
  for (const [name, variable] of variables) {
    const placeholder = `{${name}}`;
    const listed: readonly unknown[] = Array.isArray(variable.enum) ? variable.enum : [placeholder];
    const values = [...new Set([variable.default, ...listed])].filter(
      (value) => value !== undefined,
    );
    if (urls.length * values.length > MAX_URLS) continue;
    urls = urls.flatMap((url) => values.map((value) => url.replaceAll(placeholder, String(value))));
  }
  return urls;
}

function defaultUrl(server: Server, path: string): string {
  return normalized(expand(server)[0]!) + routeOf(path);
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

/**
 * A literal path takes precedence over a template (OpenAPI 3.1.1, section 4.8.8.2).
 *
 * @returns the operation of the older contract that requests to the added path reached; undefined if
 *   there is none
 */
export function hiddenOperation(before: Contract, added: Operation): Operation | undefined {
  const isKnown = before.operations.some(({ path }) => routeOf(path) === routeOf(added.path));
  if (isKnown) return undefined;
  return before.operations.find((operation) => matches(operation, added.path));
}

/** @returns a path without the names of its parameters, which are not sent */
export function routeOf(path: string): string {
  return path.replace(/\{[^{}]*\}/g, '{}');
}

function matches(operation: Operation, path: string): boolean {
  const templates = operation.path.split('/');
  const segments = path.split('/');
  if (templates.length !== segments.length) return false;
  return segments.every((segment, index) => {
    const template = templates[index]!;
    if (routeOf(segment) === routeOf(template)) return true;
    return !segment.includes('{') && acceptsSegment(operation, template, segment);
  });
}

function acceptsSegment(operation: Operation, template: string, segment: string): boolean {
  const names = templateNames(template);
  const literals = template.split(/\{[^{}]+\}/).map((text) => text.replace(/[^\w]/g, '\\$&'));
  const found = new RegExp(`^${literals.join('([^/]+)')}$`).exec(segment);
  if (found === null || names.length === 0) return false;
  return names.every((name, index) => {
    const parameter = operation.parameter('path', name);
    if (parameter === undefined) return true;
    const view = new View('request', termOf(parameter.schema, parameter.pointer), 'form');
    return view.has('array', 'object') || view.accepts(found[index + 1]);
  });
}
