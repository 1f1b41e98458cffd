// A second process with a store open, to hold a file's lock or to be killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll } from '@jest/globals';

const OPEN = new URL('./toyStore.ts', import.meta.url);

/**
 * Starts a process that opens the store, creates `toys` of them with ids from 1, prints a line
 * and waits. Resolves when the line has come.
 */
export type StartStore = (databaseUrl: string, toys?: number) => Promise<ChildProcess>;

/** @returns a function that starts processes of a file of tests: a test that fails half-way leaves none behind */
export function storeProcesses(): StartStore {
  const started: ChildProcess[] = [];
  afterAll(() => {
    for (const child of started) child.kill('SIGKILL');
  });
  return async (databaseUrl, toys = 0) => {
    const script = `
      import { openToyStore } from ${JSON.stringify(OPEN.href)};
      const store = await openToyStore(${JSON.stringify(databaseUrl)});
      const ids = Array.from({ length: ${toys} }, (_, index) => BigInt(index + 1));
      await Promise.all(ids.map((id) => store.create({ id, name: 'Aloe vera' })));
      console.log('ready');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.push(child);
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    return child;
  };
}

/** Ends it without a chance to close the store. */
export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}
