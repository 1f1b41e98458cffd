// The queue of all durable writes of a store, and a span around each.
import { type Commit, GroupCommit } from './groupCommit.ts';
import type { Readiness } from './readiness.ts';
import type { DurableWrite, SpanOf, StoreEmitter } from './store.ts';
import { charsOf, type Row, unstorableText } from './table.ts';
import type { WriteDefinition } from './writes.ts';

/** A write, and the statements of its kind. */
export interface PendingWrite<Writer> {
  readonly writer: Writer;
  readonly write: Row;
}

interface WriteQueueOptions<Writer> {
  readonly prepare: (definition: WriteDefinition) => Writer;
  readonly readiness: Readiness;
  readonly maxInFlight?: number;
  readonly events: StoreEmitter | undefined;
  readonly inSpan: SpanOf | undefined;
}

export class WriteQueue<Writer> extends GroupCommit<PendingWrite<Writer>, unknown> {
  readonly #prepare: WriteQueueOptions<Writer>['prepare'];
  readonly #inSpan: SpanOf | undefined;

  constructor(
    commit: Commit<PendingWrite<Writer>, unknown>,
    { prepare, inSpan, ...options }: WriteQueueOptions<Writer>,
  ) {
    super(commit, { charsOf: ({ write }) => charsOf(write), ...options });
    this.#prepare = prepare;
    this.#inSpan = inSpan;
  }

  /** The span `commit` lasts from the call of the handler to the end of the shared commit. */
  add<Write extends Row, Outcome>(definition: WriteDefinition): DurableWrite<Write, Outcome> {
    const { table } = definition;
    const writer = this.#prepare(definition);
    const commit = (write: Row): Promise<Outcome> => {
      const unstorable = unstorableText(table, write);
      if (unstorable !== undefined) return Promise.reject(unstorable);
      return this.write({ writer, write }) as Promise<Outcome>;
    };
    const inSpan = this.#inSpan;
    if (inSpan === undefined) return commit;
    return (write) =>
      inSpan('commit', async (setAttribute) => {
        const outcome = await commit(write);
        setAttribute(`${table.name}.outcome`, String(outcome));
        return outcome;
      });
  }
}
