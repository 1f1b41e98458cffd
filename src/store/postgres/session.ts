// One connection to PostgreSQL: runs statements, and cancels them when they take too long.
import { Socket } from 'node:net';
import { Client, DatabaseError, type QueryArrayConfig } from 'pg';
import { type Backend, cancelStatement } from './cancelRequest.ts';
import { ConnectionLost } from './sqlState.ts';

/** Ends a statement whose cancel request could not be delivered. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** How long the server may take to close a connection in order. */
const END_TIMEOUT_MS = 1_000;

// A role or a database may have other defaults; the promises must not depend on them. A pooler gives
// its client another process id than the server's. Settings of a pooled connection would be seen by
// other clients, so only a direct one gets them. node-postgres sends client_encoding itself.
const SET_UP = `
  SELECT pg_backend_pid() <> $1,
         current_setting('server_encoding'),
         current_setting('transaction_read_only'),
         current_setting('default_transaction_isolation'),
         CASE WHEN pg_backend_pid() = $1 THEN
           set_config('default_transaction_isolation', 'read committed', false)
             || set_config('statement_timeout', '${STATEMENT_TIMEOUT_MS}', false)
         END`;

/** The server is one that the store cannot use. `message` says what was expected. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
}

/** node-postgres keeps the server's BackendKeyData, which its types leave out. */
type PgClient = Client & Backend;

type SetUpRow = [isPooled: boolean, encoding: string, readOnly: string, isolation: string];

export class Session {
  readonly #client: Client;
  readonly #socket: Socket;
  #isOpen = true;
  #isPooled = false;
  #isRunning = false;
  #warning: string | undefined;
  #abandoned: Promise<void> | undefined;

  private constructor(client: Client, socket: Socket) {
    this.#client = client;
    this.#socket = socket;
    const close = () => {
      this.#isOpen = false;
    };
    // A statement under way rejects by itself; without a listener Node would end the process.
    client.on('error', close).on('end', close);
    client.on('notice', ({ code, message }) => {
      if (isWarning(code)) this.#warning = message ?? 'a warning';
    });
  }

  /**
   * Connects.
   *
   * @param url of one host
   * @param signal cuts the connection, then or later
   * @throws {ConnectionLost} when nobody answers in time, or only a read-only standby
   * @throws {Unfit} for a database that is not in UTF-8
   * @throws {DatabaseError} and TLS errors, when the server refuses
   */
  static async open(url: string, timeoutMs: number, signal: AbortSignal): Promise<Session> {
    const socket = new Socket();
    const client = new Client({
      connectionString: url,
      fallback_application_name: 'plant-store',
      keepAlive: true,
      stream: () => socket,
    });
    const session = new Session(client, socket);
    const cut = () => session.#close();
    signal.addEventListener('abort', cut);
    socket.on('close', () => signal.removeEventListener('abort', cut));
    try {
      signal.throwIfAborted();
      await session.within(timeoutMs, async () => {
        await client.connect();
        await session.#setUp();
      });
      return session;
    } catch (error) {
      session.#close();
      throw isOfTheNetwork(error) ? lost(error) : error;
    }
  }

  /** False once the connection is known to be dead, or was abandoned. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Runs one statement.
   *
   * @returns its rows, the columns in their order, an int8 as a string
   * @throws {DatabaseError} when the server refuses it
   * @throws {ConnectionLost} when its outcome is unknown
   */
  async query<Row extends unknown[]>(query: Omit<QueryArrayConfig, 'rowMode'>): Promise<Row[]> {
    // A transaction pooler runs the next statement on another connection, without the prepared one.
    const name = this.#isPooled ? undefined : query.name;
    const { rows } = await this.#run(() =>
      this.#client.query<Row>({ ...query, name, rowMode: 'array' }),
    );
    return rows;
  }

  /** Runs statements without parameters, one after another; throws as {@link query} does. */
  async run(sql: string): Promise<void> {
    await this.#run(() => this.#client.query(sql));
  }

  /**
   * Acts, for a time at most. Beyond it the connection is {@link abandon}ed.
   *
   * @throws {ConnectionLost} when the time is over
   */
  async within<Result>(timeoutMs: number, act: () => Promise<Result>): Promise<Result> {
    const { promise: timedOut, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new ConnectionLost(`no answer within ${Math.round(timeoutMs)} ms`));
      void this.abandon();
    }, timeoutMs);
    try {
      return await Promise.race([act(), timedOut]);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Closes the connection, after a cancel request for the statement under way: a server does not
   * notice a closed socket while a statement waits for a lock or for a standby. A commit that is
   * cancelled while it waits for a standby stays committed on the primary.
   */
  abandon(): Promise<void> {
    this.#abandoned ??= this.#cancel().finally(() => this.#close());
    return this.#abandoned;
  }

  /** Closes the connection in order, and cuts it when the server takes too long. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.#close(), END_TIMEOUT_MS);
    await this.#client.end().catch(() => {});
    clearTimeout(timer);
  }

  #close(): void {
    this.#isOpen = false;
    this.#socket.destroy();
  }

  async #setUp(): Promise<void> {
    const { processID } = this.#client as PgClient;
    const [row = []] = await this.query<SetUpRow>({ text: SET_UP, values: [processID] });
    const [isPooled, encoding, readOnly, isolation] = row;
    if (encoding !== 'UTF8') {
      throw new Unfit(`expected a database in UTF8, but it is in ${encoding}`);
    }
    if (readOnly === 'on') throw new ConnectionLost('the server is read-only');
    if (isPooled && isolation !== 'read committed') {
      throw new Unfit(
        `expected default_transaction_isolation to be read committed behind a connection pooler, but it is ${isolation}; set it for the role`,
      );
    }
    this.#isPooled = isPooled === true;
  }

  async #run<Result>(run: () => Promise<Result>): Promise<Result> {
    if (!this.#isOpen || this.#abandoned) throw new ConnectionLost('the connection is closed');
    this.#isRunning = true;
    this.#warning = undefined;
    try {
      const result = await run();
      if (this.#warning !== undefined) throw new ConnectionLost(this.#warning);
      return result;
    } catch (error) {
      throw error instanceof DatabaseError ? error : lost(error);
    } finally {
      this.#isRunning = false;
    }
  }

  #cancel(): Promise<void> {
    if (!this.#isOpen || !this.#isRunning) return Promise.resolve();
    return cancelStatement(this.#client as PgClient);
  }
}

/**
 * Class 01 is a warning, class 57 the operator's intervention. During a commit both mean that it no
 * longer waits for the synchronous standby (SyncRepWaitForLSN in PostgreSQL's syncrep.c).
 */
function isWarning(code: string | undefined): boolean {
  return /^(?:01|57)/.test(code ?? '');
}

/** Errors of the system, and node-postgres' message for a connection that closed while it was made. */
function isOfTheNetwork(error: unknown): boolean {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return (
    !(error instanceof DatabaseError) &&
    (/^E[A-Z]+$/.test(code) || /^Connection terminated/.test(message))
  );
}

function lost(cause: unknown): ConnectionLost {
  if (cause instanceof ConnectionLost) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  return new ConnectionLost(message || code || 'the connection was lost', { cause });
}
