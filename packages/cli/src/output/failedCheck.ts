// What a command was asked to check failed: its exit code is 1.
export class FailedCheck extends Error {}
