// What is saved: a contract's file or a source, reported once for all the events of a save.
import { once } from 'node:events';
import { dirname, extname } from 'node:path';
import { watch } from 'chokidar';

const SOURCES = 'src';
const CONTRACT_TYPES = new Set(['.yaml', '.yml', '.json']);
/** Editors write a file in several steps; and several files may be saved at once. */
const SETTLE_MS = 30;

export interface Watch {
  /** Watches the folders of these files too: a contract may grow by one. */
  follow(files: readonly string[]): void;
  close(): Promise<void>;
}

/**
 * Reports each save from now on.
 *
 * @param contract its path; it may have errors
 * @returns once no save is missed any more
 */
export async function watchSaves(
  contract: string,
  onContract: () => void,
  onSource: () => void,
): Promise<Watch> {
  const contracts = watch(dirname(contract), { ignoreInitial: true, depth: 0 });
  const sources = watch(SOURCES, { ignoreInitial: true });
  const reportContract = settled(onContract);
  contracts.on('all', (_event, path) => {
    if (CONTRACT_TYPES.has(extname(path))) reportContract();
  });
  sources.on('all', settled(onSource));
  await Promise.all([contracts, sources].map((each) => once(each, 'ready')));
  return {
    follow: (files) => contracts.add([...new Set(files.map((file) => dirname(file)))]),
    async close() {
      await Promise.all([contracts.close(), sources.close()]);
    },
  };
}

function settled(act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, SETTLE_MS);
  };
}
