// The examples of pages in docs/stubwright/ print what the pages show, and compile.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { inTestAll } from '@stubwright/test-support/testAll';
import { type Example, PAGES } from '../docs/examples.ts';

/** In the project, so that its packages resolve. */
const FOLDER = resolve('build/pages');
let examples: readonly Example[];

beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  examples = run('docs/examples.ts', FOLDER, ...PAGES)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
});

/** @returns stdout */
function run(script: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout;
}

it.each(PAGES)('%s prints the documented output', (page) => {
  const { documented, printed } = examples.find((example) => example.page === page)!;
  expect(printed).toEqual(documented);
  expect(documented.length).toBeGreaterThan(0);
});

inTestAll(it)('compiles all examples', () => {
  const tsconfig = { extends: resolve('tsconfig.json'), include: ['.'], exclude: [] };
  writeFileSync(`${FOLDER}/tsconfig.json`, JSON.stringify(tsconfig));
  run('node_modules/typescript/bin/tsc', '-p', FOLDER);
});
