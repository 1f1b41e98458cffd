// Formats the results as a Markdown table with targets.
import { CONNECTIONS, type Contender, OTHER_CONNECTIONS, ours, oursLarge } from './contenders.ts';
import type { Result } from './load.ts';
import type { Rounds } from './rounds.ts';
import type { Starts } from './starts.ts';
import { median, spread } from './statistics.ts';

const HEAD = [
  '',
  'creates/s',
  'spread',
  'p50 ms',
  'p99 ms',
  'RSS MB',
  'reached',
  'target',
  'verdict',
];
const LARGE_SHARE = 0.95;
const FLOOD_SHARE = 0.9;
const FIRST_200_SECONDS = new Map([
  [ours, 0.5],
  [oursLarge, 0.6],
]);
const RSS_MB = new Map([
  [ours, 130],
  [oursLarge, 350],
]);

type Line = readonly string[];

export function formatResults(
  contenders: readonly Contender[],
  rounds: Rounds,
  starts: Starts,
): string {
  const selves = contenders.filter((each) => each === ours || each === oursLarge);
  const onPostgres = contenders.filter(({ database }) => database === 'postgres');
  const lines = [
    ...contenders.map((each) => contenderLine(each, rounds, 0)),
    ...onPostgres.map((each) => contenderLine(each, rounds, 1)),
    ...OTHER_CONNECTIONS.map((_, at) => connectionsLine(at + 1, rounds)),
    ...selves.map((each) => startLine(each, starts.get(each.name) ?? [])),
    ...selves.map((each) => memoryLine(each, rounds)),
  ];
  const rest = [
    `${rounds.valid.length} rounds, ${CONNECTIONS} connections where no other number stands; "reached" for a contender is this project's creates/s over its own, the median of each round's ratio (of both on PostgreSQL, where it is).`,
    ...rounds.voids.map((each) => `Void round: ${each}`),
    ...[...rounds.absent.values()].map((each) => `Not measured: ${each}`),
    ...contenders.flatMap(({ label, caveat }) => (caveat ? [`${label}: ${caveat}`] : [])),
  ];
  return [...format([HEAD, ...lines]), '', ...rest].join('\n');
}

/** @param at index of the load; the target applies to the first */
function contenderLine(contender: Contender, rounds: Rounds, at: number): Line {
  const results = resultsOf(contender, rounds, at);
  const connections = contender.connections[at];
  const isUsual = connections === CONNECTIONS && at === 0;
  const label = isUsual ? contender.label : `${contender.label}, ${connections} connections`;
  const figures = figuresOf(label, results);
  if (contender.base === contender.name) return [...figures, '', '', ''];
  const { isShare, target } = targetOf(contender, at);
  const ratios = rounds.valid.flatMap((round) => {
    const other = round.get(contender.name)?.[at];
    const own = round.get(contender.base)?.[at];
    if (other === undefined || own === undefined) return [];
    const ratio = own.perSecond / other.perSecond;
    return [isShare ? 1 / ratio : ratio];
  });
  const reached = median(ratios);
  const summary = results.length === 0 ? '' : `${times(reached)} (${spread(ratios, plainTimes)})`;
  const verdict = contender.caveat ? 'not measured' : verdictOf(reached, reached >= (target ?? 0));
  return [...figures, summary, target ? `≥ ${target} ×` : '', target ? verdict : ''];
}

/** Variants of this project report their share of its speed, other contenders the inverse ratio. */
function targetOf(contender: Contender, at: number) {
  const isShare = contender.isShare || contender.script === ours.script;
  const target = contender === oursLarge ? LARGE_SHARE : contender.target;
  return { isShare, target: at === 0 ? target : undefined };
}

function connectionsLine(at: number, rounds: Rounds): Line {
  const connections = OTHER_CONNECTIONS[at - 1]!;
  const results = resultsOf(ours, rounds, at);
  const figures = figuresOf(
    `this project, ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
    results,
  );
  if (connections < CONNECTIONS) return [...figures, '', '', ''];
  const shares = rounds.valid.map((round) => {
    const all = round.get(ours.name)!.map(({ perSecond }) => perSecond);
    return all[at]! / Math.max(...all);
  });
  const reached = median(shares);
  const summary = Number.isNaN(reached) ? '' : `${times(reached)} of its best`;
  return [...figures, summary, `≥ ${FLOOD_SHARE} ×`, verdictOf(reached, reached >= FLOOD_SHARE)];
}

function startLine(contender: Contender, seconds: readonly number[]): Line {
  const target = FIRST_200_SECONDS.get(contender)!;
  const reached = median(seconds);
  const show = (value: number) => value.toFixed(2);
  const summary = seconds.length === 0 ? '' : `${show(reached)} s (${spread(seconds, show)})`;
  return other(`first 200, ${contender.label}`, summary, `≤ ${target} s`, reached, target);
}

function memoryLine(contender: Contender, rounds: Rounds): Line {
  const target = RSS_MB.get(contender)!;
  const values = resultsOf(contender, rounds).map(({ rssMb }) => rssMb);
  const reached = median(values);
  const show = (value: number) => value.toFixed(0);
  const summary = values.length === 0 ? '' : `${show(reached)} MB (${spread(values, show)})`;
  return other(`RSS under load, ${contender.label}`, summary, `≤ ${target} MB`, reached, target);
}

function other(
  label: string,
  summary: string,
  target: string,
  reached: number,
  most: number,
): Line {
  return [label, '', '', '', '', '', summary, target, verdictOf(reached, reached <= most)];
}

function verdictOf(reached: number, isMet: boolean): string {
  if (Number.isNaN(reached)) return 'not measured';
  return isMet ? 'pass' : 'SHORT';
}

function resultsOf({ name }: Contender, { valid }: Rounds, load = 0): Result[] {
  return valid.flatMap((round) => round.get(name)?.[load] ?? []);
}

function figuresOf(label: string, results: readonly Result[]): Line {
  if (results.length === 0) return [label, '', '', '', '', ''];
  const of = (pick: (result: Result) => number) => median(results.map(pick));
  const speeds = results.map(({ perSecond }) => perSecond);
  return [
    label,
    whole(median(speeds)),
    spread(speeds, whole),
    (of(({ p50 }) => p50) / 1000).toFixed(2),
    (of(({ p99 }) => p99) / 1000).toFixed(2),
    of(({ rssMb }) => rssMb).toFixed(0),
  ];
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function times(value: number): string {
  return `${plainTimes(value)} ×`;
}

function plainTimes(value: number): string {
  return value.toFixed(value >= 10 ? 0 : 2);
}

function format(lines: readonly Line[]): string[] {
  const widths = HEAD.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  const row = (line: Line) => `| ${line.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [row(lines[0]!), rule, ...lines.slice(1).map(row)];
}
