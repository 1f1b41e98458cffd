// The operations that an error of the contract excludes: those that lead to it.
import { isObject } from '@stubwright/contract';
import {
  childOf,
  type Issue,
  isStructured,
  kindOfProperty,
  objectTypeOf,
  type Visit,
} from '../walk.ts';
import type { PathEntry, RuleContext } from './rule.ts';

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
