// Creates mocked replies in a worker thread, to keep the event loop free.

import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Definition, numbered, type Operation, sendDocument } from '@stubwright/contract';
import { type HandlerReply, InvalidReply } from '../response/reply.ts';
import { InvalidMock } from './mocked.ts';
import type { MockRequest } from './mockReplies.ts';
import type { MockOrder, MockThreadResult } from './mockThread.ts';

/** The thread ends after this idle time, and releases its copy of the contract. */
const IDLE_MS = 30_000;

export class SlowMocks {
  readonly #definition: Definition;
  readonly #pending = new Map<number, (made: MockThreadResult) => void>();
  #thread: Promise<Worker> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #orders = 0;

  constructor(definition: Definition) {
    this.#definition = definition;
  }

  /** @throws the errors of MockReplies.reply, and {InvalidReply} if the thread fails */
  async reply(
    { method, path }: Operation,
    request: MockRequest,
  ): Promise<HandlerReply | InvalidMock> {
    clearTimeout(this.#idle);
    this.#thread ??= this.#start();
    const thread = await this.#thread;
    // A process that waits for the reply, and for nothing else, does not end.
    thread.ref();
    const order: MockOrder = { id: ++this.#orders, method, path, request };
    const { reply, violation, error } = await new Promise<MockThreadResult>((resolve) => {
      this.#pending.set(order.id, resolve);
      thread.postMessage(order);
    });
    if (this.#pending.size === 0) this.#endWhenIdle(thread);
    if (reply === undefined) throw errorOf(error!);
    const { status, type, body } = reply;
    return violation === undefined
      ? reply
      : new InvalidMock(status, type, body as string, violation);
  }

  async #start(): Promise<Worker> {
    const script = new URL(`./mockThread${extname(import.meta.url)}`, import.meta.url);
    const thread = new Worker(script, { workerData: this.#definition.errors });
    thread.on('message', (made: MockThreadResult) => this.#settle(made));
    thread.on('error', ({ message }) => this.#fail(message));
    thread.on('exit', () => this.#fail('the thread has ended'));
    await sendDocument(thread, this.#definition.document);
    return thread;
  }

  #settle(made: MockThreadResult): void {
    this.#pending.get(made.id)?.(made);
    this.#pending.delete(made.id);
  }

  #fail(message: string): void {
    this.#thread = undefined;
    for (const id of this.#pending.keys()) {
      this.#settle({ id, error: { number: undefined, message } });
    }
  }

  #endWhenIdle(thread: Worker): void {
    thread.unref();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.#thread = undefined;
      thread.removeAllListeners();
      void thread.terminate();
    }, IDLE_MS).unref();
  }
}

function errorOf({ number, message }: NonNullable<MockThreadResult['error']>): Error {
  return number === undefined ? new InvalidReply(message) : numbered(number, message);
}
