// The tests as `make test-mutation` runs them: coverage of the sources, whose characters keep their offsets.
import tests from '../../jest.config.ts';

export default {
  ...tests,
  testEnvironment: '<rootDir>/test/mutation/environment.mjs',
  transform: { '^.+\\.ts$': '<rootDir>/test/support/stripTypes.mjs' },
  // A mutant that makes a test wait is noticed.
  testTimeout: 40_000,
  // The helpers of tests, too: a test is measured again when one of them changes.
  collectCoverageFrom: ['packages/*/{src,test}/**/*.ts', 'test/**/*.ts'],
};
