// Reads compatibility.yaml, the policy of a project for changes of its contract.

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isObject, timeOf } from '@stubwright/contract';
import {
  type Acceptance,
  isRule,
  type Policy,
  RULE_SEVERITIES,
  type Severity,
} from '@stubwright/diff';
import { MINIMUM_NOTICE_DAYS } from '@stubwright/diff/internals';
import { VERSION_SCHEMES } from '@stubwright/diff/versions';
import type { Positions } from '../loading/parse.ts';
import { parseText } from '../loading/parse.ts';
import { PolicyErrors } from '../output/errors.ts';

const MINIMUM_DAYS = 30;
const NOTICE = 'minimum-notice-days';

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
 *   {@link Acceptance}, `versions`, the scheme of the versions, `minimum-notice-days`, `traffic`,
 *   with `minimum-days`
 * @param file of the text, for messages
 * @returns errors as `file:line:column  got …  expected …`
 */
export function readPolicy(text: string, file: string): { policy: Policy; errors: string[] } {
  const source = new Source(text, file);
  const { severities = {}, ignore = [], versions, traffic = {}, ...others } = source.content;
  // A service reads `served`, with @stubwright/versions.
  const { [NOTICE]: notice = MINIMUM_NOTICE_DAYS, served: _, ...unknown } = others;
  for (const key of Object.keys(unknown)) {
    source.fail([key], key, `severities, ignore, versions, ${NOTICE}, traffic or served`);
  }
  const minimumNoticeDays = daysOf(source, [NOTICE], notice);
  const minimumDays = minimumDaysOf(source, traffic);
  if (versions !== undefined && !VERSION_SCHEMES.includes(versions)) {
    source.fail(['versions'], versions, VERSION_SCHEMES.join(', '));
  }
  if (!isObject(severities)) source.fail(['severities'], severities, 'a map');
  if (!Array.isArray(ignore)) source.fail(['ignore'], ignore, 'an array');
  for (const [rule, severity] of Object.entries(Object(severities))) {
    const path = ['severities', rule];
    expectRule(source, path, rule);
    if (!RULE_SEVERITIES.includes(severity as Severity))
      source.fail(path, severity, RULE_SEVERITIES.join(', '));
  }
  const entries: readonly Acceptance[] = Array.isArray(ignore) ? ignore : [];
  for (const [index, entry] of entries.entries()) expectEntry(source, index, Object(entry));
  const accepted = entries.map((entry, at) => ({ ...entry, at: source.at(['ignore', at]) }));
  const days = { minimumDays, minimumNoticeDays };
  const policy = { severities, ignore: accepted, versions, ...days };
  return { policy, errors: source.errors };
}

function minimumDaysOf(source: Source, traffic: unknown): number {
  const { 'minimum-days': days = MINIMUM_DAYS, ...others } = Object(traffic);
  if (!isObject(traffic)) source.fail(['traffic'], traffic, 'a map with minimum-days');
  for (const key of Object.keys(others)) source.fail(['traffic', key], key, 'minimum-days');
  return daysOf(source, ['traffic', 'minimum-days'], days);
}

function daysOf(source: Source, path: readonly string[], days: unknown): number {
  if (typeof days === 'number' && Number.isInteger(days) && days >= 0) return days;
  source.fail(path, days, 'a number of days');
  return 0;
}

/** A parsed file, with the locations of its values. */
class Source {
  readonly errors: string[];
  /** Empty for a file that is no YAML. */
  // biome-ignore lint/suspicious/noExplicitAny: the content is validated next
  readonly content: Record<string, any>;
  readonly #file: string;
  readonly #positions: Positions;

  constructor(text: string, file: string) {
    this.#file = file;
    const parsed = parseText(text, false);
    this.errors = (parsed.errors ?? []).map(
      ({ line, column, what, expected }) => `${file}:${line}:${column}  ${what}  ${expected}`,
    );
    // A duplicate key leaves the rest of the document readable.
    const content: unknown = parsed.value ?? {};
    this.#positions = parsed.positions;
    this.content = isObject(content) ? content : {};
    if (!isObject(content)) this.fail([], content, 'a map');
  }

  at(path: readonly unknown[]): string {
    const { start } = this.#positions.find(path.map(String));
    const { line, column } = this.#positions.lineAndColumn(start);
    return `${this.#file}:${line}:${column}`;
  }

  fail(path: readonly unknown[], got: unknown, expected: string): void {
    const shown = got === undefined ? 'nothing' : JSON.stringify(got);
    this.errors.push(`${this.at(path)}  got ${shown}  expected ${expected}`);
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
