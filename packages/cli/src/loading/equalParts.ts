// Leaves out what two contracts have in common, which a comparison need not check, compile or compare.
import { isObject, type Node, unescapeToken, valueAt } from '@stubwright/contract';
import { type Parts, referringParts } from './referringParts.ts';

/** Fields of a document that no operation depends on. */
const INDEPENDENT = new Set(['paths', 'webhooks', 'components', 'info', 'tags', 'externalDocs']);

/**
 * Removes path items, webhooks and components from two parsed documents: those that are equal in both with all that
 * they refer to, unless a remaining one refers to them. Changes nothing if references lead to other files or depend
 * on identifiers, or if the documents differ in what all operations have in common.
 *
 * @returns true if it changed the documents
 */
export function leaveOutEqualParts(before: unknown, after: unknown): boolean {
  if (!isObject(before) || !isObject(after) || !haveSameSettings(before, after)) return false;
  const was = referringParts(before);
  const is = was && referringParts(after);
  if (was === undefined || is === undefined) return false;
  const kept = partsToKeep(was, is);
  const left = new Set([...was.keys()].filter((pointer) => !kept.has(pointer)));
  for (const document of [before, after]) leaveOut(left, document);
  return left.size > 0;
}

function haveSameSettings(before: Node, after: Node): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const own = [...names].filter((name) => !INDEPENDENT.has(name));
  const schemesOf = ({ components }: Node) => Object(components).securitySchemes;
  return (
    own.every((name) => areEqual(before[name], after[name])) &&
    areEqual(schemesOf(before), schemesOf(after))
  );
}

function partsToKeep(was: Parts, is: Parts): ReadonlySet<string> {
  const changed = changedParts(was, is);
  const kept = new Set(changed);
  for (const pointer of relatedPaths(changed, was, is)) kept.add(pointer);
  // A contract has at least one operation.
  const isPath = (pointer: string) =>
    pointer.startsWith('/paths//') || pointer.startsWith('/paths/~1');
  if (![...kept].some((pointer) => isPath(pointer) && was.has(pointer) && is.has(pointer))) {
    const first = [...was.keys()].find((key) => isPath(key) && is.has(key));
    if (first !== undefined) kept.add(first);
  }
  for (const pointer of kept) {
    for (const parts of [was, is]) {
      for (const target of parts.get(pointer)?.targets ?? []) kept.add(target);
    }
  }
  return kept;
}

/** @returns the parts that differ, or refer to one that differs */
function changedParts(was: Parts, is: Parts): ReadonlySet<string> {
  const changed = new Set<string>();
  const referring = new Map<string, string[]>();
  for (const [parts, others] of [
    [was, is],
    [is, was],
  ] as const) {
    for (const [pointer, { value, targets }] of parts) {
      if (!areEqual(value, others.get(pointer)?.value)) changed.add(pointer);
      for (const target of targets) {
        const known = referring.get(target);
        if (known === undefined) referring.set(target, [pointer]);
        else known.push(pointer);
      }
    }
  }
  for (const pointer of changed) {
    for (const text of referring.get(pointer) ?? []) changed.add(text);
  }
  return changed;
}

/** @returns the path items that a changed one may hide, or with which it shares an operationId */
function* relatedPaths(changed: ReadonlySet<string>, was: Parts, is: Parts): Generator<string> {
  const paths = [...changed].filter((pointer) => pointer.startsWith('/paths/'));
  const routes = new Set(paths.map(routeOf));
  const moved = paths.filter((path) => was.has(path) !== is.has(path)).map(segmentsOf);
  const ids = new Set(
    paths.flatMap((path) => [was, is].flatMap((parts) => operationIdsOf(parts.get(path)?.value))),
  );
  for (const [pointer, { value }] of was) {
    if (!pointer.startsWith('/paths/') || changed.has(pointer)) continue;
    const isNear =
      routes.has(routeOf(pointer)) || moved.some((path) => mayMatch(path, segmentsOf(pointer)));
    if (isNear || operationIdsOf(value).some((id) => ids.has(id))) yield pointer;
  }
}

function routeOf(pointer: string): string {
  return pointer.replace(/\{[^{}]*\}/g, '{}');
}

function segmentsOf(pointer: string): string[] {
  return pointer.split('~1');
}

function mayMatch(path: readonly string[], other: readonly string[]): boolean {
  return (
    path.length === other.length &&
    path.every((segment, at) => segment === other[at] || /\{/.test(segment + other[at]))
  );
}

function operationIdsOf(item: unknown): unknown[] {
  const { additionalOperations, ...operations } = Object(item);
  return [...Object.values<unknown>(operations), ...Object.values(Object(additionalOperations))]
    .map((operation) => Object(operation).operationId)
    .filter((id) => id !== undefined);
}

/** @param left pointers of parts that both documents have */
function leaveOut(left: ReadonlySet<string>, document: Node): void {
  const groups = new Map<string, Set<string>>();
  for (const pointer of left) {
    const end = pointer.lastIndexOf('/');
    const group = pointer.slice(0, end);
    const names = groups.get(group) ?? groups.set(group, new Set()).get(group)!;
    names.add(unescapeToken(pointer.slice(end + 1)));
  }
  for (const [group, names] of groups) {
    const holder = valueAt(document, group) as Node;
    for (const name of names) delete holder[name];
  }
}

/** Compares parsed values, in which aliases of YAML do not lead to themselves. */
function areEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false;
  const [names, others] = [Object.keys(one), Object.keys(other)];
  if (names.length !== others.length) return false;
  return names.every(
    (name, at) => name === others[at] && areEqual((one as Node)[name], (other as Node)[name]),
  );
}
