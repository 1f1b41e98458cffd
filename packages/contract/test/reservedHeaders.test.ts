// The header parameters that OpenAPI ignores.
import { expect, it } from '@jest/globals';
import { isReservedHeader } from '../src/operations/describedValues.ts';

it.each(['Accept', 'accept', 'Content-Type', 'Authorization'])('%s is reserved', (name) => {
  expect(isReservedHeader({ in: 'header', name })).toBe(true);
  expect(isReservedHeader({ in: 'query', name })).toBe(false);
});

it('other headers are not reserved', () => {
  expect(isReservedHeader({ in: 'header', name: 'Accept-Language' })).toBe(false);
});
