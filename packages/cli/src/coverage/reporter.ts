// A jest reporter: the run fails if a declared response was not observed by any test.
import { coverageOf, coverageTable } from './coverage.ts';
import { EXEMPTIONS, exemptionsIn } from './exemptions.ts';
import { HANDLER_INDEX, implementedIn } from './implemented.ts';
import { forgetObserved, observedResponses } from './observed.ts';

export { recordObserved } from './observed.ts';

/** Paths, relative to the working directory. */
export interface CoverageOptions {
  /** By default `openapi.yaml`. */
  readonly contract?: string;
  /**
   * A module that exports `handlers`; responses of operations without a function in it are not
   * expected. By default `src/handlers/index.ts`; without that file every operation counts.
   */
  readonly handlers?: string;
  /** YAML, a map of responses to reasons. By default `test/coverage-exemptions.yaml`, if it exists. */
  readonly exemptions?: string;
}

/** Of jest: https://jestjs.io/docs/configuration#custom-reporters */
export default class CoverageReporter {
  readonly #contract: string;
  readonly #handlers: string;
  readonly #exemptions: string;
  #error: Error | undefined;

  constructor(_jest: unknown, options: CoverageOptions = {}) {
    this.#contract = options.contract ?? 'openapi.yaml';
    this.#handlers = options.handlers ?? HANDLER_INDEX;
    this.#exemptions = options.exemptions ?? EXEMPTIONS;
  }

  onRunStart(): void {
    forgetObserved();
  }

  async onRunComplete(): Promise<void> {
    try {
      this.#error = await this.#report();
    } catch (error) {
      this.#error = error as Error;
    }
  }

  getLastError(): Error | undefined {
    return this.#error;
  }

  async #report(): Promise<Error | undefined> {
    const exemptions = exemptionsIn(this.#exemptions);
    // Imported after the tests: the loader is slow to import, and test clients import this module.
    const { loadContractFiles } = await import('../loading/load.ts');
    const { definition } = await loadContractFiles(this.#contract);
    const isImplemented = await implementedIn(this.#handlers);
    const coverage = coverageOf(
      definition,
      observedResponses() ?? new Set(),
      exemptions,
      isImplemented,
    );
    process.stdout.write(coverageTable(coverage));
    const missing = coverage.responses.filter(({ state }) => state === 'missing');
    if (missing.length === 0) return undefined;
    const names = missing.map(({ name }) => name).join('; ');
    return new Error(`declared responses that no test observed: ${names}`);
  }
}
