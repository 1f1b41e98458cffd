// Creates folders that a failed command removes again.
import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Writing {
  /** The folder that paths are relative to; by default the working directory of the process. */
  readonly cwd?: string | undefined;
  /** Called before the first file: a signal that would end the process must wait for the last. */
  readonly deferSignals?: (() => void) | undefined;
}

/** Creates the missing folders of a path; `undo` removes them. */
export function makeFolder(path: string, undo: (() => void)[]): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), undo);
  mkdirSync(path);
  undo.push(() => rmdirSync(path));
}
