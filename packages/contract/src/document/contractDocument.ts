// The parsed document of a contract: its objects by JSON pointer, and the targets of references.

import { ContractErrors } from './finding.ts';
import {
  escapeToken,
  isObject,
  type LocatedNode,
  type Node,
  unescapeToken,
  unescapeUri,
  valueAt,
} from './node.ts';
import { schemaLocations } from './schemaLocations.ts';

/** Maps with `x-` extensions; in `components` they have names of the contract. */
const EXTENSIBLE = new Set(['paths', 'responses']);

/** An OpenAPI document: the nodes at JSON pointers, and those that references lead to. */
export class ContractDocument {
  readonly document: Node;
  readonly identifiers: Identifiers;
  /** The targets of references that are the same in each schema. */
  readonly #targets = new Map<string, LocatedNode>();

  constructor(document: Node) {
    this.document = document;
    this.identifiers = new Identifiers(document);
  }

  /** OpenAPI 3.0 has its own schema dialect; 3.1 uses JSON Schema 2020-12. */
  get isVersion30(): boolean {
    return String(this.document.openapi).startsWith('3.0');
  }

  /** @returns the node at a JSON pointer, its own `$ref` not followed; undefined if there is none */
  at(pointer: string): LocatedNode | undefined {
    if (pointer !== '' && !pointer.startsWith('/')) return undefined;
    let location: LocatedNode = { pointer: '', node: this.document };
    for (const token of pointer.split('/').slice(1)) {
      const name = unescapeToken(token);
      const node = (name in Object(location.node) ? location : this.follow(location)).node?.[name];
      if (node === undefined) return undefined;
      location = { pointer: `${location.pointer}/${token}`, node };
    }
    return location;
  }

  /** @returns the child `name` of a node, `$ref` followed; undefined if there is none */
  child(location: LocatedNode, name: string | number): LocatedNode | undefined {
    const node = location.node[name];
    if (node === undefined) return undefined;
    return this.follow({ pointer: `${location.pointer}/${escapeToken(String(name))}`, node });
  }

  /** @returns the node at the end of a path of names, each `$ref` followed */
  descendant(location: LocatedNode, names: readonly string[]): LocatedNode | undefined {
    let found: LocatedNode | undefined = location;
    for (const name of names) found = found && this.child(found, name);
    return found;
  }

  /**
   * @returns the entries of a map (`content`, `headers`, `examples`) of a node by name, `$ref` followed;
   *   without the extensions of `paths` and `responses`
   */
  children(location: LocatedNode, property: string): ReadonlyMap<string, LocatedNode> {
    const map = this.child(location, property);
    const isExtensible = EXTENSIBLE.has(property) && location.pointer !== '/components';
    const all = Object.keys(map?.node ?? {});
    const names = isExtensible ? all.filter((name) => !name.startsWith('x-')) : all;
    return new Map(names.map((name) => [name, this.child(map!, name)!]));
  }

  /**
   * @param ref the value of a `$ref` or `$dynamicRef` in the schema at `pointer`
   * @returns the pointer of the referenced schema
   * @throws {ContractErrors} for a reference that does not resolve
   */
  schemaPointer(ref: string, pointer: string): string {
    const target = this.#targetOf(ref, pointer);
    if (target === undefined) throw unresolved(ref, pointer);
    return target;
  }

  /**
   * @returns the target of a chain of `$ref`s; the node itself without `$ref`
   * @throws {ContractErrors} for a reference that does not resolve
   */
  follow(location: LocatedNode): LocatedNode {
    const ref: unknown = location.node?.$ref;
    if (typeof ref !== 'string') return location;
    const known = this.#targets.get(ref);
    if (known !== undefined) return known;
    const target = this.follow(this.at(this.schemaPointer(ref, location.pointer))!);
    if (ref.startsWith('#/') && !this.identifiers.hasIds) this.#targets.set(ref, target);
    return target;
  }

  /** Many contracts refer to `#/components` also in a schema with an `$id`, which changes the base URI. */
  #targetOf(ref: string, pointer: string): string | undefined {
    const inDocument = ref.startsWith('#/') ? unescapeUri(ref.slice(1)) : undefined;
    if (inDocument === undefined || this.identifiers.hasIds) {
      const target = this.identifiers.resolve(ref, pointer);
      if (target !== undefined && valueAt(this.document, target) !== undefined) return target;
    }
    return inDocument === undefined ? undefined : this.at(inDocument)?.pointer;
  }
}

function unresolved(ref: string, pointer: string): ContractErrors {
  return new ContractErrors([`${pointer}  $ref cannot be resolved: ${ref}`]);
}

/** The base URI of a document without `$self`; arbitrary. */
const DOCUMENT = 'document:/';

const NO_ANCHORS: ReadonlyMap<string, string> = new Map();

export class Identifiers {
  /** URI without fragment -> pointer of the schema resource. */
  readonly #resources = new Map<string, string>();
  /** URI with `#anchor` -> pointer. */
  readonly #anchors = new Map<string, string>();
  /** Pointer of a schema resource -> URI. */
  readonly #uris = new Map<string, string>();
  /** Pointer of a schema resource -> `$dynamicAnchor` -> pointer. */
  readonly #dynamicAnchors = new Map<string, Map<string, string>>();

  constructor(document: Node) {
    const self = URL.parse(withoutFragment(document['$self']), DOCUMENT)?.href ?? DOCUMENT;
    this.#add('', self);
    if (String(document['openapi']).startsWith('3.0')) return;
    // A resource before its schemas: their pointers are longer.
    for (const { pointer, node } of schemaLocations(document)) this.#collect(pointer, node);
  }

  /** True if the document has schema resources with an `$id`. */
  get hasIds(): boolean {
    return this.#resources.size > 1;
  }

  /** True if the document has no identifiers: neither `$id` nor anchors nor `$self`. */
  get isEmpty(): boolean {
    return !this.hasIds && this.#anchors.size === 0 && this.#resources.has(DOCUMENT);
  }

  /** @returns the pointer of the target of `ref` in the schema at `pointer`; undefined if there is none */
  resolve(ref: string, pointer: string): string | undefined {
    const own = this.resourceOf(pointer);
    const target = URL.parse(ref, this.#uris.get(own));
    if (target === null) return undefined;
    const fragment = unescapeUri(target.hash.slice(1));
    target.hash = '';
    // Its own resource first: another one may have the same URI.
    const isOwn = target.href === this.#uris.get(own);
    const root = isOwn ? own : this.#resources.get(target.href);
    if (fragment === '' || fragment.startsWith('/')) {
      return root === undefined ? undefined : root + fragment;
    }
    return this.#anchors.get(`${target.href}#${fragment}`);
  }

  /** @returns the URI, without fragment, of another document that `ref` leads to; undefined for this one */
  outsideUri(ref: string, pointer: string): string | undefined {
    const target = URL.parse(ref, this.#uris.get(this.resourceOf(pointer)));
    if (target === null || target.href.startsWith(DOCUMENT)) return undefined;
    target.hash = '';
    return this.#resources.has(target.href) ? undefined : target.href;
  }

  /** @returns the pointer of the schema resource that contains `pointer`; `''` for the document */
  resourceOf(pointer: string): string {
    let at = pointer;
    while (!this.#uris.has(at)) at = at.slice(0, at.lastIndexOf('/'));
    return at;
  }

  /** @param resource the pointer of a schema resource @returns the pointers of its `$dynamicAnchor`s */
  dynamicAnchorsOf(resource: string): ReadonlyMap<string, string> {
    return this.#dynamicAnchors.get(resource) ?? NO_ANCHORS;
  }

  /** @returns the pointers of a `$dynamicAnchor` in all schema resources */
  withDynamicAnchor(name: string): string[] {
    return [...this.#dynamicAnchors.values()].flatMap((anchors) => anchors.get(name) ?? []);
  }

  #collect(pointer: string, { $id, $anchor, $dynamicAnchor }: Node): void {
    const outer = this.#uris.get(this.resourceOf(pointer))!;
    // Only a fragment names no resource.
    const id = withoutFragment($id);
    const uri = id === '' ? undefined : URL.parse(id, outer)?.href;
    if (uri !== undefined) this.#add(pointer, uri);
    for (const anchor of [$anchor, $dynamicAnchor]) {
      if (typeof anchor === 'string') this.#anchors.set(`${uri ?? outer}#${anchor}`, pointer);
    }
    if (typeof $dynamicAnchor !== 'string') return;
    const resource = this.resourceOf(pointer);
    const anchors = this.#dynamicAnchors.get(resource) ?? new Map<string, string>();
    this.#dynamicAnchors.set(resource, anchors.set($dynamicAnchor, pointer));
  }

  #add(pointer: string, uri: string): void {
    this.#resources.set(uri, pointer);
    this.#uris.set(pointer, uri);
  }
}

function withoutFragment(uri: unknown): string {
  return typeof uri === 'string' ? uri.replace(/#.*$/, '') : '';
}

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
  if (dynamic.length === 0) return [];
  const identifiers = new Identifiers(document);
  return dynamic.flatMap(({ pointer, node }): [string, string][] => {
    const ref: string = node['$dynamicRef'];
    const inDocument = ref.startsWith('#/') ? unescapeUri(ref.slice(1)) : undefined;
    const isResolved = [identifiers.resolve(ref, pointer), inDocument].some(
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
