// The test runners of a project.

export interface TestRunner {
  /** Exports `it` and `afterAll`. */
  readonly module: string;
  readonly afterAll: string;
  /** The script, without quotes and variables that only some shells read. */
  readonly script: string;
  readonly packages: Readonly<Record<string, string>>;
}

export const RUNNERS = {
  node: {
    module: 'node:test',
    afterAll: 'after',
    script: 'node --test --experimental-test-isolation=none "test/**/*.test.ts"',
    packages: {},
  },
  vitest: {
    module: 'vitest',
    afterAll: 'afterAll',
    script: 'vitest run',
    packages: { vitest: '^5.1.1' },
  },
  jest: {
    module: '@jest/globals',
    afterAll: 'afterAll',
    // The command of jest cannot set this option of Node.
    script: `node --disable-warning=ExperimentalWarning --experimental-vm-modules -e "import('jest').then(({ run }) => run())"`,
    packages: { '@jest/globals': '^30.5.2', jest: '^30.5.2', 'ts-jest': '^29.4.15' },
  },
} as const satisfies Record<string, TestRunner>;

export type RunnerName = keyof typeof RUNNERS;

/** @param text a module of the tests @returns the module of the runner that it imports */
export function runnerIn(text: string): string | undefined {
  const modules = Object.values(RUNNERS).map(({ module }) => module);
  return modules.find((module) => new RegExp(`from ['"]${module}['"]`).test(text));
}
