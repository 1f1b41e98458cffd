// Commits the writes of a group commit: one batch per kind of writes, on one connection.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Committed, Decision } from '../groupCommit.ts';
import { StoreUnavailable } from '../store.ts';
import { charsOf, type Row, rowKeyOf } from '../table.ts';
import type { PendingWrite } from '../writeQueue.ts';
import type { WriteDefinition } from '../writes.ts';
import { Batch } from './batch.ts';
import type { StoreConnections } from './connections.ts';
import type { DatabaseNames } from './databaseNames.ts';
import type { Session } from './session.ts';
import { isRefused, isTransient, PoolExhausted } from './sqlState.ts';
import { WriteStatements } from './writeStatements.ts';

/** Extends the deadline by about 100 ms per MiB. */
const CHARS_PER_MS = 10_000;
export const RETRY_MS = 50;
const MIN_ATTEMPT_MS = 50;

/** The statements of a kind of writes, which need the schema that the first connection finds. */
export type PostgresWriter = (names: DatabaseNames) => WriteStatements;

export function postgresWriter(definition: WriteDefinition): PostgresWriter {
  let statements: WriteStatements | undefined;
  return (names) => {
    statements ??= new WriteStatements(definition, names);
    return statements;
  };
}

type Writes = readonly PendingWrite<PostgresWriter>[];

interface BatchAt {
  readonly statements: WriteStatements;
  readonly batch: Batch;
  /** Of its writes in the commit. */
  readonly positions: readonly number[];
}

/**
 * Returns outcomes only after PostgreSQL has reported them. After the deadline the server counts as
 * unavailable.
 *
 * @param patienceMs maximum wait for an unavailable database
 */
export async function commitWrites(
  connections: StoreConnections,
  writes: Writes,
  patienceMs: number,
): Promise<Committed<unknown>> {
  const chars = writes.reduce((sum, { write }) => sum + charsOf(write), 0);
  const deadline = performance.now() + patienceMs + chars / CHARS_PER_MS;
  const { unavailable: reason } = connections;
  // Without a first connection, there are no statements.
  if (reason)
    return { decisions: writes.map(() => postgresUnavailable(reason)), hasChanges: false };
  const batches = batchesOf(connections, writes);
  const committed = (undecided: Error): Committed<unknown> => {
    const decisions: Decision<unknown>[] = [];
    for (const { batch, statements, positions } of batches) {
      const wait = (write: Row) => writeAlone(connections, statements, { write, deadline });
      for (const [at, position] of positions.entries()) {
        decisions[position] = batch.decision(at, undecided, wait);
      }
    }
    return { decisions, hasChanges: batches.some(({ batch }) => batch.hasChanges) };
  };
  for (;;) {
    const { unavailable: why, commits } = connections;
    if (why) return committed(postgresUnavailable(why));
    try {
      await commits.use(deadline - performance.now(), async (session) => {
        for (const { batch } of batches) await batch.settle(session);
      });
      return committed(new Error('The batch is undecided'));
    } catch (error) {
      if (!isTransient(error) && !isRefused(error)) return committed(error as Error);
      const isLast = performance.now() + RETRY_MS + MIN_ATTEMPT_MS > deadline;
      if (isLast || isRefused(error)) connections.markUnavailable(error as Error);
      else await sleep(RETRY_MS);
    }
  }
}

function batchesOf(connections: StoreConnections, writes: Writes): BatchAt[] {
  const { names } = connections;
  const positions = Map.groupBy(writes.keys(), (at) => writes[at]!.writer(names));
  return Array.from(positions, ([statements, own]) => {
    const rows = own.map((at) => writes[at]!.write);
    return { statements, positions: own, batch: newBatch(connections, statements, rows) };
  });
}

function newBatch(
  connections: StoreConnections,
  statements: WriteStatements,
  writes: readonly Row[],
) {
  return new Batch(statements, writes, (session) => connections.makeDurable(session));
}

/** Retries a write whose key is locked by another transaction. Releases the connection after each attempt. */
async function writeAlone(
  connections: StoreConnections,
  statements: WriteStatements,
  { write, deadline }: { readonly write: Row; readonly deadline: number },
): Promise<unknown> {
  const isLocked = Symbol();
  try {
    for (;;) {
      const batch = newBatch(connections, statements, [write]);
      const settle = (session: Session) => batch.settle(session);
      await connections.others.use(deadline - performance.now(), settle);
      const undecided = new Error('The write is undecided');
      const decision = await batch.decision(0, undecided, async () => isLocked);
      if (decision instanceof Error) throw decision;
      if (decision !== isLocked) return decision;
    }
  } catch (error) {
    if (!isTransient(error) && !isRefused(error)) throw error;
    const { table } = statements.definition;
    const key = `${table.key} ${rowKeyOf(table, write)}`;
    throw new StoreUnavailable(`Another transaction holds the ${key}`, { cause: error });
  }
}

export function postgresUnavailable(cause: Error): StoreUnavailable {
  if (cause instanceof PoolExhausted) return withoutStack(cause);
  return new StoreUnavailable(`PostgreSQL is unavailable: ${cause.message}`, { cause });
}

/** Each waiting request gets one, and the log has a line for each: the stacks would be the same. */
function withoutStack({ message }: Error): StoreUnavailable {
  const unavailable = new StoreUnavailable(`PostgreSQL: ${message}`);
  unavailable.stack = `${unavailable.name}: ${unavailable.message}`;
  return unavailable;
}
