// The tests with coverage by character: in vm contexts, with types stripped in place.
import type { Config } from 'jest';

export default {
  rootDir: '../..',
  roots: ['<rootDir>/test', '<rootDir>/packages'],
  testMatch: ['**/*.test.ts'],
  testEnvironment: '<rootDir>/test/mutation/environment.mjs',
  setupFiles: ['<rootDir>/test/support/propertySeed.ts'],
  moduleNameMapper: { '^typescript$': '<rootDir>/test/mutation/typescript.cjs' },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/test/mutation/stripTypes.mjs' },
  // A test that needs one copy of a module, or that a vm context breaks, is not measured: its waits end.
  testTimeout: 30_000,
  // jest keeps the modules of each file that a worker has run.
  workerIdleMemoryLimit: '600MB',
  // The helpers of tests, too: a test is measured again when one of them changes.
  collectCoverageFrom: ['packages/*/{src,test}/**/*.ts', 'test/**/*.ts'],
} satisfies Config;
