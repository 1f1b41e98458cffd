// The errors of a contract.

import { type Located, textOf } from './finding.ts';

/** An error of a contract, and the operations that it affects. */
export interface ContractError extends Located {
  /** Each as `get /toys`; empty if no operation refers to the error. */
  readonly operations: readonly string[];
  /** True if the operation can be mocked: unknown security scheme, duplicate operationId. */
  readonly isMockable: boolean;
  /** What errors at several locations have in common: they are one warning. */
  readonly cause?: string | undefined;
}

/** The errors of a contract; `message` has one line per error. */
export class ContractErrors extends Error {
  override readonly name = 'ContractErrors';
  /** Each as `file:line:column  error  expectation`. */
  readonly errors: readonly string[];
  readonly located: readonly Located[];

  /** @param errors a string is one without position; each is reported once */
  constructor(errors: readonly (string | Located)[]) {
    const all = errors.map((error): Located => {
      if (typeof error === 'string') return { position: undefined, message: error };
      return { position: error.position, message: error.message };
    });
    const located = [...new Map(all.map((error) => [textOf(error), error])).values()];
    const texts = located.map(textOf);
    super(texts.join('\n'));
    this.errors = texts;
    this.located = located;
  }
}
