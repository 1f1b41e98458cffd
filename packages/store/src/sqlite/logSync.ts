// Syncs the write-ahead log: on the event loop while syncs are short, else in the thread pool.

import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type StoreEmitter, StoreUnavailable } from '../store.ts';

const HEADER = { bytes: 32, pageSizeAt: 8, saltsAt: 16, checksummed: 24 };
const FRAME_HEADER = { bytes: 24, commitAt: 4, saltsAt: 8, checksummed: 8, checksumAt: 16 };
const SALTS_BYTES = 8;
const CHECKSUM_BYTES = 8;
const WORD_BYTES = 4;
/** What a disk writes as a whole. */
const SECTOR_BYTES = 512;
/** The magic number with big-endian checksums; with little-endian ones it is one less. */
const BIG_ENDIAN = 0x377f0683;

/**
 * SQLite writes at an offset that it remembers: if the log was truncated before, a gap of zeros replaces
 * the last frame that was there, and recovery ends at the gap.
 *
 * @param path of a log that was extended
 * @param sizeBefore its size before
 * @returns false if the last frame before was lost
 */
export function isExtendedLogWhole(path: string, sizeBefore: number): boolean {
  const descriptor = openSync(path, 'r');
  try {
    const header = readAt(descriptor, HEADER.bytes, 0);
    const frameBytes = frameBytesOf(header);
    const frames = Math.floor((sizeBefore - HEADER.bytes) / frameBytes);
    if (frames < 1) return true;
    const lastFrame = HEADER.bytes + (frames - 1) * frameBytes;
    const salts = readAt(descriptor, SALTS_BYTES, lastFrame + FRAME_HEADER.saltsAt);
    return salts.equals(header.subarray(HEADER.saltsAt, HEADER.saltsAt + SALTS_BYTES));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Makes a log durable whose sync may have failed: Linux marks its pages as clean, and no later sync writes
 * them (https://wiki.postgresql.org/wiki/Fsync_Errors). Only pages that are written again are synced. Each
 * frame is verified first, since a file system may have reverted the pages (btrfs) or dropped them.
 *
 * @param descriptor of a log that nobody writes to meanwhile
 * @param frames the number of its frames that SQLite uses
 * @throws {NodeJS.ErrnoException} also if the sync fails; and an Error if a frame is not the one written
 */
export function rewriteLog(descriptor: number, frames: number): void {
  if (frames > 0) {
    const header = readAt(descriptor, HEADER.bytes, 0);
    const sums = new Checksums(header.readUInt32BE(0));
    expectChecksum(sums.add(header.subarray(0, HEADER.checksummed)), header, HEADER.checksummed);
    writeSync(descriptor, header, 0, HEADER.bytes, 0);
    const frameBytes = frameBytesOf(header);
    for (let at = HEADER.bytes, left = frames; left > 0; left--, at += frameBytes) {
      const frame = readAt(descriptor, frameBytes, at);
      sums.add(frame.subarray(0, FRAME_HEADER.checksummed));
      expectChecksum(sums.add(frame.subarray(FRAME_HEADER.bytes)), frame, FRAME_HEADER.checksumAt);
      writeSync(descriptor, frame, 0, frameBytes, at);
    }
  }
  fdatasyncSync(descriptor);
}

/**
 * More commits than are ever written without a sync: a transaction begins, and the next batch is committed,
 * after all that was committed before is durable (`LockedConnection`).
 */
const NEVER_UNSYNCED = 5;

/**
 * SQLite uses a log up to the first frame that is not valid, and ignores the rest. That is right after a
 * power cut, which may lose or tear any page that was not synced. It is damage
 * - if another value of one 32-bit word makes the frame, or the header of the log, valid again: a flipped bit,
 *   unless its whole sector is zeros, as where a power cut lost it
 * - if so many commits follow that some of them were synced after the frame
 *
 * @param path of a log; the file may be missing
 * @returns where the log is damaged, such as `frame 3`; undefined if nothing shows that it is
 */
export function damageOf(path: string): string | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size < HEADER.bytes) return undefined;
  const descriptor = openSync(path, 'r');
  try {
    const header = readAt(descriptor, HEADER.bytes, 0);
    const pageSize = header.readUInt32BE(HEADER.pageSizeAt);
    // Of the system's byte order, which a flipped bit of the magic number hides.
    const sums = [BIG_ENDIAN, BIG_ENDIAN - 1].map((magic) => new Checksums(magic));
    const summed = sums.map((sum) => sum.add(header.subarray(0, HEADER.checksummed)));
    const stored = header.subarray(HEADER.checksummed);
    const magicAt = header.readUInt32BE(0) === BIG_ENDIAN ? 0 : 1;
    if (!summed[magicAt]!.equals(stored)) {
      const words = HEADER.checksummed / WORD_BYTES;
      const isFlipped = summed.some((buffer) => isOneWordFrom(stored, buffer, { words }));
      return isFlipped || hasSyncedFrame(descriptor, header, { from: 0, size })
        ? 'its header'
        : undefined;
    }
    const frameBytes = FRAME_HEADER.bytes + pageSize;
    const frames = Math.floor((size - HEADER.bytes) / frameBytes);
    for (let at = 0; at < frames; at++) {
      const start = HEADER.bytes + at * frameBytes;
      const frame = readAt(descriptor, frameBytes, start);
      const flaw = flawOf({ frame, start }, header, sums[magicAt]!);
      if (flaw === undefined) continue;
      const isDamaged =
        flaw === 'flipped' || hasSyncedFrame(descriptor, header, { from: at + 1, size });
      return isDamaged ? `its frame ${at + 1}` : undefined;
    }
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** A frame, and its offset in the log. */
interface Located {
  readonly frame: Buffer;
  readonly start: number;
}

/** @returns undefined for a valid frame; `flipped` if it was valid but for one word; else `invalid` */
function flawOf(
  located: Located,
  header: Buffer,
  sums: Checksums,
): 'flipped' | 'invalid' | undefined {
  const { frame } = located;
  sums.add(frame.subarray(0, FRAME_HEADER.checksummed));
  const summed = sums.add(frame.subarray(FRAME_HEADER.bytes));
  const stored = frame.subarray(FRAME_HEADER.checksumAt, FRAME_HEADER.bytes);
  const hasSalts = hasSaltsOf(header, frame);
  // The salts are not in the checksum, which only a frame of this log continues.
  if (summed.equals(stored)) return hasSalts ? undefined : 'flipped';
  const words = (frame.length - FRAME_HEADER.bytes + FRAME_HEADER.checksummed) / WORD_BYTES;
  const isLost = (word: number) => isInLostSector(located, word);
  return hasSalts && isOneWordFrom(stored, summed, { words, isLost }) ? 'flipped' : 'invalid';
}

/** @param word of those with a checksum @returns true if its sector has only zeros: a power cut lost it */
function isInLostSector({ frame, start }: Located, word: number): boolean {
  // The first two are in the header, whose salts were not lost.
  const inFrame = FRAME_HEADER.bytes - FRAME_HEADER.checksummed + word * WORD_BYTES;
  const sector = inFrame - ((start + inFrame) % SECTOR_BYTES);
  const bytes = frame.subarray(Math.max(0, sector), sector + SECTOR_BYTES);
  return bytes.every((byte) => byte === 0);
}

/** @returns true if a frame from `from` on was synced before the log ended */
function hasSyncedFrame(
  descriptor: number,
  header: Buffer,
  { from, size }: { readonly from: number; readonly size: number },
): boolean {
  const frameBytes = frameBytesOf(header);
  let commits = 0;
  for (let at = HEADER.bytes + from * frameBytes; at + frameBytes <= size; at += frameBytes) {
    const frame = readAt(descriptor, FRAME_HEADER.bytes, at);
    const isCommit = frame.readUInt32BE(FRAME_HEADER.commitAt) > 0;
    if (isCommit && hasSaltsOf(header, frame)) commits++;
    if (commits > NEVER_UNSYNCED) return true;
  }
  return false;
}

function hasSaltsOf(header: Buffer, frame: Buffer): boolean {
  const salts = frame.subarray(FRAME_HEADER.saltsAt, FRAME_HEADER.saltsAt + SALTS_BYTES);
  return salts.equals(header.subarray(HEADER.saltsAt, HEADER.saltsAt + SALTS_BYTES));
}

/**
 * The checksum is linear: a change `d` of one word changes its halves by `d` times two Fibonacci numbers, of
 * which one is odd. One of 4 million records that a power cut tears looks like this, too; and many of those whose
 * lost words were equal, as of a text that is padded: their Fibonacci numbers add up to others.
 *
 * @param words of the record
 * @param isLost true for a word that a power cut lost, which is none that was flipped
 * @returns true if another value of one word, or of a half of the stored checksum, makes both equal
 */
function isOneWordFrom(
  stored: Buffer,
  summed: Buffer,
  { words, isLost = () => false }: { readonly words: number; isLost?(word: number): boolean },
): boolean {
  const [first, second] = [0, 4].map((at) => (stored.readInt32BE(at) - summed.readInt32BE(at)) | 0);
  if (first === 0 || second === 0) return true;
  // The effect of adding 1 to each of the last two words.
  let [earlier, later]: readonly [Halves, Halves] = [
    [1, 1],
    [0, 1],
  ];
  for (let left = words; left > 0; left -= 2) {
    for (const [at, [inFirst, inSecond]] of [earlier, later].entries()) {
      const [odd, other, sum, otherSum] =
        (inFirst & 1) === 1
          ? [inFirst, inSecond, first!, second!]
          : [inSecond, inFirst, second!, first!];
      const isChanged = Math.imul(Math.imul(sum, inverse(odd)), other) === otherSum;
      if (isChanged && !isLost(left - 2 + at)) return true;
    }
    [earlier, later] = [afterPair(earlier), afterPair(later)];
  }
  return false;
}

type Halves = readonly [first: number, second: number];

function afterPair([first, second]: Halves): Halves {
  return [(first + second) | 0, (first + 2 * second) | 0];
}

/** @returns the inverse of an odd number modulo 2^32, by Newton's method */
function inverse(odd: number): number {
  let found = odd;
  for (let bits = 3; bits < 32; bits *= 2) found = Math.imul(found, 2 - Math.imul(odd, found));
  return found;
}

function frameBytesOf(header: Buffer): number {
  return FRAME_HEADER.bytes + header.readUInt32BE(HEADER.pageSizeAt);
}

function readAt(descriptor: number, bytes: number, at: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  readSync(descriptor, buffer, 0, bytes, at);
  return buffer;
}

function expectChecksum(actual: Buffer, record: Buffer, at: number): void {
  if (actual.equals(record.subarray(at, at + CHECKSUM_BYTES))) return;
  throw new Error(
    'Expected the log to have the content that was written, but it has changed; restart the service',
  );
}

/** The checksum of a frame continues that of the frame before; the one of the header is the first. */
class Checksums {
  readonly #readsBigEndian: boolean;
  #first = 0;
  #second = 0;

  constructor(magic: number) {
    this.#readsBigEndian = magic === BIG_ENDIAN;
  }

  /** @returns the checksum after `data`, as it is stored */
  add(data: Buffer): Buffer {
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    const isLittleEndian = !this.#readsBigEndian;
    let [first, second] = [this.#first, this.#second];
    for (let at = 0; at < data.length; at += 8) {
      first = (first + view.getUint32(at, isLittleEndian) + second) | 0;
      second = (second + view.getUint32(at + 4, isLittleEndian) + first) | 0;
    }
    this.#first = first;
    this.#second = second;
    const stored = Buffer.alloc(CHECKSUM_BYTES);
    stored.writeInt32BE(first, 0);
    stored.writeInt32BE(second, 4);
    return stored;
  }
}

/** Between two attempts to recover from a failed sync. */
const RETRY_MS = 250;

/** A sync that takes less costs about as much as a change of threads, and delays other requests as little. */
const SHORT_MS = 0.5;

interface LogSyncOptions {
  /** The number of frames after which the log is written into the database. */
  readonly checkpointFrames: number;
  readonly events: StoreEmitter | undefined;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

/**
 * One sync at a time: after a failed one the kernel may report success to the next. From a failure until the
 * recovery nothing is reported as durable.
 */
export class LogSync {
  /** The error of a failed sync; undefined after the recovery. */
  failure: StoreUnavailable | undefined;
  /** The number of failed syncs since the opening. */
  failures = 0;
  readonly #descriptor: number;
  readonly #options: LogSyncOptions;
  readonly #database: DatabaseSync;
  readonly #state: StatementSync;
  // The frames of the log, and those of them in the database: each commit changes one of them.
  #frames = 0;
  #checkpointed = 0;
  /** Numbers of commits. */
  #written = 0;
  #synced = 0;
  #syncing: Promise<void> | undefined;
  #lastSyncMs = 0;
  #failedAt = 0;
  #retryAt = 0;

  /** @param database whose content is durable, with `synchronous = NORMAL` and without automatic checkpoints */
  constructor(database: DatabaseSync, options: LogSyncOptions) {
    this.#descriptor = openSync(`${database.location()}-wal`, 'r+');
    this.#database = database;
    this.#options = options;
    this.#state = database.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#observe();
    this.#synced = this.#written;
  }

  /**
   * Resolves when all that was committed before the call is durable.
   *
   * @throws {StoreUnavailable} if that is not certain
   */
  async durable(): Promise<void> {
    this.#observe();
    const goal = this.#written;
    while (this.failure === undefined && this.#synced < goal) {
      if (this.#lastSyncMs < SHORT_MS) {
        // None is under way: that began after a long one.
        this.#syncNow();
      } else {
        this.#syncing ??= this.#sync();
        await this.#syncing;
      }
    }
    if (this.failure !== undefined) throw this.failure;
  }

  /**
   * To be called before each use of the database: after a failed sync writes the log again. Nothing is
   * under way then.
   *
   * @throws {StoreUnavailable} if the log is not durable yet
   */
  recover(): void {
    if (this.failure === undefined) return;
    if (performance.now() < this.#retryAt) throw this.failure;
    try {
      this.#observe();
      rewriteLog(this.#descriptor, this.#frames);
    } catch (cause) {
      this.#retryAt = performance.now() + RETRY_MS;
      this.#fail('SQLite could not write its log again', cause);
      throw this.failure;
    }
    this.#synced = this.#written;
    this.failure = undefined;
    this.#options.events?.emit('available', { durationMs: performance.now() - this.#failedAt });
  }

  get isCheckpointDue(): boolean {
    return this.#frames >= this.#options.checkpointFrames && this.#checkpointed < this.#frames;
  }

  /**
   * Writes the log into the database, and syncs that; the next commit starts the log again. Only if all is
   * durable: what a checkpoint reads must not change, and a power cut during it needs the log. If it fails,
   * the log stays as it is, and the next one writes the same pages again.
   */
  checkpoint(): void {
    this.#observe();
    if (this.failure !== undefined || this.#synced < this.#written) return;
    try {
      this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // Still due.
    }
    this.#observe();
    this.#synced = this.#written;
  }

  /** Waits for syncs under way. @throws {StoreUnavailable} if the log is not durable afterwards */
  async settle(): Promise<void> {
    await this.durable().catch(() => {});
    this.#retryAt = 0;
    this.recover();
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #observe(): void {
    const { log, checkpointed } = this.#state.get() as { log: number; checkpointed: number };
    if (log === this.#frames && checkpointed === this.#checkpointed) return;
    this.#frames = log;
    this.#checkpointed = checkpointed;
    this.#written++;
  }

  #syncNow(): void {
    const startedAt = this.#options.now();
    try {
      fdatasyncSync(this.#descriptor);
      this.#ended(startedAt, this.#written, null);
    } catch (cause) {
      this.#ended(startedAt, this.#written, cause);
    }
  }

  #sync(): Promise<void> {
    const startedAt = this.#options.now();
    const written = this.#written;
    return new Promise((resolve) => {
      fdatasync(this.#descriptor, (cause) => {
        this.#syncing = undefined;
        this.#ended(startedAt, written, cause);
        resolve();
      });
    });
  }

  /** @param cause of a failed sync, else null */
  #ended(startedAt: number, written: number, cause: unknown): void {
    this.#lastSyncMs = this.#options.now() - startedAt;
    if (cause === null) this.#synced = written;
    else this.#fail('SQLite could not sync its log', cause);
  }

  #fail(message: string, cause: unknown): void {
    const { message: previous } = this.failure ?? {};
    if (previous === undefined) this.#failedAt = performance.now();
    this.failures++;
    this.failure = new StoreUnavailable(message, { cause });
    if (previous !== message) this.#options.events?.emit('unavailable', this.failure);
  }
}
