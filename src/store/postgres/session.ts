// One connection to PostgreSQL, set up as the store needs it, that can be given up at any moment.
// Knows no plant: it runs statements.
import { Socket } from 'node:net';
import { Client, DatabaseError, type QueryArrayConfig } from 'pg';
import { ConnectionLost } from './sqlState.ts';

/** How long a server goes on with a statement whose sender may have given up. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** How long a connection may take to say goodbye. */
const END_TIMEOUT_MS = 1_000;

// Once a connection, in place of startup parameters, which poolers refuse. A role or a database may
// have other defaults; what is promised must not depend on them. synchronous_commit may be more than
// on (remote_apply), and stays so; off would acknowledge what a crash loses.
const SET_UP = `
  SELECT set_config('client_encoding', 'UTF8', false),
         set_config('default_transaction_isolation', 'read committed', false),
         set_config('statement_timeout', '${STATEMENT_TIMEOUT_MS}', false),
         CASE current_setting('synchronous_commit')
           WHEN 'off' THEN set_config('synchronous_commit', 'on', false)
         END,
         current_setting('server_encoding'),
         current_setting('transaction_read_only')`;

/** The server is one that the store cannot use. `message` says what was expected. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
}

export class Session {
  readonly #client: Client;
  readonly #socket: Socket;
  #isOpen = true;

  private constructor(client: Client, socket: Socket) {
    this.#client = client;
    this.#socket = socket;
    // Each statement under way is told of its own; without a listener Node would end the process.
    client.on('error', () => {
      this.#isOpen = false;
    });
    client.on('end', () => {
      this.#isOpen = false;
    });
  }

  /**
   * Connects.
   *
   * @param signal cuts the connection, then or later
   * @throws {ConnectionLost} when nobody answers, or not in time, or only a read-only standby
   * @throws {Unfit} for a database that is not in UTF-8
   * @throws {DatabaseError} and what TLS says, when the server refuses
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
    const cut = () => session.destroy();
    signal.addEventListener('abort', cut);
    client.on('end', () => signal.removeEventListener('abort', cut));
    try {
      await session.within(timeoutMs, async () => {
        await client.connect();
        await session.#setUp();
      });
      return session;
    } catch (error) {
      session.destroy();
      throw isOfTheNetwork(error) ? lost(error) : error;
    }
  }

  /** False once the connection is known to be dead. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Runs one statement.
   *
   * @returns its rows, the columns in their order, an int8 as text
   * @throws {DatabaseError} when the server refuses it
   * @throws {ConnectionLost} when its outcome is not known
   */
  async query<Row extends unknown[]>(query: Omit<QueryArrayConfig, 'rowMode'>): Promise<Row[]> {
    const { rows } = await told(this.#client.query<Row>({ ...query, rowMode: 'array' }));
    return rows;
  }

  /** Runs statements without parameters, one after another; throws as {@link query} does. */
  async run(sql: string): Promise<void> {
    await told(this.#client.query(sql));
  }

  /** Acts, and gives the connection up when that takes longer: what waits for it is {@link ConnectionLost}. */
  async within<Result>(timeoutMs: number, act: () => Promise<Result>): Promise<Result> {
    const giveUp = () =>
      this.#giveUp(new ConnectionLost(`no answer within ${Math.round(timeoutMs)} ms`));
    const timer = setTimeout(giveUp, timeoutMs);
    try {
      return await act();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Cuts the connection, whatever is under way. */
  destroy(): void {
    this.#giveUp();
  }

  /** Says goodbye, and cuts a connection that does not answer. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.#giveUp(), END_TIMEOUT_MS);
    await this.#client.end().catch(() => {});
    clearTimeout(timer);
  }

  #giveUp(why?: Error): void {
    this.#isOpen = false;
    this.#socket.destroy(why);
  }

  async #setUp(): Promise<void> {
    const [row = []] = await this.query<(string | null)[]>({ text: SET_UP });
    const [encoding, readOnly] = row.slice(-2);
    if (encoding !== 'UTF8') {
      throw new Unfit(`expected a database in UTF8, but it is in ${encoding}`);
    }
    if (readOnly === 'on') throw new ConnectionLost('the server is read-only');
  }
}

/** What the server said, or else that it said nothing. */
async function told<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof DatabaseError ? error : lost(error);
  }
}

/** Errors of the system, and pg's words for a connection that closed before it was one. */
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
