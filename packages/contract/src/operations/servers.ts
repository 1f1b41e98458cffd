// The servers of a contract, of its path items and operations, and the paths that routes start with.
import type { ContractDocument } from '../document/contractDocument.ts';
import { mapped } from '../document/memo.ts';
import { isObject, type LocatedNode, type Node } from '../document/node.ts';
import { METHODS } from '../document/vocabulary.ts';
import { ContractObject } from './contractObject.ts';

/** A Server Variable Object. */
export interface ServerVariable {
  readonly default?: unknown;
  readonly enum?: unknown;
}

/** A Server Object. */
export class Server extends ContractObject {
  /** As the contract has it, with its variables in braces. */
  get url(): string {
    return String(this.node['url'] ?? '/');
  }

  get variables(): ReadonlyMap<string, ServerVariable> {
    return new Map(Object.entries(this.node['variables'] ?? {}));
  }

  /** The defaults of the variables by name. */
  get defaults(): ReadonlyMap<string, string> {
    return mapped(this.variables, (variable) => String(variable.default));
  }
}

/** The servers that one object declares. */
export interface ServerList {
  readonly servers: readonly Server[];
  /** False for the server of a contract without servers. */
  readonly isDeclared: boolean;
  /** JSON pointer of the list, or of the object without a list. */
  readonly pointer: string;
}

/** @returns the `servers` of the first object that has them; undefined for none */
export function serversAt(
  contract: ContractDocument,
  holders: readonly LocatedNode[],
): ServerList | undefined {
  for (const holder of holders) {
    const listed: unknown = holder.node['servers'];
    if (!Array.isArray(listed)) continue;
    const pointer = `${holder.pointer}/servers`;
    const servers = listed.flatMap((node, at) =>
      isObject(node) ? [new Server(contract, { pointer: `${pointer}/${at}`, node })] : [],
    );
    return { servers, pointer, isDeclared: true };
  }
  return undefined;
}

/** The server of a contract without `servers` (OpenAPI 3.1.1, section 4.8.1.1). */
export function defaultServer(contract: ContractDocument): ServerList {
  const server = new Server(contract, { pointer: '', node: { url: '/' } });
  return { servers: [server], pointer: '', isDeclared: false };
}

/** Maximum number of combinations of server variables. */
const MAX_URLS = 100;

/**
 * Expands each server variable to its default and the values of its `enum`. A path segment that is a
 * variable without `enum` is also returned as `{name}`, which matches any segment.
 *
 * @returns the distinct paths, the first server with its defaults first; `''` for none
 */
export function basePathsOf(servers: readonly Server[]): readonly string[] {
  const paths = servers.flatMap(urlsOf).map(pathOf);
  return paths.length === 0 ? [''] : [...new Set(paths)];
}

/** A query, a fragment, white space, an authority, a scheme, or a dot segment, which clients remove. */
const NO_PATH = /[?#\s]|^\/\/|:\/\/|(?:^|\/)\.\.?(?:\/|$)/;

/**
 * @param path with or without a slash at the start and at the end
 * @returns the path as the start of routes; undefined if it is not a path
 */
export function normalizedBasePath(path: unknown): string | undefined {
  if (typeof path !== 'string' || NO_PATH.test(path)) return undefined;
  const trimmed = path.replace(/^\/|\/+$/g, '');
  return trimmed === '' ? '' : `/${trimmed}`;
}

function urlsOf({ url, variables }: Server): string[] {
  let urls = [url];
  for (const [name, variable] of variables) {
    const placeholder = `{${name}}`;
    const values = valuesOf(urls[0]!, placeholder, variable);
    if (values.length > 0 && urls.length * values.length <= MAX_URLS) {
      urls = values.flatMap((value) => urls.map((url) => url.replaceAll(placeholder, value)));
    }
  }
  return urls;
}

function valuesOf(
  url: string,
  placeholder: string,
  { default: usual, enum: choices }: ServerVariable,
) {
  const all: unknown[] = Array.isArray(choices) ? [usual, ...choices] : [usual];
  const values = all.filter((value) => value !== undefined).map(String);
  const isSegment = url.includes(`/${placeholder}`) && pathOf(url).split('/').includes(placeholder);
  const isOpen = isSegment && choices === undefined && /^[^/]+$/.test(values[0] ?? placeholder);
  return isOpen ? [...values, placeholder] : values;
}

/** Resolves a URL against `/openapi.yaml`, the URL of the document (RFC 3986, section 5.2). */
function pathOf(url: string): string {
  const path = url.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '').replace(/[?#].*$/, '');
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    const dots = segment.replace(/%2e/gi, '.');
    if (dots === '..') segments.pop();
    else if (dots !== '.') segments.push(segment);
  }
  return segments
    .join('/')
    .replace(/\/+$/, '')
    .replace(/^(?=[^/])/, '/');
}

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
      operations.map(([name, operation]) => [
        name,
        isObject(operation) ? withoutOwn(operation) : operation,
      ]),
    );
  }
  return rest;
}

function withoutOwn({ servers: _, ...operation }: Node): Node {
  return operation;
}
