// What is saved: a contract's file or a source, told once for all the events that a save makes.
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watch } from 'chokidar';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));
const CONTRACT_TYPES = new Set(['.yaml', '.yml', '.json']);
/** Editors write a file in several steps; and several files may be saved at once. */
const SETTLE_MS = 30;

export interface Watch {
  /** Watches the folders of these files too: a contract may grow by one. */
  follow(files: readonly string[]): void;
  close(): Promise<void>;
}

/** Tells of each save, of a contract before that of a source. */
export function watchSaves(onContract: () => void, onSource: () => void): Watch {
  const contracts = watch([], { ignoreInitial: true, depth: 0 });
  const sources = watch(SOURCES, { ignoreInitial: true });
  contracts.on('all', (_event, path) => {
    if (CONTRACT_TYPES.has(extname(path))) tellContract();
  });
  const tellContract = settled(onContract);
  sources.on('all', settled(onSource));
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
