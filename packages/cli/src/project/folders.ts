// Creates folders that a failed command removes again.
import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates the missing folders of a path; `undo` removes them. */
export function makeFolder(path: string, undo: (() => void)[]): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), undo);
  mkdirSync(path);
  undo.push(() => rmdirSync(path));
}

/** Lets the current synchronous work finish before SIGINT or SIGTERM ends the process. */
export function deferSignals(): void {
  const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
  for (const [signal, exitCode] of Object.entries(exitCodes)) {
    if (process.listenerCount(signal) === 0) process.once(signal, () => process.exit(exitCode));
  }
}
