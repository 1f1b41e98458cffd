// Publishes the packages to a local registry, and runs the tests of their users: `main.ts [JEST ARGUMENTS]`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join, resolve } from 'node:path';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { buildPackages, startRegistry } from './localRegistry.ts';

const folder = temporaryFolder();
// Commands that start `node` get this one.
process.env['PATH'] = `${dirname(process.execPath)}:${process.env['PATH']}`;
const registry = await startRegistry(join(folder.path, 'registry'));
try {
  const packages = join(folder.path, 'packages');
  buildPackages(packages);
  registry.publish(packages);
  const jest = resolve('node_modules/.bin/jest');
  const args = ['--config', 'test/publishing/jest.config.ts', ...process.argv.slice(2)];
  const child = spawn(process.execPath, ['--experimental-vm-modules', jest, ...args], {
    env: {
      ...process.env,
      ...registry.env,
      ALL_TESTS: '1',
      BUILT_PACKAGES: packages,
      UPLINK: registry.uplink,
    },
    stdio: 'inherit',
  });
  // jest ends its tests itself.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
} finally {
  await registry.stop();
  folder.remove();
}
