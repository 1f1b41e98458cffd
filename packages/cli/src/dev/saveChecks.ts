// What a save changes: breaking changes, missing handlers, lint rules and types.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { LoadedContract } from '@stubwright/contract';
import { applyPolicy, type Change, changesBetween, countsOf, whereOf } from '@stubwright/diff';
import { baselineOf, versionOf } from '@stubwright/diff/versions';
import type { Access } from '../loading/containment.ts';
import { loadContractFiles } from '../loading/load.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT, POLICY, RELEASED } from '../project/layout.ts';
import { nameOf } from '../project/names.ts';
import { policyIn } from '../project/policy.ts';
import { releasesIn } from '../project/releases.ts';
import type { DevSession } from './session.ts';

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
async function breakingSinceRelease(
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
  const added = [...findings].filter((finding) => !known.has(finding));
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

const BUILD_INFO = 'node_modules/.cache/stubwright.tsbuildinfo';
const OPTIONS = ['--noEmit', '--incremental', '--tsBuildInfoFile', BUILD_INFO, '--pretty', 'false'];

/** Checks one after the other: a check that is stopped at each save would never have a result. */
export class TypeCheck {
  readonly #cwd: string;
  readonly #report: (lines: readonly string[]) => void;
  #running: ChildProcess | undefined;
  /** True if files were saved after the running check has started. */
  #isOutdated = false;

  /**
   * @param cwd the folder of the project
   * @param report receives `checking…` at the start of a check, and its result at the end: the errors, or
   *   `no errors`. The last result is that of the last request.
   */
  constructor(cwd: string, report: (lines: readonly string[]) => void) {
    this.#cwd = cwd;
    this.#report = report;
  }

  /** Starts a check, after the current one; does nothing without a tsconfig.json. */
  request(): void {
    if (this.#running !== undefined) this.#isOutdated = true;
    else if (existsSync(resolve(this.#cwd, 'tsconfig.json'))) this.#start();
  }

  stop(): void {
    this.#running?.kill('SIGKILL');
    this.#running = undefined;
  }

  #start(): void {
    this.#isOutdated = false;
    const tsc = compilerOf(this.#cwd);
    if (tsc === undefined) {
      this.#report(['not checked: got no package typescript, expected it to be installed']);
      return;
    }
    this.#report(['checking…']);
    const child = spawn(process.execPath, [tsc, ...OPTIONS], {
      cwd: this.#cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#running = child;
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', ({ message }) => this.#end(child, [`not checked: ${message}`]));
    child.on('close', (code, signal) => this.#end(child, resultOf(output, code ?? signal)));
  }

  #end(child: ChildProcess, result: readonly string[]): void {
    if (this.#running !== child) return;
    this.#running = undefined;
    this.#report(result);
    if (this.#isOutdated) this.#start();
  }
}

function resultOf(output: string, end: number | NodeJS.Signals | null): readonly string[] {
  // The details of an error are indented.
  const errors = output.split('\n').filter((line) => /^\S/.test(line));
  if (errors.length > 0) return errors;
  return end === 0 ? ['no errors'] : [`not checked: tsc ended with ${end}, expected 0`];
}

/** @returns the path of the project's own compiler; of the copy of this package if it has none */
function compilerOf(cwd: string): string | undefined {
  for (const from of [resolve(cwd, 'package.json'), import.meta.url]) {
    try {
      // TypeScript 7 does not export `bin/tsc`.
      const manifest = createRequire(from).resolve('typescript/package.json');
      return resolve(dirname(manifest), 'bin/tsc');
    } catch {}
  }
  return undefined;
}

export class SaveChecks {
  access: Access;
  readonly #path: string;
  readonly #io: CommandIo;
  readonly #types: TypeCheck;
  /** The files of the contract that was served last. */
  #files: readonly string[];
  /** The operations without handler after the last save, one line each. */
  #missing: readonly string[] = [];
  #findings: ReadonlySet<string> = new Set();

  constructor(path: string, io: CommandIo) {
    this.access = { cwd: io.cwd };
    this.#path = path;
    this.#files = [path];
    this.#io = io;
    this.#types = new TypeCheck(io.cwd, (lines) => this.#say(linesOf('types', lines)));
  }

  /** Reports about a version that is served; missing handlers if others are missing. */
  async all({ contract, handled }: DevSession): Promise<void> {
    this.#files = [this.#path, ...contract.files];
    const missing = missingHandlers(contract, handled, this.#io.cwd);
    if (missing.join() !== this.#missing.join()) this.#say(missing);
    this.#missing = missing;
    await this.#attempt('breaking', () => breakingSinceRelease(contract, RELEASED, this.access));
    await this.#attempt('lint', () => this.#lint());
    await this.generated();
    this.types();
  }

  async generated(): Promise<void> {
    await this.#attempt('generated', () => this.#writeGenerated());
  }

  types(): void {
    this.#types.request();
  }

  stop(): void {
    this.#types.stop();
  }

  /** A check that fails while files are being saved is not reported: the save causes a reload. */
  async #attempt(word: string, act: () => Promise<readonly string[]>): Promise<void> {
    const before = this.#saves();
    try {
      this.#say(await act());
    } catch (error) {
      if (this.#saves() !== before) return;
      const [line] = String(error instanceof Error ? error.message : error).split('\n');
      this.#say([`  ${word.padEnd(10)} not known: ${line}`]);
    }
  }

  /**
   * Loads the linter after the first start, which does not need Redocly. It reads the files anew: what it
   * found in files that were being saved is not reported, since the save causes a reload.
   */
  async #lint(): Promise<string[]> {
    const { lintContract } = await import('../check/lintContract.ts');
    const { lineOf } = await import('../output/formats.ts');
    const before = this.#saves();
    const findings = await lintContract(this.#path, this.access);
    if (this.#saves() !== before) return [];
    const known = this.#findings;
    this.#findings = new Set(findings.map(lineOf));
    return lintLines(this.#findings, known);
  }

  async #writeGenerated(): Promise<string[]> {
    const { cwd } = this.#io;
    if (resolve(cwd, this.#path) !== resolve(cwd, CONTRACT)) return [];
    const { staleFiles } = await import('../project/generated.ts');
    const { generatedFiles } = await import('../serving/servedFiles.ts');
    const { expectGenerated, replaceFiles } = await import('../project/writeFiles.ts');
    const { files } = await generatedFiles(CONTRACT, { ...this.access, cwd });
    const stale = await staleFiles(files, cwd);
    expectGenerated(files, { cwd });
    // Their modification times become newer than the contract's.
    if (stale.length > 0) replaceFiles(files, this.#io);
    return linesOf(
      'generated',
      stale.map((path) => `${path} written`),
    );
  }

  /** @returns another text after a file of the contract was saved */
  #saves(): string {
    const { cwd } = this.#io;
    const stats = this.#files.map((file) =>
      statSync(resolve(cwd, file), { throwIfNoEntry: false }),
    );
    return stats.map((stat) => (stat === undefined ? '' : `${stat.size} ${stat.mtimeMs}`)).join();
  }

  #say(lines: readonly string[]): void {
    for (const line of lines) this.#io.stdout.write(`${line}\n`);
  }
}
