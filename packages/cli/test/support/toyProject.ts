// A project in a temporary folder: a contract, its first release, a git repository. Commands run in it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { type Run, runCommand } from './command.ts';

export const CONTRACT = 'packages/test-support/toys.yaml';
const TOKEN = { Authorization: 'Bearer TOKEN' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const STORE = {
  ...{ operationId: 'storeToy', method: 'post', path: '/toys', status: 200 },
  ...{ headers: { ...TOKEN, ...JSON_TYPE }, body: ['{"id":1,"name":"Teddy bear"}'] },
};
const GET = { operationId: 'getToy', method: 'get', path: '/toys/1', headers: TOKEN, status: 200 };
/** As `make release` writes it: one conversation for each operation. */
const REQUESTS = [{ name: 'a new toy', requests: [STORE, GET] }];

export interface ToyProject extends TemporaryFolder, Disposable {
  /** Runs a command of `stubwright` in the project, in this process. */
  run(command: string, ...args: string[]): Promise<Run>;
  read(file: string): string;
  write(file: string, text: string): void;
  /** Runs git in the project. @returns its output */
  git(...args: string[]): string;
}

/** A commit of the contract and its release. */
export function createRepository(): ToyProject {
  const project = createToyProject();
  project.git('init', '--quiet', '--template=', '--initial-branch', 'main');
  project.git('add', '.');
  project.git('commit', '--quiet', '--message', 'Toys');
  return project;
}

export function createToyProject(): ToyProject {
  const project = createEmptyProject();
  project.write('test/released/1.0.0.yaml', readFileSync(CONTRACT, 'utf8'));
  project.write('test/released/1.0.0.requests.json', JSON.stringify(REQUESTS));
  return project;
}

/** A project with the contract, without a release; `files` are empty. */
export function createEmptyProject(files: readonly string[] = []): ToyProject {
  const project = createFolder();
  cpSync(CONTRACT, join(project.path, 'openapi.yaml'));
  for (const file of files) project.write(file, '');
  return project;
}

/** A folder without files. */
export function createFolder(): ToyProject {
  const folder = temporaryFolder();
  const at = (file: string) => join(folder.path, file);
  const write = (file: string, text: string) => {
    mkdirSync(dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  };
  return {
    ...folder,
    run: (...args) => runCommand(args, { cwd: folder.path }),
    read: (file) => readFileSync(at(file), 'utf8'),
    write,
    git: (...args) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        ...{ cwd: folder.path, encoding: 'utf8', stdio: 'pipe' },
      }).trim(),
    [Symbol.dispose]: () => folder.remove(),
  };
}
