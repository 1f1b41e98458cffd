// Watches the files of a project, and classifies their changes for a reload.
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import type { LoadedContract } from '@stubwright/contract';
import { textOf } from '@stubwright/contract/printable';
import { type Service, startErrorMessage } from '@stubwright/service';
import { watch } from 'chokidar';
import type { CommandIo } from '../output/io.ts';

const MAX_ERRORS = 20;

export function servedLine(what: string, seconds: string): string {
  return `${time()}  ${what} served in ${seconds} s`;
}

/** @param errors of the version that cannot be served */
export function keptLines(what: string, errors: string): string[] {
  return [`${time()}  ${what} cannot be served; the last good version stays`, ...atMost(errors)];
}

/** @param errors of the first version, which cannot be served */
export function waitingLines(errors: string): string[] {
  return [...atMost(errors), `${time()}  nothing is served; waits for a save`];
}

function atMost(errors: string): string[] {
  const lines = errors.split('\n');
  const left = lines.length - MAX_ERRORS;
  return [...lines.slice(0, MAX_ERRORS), ...(left > 0 ? [`and ${left} more lines`] : [])];
}

function time(): string {
  return new Date().toTimeString().slice(0, 8);
}

export const SOURCES = 'src';
const CONTRACT_TYPES = new Set(['.yaml', '.yml', '.json']);
/** Configuration of the checks. */
const RULES = new Set([
  'redocly.yaml',
  '.redocly.lint-ignore.yaml',
  'compatibility.yaml',
  'stubwright.yaml',
]);
/**
 * Editors write a file in several steps, and save several files at a time. Longer than the 50 ms for which
 * chokidar drops further changes of a file: these are read, too.
 */
const SETTLE_MS = 60;
/** Many editors empty a file before they write it: an empty contract is reported after so many times. */
const MAX_EMPTY = 10;

export interface Watch {
  /**
   * Watches the folders of a contract's files.
   *
   * @param isComplete false for a contract that could not be loaded: any YAML or JSON file may be its own
   */
  follow(files: readonly string[], isComplete: boolean): void;
  close(): Promise<void>;
}

interface WatchOptions {
  readonly cwd: string;
  readonly onContract: (file: string) => void;
  /** By default sources are not watched. */
  readonly onSource?: () => void;
}

/**
 * Reports saves until it is closed.
 *
 * @param contract the path of the contract, which may have errors
 * @returns when the watchers are ready
 */
export async function watchSaves(
  contract: string,
  { cwd, onContract, onSource }: WatchOptions,
): Promise<Watch> {
  const contracts = watch(dirname(contract), { cwd, ignoreInitial: true, depth: 0 });
  const sources = onSource && watch(SOURCES, { cwd, ignoreInitial: true });
  const folders = new Set([resolve(cwd, dirname(contract))]);
  let own = new Set([resolve(cwd, contract)]);
  let isComplete = false;
  const isEmpty = (path: string) =>
    statSync(resolve(cwd, path), { throwIfNoEntry: false })?.size === 0;
  const reportContract = settled(onContract, isEmpty);
  contracts.on('all', (_event, path) => {
    const isOther = isComplete || !isContractType(path);
    if (own.has(resolve(cwd, path)) || RULES.has(basename(path)) || !isOther) reportContract(path);
  });
  sources?.on('all', settled(onSource!));
  const watchers = [contracts, ...(sources === undefined ? [] : [sources])];
  await Promise.all(watchers.map((watcher) => once(watcher, 'ready')));
  return {
    follow(files, complete) {
      own = new Set([contract, ...files].map((file) => resolve(cwd, file)));
      isComplete = complete;
      // chokidar misses some changes while it reads a folder again.
      for (const file of own) {
        const folder = dirname(file);
        if (folders.has(folder)) continue;
        folders.add(folder);
        contracts.add(folder);
      }
    },
    async close() {
      await Promise.all(watchers.map((watcher) => watcher.close()));
    },
  };
}

/** Configuration files of other tools are in the same folder. */
const OTHERS = new Set(['package.json', 'package-lock.json', 'tsconfig.json', 'biome.json']);

function isContractType(path: string): boolean {
  return CONTRACT_TYPES.has(extname(path)) && !OTHERS.has(basename(path));
}

/** @param isUnfinished of a file that is being saved: it is asked again, at most `MAX_EMPTY` times */
function settled(
  act: (path: string) => void,
  isUnfinished = (_path: string) => false,
): (path: string) => void {
  let timer: NodeJS.Timeout | undefined;
  const report = (path: string, left: number) => {
    if (left > 0 && isUnfinished(path)) timer = setTimeout(report, SETTLE_MS, path, left - 1);
    else act(path);
  };
  return (path) => {
    clearTimeout(timer);
    timer = setTimeout(report, SETTLE_MS, path, MAX_EMPTY);
  };
}

export class Reloading {
  readonly #io: CommandIo;
  readonly #load: () => Promise<LoadedContract>;
  readonly #started = Promise.withResolvers<Service>();
  /** Reloads run one after the other, after the start. */
  #turn: Promise<unknown> = this.#started.promise;
  #watch: Watch | undefined;
  #files: readonly string[] = [];
  #isClosed = false;

  private constructor(io: CommandIo, load: () => Promise<LoadedContract>) {
    this.#io = io;
    this.#load = load;
  }

  /** @returns after the watchers are ready */
  static async watch(
    path: string,
    io: CommandIo,
    load: () => Promise<LoadedContract>,
  ): Promise<Reloading> {
    const reloading = new Reloading(io, load);
    const onContract = (file: string) => {
      reloading.#turn = reloading.#turn.then(() => reloading.#reload(file));
    };
    reloading.#watch = await watchSaves(path, { cwd: io.cwd, onContract });
    return reloading;
  }

  start(service: Service, { files }: LoadedContract): void {
    this.#follow(files);
    this.#started.resolve(service);
  }

  /** May be called again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#watch!.close();
  }

  #follow(files: readonly string[]): void {
    this.#files = files;
    this.#watch!.follow(files, true);
  }

  async #reload(file: string): Promise<void> {
    if (this.#isClosed) return;
    const startedAt = performance.now();
    try {
      const service = await this.#started.promise;
      const contract = await this.#load();
      if (this.#isClosed) return;
      await service.serve(contract);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
      this.#io.stdout.write(`${servedLine(file, seconds)}\n`);
      for (const warning of contract.warnings) this.#io.stderr.write(`${textOf(warning)}\n`);
      this.#follow(contract.files);
    } catch (error) {
      this.#io.stderr.write(`${keptLines(file, startErrorMessage(error)).join('\n')}\n`);
      this.#watch!.follow(this.#files, false);
    }
  }
}
