// Records who sends what, as counts without values.

import { createHmac } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { type Contract, expectNumbers, TIMER_MS } from '@stubwright/contract';
import type { ObservedRequest, RequestObserver, TrafficRecorder } from './observation.ts';
import { dayOf, RecordFiles } from './recordFiles.ts';
import { credentialHeaders } from './secrets.ts';
import { ContractParts, UsageCounts } from './usageCounts.ts';

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

/** The callers, the files, and the timer. */
abstract class FileRecorder implements TrafficRecorder {
  protected readonly files: RecordFiles;
  readonly #options: RecorderOptions;
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: RecorderOptions) {
    const { file, onError = warn, flushMs = FLUSH_MS } = options;
    this.#options = options;
    this.files = new RecordFiles(file, onError);
    this.#timer = setInterval(() => void this.#flush(), flushMs).unref();
  }

  observe(definition: Contract, version = definition.version ?? ''): RequestObserver {
    const { callerHeader } = this.#options;
    if (callerHeader && credentialHeaders(definition).has(callerHeader.toLowerCase())) {
      throw new Error(`caller header: got ${callerHeader}, expected a header without credentials`);
    }
    return this.#guarded(this.observer(definition, version));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#flush();
  }

  protected abstract observer(definition: Contract, version: string): RequestObserver;
  /** Adds what is not written yet to the files. */
  protected write(): void {}
  /** Drops what is not written after the recording has ended. */
  protected drop(): void {}

  protected callerOf({ headers, principal }: ObservedRequest): string {
    const { callerHeader, hashKey } = this.#options;
    const named = callerHeader && headers[callerHeader.toLowerCase()];
    const caller = named ? String(named).slice(0, MAX_CALLER_LENGTH) : principal?.name;
    if (caller === undefined) return ANONYMOUS;
    if (hashKey === undefined) return caller;
    return createHmac('sha256', hashKey).update(caller).digest('hex').slice(0, 16);
  }

  /** A recording never changes a response: it ends with its first error. */
  #guarded(observer: RequestObserver): RequestObserver {
    const attempt = (act: () => void): void => {
      if (this.files.isStopped || this.#isClosed) return;
      try {
        act();
      } catch (error) {
        this.files.fail(error);
      }
    };
    return {
      accepted: (request) => attempt(() => observer.accepted(request)),
      responded: (request, response) => attempt(() => observer.responded(request, response)),
    };
  }

  async #flush(): Promise<void> {
    if (!this.files.isStopped) this.write();
    await this.files.flush();
    if (this.files.isStopped) this.drop();
  }
}

class ShapeRecorder extends FileRecorder {
  #counts = new UsageCounts();
  #day = dayOf(Date.now());
  #nextDayMs = nextDayOf(Date.now());
  #isChanged = false;

  protected observer(definition: Contract, version: string): RequestObserver {
    const parts = new ContractParts(definition, version);
    const usageOf = (request: ObservedRequest) =>
      request.operation &&
      this.#counts.usageOf(this.callerOf(request), request.operation, parts.of(request.operation));
    return {
      // The clock first: on another day, it replaces the counts.
      accepted: (request) => {
        const now = this.#now();
        usageOf(request)?.accepted(request, now);
      },
      responded: (request, { status }) => {
        const now = this.#now();
        this.#isChanged = true;
        usageOf(request)?.responded(status, now);
      },
    };
  }

  protected override write(): void {
    this.#now();
    this.#replaceFile();
  }

  #replaceFile(): void {
    if (this.#isChanged) this.files.replace(this.#day, this.#counts.lines());
    this.#isChanged = false;
  }

  protected override drop(): void {
    this.#counts = new UsageCounts();
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
}

const DAY_MS = 24 * 60 * 60 * 1000;

function nextDayOf(ms: number): number {
  return (Math.floor(ms / DAY_MS) + 1) * DAY_MS;
}

function warn({ message }: Error): void {
  process.emitWarning(message, 'RecordingWarning');
}
