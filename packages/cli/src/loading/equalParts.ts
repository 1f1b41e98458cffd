// Leaves out what two contracts have in common, which a comparison need not check, compile or compare.
import { isDeepStrictEqual } from 'node:util';
import {
  type DocumentPart,
  escapeToken,
  isObject,
  type NamedPart,
  type Node,
  partsIn,
  rootPart,
  unescapeToken,
  unescapeUri,
  valueAt,
} from '@stubwright/contract';

/** Fields of a document that no operation depends on; nor does one depend on extensions of the document. */
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
  const own = [...names].filter((name) => !INDEPENDENT.has(name) && !name.startsWith('x-'));
  const schemesOf = ({ components }: Node) => Object(components).securitySchemes;
  return (
    own.every((name) => isDeepStrictEqual(before[name], after[name])) &&
    isDeepStrictEqual(schemesOf(before), schemesOf(after))
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
      if (!isDeepStrictEqual(value, others.get(pointer)?.value)) changed.add(pointer);
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

/** A path item, a webhook or a component. */
interface ReferringPart {
  readonly value: unknown;
  /** The pointers of the parts that it refers to. */
  readonly targets: Set<string>;
}

/** By JSON pointer: `/components/schemas/Toy`. */
type Parts = ReadonlyMap<string, ReferringPart>;

const SCHEMAS = '/components/schemas/';
/** By them, a reference may have another target than its pointer. `$recursiveRef` leads to an enclosing schema. */
const IDENTIFIERS = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor'];

/** An object whose properties are parts. */
interface Group extends DocumentPart {
  readonly pointer: string;
}

/** @returns undefined if a reference leads elsewhere, or depends on identifiers */
function referringParts(document: Node): Parts | undefined {
  const parts = new Map<string, ReferringPart>();
  const discriminated: string[] = [];
  for (const { pointer: group, ...holder } of groupsIn(document)) {
    for (const part of partsIn(holder)) {
      const found = referencesIn(part);
      if (found === undefined) return undefined;
      const pointer = `${group}/${escapeToken(part.name)}`;
      parts.set(pointer, { value: part.node, targets: found.targets });
      if (found.hasDiscriminator) discriminated.push(pointer);
    }
  }
  connectExtensions(parts, discriminated);
  return parts;
}

/** Security requirements name their schemes without a reference. */
function* groupsIn(document: Node): Generator<Group> {
  for (const part of partsIn(rootPart(document))) {
    if (part.name === 'paths' || part.name === 'webhooks')
      yield { ...part, pointer: `/${part.name}` };
    if (part.name !== 'components') continue;
    for (const group of partsIn(part)) {
      const pointer = `/components/${escapeToken(group.name)}`;
      if (group.name !== 'securitySchemes') yield { ...group, pointer };
    }
  }
}

interface References {
  readonly targets: Set<string>;
  readonly hasDiscriminator: boolean;
}

function referencesIn(start: NamedPart): References | undefined {
  const targets = new Set<string>();
  let hasDiscriminator = false;
  const seen = new Set<object>();
  const pending: DocumentPart[] = [start];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const { node, kind } = part;
    if (kind === 'data' || kind === 'other' || seen.has(node)) continue;
    seen.add(node);
    const { $ref, discriminator } = node as Node;
    if (typeof $ref === 'string') targets.add(partAt($ref));
    if (isObject(discriminator)) {
      hasDiscriminator = true;
      for (const target of selectedBy(discriminator)) targets.add(target);
    }
    if (IDENTIFIERS.some((keyword) => typeof (node as Node)[keyword] === 'string'))
      return undefined;
    pending.push(...partsIn(part));
  }
  return targets.has('') ? undefined : { targets, hasDiscriminator };
}

function selectedBy({ mapping, defaultMapping }: Node): string[] {
  const selected = [...Object.values(Object(mapping)), defaultMapping];
  return selected
    .filter((to) => typeof to === 'string')
    .map((to) => (/[#/]/.test(to) ? partAt(to) : SCHEMAS + escapeToken(to)));
}

/** @returns the pointer of the part that a reference leads to; '' if it leads elsewhere */
function partAt(reference: string): string {
  if (!reference.startsWith('#/')) return '';
  const tokens = unescapeUri(reference.slice(2)).split('/');
  const length = tokens[0] === 'components' ? 3 : 2;
  const isPart = /^(?:components|paths|webhooks)$/.test(tokens[0]!) && tokens.length >= length;
  return isPart ? `/${tokens.slice(0, length).join('/')}` : '';
}

/** A discriminator selects the components that include its schema by `allOf`. */
function connectExtensions(parts: Parts, discriminated: readonly string[]): void {
  if (discriminated.length === 0) return;
  const extensions = new Map<string, string[]>();
  for (const [pointer, { value }] of parts) {
    if (!pointer.startsWith(SCHEMAS)) continue;
    for (const target of includedIn(value)) {
      extensions.set(target, [...(extensions.get(target) ?? []), pointer]);
    }
  }
  const reached = new Set(discriminated);
  for (const target of reached) {
    for (const extension of extensions.get(target) ?? []) {
      parts.get(target)?.targets.add(extension);
      reached.add(extension);
    }
  }
}

/** @returns the pointers of the parts whose schemas a schema includes */
function includedIn(schema: unknown): string[] {
  const included: string[] = [];
  const conjuncts = new Set([schema]);
  for (const conjunct of conjuncts) {
    if (!isObject(conjunct)) continue;
    if (typeof conjunct['$ref'] === 'string') included.push(partAt(conjunct['$ref']));
    for (const one of Array.isArray(conjunct['allOf']) ? conjunct['allOf'] : []) conjuncts.add(one);
  }
  return included;
}
