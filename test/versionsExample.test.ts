// The example of served versions, as its README says: types, and the generated client of each version.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';

/** In the project, so that its packages resolve. */
const FOLDER = resolve('build/versions');

beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true });
  cpSync('docs/examples/versions', FOLDER, { recursive: true });
});

it.each(['generate', 'check', 'test'])('passes npm run %s', (script) => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', script], {
    ...{ cwd: FOLDER, encoding: 'utf8' },
    env: { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined },
  });
  expect(status === 0 ? '' : stdout + stderr).toBe('');
});
