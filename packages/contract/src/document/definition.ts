// A contract in memory: the parsed document, lookup by JSON pointer, and its operations.
import { basePathsOf } from './basePath.ts';
import type { ContractError } from './contractError.ts';
import { Identifiers } from './identifiers.ts';
import { isServedMethod, METHODS, operationKeys } from './methods.ts';
import type { LocatedNode, Node } from './node.ts';
import { OperationIds } from './operationIds.ts';
import { escapeToken, unescapeToken, unescapeUri, valueAt } from './pointer.ts';

export type { LocatedNode, Node };

/** An operation, with the properties that it inherits from its path item and the document. */
export interface Operation {
  readonly operationId: string;
  /** In lower case. */
  readonly method: string;
  /** The path template without query and fragment: `/toys/{id}`. */
  readonly path: string;
  readonly location: LocatedNode;
  /** The parameters of the operation, then those of its path item that it does not override. */
  readonly parameters: readonly LocatedNode[];
  readonly requestBody: LocatedNode | undefined;
  /** By status code, range (`4XX`) or `default`. */
  readonly responses: ReadonlyMap<string, LocatedNode>;
  /** The security requirements of the operation, else of the document; one must be satisfied. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /**
   * The paths of the servers of the operation, else of the path item, else of the document; `''` for
   * none. `{name}` matches one segment.
   */
  readonly basePaths: readonly string[];
  /** Errors that prevent a handler, but not a mock. */
  readonly errors: readonly string[];
}

/** The errors of a contract; `message` has one line per error. */
export class ContractErrors extends Error {
  override readonly name = 'ContractErrors';
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(errors.join('\n'));
    this.errors = errors;
  }
}

/** Maps with `x-` extensions; in `components` they have names of the contract. */
const EXTENSIBLE = new Set(['paths', 'responses']);

/** The OpenAPI document of a contract: its operations, and the nodes that references lead to. */
export class Definition {
  readonly document: Node;
  readonly operations: readonly Operation[];
  /** Operations with an error that prevents mocking, each as `get /toys`; `operations` excludes them. */
  readonly disabled: readonly string[];
  /** The errors of single operations. */
  readonly errors: readonly ContractError[];
  readonly #errors: ReadonlyMap<string, readonly string[]>;
  readonly #ids: OperationIds;
  readonly #identifiers: Identifiers;
  /** The targets of references that are the same in each schema. */
  readonly #targets = new Map<string, LocatedNode>();
  readonly #basePaths = new Map<unknown, readonly string[]>();

  /** @param errors the errors of single operations */
  constructor(document: Node, errors: readonly ContractError[] = []) {
    this.document = document;
    this.errors = errors;
    const disabling = errors.filter(({ isMockable }) => !isMockable);
    this.disabled = [...new Set(disabling.flatMap(({ operations }) => operations))];
    this.#errors = textsByOperation(errors);
    this.#identifiers = new Identifiers(document);
    this.#ids = new OperationIds(this.#declaredIds());
    this.operations = this.#paths.flatMap((path) => this.#operationsOf(path));
  }

  /** The operations of `additionalOperations` (OpenAPI 3.2) with a method that no server of Node receives. */
  get unservedOperations(): Operation[] {
    const isUnserved = (name: string) => !isServedMethod(name);
    return this.#paths.flatMap((path) => this.#additionalOf(path, isUnserved));
  }

  /** OpenAPI 3.0 has its own schema dialect; 3.1 uses JSON Schema 2020-12. */
  get isVersion30(): boolean {
    return String(this.document.openapi).startsWith('3.0');
  }

  get securitySchemes(): ReadonlyMap<string, LocatedNode> {
    return this.children(this.at('/components') ?? NOWHERE, 'securitySchemes');
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

  /** @returns the child `name` of a node, `$ref` not followed */
  step({ pointer, node }: LocatedNode, name: string): LocatedNode {
    return { pointer: `${pointer}/${escapeToken(name)}`, node: node[name] };
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

  get #paths(): string[] {
    return Object.keys(this.document.paths ?? {});
  }

  #declaredIds(): string[] {
    return this.#paths
      .flatMap((path) => this.#itemsOf(path).map((item) => [path, item] as const))
      .flatMap(([path, item]) =>
        [
          ...this.#methods.map((method) => [method, this.child(item, method)] as const),
          ...this.#additionalIn(item, isServedMethod),
        ].map(([method, operation]) =>
          this.#isDisabled(method, path) ? undefined : operation?.node.operationId,
        ),
      )
      .filter(Boolean)
      .map(String);
  }

  /** @returns the path item, and the target of its `$ref` */
  #itemsOf(path: string): LocatedNode[] {
    const own = { pointer: `/paths/${escapeToken(path)}`, node: this.document.paths[path] };
    if (!path.startsWith('/') || !isObject(own.node)) return [];
    const ref: unknown = own.node.$ref;
    if (typeof ref === 'string' && this.at(unescapeUri(ref.slice(1))) === undefined) return [own];
    const target = this.follow(own);
    return target === own ? [own] : [own, target];
  }

  #isDisabled(method: string, path: string): boolean {
    return this.disabled.includes(`${method} ${path}`);
  }

  #operationsOf(path: string): Operation[] {
    const items = this.#itemsOf(path);
    const fixed = this.#methods.flatMap((method) => {
      const item = items.find(({ node }) => node[method] !== undefined);
      if (item === undefined || this.#isDisabled(method, path)) return [];
      if (this.#isShadowed(method, path)) return [];
      return [this.#operationOf(path, method, this.child(item, method)!, item, items)];
    });
    return [...fixed, ...this.#additionalOf(path, isServedMethod)];
  }

  #additionalOf(path: string, isIncluded: (name: string) => boolean): Operation[] {
    const items = this.#itemsOf(path);
    const found = new Map<string, Operation>();
    for (const item of items) {
      for (const [method, location] of this.#additionalIn(item, isIncluded)) {
        if (found.has(method) || this.#isDisabled(method, path)) continue;
        if (this.#isShadowed(method, path)) continue;
        found.set(method, this.#operationOf(path, method, location, item, items));
      }
    }
    return [...found.values()];
  }

  #additionalIn(
    item: LocatedNode,
    isIncluded: (name: string) => boolean,
  ): (readonly [method: string, LocatedNode])[] {
    if (!this.#isVersion32) return [];
    return [...this.children(item, 'additionalOperations')].flatMap(([name, location]) =>
      isIncluded(name) && isObject(location.node) ? [[name.toLowerCase(), location] as const] : [],
    );
  }

  /** True for a path with query or fragment if another path item has the same path without them. */
  #isShadowed(method: string, path: string): boolean {
    const bare = barePath(path);
    if (bare === path) return false;
    const rivals = this.#paths.filter((each) => barePath(each) === bare);
    const before = rivals.filter(
      (each) => each === bare || rivals.indexOf(each) < rivals.indexOf(path),
    );
    return before.some((each) =>
      this.#itemsOf(each).some(
        ({ node }) => each !== path && operationKeys(node).some(([other]) => other === method),
      ),
    );
  }

  /** OpenAPI 3.2 added QUERY. */
  get #methods(): readonly string[] {
    return this.#isVersion32 ? METHODS : METHODS.filter((method) => method !== 'query');
  }

  get #isVersion32(): boolean {
    return String(this.document.openapi).startsWith('3.2');
  }

  #operationOf(
    path: string,
    method: string,
    location: LocatedNode,
    item: LocatedNode,
    items: readonly LocatedNode[],
  ): Operation {
    const { operationId, security, servers } = location.node;
    return {
      operationId: this.#ids.of(operationId, method, path),
      method,
      path: barePath(path),
      location,
      parameters: this.#parametersOf([location, ...items], path),
      requestBody: this.child(location, 'requestBody'),
      responses: this.#responsesOf(location),
      security: security ?? this.document.security ?? [],
      basePaths: this.#basePathsOf(servers ?? item.node.servers ?? this.document.servers),
      errors: this.#errors.get(`${method} ${path}`) ?? [],
    };
  }

  #basePathsOf(servers: Parameters<typeof basePathsOf>[0]): readonly string[] {
    const paths = this.#basePaths.get(servers) ?? basePathsOf(servers);
    this.#basePaths.set(servers, paths);
    return paths;
  }

  /** `responses` is optional since OpenAPI 3.1: then any response is valid. */
  #responsesOf(location: LocatedNode): Map<string, LocatedNode> {
    if (location.node.responses !== undefined || this.isVersion30) {
      return new Map(this.children(location, 'responses'));
    }
    return new Map([
      ['default', { pointer: `${location.pointer}/responses/default`, node: ANY_RESPONSE }],
    ]);
  }

  /** The first parameter of a name and location applies; path parameters must be in the template. */
  #parametersOf(holders: readonly LocatedNode[], path: string): LocatedNode[] {
    const names = templateNames(path);
    const parameters = new Map<string, LocatedNode>();
    for (const location of holders.flatMap((each) => this.#items(this.child(each, 'parameters')))) {
      const { name, in: where } = location.node;
      const key = `${where} ${name}`;
      const isNamed = where !== 'path' || names.includes(name);
      if (isNamed && !parameters.has(key)) parameters.set(key, location);
    }
    return [...parameters.values()];
  }

  #items(location: LocatedNode | undefined): LocatedNode[] {
    return (location?.node as Node[] | undefined)?.map((_, at) => this.child(location!, at)!) ?? [];
  }
}

function unresolved(ref: string, pointer: string): ContractErrors {
  return new ContractErrors([`${pointer}  $ref cannot be resolved: ${ref}`]);
}

const NOWHERE: LocatedNode = { pointer: '', node: {} };

const ANY_RESPONSE: Node = { description: '', content: { '*/*': {} } };

function textsByOperation(errors: readonly ContractError[]): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const { text, operations } of errors) {
    for (const name of operations) texts.set(name, [...(texts.get(name) ?? []), text]);
  }
  return texts;
}

/** @returns true for a JSON object: not an array, not null */
export function isObject(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns a path without query and fragment, which the specification excludes */
export function barePath(path: string): string {
  return path.replace(/[?#].*$/, '');
}

/** @returns the names of the template expressions of a path, in order */
export function templateNames(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
}
