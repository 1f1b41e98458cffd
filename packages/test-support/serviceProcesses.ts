// Processes of a service that end after the test that starts them, also when it fails.
import { afterEach } from '@jest/globals';
import type { ServiceProcess } from './serviceProcess.ts';

/** @returns a function that starts processes as `spawn` does */
export function serviceProcesses<Settings extends readonly unknown[]>(
  spawn: (...settings: Settings) => ServiceProcess,
): (...settings: Settings) => ServiceProcess {
  const running: ServiceProcess[] = [];
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop('SIGKILL');
  });
  return (...settings) => {
    const started = spawn(...settings);
    running.push(started);
    return started;
  };
}
