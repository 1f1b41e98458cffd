// The requests that a contract declares in `webhooks` and `callbacks`: validated, and serialized exactly.
import {
  DeclaredResponse,
  type Definition,
  type LocatedNode,
  type Operation,
  operationKeys,
  Responses,
} from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { OperationReplies, Replies } from '../response/reply.ts';

/** A request that a service sends. */
export interface WrittenMessage {
  readonly method: string;
  /** Undefined without a body. */
  readonly type: string | undefined;
  readonly body: string;
}

/** One operation of a webhook or a callback. */
export interface OutgoingMessages {
  readonly method: string;
  /** The key of a callback, a runtime expression; undefined for a webhook. */
  readonly expression: string | undefined;
  /** @throws {InvalidReply} for a body that violates the contract */
  write(body: unknown, type: string | undefined): WrittenMessage;
}

/** The webhooks of a contract by name, and its callbacks by `operationId name`. */
export function outgoingOperations(definition: Definition): Map<string, OutgoingMessages> {
  const replies = new Replies(definition, new Validators(definition, 'response'));
  const found = new Map<string, OutgoingMessages>();
  const add = (name: string, item: LocatedNode, expression?: string) => {
    for (const [method, ...keys] of operationKeys(item.node)) {
      const operation = definition.descendant(item, keys);
      if (operation === undefined || found.has(name)) continue;
      found.set(name, outgoing(name, { operation, method, expression }, definition, replies));
    }
  };
  const root = { pointer: '', node: definition.document };
  for (const [name, item] of definition.children(root, 'webhooks')) add(name, item);
  for (const { operationId, location } of definition.operations) {
    for (const [name, callback] of definition.children(location, 'callbacks')) {
      for (const expression of Object.keys(callback.node)) {
        const item = expression.startsWith('x-')
          ? undefined
          : definition.child(callback, expression);
        if (item !== undefined) add(`${operationId} ${name}`, item, expression);
      }
    }
  }
  return found;
}

interface Declared {
  readonly operation: LocatedNode;
  readonly method: string;
  readonly expression: string | undefined;
}

function outgoing(
  name: string,
  { operation, method, expression }: Declared,
  definition: Definition,
  replies: Replies,
): OutgoingMessages {
  const requestBody = definition.child(operation, 'requestBody');
  const isRequired = requestBody?.node.required === true;
  // A request body has the form of a response, and the service sends it.
  const written =
    requestBody &&
    new OperationReplies(
      {
        operationId: name,
        responses: new Responses([['200', new DeclaredResponse(definition, requestBody)]]),
      } as unknown as Operation,
      replies,
    );
  return {
    method: method.toUpperCase(),
    expression,
    write(body, type) {
      if (body === undefined && !isRequired) {
        return { method: method.toUpperCase(), type: undefined, body: '' };
      }
      if (written === undefined) throw new TypeError(`${name}: the contract declares no body`);
      const reply = { status: 200, body, ...(type !== undefined && { type }) };
      const { headers, body: text } = written.serialize(reply);
      if (typeof text !== 'string')
        throw new TypeError(`${name}: expected a text body, such as JSON`);
      return { method: method.toUpperCase(), type: headers['Content-Type'], body: text };
    },
  };
}
