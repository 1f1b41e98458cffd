// The errors of a contract.

/** An error of a contract, and the operations that it affects. */
export interface ContractError {
  /** `file:line:column  error  expectation` */
  readonly text: string;
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
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(errors.join('\n'));
    this.errors = errors;
  }
}
