// What a rule gets: the objects that were visited, and the targets of their references; and the operations that an
// issue affects.
import { isObject, type Node, operationKeys } from '@stubwright/contract';
import type { SourceFile } from '../files.ts';
import {
  childOf,
  type Issue,
  isStructured,
  kindOfProperty,
  objectTypeOf,
  type ReferenceResolver,
  Reporter,
  type ReportIssue,
  targetOf,
  type Visit,
  visitAt,
} from '../walk.ts';

/** Called with each object of the type. */
type Check = (node: Node, visit: Visit, context: RuleContext) => void;

export interface ContractRule {
  /** Stable. */
  readonly code: string;
  /** By the name of a type of the table. */
  readonly objects: Readonly<Record<string, Check>>;
}

/** A path of the contract. */
export interface PathEntry {
  readonly path: string;
  /** As written. */
  readonly visit: Visit;
  /** The path item as written, and the target of its reference. */
  readonly items: readonly Visit[];
}

interface OperationEntry {
  readonly method: string;
  readonly visit: Visit & { readonly node: Node };
}

export class RuleContext {
  readonly minor: number;
  readonly root: Visit;
  /** That of the rule that is called. */
  reporter: Reporter;
  readonly #references: ReferenceResolver;
  #paths: readonly PathEntry[] | undefined;

  constructor(
    root: SourceFile,
    given: { minor: number; references: ReferenceResolver; report: ReportIssue },
  ) {
    this.minor = given.minor;
    this.root = visitAt(root, '', root.value, { is: 'object', of: 'Root' });
    this.reporter = new Reporter(given.report, '');
    this.#references = given.references;
  }

  /** @returns the target of a reference; undefined for another value */
  target(visit: Visit): Visit | undefined {
    return targetOf(visit, this.#references);
  }

  /** @returns the end of a chain of references; undefined for one without a target */
  follow(visit: Visit | undefined): Visit | undefined {
    const seen = new Set<unknown>();
    let at = visit;
    while (isObject(at?.node) && typeof at.node.$ref === 'string' && !seen.has(at.node)) {
      seen.add(at.node);
      at = this.target(at);
    }
    return at;
  }

  /** @returns a property, its reference followed */
  property(visit: Visit | undefined, name: string): Visit | undefined {
    return this.follow(this.written(visit, name));
  }

  /** @returns the entries of a property that is a list, their references followed */
  list(visit: Visit | undefined, name: string): Visit[] {
    const list = this.property(visit, name);
    if (!Array.isArray(list?.node)) return [];
    const entries = list.node.map((_, at) => this.property(list, String(at)));
    return entries.filter((entry) => isObject(entry?.node)) as Visit[];
  }

  get paths(): readonly PathEntry[] {
    this.#paths ??= this.#readPaths();
    return this.#paths;
  }

  operationsOf(item: Visit): OperationEntry[] {
    const isOperation = (each: { visit?: Visit | undefined }): each is OperationEntry =>
      isObject(each.visit?.node);
    return this.methodsOf(item).filter(isOperation);
  }

  /** The same, with values that are no operations. */
  methodsOf(item: Visit): { readonly method: string; readonly visit: Visit | undefined }[] {
    return operationKeys(item.node as Node).map(([method, ...keys]) => {
      let visit: Visit | undefined = item;
      for (const key of keys) visit = this.property(visit, key);
      return { method, visit };
    });
  }

  #readPaths(): PathEntry[] {
    const paths = this.property(this.root, 'paths');
    if (!isObject(paths?.node)) return [];
    const names = Object.keys(paths.node).filter((path) => !path.startsWith('x-'));
    return names.map((path) => {
      const visit = childOf(paths, path, { is: 'object', of: 'PathItem' }, this.minor);
      const items = [...new Set([visit, this.follow(visit)])];
      return { path, visit, items: items.filter((item) => isObject(item?.node)) as Visit[] };
    });
  }

  /** @returns a property, its reference not followed */
  written(visit: Visit | undefined, name: string): Visit | undefined {
    if (visit === undefined || !Object.hasOwn(Object(visit.node), name)) return undefined;
    const kind = kindOfProperty(visit, name, this.minor);
    return kind && childOf(visit, name, kind, this.minor);
  }
}

/** @returns for each issue the operations that refer to it, each as `get /toys` */
export function operationsLeadingTo(
  issues: readonly Issue[],
  context: RuleContext,
): ReadonlyMap<Issue, readonly string[]> {
  const found = new Map<Issue, string[]>(issues.map((issue) => [issue, []]));
  const wanted = Map.groupBy(issues, ({ visit }) => holderOf(visit));
  for (const entry of issues.length === 0 ? [] : context.paths) {
    for (const [method, operation] of operationsOf(entry, context)) {
      const nodes = reachedFrom([...partsOf(operation, entry, context)], context);
      for (const { node } of entry.items) nodes.add(node);
      const affecting = [...nodes].flatMap((node) => wanted.get(node) ?? []);
      for (const issue of affecting) found.get(issue)!.push(`${method} ${entry.path}`);
    }
  }
  return found;
}

/** The innermost visited object or array. */
function holderOf(visit: Visit): unknown {
  let at = visit;
  while (at.parent !== undefined && (typeof at.node !== 'object' || at.node === null)) {
    at = at.parent;
  }
  return at.node;
}

/** By method; the path item as written precedes the target of its reference. */
function operationsOf({ items }: PathEntry, context: RuleContext): ReadonlyMap<string, Visit> {
  const operations = new Map<string, Visit>();
  for (const { method, visit } of items.flatMap((item) => context.methodsOf(item))) {
    if (visit !== undefined && !operations.has(method)) operations.set(method, visit);
  }
  return operations;
}

function* partsOf(
  operation: Visit,
  { items }: PathEntry,
  context: RuleContext,
): Generator<Visit | undefined> {
  yield operation;
  for (const item of items) yield context.written(item, 'parameters');
  const { security, servers } = Object(operation.node);
  if (servers === undefined) {
    for (const holder of [...items, context.root]) yield context.written(holder, 'servers');
  }
  const list = context.property(security === undefined ? context.root : operation, 'security');
  yield list;
  const components = context.property(context.root, 'components');
  const schemes = context.property(components, 'securitySchemes');
  for (const requirement of Array.isArray(list?.node) ? list.node.filter(isObject) : []) {
    for (const name of Object.keys(requirement)) yield context.written(schemes, name);
  }
}

/** @returns the objects and arrays in the values, also through references */
function reachedFrom(starts: readonly (Visit | undefined)[], context: RuleContext): Set<unknown> {
  const { minor } = context;
  const reached = new Set<unknown>();
  const pending = starts.filter((start) => start !== undefined);
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const { node } = visit;
    if (typeof node !== 'object' || node === null || reached.has(node)) continue;
    reached.add(node);
    const target = context.target(visit);
    if (target !== undefined) pending.push(target);
    const documentation = objectTypeOf(visit, minor)?.documentation;
    for (const key of Object.keys(node)) {
      const kind = documentation?.has(key) ? undefined : kindOfProperty(visit, key, minor);
      if (kind !== undefined && isStructured(kind)) pending.push(childOf(visit, key, kind, minor));
    }
  }
  return reached;
}
