// The requests that a service sends: webhooks and callbacks.
import type { ContractDocument } from '../document/contractDocument.ts';
import { operationKeys } from '../document/methods.ts';
import type { LocatedNode } from '../document/node.ts';
import { ContractObject } from './contractObject.ts';
import { OperationObject } from './operation.ts';

interface OutgoingName {
  /** The name of the webhook, or of the callback. */
  readonly name: string;
  /** The key of a callback, a runtime expression of its URL; undefined for a webhook. */
  readonly expression: string | undefined;
}

/** A Callback Object of an operation. */
export class CallbackObject extends ContractObject {
  /** The path items by runtime expression. */
  readonly items: ReadonlyMap<string, OutgoingItem>;

  constructor(contract: ContractDocument, location: LocatedNode, name: string) {
    super(contract, location);
    const expressions = this.fields.filter((field) => !field.startsWith('x-'));
    this.items = new Map(
      expressions.map((expression) => {
        const item = contract.child(location, expression)!;
        return [expression, new OutgoingItem(contract, item, { name, expression })];
      }),
    );
  }
}

/** A Path Item Object of `webhooks` or of a callback. */
export class OutgoingItem extends ContractObject {
  /** By method, in lower case. */
  readonly operations: ReadonlyMap<string, OutgoingOperation>;

  constructor(contract: ContractDocument, location: LocatedNode, named: OutgoingName) {
    super(contract, location);
    this.operations = new Map(
      operationKeys(this.node).flatMap(([method, ...keys]) => {
        const operation = contract.descendant(location, keys);
        if (operation === undefined) return [];
        return [[method, new OutgoingOperation(contract, operation, method, location, named)]];
      }),
    );
  }
}

/** An operation of `webhooks` or `callbacks`: the service sends its request. */
export class OutgoingOperation extends OperationObject {
  /** The name of the webhook, or of the callback. */
  readonly name: string;
  /** The key of a callback, a runtime expression of its URL; undefined for a webhook. */
  readonly expression: string | undefined;

  constructor(
    contract: ContractDocument,
    location: LocatedNode,
    method: string,
    item: LocatedNode,
    { name, expression }: OutgoingName,
  ) {
    super(contract, location, method, [item]);
    this.name = name;
    this.expression = expression;
  }
}
