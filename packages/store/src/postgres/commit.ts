// Commits the writes of a group commit: one batch per kind of writes, on one connection.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Committed, Decision, PendingWrite } from '../groupCommit.ts';
import { StoreUnavailable } from '../store.ts';
import {
  isChange,
  MAX_ATTEMPTS,
  type Row,
  type RowKey,
  rowKeyOf,
  type WriteDefinition,
} from '../table.ts';
import type { StoreConnections } from './connections.ts';
import { type DatabaseNames, postgresViolation } from './postgresRows.ts';
import {
  isLocked,
  isRefused,
  isRolledBack,
  isRowError,
  isTransient,
  PoolExhausted,
  type Session,
  Unfit,
} from './session.ts';
import { type Changed, WriteStatements } from './writeStatements.ts';

/** Longer than the commit of a concurrent write on a healthy disk. */
const LOCK_TIMEOUT_MS = 100;
/** While the batch is divided to find keys that are locked by another transaction. */
const DIVIDED_LOCK_TIMEOUT_MS = 5;
/** With more locked keys, the rest of a batch is not divided further. */
const MAX_LOCKED = 8;

const SUPPRESSED = 'expected the table to store the row, but a trigger or a rule suppresses it';

/** The writes of one kind. Each has a position in the batch. */
class Batch {
  readonly #statements: WriteStatements;
  readonly #writes: readonly Row[];
  readonly #connections: StoreConnections;
  readonly #decisions: (Decision | undefined)[];
  /** Rows that an insert found or stored, by key: further inserts of the key find them. */
  readonly #stored = new Map<RowKey, Row>();
  /** Keys that another transaction may have locked. */
  readonly #locked = new Set<RowKey>();
  /** Attempts without an outcome, by position. */
  readonly #attempts = new Map<number, number>();
  /** True if a write was applied. */
  hasChanges = false;

  constructor(connections: StoreConnections, statements: WriteStatements, writes: readonly Row[]) {
    this.#connections = connections;
    this.#statements = statements;
    this.#writes = writes;
    this.#decisions = Array(writes.length);
  }

  /**
   * Commits the undecided writes. May be repeated after a failure: rows of an INSERT with unknown outcome
   * are then found as stored.
   *
   * @throws {ConnectionLost | DatabaseError} a part of the batch may be decided
   */
  async settle(session: Session): Promise<void> {
    for (let positions = this.#undecided(); positions.length > 0; positions = this.#undecided()) {
      await this.#store(session, positions, LOCK_TIMEOUT_MS);
    }
  }

  /** @returns the decision on a write; `undecided` for one without, and `wait` for a locked key */
  decision(at: number, undecided: Error, wait: (write: Row) => Promise<unknown>): Decision {
    const decided = this.#decisions[at];
    if (decided !== undefined) return decided;
    const write = this.#writes[at]!;
    const { definition } = this.#statements;
    const key = rowKeyOf(definition.table, write);
    const stored = this.#stored.get(key);
    if (stored !== undefined && !isChange(definition)) return definition.decide(write, stored);
    return this.#locked.has(key) ? wait(write) : undecided;
  }

  /** @returns the positions of undecided writes, the first of each key */
  #undecided(): number[] {
    const { table } = this.#statements.definition;
    const open = new Map<RowKey, number>();
    for (const [at, write] of this.#writes.entries()) {
      const key = rowKeyOf(table, write);
      if (this.#decisions[at] !== undefined || this.#stored.has(key)) continue;
      if (this.#locked.has(key) || open.has(key)) continue;
      open.set(key, at);
    }
    return [...open.values()];
  }

  // A statement fails as a whole: divides the batch down to the invalid row.
  async #store(session: Session, positions: readonly number[], lockTimeoutMs: number) {
    try {
      await this.#apply(session, positions, lockTimeoutMs);
    } catch (error) {
      if (!isRowError(error) && !isLocked(error)) {
        this.#rejectUnknown(positions, error);
        throw error;
      }
      if (isLocked(error) && (positions.length === 1 || this.#locked.size >= MAX_LOCKED)) {
        for (const at of positions) this.#locked.add(this.#keyAt(at));
      } else if (positions.length > 1) {
        const middle = positions.length >> 1;
        await this.#store(session, positions.slice(0, middle), DIVIDED_LOCK_TIMEOUT_MS);
        await this.#store(session, positions.slice(middle), DIVIDED_LOCK_TIMEOUT_MS);
      } else {
        await this.#reject(session, positions[0]!, error);
      }
    }
  }

  async #apply(session: Session, positions: readonly number[], lockTimeoutMs: number) {
    const { definition, table } = this.#statements;
    const writes = positions.map((at) => this.#writes[at]!);
    const changed = await this.#statements.apply(session, writes, lockTimeoutMs);
    if (changed.size > 0) this.hasChanges = true;
    for (const at of positions) this.#decideApplied(at, changed);
    const left = positions.filter((at) => this.#decisions[at] === undefined);
    if (left.length === 0) return;
    const found = await table.findDurable(
      session,
      left.map((at) => this.#keyAt(at)),
    );
    const rows = new Map(found.map((row) => [rowKeyOf(definition.table, row), row]));
    for (const at of left) this.#decideFound(at, rows.get(this.#keyAt(at)));
  }

  #decideApplied(at: number, changed: Changed): void {
    const { definition } = this.#statements;
    const write = this.#writes[at]!;
    const key = this.#keyAt(at);
    if (!changed.has(key)) return;
    if (isChange(definition)) {
      this.#decisions[at] = definition.applied(write, changed.get(key)!);
    } else {
      this.#decisions[at] = definition.decide(write, undefined);
      this.#stored.set(key, write);
    }
  }

  /** A row that another transaction deleted meanwhile stays undecided, unless a trigger suppresses it. */
  #decideFound(at: number, row: Row | undefined): void {
    const { definition } = this.#statements;
    const write = this.#writes[at]!;
    if (isChange(definition)) this.#decisions[at] = definition.notApplied(write, row);
    else if (row !== undefined) {
      this.#decisions[at] = definition.decide(write, row);
      this.#stored.set(this.#keyAt(at), row);
    }
    if (this.#decisions[at] !== undefined) return;
    const attempts = (this.#attempts.get(at) ?? 0) + 1;
    this.#attempts.set(at, attempts);
    if (attempts === MAX_ATTEMPTS)
      this.#decisions[at] = this.#cannotStore(at, new Unfit(SUPPRESSED));
  }

  async #reject(session: Session, at: number, error: unknown): Promise<void> {
    const violation = postgresViolation(error);
    const outcome =
      violation && this.#statements.definition.onViolation?.(this.#writes[at]!, violation);
    // The rows that the violation rests on.
    if (outcome !== undefined) await this.#connections.makeDurable(session);
    this.#decisions[at] = outcome ?? this.#cannotStore(at, error);
  }

  /** A second run of a write that may have been applied would have another outcome. */
  #rejectUnknown(positions: readonly number[], cause: unknown): void {
    const { definition } = this.#statements;
    if (!isChange(definition) || definition.isRepeatable || isRolledBack(cause)) return;
    for (const at of positions) {
      const unknown = new StoreUnavailable('The outcome of the commit is unknown', { cause });
      this.#decisions[at] ??= unknown;
    }
  }

  #cannotStore(at: number, cause: unknown): Error {
    const { name } = this.#statements.definition.table;
    return new Error(`PostgreSQL cannot store ${name} ${this.#keyAt(at)}`, { cause });
  }

  #keyAt(at: number): RowKey {
    return rowKeyOf(this.#statements.definition.table, this.#writes[at]!);
  }
}

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
): Promise<Committed> {
  const chars = writes.reduce((sum, write) => sum + write.chars, 0);
  const deadline = performance.now() + patienceMs + chars / CHARS_PER_MS;
  const { unavailable: reason } = connections;
  // Without a first connection, there are no statements.
  if (reason)
    return { decisions: writes.map(() => postgresUnavailable(reason)), hasChanges: false };
  const batches = batchesOf(connections, writes);
  const committed = (undecided: Error): Committed => {
    const decisions: Decision[] = [];
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
  const byWriter = Map.groupBy(writes.keys(), (at) => writes[at]!.writer(names));
  return Array.from(byWriter, ([statements, positions]) => {
    const rows = positions.map((at) => writes[at]!.write);
    return { statements, positions, batch: new Batch(connections, statements, rows) };
  });
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
      const batch = new Batch(connections, statements, [write]);
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
