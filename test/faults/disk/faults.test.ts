// One round of each; `make test-faults` repeats them.
import { describe, expect, it } from '@jest/globals';
import { faults } from './faults.ts';
import { canPreload } from './shim.ts';

(canPreload ? describe : describe.skip)('a disk fault under load', () => {
  it.concurrent.each(Object.keys(faults))(
    '%s loses no plant and makes no answer false',
    async (fault) => {
      const { acknowledged, violations } = await faults[fault]!(fault, 1);
      expect(violations).toEqual([]);
      expect(acknowledged).toBeGreaterThan(50);
    },
    120_000,
  );
});
