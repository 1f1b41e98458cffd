// Proves that every value of some schemas is valid against others: no combination of combinations.ts that satisfies
// the first schemas may violate the second.
import { Contract, type ContractDocument, type Schema } from '@stubwright/contract';
import { canonical } from '../values/formatting.ts';
import { Combinations } from './combinations.ts';
import type { AreDisjoint } from './itemFacts.ts';
import { Undecided } from './modelled.ts';

/** Maximum number of schemas that all combinations evaluate. */
const MAX_EVALUATIONS = 10_000;
/** Maximum number of schemas of items that are compared, and of evaluations for each. */
const MAX_ITEM_SCHEMAS = 100;
const MAX_ITEM_EVALUATIONS = 5_000;

/** @returns true if every value that is valid against all of `sent` is valid against all of `accepted` */
export function implies(
  sent: readonly Schema[],
  accepted: readonly Schema[],
  maxEvaluations = MAX_EVALUATIONS,
): boolean {
  const versions = new Set([...sent, ...accepted].map(({ model }) => model.definition.isVersion30));
  if (sent.length === 0 || accepted.length === 0 || versions.size !== 1) return false;
  try {
    const limits = { maxEvaluations, areDisjoint: disjointness(sent[0]!) };
    return !new Combinations(sent, accepted, limits).isSatisfiable();
  } catch (error) {
    if (error instanceof Undecided) return false;
    throw error;
  }
}

/** @param schema of the version whose keywords apply */
function disjointness({ model }: Schema): AreDisjoint {
  const known = new Map<string, boolean>();
  return (schemas) => {
    const key = canonical(schemas);
    const result =
      known.get(key) ?? (known.size < MAX_ITEM_SCHEMAS && areDisjoint(schemas, model.definition));
    known.set(key, result);
    return result;
  };
}

function areDisjoint(schemas: readonly unknown[], { isVersion30 }: ContractDocument): boolean {
  const definition = new Contract({
    openapi: isVersion30 ? '3.0.3' : '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas: { All: { allOf: schemas }, None: { not: {} } } },
  });
  const { schemas: named } = definition;
  return implies([named.get('All')!], [named.get('None')!], MAX_ITEM_EVALUATIONS);
}
