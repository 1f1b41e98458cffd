// The commands: as a function in this process, or in a process of their own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { run } from '../../src/run.ts';

export const MAIN = resolve('packages/cli/src/main.ts');

export interface Run {
  /** The exit code; null after a signal. */
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningCommand {
  /** The URL that the command printed. */
  readonly url: string;
  readonly output: { readonly out: string; readonly err: string };
  readonly ended?: boolean;
  /** Ends it as a signal does. @returns the exit code, after all output */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Surroundings {
  /** By default the repository. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input of a command in this process. */
  readonly input?: string;
  /** True to run it in this process as on a terminal. */
  readonly isTerminal?: boolean;
  /** Of a process; by default the command `stubwright`. */
  readonly program?: string;
}

const ENV = { LOG_LEVEL: 'warn', NO_COLOR: '1' };

/** Runs a command to its end, in this process. */
export async function runCommand(
  args: readonly string[],
  { cwd = '.', env, input, isTerminal = false }: Surroundings = {},
): Promise<Run> {
  const [out, err] = [new Text(isTerminal), new Text()];
  const stdin = input === undefined ? {} : { stdin: () => Readable.from([Buffer.from(input)]) };
  const streams = { stdout: out, stderr: err, ...stdin };
  const { PATH } = process.env;
  const status = await run(args, { cwd: resolve(cwd), ...streams, env: { PATH, ...ENV, ...env } });
  return { status, out: out.text, err: err.text };
}

/**
 * Starts a command that listens, in this process.
 *
 * @param ready matches the output once the command listens; its first group is the URL
 */
export async function startCommand(
  args: readonly string[],
  ready: RegExp,
  { cwd = '.', env }: Surroundings = {},
): Promise<RunningCommand> {
  const [out, err] = [new Text(), new Text()];
  const signal = Promise.withResolvers<void>();
  const ended = run(args, {
    ...{ cwd: resolve(cwd), stdout: out, stderr: err, env: { ...ENV, ...env } },
    untilSignal: () => signal.promise,
  });
  const output = {
    get out() {
      return out.text;
    },
    get err() {
      return err.text;
    },
  };
  return {
    url: await urlIn([out, err], output, { ready, ended }),
    output,
    async stop() {
      signal.resolve();
      return ended;
    },
  };
}

/** Runs a command to its end, in a process of its own. */
export async function runProcess(
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<Run> {
  const { child, output } = spawnCommand(args, surroundings);
  const [status] = await once(child, 'close');
  return { status: status as number | null, ...output };
}

/** The same as {@link startCommand}, in a process of its own. */
export async function startProcess(
  args: readonly string[],
  ready: RegExp,
  surroundings: Surroundings = {},
): Promise<RunningCommand> {
  const { child, output } = spawnCommand(args, surroundings);
  const ended = once(child, 'close');
  return {
    get ended() {
      return child.exitCode !== null;
    },
    url: await urlIn([child.stdout!, child.stderr!], output, { ready, ended }),
    output,
    async stop(signal = 'SIGINT') {
      child.kill(signal);
      const [code] = await ended;
      return code as number | null;
    },
  };
}

/** Keeps what is written. */
class Text extends Writable {
  text = '';
  readonly isTTY: boolean;

  constructor(isTerminal = false) {
    super();
    this.isTTY = isTerminal;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk;
    this.emit('data');
    done();
  }
}

interface Start {
  readonly ready: RegExp;
  readonly ended: Promise<unknown>;
}

function urlIn(
  streams: readonly NodeJS.EventEmitter[],
  output: RunningCommand['output'],
  { ready, ended }: Start,
): Promise<string> {
  return new Promise<string>((found, reject) => {
    const onOutput = () => {
      const [, url] = ready.exec(output.out + output.err) ?? [];
      if (url !== undefined) found(url);
    };
    for (const stream of streams) stream.on('data', onOutput);
    void ended.then(() => reject(new Error(`ended early: ${output.out}${output.err}`)));
  });
}

function spawnCommand(
  args: readonly string[],
  { cwd = '.', env, program = MAIN }: Surroundings,
): {
  child: ChildProcess;
  output: { out: string; err: string };
} {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...process.env, ...ENV, NODE_OPTIONS: '', ...env },
    stdio: 'pipe',
  });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.err += text;
  });
  return { child, output };
}
