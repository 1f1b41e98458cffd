// What the Dockerfile of a new service installs, and the documented command for a workspace of npm.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { instructions } from '../container/image.ts';
import { installedMegabytes, MAX_PRODUCTION_MB } from '../support/installedSize.ts';
import { commandLine } from './packageManagers.ts';

const folder = temporaryFolder();
const CONTRACT = resolve('docs/stubwright/commands/openapi.yaml');
const { run, stubwright, installTools } = commandLine(folder.path);

beforeAll(() => installTools(['stubwright', '@stubwright/cli']));
afterAll(() => folder.remove());

/** Executes the COPY and RUN lines of the first stage, without corepack. */
function build(project: string, image: string): void {
  const [, ...lines] = instructions(readFileSync(join(project, 'Dockerfile'), 'utf8'));
  const end = lines.findIndex(({ name }) => name === 'FROM');
  for (const { name, rest } of lines.slice(0, end)) {
    if (name === 'RUN') run(image, 'sh', '-c', rest.replace('corepack enable && ', ''));
    if (name !== 'COPY') continue;
    const paths = rest.split(/\s+/);
    const target = join(image, paths.pop()!);
    // A pattern may match no file, as in a Dockerfile.
    for (const path of paths.flatMap((each) =>
      each.includes('*') ? globSync(each, { cwd: project }) : each,
    )) {
      const isFolder = !path.includes('.');
      cpSync(join(project, path), isFolder ? target : join(target, path.split('/').at(-1)!), {
        recursive: true,
      });
    }
  }
}

function expectProduction(modules: string): void {
  expect(existsSync(join(modules, 'stubwright'))).toBe(true);
  for (const name of ['typescript', 'openapi-typescript', '@stubwright/cli']) {
    expect([name, existsSync(join(modules, name))]).toEqual([name, false]);
  }
  expect(installedMegabytes(modules)).toBeLessThanOrEqual(MAX_PRODUCTION_MB);
}

describe('the production installation of a new service', () => {
  it.each(['npm', 'pnpm', 'yarn'])(`with %s has at most ${MAX_PRODUCTION_MB} MB`, (manager) => {
    const project = join(folder.path, manager);
    stubwright(folder.path, 'init', CONTRACT, manager, '--package-manager', manager);
    const image = join(folder.path, `${manager}-image`);
    mkdirSync(image);
    build(project, image);
    expectProduction(join(image, 'node_modules'));
  });

  it(`in a workspace of npm has at most ${MAX_PRODUCTION_MB} MB`, () => {
    const page = readFileSync('docs/stubwright/monorepos.md', 'utf8');
    const [, command] = /With npm, `(npm ci [^`]*)`/.exec(page)!;
    const root = join(folder.path, 'workspace');
    mkdirSync(root);
    writeFileSync(
      join(root, 'package.json'),
      '{"private":true,"name":"root","workspaces":["services/*"]}',
    );
    stubwright(root, 'init', CONTRACT, 'services/toys');
    const image = join(folder.path, 'workspace-image');
    for (const file of ['package.json', 'package-lock.json', 'services/toys/package.json']) {
      mkdirSync(dirname(join(image, file)), { recursive: true });
      cpSync(join(root, file), join(image, file));
    }
    run(image, 'sh', '-c', command!);
    expectProduction(join(image, 'node_modules'));
  });
});
