// A process that serves, which tests start, wait for and end.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Everything it printed so far, on both streams. */
  output(): string;
  /** Resolves with the match; rejects if the process ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the first response; rejects if the process ends before. */
  responding(url: string): Promise<Response>;
  readonly exited: Promise<Exit>;
  /** Does nothing to a process that has ended. With `detached`, npm and the service get the signal. */
  stop(signal?: NodeJS.Signals): Promise<Exit>;
}

export type StartOptions = Pick<SpawnOptions, 'cwd' | 'env' | 'detached'>;

/** @param options by default the environment of this process, without the options of its Node */
export function startProcess(
  [file = '', ...args]: readonly string[],
  options: StartOptions = {},
): RunningProcess {
  const child = spawn(file, args, { env: { ...process.env, NODE_OPTIONS: '' }, ...options });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  let hasExited = false;
  const exited = new Promise<Exit>((resolve) =>
    child.on('exit', (code, signal) => {
      hasExited = true;
      resolve({ code, signal });
    }),
  );
  const failed = exited.then(() => Promise.reject(new Error(`${file} ended: ${output}`)));
  failed.catch(() => {});
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (!hasExited) process.kill(options.detached ? -child.pid! : child.pid!, signal);
    return exited;
  };
  return {
    child,
    output: () => output,
    printed: (pattern) => Promise.race([matched(child, () => pattern.exec(output)), failed]),
    responding: (url) => Promise.race([responseOf(url, () => hasExited), failed]),
    exited,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

function matched<Match>(
  { stdout, stderr }: ChildProcess,
  find: () => Match | null,
): Promise<Match> {
  return new Promise((resolve) => {
    const onOutput = () => {
      const match = find();
      if (match !== null) resolve(match);
    };
    for (const stream of [stdout!, stderr!]) stream.on('data', onOutput);
    onOutput();
  });
}

async function responseOf(url: string, isOver: () => boolean): Promise<Response> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response !== undefined || isOver()) return response!;
    await sleep(20);
  }
}
