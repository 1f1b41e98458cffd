// Folds changes with one cause: the same change at several locations, and changes of one kind at one location.
import { unescapeToken } from '@stubwright/contract';
import { type Change, isDocumentation } from '../rules/change.ts';
import { countedSeverities, type Severity } from '../rules/severity.ts';

/** Changes of one rule and severity; at least one. */
export interface Cause {
  readonly first: Change;
  readonly changes: readonly Change[];
  /** The different texts: several for the values of one enum, and for the properties of one object. */
  readonly texts: readonly string[];
}

/** @returns in the order of the changes */
export function causesOf(changes: readonly Change[]): Cause[] {
  const ofText = ({ rule, severity, what, effect }: Change) =>
    JSON.stringify([rule, severity, what, effect]);
  const ofLocations = (group: readonly Change[]) =>
    JSON.stringify([
      group[0]!.rule,
      group[0]!.severity,
      ...group.map(({ before, after }) => `${before} ${after}`).sort(),
    ]);
  const byText = [...Map.groupBy(changes, ofText).values()];
  return [...Map.groupBy(byText, ofLocations).values()].map((groups) => {
    const all = groups.flat();
    return {
      first: all.find(({ example }) => example !== undefined) ?? all[0]!,
      changes: all,
      texts: groups.map(([first]) => first!.what),
    };
  });
}

/** True for a change of documentation, unless the policy gives it a severity. */
export function isQuiet(change: Change): boolean {
  return isDocumentation(change) && change.severity === 'compatible';
}

/** @returns `schemas Toy` for a change of a component, `/toys` for one of a path, otherwise `document` */
function componentOf({ before, after }: Change): string {
  const [, root, kind, name] = [after, before]
    .map((pointer) => pointer.split('/').map(unescapeToken))
    .sort((one, other) => other.length - one.length)[0]!;
  if (root === 'components' && name !== undefined) return `${kind} ${name}`;
  return root === 'paths' || root === 'webhooks' ? (kind ?? root) : 'document';
}

/** The number of causes by severity. */
interface SummaryRow {
  readonly name: string;
  readonly counts: readonly number[];
}

/** The first rows of a table, and how many are left. */
export interface SummaryTable {
  /** `causes by rule` */
  readonly title: string;
  /** The columns. */
  readonly severities: readonly Severity[];
  readonly rows: readonly SummaryRow[];
  readonly more: number;
}

const MAX_ROWS = 15;

/** @returns the causes by rule and by component, the most severe first */
export function summariesOf(causes: readonly Cause[]): readonly SummaryTable[] {
  const severities = countedSeverities(causes.map(({ first }) => first));
  const summaries = [
    { title: 'causes by rule', rows: rowsOf(causes, severities, ({ rule }) => rule) },
    { title: 'causes by component', rows: rowsOf(causes, severities, componentOf) },
  ];
  return summaries.map(({ title, rows }) => ({
    title,
    severities,
    rows: rows.slice(0, MAX_ROWS),
    more: Math.max(0, rows.length - MAX_ROWS),
  }));
}

function rowsOf(
  causes: readonly Cause[],
  severities: readonly Severity[],
  nameOf: (change: Change) => string,
): SummaryRow[] {
  const rows = Map.groupBy(causes, ({ first }) => nameOf(first));
  const count = (group: readonly Cause[], severity: Severity) =>
    group.filter(({ first }) => first.severity === severity).length;
  return [...rows]
    .map(([name, group]) => ({
      name,
      counts: severities.map((severity) => count(group, severity)),
    }))
    .sort((one, other) => {
      const at = one.counts.findIndex((count, index) => count !== other.counts[index]);
      return at < 0 ? 0 : other.counts[at]! - one.counts[at]!;
    });
}
