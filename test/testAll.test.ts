// The files that `make test` leaves to `make test-all`.
import { existsSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { ONLY_IN_TEST_ALL } from '../jest.config.ts';

it('have another file that represents them in `make test`', () => {
  const entries = Object.entries(ONLY_IN_TEST_ALL);
  expect(entries.flat().filter((file) => !existsSync(file))).toEqual([]);
  expect(entries.filter(([, other]) => other in ONLY_IN_TEST_ALL)).toEqual([]);
});
