// Sends the webhooks and callbacks of a contract from an outbox: at least once, with the same id.

import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BodyOf,
  COUNT,
  type Contract,
  errorFrom,
  expectNumbers,
  type LoadedContract,
  loadContract,
  POSITIVE,
  TIMER_MS,
} from '@stubwright/contract';
import { type Delivery, deliver, failed } from './delivery.ts';
import type { ClaimedMessage, Outbox } from './outbox.ts';
import { type OutgoingMessages, outgoingMessages } from './outgoing.ts';
import { type CallbackSource, evaluated } from './runtimeExpression.ts';

/** All but the first three have defaults. */
export interface WebhookOptions<Transaction> {
  /** The path of the bundle that `stubwright generate` writes, or a loaded contract. */
  readonly contract: string | LoadedContract;
  readonly outbox: Outbox<Transaction>;
  /**
   * The secrets of a receiver, read at each attempt: `whsec_` and base64; while one is replaced, the old and
   * the new one.
   */
  readonly secrets: (message: {
    readonly name: string;
    readonly url: string;
  }) => readonly string[] | Promise<readonly string[]>;
  /**
   * `public` (the default): messages to loopback, private and link-local addresses are given up, since a
   * caller may choose the URL. `any`: for receivers in a network of your own.
   */
  readonly addresses?: 'public' | 'any' | undefined;
  /** The waits between attempts; by default those of Standard Webhooks, over three days. Each is varied by 10 %. */
  readonly retryDelaysMs?: readonly number[] | undefined;
  /** Maximum time of one attempt; by default 15 s. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of attempts at the same time; by default 8. */
  readonly concurrency?: number | undefined;
  /** Time between looks into an empty outbox; by default 1 s. */
  readonly pollMs?: number | undefined;
}

/**
 * Each event has the message with its `attempt`; its body is not meant for logs. `delivered` and `givenUp`
 * are emitted after the outbox has stored the result.
 */
export interface WebhookEvents {
  readonly delivered: [ClaimedMessage, { readonly status: number }];
  /** It is sent again at `dueAt`. */
  readonly failed: [ClaimedMessage, { readonly reason: string; readonly dueAt: number }];
  /** It is not sent again; for the status 410, disable the receiver. */
  readonly givenUp: [
    ClaimedMessage,
    { readonly reason: string; readonly status: number | undefined },
  ];
  /** The outbox cannot be read or written; the sender continues. */
  readonly outboxFailed: [Error];
}

/** Where and how a message is sent. */
export interface SendOptions<Transaction> {
  /** Unique; by default a random one. A known id is sent once. */
  readonly id?: string | undefined;
  /** The message is sent if the transaction commits. */
  readonly transaction?: Transaction | undefined;
}

type WebhookBody<Item> = {
  [Method in keyof Item]: Item[Method] extends { responses: unknown }
    ? BodyOf<Item[Method], 'request'>
    : never;
}[keyof Item];

/** @typeParam Hooks the generated `webhooks` */
export interface Webhooks<Hooks, Transaction> {
  readonly events: EventEmitter<WebhookEvents>;
  /**
   * Stores a message in the outbox.
   *
   * @returns its id
   * @throws {InvalidReply} for a body that violates the contract
   * @throws {TypeError} for an unknown webhook, or a URL that is not http
   */
  send<Name extends keyof Hooks & string>(
    name: Name,
    url: string,
    body: WebhookBody<Hooks[Name]>,
    options?: SendOptions<Transaction>,
  ): Promise<string>;
  /**
   * The same, for a callback of an operation: its URL is a runtime expression.
   *
   * @param name `operationId callback`
   * @throws {TypeError} for an expression without a value in `source`
   * @throws {RangeError | TypeError} for a `status` of `source` that is no integer from 100 to 599
   */
  sendCallback(
    name: string,
    source: CallbackSource,
    body: unknown,
    options?: SendOptions<Transaction>,
  ): Promise<string>;
  /** Delivers until `stop`; has no effect before a `stop` has ended. */
  start(): void;
  /**
   * Waits for attempts in progress, at most `timeoutMs`, and then 1 s for the outbox. Messages that are left
   * stay in the outbox.
   */
  stop(): Promise<void>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** https://github.com/standard-webhooks/standard-webhooks, "Deliverability and reliability". */
const RETRY_DELAYS_MS = [
  ...[5_000, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
];
const LONGEST_WAIT_MS = 24 * HOUR;
const TIMEOUT_MS = 15_000;
/** An outbox that is away is asked again after this time. */
const OUTBOX_RETRY_MS = 1_000;

/**
 * Creates a sender. Several instances may share an outbox.
 *
 * @throws {ContractErrors} for an invalid contract
 * @throws {RangeError | TypeError} for a numeric option that is out of its range
 */
export async function createWebhooks<Hooks = Record<string, never>, Transaction = undefined>(
  options: WebhookOptions<Transaction>,
): Promise<Webhooks<Hooks, Transaction>> {
  expectNumbers(options, { timeoutMs: TIMER_MS, concurrency: POSITIVE, pollMs: TIMER_MS });
  const { retryDelaysMs = [] } = options;
  if (!Array.isArray(retryDelaysMs)) throw new TypeError('retryDelaysMs: expected an array');
  expectNumbers(
    retryDelaysMs,
    retryDelaysMs.map(() => COUNT),
    'retryDelaysMs ',
  );
  const { contract } = options;
  const { definition } =
    typeof contract === 'string' ? await loadContract(contract, { isMocked: false }) : contract;
  return new Sender<Transaction>(options, definition) as unknown as Webhooks<Hooks, Transaction>;
}

class Sender<Transaction> {
  readonly events = new EventEmitter<WebhookEvents>();
  readonly #options: WebhookOptions<Transaction>;
  readonly #operations: ReadonlyMap<string, OutgoingMessages>;
  readonly #delays: readonly number[];
  readonly #timeoutMs: number;
  #inFlight = new Set<Promise<void>>();
  #stopping = new AbortController();
  #aborting = new AbortController();
  #loop: Promise<void> | undefined;
  #wake: () => void = () => {};

  constructor(options: WebhookOptions<Transaction>, definition: Contract) {
    this.#options = options;
    this.#operations = outgoingMessages(definition);
    this.#delays = options.retryDelaysMs ?? RETRY_DELAYS_MS;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  }

  send(name: string, url: string, body: unknown, options?: SendOptions<Transaction>) {
    return this.#put(name, () => url, body, options);
  }

  sendCallback(
    name: string,
    source: CallbackSource,
    body: unknown,
    options?: SendOptions<Transaction>,
  ) {
    return this.#put(name, ({ expression = '' }) => evaluated(expression, source), body, options);
  }

  async #put(
    name: string,
    urlOf: (operation: OutgoingMessages) => string,
    body: unknown,
    {
      id = `msg_${randomBytes(18).toString('base64url')}`,
      transaction,
    }: SendOptions<Transaction> = {},
  ): Promise<string> {
    const operation = this.#operations.get(name);
    if (operation === undefined) {
      const names = [...this.#operations.keys()].join(', ') || 'none';
      throw new TypeError(`got ${name}, expected a webhook or callback of the contract (${names})`);
    }
    const url = urlOf(operation);
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
      throw new TypeError(`url: got ${url}, expected an http or https URL`);
    }
    const { method, type, body: text } = operation.write(body);
    const message = { id, name, url, method, type, body: text, dueAt: Date.now() };
    await this.#options.outbox.put(message, transaction);
    this.#wake();
    return id;
  }

  start(): void {
    if (this.#loop !== undefined) return;
    this.#stopping = new AbortController();
    this.#aborting = new AbortController();
    this.#inFlight = new Set();
    this.#loop = this.#run(this.#stopping.signal, this.#aborting.signal);
  }

  async stop(): Promise<void> {
    const loop = this.#loop;
    if (loop === undefined) return;
    this.#stopping.abort();
    this.#wake();
    const timer = setTimeout(() => this.#aborting.abort(new Error('stopped')), this.#timeoutMs);
    const waiting = new AbortController();
    await Promise.race([
      loop.then(() => Promise.all(this.#inFlight)),
      // An outbox that does not settle must not keep the process.
      pause(this.#timeoutMs + OUTBOX_RETRY_MS, waiting.signal),
    ]);
    clearTimeout(timer);
    waiting.abort();
    if (this.#loop === loop) this.#loop = undefined;
  }

  async #run(signal: AbortSignal, aborting: AbortSignal): Promise<void> {
    const { outbox, concurrency = 8, pollMs = 1_000 } = this.#options;
    // Longer than an attempt and the writing of its result.
    const leaseMs = 2 * this.#timeoutMs + MINUTE;
    while (!signal.aborted) {
      const { promise: woken, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const limit = concurrency - this.#inFlight.size;
      let claimed: readonly ClaimedMessage[] = [];
      try {
        if (limit > 0) claimed = await outbox.claim({ limit, leaseMs, now: Date.now() });
      } catch (error) {
        this.#emit('outboxFailed', errorFrom(error));
      }
      if (aborting.aborted) return;
      for (const message of claimed) this.#track(this.#attempt(message, aborting));
      const isFull = this.#inFlight.size >= concurrency;
      if (claimed.length === limit && !isFull) continue;
      const waits = [woken, ...(isFull ? [Promise.race(this.#inFlight)] : [])];
      const timer = new AbortController();
      await Promise.race([...waits, pause(pollMs, timer.signal)]);
      timer.abort();
    }
  }

  #track(work: Promise<void>): void {
    const inFlight = this.#inFlight;
    inFlight.add(work);
    void work.finally(() => inFlight.delete(work));
  }

  async #attempt(message: ClaimedMessage, aborting: AbortSignal): Promise<void> {
    const { secrets, addresses = 'public' } = this.#options;
    const limit = new AbortController();
    const { signal } = limit;
    const abort = () => limit.abort(aborting.reason);
    aborting.addEventListener('abort', abort);
    const late = new Error(`no response in ${this.#timeoutMs} ms`);
    const timer = setTimeout(() => limit.abort(late), this.#timeoutMs);
    let delivery: Delivery;
    try {
      const signingSecrets = await settled(secrets(message), signal, 'the secrets');
      delivery = await deliver(message, { secrets: signingSecrets, addresses, signal });
    } catch (error) {
      delivery = failed(errorFrom(error).message);
    } finally {
      clearTimeout(timer);
      aborting.removeEventListener('abort', abort);
    }
    // Without a response, the lease ends, and the message is sent again.
    if (aborting.aborted && delivery.status === undefined) return;
    await this.#conclude(message, delivery);
  }

  async #conclude(message: ClaimedMessage, delivery: Delivery): Promise<void> {
    const { outbox } = this.#options;
    if (delivery.outcome === 'delivered') {
      const isWritten = await this.#write(() => outbox.delivered(message));
      if (isWritten) this.#emit('delivered', message, { status: delivery.status });
      return;
    }
    const { reason, status, retryAfterMs = 0, isFinal } = delivery;
    const delay = this.#delays[message.attempt - 1];
    if (isFinal || delay === undefined) {
      const isWritten = await this.#write(() => outbox.giveUp(message, reason));
      if (isWritten) this.#emit('givenUp', message, { reason, status });
      return;
    }
    const varied = delay * (0.9 + 0.2 * Math.random());
    const wait = Math.min(Math.max(varied, retryAfterMs), LONGEST_WAIT_MS);
    const dueAt = Math.round(Date.now() + wait);
    const isWritten = await this.#write(() => outbox.reschedule(message, dueAt));
    this.#emit('failed', message, { reason, dueAt: isWritten ? dueAt : message.dueAt });
  }

  /** A listener that throws must not end the sender, or its process. */
  #emit<Name extends keyof WebhookEvents>(name: Name, ...payload: WebhookEvents[Name]): void {
    try {
      (this.events as EventEmitter).emit(name, ...payload);
    } catch (error) {
      const { stack, message } = errorFrom(error);
      process.emitWarning(`a listener of ${name} threw: ${stack ?? message}`);
    }
  }

  /** @returns false for a result that could not be written: the message is sent again after its lease */
  async #write(write: () => Promise<void>): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        await write();
        return true;
      } catch (error) {
        this.#emit('outboxFailed', errorFrom(error));
        if (attempt === 3 || this.#stopping.signal.aborted) return false;
        await sleep(OUTBOX_RETRY_MS);
      }
    }
  }
}

/** Ends early when the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

/** @throws if the promise does not settle before the signal aborts */
async function settled<T>(value: T | Promise<T>, signal: AbortSignal, name: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const onAbort = () => late.reject(new Error(`${name} did not arrive in time`));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([value, late.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
