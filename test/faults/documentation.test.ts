// docs/plant-store/operations.md documents the effect of each fault.
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { families } from './families.ts';

it('names the row of each fault in docs/plant-store/operations.md', () => {
  const names = families.flatMap(({ faults }) => Object.keys(faults));
  const documentation = readFileSync('docs/plant-store/operations.md', 'utf8');
  expect(names.filter((name) => !documentation.includes(`\`${name}\``))).toEqual([]);
});
