// The tests of make test-adoption, which need the registry of main.ts.
import type { Config } from 'jest';
import shared from '../../jest.config.ts';

export default {
  ...shared,
  rootDir: '../..',
  roots: ['<rootDir>/test/publishing'],
  testPathIgnorePatterns: ['/node_modules/'],
  reporters: ['default', './test/support/runningFiles.ts', './test/support/slowestFiles.ts'],
  testTimeout: 600_000,
} satisfies Config;
