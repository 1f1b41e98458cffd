// A service as a process that can be killed.
import { type ChildProcess, spawn } from 'node:child_process';

export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Everything it printed so far. */
  output(): string;
  /** Resolves with the URL once it listens; rejects if it ends before. */
  readonly url: Promise<string>;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
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
  const [file = '', ...args] = [...command, process.execPath, script];
  const child = spawn(file, args, {
    // As `make start` does: it halves what a start costs.
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE, PORT: '0', ...env },
  });
  let output = '';
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.on('exit', (code, signal) => resolve({ code, signal })),
  );
  const url = new Promise<string>((resolve, reject) => {
    const collect = (chunk: Buffer) => {
      output += chunk;
      const found = /"url":"([^"]+)"/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    exited.then(() => reject(new Error(`the service ended: ${output}`)));
  });
  url.catch(() => {});
  return { child, output: () => output, url, exited };
}
