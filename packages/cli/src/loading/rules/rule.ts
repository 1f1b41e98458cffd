// What a rule gets: the objects that were visited, and the targets of their references.
import { isObject, type Node, operationKeys } from '@stubwright/contract';
import type { SourceFile } from '../files.ts';
import {
  childOf,
  kindOfProperty,
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
