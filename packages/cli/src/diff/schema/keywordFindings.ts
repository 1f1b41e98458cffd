// Compares two schemas keyword by keyword, apart from their `oneOf` and `anyOf` branches.

import { applicatorFindings, applicatorSubschemas } from './applicators.ts';
import { boundFindings } from './bounds.ts';
import type { Finding } from './finding.ts';
import { itemSubschemas, objectComparison, type SubschemaPair } from './objects.ts';
import { patternFindings } from './patterns.ts';
import {
  defaultFindings,
  documentationFindings,
  enumFindings,
  formatFindings,
  mediaFindings,
  typeFindings,
} from './values.ts';
import type { View } from './view.ts';

/** @returns the findings, and the pairs of subschemas to compare next */
export function keywordFindings(
  before: View,
  after: View,
): { findings: Finding[]; subschemas: SubschemaPair[] } {
  const documented = documentationFindings(before, after);
  const haveLists = before.values !== undefined && after.values !== undefined;
  const types = haveLists ? [] : typeFindings(before, after);
  const areIncomparable = types.some(({ kind }) => kind === 'other');
  const shared = [...before.types].filter((type) => after.types.has(type) && type !== 'null');
  if (areIncomparable || (shared.length === 0 && types.length > 0)) {
    return { findings: [...types, ...documented], subschemas: [] };
  }
  const objects = objectComparison(before, after);
  return {
    findings: [
      ...types,
      ...enumFindings(before, after),
      ...formatFindings(before, after),
      ...patternFindings(before, after),
      ...boundFindings(before, after),
      ...mediaFindings(before, after),
      ...objects.findings,
      ...applicatorFindings(before, after),
      ...defaultFindings(before, after),
      ...documented,
    ],
    subschemas: [
      ...objects.subschemas,
      ...itemSubschemas(before, after),
      ...applicatorSubschemas(before, after),
    ],
  };
}
