// Finds the operation of a method and a path, or of an operationId.

import { type Contract, NameMap, type Operation } from '@stubwright/contract';

/** What the router reads of an operation. */
export type Routed = Pick<Operation, 'path' | 'method' | 'basePaths'>;

export interface Match<Target extends Routed = Operation> {
  readonly operation: Target;
  /** Path parameters, still percent-encoded. */
  readonly params: Readonly<Record<string, string>>;
}

interface Route<Target> {
  readonly names: readonly string[];
  /** By method, in upper case. */
  readonly operations: Map<string, Target>;
}

/** A node of the tree of templated paths, one level per path segment. */
interface Level<Target> {
  readonly literals: Map<string, Level<Target>>;
  /** Sorted by length of literal text, descending; then in the order of the contract. */
  readonly templates: { readonly template: SegmentTemplate; readonly next: Level<Target> }[];
  readonly routes: Route<Target>[];
}

/** Called for each matching route, the most concrete first. @returns undefined to continue with the next */
type Visit<Target, T> = (route: Route<Target>, values: readonly string[]) => T | undefined;

/** The first segment, before the leading slash, is empty. */
interface Path {
  readonly segments: readonly string[];
  readonly unescaped: readonly string[];
}

export class Router<Target extends Routed = Operation> {
  readonly #concrete = new Map<string, Route<Target>>();
  readonly #templated: Level<Target> = newLevel();

  /** @param basePath replaces the paths of the contract's servers */
  constructor(operations: readonly Target[], basePath: string | undefined) {
    for (const operation of operations) {
      for (const base of basePath === undefined ? operation.basePaths : [basePath]) {
        this.#add(base + operation.path, operation);
      }
    }
  }

  /**
   * A concrete path takes precedence over every template, even for a method that only a template
   * declares. Templates without the method are skipped. HEAD falls back to GET.
   *
   * @param method in upper case
   * @param path percent-encoded
   */
  match(method: string, path: string): Match<Target> | undefined {
    const concrete = this.#concreteRoute(path);
    if (concrete !== undefined) {
      const operation = operationOf(concrete, method);
      return operation && { operation, params: NO_PARAMS };
    }
    return this.#visitTemplated(path, (route, values) => {
      const operation = operationOf(route, method);
      return operation && { operation, params: paramsOf(route, values) };
    });
  }

  /** @returns the methods for `Allow`, in upper case; empty for an unknown path */
  allowed(path: string): string[] {
    const concrete = this.#concreteRoute(path);
    const routes = concrete === undefined ? this.#templatedRoutes(path) : [concrete];
    const methods = new Set(routes.flatMap(({ operations }) => [...operations.keys()]));
    if (methods.size === 0) return [];
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods.add('OPTIONS')];
  }

  /** The first operation of a method and path takes precedence. */
  #add(path: string, operation: Target): void {
    const method = operation.method.toUpperCase();
    const route = path.includes('{')
      ? templatedRoute(this.#templated, path)
      : concreteRoute(this.#concrete, path);
    if (!route.operations.has(method)) route.operations.set(method, operation);
  }

  #concreteRoute(path: string): Route<Target> | undefined {
    return this.#concrete.get(path) ?? this.#concrete.get(unescapePath(path));
  }

  #templatedRoutes(path: string): Route<Target>[] {
    const routes: Route<Target>[] = [];
    this.#visitTemplated(path, (route) => void routes.push(route));
    return routes;
  }

  #visitTemplated<T>(path: string, visit: Visit<Target, T>): T | undefined {
    if (!path.startsWith('/')) return undefined;
    const segments = path.split('/');
    const text = unescapePath(path);
    const unescaped = text === path ? segments : text.split('/');
    return visitTemplated(this.#templated, { segments, unescaped }, [], visit, 1);
  }
}

const NO_PARAMS: Match['params'] = {};

function operationOf<Target>(route: Route<Target>, method: string): Target | undefined {
  const operation = route.operations.get(method);
  return operation === undefined && method === 'HEAD' ? route.operations.get('GET') : operation;
}

function concreteRoute<Target>(routes: Map<string, Route<Target>>, path: string): Route<Target> {
  const route: Route<Target> = routes.get(path) ?? { names: [], operations: new Map() };
  routes.set(path, route);
  return route;
}

function templatedRoute<Target>(root: Level<Target>, path: string): Route<Target> {
  const names: string[] = [];
  let level = root;
  for (const segment of path.slice(1).split('/')) level = descend(level, segment, names);
  const known = level.routes.find((route) => route.names.join() === names.join());
  if (known !== undefined) return known;
  const route: Route<Target> = { names, operations: new Map() };
  level.routes.push(route);
  return route;
}

function newLevel<Target>(): Level<Target> {
  return { literals: new Map(), templates: [], routes: [] };
}

function descend<Target>(level: Level<Target>, segment: string, names: string[]): Level<Target> {
  if (!segment.includes('{')) {
    const next = level.literals.get(segment) ?? newLevel<Target>();
    level.literals.set(segment, next);
    return next;
  }
  const template = segmentTemplate(segment);
  names.push(...template.names);
  const known = level.templates.find((each) => each.template.source === template.source);
  if (known !== undefined) return known.next;
  const next = newLevel<Target>();
  level.templates.push({ template, next });
  level.templates.sort((a, b) => b.template.literalLength - a.template.literalLength);
  return next;
}

/**
 * Visits each level at most once.
 *
 * @param values those of the segments before `at`
 * @returns the first result of `visit`
 */
function visitTemplated<Target, T>(
  level: Level<Target>,
  path: Path,
  values: string[],
  visit: Visit<Target, T>,
  at: number,
): T | undefined {
  const segment = path.segments[at];
  if (segment === undefined) {
    for (const route of level.routes) {
      const result = visit(route, values);
      if (result !== undefined) return result;
    }
    return undefined;
  }
  const { literals, templates } = level;
  const literal =
    literals.size === 0 ? undefined : (literals.get(segment) ?? literals.get(path.unescaped[at]!));
  if (literal !== undefined) {
    const result = visitTemplated(literal, path, values, visit, at + 1);
    if (result !== undefined) return result;
  }
  for (const { template, next } of templates) {
    const found = template.match(segment);
    if (found === undefined) continue;
    const { length } = values;
    for (const text of found) values.push(text);
    const result = visitTemplated(next, path, values, visit, at + 1);
    if (result !== undefined) return result;
    values.length = length;
  }
  return undefined;
}

function paramsOf({ names }: Route<unknown>, values: readonly string[]): Record<string, string> {
  const params = new NameMap<string>();
  for (let at = 0; at < names.length; at++) params[names[at]!] = values[at]!;
  return params;
}

/**
 * Keeps an escaped slash, which is not a segment delimiter (RFC 3986, section 2.2). Returns a path with
 * a malformed escape unchanged: one exception per segment would cost 0.1 s.
 */
function unescapePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path.replaceAll(/%2f/gi, '%252F'));
  } catch {
    return path;
  }
}

/** @throws {TypeError} for an unknown operation */
export function operationById(operationId: string, { operations }: Contract): Operation {
  const operation = operations.find((operation) => operation.operationId === operationId);
  if (operation === undefined) throw new TypeError(`the contract has no operation ${operationId}`);
  return operation;
}

interface SegmentTemplate {
  /** The segment without the names of its expressions. */
  readonly source: string;
  readonly names: readonly string[];
  /** The number of characters outside the expressions. */
  readonly literalLength: number;
  /**
   * @returns the value of each expression, non-empty and as short as possible from left to right;
   *   undefined if the segment does not match
   */
  match(segment: string): readonly string[] | undefined;
}

/** Compiles a path segment of a path template. */
export function segmentTemplate(segment: string): SegmentTemplate {
  const parts = segment.split(/\{([^}]*)\}/);
  const literals = parts.filter((_, at) => at % 2 === 0).map(escapeLiteral);
  const prefix = literals[0]!;
  const suffix = literals.at(-1)!;
  const inner = literals.slice(1, -1);
  return {
    source: literals.join('{}'),
    names: parts.filter((_, at) => at % 2 === 1),
    literalLength: literals.join('').length,
    match(text) {
      if (!text.startsWith(prefix) || !text.endsWith(suffix)) return undefined;
      const end = text.length - suffix.length;
      const values: string[] = [];
      let start = prefix.length;
      // The first occurrence of a literal leaves the most text for the rest: no backtracking.
      for (const literal of inner) {
        const at = text.indexOf(literal, start + 1);
        if (at < 0) return undefined;
        values.push(text.slice(start, at));
        start = at + literal.length;
      }
      if (start >= end) return undefined;
      values.push(text.slice(start, end));
      return values;
    },
  };
}

/** Percent-encodes non-ASCII text as clients do (RFC 3986, section 2.1). */
function escapeLiteral(text: string): string {
  return text.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}
