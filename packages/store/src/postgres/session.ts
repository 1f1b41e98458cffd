// A connection to PostgreSQL with timeouts and cancellation.
import { Socket } from 'node:net';
import { Client, DatabaseError, type QueryArrayConfig, type QueryArrayResult } from 'pg';
import { type Backend, cancelStatement } from './cancelRequest.ts';
import { ConnectionLost, Unfit } from './sqlState.ts';

/** Fallback for a statement whose cancel request is lost. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** Maximum time for a graceful close. */
const END_TIMEOUT_MS = 1_000;

// Overrides the defaults of the role or the database. Behind a pooler the process id differs: settings
// would affect other clients, so they apply only to direct connections. node-postgres sets client_encoding.
const SET_UP = `
  SELECT pg_backend_pid() <> $1,
         current_setting('server_encoding'),
         current_setting('transaction_read_only'),
         current_setting('default_transaction_isolation'),
         CASE WHEN pg_backend_pid() = $1 THEN
           set_config('default_transaction_isolation', 'read committed', false)
             || set_config('statement_timeout', '${STATEMENT_TIMEOUT_MS}', false)
         END`;

/** node-postgres stores BackendKeyData, but its types omit it. */
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
    // The running statement rejects; without an error listener Node would end the process.
    client.on('error', close).on('end', close);
    client.on('notice', ({ code, message }) => {
      if (isWarning(code)) this.#warning = message ?? 'a warning';
    });
  }

  /**
   * @param host the URL of one host, and the name of the application
   * @param signal destroys the connection at any time
   * @throws {ConnectionLost} after a timeout, or for a read-only standby
   * @throws {Unfit} for a database that is not in UTF-8
   * @throws {DatabaseError} and TLS errors
   */
  static async open(
    { url, name }: { readonly url: string; readonly name: string },
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Session> {
    const socket = new Socket();
    const client = new Client({
      connectionString: url,
      fallback_application_name: name,
      keepAlive: true,
      stream: () => socket,
    });
    const session = new Session(client, socket);
    const onAbort = () => session.#close();
    signal.addEventListener('abort', onAbort);
    socket.on('close', () => signal.removeEventListener('abort', onAbort));
    try {
      signal.throwIfAborted();
      await session.within(timeoutMs, async () => {
        await client.connect();
        await session.#setUp();
      });
      return session;
    } catch (error) {
      session.#close();
      throw isNetworkError(error) ? lost(error) : error;
    }
  }

  /** False after the connection is closed or abandoned. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * @returns the rows of a statement as arrays of columns; an int8 is a string
   * @throws {DatabaseError} an error of the server
   * @throws {ConnectionLost} if the outcome is unknown
   */
  async query<Row extends unknown[]>(query: Omit<QueryArrayConfig, 'rowMode'>): Promise<Row[]> {
    const { rows } = await this.execute<Row>(query);
    return rows;
  }

  /** As {@link query}; @returns the names of the columns and the completed command, too */
  execute<Row extends unknown[]>(
    query: Omit<QueryArrayConfig, 'rowMode'>,
  ): Promise<QueryArrayResult<Row>> {
    // A transaction pooler may use another connection, which lacks the prepared statement.
    const name = this.#isPooled ? undefined : query.name;
    return this.#run(() => this.#client.query<Row>({ ...query, name, rowMode: 'array' }));
  }

  /** Runs statements without parameters. Throws the same errors as {@link query}. */
  async run(sql: string): Promise<void> {
    await this.#run(() => this.#client.query(sql));
  }

  /**
   * Calls `callback` with a timeout, after which it {@link abandon}s the connection.
   *
   * @throws {ConnectionLost} after the timeout
   */
  async within<Result>(timeoutMs: number, callback: () => Promise<Result>): Promise<Result> {
    const { promise: timedOut, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new ConnectionLost(`no answer within ${Math.round(timeoutMs)} ms`));
      void this.abandon();
    }, timeoutMs);
    try {
      return await Promise.race([callback(), timedOut]);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Sends a cancel request for the running statement, then closes the connection. The server does not
   * detect a closed socket while a statement waits for a lock or a standby. A commit that is cancelled
   * while it waits for a standby remains committed on the primary.
   */
  abandon(): Promise<void> {
    this.#abandoned ??= this.#cancel().finally(() => this.#close());
    return this.#abandoned;
  }

  /** Closes the connection gracefully, and destroys it after END_TIMEOUT_MS. */
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
 * SQLSTATE class 01: warning, 57: operator intervention. During a commit both mean that the commit no
 * longer waits for the synchronous standby (SyncRepWaitForLSN in PostgreSQL's syncrep.c).
 */
function isWarning(code: string | undefined): boolean {
  return /^(?:01|57)/.test(code ?? '');
}

/** System errors, and node-postgres' error for a connection that is closed during connect. */
function isNetworkError(error: unknown): boolean {
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
