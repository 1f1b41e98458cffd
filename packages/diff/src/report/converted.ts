// Changes that converters of a served version undo for its clients.
import { bySeverity, type Change } from '../rules/change.ts';

/**
 * @param version that stays served
 * @returns the changes, the most severe first; a breaking one that is converted has the severity `converted`
 */
export function convertedChanges(
  changes: readonly Change[],
  version: string,
  isConverted: (change: Change) => boolean,
): Change[] {
  const all = changes.map((change): Change => {
    if (change.severity !== 'breaking' || !isConverted(change)) return change;
    const effect = `${change.effect} Converters serve the clients of ${version}.`;
    return { ...change, severity: 'converted', effect };
  });
  return all.sort(bySeverity);
}
