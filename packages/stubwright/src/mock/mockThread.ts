// Worker thread for mocked replies that need a long search.

import { parentPort, workerData } from 'node:worker_threads';
import {
  addPart,
  type ContractError,
  Definition,
  type DocumentEnd,
  type Node,
  type Part,
  Problem,
} from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import type { HandlerReply } from '../response/reply.ts';
import { InvalidMock } from './mocked.ts';
import { MockReplies, type MockRequest } from './mockReplies.ts';
import { Samples } from './sample.ts';

/** Sent after the document. */
export interface MockOrder {
  readonly id: number;
  readonly method: string;
  readonly path: string;
  readonly request: MockRequest;
}

export interface MockThreadResult {
  readonly id: number;
  readonly reply?: HandlerReply;
  /** The violation of an InvalidMock. */
  readonly violation?: string;
  /** The error instead of a reply; `number` is undefined for an InvalidReply. */
  readonly error?: { readonly number: number | undefined; readonly message: string };
}

const document: Node = {};
let mocks: MockReplies;
let definition: Definition;

parentPort!.on('message', (message: Part | DocumentEnd | MockOrder) => {
  if ('isEnd' in message) {
    definition = new Definition(document, workerData as ContractError[]);
    const validators = new Validators(definition, 'response');
    mocks = new MockReplies(definition, validators, new Samples(validators));
  } else if ('keys' in message) addPart(document, message);
  else parentPort!.postMessage(resultOf(message));
});

function resultOf({ id, method, path, request }: MockOrder): MockThreadResult {
  try {
    const operation = definition.operations.find(
      (each) => each.method === method && each.path === path,
    );
    const reply = mocks.reply(operation!, request);
    if (!(reply instanceof InvalidMock)) return { id, reply };
    const { violation, status, type, body } = reply;
    return { id, violation, reply: { status, body, ...(type !== undefined && { type }) } };
  } catch (error) {
    const number = error instanceof Problem ? error.number : undefined;
    return { id, error: { number, message: (error as Error).message } };
  }
}
