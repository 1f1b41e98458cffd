// The environment of the tests: the processes that a test starts write which code they execute.
import Environment from '../support/environment.mjs';
import { childrenFolder } from './executedSources.ts';

export default class extends Environment {
  constructor(config, context) {
    // Read at the start of a process, so this one is not concerned; spawn() passes it on.
    if (process.env.MUTATION_COVERAGE) {
      process.env.NODE_V8_COVERAGE = childrenFolder(context.testPath);
    }
    super(config, context);
  }
}
