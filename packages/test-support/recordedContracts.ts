// The contracts whose types, clients, exchanges and recordings are recorded as text.
import { readFileSync } from 'node:fs';
import { stringifyJson } from '@stubwright/contract';
import fc from 'fast-check';
import { generatedContract } from './generatedContract.ts';
import { mediaContract } from './mediaContract.ts';
import { RICH } from './richContracts.ts';

/** By name: YAML. */
export const CONTRACTS: Readonly<Record<string, string>> = {
  types: readFileSync('packages/cli/test/types/contract.yaml', 'utf8'),
  'types-3.2': readFileSync('packages/cli/test/types/openapi32.yaml', 'utf8'),
  'part-headers': readFileSync('packages/cli/test/types/partHeaders.yaml', 'utf8'),
  docs: readFileSync('packages/service/test/docs/everything.yaml', 'utf8'),
  /** Has every warning of the loader. */
  odd: readFileSync(`packages/cli/test/generated/odd.yaml`, 'utf8'),
  /** Has every error of the loader. */
  broken: readFileSync(`packages/cli/test/generated/broken.yaml`, 'utf8'),
  'rich-3.0': JSON.stringify(RICH['3.0.3'], null, 2),
  'rich-3.2': JSON.stringify(RICH['3.2.0'], null, 2),
  media: sampled(mediaContract),
  schemas: sampled(generatedContract),
};

function sampled(contracts: fc.Arbitrary<object>): string {
  return stringifyJson(fc.sample(contracts, { numRuns: 1, seed: 1 })[0]);
}
