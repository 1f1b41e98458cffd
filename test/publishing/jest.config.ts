// The tests of make test-adoption, which need the registry of main.ts.
import type { Config } from 'jest';
import shared, { native } from '../../jest.config.ts';

export default {
  ...native,
  rootDir: '../..',
  roots: ['<rootDir>/test/publishing'],
  testMatch: ['**/*.test.ts'],
  reporters: ['default', 'summary', './test/support/progressReporter.ts'],
  testTimeout: 600_000,
  maxWorkers: shared.maxWorkers,
} satisfies Config;
