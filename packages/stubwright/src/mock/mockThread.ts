// The thread that makes the replies of mocks whose search for a valid value takes long.
import { parentPort, workerData } from 'node:worker_threads';
import type { ContractError } from '../document/contractError.ts';
import { Definition, type Node } from '../document/definition.ts';
import { addPart, type Part } from '../document/parts.ts';
import { type ErrorNumber, Problem } from '../errors/problem.ts';
import type { HandlerReply } from '../response/reply.ts';
import { Validators } from '../schema/validator.ts';
import { BestEffort } from './mocked.ts';
import { MockReplies, type MockRequest } from './mockReplies.ts';
import { Samples } from './sample.ts';

/** After the parts of the document and undefined. */
export interface Order {
  readonly id: number;
  /** Of the operation. */
  readonly method: string;
  readonly path: string;
  readonly request: MockRequest;
}

export interface Made {
  readonly id: number;
  readonly reply?: HandlerReply;
  /** What the reply breaks, where it is a best effort. */
  readonly violation?: string;
  /** Why there is no reply: the number of a Problem, or undefined for an error of the contract. */
  readonly error?: { readonly number: ErrorNumber | undefined; readonly message: string };
}

const document: Node = {};
let mocks: MockReplies;
let definition: Definition;

parentPort!.on('message', (message: Part | Order | undefined) => {
  if (message === undefined) {
    definition = new Definition(document, workerData as ContractError[]);
    const validators = new Validators(definition, 'response');
    mocks = new MockReplies(definition, validators, new Samples(validators));
  } else if ('keys' in message) addPart(document, message);
  else parentPort!.postMessage(made(message));
});

function made({ id, method, path, request }: Order): Made {
  try {
    const operation = definition.operations.find(
      (each) => each.method === method && each.path === path,
    );
    const reply = mocks.reply(operation!, request);
    if (!(reply instanceof BestEffort)) return { id, reply };
    const { violation, status, type, body } = reply;
    return { id, violation, reply: { status, body, ...(type !== undefined && { type }) } };
  } catch (error) {
    const number = error instanceof Problem ? error.error : undefined;
    return { id, error: { number, message: (error as Error).message } };
  }
}
