// No command opens a file, a connection or a program that a contract names.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { valueAt } from '@stubwright/contract';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import { parse } from 'yaml';
import type { Run } from './support/command.ts';
import { contractWithData, DATA_LOCATIONS, URL_OF_NOTHING } from './support/hostileContracts.ts';
import type { Job } from './support/runCommands.ts';

const folder = temporaryFolder();
const root = realpathSync(folder.path);
/** The project whose packages are installed: another one in a copy of the repository. */
const installed = resolve(realpathSync('node_modules/yaml'), '../..');
afterAll(() => folder.remove());

const OUTSIDE = [
  ...['/etc/passwd', '/proc/self/environ', '../secret.yaml', 'link.yaml', 'linked/secret.yaml'],
  ...['file:///etc/passwd', URL_OF_NOTHING, '//127.0.0.1:49151/a.yaml', 'http:/secret.yaml'],
];
const OTHERS = [
  ...['secret.yaml', '.env', 'none.yaml', '#/components/schemas/Toy', '#/components/schemas/None'],
  ...['#none', ''],
];
const TRAPS = /\b(?:secret\.yaml|link\.yaml|none\.yaml|\.env)$/;

/** In a folder that is a git repository; `init` precedes the commands of a project. */
const COMMANDS = [
  ...['check', 'bundle', 'client', 'generate', 'diff openapi.yaml', 'diff HEAD'],
  ...['changelog --from HEAD', 'mock --port 0', `proxy openapi.yaml ${URL_OF_NOTHING} --port 0`],
  ...['release', 'diff latest', 'coverage', 'init openapi.yaml service --no-install'],
];
const IN_PROJECT = ['dev', 'replay'];

interface Observed extends Run {
  readonly command: string;
  readonly forbidden: readonly string[];
}

/** Runs commands in each folder, all in one process. */
function observe(folders: readonly string[], isProject: boolean): Observed[] {
  const jobs = folders.flatMap((cwd) => [
    ...COMMANDS.map((command): Job => ({ args: command.split(' '), cwd })),
    ...(isProject ? IN_PROJECT : []).map(
      (command): Job => ({ args: [command], cwd: join(cwd, 'service') }),
    ),
  ]);
  const [list, log] = [join(root, 'jobs.json'), join(root, 'access.log')];
  writeFileSync(list, JSON.stringify(jobs));
  writeFileSync(log, '');
  const support = resolve('packages/cli/test/support');
  const hook = pathToFileURL(join(support, 'recordAccess.ts'));
  const output = execFileSync(process.execPath, [join(support, 'runCommands.ts'), list], {
    env: {
      ...{ PATH: process.env['PATH'], TMPDIR: root },
      ...{ ACCESS_LOG: log, NODE_OPTIONS: `--import=${hook}` },
    },
    maxBuffer: 2 ** 30,
  });
  const runs: Run[] = JSON.parse(String(output));
  const [, ...access] = readFileSync(log, 'utf8').split(/^job\t\d+\n/m);
  return runs.map((run, at) => ({
    ...run,
    command: jobs[at]!.args.join(' '),
    forbidden: access[at]!.trimEnd().split('\n').filter(isForbidden),
  }));
}

/** @param line of the access log */
function isForbidden(line: string): boolean {
  const [kind, target = ''] = line.split('\t');
  if (kind === 'connect') return true;
  // `dev` checks types in another process.
  if (kind === 'spawn') return target !== 'git' && target !== process.execPath;
  const isOwn = [root, resolve('.'), installed].some((each) => `${target}/`.startsWith(`${each}/`));
  return kind === 'open' && (!isOwn || TRAPS.test(target));
}

let count = 0;

/** @returns the folder of a contract, with what must not be read in it and next to it */
function repositoryOf(files: Readonly<Record<string, unknown>>): string {
  const path = join(root, `${count++}`, 'api');
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  };
  for (const [file, value] of Object.entries(files)) write(file, JSON.stringify(value, null, 2));
  for (const file of ['../secret.yaml', 'secret.yaml', '.env']) write(file, '{type: string}');
  symlinkSync('../secret.yaml', join(path, 'link.yaml'));
  symlinkSync('..', join(path, 'linked'));
  // A folder of this name makes the URL a path.
  write(URL_OF_NOTHING.replace('//', '/'), '{type: string}');
  write('http:/secret.yaml', '{type: string}');
  write('build/observed/1', 'storeToy 200 application/json\nstoreToy 400 without a body\n');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: path });
  git('init', '-q');
  git('add', ...Object.keys(files));
  git('commit', '-qm', 'One');
  mkdirSync(join(path, 'service'));
  symlinkSync(resolve('node_modules'), join(path, 'service/node_modules'));
  return path;
}

describe('data with the form of a reference', () => {
  const targets = [...OUTSIDE, ...OTHERS];
  // Each target at each location takes as many contracts as targets.
  const documents = (isTestAll ? targets : targets.slice(0, 1)).map((_, offset) =>
    contractWithData((index) => ({ $ref: targets[(index + offset) % targets.length] })),
  );

  inTestAll(it)(
    'is followed by no command, and stays in the bundle',
    () => {
      const folders = [
        ...documents.map((document) => repositoryOf({ 'openapi.yaml': document })),
        // In several files.
        repositoryOf({
          'openapi.yaml': {
            ...documents[0],
            paths: { '/toys': { $ref: `part.yaml#/paths/~1toys` } },
          },
          'part.yaml': documents[0],
        }),
      ];
      const runs = observe(folders, true);
      expect(runs).toHaveLength(folders.length * (COMMANDS.length + IN_PROJECT.length));
      expect(runs.filter(({ forbidden }) => forbidden.length > 0)).toEqual([]);
      expect(runs.filter(({ status }) => status !== 0)).toEqual([]);
      // Proof that accesses are recorded.
      const log = readFileSync(join(root, 'access.log'), 'utf8');
      for (const path of folders) expect(log).toContain(`open\t${path}/openapi.yaml\n`);
      const bundles = runs
        .filter(({ command }) => command === 'bundle')
        .map(({ out }) => parse(out));
      for (const [at, document] of documents.entries()) {
        for (const pointer of DATA_LOCATIONS.filter((each) => !each.includes('/x-'))) {
          expect(valueAt(bundles[at], pointer)).toEqual(valueAt(document, pointer));
        }
      }
    },
    300_000,
  );
});

describe('a reference', () => {
  const reference = (target: string) => {
    const $ref = { $ref: target };
    const response = { description: 'Toys', content: { 'application/json': { schema: $ref } } };
    const get = { operationId: 'getToys', parameters: [$ref], responses: { 200: response } };
    const schemas = {
      Toy: { properties: $ref },
      Any: { discriminator: { mapping: { a: target } } },
    };
    return {
      ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1.0.0' } },
      paths: { '/a': { get }, '/b': $ref, '/c': { get: $ref } },
      components: { schemas, examples: { a: $ref }, securitySchemes: { b: $ref } },
    };
  };

  it('to a file outside of the repository or to a URL is followed by no command', () => {
    const targets = isTestAll ? OUTSIDE : [URL_OF_NOTHING];
    const folders = targets.map((target) => repositoryOf({ 'openapi.yaml': reference(target) }));
    const runs = observe(folders, false);
    expect(runs.filter(({ forbidden }) => forbidden.length > 0)).toEqual([]);
    const checks = runs.filter(({ command }) => command === 'check');
    expect(checks.map(({ status }) => status)).toEqual(targets.map(() => 1));
  }, 300_000);
});
