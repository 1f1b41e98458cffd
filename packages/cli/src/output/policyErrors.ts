// The errors of a file of the project: all are printed, since no other command lists them.
export class PolicyErrors extends Error {
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(errors.join('\n'));
    this.errors = errors;
  }
}
