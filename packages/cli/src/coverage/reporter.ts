// A jest reporter: the run fails if a declared response was not observed by any test.
import {
  coverageOf,
  coverageTable,
  forgetObserved,
  HANDLER_INDEX,
  implementedIn,
  observedResponses,
} from './coverage.ts';

export { recordObserved } from './coverage.ts';

/** Paths, relative to the working directory. */
interface CoverageOptions {
  /** By default `openapi.yaml`. */
  readonly contract?: string;
  /**
   * A module that exports `handlers`; responses of operations without a function in it are not
   * expected. By default `src/handlers/index.ts`; without that file every operation counts.
   */
  readonly handlers?: string;
}

/** Of jest: https://jestjs.io/docs/configuration#custom-reporters */
export default class CoverageReporter {
  readonly #contract: string;
  readonly #handlers: string;
  #error: Error | undefined;

  constructor(_jest: unknown, options: CoverageOptions = {}) {
    this.#contract = options.contract ?? 'openapi.yaml';
    this.#handlers = options.handlers ?? HANDLER_INDEX;
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
    // Imported after the tests: the loader is slow to import, and test clients import this module.
    const { loadContractFiles } = await import('../loading/load.ts');
    const { definition } = await loadContractFiles(this.#contract);
    const isImplemented = await implementedIn(this.#handlers);
    const responses = coverageOf(definition, observedResponses() ?? new Set(), isImplemented);
    process.stdout.write(coverageTable(responses));
    const missing = responses.filter(({ state }) => state === 'missing');
    if (missing.length === 0) return undefined;
    const names = missing.map(({ name }) => name).join('; ');
    return new Error(`declared responses that no test observed: ${names}`);
  }
}
