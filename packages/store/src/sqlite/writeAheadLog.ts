// Checks the write-ahead log of SQLite (https://sqlite.org/fileformat2.html#walformat).
import { closeSync, openSync, readSync } from 'node:fs';

const HEADER = { bytes: 32, pageSizeAt: 8, saltsAt: 16 };
const FRAME_HEADER = { bytes: 24, saltsAt: 8 };
const SALTS_BYTES = 8;

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
    const read = (bytes: number, at: number) => {
      const buffer = Buffer.alloc(bytes);
      readSync(descriptor, buffer, 0, bytes, at);
      return buffer;
    };
    const header = read(HEADER.bytes, 0);
    const frameBytes = FRAME_HEADER.bytes + header.readUInt32BE(HEADER.pageSizeAt);
    const frames = Math.floor((sizeBefore - HEADER.bytes) / frameBytes);
    if (frames < 1) return true;
    const lastFrame = HEADER.bytes + (frames - 1) * frameBytes;
    const salts = read(SALTS_BYTES, lastFrame + FRAME_HEADER.saltsAt);
    return salts.equals(header.subarray(HEADER.saltsAt, HEADER.saltsAt + SALTS_BYTES));
  } finally {
    closeSync(descriptor);
  }
}
