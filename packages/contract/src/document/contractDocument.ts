// The parsed document of a contract: its objects by JSON pointer, and the targets of references.
import { ContractErrors } from './finding.ts';
import type { LocatedNode, Node } from './node.ts';
import { escapeToken, unescapeToken, unescapeUri, valueAt } from './pointer.ts';
import { Identifiers } from './references.ts';

/** Maps with `x-` extensions; in `components` they have names of the contract. */
const EXTENSIBLE = new Set(['paths', 'responses']);

/** An OpenAPI document: the nodes at JSON pointers, and those that references lead to. */
export class ContractDocument {
  readonly document: Node;
  readonly #identifiers: Identifiers;
  /** The targets of references that are the same in each schema. */
  readonly #targets = new Map<string, LocatedNode>();

  constructor(document: Node) {
    this.document = document;
    this.#identifiers = new Identifiers(document);
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

  /** @returns the pointers of the `$dynamicAnchor`s in the schema resource that contains `pointer` */
  dynamicAnchors(pointer: string): ReadonlyMap<string, string> {
    return this.#identifiers.dynamicAnchorsOf(this.#identifiers.resourceOf(pointer));
  }

  /** @returns the pointers of the schemas with this `$dynamicAnchor` */
  withDynamicAnchor(name: string): string[] {
    return this.#identifiers.withDynamicAnchor(name);
  }

  /** True if the schema at `pointer` is in a schema resource with an `$id`. */
  isInResource(pointer: string): boolean {
    return this.#identifiers.resourceOf(pointer) !== '';
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
    if (ref.startsWith('#/') && !this.#identifiers.hasIds) this.#targets.set(ref, target);
    return target;
  }

  /** Many contracts refer to `#/components` also in a schema with an `$id`, which changes the base URI. */
  #targetOf(ref: string, pointer: string): string | undefined {
    const inDocument = ref.startsWith('#/') ? unescapeUri(ref.slice(1)) : undefined;
    if (inDocument === undefined || this.#identifiers.hasIds) {
      const target = this.#identifiers.resolve(ref, pointer);
      if (target !== undefined && valueAt(this.document, target) !== undefined) return target;
    }
    return inDocument === undefined ? undefined : this.at(inDocument)?.pointer;
  }
}

function unresolved(ref: string, pointer: string): ContractErrors {
  return new ContractErrors([`${pointer}  $ref cannot be resolved: ${ref}`]);
}
