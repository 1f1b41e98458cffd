// A model of a disk that loses its power: from the records of shim.c, what it holds afterwards.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

const PAGE_BYTES = 4096;
const SECTOR_BYTES = 512;
const RECORD_BYTES = 24;

/**
 * What of the unsynced is kept:
 * - `none`;
 * - `some`: a random choice of pages, truncations and directory entries;
 * - `torn`: of these pages, some only up to a random sector.
 */
export type Kept = 'none' | 'some' | 'torn';

/** @returns a number from 0 to 1 */
export type Random = () => number;

interface Record {
  readonly op: string;
  readonly fd: number;
  readonly offset: number;
  readonly created: boolean;
  readonly data: Buffer;
}

/** Bytes that grow; those between are zero. */
class Bytes {
  #buffer = Buffer.alloc(0);
  size = 0;

  write(data: Uint8Array, offset: number): void {
    const end = offset + data.length;
    this.#reserve(end);
    this.#buffer.set(data, offset);
    this.size = Math.max(this.size, end);
  }

  truncate(size: number): void {
    this.#reserve(size);
    this.#buffer.fill(0, size);
    this.size = size;
  }

  #reserve(size: number): void {
    if (size <= this.#buffer.length) return;
    this.#buffer = Buffer.concat([this.#buffer], Math.max(size, 2 * this.#buffer.length));
  }

  page(index: number): Buffer {
    return this.#buffer.subarray(index * PAGE_BYTES, Math.min((index + 1) * PAGE_BYTES, this.size));
  }

  copy(): Bytes {
    const copy = new Bytes();
    copy.write(this.#buffer.subarray(0, this.size), 0);
    return copy;
  }

  get content(): Buffer {
    return this.#buffer.subarray(0, this.size);
  }
}

class File {
  readonly cached = new Bytes();
  readonly durable = new Bytes();
  readonly #dirty = new Set<number>();
  /** The least size since the last sync. */
  #cutTo = Number.POSITIVE_INFINITY;

  write(data: Buffer, offset: number): void {
    this.cached.write(data, offset);
    const last = Math.floor((offset + data.length - 1) / PAGE_BYTES);
    for (let page = Math.floor(offset / PAGE_BYTES); page <= last; page++) this.#dirty.add(page);
  }

  truncate(size: number): void {
    this.cached.truncate(size);
    this.#cutTo = Math.min(this.#cutTo, size);
    for (const page of this.#dirty) if (page * PAGE_BYTES >= size) this.#dirty.delete(page);
  }

  sync(): void {
    this.#store(this.durable, () => true);
    this.durable.truncate(this.cached.size);
    this.#dirty.clear();
    this.#cutTo = Number.POSITIVE_INFINITY;
  }

  /** The pages stay in the cache, are not on the disk, and are no longer dirty, as on Linux. */
  failSync(): void {
    this.#dirty.clear();
  }

  after(kept: Kept, random: Random): Buffer {
    const result = this.durable.copy();
    if (kept !== 'none')
      this.#store(result, () => random() < 0.5, kept === 'torn' ? random : undefined);
    return result.content;
  }

  #store(to: Bytes, isKept: () => boolean, torn?: Random): void {
    if (this.#cutTo < to.size && isKept()) to.truncate(this.#cutTo);
    for (const page of this.#dirty) {
      if (!isKept()) continue;
      const data = this.cached.page(page);
      const sectors = Math.ceil(data.length / SECTOR_BYTES);
      const whole = torn === undefined || torn() < 0.5;
      const bytes = whole ? data.length : Math.floor(torn() * sectors) * SECTOR_BYTES;
      to.write(data.subarray(0, bytes), page * PAGE_BYTES);
    }
  }
}

class Folder {
  readonly entries = new Map<string, File | Folder>();
  #durable = new Map<string, File | Folder>();

  sync(): void {
    this.#durable = new Map(this.entries);
  }

  after(kept: Kept, random: Random): ReadonlyMap<string, File | Folder> {
    if (kept === 'none') return this.#durable;
    const names = new Set([...this.#durable.keys(), ...this.entries.keys()]);
    const result = new Map<string, File | Folder>();
    for (const name of names) {
      const node = (random() < 0.5 ? this.entries : this.#durable).get(name);
      if (node !== undefined) result.set(name, node);
    }
    return result;
  }
}

/** A disk as the records leave it. Names are on it once their directory was synced, as POSIX has it. */
export class Disk {
  readonly #root: string;
  readonly #folder = new Folder();

  /**
   * @param root the directory that was recorded, empty at first; its own name is durable
   * @param logs one of each process, in the order of their starts
   */
  constructor(root: string, logs: readonly string[]) {
    this.#root = root;
    for (const log of logs) this.#replay(readRecords(log));
  }

  /** Writes into a new directory what is left after a power cut. */
  writeAfterCut(target: string, kept: Kept, random: Random = Math.random): void {
    writeFolder(this.#folder, target, kept, random);
  }

  #replay(records: Iterable<Record>): void {
    const open = new Map<number, File | Folder>();
    let renamed = '';
    for (const { op, fd, offset, created, data } of records) {
      const path = data.toString();
      const node = open.get(fd);
      if (op === 'O') open.set(fd, created ? this.#add(path, new File()) : this.#at(path));
      else if (op === 'C') open.delete(fd);
      else if (op === 'W') (node as File).write(data, offset);
      else if (op === 'T') (node as File).truncate(offset);
      else if (op === 'S') node?.sync();
      else if (op === 'F' && node instanceof File) node.failSync();
      else if (op === 'M') this.#add(path, new Folder());
      else if (op === 'U') this.#remove(path);
      else if (op === 'R') renamed = path;
      else if (op === 'r') this.#add(path, this.#remove(renamed));
    }
  }

  #at(path: string): File | Folder {
    if (path === this.#root) return this.#folder;
    const node = this.#parent(path).entries.get(basename(path));
    if (node === undefined) throw new Error(`Expected ${path} to be recorded, but it is not`);
    return node;
  }

  #add(path: string, node: File | Folder): File | Folder {
    this.#parent(path).entries.set(basename(path), node);
    return node;
  }

  #remove(path: string): File | Folder {
    const node = this.#at(path);
    this.#parent(path).entries.delete(basename(path));
    return node;
  }

  #parent(path: string): Folder {
    return this.#at(dirname(path)) as Folder;
  }
}

function writeFolder(folder: Folder, target: string, kept: Kept, random: Random): void {
  mkdirSync(target);
  for (const [name, node] of folder.after(kept, random)) {
    if (node instanceof Folder) writeFolder(node, `${target}/${name}`, kept, random);
    else writeFileSync(`${target}/${name}`, node.after(kept, random));
  }
}

/** The last record of a process that was killed may be cut short. */
export function* readRecords(log: string): Generator<Record> {
  const bytes = readFileSync(log);
  let at = 0;
  while (at + RECORD_BYTES <= bytes.length) {
    const length = bytes.readInt32LE(at + 20);
    const end = at + RECORD_BYTES + length;
    if (end > bytes.length) return;
    yield {
      offset: Number(bytes.readBigInt64LE(at)),
      op: String.fromCharCode(bytes.readInt32LE(at + 8)),
      fd: bytes.readInt32LE(at + 12),
      created: bytes.readInt32LE(at + 16) === 1,
      data: bytes.subarray(at + RECORD_BYTES, end),
    };
    at = end;
  }
}
