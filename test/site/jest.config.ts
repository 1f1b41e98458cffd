// The tests of make site, which builds the site before.
import type { Config } from 'jest';
import { native } from '../../jest.config.ts';

export default {
  ...native,
  rootDir: '../..',
  roots: ['<rootDir>/test/site'],
  testMatch: ['**/*.test.ts'],
  testTimeout: 120_000,
} satisfies Config;
