// A jest reporter: the first failing case ends the run.
export default class FailFast {
  onTestCaseResult(_test: unknown, { status }: { readonly status: string }): void {
    if (status === 'failed') process.exit(1);
  }
}
