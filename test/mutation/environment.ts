// The jest environment for coverage: records which characters of the sources a test file executes, alone in its process.
import { appendFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import Native from '../support/native/environment.ts';
import { digestOf, type TestCoverage } from './coverage.ts';
import { childCoverage, childrenFolder, executedSources } from './executedSources.ts';

/** The parts of jest-circus's events that are read. */
interface TestEvent {
  readonly name: string;
  readonly test?: { readonly errors: readonly unknown[] };
}

export default class Measured extends Native {
  readonly #session = new Session();
  readonly #testPath: string;
  readonly #startedMs = performance.now();
  #isFinished = false;
  #isFailed = false;

  constructor(config: { readonly projectConfig: never }, context: { readonly testPath: string }) {
    super(config);
    this.#testPath = context.testPath;
    // For the processes that a test starts; Node reads it at the start of a process.
    process.env['NODE_V8_COVERAGE'] = childrenFolder(context.testPath);
  }

  override async setup(): Promise<void> {
    super.setup();
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  handleTestEvent({ name, test }: TestEvent): void {
    if (name === 'run_finish') this.#isFinished = true;
    if (name === 'test_done' && test!.errors.length > 0) this.#isFailed = true;
  }

  override async teardown(): Promise<void> {
    const ms = Math.round(performance.now() - this.#startedMs);
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    this.#session.disconnect();
    const executed = [...executedSources(result), ...childCoverage(this.#testPath)];
    const sources = Map.groupBy(executed, ([path]) => path);
    const test = relative('.', this.#testPath);
    const coverage: TestCoverage = {
      ...{ test, ms, passed: this.#isFinished && !this.#isFailed },
      sources: Object.fromEntries(
        [...sources].map(([path, runs]) => [path, runs.flatMap(([, ranges]) => ranges)]),
      ),
      digests: Object.fromEntries([test, ...sources.keys()].map((path) => [path, digestOf(path)])),
    };
    appendFileSync(process.env['MUTATION_COVERAGE']!, `${JSON.stringify(coverage)}\n`);
    super.teardown();
  }
}
