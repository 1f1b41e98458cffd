// A model of a disk that loses its power: from the records of shim.c, what it holds afterwards.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

/** What a process did; `N` is a note of the program, `B` and `S` the begin and the success of a sync. */
export interface Record {
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

  /** A view, until the next change. */
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

/** What a sync covers: writes during it may be durable, and need not. */
interface Covered {
  readonly pages: ReadonlyMap<number, Buffer>;
  readonly size: number;
  readonly cutTo: number;
  /** The number of changes before. */
  readonly changes: number;
}

class File {
  readonly cached: Bytes;
  readonly durable: Bytes;
  /** With the number of each page's last change. */
  readonly #dirty = new Map<number, number>();
  #changes = 0;
  /** The least size since the last sync. */
  #cutTo = Number.POSITIVE_INFINITY;
  #lastCut = 0;

  constructor(content: Uint8Array = Buffer.alloc(0)) {
    this.durable = new Bytes();
    this.durable.write(content, 0);
    this.cached = this.durable.copy();
  }

  write(data: Buffer, offset: number): void {
    this.#changes++;
    this.cached.write(data, offset);
    const last = Math.floor((offset + data.length - 1) / PAGE_BYTES);
    for (let page = Math.floor(offset / PAGE_BYTES); page <= last; page++)
      this.#dirty.set(page, this.#changes);
  }

  truncate(size: number): void {
    this.#lastCut = ++this.#changes;
    this.cached.truncate(size);
    this.#cutTo = Math.min(this.#cutTo, size);
    for (const page of this.#dirty.keys()) {
      if (page * PAGE_BYTES >= size) this.#dirty.delete(page);
    }
  }

  beginSync(): Covered {
    const pages = new Map(
      [...this.#dirty.keys()].map((page) => [page, Buffer.from(this.cached.page(page))]),
    );
    return { pages, size: this.cached.size, cutTo: this.#cutTo, changes: this.#changes };
  }

  endSync(covered: Covered): void {
    const { pages, size, cutTo, changes } = covered;
    if (cutTo < this.durable.size) this.durable.truncate(cutTo);
    for (const [page, data] of pages) this.durable.write(data, page * PAGE_BYTES);
    this.durable.truncate(size);
    this.#clean(covered);
    if (this.#lastCut <= changes) this.#cutTo = Number.POSITIVE_INFINITY;
  }

  /**
   * The pages stay in the cache, are not on the disk, and are no longer dirty, as on Linux.
   *
   * @param random chooses those that are on the disk in spite of it
   */
  failSync(covered: Covered, random: Random): void {
    for (const [page, data] of covered.pages) {
      if (random() < 0.5) this.durable.write(data, page * PAGE_BYTES);
    }
    this.#clean(covered);
  }

  #clean({ changes }: Covered): void {
    for (const [page, change] of this.#dirty) if (change <= changes) this.#dirty.delete(page);
  }

  after(kept: Kept, random: Random): Buffer {
    const result = this.durable.copy();
    if (kept !== 'none')
      this.#store(result, () => random() < 0.5, kept === 'torn' ? random : undefined);
    return result.content;
  }

  #store(to: Bytes, isKept: () => boolean, torn?: Random): void {
    if (this.#cutTo < to.size && isKept()) to.truncate(this.#cutTo);
    for (const page of this.#dirty.keys()) {
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

export interface DiskOptions {
  /** A directory whose content was on the disk before, without directories in it. */
  readonly initial?: string;
  /** Chooses the pages that a failed sync has written; by default none. */
  readonly random?: Random;
}

/** A disk as the records leave it. Names are on it once their directory was synced, as POSIX has it. */
export class Disk {
  readonly #root: string;
  readonly #folder = new Folder();
  readonly #random: Random;
  /** Of the process that is replayed, by descriptor. */
  #open = new Map<number, File | Folder>();
  readonly #syncs = new Map<number, Covered>();
  #renamed = '';

  /**
   * @param root the directory that was recorded, empty at first; its own name is durable
   * @param logs one of each process, in the order of their starts
   */
  constructor(root: string, logs: readonly string[], options?: DiskOptions) {
    const { initial, random = () => 1 } = options ?? {};
    this.#root = root;
    this.#random = random;
    for (const name of initial === undefined ? [] : readdirSync(initial)) {
      this.#folder.entries.set(name, new File(readFileSync(`${initial}/${name}`)));
    }
    this.#folder.sync();
    for (const log of logs) for (const _ of this.replay(log));
  }

  /** Writes into a new directory what is left after a power cut. */
  writeAfterCut(target: string, kept: Kept, random: Random = Math.random): void {
    writeFolder(this.#folder, target, kept, random);
  }

  /** Replays the log of one more process; yields each record after its effect. */
  *replay(log: string): Generator<Record> {
    this.#open = new Map();
    for (const record of readRecords(log)) {
      this.#apply(record);
      yield record;
    }
  }

  #apply({ op, fd, offset, created, data }: Record): void {
    const path = data.toString();
    const node = this.#open.get(fd);
    if (op === 'O') this.#open.set(fd, created ? this.#add(path, new File()) : this.#at(path));
    else if (op === 'C') this.#open.delete(fd);
    else if (op === 'W') (node as File).write(data, offset);
    else if (op === 'T') (node as File).truncate(offset);
    else if (op === 'B' && node instanceof File) this.#syncs.set(fd, node.beginSync());
    else if (op === 'S' && node instanceof File) node.endSync(this.#syncs.get(fd)!);
    else if (op === 'S') (node as Folder).sync();
    else if (op === 'F' && node instanceof File) node.failSync(this.#syncs.get(fd)!, this.#random);
    else if (op === 'M') this.#add(path, new Folder());
    else if (op === 'U') this.#remove(path);
    else if (op === 'R') this.#renamed = path;
    else if (op === 'r') this.#add(path, this.#remove(this.#renamed));
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
