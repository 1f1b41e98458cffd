// What a command was asked to check failed: its exit code is 1.
export class FailedCheck extends Error {
  /** @param message empty if the command has reported the reasons */
  constructor(message = '') {
    super(message);
  }
}
