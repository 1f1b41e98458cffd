// The fourth blind set. Labels follow from OpenAPI, JSON Schema and HTTP, never from the output of the diff.
import { contractPairs, type LabelledPair, schemaPairs } from '../pair.ts';
import { FOURTH_MESSAGE_ROWS } from './messages.ts';
import { FOURTH_OBJECT_ROWS } from './objects.ts';
import { FOURTH_SCALAR_ROWS } from './scalars.ts';
import { FOURTH_SERVICE_ROWS } from './services.ts';

const PAIRS: readonly LabelledPair[] = [
  ...[...FOURTH_SCALAR_ROWS, ...FOURTH_OBJECT_ROWS].flatMap(schemaPairs),
  ...[...FOURTH_MESSAGE_ROWS, ...FOURTH_SERVICE_ROWS].flatMap(contractPairs),
];

/** Older sets have pairs of the same names. */
export const FOURTH_PAIRS: readonly LabelledPair[] = PAIRS.map((each) => ({
  ...each,
  name: `fourth set: ${each.name}`,
}));
