// The tests of make site, which builds the site before.
import type { Config } from 'jest';
import shared from '../../jest.config.ts';

export default {
  ...shared,
  rootDir: '../..',
  roots: ['<rootDir>/test/site'],
  testPathIgnorePatterns: ['/node_modules/'],
} satisfies Config;
