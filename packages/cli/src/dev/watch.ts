// Watches the files of a contract and the sources, and reports each save once.
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { watch } from 'chokidar';

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
 * chokidar drops further changes of a file: what it dropped is read, too.
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

export interface WatchOptions {
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
  await Promise.all(watchers.map((each) => once(each, 'ready')));
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
      await Promise.all(watchers.map((each) => each.close()));
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
