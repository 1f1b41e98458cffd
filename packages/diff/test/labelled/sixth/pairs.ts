// The sixth blind set. Labels follow from OpenAPI, JSON Schema and HTTP, never from the output of the diff.
// First run of its 425 pairs: recall 0.952, precision 0.901, noise 9.1 %.
import { contractPairs, type LabelledPair, schemaPairs } from '../pair.ts';
import { SIXTH_CONTRACT_ROWS } from './contracts.ts';
import { SIXTH_SCHEMA_ROWS } from './schemas.ts';

/** Older sets have pairs of the same names. */
export const SIXTH_PAIRS: readonly LabelledPair[] = [
  ...SIXTH_SCHEMA_ROWS.flatMap(schemaPairs),
  ...SIXTH_CONTRACT_ROWS.flatMap(contractPairs),
].map((each) => ({ ...each, name: `sixth set: ${each.name}` }));
