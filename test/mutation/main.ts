// `make test-mutation N=100 SEED=1 SINCE=origin/main`: puts random small faults into the sources, and prints those that no test notices.
// `NAMES=packages/store`: faults of that package, which its own tests notice.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ONLY_IN_TEST_ALL } from '../../jest.config.ts';
import { copyProject } from '../support/projectCopy.ts';
import { mutantChecker, mutated } from './compiler.ts';
import { executes, type TestCoverage } from './coverage.ts';
import { jest, TOOL } from './jestRun.ts';
import { measuredTests } from './measuredTests.ts';
import { type Mutant, mutantsOf } from './mutants.ts';

const FOLDER = resolve('build/mutation');
/** Tests run for one mutant at most, by the time that they took without it: the nearest first, as most mutants end there. */
const MAX_TEST_MS = [10_000, 60_000];
/** A mutant that never ends is noticed. */
const TIMEOUT_FACTOR = 6;
const JEST_START_MS = 20_000;
/** Of the tests of `make test-all`, whose times are not measured. */
const MAX_TEST_ALL_MS = 120_000;
const MAX_TESTS_OF_TEST_ALL = 8;

interface Outcome {
  readonly mutant: Mutant;
  readonly result: 'noticed' | 'survived' | 'not executed';
}

const workers = positiveInteger('WORKERS', '2');
const copies = Array.from({ length: workers }, (_, index) => join(FOLDER, `copy-${index}`));
const count = positiveInteger('N', '100');
const seed = positiveInteger('SEED', '1');
const { NAMES: names = '', SINCE: since = '' } = process.env;
const changed = since === '' ? undefined : changedLines(since);
if (changed?.size === 0) {
  process.stdout.write(`no line of packages/*/src has changed since ${since}\n`);
  process.exit(0);
}

for (const copy of copies) prepare(copy);
// Of one package: noticed by its own tests, which is a lower bound, and takes minutes.
const [packageOfNames = ''] = /^packages\/[^/]+\//.exec(`${names}/`) ?? [];
const coverage = await measuredTests(copies[0] as string, {
  folder: FOLDER,
  workers,
  of: packageOfNames,
});
const random = randomOf(seed);
const compiles = mutantChecker();
const drawn = draw(
  sources()
    .flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')))
    .filter(({ file, line }) => changed === undefined || changed.get(file)?.has(line)),
);
const outcomes: Outcome[] = [];
await Promise.all(copies.map(work));
summarize();

function positiveInteger(name: string, fallback: string): number {
  const value = process.env[name] || fallback;
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  process.stderr.write(
    `${name}: got ${JSON.stringify(value)}, expected an integer from 1 to 999999\n`,
  );
  return process.exit(1);
}

function sources(): readonly string[] {
  return readdirSync('packages').flatMap((name) => {
    if (['tools', 'test-support'].includes(name)) return [];
    const files = readdirSync(`packages/${name}/src`, { recursive: true, encoding: 'utf8' });
    return files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `packages/${name}/src/${file}`)
      .filter((file) => file.includes(names))
      .sort();
  });
}

/** @returns by file: the 1-based lines that were added or changed since the merge base with a revision */
function changedLines(revision: string): ReadonlyMap<string, ReadonlySet<number>> {
  const args = [
    'diff',
    '--merge-base',
    '--unified=0',
    '--no-ext-diff',
    revision,
    '--',
    ':(glob)packages/*/src/**',
  ];
  const lines = new Map<string, Set<number>>();
  let current = new Set<number>();
  // The changes of a branch have any size.
  const maxBuffer = Number.POSITIVE_INFINITY;
  for (const line of execFileSync('git', args, { encoding: 'utf8', maxBuffer }).split('\n')) {
    const [, file] = /^\+\+\+ b\/(.*)$/.exec(line) ?? [];
    if (file !== undefined) {
      current = new Set();
      lines.set(file, current);
    }
    const [, start, length = '1'] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    for (let at = 0; start !== undefined && at < Number(length); at++) current.add(+start + at);
  }
  return lines;
}

/** Draws mutants that compile, without replacement: a file in proportion to what can be changed in it. */
function draw(all: readonly Mutant[]): Mutant[] {
  const left = [...all];
  const found: Mutant[] = [];
  while (found.length < count && left.length > 0) {
    const [mutant] = left.splice(Math.floor(random() * left.length), 1);
    if (mutant && compiles(mutant)) found.push(mutant);
  }
  return found;
}

/** mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function prepare(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyProject(folder, ['.']);
  // Resolves plugins from its own folder, with links followed: the one of the copy has the mutants.
  const linter = join(folder, 'node_modules/@redocly');
  rmSync(linter);
  cpSync('node_modules/@redocly', linter, { recursive: true, dereference: true });
}

async function work(folder: string): Promise<void> {
  for (let mutant = drawn.pop(); mutant !== undefined; mutant = drawn.pop()) {
    const result = await resultOf(folder, mutant);
    outcomes.push({ mutant, result });
    if (result !== 'noticed') process.stdout.write(`${result}: ${described(mutant)}\n`);
    if (outcomes.length % 25 === 0 && drawn.length > 0) process.stdout.write(`${figure()}\n`);
  }
}

async function resultOf(folder: string, mutant: Mutant): Promise<Outcome['result']> {
  const tests = testsOf(mutant);
  for (const batch of batchesOf(tests)) {
    const timeoutMs = JEST_START_MS + TIMEOUT_FACTOR * batch.reduce((sum, { ms }) => sum + ms, 0);
    const code = await withMutant(folder, mutant, () => run(folder, pathsOf(batch), timeoutMs));
    if (code !== 0) return 'noticed';
  }
  const more = testsOfTestAll(tests, mutant);
  const environment = { ALL_TESTS: '1' };
  const runMore = () => run(folder, more, MAX_TEST_ALL_MS, environment);
  if (more.length > 0) {
    // These have not run without the mutant.
    const isFailed = (await withMutant(folder, mutant, runMore)) === 1;
    if (isFailed && (await runMore()) !== 1) return 'noticed';
  }
  return tests.length === 0 ? 'not executed' : 'survived';
}

/** Tests that execute the mutant: the nearest first, then those of the fewest sources. */
function testsOf({ file, expression }: Mutant): readonly TestCoverage[] {
  return coverage
    .filter((test) => executes(test, file, expression) || runsCopy(test, file))
    .sort((a, b) => distance(a.test, file) - distance(b.test, file) || breadth(a) - breadth(b));
}

/** @returns the tests within each time limit that are not within the one before */
function batchesOf(tests: readonly TestCoverage[]): readonly (readonly TestCoverage[])[] {
  let ms = 0;
  const left = new Set(tests);
  return MAX_TEST_MS.flatMap((limit) => {
    const batch = [...left].filter((test) => {
      const isRun = ms === 0 || ms + test.ms <= limit;
      if (isRun) ms += test.ms;
      return isRun && left.delete(test);
    });
    return batch.length === 0 ? [] : [batch];
  });
}

/**
 * @returns the tests that run, or run more, in `make test-all` alone: those that others represent which execute
 *   the mutant, and those near it
 */
function testsOfTestAll(tests: readonly TestCoverage[], { file }: Mutant): string[] {
  const executing = new Set(pathsOf(tests));
  const represented = Object.entries(ONLY_IN_TEST_ALL).flatMap(([test, by]) =>
    executing.has(by) || distance(test, file) === 0 ? [test] : [],
  );
  const near = pathsOf(coverage).filter((test) => distance(test, file) === 0);
  const marked = [...new Set([...pathsOf(tests), ...near])].filter((test) =>
    /isTestAll|inTestAll|runs\(/.test(readFileSync(test, 'utf8')),
  );
  return [...represented, ...marked]
    .sort((a, b) => distance(a, file) - distance(b, file))
    .slice(0, MAX_TESTS_OF_TEST_ALL);
}

function pathsOf(tests: readonly TestCoverage[]): string[] {
  return tests.map(({ test }) => test);
}

/** 0 for a test with the name of the source, or of the package and its folder, 1 for others of the package. */
function distance(test: string, file: string): number {
  const [, name, , ...source] = file.split(/[/.]/);
  const words = test.split(/[/.]/);
  if (words.includes(source.at(-2) as string)) return 0;
  const isOfPackage = ['packages', 'test'].some((folder) => test.startsWith(`${folder}/${name}/`));
  if (!isOfPackage) return 2;
  return source.slice(0, -2).some((word) => words.includes(word)) ? 0 : 1;
}

/** True for a test that names the source: it may copy it to another folder, and run it there. */
function runsCopy({ test }: TestCoverage, file: string): boolean {
  return readFileSync(test, 'utf8').includes(`'${file}'`);
}

/** The cost of a test that is likely to notice: its time, and how much else it is about. */
function breadth({ ms, sources: executed }: TestCoverage): number {
  return (ms + 500) * Object.keys(executed).length;
}

async function withMutant<T>(folder: string, mutant: Mutant, act: () => Promise<T>): Promise<T> {
  const path = join(folder, mutant.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, mutated(text, mutant));
  try {
    return await act();
  } finally {
    writeFileSync(path, text);
  }
}

/** @returns jest's exit code, 1 for a failed test; undefined after the time limit */
function run(
  folder: string,
  tests: readonly string[],
  timeoutMs: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const paths = tests.map((test) => join(folder, test));
  const sequencer = '--testSequencer=./test/support/givenOrder.cjs';
  // A mutant that makes a test wait is noticed.
  const args = [
    '--runTestsByPath',
    ...paths,
    '-w',
    '1',
    '--testTimeout=40000',
    '--bail',
    sequencer,
  ];
  args.push(`--reporters=./${TOOL}/failFast.ts`);
  const compiled = { NODE_COMPILE_CACHE: join(folder, 'node_modules/.cache/compiled') };
  const order = { TEST_ORDER: paths.join('\n') };
  return jest(folder, args, { ...compiled, ...order, ...environment }, timeoutMs);
}

function described({ file, line, start, end, replacement }: Mutant): string {
  const text = readFileSync(file, 'utf8').slice(start, end).replace(/\s+/g, ' ');
  return `${file}:${line}: ${JSON.stringify(text.slice(0, 60))} -> ${JSON.stringify(replacement.replace(/\s+/g, ' ').slice(0, 60))}`;
}

function summarize(): void {
  const folders = Map.groupBy(
    outcomes.filter(({ result }) => result !== 'noticed'),
    ({ mutant }) => dirname(mutant.file),
  );
  for (const [folder, missed] of [...folders].sort(([, a], [, b]) => b.length - a.length)) {
    process.stdout.write(`${String(missed.length).padStart(4)}  ${folder}\n`);
  }
  process.stdout.write(`${figure()}\n`);
}

/** `100 mutants (SEED=1): 85 noticed (85 %), 10 survived, 5 not executed by a test` */
function figure(): string {
  const of = (wanted: Outcome['result']) =>
    outcomes.filter(({ result }) => result === wanted).length;
  const percent = Math.round((100 * of('noticed')) / (outcomes.length || 1));
  return `${outcomes.length} mutants (SEED=${seed}): ${of('noticed')} noticed (${percent} %), ${of('survived')} survived, ${of('not executed')} not executed by a test`;
}
