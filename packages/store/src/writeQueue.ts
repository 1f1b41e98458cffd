// The queue of all durable writes of a store, and a span around each.
import { type Commit, GroupCommit } from './groupCommit.ts';
import type { Readiness } from './readiness.ts';
import type { SpanOf, StoreEmitter } from './store.ts';
import { charsOf, type Row } from './table.ts';
import type { WriteDefinition } from './writes.ts';

/** A write, and the statements of its kind. */
export interface PendingWrite<Writer> {
  readonly writer: Writer;
  readonly write: Row;
}

export interface WriteQueueOptions<Writer> {
  /** Prepares the statements of a definition. */
  readonly prepare: (definition: WriteDefinition) => Writer;
  readonly readiness: Readiness;
  readonly maxInFlight?: number;
  readonly events: StoreEmitter | undefined;
  readonly inSpan: SpanOf | undefined;
}

export class WriteQueue<Writer> {
  readonly #writes: GroupCommit<PendingWrite<Writer>, unknown>;
  readonly #prepare: WriteQueueOptions<Writer>['prepare'];
  readonly #inSpan: SpanOf | undefined;

  constructor(
    commit: Commit<PendingWrite<Writer>, unknown>,
    { prepare, inSpan, ...options }: WriteQueueOptions<Writer>,
  ) {
    this.#prepare = prepare;
    this.#inSpan = inSpan;
    this.#writes = new GroupCommit(commit, { charsOf: ({ write }) => charsOf(write), ...options });
  }

  /** The span `commit` lasts from the call of the handler to the end of the shared commit. */
  add(definition: WriteDefinition): (write: Row) => Promise<unknown> {
    const writer = this.#prepare(definition);
    const inSpan = this.#inSpan;
    if (inSpan === undefined) return (write) => this.#writes.write({ writer, write });
    const attribute = `${definition.table.name}.outcome`;
    return (write) =>
      inSpan('commit', async (setAttribute) => {
        const outcome = await this.#writes.write({ writer, write });
        setAttribute(attribute, String(outcome));
        return outcome;
      });
  }

  get waiting(): number {
    return this.#writes.waiting;
  }

  close(): Promise<void> {
    return this.#writes.close();
  }
}
