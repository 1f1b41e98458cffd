// A connection to PostgreSQL with timeouts and cancellation.

import { connect, Socket } from 'node:net';
import { Client, DatabaseError, type QueryArrayConfig, type QueryArrayResult } from 'pg';

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
      const thrown = isNetworkError(error, socket) ? lost(error) : error;
      session.#close();
      throw thrown;
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

/** System errors, and the error of node-postgres, without a code, for a connection that the server closes. */
function isNetworkError(error: unknown, socket: Socket): boolean {
  if (error instanceof DatabaseError || error instanceof Unfit) return false;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? socket.closed : /^E[A-Z]+$/.test(code);
}

function lost(cause: unknown): ConnectionLost {
  if (cause instanceof ConnectionLost) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  return new ConnectionLost(message || code || 'the connection was lost', { cause });
}

/** The server process of a connection, and its BackendKeyData. */
interface Backend {
  /** A host name, an address, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number;
  /** Null until the server has accepted the connection. */
  readonly processID: number | null;
  readonly secretKey: number;
}

const TIMEOUT_MS = 1_000;
const CANCEL_REQUEST_CODE = 80877102;

/**
 * Resolves after the server has received the request, at the latest after TIMEOUT_MS; never rejects. The
 * server does not report whether a statement was cancelled
 * (https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS).
 */
function cancelStatement({ host, port, processID, secretKey }: Backend): Promise<void> {
  if (processID === null) return Promise.resolve();
  const request = Buffer.alloc(16);
  request.writeInt32BE(request.length, 0);
  request.writeInt32BE(CANCEL_REQUEST_CODE, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  return new Promise((resolve) => {
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
    // The server closes the connection without a response.
    socket.on('error', () => {}).on('close', () => resolve());
    socket.resume().end(request);
  });
}

/** The connection failed or timed out: the outcome of its statement is unknown. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** All connections of the pool were in use for the whole wait: the server may be as it should. */
export class PoolExhausted extends ConnectionLost {
  constructor(connections: number) {
    super(`all ${connections} connections are in use`);
  }
}

/** The server or the schema is not supported. `message` states the expectation. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
}

// Classes: 08 connection, 40 transaction rollback, 53 insufficient resources (disk full), 55 object not
// in prerequisite state, 57 operator intervention, 58 system error (I/O error).
const TRANSIENT = /^(?:08|40|53|55|57|58)/;
/** The server was demoted to a standby. */
const READ_ONLY = '25006';
// 0A feature not supported, 28 invalid authorization, 3D missing database, 3F missing schema, 42 syntax
// error or access rule violation. The statements are constant: the schema or the privileges have changed.
const REFUSED = /^(?:0A|28|3D|3F|42)/;
// 22 data exception, 23 constraint violation, 54 limit exceeded, P0 raised by a trigger.
const ROW_ERROR = /^(?:22|23|54|P0)/;
const LOCK_NOT_AVAILABLE = '55P03';
const TOO_MANY_CONNECTIONS = '53300';

export const UNDEFINED_TABLE = '42P01';
/** Of PgBouncer, for a transaction in statement pooling mode. */
export const PROTOCOL_VIOLATION = '08P01';

/** True if a retry may succeed, possibly on another connection. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  const code = codeOf(error);
  return TRANSIENT.test(code) || code === READ_ONLY;
}

/** True if an administrator must correct the configuration or the schema of the server. */
export function isRefused(error: unknown): boolean {
  return error instanceof Unfit || REFUSED.test(codeOf(error));
}

// 40003: statement completion unknown. 55 object not in prerequisite state, such as a lock timeout.
const ROLLED_BACK = /^(?:40(?!003)|53|55|42|28|0A|3D|3F)/;
const QUERY_CANCELED = '57014';

/** True if the statement certainly has no effect. */
export function isRolledBack(error: unknown): boolean {
  const code = codeOf(error);
  return (
    error instanceof Unfit ||
    ROLLED_BACK.test(code) ||
    code === QUERY_CANCELED ||
    code === READ_ONLY ||
    ROW_ERROR.test(code)
  );
}

// 53 insufficient resources (disk full), 57P operator intervention, 58 system error (I/O error).
const SERVER_FAILURE = /^(?:53|57P|58)/;

/** True if no write would succeed now, whichever statement it is. */
export function isServerFailure(error: unknown): boolean {
  const code = codeOf(error);
  return SERVER_FAILURE.test(code) || code === READ_ONLY;
}

/** True if a single row of the statement is invalid. */
export function isRowError(error: unknown): boolean {
  return ROW_ERROR.test(codeOf(error));
}

/** True after `lock_timeout`. */
export function isLocked(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE;
}

export function hasTooManyConnections(error: unknown): boolean {
  return codeOf(error) === TOO_MANY_CONNECTIONS;
}

/** @returns the SQLSTATE; `''` for other errors */
export function codeOf(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? '') : '';
}
