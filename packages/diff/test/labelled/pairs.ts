// The labelled pairs. Labels follow from the contracts, never from the output of the diff.
import { BLIND_CONTRACT_ROWS, BLIND_SCHEMA_ROWS } from './blind.ts';
import { COMBINED_CONTRACT_ROWS, COMBINED_SCHEMA_ROWS } from './blindCombinations.ts';
import { DETAILED_CONTRACT_ROWS, DETAILED_SCHEMA_ROWS } from './blindDetails.ts';
import { CONDITION_ROWS } from './conditions.ts';
import { EIGHTH_PAIRS } from './eighth/pairs.ts';
import { EXCHANGE_ROWS } from './exchanges.ts';
import { FIFTH_PAIRS } from './fifth.ts';
import { FORM_ROWS } from './forms.ts';
import { FOURTH_PAIRS } from './fourth/pairs.ts';
import { GATE_CONTRACT_ROWS, GATE_SCHEMA_ROWS } from './gate.ts';
import { IDEMPOTENCY_ROWS } from './idempotency.ts';
import { MESSAGE_ROWS } from './messages.ts';
import { NINTH_PAIRS } from './ninth.ts';
import { OPENAPI_32_ROWS } from './openapi32.ts';
import { PAGE_ROWS } from './pages.ts';
import { contractPairs, type LabelledPair, schemaPairs } from './pair.ts';
import { PAIRING_CONTRACT_ROWS, PAIRING_SCHEMA_ROWS } from './pairing.ts';
import { RATE_LIMIT_ROWS } from './rateLimits.ts';
import { SCHEMA_ROWS } from './schemas.ts';
import { SEVENTH_PAIRS } from './seventh/pairs.ts';
import { SIXTH_PAIRS } from './sixth/pairs.ts';
import { TENTH_PAIRS } from './tenth.ts';
import { UPGRADE_ROWS } from './upgrades.ts';

export const LABELLED_PAIRS: readonly LabelledPair[] = [
  ...[
    ...SCHEMA_ROWS,
    ...FORM_ROWS,
    ...GATE_SCHEMA_ROWS,
    ...PAIRING_SCHEMA_ROWS,
    ...BLIND_SCHEMA_ROWS,
    ...COMBINED_SCHEMA_ROWS,
    ...DETAILED_SCHEMA_ROWS,
  ].flatMap(schemaPairs),
  ...[
    ...EXCHANGE_ROWS,
    ...MESSAGE_ROWS,
    ...IDEMPOTENCY_ROWS,
    ...UPGRADE_ROWS,
    ...RATE_LIMIT_ROWS,
    ...GATE_CONTRACT_ROWS,
    ...PAIRING_CONTRACT_ROWS,
    ...OPENAPI_32_ROWS,
    ...BLIND_CONTRACT_ROWS,
    ...COMBINED_CONTRACT_ROWS,
    ...DETAILED_CONTRACT_ROWS,
    ...CONDITION_ROWS,
    ...PAGE_ROWS,
  ].flatMap(contractPairs),
  ...FOURTH_PAIRS,
  ...FIFTH_PAIRS,
  ...SEVENTH_PAIRS,
  ...SIXTH_PAIRS,
  ...EIGHTH_PAIRS,
  ...NINTH_PAIRS,
  ...TENTH_PAIRS,
];

/** @returns about `count` of the pairs, of each set as many as it has a share */
export function labelledSample(count: number): readonly LabelledPair[] {
  const step = Math.ceil(LABELLED_PAIRS.length / count);
  return LABELLED_PAIRS.filter((_, at) => at % step === 0);
}
