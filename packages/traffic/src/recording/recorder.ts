// Records who sends what, as counts without values.

import { createHmac, randomBytes } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { dirname, extname } from 'node:path';
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { type Contract, expectNumbers, type Operation, TIMER_MS } from '@stubwright/contract';
import type { ParsedRequest } from './requestParts.ts';
import { credentialHeaders } from './shownValues.ts';
import { ContractParts, UsageCounts } from './usage.ts';

/** A request in progress. */
export interface ObservedRequest extends ParsedRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark, percent-encoded. */
  readonly queryText: string;
  readonly headers: IncomingHttpHeaders;
  /** Undefined for a request that no operation has. */
  readonly operation: Operation | undefined;
  readonly principal: { readonly name: string } | undefined;
}

export interface ObservedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Readable | undefined;
}

/** Observes the requests of one contract. The methods do not throw. */
export interface RequestObserver {
  /** After the validation, before the handler: defaults are not added yet. */
  accepted(request: ObservedRequest): void;
  /** Also after a request that was refused. */
  responded(request: ObservedRequest, response: ObservedResponse): void;
}

/** A recorder that writes files; also the `Recorder` of stubwright. */
export interface TrafficRecorder {
  /**
   * @param version of the requests, by default `info.version`
   * @throws {Error} for a caller header that holds credentials of the contract
   */
  observe(definition: Contract, version?: string): RequestObserver;
  /** Writes pending entries. May be called again. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  /** `traffic.jsonl` becomes `traffic.2026-11-23.1f0a93bc.jsonl`: one file for each day (UTC) and process. */
  readonly file: string;
  /** The header whose value names the caller; by default the principal does, else it is `anonymous`. */
  readonly callerHeader?: string | undefined;
  /** Callers are stored as their HMAC-SHA-256 with this key, in 16 hexadecimal digits. */
  readonly hashKey?: string | undefined;
  /**
   * Called once when the recording ends with an error, such as a full disk. By default it is a warning of
   * the process.
   */
  readonly onError?: ((error: Error) => void) | undefined;
  /** By default a minute. Tests lower it. */
  readonly flushMs?: number | undefined;
}

const FLUSH_MS = 60_000;
const ANONYMOUS = 'anonymous';
/** Clients choose the value of a header. */
const MAX_CALLER_LENGTH = 200;

/**
 * Creates a recorder, for the option `recorder` of `createApi`.
 *
 * @throws {Error} for a file in a folder that does not exist or is not writable
 * @throws {RangeError | TypeError} for `flushMs` that is no time in milliseconds
 * @example
 * const recording = recorder({ file: 'traffic.jsonl' });
 * const api = await createApi({ contract, handlers, recorder: recording });
 * // At the stop:
 * await recording.close();
 */
export function recorder(options: RecorderOptions): TrafficRecorder {
  expectNumbers(options, { flushMs: TIMER_MS });
  try {
    accessSync(dirname(options.file), constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`got ${options.file} (${code}), expected a folder to write to`);
  }
  return new ShapeRecorder(options);
}

/** Counts by day, which replace the file of the day. The first error ends the recording. */
class ShapeRecorder implements TrafficRecorder {
  readonly #options: RecorderOptions;
  readonly #instance = randomBytes(4).toString('hex');
  readonly #timer: NodeJS.Timeout;
  #counts = new UsageCounts();
  #day = dayOf(Date.now());
  #nextDayMs = nextDayOf(Date.now());
  #isChanged = false;
  #isClosed = false;
  #isStopped = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#flush(), options.flushMs ?? FLUSH_MS).unref();
  }

  observe(definition: Contract, version = definition.version ?? ''): RequestObserver {
    const { callerHeader } = this.#options;
    if (callerHeader && credentialHeaders(definition).has(callerHeader.toLowerCase())) {
      throw new Error(`caller header: got ${callerHeader}, expected a header without credentials`);
    }
    const parts = new ContractParts(definition, version);
    const usageOf = (request: ObservedRequest) =>
      request.operation &&
      this.#counts.usageOf(this.#callerOf(request), request.operation, parts.of(request.operation));
    return {
      // The clock first: on another day, it replaces the counts.
      accepted: (request) =>
        this.#attempt(() => {
          const now = this.#now();
          usageOf(request)?.accepted(request, now);
        }),
      responded: (request, { status }) =>
        this.#attempt(() => {
          const now = this.#now();
          this.#isChanged = true;
          usageOf(request)?.responded(status, now);
        }),
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#flush();
  }

  #callerOf({ headers, principal }: ObservedRequest): string {
    const { callerHeader, hashKey } = this.#options;
    const named = callerHeader && headers[callerHeader.toLowerCase()];
    const caller = named ? String(named).slice(0, MAX_CALLER_LENGTH) : principal?.name;
    if (caller === undefined) return ANONYMOUS;
    if (hashKey === undefined) return caller;
    return createHmac('sha256', hashKey).update(caller).digest('hex').slice(0, 16);
  }

  /** A recording never changes a response. */
  #attempt(act: () => void): void {
    if (this.#isStopped || this.#isClosed) return;
    try {
      act();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    const { onError = warn } = this.#options;
    onError(new Error(`the recording has ended: ${(error as Error).message}`));
  }

  /** Starts another file on another day. */
  #now(): number {
    const now = Date.now();
    if (now < this.#nextDayMs) return now;
    this.#replaceFile();
    this.#counts = new UsageCounts();
    this.#day = dayOf(now);
    this.#nextDayMs = nextDayOf(now);
    return now;
  }

  async #flush(): Promise<void> {
    if (!this.#isStopped) {
      this.#now();
      this.#replaceFile();
    }
    await this.#writing;
    if (this.#isStopped) this.#counts = new UsageCounts();
  }

  #replaceFile(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const path = this.#pathOf(this.#day);
    const lines = this.#counts.lines();
    this.#writing = this.#writing.then(async () => {
      if (this.#isStopped) return;
      await replaceFile(path, lines).catch((error) => this.#fail(error));
    });
  }

  /** `traffic.jsonl` becomes `traffic.2026-11-23.k3f9a1.jsonl`: several processes may share the name. */
  #pathOf(day: string): string {
    const { file } = this.#options;
    const extension = extname(file);
    const base = file.slice(0, file.length - extension.length);
    return `${base}.${day}.${this.#instance}${extension || '.jsonl'}`;
  }
}

/** Lines that are serialized in one turn of the event loop. */
const LINES_PER_TURN = 50;

async function replaceFile(path: string, lines: Iterable<object>): Promise<void> {
  const texts: string[] = [];
  for (const line of lines) {
    texts.push(`${JSON.stringify(line)}\n`);
    if (texts.length % LINES_PER_TURN === 0) await turn();
  }
  const temporary = `${path}.tmp`;
  try {
    await writeFile(temporary, texts, { mode: 0o600 });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** @returns the day (UTC) of a time, `2026-11-23` */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

const DAY_MS = 24 * 60 * 60 * 1000;

function nextDayOf(ms: number): number {
  return (Math.floor(ms / DAY_MS) + 1) * DAY_MS;
}

function warn({ message }: Error): void {
  process.emitWarning(message, 'RecordingWarning');
}
