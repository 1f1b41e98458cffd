// The tests with coverage by character.
import type { Config } from 'jest';
import { native } from '../../jest.config.ts';

export default {
  ...native,
  rootDir: '../..',
  roots: ['<rootDir>/test', '<rootDir>/packages'],
  testMatch: ['**/*.test.ts'],
  testEnvironment: '<rootDir>/test/mutation/environment.ts',
  globalSetup: '<rootDir>/test/support/startOfRun.ts',
  testTimeout: 120_000,
  // Each file has a new process: the code outside of functions runs once in a process.
  workerIdleMemoryLimit: 1024,
} satisfies Config;
