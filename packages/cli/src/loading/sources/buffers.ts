// Texts in memory over other sources: the unsaved files of an editor, or a contract that is on no disk.
import { dirname } from 'node:path';
import { DISK } from './disk.ts';
import type { Sources } from './sources.ts';

/**
 * @param texts by absolute path; a text counts instead of the file
 * @param below by default the disk
 */
export function buffersOver(texts: ReadonlyMap<string, string>, below: Sources = DISK): Sources {
  const folders = new Set<string>();
  for (const path of texts.keys()) {
    for (let at = dirname(path); !folders.has(at); at = dirname(at)) folders.add(at);
  }
  const isInMemory = (path: string) =>
    texts.has(path) || (folders.has(path) && !below.exists(path));
  return {
    prefix: below.prefix,
    exists: (path) => isInMemory(path) || below.exists(path),
    realPath: (path) => (isInMemory(path) ? path : below.realPath(path)),
    kindOf(path) {
      if (!isInMemory(path)) return below.kindOf(path);
      return texts.has(path) ? 'file' : 'folder';
    },
    async read(path) {
      const text = texts.get(path);
      return text === undefined ? below.read(path) : Buffer.from(text);
    },
    repositoryOf: (folder) => below.repositoryOf(folder),
  };
}
