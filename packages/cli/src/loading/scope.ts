// Finds the operations that an error affects: those that refer to its location.
import { isObject, type Node, operationKeys } from '@stubwright/contract';
import type { FieldKind } from '@stubwright/contract/openapi-table';
import type { Issue } from './findings.ts';
import { targetOf } from './limits.ts';
import type { ReferenceResolver } from './references.ts';
import type { SourceFile } from './sourceFile.ts';
import {
  childOf,
  isStructured,
  kindOfProperty,
  objectTypeOf,
  type Visit,
  visitAt,
} from './walk.ts';

/** @returns for each issue the operations that refer to it, each as `get /toys` */
export function operationsLeadingTo(
  issues: readonly Issue[],
  root: SourceFile,
  { references, minor }: { readonly references: ReferenceResolver; readonly minor: number },
): ReadonlyMap<Issue, readonly string[]> {
  const found = new Map<Issue, string[]>(issues.map((each) => [each, []]));
  if (issues.length === 0) return found;
  const wanted = new Map<unknown, Issue[]>();
  for (const issue of issues) {
    const holder = holderOf(issue.visit);
    wanted.set(holder, [...(wanted.get(holder) ?? []), issue]);
  }
  const scope = new Scope(root, references, minor);
  for (const { name, nodes } of scope.operations()) {
    for (const holder of nodes)
      for (const issue of wanted.get(holder) ?? []) found.get(issue)!.push(name);
  }
  return found;
}

/** The innermost visited object or array. */
function holderOf(visit: Visit): unknown {
  let at = visit;
  while (at.parent !== undefined && (typeof at.node !== 'object' || at.node === null))
    at = at.parent;
  return at.node;
}

interface Operation {
  /** `get /toys` */
  readonly name: string;
  /** The objects and arrays that a request of it depends on. */
  readonly nodes: ReadonlySet<unknown>;
}

class Scope {
  readonly #root: Visit;
  readonly #references: ReferenceResolver;
  readonly #minor: number;

  constructor(root: SourceFile, references: ReferenceResolver, minor: number) {
    this.#root = visitAt(root, '', root.value, { is: 'object', of: 'Root' });
    this.#references = references;
    this.#minor = minor;
  }

  *operations(): Generator<Operation> {
    const paths = this.#end(this.#field(this.#root, 'paths'));
    for (const path of Object.keys(Object(paths?.node))) {
      const own = this.#field(paths!, path);
      if (own === undefined) continue;
      const items = this.#chain(own).filter(({ node }) => isObject(node));
      const operations = new Map<string, Visit>();
      for (const item of items) {
        for (const [method, ...keys] of operationKeys(item.node as Node)) {
          let operation: Visit | undefined = item;
          for (const key of keys) operation = operation && this.#end(this.#field(operation, key));
          if (operation !== undefined && !operations.has(method)) operations.set(method, operation);
        }
      }
      for (const [method, operation] of operations) {
        const nodes = this.#reached([...this.#partsOf(operation, items)]);
        for (const item of items) nodes.add(item.node);
        yield { name: `${method} ${path}`, nodes };
      }
    }
  }

  *#partsOf(operation: Visit, items: readonly Visit[]): Generator<Visit | undefined> {
    yield operation;
    for (const item of items) yield this.#field(item, 'parameters');
    const { security, servers } = Object(operation.node);
    if (servers === undefined) {
      for (const item of items) yield this.#field(item, 'servers');
      yield this.#field(this.#root, 'servers');
    }
    const requirements =
      security === undefined
        ? this.#field(this.#root, 'security')
        : this.#field(operation, 'security');
    yield requirements;
    const components = this.#end(this.#field(this.#root, 'components'));
    const schemes = this.#end(components && this.#field(components, 'securitySchemes'));
    const list: unknown = requirements?.node;
    for (const requirement of Array.isArray(list) ? list.filter(isObject) : []) {
      for (const name of Object.keys(requirement)) yield schemes && this.#field(schemes, name);
    }
  }

  #field(visit: Visit, name: string): Visit | undefined {
    if (!Object.hasOwn(Object(visit.node), name)) return undefined;
    const kind = kindOfProperty(visit, name, this.#minor) ?? this.#itemOf(visit);
    return kind && childOf(visit, name, kind, this.#minor);
  }

  /** A path that does not start with a slash is served too. */
  #itemOf({ kind }: Visit): FieldKind | undefined {
    return kind.is === 'map' ? kind.of : undefined;
  }

  /** The node and the targets of its references. */
  #chain(start: Visit): Visit[] {
    const chain: Visit[] = [];
    const seen = new Set<unknown>();
    let at: Visit | undefined = start;
    for (; at !== undefined && !seen.has(at.node); at = targetOf(at, this.#references)) {
      seen.add(at.node);
      chain.push(at);
    }
    return chain;
  }

  #end(visit: Visit | undefined): Visit | undefined {
    return visit && this.#chain(visit).at(-1);
  }

  /** @returns the objects and arrays in the values, also through references */
  #reached(starts: readonly (Visit | undefined)[]): Set<unknown> {
    const reached = new Set<unknown>();
    const pending = starts.filter((each) => each !== undefined);
    for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
      const { node } = visit;
      if (typeof node !== 'object' || node === null || reached.has(node)) continue;
      reached.add(node);
      const target = targetOf(visit, this.#references);
      if (target !== undefined) pending.push(target);
      const documentation = objectTypeOf(visit, this.#minor)?.documentation;
      for (const key of Object.keys(node)) {
        const kind = documentation?.has(key) ? undefined : kindOfProperty(visit, key, this.#minor);
        if (kind !== undefined && isStructured(kind)) {
          pending.push(childOf(visit, key, kind, this.#minor));
        }
      }
    }
    return reached;
  }
}
