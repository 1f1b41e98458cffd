// One round of each; `make test-faults` repeats them.
import { describe, expect, it } from '@jest/globals';
import { applications } from '../application.ts';
import { faults } from './faults.ts';
import { canPreload } from './shim.ts';

const cases = applications.flatMap((application) =>
  Object.keys(faults).map((fault) => [application.name, fault, application] as const),
);

(canPreload ? describe : describe.skip)('a disk fault under load', () => {
  it.concurrent.each(cases)(
    'loses no row of the %s and makes no answer false: %s',
    async (_, fault, application) => {
      const { acknowledged, violations } = await faults[fault]!(fault, 1, application);
      expect(violations).toEqual([]);
      expect(acknowledged).toBeGreaterThan(50);
    },
    120_000,
  );
});
