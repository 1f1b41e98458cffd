// The LD_PRELOAD library of shim.c, compiled, and how many calls it fails.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { runs } from '../../support/strace.ts';

/** The library exists on Linux, where there is a C compiler. */
export const canPreload = process.platform === 'linux' && runs('cc', '--version');

/**
 * In the order of shim.c. `fsync SIGKILL` ends the process instead. The numbers of the last two are bits of
 * the calls that fail, the lowest first, and the records until the process ends.
 */
const KINDS = [
  'write EIO',
  'write ENOSPC',
  'short write',
  'fsync EIO',
  'fsync SIGKILL',
  'fsync pattern',
  'SIGKILL after',
] as const;

export type FailingCall = (typeof KINDS)[number];

/** Stands for every call until it is set back to 0. */
export const ALL_CALLS = 2 ** 31 - 1;

let library: Buffer | undefined;

/** Compiles once per process. */
function compiledIn(folder: string): Buffer {
  if (library !== undefined) return library;
  const source = new URL('shim.c', import.meta.url).pathname;
  const output = `${folder}/compiled.so`;
  execFileSync('cc', ['-Wall', '-Werror', '-shared', '-fPIC', '-o', output, source, '-ldl']);
  library = readFileSync(output);
  return library;
}

/** @param faults the file DISK_FAULTS */
export function failIn(faults: string, call: FailingCall, count: number): void {
  const left = Buffer.alloc(4);
  left.writeInt32LE(count);
  const descriptor = openSync(faults, 'r+');
  writeSync(descriptor, left, 0, left.length, KINDS.indexOf(call) * 4);
  closeSync(descriptor);
}

export class Shim {
  /** What processes may do with the files in it is recorded, and fails on request. */
  readonly root: string;
  /** Written by each process that was started so far, in their order. */
  readonly logs: string[] = [];
  readonly #folder: string;

  /** @param folder an empty one */
  constructor(folder: string) {
    this.#folder = folder;
    this.root = `${folder}/disk`;
    mkdirSync(this.root);
    writeFileSync(this.#faults, Buffer.alloc(KINDS.length * 4));
    writeFileSync(this.#library, compiledIn(folder));
  }

  /** @returns the variables for one more process */
  environment(): Record<string, string> {
    const log = `${this.#folder}/log${this.logs.length}`;
    this.logs.push(log);
    return {
      LD_PRELOAD: this.#library,
      DISK_ROOT: this.root,
      DISK_LOG: log,
      DISK_FAULTS: this.#faults,
    };
  }

  /** Makes the next `count` calls of a kind fail, in the running processes too. */
  fail(call: FailingCall, count: number): void {
    failIn(this.#faults, call, count);
  }

  get #faults(): string {
    return `${this.#folder}/faults`;
  }

  get #library(): string {
    return `${this.#folder}/shim.so`;
  }
}
