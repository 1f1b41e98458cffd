// `make bench WHAT=diff`: CPU and peak memory of `stubwright diff` beside oasdiff, on the same pairs.
// Usage: diff.ts [--rounds N] [BEFORE AFTER]; without a pair, published versions of contracts from npm.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './statistics.ts';

/** Packages that contain a contract, and versions of it: neighbours are compared. */
const PUBLISHED: readonly {
  readonly name: string;
  readonly file: string;
  readonly versions: readonly string[];
}[] = [
  {
    name: '@digdir/dialogporten-schema',
    file: 'swagger.verified.json',
    versions: ['1.0.11', '1.7.1-18101c1', '1.23.2', '1.40.0', '1.118.6'],
  },
  {
    name: '@ideal-postcodes/openapi',
    file: 'dist/openapi.json',
    versions: ['1.2.0', '3.1.0', '4.10.1', '4.14.1', '4.21.0'],
  },
  {
    name: '@directus/specs',
    file: 'dist/openapi.json',
    versions: ['9.9.0', '9.24.0', '10.2.11', '13.0.0', '15.2.0'],
  },
  { name: 'rclone-openapi', file: 'openapi.yaml', versions: ['1.74.1', '1.75.0'] },
  {
    name: '@figma/rest-api-spec',
    file: 'openapi/openapi.yaml',
    versions: ['0.33.0', '0.36.0', '0.39.0', '0.41.0', '0.43.0'],
  },
  {
    name: '@blockfrost/openapi',
    file: 'openapi.yaml',
    versions: ['0.1.49', '0.1.57', '0.1.67', '0.1.79', '0.1.93'],
  },
  {
    name: '@octokit/openapi',
    file: 'generated/api.github.com.json',
    versions: ['20.0.0', '22.0.0', '23.0.2'],
  },
];
/** Two small contracts that differ. */
const CONTRACT = 'openapi.yaml';
const CONTRACT_OF_TEST = 'packages/test-support/toys.yaml';
/** CPU time of one run; a run beyond it is stopped. */
const LIMIT_SECONDS = 120;

interface Pair {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

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
/** The CPU time beyond the start of Node, as multiples of oasdiff's: of each pair, in the median, above 1 MB. */
const TARGETS = { each: 2.5, median: 1.5, large: 1 };
const LARGE_MEGABYTES = 1;
/** Below 1 MB. */
const MAX_MEGABYTES = 150;

try {
  const [before, after] = positionals;
  // Fills the cache.
  spawnSync(process.execPath, [STUBWRIGHT, 'diff', CONTRACT, CONTRACT_OF_TEST], { env });
  const start = medianOf(
    Array.from({ length: 5 }, () => runOf(process.execPath, ['-e', '0'])).flat(),
  );
  process.stdout.write(`The start of Node takes ${start.seconds.toFixed(2)} s.\n\n`);
  process.stdout.write(
    '| contract | MB | CPU s | oasdiff | beyond the start | ratio | target | peak MB | oasdiff |\n',
  );
  process.stdout.write(`|${' --- |'.repeat(9)}\n`);
  const pairs =
    before !== undefined && after !== undefined ? [{ name: before, before, after }] : published();
  const ratios = pairs.flatMap((pair) => measured(pair, start.seconds));
  if (ratios.length > 0) {
    const middle = median(ratios);
    const verdict = middle <= TARGETS.median ? 'pass' : `SHORT of ${TARGETS.median}`;
    process.stdout.write(`\nmedian ${middle.toFixed(1)} of ${ratios.length}: ${verdict}\n`);
  }
  const load = loadavg()[0]!.toFixed(1);
  process.stdout.write(`\n${cpus()[0]?.model}, Node ${process.version}, load average ${load}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

/** @returns pairs of published versions, by size */
function published(): Pair[] {
  return PUBLISHED.flatMap(({ name, file, versions }) => {
    const paths = versions.map((version) => fileOf(`${name}@${version}`, file));
    return paths.slice(1).map((after, at) => ({
      name: `${name} ${versions[at]} to ${versions[at + 1]}`,
      before: paths[at]!,
      after,
    }));
  }).sort((one, other) => statSync(one.after).size - statSync(other.after).size);
}

/** @returns the path of a file of a package: the package is not installed, nor what it depends on */
function fileOf(version: string, file: string): string {
  const to = join(folder, version.replaceAll('/', '-'));
  mkdirSync(to);
  const archive = execFileSync('npm', ['pack', '--silent', '--pack-destination', to, version], {
    encoding: 'utf8',
  }).trim();
  execFileSync('tar', ['xf', join(to, archive), '-C', to, `package/${file}`]);
  rmSync(join(to, archive));
  return join(to, 'package', file);
}

/** Prints a row; the tools alternate. @returns the ratio of the CPU times beyond the start of Node */
function measured({ name, before, after }: Pair, start: number): number[] {
  const ours: Run[] = [];
  const theirs: Run[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    ours.push(...runOf(process.execPath, [STUBWRIGHT, 'diff', before, after]));
    theirs.push(...runOf(oasdiff, ['changelog', before, after]));
  }
  const size = statSync(after).size / 1e6;
  const [own, other] = [medianOf(ours), medianOf(theirs)];
  const beyond = own.seconds - start;
  const ratio = beyond / other.seconds;
  const isLarge = size > LARGE_MEGABYTES;
  const target = isLarge ? TARGETS.large : TARGETS.each;
  const isSmall = isLarge || own.megabytes <= MAX_MEGABYTES;
  const show = (value: number, digits: number) => (value >= 0 ? value.toFixed(digits) : 'fails');
  process.stdout.write(
    `| ${[
      name,
      show(size, 2),
      show(own.seconds, 2),
      show(other.seconds, 2),
      show(beyond, 2),
      ratio > 0 ? show(ratio, 1) : '',
      ratio > 0 ? (ratio <= target && isSmall ? 'pass' : `SHORT of ${target}`) : '',
      show(own.megabytes, 0),
      show(other.megabytes, 0),
    ].join(' | ')} |\n`,
  );
  return ratio > 0 ? [ratio] : [];
}

function medianOf(runs: readonly Run[]): Run {
  return {
    seconds: median(runs.map(({ seconds }) => seconds)),
    megabytes: median(runs.map(({ megabytes }) => megabytes)),
  };
}

/** @returns CPU and memory of a process; nothing if it fails */
function runOf(command: string, args: readonly string[]): Run[] {
  const limited = ['-c', `ulimit -t ${LIMIT_SECONDS}; exec "$@"`, 'sh', command, ...args];
  const { stderr } = spawnSync('/usr/bin/time', ['-f', '%x %U %S %M', 'sh', ...limited], {
    ...{ encoding: 'utf8', env, maxBuffer: 2 ** 28 },
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
