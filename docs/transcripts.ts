// Runs the commands in the ```console blocks of PAGES, and writes their output into the pages.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '@stubwright/test-support/freePort';

/** The pages of the commands, one each. */
export const COMMAND_PAGES = globSync('docs/stubwright/commands/*.md').sort();
export const PAGES = [
  ...COMMAND_PAGES,
  'docs/stubwright/editors.md',
  'docs/stubwright/getting-started.md',
  'docs/stubwright/monorepos.md',
  'docs/stubwright/overlays.md',
  'docs/stubwright/traffic.md',
];
/** The project in which the commands of each page run. */
const CONTRACT = 'docs/stubwright/commands/openapi.yaml';
const BLOCK = /^```console\n(.*?)^```$/gms;
/** With its continuation lines, as of a here-document. */
const COMMAND = /^\$ .*(?:\n>.*)*/gm;

/** Ports of the pages; the commands run with free ones. */
const PORTS = ['3000', '4010'] as const;
/** The last line that a command in the background prints at its start. */
const READY: Readonly<Record<string, RegExp>> = {
  mock: /^curl .*\n( .*\n)*/m,
  proxy: /^proxy .*\n/m,
  dev: /^ {2}types {6}(?!checking).*\n/m,
};
const QUIET_MS = 400;
const LIMIT_MS = 300_000;

/** @returns the page with the output of its commands as they print it now */
export async function transcribed(page: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'transcript-'));
  const session = await Session.start(folder);
  try {
    let text = '';
    let end = 0;
    for (const match of page.matchAll(BLOCK)) {
      text += `${page.slice(end, match.index)}\`\`\`console\n`;
      for (const [command] of match[1]!.matchAll(COMMAND)) {
        const output = await session.run(command.replaceAll(/^[$>] ?/gm, ''));
        text += `${command}\n${command.endsWith(' --help') ? shortHelp(output) : output}`;
      }
      text += '```';
      end = match.index + match[0].length;
    }
    return text + page.slice(end);
  } finally {
    await session.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of many commands: packages/cli/README.md describes them. */
const SHARED =
  /^ {2}(?:contract {3,}path of the contract|--(?:allow-outside|overlay|force|json)\b|-[hq],).*\n(?: {8,}.*\n)*/gm;

/** @returns usage, and the arguments and options of this command; the page has the description and examples */
function shortHelp(help: string): string {
  const parts = help.split('\n\n').map((part) => `${part.trimEnd()}\n`.replaceAll(SHARED, ''));
  const shown = parts.filter((part) => /^Usage:|^(?:Arguments|Options):\n./.test(part));
  return `${shown.join('\n')}  …\n`;
}

/** A shell in a project of its own. */
export class Session {
  readonly #shell: ChildProcess;
  readonly #folder: string;
  readonly #ports: readonly string[];
  #output = '';
  #hasJobs = false;

  static async start(folder: string): Promise<Session> {
    const project = join(folder, 'toys');
    const bin = join(folder, 'bin');
    mkdirSync(project);
    mkdirSync(bin);
    cpSync(CONTRACT, join(project, 'openapi.yaml'));
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const ports = (await Promise.all(PORTS.map(freePort))).map(String);
    const defaults = `case $1 in proxy) PORT=${ports[1]} ;; *) PORT=${ports[0]} ;; esac; export PORT`;
    const run = `exec '${process.execPath}' '${resolve('packages/cli/src/main.ts')}' "$@"`;
    writeFileSync(join(bin, 'stubwright'), `#!/bin/sh\n${defaults}\n${run}\n`);
    chmodSync(join(bin, 'stubwright'), 0o755);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project, env: ENV });
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '--message=Toys');
    const PATH = `${bin}:${dirname(process.execPath)}:${process.env['PATH']}`;
    const shell = spawn('bash', ['--norc', '--noprofile'], {
      cwd: project,
      env: { ...ENV, PATH },
      detached: true,
    });
    return new Session(shell, folder, ports);
  }

  private constructor(shell: ChildProcess, folder: string, ports: readonly string[]) {
    this.#shell = shell;
    this.#folder = folder;
    this.#ports = ports;
    for (const stream of [shell.stdout!, shell.stderr!]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.#output += text;
      });
    }
    shell.stdin!.write('exec 2>&1\n');
  }

  /** @returns what the command prints, normalized; `''` or lines */
  async run(command: string): Promise<string> {
    this.#output = '';
    const ported = PORTS.reduce(
      (text, port, at) => text.replaceAll(port, this.#ports[at]!),
      command,
    );
    const [, job] =
      /^stubwright (\w+) .*&$|^stubwright (\w+) &$/.exec(command)?.filter(Boolean) ?? [];
    // The exit code of the command stays in $? for the next one.
    this.#shell.stdin!.write(`${ported}\n{ last=$?; echo '${END}'; (exit $last); }\n`);
    await this.#until(() => this.#output.includes(`${END}\n`), command);
    if (job !== undefined) {
      this.#hasJobs = true;
      if (command.includes('>')) await this.#accepts(this.#ports[0]!);
      else await this.#until(() => READY[job]!.test(this.#output.replace(`${END}\n`, '')), command);
    }
    if (this.#hasJobs) await this.#quiet();
    const text = this.#normalized(this.#output.replace(`${END}\n`, ''));
    return text === '' || text.endsWith('\n') ? text : `${text}\n`;
  }

  async end(): Promise<void> {
    const ended = once(this.#shell, 'exit');
    // With its jobs.
    process.kill(-this.#shell.pid!, 'SIGKILL');
    await ended;
  }

  async #until(isDone: () => boolean, command: string): Promise<void> {
    const limit = performance.now() + LIMIT_MS;
    while (!isDone()) {
      if (performance.now() > limit) throw new Error(`${command}: no end: ${this.#output}`);
      await setTimeout(10);
    }
  }

  /** Waits for a service whose output is redirected. */
  async #accepts(port: string): Promise<void> {
    for (let left = LIMIT_MS / 50; left > 0; left--) {
      if (
        await fetch(`http://127.0.0.1:${port}/`).then(
          () => true,
          () => false,
        )
      )
        return;
      await setTimeout(50);
    }
    throw new Error(`port ${port}: no service`);
  }

  async #quiet(): Promise<void> {
    for (let before: string | undefined; before !== this.#output; ) {
      before = this.#output;
      await setTimeout(QUIET_MS);
    }
  }

  #normalized(text: string): string {
    return PORTS.reduce((all, port, at) => all.replaceAll(this.#ports[at]!, port), text)
      .replaceAll(this.#folder, '/home/me')
      .replaceAll(/Bearer [\w.-]{20,}/g, 'Bearer …')
      .replaceAll(/[ \t]+$/gm, '')
      .replaceAll(VERSION, 'X.Y.Z');
  }
}

const END = '--end-of-output--';
const { version: VERSION } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8'));
const NAMES = { GIT_AUTHOR_NAME: 'me', GIT_COMMITTER_NAME: 'me' };
const EMAILS = { GIT_AUTHOR_EMAIL: 'me@localhost', GIT_COMMITTER_EMAIL: 'me@localhost' };
const ENV = {
  ...process.env,
  ...NAMES,
  ...EMAILS,
  ...{ LOG_LEVEL: 'warn', NODE_OPTIONS: '', NODE_NO_WARNINGS: '1', NO_COLOR: '1', COLUMNS: '100' },
  ...{ NODE_COMPILE_CACHE: join(tmpdir(), 'stubwright-transcripts') },
  // A busy machine sheds no load.
  LAG_LIMIT: '60000',
};

if (import.meta.main) {
  for (const page of process.argv.length > 2 ? process.argv.slice(2) : PAGES) {
    const text = readFileSync(page, 'utf8');
    writeFileSync(page, await transcribed(text));
    process.stdout.write(`${page}\n`);
  }
}
