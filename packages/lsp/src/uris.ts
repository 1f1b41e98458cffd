// Paths as URIs of an editor, and back.
import { fileURLToPath, pathToFileURL } from 'node:url';

export const URI_OF = {
  file: (path: string): string => pathToFileURL(path).href,
  /** As the git extension of VS Code opens a file of a revision; other editors show the text alone. */
  revision(path: string, revision: string): string {
    const query = JSON.stringify({ path, ref: revision });
    return `git:${pathToFileURL(path).pathname}?${encodeURIComponent(query)}`;
  },
};

/** @returns undefined for a document that is no file */
export function pathOfUri(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
