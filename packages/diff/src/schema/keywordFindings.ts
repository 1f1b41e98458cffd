// Compares two schemas keyword by keyword, apart from their `oneOf` and `anyOf` branches.

import { applicatorComparison } from './applicators.ts';
import { enumFindings, extensibleEnumFindings } from './enums.ts';
import { boundFindings } from './limitFindings.ts';
import { itemSubschemas, objectComparison } from './objects.ts';
import { patternFindings } from './patterns.ts';
import type { SubschemaComparison } from './subschema.ts';
import {
  defaultFindings,
  documentationFindings,
  formatFindings,
  mediaFindings,
  typeFindings,
} from './valueFindings.ts';
import type { View } from './view.ts';
import { xmlFindings } from './xmlFindings.ts';

/** @returns the findings, and the pairs of subschemas to compare next */
export function keywordFindings(
  before: View,
  after: View,
  context: { readonly isAlwaysSent: boolean; readonly minimumNoticeDays: number },
): SubschemaComparison {
  const annotations = [
    ...extensibleEnumFindings(before, after),
    ...xmlFindings(before, after),
    ...documentationFindings(before, after, context),
  ];
  const values = enumFindings(before, after);
  if (values !== undefined) {
    const findings = [
      ...values,
      ...mediaFindings(before, after),
      ...defaultFindings(before, after, context),
    ];
    return { findings: [...findings, ...annotations], subschemas: [] };
  }
  const types = typeFindings(before, after);
  const areIncomparable = types.some(({ rule }) => rule === 'type-changed');
  const shared = [...before.types].filter((type) => after.types.has(type) && type !== 'null');
  if (areIncomparable || (shared.length === 0 && types.length > 0)) {
    return { findings: [...types, ...annotations], subschemas: [] };
  }
  const objects = objectComparison(before, after);
  const applicators = applicatorComparison(before, after);
  return {
    findings: [
      ...types,
      ...formatFindings(before, after),
      ...patternFindings(before, after),
      ...boundFindings(before, after),
      ...mediaFindings(before, after),
      ...objects.findings,
      ...applicators.findings,
      ...defaultFindings(before, after, context),
      ...annotations,
    ],
    subschemas: [
      ...objects.subschemas,
      ...itemSubschemas(before, after),
      ...applicators.subschemas,
    ],
  };
}
