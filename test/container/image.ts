// A Dockerfile -> the folder that it would make, by plain npm, node and sh: what its lines say, where
// no engine runs. /srv of the image is a folder of its own; all else is the machine's.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/** Only root can change users. Otherwise one user owns all files, and they are read-only. */
const isRoot = process.getuid?.() === 0;

export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** What one FROM begins. */
class Stage {
  workingFolder = '/';
  /** Who runs what follows, if it is not who runs the test. */
  user: { uid: number; gid: number } | undefined;
  readonly environment: Record<string, string> = {};
  healthcheck: readonly string[] = [];
  command: readonly string[] = [];
}

export class Image {
  readonly #empty: string;
  /** Holds `node`: the image's own, and not node_modules/.bin/node, which is for development. */
  readonly #bin: string;
  #stage = new Stage();
  #stageName: string | undefined;

  readonly #context: string;

  /**
   * Carries a Dockerfile out in an empty folder that others may enter.
   *
   * @param context the folder that COPY reads
   */
  constructor(dockerfile: string, empty: string, context = '.') {
    this.#empty = empty;
    this.#context = context;
    this.#bin = join(empty, 'bin');
    mkdirSync(this.#bin);
    copyFileSync(process.execPath, join(this.#bin, 'node'));
    for (const instruction of instructions(readFileSync(dockerfile, 'utf8'))) {
      this.#carryOut(instruction);
    }
    if (!isRoot) execFileSync('chmod', ['-R', 'a-w', this.folder]);
  }

  /** The working folder. */
  get folder(): string {
    return this.#stage.workingFolder;
  }

  get environment(): Readonly<Record<string, string>> {
    return this.#stage.environment;
  }

  get command(): readonly string[] {
    return this.#stage.command;
  }

  get healthcheck(): readonly string[] {
    return this.#stage.healthcheck;
  }

  /** @returns where the paths of the image in a text are on this machine */
  at(text: string): string {
    return text.replaceAll('/srv', join(this.#empty, 'image/srv'));
  }

  /** Starts a command as the image's user, in its folder, with its environment and no other. */
  run([file, ...args]: readonly string[], environment: Record<string, string>): ChildProcess {
    return spawn(file!, args, {
      cwd: this.folder,
      env: { ...this.environment, PATH: this.#bin, ...environment },
      ...this.#stage.user,
    });
  }

  /** What cannot be written cannot be removed either. */
  unlock(): void {
    if (!isRoot) execFileSync('chmod', ['-R', 'u+w', this.folder]);
  }

  #carryOut({ name, rest }: Instruction): void {
    const stage = this.#stage;
    if (name === 'FROM') this.#from(rest);
    else if (name === 'WORKDIR') {
      stage.workingFolder = this.at(rest);
      mkdirSync(stage.workingFolder, { recursive: true });
    } else if (name === 'COPY') this.#copy(rest.split(/\s+/));
    else if (name === 'RUN') this.#run(rest);
    else if (name === 'USER') {
      const [uid, gid] = rest.split(':').map(Number);
      if (isRoot) stage.user = { uid: uid!, gid: gid! };
    } else if (name === 'ENV') Object.assign(stage.environment, assignments(rest));
    else if (name === 'HEALTHCHECK') stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('[')));
    else if (name === 'CMD') stage.command = JSON.parse(rest);
    else if (name !== 'EXPOSE') throw new Error(`expected no ${name} in a Dockerfile`);
  }

  /** Each stage works under the same paths, as in an engine; the one before goes out of its way. */
  #from(rest: string): void {
    const root = join(this.#empty, 'image');
    if (this.#stageName !== undefined) renameSync(root, join(this.#empty, this.#stageName));
    this.#stageName = / AS (\w+)$/.exec(rest)?.[1];
    this.#stage = new Stage();
    mkdirSync(join(root, 'srv'), { recursive: true });
  }

  #copy(words: readonly string[]): void {
    const option = (name: string) =>
      words.find((word) => word.startsWith(name))?.slice(name.length);
    const paths = words.filter((word) => !word.startsWith('--'));
    const target = resolve(this.folder, this.at(paths.pop()!));
    const stage = option('--from=');
    const isOptional = (path: string) => path.includes('*');
    const found = paths.flatMap((path) =>
      isOptional(path) ? globSync(path, { cwd: this.#context }) : [path],
    );
    for (const path of found) {
      const source =
        stage === undefined ? resolve(this.#context, path) : join(this.#empty, stage, path);
      // A file goes into a folder, a folder becomes it.
      const isFile = stage === undefined && /\.\w+$/.test(path);
      const into = isFile ? join(target, basename(path)) : target;
      cpSync(source, into, { recursive: true, verbatimSymlinks: true });
    }
    const owner = option('--chown=');
    if (owner !== undefined && isRoot) execFileSync('chown', ['-R', owner, target]);
  }

  #run(rest: string): void {
    const line = this.at(rest);
    // Only root can change the owner of a file.
    execFileSync('sh', ['-c', isRoot ? line : line.replace(/ -o \d+ -g \d+/, '')], {
      cwd: this.folder,
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        npm_config_prefer_offline: 'true',
        ...this.environment,
        PATH: `${this.#bin}:${process.env['PATH']}`,
      },
      stdio: 'pipe',
      ...this.#stage.user,
    });
  }
}

/** @returns the instructions of a Dockerfile: comments dropped, continued lines joined */
export function instructions(text: string): Instruction[] {
  const joined = text.replace(/^#.*\n/gm, '').replace(/\\\n\s*/g, '');
  return [...joined.matchAll(/^(\S+) +(.*)$/gm)].map(([, name, rest]) => ({
    name: name!,
    rest: rest!,
  }));
}

/** @returns what an ENV sets */
export function assignments(rest: string): Record<string, string> {
  return Object.fromEntries(
    [...rest.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
  );
}
