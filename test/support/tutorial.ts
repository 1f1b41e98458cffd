// Follows a section of a page as its reader does: files, changes, commands and their output.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '@stubwright/test-support/freePort';
import { type RunningProcess, startProcess } from '@stubwright/test-support/runningProcess';

const PORT = '3000';
const START = 'npm start';

export interface TutorialOptions {
  /** An empty one. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Instead of a command of the page: another command; `''` for none. */
  readonly replaced?: (command: string, folder: string) => string;
}

/** @returns the text of the section, without its heading @param heading `From an empty folder` */
export function sectionOf(page: string, heading: string): string {
  const [, section] = readFileSync(page, 'utf8').split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`${page}: expected the heading ${heading}`);
  return section.split(/^## /m, 1)[0]!;
}

/** Follows the section to its end. @returns the section, with the output of its commands as it is now */
export async function followed(section: string, options: TutorialOptions): Promise<string> {
  const reader = new Reader(options, String(await freePort()));
  try {
    let text = '';
    let end = 0;
    for (const match of section.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
      const [block, language, code] = match as unknown as [string, string, string];
      text += section.slice(end, match.index);
      text += language === 'console' ? reader.transcript(code) : block;
      if (language === 'diff') reader.apply(code);
      else if (language === 'sh')
        for (const line of code.trim().split('\n')) await reader.run(line);
      else if (language !== 'console') reader.write(code);
      end = match.index + block.length;
    }
    return text + section.slice(end);
  } finally {
    await reader.stop();
  }
}

class Reader {
  readonly #options: TutorialOptions;
  readonly #port: string;
  #folder: string;
  #service: RunningProcess | undefined;

  constructor(options: TutorialOptions, port: string) {
    this.#options = options;
    this.#port = port;
    this.#folder = options.folder;
  }

  /** Writes a file whose name is the comment in its first line. */
  write(code: string): void {
    const [first = '', ...lines] = code.split('\n');
    const [, name] = /^(?:#|\/\/) (\S+)$/.exec(first) ?? [];
    if (name === undefined) throw new Error(`got ${first}, expected a comment with a name`);
    const path = join(this.#folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines.join('\n'));
  }

  apply(diff: string): void {
    const options = { cwd: this.#folder, env: { ...this.#options.env, GIT_DIR: '/dev/null' } };
    execFileSync('git', ['apply', '-'], { ...options, input: diff });
  }

  async run(line: string): Promise<void> {
    if (line.startsWith('cd ')) this.#folder = join(this.#folder, line.slice('cd '.length));
    else if (line === START) await this.#start();
    else this.#output(line);
  }

  transcript(code: string): string {
    const commands = code.split('\n').filter((line) => line.startsWith('$ '));
    const printed = commands.map((line) => `${line}\n${this.#output(line.slice('$ '.length))}`);
    return `\`\`\`console\n${printed.join('')}\`\`\``;
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
  }

  /** Of both streams; the exit code is not compared, because commands of a page may fail. */
  #output(line: string): string {
    const { replaced = (command) => command, env } = this.#options;
    const command = replaced(line, this.#folder).replaceAll(`:${PORT}`, `:${this.#port}`);
    const output = execFileSync('sh', ['-c', `{ ${command || ':'}\n} 2>&1; true`], {
      ...{ cwd: this.#folder, env, encoding: 'utf8' },
    });
    const text = output.replaceAll(`:${this.#port}`, `:${PORT}`).replaceAll('\r', '');
    return text === '' || text.endsWith('\n') ? text : `${text}\n`;
  }

  async #start(): Promise<void> {
    // In a group, which a signal reaches as a whole: npm and the service.
    this.#service = startProcess(START.split(' '), {
      ...{ cwd: this.#folder, detached: true },
      env: { ...this.#options.env, PORT: this.#port },
    });
    await this.#service.printed(/"msg":"listening"/);
  }
}
