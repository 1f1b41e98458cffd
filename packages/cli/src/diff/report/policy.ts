// A project's policy for changes: severities of rules, accepted changes, the scheme of its versions.

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isObject, timeOf } from '@stubwright/contract';
import { type Document, LineCounter, parseDocument } from 'yaml';
import { PolicyErrors } from '../../output/policyErrors.ts';
import { bySeverity, type Change, partOf } from '../change.ts';
import { isRule } from '../rules.ts';
import { SEVERITIES, type Severity } from '../severity.ts';
import { VERSION_SCHEMES, type VersionScheme } from './versions.ts';

/** A change that the project accepts. */
interface Acceptance {
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
}

const MINIMUM_DAYS = 30;

const ENTRY = ['rule', 'change', 'location', 'reason', 'expires'] as const;

/** @returns the policy in a file, an empty one without the file @throws {PolicyErrors} */
export function policyIn(file: string, cwd = ''): Policy {
  const path = resolve(cwd, file);
  const { policy, errors } = readPolicy(existsSync(path) ? readFileSync(path, 'utf8') : '', file);
  if (errors.length > 0) throw new PolicyErrors(errors);
  return policy;
}

/**
 * @param text YAML: `severities`, a map of rules, and `ignore`, an array of
 *   {@link Acceptance}, `versions`, the scheme of the versions, `traffic`, with `minimum-days`
 * @param file of the text, for messages
 * @returns errors as `file:line:column  got …  expected …`
 */
export function readPolicy(text: string, file: string): { policy: Policy; errors: string[] } {
  const source = new Source(text, file);
  const { severities = {}, ignore = [], versions, traffic = {}, ...others } = source.content;
  for (const key of Object.keys(others)) {
    source.fail([key], key, 'severities, ignore, versions or traffic');
  }
  const minimumDays = minimumDaysOf(source, traffic);
  if (versions !== undefined && !VERSION_SCHEMES.includes(versions)) {
    source.fail(['versions'], versions, VERSION_SCHEMES.join(', '));
  }
  if (!isObject(severities)) source.fail(['severities'], severities, 'a map');
  if (!Array.isArray(ignore)) source.fail(['ignore'], ignore, 'an array');
  for (const [rule, severity] of Object.entries(Object(severities))) {
    const path = ['severities', rule];
    expectRule(source, path, rule);
    if (!SEVERITIES.includes(severity as Severity))
      source.fail(path, severity, SEVERITIES.join(', '));
  }
  const entries: readonly Acceptance[] = Array.isArray(ignore) ? ignore : [];
  for (const [index, entry] of entries.entries()) expectEntry(source, index, Object(entry));
  const accepted = entries.map((entry, at) => ({ ...entry, at: source.at(['ignore', at]) }));
  const policy = { severities, ignore: accepted, versions, minimumDays };
  return { policy, errors: source.errors };
}

function minimumDaysOf(source: Source, traffic: unknown): number {
  const { 'minimum-days': days = MINIMUM_DAYS, ...others } = Object(traffic);
  if (!isObject(traffic)) source.fail(['traffic'], traffic, 'a map with minimum-days');
  for (const key of Object.keys(others)) source.fail(['traffic', key], key, 'minimum-days');
  if (Number.isInteger(days) && days >= 0) return days;
  source.fail(['traffic', 'minimum-days'], days, 'a number of days');
  return MINIMUM_DAYS;
}

/** A parsed file, with the locations of its values. */
class Source {
  readonly errors: string[];
  /** Empty for a file that is no YAML. */
  // biome-ignore lint/suspicious/noExplicitAny: the content is validated next
  readonly content: Record<string, any>;
  readonly #file: string;
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;

  constructor(text: string, file: string) {
    this.#file = file;
    this.#document = parseDocument(text, { lineCounter: this.#lines });
    this.errors = this.#document.errors.map(
      ({ message, pos: [offset] }) =>
        `${this.#at(offset)}  ${message.split('\n')[0]!.replace(/ at line \d+, column \d+:$/, '')}`,
    );
    // A duplicate key leaves the rest of the document readable.
    const isReadable = this.#document.errors.every(({ code }) => code === 'DUPLICATE_KEY');
    const content: unknown = isReadable ? (this.#document.toJS() ?? {}) : {};
    this.content = isObject(content) ? content : {};
    if (!isObject(content)) this.fail([], content, 'a map');
  }

  at(path: readonly unknown[]): string {
    const node = this.#document.getIn(path, true) as { range?: [number] } | undefined;
    return this.#at(node?.range?.[0] ?? 0);
  }

  fail(path: readonly unknown[], got: unknown, expected: string): void {
    const shown = got === undefined ? 'nothing' : JSON.stringify(got);
    this.errors.push(`${this.at(path)}  got ${shown}  expected ${expected}`);
  }

  #at(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.#file}:${line}:${col}`;
  }
}

function expectRule(source: Source, path: readonly unknown[], rule: string): void {
  if (!isRule(rule)) source.fail(path, rule, 'a rule of docs/stubwright/diff-rules.md');
}

function expectEntry(source: Source, index: number, entry: Record<string, unknown>): void {
  for (const key of ENTRY) {
    const value = entry[key];
    const path = ['ignore', index, ...(value === undefined ? [] : [key])];
    if (typeof value !== 'string' || value.trim() === '') source.fail(path, value, key);
    else if (key === 'rule') expectRule(source, path, value);
    else if (key === 'expires' && !isDate(value))
      source.fail(path, value, 'a date such as 2026-06-30');
  }
}

function isDate(text: string): boolean {
  return text.length === '2026-06-30'.length && timeOf(text) !== undefined;
}

/**
 * @param today `2026-06-30`, in UTC
 * @returns the changes with the severities of the policy, without the accepted ones, most severe first;
 *   and a warning for each acceptance that has expired or accepts nothing
 */
export function applyPolicy(
  changes: readonly Change[],
  { severities, ignore }: Omit<Policy, 'minimumDays'>,
  today = new Date().toISOString().slice(0, 10),
): { changes: Change[]; ignored: number; warnings: string[] } {
  const used = new Set<Acceptance>();
  const isAccepted = (change: Change, location: string) => {
    const found = ignore.find(
      (each) =>
        each.rule === change.rule &&
        matches(each.change, change.what) &&
        isLocated(each, change, location),
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
      (each) => !isAccepted(change, `${each} ${partOf(change, each)}`),
    );
    return operations.length === 0 ? [] : [{ ...change, operations, severity }];
  });
  const warnings = ignore.flatMap((each) => {
    const shown = `${each.at}  warning  ${each.rule} at ${each.location}`;
    if (!used.has(each)) return [`${shown} is no change, expected no entry`];
    return each.expires < today ? [`${shown} is no longer ignored since ${each.expires}`] : [];
  });
  return { changes: left.sort(bySeverity), ignored: changes.length - left.length, warnings };
}

/** The location of a change of the whole contract. */
const WHOLE = 'the whole contract';

function isLocated({ location }: Acceptance, { before, after }: Change, shown: string): boolean {
  if (!location.startsWith('#/')) return matches(location, shown);
  const pointer = location.slice(1);
  return [before, after].some((each) => each === pointer || each.startsWith(`${pointer}/`));
}

/** Ignores differences in white space. */
function matches(pattern: string, text: string): boolean {
  const [wanted, given] = [pattern, text].map((each) => each.trim().replace(/\s+/g, ' '));
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
