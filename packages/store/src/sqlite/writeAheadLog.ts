// Reads, verifies and rewrites the write-ahead log of SQLite (https://sqlite.org/fileformat2.html#walformat).
import { closeSync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs';

const HEADER = { bytes: 32, pageSizeAt: 8, saltsAt: 16, checksummed: 24 };
const FRAME_HEADER = { bytes: 24, saltsAt: 8, checksummed: 8, checksumAt: 16 };
const SALTS_BYTES = 8;
const CHECKSUM_BYTES = 8;
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
    const sums = new Checksums(header);
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

  constructor(header: Buffer) {
    this.#readsBigEndian = header.readUInt32BE(0) === BIG_ENDIAN;
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
