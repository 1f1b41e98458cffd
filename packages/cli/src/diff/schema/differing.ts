// All that two schemas differ in, apart from their alternatives.
import { boundFindings } from './bounds.ts';
import type { Finding } from './finding.ts';
import { arrayInner, type Inner, objectParts } from './objects.ts';
import { patternFindings } from './patterns.ts';
import { restFindings, restInner } from './rest.ts';
import {
  defaultFindings,
  documentationFindings,
  enumFindings,
  formatFindings,
  mediaFindings,
  typeFindings,
} from './values.ts';
import type { View } from './view.ts';

/** @returns the differences of the two themselves, and the schemas inside that are compared next */
export function differing(before: View, after: View): { findings: Finding[]; inner: Inner[] } {
  const documented = documentationFindings(before, after);
  const haveLists = before.values !== undefined && after.values !== undefined;
  const types = haveLists ? [] : typeFindings(before, after);
  const isOther = types.some(({ kind }) => kind === 'other');
  const shared = [...before.types].filter((type) => after.types.has(type) && type !== 'null');
  if (isOther || (shared.length === 0 && types.length > 0)) {
    return { findings: [...types, ...documented], inner: [] };
  }
  const objects = objectParts(before, after);
  return {
    findings: [
      ...types,
      ...enumFindings(before, after),
      ...formatFindings(before, after),
      ...patternFindings(before, after),
      ...boundFindings(before, after),
      ...mediaFindings(before, after),
      ...objects.findings,
      ...restFindings(before, after),
      ...defaultFindings(before, after),
      ...documented,
    ],
    inner: [...objects.inner, ...arrayInner(before, after), ...restInner(before, after)],
  };
}
