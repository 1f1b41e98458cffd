// `make bench WHAT=diff`: CPU and peak memory of `stubwright diff` beside oasdiff, on the same pairs.
// Usage: diff.ts [--rounds N] [BEFORE AFTER]; without a pair, the contracts of the corpus above 1 MB.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './statistics.ts';

const CORPUS = '../shared/corpus/contracts.tar.xz';
/** Two small contracts that differ. */
const CONTRACT = 'openapi.yaml';
const CONTRACT_OF_TEST = 'packages/test-support/toys.yaml';
const MIN_BYTES = 1_000_000;
/** CPU time of one run; a run beyond it is stopped. */
const LIMIT_SECONDS = 120;

type Pair = readonly [before: string, after: string];

interface Run {
  readonly seconds: number;
  readonly megabytes: number;
}

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '3' } },
  allowPositionals: true,
});
const oasdiff = `${execFileSync('go', ['env', 'GOPATH'], { encoding: 'utf8' }).trim()}/bin/oasdiff`;
const folder = mkdtempSync(join(tmpdir(), 'bench-diff-'));
/** As an installed command, which is JavaScript: Node's transformer of types is not loaded. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') };
const STUBWRIGHT = 'packages/cli/src/main.ts';
/** The target is this multiple of oasdiff's CPU time. */
const TARGET = 1.5;
try {
  const [before, after] = positionals;
  // Fills the cache.
  spawnSync(process.execPath, [STUBWRIGHT, 'diff', CONTRACT, CONTRACT_OF_TEST], { env });
  const pairs = before !== undefined && after !== undefined ? [[before, after] as const] : corpus();
  process.stdout.write(
    '| contract | MB | CPU s | oasdiff | ratio | target | peak MB | oasdiff |\n',
  );
  process.stdout.write('| --- | --- | --- | --- | --- | --- | --- | --- |\n');
  for (const pair of pairs) process.stdout.write(`${rowOf(pair)}\n`);
  const load = loadavg()[0]!.toFixed(1);
  process.stdout.write(`\n${cpus()[0]?.model}, Node ${process.version}, load average ${load}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

/** @returns the large contracts, each with a copy in which one type is changed */
function corpus(): Pair[] {
  execFileSync('tar', ['xf', CORPUS, '-C', folder]);
  const paths = readdirSync(folder)
    .filter((name) => /\.(?:json|yaml)$/.test(name))
    .map((name) => join(folder, name));
  return paths
    .filter((path) => statSync(path).size > MIN_BYTES)
    .map((path) => {
      const changed = join(folder, `changed-${basename(path)}`);
      writeFileSync(changed, withChangedType(readFileSync(path, 'utf8')));
      return [path, changed];
    });
}

/** Changes the type of the string schema in the middle of the text. */
function withChangedType(text: string): string {
  const types = [...text.matchAll(/(?<=^\s*"?type"?: "?)string(?="?,?\s*$)/gm)];
  const { index } = types[types.length >> 1]!;
  return `${text.slice(0, index)}integer${text.slice(index + 'string'.length)}`;
}

/** The tools alternate. */
function rowOf(pair: Pair): string {
  const ours: Run[] = [];
  const theirs: Run[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    ours.push(...runOf(process.execPath, [STUBWRIGHT, 'diff', ...pair]));
    theirs.push(...runOf(oasdiff, ['changelog', ...pair]));
  }
  const [own, other] = [ours, theirs].map((runs) => ({
    seconds: median(runs.map(({ seconds }) => seconds)),
    megabytes: median(runs.map(({ megabytes }) => megabytes)),
  }));
  const ratio = own!.seconds / other!.seconds;
  const show = (value: number, digits: number) => (value >= 0 ? value.toFixed(digits) : 'fails');
  return `| ${[
    basename(pair[0]),
    show(statSync(pair[0]).size / 1e6, 1),
    show(own!.seconds, 1),
    show(other!.seconds, 1),
    ratio > 0 ? show(ratio, 1) : '',
    ratio > 0 ? (ratio <= TARGET ? 'pass' : `SHORT of ${TARGET}`) : '',
    show(own!.megabytes, 0),
    show(other!.megabytes, 0),
  ].join(' | ')} |`;
}

/** @returns CPU and memory of a process; nothing if it fails */
function runOf(command: string, args: readonly string[]): Run[] {
  const limited = ['-c', `ulimit -t ${LIMIT_SECONDS}; exec "$@"`, 'sh', command, ...args];
  const { stderr } = spawnSync('/usr/bin/time', ['-f', '%x %U %S %M', 'sh', ...limited], {
    ...{ encoding: 'utf8', env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [status, user, system, kilobytes] = stderr
    .trim()
    .split('\n')
    .at(-1)!
    .split(' ')
    .map(Number);
  // 1: changes that fail the comparison.
  if (status! > 1) return [];
  return [{ seconds: user! + system!, megabytes: kilobytes! / 1024 }];
}
