// The example of orders, with the packages of this repository.
import { cpSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe } from '@jest/globals';
import { chromiumPath } from '../packages/stubwright/test/support/browser.ts';
import { inTestAll, isTestAll } from '../packages/stubwright/test/support/testAll.ts';
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
});
