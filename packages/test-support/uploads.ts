// The temporary folders of uploads.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @returns the temporary folders of uploads that are being read or handled, of all processes */
export function uploadFolders(folder = tmpdir()): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('stubwright-uploads-'))
    .flatMap((name) => entriesOf(join(folder, name)).map((entry) => `${name}/${entry}`))
    .filter((path) => path.includes('/upload-'));
}

/** Another process may remove the folder. */
function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
