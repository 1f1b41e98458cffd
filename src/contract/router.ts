// Which operation a request means: a table compiled once, in place of openapi-backend's router,
// which rebuilds its own for every request.
import type { Definition, Operation } from './definition/definition.ts';

export interface Match {
  readonly operation: Operation;
  /** Path parameters as they stand in the path, percent-escapes and all. */
  readonly params: Readonly<Record<string, string>>;
}

interface Route {
  readonly names: readonly string[];
  readonly operations: Map<string, Operation>;
}

/** One level of the tree of templated paths; a level is a path segment. */
interface Level {
  readonly literals: Map<string, Level>;
  readonly templates: Map<string, { readonly pattern: RegExp; readonly next: Level }>;
  readonly routes: Route[];
}

interface Table {
  readonly concrete: Map<string, Route>;
  readonly templated: Level;
}

type Found = Readonly<{ route: Route; values: readonly string[] }>;

export class Router {
  /** By base path, the longest first. */
  readonly #tables: readonly (readonly [basePath: string, table: Table])[];

  /** @param basePath what every path starts with, in place of what the contract's servers say */
  constructor({ operations }: Definition, basePath: string | undefined) {
    const tables = new Map<string, Table>();
    for (const operation of operations) {
      for (const base of basePath === undefined ? operation.basePaths : [basePath]) {
        const table = tables.get(base) ?? newTable();
        tables.set(base, table);
        addTo(table, operation);
      }
    }
    this.#tables = [...tables].sort(([a], [b]) => b.length - a.length);
  }

  /** @returns the operation of a method (upper case) on a path, or undefined. HEAD is a GET. */
  match(method: string, path: string): Match | undefined {
    for (const [basePath, table] of this.#tables) {
      if (!path.startsWith(`${basePath}/`)) continue;
      const relative = path.slice(basePath.length);
      const operation = operationOf(concreteRouteAt(table, relative), method);
      if (operation !== undefined) return { operation, params: NO_PARAMS };
      for (const { route, values } of templatedRoutesAt(table, relative)) {
        const operation = operationOf(route, method);
        if (operation !== undefined) return { operation, params: paramsOf(route, values) };
      }
    }
    return undefined;
  }

  /** @returns the methods that a path takes, in upper case; empty for an unknown path. */
  allowed(path: string): string[] {
    const routes = this.#tables.flatMap(([basePath, table]) =>
      path.startsWith(`${basePath}/`) ? routesAt(table, path.slice(basePath.length)) : [],
    );
    const methods = new Set(routes.flatMap(({ operations }) => [...operations.keys()]));
    if (methods.size === 0) return [];
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods.add('OPTIONS')];
  }
}

const NO_PARAMS: Match['params'] = {};

function concreteRouteAt({ concrete }: Table, path: string): Route | undefined {
  return concrete.get(path) ?? concrete.get(unescapePath(path));
}

/** The most concrete first. */
function templatedRoutesAt({ templated }: Table, path: string): Generator<Found> {
  return findTemplated(templated, path.slice(1).split('/'), 0, []);
}

function routesAt(table: Table, path: string): Route[] {
  const templated = Array.from(templatedRoutesAt(table, path), ({ route }) => route);
  return [concreteRouteAt(table, path) ?? [], templated].flat();
}

function operationOf(route: Route | undefined, method: string): Operation | undefined {
  const operation = route?.operations.get(method);
  return operation === undefined && method === 'HEAD' ? route?.operations.get('GET') : operation;
}

function newTable(): Table {
  return { concrete: new Map(), templated: newLevel() };
}

/** Of two operations that one request would mean, the first one written wins. */
function addTo(table: Table, operation: Operation): void {
  const method = operation.method.toUpperCase();
  const route = operation.path.includes('{')
    ? templatedRoute(table.templated, operation.path)
    : concreteRoute(table.concrete, operation.path);
  if (!route.operations.has(method)) route.operations.set(method, operation);
}

function concreteRoute(routes: Map<string, Route>, path: string): Route {
  const route = routes.get(path) ?? { names: [], operations: new Map() };
  routes.set(path, route);
  return route;
}

function templatedRoute(root: Level, path: string): Route {
  const names: string[] = [];
  let level = root;
  for (const segment of path.slice(1).split('/')) level = descend(level, segment, names);
  const known = level.routes.find((route) => route.names.join() === names.join());
  if (known !== undefined) return known;
  const route = { names, operations: new Map() };
  level.routes.push(route);
  return route;
}

function newLevel(): Level {
  return { literals: new Map(), templates: new Map(), routes: [] };
}

function descend(level: Level, segment: string, names: string[]): Level {
  if (!segment.includes('{')) {
    const next = level.literals.get(segment) ?? newLevel();
    level.literals.set(segment, next);
    return next;
  }
  const parts = segment.split(/\{([^}]*)\}/);
  names.push(...parts.filter((_, at) => at % 2 === 1));
  const source = parts.map((part, at) => (at % 2 === 1 ? '(.+?)' : literal(part))).join('');
  const known = level.templates.get(source)?.next;
  if (known !== undefined) return known;
  const next = newLevel();
  level.templates.set(source, { pattern: new RegExp(`^${source}$`, 's'), next });
  return next;
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function* findTemplated(
  level: Level,
  segments: readonly string[],
  at: number,
  values: readonly string[],
): Generator<Found> {
  const segment = segments[at];
  if (segment === undefined) {
    for (const route of level.routes) yield { route, values };
    return;
  }
  const literal = level.literals.get(segment) ?? level.literals.get(unescapeSegment(segment));
  if (literal !== undefined) yield* findTemplated(literal, segments, at + 1, values);
  for (const { pattern, next } of level.templates.values()) {
    const found = pattern.exec(segment);
    if (found !== null) {
      yield* findTemplated(next, segments, at + 1, [...values, ...found.slice(1)]);
    }
  }
}

function paramsOf({ names }: Route, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, at) => [name, values[at]!]));
}

function unescapePath(path: string): string {
  return path.includes('%') ? path.split('/').map(unescapeSegment).join('/') : path;
}

/** An escaped slash stays escaped: it is no segment's end (RFC 3986, section 2.2). */
function unescapeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment.replaceAll(/%2f/gi, '%252F'));
  } catch {
    return segment;
  }
}
