// A contract in memory.
import { ContractDocument } from '../document/contractDocument.ts';
import { type ContractError, textOf } from '../document/finding.ts';
import { mapped, memo, once } from '../document/memo.ts';
import {
  escapeToken,
  isObject,
  type LocatedNode,
  type Node,
  unescapeUri,
} from '../document/node.ts';
import { schemaLocations } from '../document/schemaLocations.ts';
import { isServedMethod, METHODS, operationKeys } from '../document/vocabulary.ts';
import { type DefaultError, defaultError } from '../schema/coercion.ts';
import { type Schema, SchemaModel } from '../schema/model.ts';
import { reachableSchemas } from '../schema/possible.ts';
import { Validators } from '../schema/validator.ts';
import { ContractObject, locationOf, objectAt } from './contractObject.ts';
import type { Link } from './describedValues.ts';
import {
  barePath,
  CallbackObject,
  Operation,
  OutgoingItem,
  type OutgoingOperation,
  type SecurityRequirement,
} from './operation.ts';
import { SecurityScheme } from './securityScheme.ts';
import { basePathsOf, defaultServer, type ServerList, serversAt } from './servers.ts';

const NOWHERE: LocatedNode = { pointer: '', node: {} };

type Declared = readonly [method: string, location: LocatedNode];

/** What an OpenAPI document declares. */
export class Contract extends ContractDocument {
  readonly operations: readonly Operation[];
  /** Operations with an error that prevents mocking, each as `get /toys`; `operations` excludes them. */
  readonly disabled: readonly string[];
  /** The errors of single operations. */
  readonly errors: readonly ContractError[];
  readonly #errors: ReadonlyMap<string, readonly string[]>;
  readonly #ids: OperationIds;
  /** Of operations without servers of their own. */
  readonly #basePaths = once(() => basePathsOf(this.servers.servers));

  /** @param errors the errors of single operations */
  constructor(document: Node, errors: readonly ContractError[] = []) {
    super(document);
    this.errors = errors;
    const disabling = errors.filter(({ isMockable }) => !isMockable);
    this.disabled = [...new Set(disabling.flatMap(({ operations }) => operations))];
    this.#errors = textsByOperation(errors);
    this.#ids = new OperationIds(this.#declaredIds());
    this.operations = this.paths.flatMap((path) => this.#operationsOf(path));
  }

  /** The operations of `additionalOperations` (OpenAPI 3.2) with a method that no server of Node receives. */
  get unservedOperations(): Operation[] {
    const isUnserved = (name: string) => !isServedMethod(name);
    return this.paths.flatMap((path) => {
      const items = this.#itemsOf(path);
      return Array.from(this.#additionalOf(items, isUnserved))
        .filter(([method]) => !this.#isDisabled(method, path) && !this.#isShadowed(method, path))
        .map((declared) => this.#operationOf(path, declared, items));
    });
  }

  /** The operations of `disabled`: their parts may be missing or of another kind. */
  get disabledOperations(): Operation[] {
    if (this.disabled.length === 0) return [];
    return this.paths.flatMap((path) => this.#operationsOf(path, { areDisabled: true }));
  }

  /** The scopes that operations require or that flows of OAuth2 declare, each once. */
  get scopes(): string[] {
    const required = this.operations.flatMap(({ security }) =>
      security.flatMap((requirement) => Object.values(requirement).flat()),
    );
    const declared = [...this.securitySchemes.values()].flatMap(({ scopes }) => scopes);
    return [...new Set([...required, ...declared])];
  }

  /** The operations of webhooks by name, and of callbacks by `operationId name`; the first of each. */
  get outgoing(): ReadonlyMap<string, OutgoingOperation> {
    const callbacks = this.operations.flatMap((operation) =>
      this.callbacksOf(operation).map(
        (outgoingOperation) =>
          [`${operation.operationId} ${outgoingOperation.name}`, outgoingOperation] as const,
      ),
    );
    const all = [...this.webhooks.map((webhook) => [webhook.name, webhook] as const), ...callbacks];
    const found = new Map<string, OutgoingOperation>();
    for (const [name, each] of all) if (!found.has(name)) found.set(name, each);
    return found;
  }

  /** @returns the operation that a link leads to; undefined for one of another document */
  targetOf(link: Link): Operation | undefined {
    const { operationId, operationPointer } = link;
    const pointer = operationPointer === undefined ? undefined : this.at(operationPointer)?.pointer;
    return this.operations.find((operation) =>
      pointer === undefined ? operation.operationId === operationId : operation.pointer === pointer,
    );
  }

  get isVersion32(): boolean {
    return String(this.document['openapi']).startsWith('3.2');
  }

  /** The version of OpenAPI. */
  get openapi(): string {
    return String(this.document['openapi']);
  }

  /** `info.title` */
  get title(): string | undefined {
    return this.document['info']?.title;
  }

  /** `info.version` */
  get version(): string | undefined {
    return this.document['info']?.version;
  }

  /** The SPDX identifier of the license, else its name. */
  get license(): string | undefined {
    const { identifier, name } = this.document['info']?.license ?? {};
    return identifier ?? name;
  }

  /** `info.description`, Markdown. */
  get description(): string | undefined {
    return this.document['info']?.description;
  }

  /** The security requirements of operations without their own. */
  get security(): readonly SecurityRequirement[] {
    return this.document['security'] ?? [];
  }

  get securitySchemes(): ReadonlyMap<string, SecurityScheme> {
    const declared = this.children(this.at('/components') ?? NOWHERE, 'securitySchemes');
    return mapped(declared, (location) => objectAt(this, SecurityScheme, location));
  }

  /** The operations of `webhooks`. */
  get webhooks(): OutgoingOperation[] {
    return operationsIn(this.webhookItems);
  }

  /** The path items of `webhooks` by name. */
  get webhookItems(): ReadonlyMap<string, OutgoingItem> {
    const items = this.children(locationOf(this.root), 'webhooks');
    return mapped(items, (item, name) => {
      return new OutgoingItem(this, item, { name, expression: undefined });
    });
  }

  /** @returns the operations of the callbacks of an operation */
  callbacksOf(operation: Operation): OutgoingOperation[] {
    const callbacks = [...this.callbackObjectsOf(operation).values()];
    return callbacks.flatMap(({ items }) => operationsIn(items));
  }

  /** @returns the Callback Objects of an operation by name */
  callbackObjectsOf(operation: Operation): ReadonlyMap<string, CallbackObject> {
    const callbacks = this.children(locationOf(operation), 'callbacks');
    return mapped(callbacks, (location, name) => new CallbackObject(this, location, name));
  }

  /** The OpenAPI Object. */
  get root(): ContractObject {
    return objectAt(this, ContractObject, { pointer: '', node: this.document });
  }

  /** The Info Object. */
  get info(): ContractObject | undefined {
    const info = this.child(locationOf(this.root), 'info');
    return info && objectAt(this, ContractObject, info);
  }

  /** The servers of operations without their own; `/` in a contract without servers. */
  get servers(): ServerList {
    const declared = serversAt(this, [locationOf(this.root)]);
    return declared?.servers.length ? declared : defaultServer(this);
  }

  /** The schemas of `components` by name. */
  get schemas(): ReadonlyMap<string, Schema> {
    const model = SchemaModel.of(this);
    const { pointer, node } = this.at('/components/schemas') ?? NOWHERE;
    return mapped(Object.entries(node), (written, name) => {
      return model.schema(`${pointer}/${escapeToken(name)}`, written);
    });
  }

  /** The keys of `paths`. */
  get paths(): readonly string[] {
    return Object.keys(this.document.paths ?? {});
  }

  #declaredIds(): string[] {
    return this.paths
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

  /** The first operation of each method. */
  #operationsOf(path: string, { areDisabled } = { areDisabled: false }): Operation[] {
    const items = this.#itemsOf(path);
    const fixed = this.#methods.flatMap((method): Declared[] => {
      const item = items.find(({ node }) => node[method] !== undefined);
      return item === undefined ? [] : [[method, this.child(item, method)!]];
    });
    return [...fixed, ...this.#additionalOf(items, isServedMethod)]
      .filter(([method]) => this.#isDisabled(method, path) === areDisabled)
      .filter(([method]) => !this.#isShadowed(method, path))
      .map((declared) => this.#operationOf(path, declared, items));
  }

  #additionalOf(
    items: readonly LocatedNode[],
    isIncluded: (name: string) => boolean,
  ): Iterable<Declared> {
    const found = new Map<string, LocatedNode>();
    for (const item of items) {
      for (const [method, location] of this.#additionalIn(item, isIncluded)) {
        memo(found, method, () => location);
      }
    }
    return found;
  }

  #additionalIn(
    item: LocatedNode,
    isIncluded: (name: string) => boolean,
  ): (readonly [method: string, LocatedNode])[] {
    if (!this.isVersion32) return [];
    return [...this.children(item, 'additionalOperations')].flatMap(([name, location]) =>
      isIncluded(name) && isObject(location.node) ? [[name.toLowerCase(), location] as const] : [],
    );
  }

  /** True for a path with query or fragment if another path item has the same path without them. */
  #isShadowed(method: string, path: string): boolean {
    const bare = barePath(path);
    if (bare === path) return false;
    const rivals = this.paths.filter((rival) => barePath(rival) === bare);
    const before = rivals.filter(
      (rival) => rival === bare || rivals.indexOf(rival) < rivals.indexOf(path),
    );
    return before.some((rival) =>
      this.#itemsOf(rival).some(
        ({ node }) => rival !== path && operationKeys(node).some(([other]) => other === method),
      ),
    );
  }

  /** OpenAPI 3.2 added QUERY. */
  get #methods(): readonly string[] {
    return this.isVersion32 ? METHODS : METHODS.filter((method) => method !== 'query');
  }

  #operationOf(
    path: string,
    [method, location]: Declared,
    items: readonly LocatedNode[],
  ): Operation {
    const { operationId, security } = location.node;
    const servers = serversAt(this, [location, ...items])?.servers;
    return new Operation(this, location, method, items, {
      operationId: this.#ids.of(operationId, method, path),
      path,
      security: security ?? this.security,
      basePaths: servers === undefined ? this.#basePaths() : basePathsOf(servers),
      errors: this.#errors.get(`${method} ${path}`) ?? [],
    });
  }
}

/** @returns the errors of the defaults in parameters and request bodies, each once */
export function defaultErrors(definition: Contract): DefaultError[] {
  const validators = Validators.of(definition, 'request');
  return [...requestSchemas(definition)].flatMap(
    (schema) => defaultError(schema, validators) ?? [],
  );
}

/** @returns the schemas of parameters and request bodies, and those that they reach */
export function requestSchemas({ operations }: Pick<Contract, 'operations'>): ReadonlySet<Schema> {
  return reachableSchemas(operations.flatMap((operation) => operation.requestSchemas));
}

function operationsIn(items: ReadonlyMap<string, OutgoingItem>): OutgoingOperation[] {
  return [...items.values()].flatMap(({ operations }) => [...operations.values()]);
}

function textsByOperation(errors: readonly ContractError[]): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const error of errors) {
    for (const name of error.operations) memo(texts, name, (): string[] => []).push(textOf(error));
  }
  return texts;
}

/** The operationIds of one contract: declared ones, and derived ones for operations without. */
class OperationIds {
  readonly #taken: Set<string>;
  readonly #assigned = new Set<string>();

  constructor(declared: Iterable<string>) {
    this.#taken = new Set(declared);
  }

  /** @returns the declared id if no earlier operation has it, else a derived one */
  of(declared: unknown, method: string, path: string): string {
    const id = declared ? String(declared) : undefined;
    if (id === undefined || this.#assigned.has(id)) return this.derive(method, path);
    this.#assigned.add(id);
    return id;
  }

  /** Stable: the id depends only on the operation and on the operations before it. */
  derive(method: string, path: string): string {
    const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
    const base =
      method.replace(/[^a-z]/g, '') +
      words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
    let id = base;
    for (let at = 2; this.#taken.has(id); at++) id = `${base}_${at}`;
    this.#taken.add(id);
    return id;
  }
}

/** @returns the contract as its version of OpenAPI means it: since 3.1 without `nullable` */
export function withoutNullable(definition: Contract): Contract {
  if (definition.isVersion30 || !hasNullable(definition)) return definition;
  const document = structuredClone(definition.document);
  for (const { node } of schemaLocations(document)) delete node['nullable'];
  return new Contract(document, definition.errors);
}

function hasNullable({ document }: Contract): boolean {
  for (const { node } of schemaLocations(document)) if (node['nullable'] !== undefined) return true;
  return false;
}
