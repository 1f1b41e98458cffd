// Chooses between `make test` and `make test-all`, which sets ALL_TESTS.

export const isTestAll = Boolean(process.env['ALL_TESTS']);

/**
 * Marks slow tests that only `make test-all` runs. Another test must represent them in `make test`.
 *
 * @param test `it` or `describe`
 */
export function inTestAll<Skip>(test: Skip & { readonly skip: Skip }): Skip {
  return isTestAll ? test : test.skip;
}

/**
 * @param all the number of generated cases in `make test-all`
 * @returns a tenth of them in `make test`
 */
export function runs(all: number): number {
  return isTestAll ? all : Math.ceil(all / 10);
}
