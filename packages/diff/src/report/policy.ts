// A project's policy for changes: severities of rules, accepted changes, the scheme of its versions.

import { bySeverity, type Change, partOf } from '../rules/rules.ts';
import type { Severity } from '../rules/severity.ts';
import type { VersionScheme } from './releases.ts';

/** A change that the project accepts. */
export interface Acceptance {
  readonly rule: string;
  /** The text of the change: `maxLength 20 became 10`; `*` is any text. */
  readonly change: string;
  /**
   * As a report shows it: `POST /toys request body /tag`; `*` is any text. Or a JSON pointer into one of
   * the contracts, `#/components/schemas/Toy`, for all that it contains.
   */
  readonly location: string;
  readonly reason: string;
  /** The last day, `2026-06-30`, in UTC. */
  readonly expires: string;
  /** `file:line:column`. */
  readonly at: string;
}

export interface Policy {
  readonly severities: Readonly<Record<string, Severity>>;
  readonly ignore: readonly Acceptance[];
  /** By default semver or dates. */
  readonly versions?: VersionScheme | undefined;
  /** A shorter recording of requests is no evidence that nobody uses a part. */
  readonly minimumDays: number;
  /** A new announcement of a removal before this number of days is breaking. */
  readonly minimumNoticeDays: number;
}

/**
 * @param today `2026-06-30`, in UTC
 * @returns the changes with the severities of the policy, without the accepted ones, most severe first;
 *   and a warning for each acceptance that has expired, or accepts nothing or everything
 */
export function applyPolicy(
  changes: readonly Change[],
  { severities, ignore }: Pick<Policy, 'severities' | 'ignore'>,
  today = new Date().toISOString().slice(0, 10),
): { changes: Change[]; ignored: number; warnings: string[] } {
  const used = new Set<Acceptance>();
  const isAccepted = (change: Change, location: string) => {
    const found = ignore.find(
      (acceptance) =>
        acceptance.rule === change.rule &&
        matches(acceptance.change, change.what) &&
        isLocated(acceptance, change, location),
    );
    if (found !== undefined) used.add(found);
    return found !== undefined && found.expires >= today;
  };
  const left = changes.flatMap((change): Change[] => {
    const severity = severities[change.rule] ?? change.severity;
    if (change.operations.length === 0) {
      return isAccepted(change, change.part || WHOLE) ? [] : [{ ...change, severity }];
    }
    const operations = change.operations.filter(
      (operation) => !isAccepted(change, `${operation} ${partOf(change, operation)}`),
    );
    return operations.length === 0 ? [] : [{ ...change, operations, severity }];
  });
  const warnings = ignore.flatMap((acceptance) => {
    const shown = `${acceptance.at}  warning  ${acceptance.rule} at ${acceptance.location}`;
    if (!used.has(acceptance)) return [`${shown} is no change, expected no entry`];
    if (isUnlimited(acceptance)) return [`${shown} ignores every change of the rule, expected one`];
    return acceptance.expires < today
      ? [`${shown} is no longer ignored since ${acceptance.expires}`]
      : [];
  });
  return { changes: left.sort(bySeverity), ignored: changes.length - left.length, warnings };
}

/** True for an entry that also accepts all later changes. */
function isUnlimited({ change, location }: Acceptance): boolean {
  return [change, location].every((text) => /^[*\s]*$/.test(text));
}

/** The location of a change of the whole contract. */
const WHOLE = 'the whole contract';

function isLocated({ location }: Acceptance, { before, after }: Change, shown: string): boolean {
  if (!location.startsWith('#/')) return matches(location, shown);
  const pointer = location.slice(1);
  return [before, after].some((text) => text === pointer || text.startsWith(`${pointer}/`));
}

/** Ignores differences in white space. */
function matches(pattern: string, text: string): boolean {
  const [wanted, given] = [pattern, text].map((words) => words.trim().replace(/\s+/g, ' '));
  const parts = wanted!.split('*');
  if (parts.length === 1) return wanted === given;
  const [first = '', ...others] = parts;
  const last = others.pop()!;
  if (!given!.startsWith(first) || given!.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of others) {
    const found = given!.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return given!.length - last.length >= at && given!.endsWith(last);
}
