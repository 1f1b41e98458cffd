// Describes the changes of a saved contract in a few lines.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadedContract } from '@stubwright/contract';
import { applyPolicy, type Change, changesBetween, countsOf, whereOf } from '@stubwright/diff';
import { baselineOf, versionOf } from '@stubwright/diff/versions';
import type { Access } from '../loading/containment.ts';
import { loadContractFiles } from '../loading/load.ts';
import { POLICY } from '../project/layout.ts';
import { nameOf } from '../project/names.ts';
import { policyIn } from '../project/policy.ts';
import { releasesIn } from '../project/releases.ts';

/** Maximum number of lines per kind; the others are counted. */
const MOST_LINES = 8;

type Line = readonly [word: string, text: string];

/**
 * @param handled the operationIds that have a handler
 * @returns a line for each added, removed or changed operation, `added      GET /toys/{id}  …`, with the
 *   severities since the previous contract
 */
export function changedOperations(
  before: LoadedContract,
  after: LoadedContract,
  handled: ReadonlySet<string>,
): string[] {
  const [were, are] = [titlesOf(before), titlesOf(after)];
  const added = [...are].filter(([title]) => !were.has(title));
  const removed = [...were].filter(([title]) => !are.has(title));
  const changes = changesBetween(before, after);
  const changed = [...are.keys()].flatMap((title) => {
    const own = changes.filter(({ operations }) => were.has(title) && operations.includes(title));
    return own.length === 0 ? [] : [`${title}  ${countsOf(own)} (since the last save)`];
  });
  return [
    ...linesOf(
      'added',
      added.map(([title, id]) => `${title}  ${servedBy(id, handled)}`),
    ),
    ...linesOf(
      'removed',
      removed.map(([title]) => title),
    ),
    ...linesOf('changed', changed),
  ];
}

export function missingHandlers(
  { definition }: LoadedContract,
  handled: ReadonlySet<string>,
  cwd = '',
): string[] {
  const missing = definition.operations.filter(({ operationId }) => !handled.has(operationId));
  const lines = missing.map(({ operationId }) => missingLine(operationId, cwd));
  return ['missing', 'mocked'].flatMap((word) => written(lines.filter(([each]) => each === word)));
}

function missingLine(operationId: string, cwd: string): Line {
  const file = `src/handlers/${nameOf(operationId)}.ts`;
  const path = join(cwd, file);
  if (!existsSync(path)) return ['missing', `${file}, mocked; stubwright generate writes it`];
  return /\bmocked\b/.test(readFileSync(path, 'utf8'))
    ? ['mocked', file]
    : ['missing', `${operationId} in src/handlers/index.ts, mocked`];
}

/** @returns a line for each change that breaks a client of the newest release */
export async function breakingSinceRelease(
  contract: LoadedContract,
  folder: string,
  access?: Access,
): Promise<string[]> {
  const release = baselineOf(releasesIn(folder, access?.cwd), versionOf(contract.definition));
  if (release === undefined) return [];
  const policy = policyIn(POLICY, access?.cwd);
  const { minimumNoticeDays } = policy;
  const before = await loadContractFiles(release.path, access);
  const { changes } = applyPolicy(changesBetween(before, contract, { minimumNoticeDays }), policy);
  const breaking = changes.filter(({ severity }) => severity === 'breaking');
  const since = (change: Change) => `${whereOf(change)}  ${change.what} (since ${release.version})`;
  return linesOf('breaking', breaking.map(since));
}

function titlesOf({ definition }: LoadedContract): Map<string, string> {
  const titled = definition.operations.map(({ method, path, operationId }) => {
    return [`${method.toUpperCase()} ${path}`, operationId] as const;
  });
  return new Map(titled);
}

function servedBy(operationId: string, handled: ReadonlySet<string>): string {
  return handled.has(operationId) ? `${operationId}, by its handler` : `${operationId}, a mock`;
}

/** @returns the findings that are not known yet, and a count of the others */
export function lintLines(findings: ReadonlySet<string>, known: ReadonlySet<string>): string[] {
  const added = [...findings].filter((each) => !known.has(each));
  const left = findings.size - added.length;
  const unchanged = left === 1 ? '1 finding is unchanged' : `${left} findings are unchanged`;
  return [...linesOf('lint', added), ...(left === 0 ? [] : linesOf('lint', [unchanged]))];
}

/** @returns one line each; for many, the first ones and a count */
export function linesOf(word: string, texts: readonly string[]): string[] {
  return written(texts.map((text): Line => [word, text]));
}

function written(lines: readonly Line[]): string[] {
  const shown = lines.slice(0, MOST_LINES).map(([word, text]) => `  ${word.padEnd(10)} ${text}`);
  const left = lines.length - MOST_LINES;
  return left > 0 ? [...shown, `  ${lines[0]![0].padEnd(10)} and ${left} more`] : shown;
}
