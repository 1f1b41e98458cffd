// References of schemas: rewritten as JSON pointers, followed, and those without a target.

import { Identifiers } from './identifiers.ts';
import { isObject, type Node } from './node.ts';
import { unescapeUri, valueAt } from './pointer.ts';
import { schemaLocations } from './schemaLocations.ts';

/**
 * Rewrites each `$ref` that leads to an `$id`, an anchor or a pointer in the same document as `#/…`, in
 * place: for readers that do not resolve URIs and anchors.
 */
export function rewriteReferences(document: Node): void {
  const identifiers = new Identifiers(document);
  for (const { pointer, node } of identifiers.isEmpty ? [] : schemaLocations(document)) {
    const ref: unknown = node['$ref'];
    if (typeof ref !== 'string') continue;
    const target = identifiers.resolve(ref, pointer);
    if (target === undefined || valueAt(document, target) === undefined) continue;
    node['$ref'] = `#${target.replaceAll('%', '%25')}`;
  }
}

/**
 * @param value may have a `$ref` to a JSON pointer of the document
 * @returns the value at the end of its references; undefined if they are circular or lead nowhere
 * @throws {Error} for a reference to another document
 */
export function referencedValue(document: Node, value: unknown): unknown {
  let target = value;
  for (const seen = new Set<string>(); isObject(target) && typeof target.$ref === 'string'; ) {
    const { $ref } = target;
    if (!$ref.startsWith('#')) {
      throw new Error(`$ref: got ${$ref}, expected a location in the contract`);
    }
    if (seen.has($ref)) return undefined;
    seen.add($ref);
    target = valueAt(document, unescapeUri($ref.slice(1)));
  }
  return target;
}

/** @returns the pointers of each `$dynamicRef` that leads to no schema of the document, with its value */
export function unresolvedDynamicRefs(document: Node): [pointer: string, ref: string][] {
  const dynamic = [...schemaLocations(document)].filter(({ node }) => isText(node['$dynamicRef']));
  const identifiers = dynamic.length > 0 ? new Identifiers(document) : undefined;
  return dynamic.flatMap(({ pointer, node }): [string, string][] => {
    const ref: string = node['$dynamicRef'];
    const inDocument = ref.startsWith('#/') ? unescapeUri(ref.slice(1)) : undefined;
    const isResolved = [identifiers?.resolve(ref, pointer), inDocument].some(
      (target) => target !== undefined && valueAt(document, target) !== undefined,
    );
    return isResolved ? [] : [[`${pointer}/$dynamicRef`, ref]];
  });
}

/** @returns the URIs of other documents that the references of schemas lead to, without those relative to its path */
export function outsideReferences(document: Node): string[] {
  const identifiers = new Identifiers(document);
  const found = [...schemaLocations(document)].flatMap(({ pointer, node }) =>
    [node['$ref'], node['$dynamicRef']]
      .filter(isText)
      .map((ref) => identifiers.outsideUri(ref, pointer)),
  );
  return [...new Set(found.filter((each) => each !== undefined))];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
