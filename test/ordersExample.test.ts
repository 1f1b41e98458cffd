// The example of orders, with the packages of this repository.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { chromiumPath } from '@stubwright/test-support/browser';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import { MAIN } from '../packages/cli/test/support/command.ts';
import { describeOrders } from './support/ordersExample.ts';

/** In the project, so that its packages resolve. */
const FOLDER = resolve('build/orders');

if (isTestAll && chromiumPath === undefined) {
  process.stderr.write(
    'SKIPPED: test/ordersExample.test.ts found no Chromium; set CHROMIUM_PATH\n',
  );
}

inTestAll(describe)('docs/examples/orders', () => {
  beforeAll(() => {
    rmSync(FOLDER, { recursive: true, force: true });
    cpSync('docs/examples/orders', FOLDER, { recursive: true });
  });
  describeOrders(() => FOLDER);

  it('replays its release again and again on one database', () => {
    const run = (...args: string[]) => {
      const options = { cwd: FOLDER, env: { ...process.env, NODE_OPTIONS: '' } };
      return String(execFileSync(process.execPath, [MAIN, ...args], options));
    };
    run('generate');
    run('release');
    for (let round = 0; round < 2; round++) {
      const out = run('replay', '--database', 'sqlite:replay.db');
      expect(out).toBe('1 release, 4 conversations, 0 failed\n');
    }
  });
});
