// Lists the served versions of a project: their dates, what a request of each costs, and who calls it.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { countOf } from '@stubwright/contract/printable';
import { addCount, type Counts, callersText, mostFirst } from '@stubwright/diff/traffic-internals';
import type { TrafficRecord } from '@stubwright/traffic';
import type { ServedEntry } from '@stubwright/versions';
import type { GeneratedVersion } from './servedFiles.ts';

const DAY_MS = 86_400_000;
/** Callers of a version with a name. */
const MAX_CALLERS = 20;

interface ListOptions {
  /** In ms since 1970. */
  readonly now: number;
  readonly callers: ReadonlyMap<string, Counts> | undefined;
  readonly cwd: string;
}

export async function callersByVersion(
  records: AsyncIterable<TrafficRecord>,
): Promise<ReadonlyMap<string, Counts>> {
  const versions = new Map<string, Counts>();
  for await (const { entry, usage } of records) {
    const { contract, caller } = entry ?? usage;
    if (contract === undefined) continue;
    const counts: Counts = versions.get(contract) ?? new Map();
    versions.set(contract, counts);
    const requests =
      usage === undefined
        ? { count: 1, last: entry.at }
        : { count: usage.requests, last: Date.parse(usage.last) };
    addCount(counts, caller, requests);
  }
  return versions;
}

/** @param versions oldest first @returns lines for each version, oldest first */
export function servedList(
  versions: readonly GeneratedVersion[],
  { now, callers, cwd }: ListOptions,
): string[] {
  return versions.flatMap(({ entry }, at) => {
    const { version, path, converters } = entry;
    const parts = [version.padEnd(12), (path ?? '-').padEnd(8), endText(entry, now), converters];
    const details = [
      costText(versions.slice(at), linesIn(resolve(cwd, converters))),
      ...(callers === undefined ? [] : [callersOf(callers.get(version))]),
    ];
    return [parts.join('  '), ...details.map((each) => `${' '.repeat(14)}${each}`)];
  });
}

/** `until` is the last day, in UTC. */
function endText({ deprecated, until }: ServedEntry, now: number): string {
  if (until === undefined) return 'without an end'.padEnd(28);
  const days = Math.ceil((Date.parse(until) + DAY_MS - now) / DAY_MS);
  const left = days > 0 ? `${countOf(days, 'day')} left` : 'has ended';
  const since = deprecated === undefined ? '' : `deprecated since ${deprecated}, `;
  return `${since}until ${until}, ${left}`.padEnd(28);
}

/** @param passed the versions whose converters a request passes, the one that it names first */
function costText(passed: readonly GeneratedVersion[], lines: number): string {
  const counts = passed.map(({ plan }) => plan.schemas.length + plan.operations.length);
  const converters = counts.reduce((sum, each) => sum + each, 0);
  const texts = [countOf(passed.length, 'link'), countOf(converters, 'converter')];
  return `a request passes ${texts.join(' with ')}; ${countOf(lines, 'line')} of code`;
}

/** @returns the number of lines that are neither blank nor a comment of their own; 0 without the file */
function linesIn(path: string): number {
  if (!existsSync(path)) return 0;
  const text = readFileSync(path, 'utf8').replace(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '');
  return text.split('\n').filter((each) => !/^\s*(?:\/\/.*)?$/.test(each)).length;
}

function callersOf(counts: Counts | undefined): string {
  if (counts === undefined) return 'no recorded request';
  return `called by ${callersText(mostFirst(counts), MAX_CALLERS)}`;
}
