// The durable queue of messages that have to be delivered.

/** A message as it is sent, with its URL. */
export interface OutboxMessage {
  /** Unique; a receiver recognizes a repeated message by it. */
  readonly id: string;
  /** The webhook, or `operationId callback`. */
  readonly name: string;
  readonly url: string;
  readonly method: string;
  /** The media type of the body; undefined without a body. */
  readonly type: string | undefined;
  readonly body: string;
  /** When it is sent first, in milliseconds since 1970. */
  readonly dueAt: number;
}

/** A message that this process has to deliver before its lease ends. */
export interface ClaimedMessage extends OutboxMessage {
  /** 1 for the first attempt. It identifies the lease. */
  readonly attempt: number;
}

/**
 * A queue in a database. All times are milliseconds since 1970.
 *
 * `delivered`, `reschedule` and `giveUp` change nothing if the message was claimed again meanwhile.
 */
export interface Outbox<Transaction = undefined> {
  /** Stores a message; in a transaction, if it commits. A known id is stored once. */
  put(message: OutboxMessage, transaction?: Transaction): Promise<void>;
  /** Takes messages that are due, those due first before others. They are due again at `now + leaseMs`. */
  claim(limits: {
    readonly limit: number;
    readonly leaseMs: number;
    readonly now: number;
  }): Promise<readonly ClaimedMessage[]>;
  /** Removes a message. */
  delivered(message: ClaimedMessage): Promise<void>;
  /** Sends a message again. */
  reschedule(message: ClaimedMessage, dueAt: number): Promise<void>;
  /** Keeps a message that is not sent again, with the reason. */
  giveUp(message: ClaimedMessage, reason: string): Promise<void>;
}

/** The columns of a row; a driver may return an integer as text. */
export interface OutboxRow extends Omit<OutboxMessage, 'type' | 'dueAt'> {
  readonly type: string | null;
  readonly due_at: number | bigint | string;
  readonly attempts: number | bigint | string;
}

export function claimedFrom({ attempts, due_at, type, ...rest }: OutboxRow): ClaimedMessage {
  const { id, name, url, method, body } = rest;
  return {
    ...{ id, name, url, method, body },
    ...{ type: type ?? undefined, dueAt: Number(due_at), attempt: Number(attempts) },
  };
}

export const TABLE = 'stubwright_outbox';
