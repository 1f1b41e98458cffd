// A service as a process that can be killed.
import { type RunningProcess, startProcess } from './runningProcess.ts';

export interface ServiceProcess extends RunningProcess {
  /** Resolves with the URL once it listens; rejects if it ends before. */
  readonly url: Promise<string>;
}

const NODE_COMPILE_CACHE = 'node_modules/.cache/compiled';

/**
 * Starts `node <script>` with exactly these settings and a free port.
 *
 * @param command that runs it and becomes its process, with arguments
 */
export function spawnScript(
  script: string,
  env: Record<string, string>,
  command: readonly string[] = [],
): ServiceProcess {
  const running = startProcess([...command, process.execPath, script], {
    // As `make start` does: it halves what a start costs.
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE, PORT: '0', ...env },
  });
  const url = running.printed(/"url":"([^"]+)"/).then(([, found]) => found!);
  url.catch(() => {});
  return { ...running, url };
}
