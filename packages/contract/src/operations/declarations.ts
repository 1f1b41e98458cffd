// What a contract declares apart from its operations.
import { ContractDocument } from '../document/contractDocument.ts';
import type { LocatedNode } from '../document/node.ts';
import { escapeToken } from '../document/pointer.ts';
import { type Schema, SchemaModel } from '../schema/model.ts';
import { ContractObject, locationOf, objectAt } from './contractObject.ts';
import type { Operation, SecurityRequirement } from './operation.ts';
import { CallbackObject, OutgoingItem, type OutgoingOperation } from './outgoing.ts';
import { SecurityScheme } from './securityScheme.ts';
import { defaultServer, type ServerList, serversAt } from './servers.ts';

export class Declarations extends ContractDocument {
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
    return new Map(
      Array.from(declared, ([name, each]) => [name, objectAt(this, SecurityScheme, each)]),
    );
  }

  /** The operations of `webhooks`. */
  get webhooks(): OutgoingOperation[] {
    return operationsIn(this.webhookItems);
  }

  /** The path items of `webhooks` by name. */
  get webhookItems(): ReadonlyMap<string, OutgoingItem> {
    const items = this.children(locationOf(this.root), 'webhooks');
    return new Map(
      Array.from(items, ([name, item]) => [
        name,
        new OutgoingItem(this, item, { name, expression: undefined }),
      ]),
    );
  }

  /** @returns the operations of the callbacks of an operation */
  callbacksOf(operation: Operation): OutgoingOperation[] {
    const callbacks = [...this.callbackObjectsOf(operation).values()];
    return callbacks.flatMap(({ items }) => operationsIn(items));
  }

  /** @returns the Callback Objects of an operation by name */
  callbackObjectsOf(operation: Operation): ReadonlyMap<string, CallbackObject> {
    const callbacks = this.children(locationOf(operation), 'callbacks');
    return new Map(
      Array.from(callbacks, ([name, each]) => [name, new CallbackObject(this, each, name)]),
    );
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
    return new Map(
      Object.entries(node).map(([name, each]) => [
        name,
        model.schema(`${pointer}/${escapeToken(name)}`, each),
      ]),
    );
  }

  /** The keys of `paths`. */
  get paths(): readonly string[] {
    return Object.keys(this.document.paths ?? {});
  }
}

function operationsIn(items: ReadonlyMap<string, OutgoingItem>): OutgoingOperation[] {
  return [...items.values()].flatMap(({ operations }) => [...operations.values()]);
}

const NOWHERE: LocatedNode = { pointer: '', node: {} };
