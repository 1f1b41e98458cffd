// A command that serves until a signal, in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const SCRIPT = resolve('packages/cli/src/main.ts');

export interface RunningCommand {
  /** The URL that the command printed. */
  readonly url: string;
  readonly output: { out: string; err: string };
  /** @returns the exit code, after all output */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * @param ready matches the output once the command listens; its first group is the URL
 * @param cwd the working directory, by default the repository
 */
export async function startCommand(
  args: readonly string[],
  ready: RegExp,
  cwd = '.',
): Promise<RunningCommand> {
  const { child, output } = spawnCommand(args, cwd);
  const closed = once(child, 'close');
  const url = await new Promise<string>((resolve, reject) => {
    const onOutput = () => {
      const [, found] = ready.exec(output.out + output.err) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout!.on('data', onOutput);
    child.stderr!.on('data', onOutput);
    void closed.then(() => reject(new Error(`ended early: ${output.out}${output.err}`)));
  });
  return {
    url,
    output,
    async stop(signal = 'SIGINT') {
      child.kill(signal);
      const [code] = await closed;
      return code as number | null;
    },
  };
}

/** Runs a command to its end. */
export async function runCommand(args: readonly string[]) {
  const { child, output } = spawnCommand(args);
  const [status] = await once(child, 'close');
  return { status: status as number | null, ...output };
}

function spawnCommand(
  args: readonly string[],
  cwd = '.',
): {
  child: ChildProcess;
  output: { out: string; err: string };
} {
  const env = { ...process.env, LOG_LEVEL: 'warn', NODE_OPTIONS: '', NO_COLOR: '1' };
  const child = spawn(process.execPath, [SCRIPT, ...args], { cwd, env, stdio: 'pipe' });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.err += text;
  });
  return { child, output };
}
