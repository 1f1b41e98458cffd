// `stubwright dev`: reloads contract and sources on every save, reports the changes, and writes generated/.
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ContractErrors } from 'stubwright/contract';
import {
  ConfigError,
  configuredTokens,
  createLog,
  type Log,
  readSettings,
  type Service,
  type Settings,
  startErrorMessage,
} from 'stubwright/service';
import type { Access } from '../loading/containment.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT, RELEASED } from '../project/layout.ts';
import { FreshModules } from './freshModules.ts';
import {
  breakingSinceRelease,
  changedOperations,
  linesOf,
  lintLines,
  missingHandlers,
} from './news.ts';
import { keptLines, servedLine } from './reloadLines.ts';
import { DevSession, type ReloadResult } from './session.ts';
import { TypeCheck } from './typeCheck.ts';
import { type Watch, watchSaves } from './watch.ts';

/**
 * Runs the service of a project until a signal.
 *
 * @throws {Error} with one line if the first version cannot be served
 */
export async function develop(io: CommandIo): Promise<void> {
  const { modules, settings } = await orThrow(async () => {
    if (!existsSync(resolve(io.cwd, 'src/service.ts'))) {
      throw new ConfigError('src/service.ts: got no file, expected a project of stubwright init');
    }
    const modules = new FreshModules(io.cwd);
    const { options } = await modules.importVersion();
    const read = options.readSettings ?? readSettings;
    return { modules, settings: read({ MOCK: 'missing', CONTRACT, ...io.env }) };
  });
  const log = createLog(settings.logLevel, io.raw);
  const development = new Development(io, settings);
  try {
    await development.start(modules, log);
    await (io.untilSignal?.() ?? new Promise(() => {}));
  } finally {
    await development.stop();
  }
  await new Promise((flushed) => log.flush(flushed));
}

class Development {
  readonly #io: CommandIo;
  readonly #settings: Settings;
  readonly #access: Access;
  readonly #types: TypeCheck;
  readonly #started = Promise.withResolvers<void>();
  /** Reloads run one after the other, in the order of the saves. */
  #turn = this.#started.promise;
  #watch: Watch | undefined;
  #session: DevSession | undefined;
  /** The operations without handler after the last save, one line each. */
  #missing: readonly string[] = [];
  /** The lint findings after the last save. */
  #findings: ReadonlySet<string> = new Set();

  constructor(io: CommandIo, settings: Settings) {
    this.#io = io;
    this.#settings = settings;
    this.#access = { cwd: io.cwd, allowOutside: settings.contractFolders };
    this.#types = new TypeCheck(io.cwd, (errors) =>
      this.#say(linesOf('types', errors.length > 0 ? errors : ['no errors'])),
    );
  }

  async start(modules: FreshModules, log: Log): Promise<void> {
    const { contract } = this.#settings;
    // Before anything is read: a save during the start causes a reload.
    const watch = await watchSaves(contract, {
      cwd: this.#io.cwd,
      onContract: (file) => this.#enqueue((session) => session.contractSaved(), file),
      onSource: () => this.#enqueue((session) => session.sourceSaved(), 'src/'),
    });
    this.#watch = watch;
    const { session, service } = await orThrow(() =>
      DevSession.start(modules, {
        ...{ settings: this.#settings, tokens: configuredTokens(this.#settings) },
        ...{ access: this.#access, log },
      }),
    );
    this.#session = session;
    watch.follow(session.contract.files, true);
    this.#say(await this.#greeting(service));
    this.#turn = this.#turn.then(() => this.#reportState(session));
    this.#started.resolve();
  }

  async stop(): Promise<void> {
    await this.#watch?.close();
    if (this.#session === undefined) return;
    await this.#turn;
    this.#types.stop();
    await this.#session.stop();
  }

  async #greeting(service: Service): Promise<string[]> {
    const { url, generatedToken: token } = service;
    const { contract } = this.#settings;
    return [
      `serving ${url}, docs at ${url}/docs; save ${contract} or src/ to reload`,
      ...(token === undefined ? [] : ['', (await service.curl(token)) ?? '', '']),
    ];
  }

  #enqueue(act: (session: DevSession) => Promise<ReloadResult>, what: string): void {
    this.#turn = this.#turn.then(async () => {
      const session = this.#session!;
      const startedAt = performance.now();
      const outcome = await act(session);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
      await this.#report(session, outcome, { what, seconds });
    });
  }

  async #report(
    session: DevSession,
    outcome: ReloadResult,
    { what, seconds }: { readonly what: string; readonly seconds: string },
  ): Promise<void> {
    if (outcome.kind === 'kept') {
      this.#say(keptLines(what, outcome.errors));
      this.#watch!.follow(session.contract.files, false);
      return;
    }
    const { before, after, handled } = outcome;
    const news = changedOperations(before, after, session.handled);
    const handlers = linesOf(
      'handled',
      handled.map((id) => `${id}, no mock any more`),
    );
    this.#say([servedLine(what, seconds), ...news, ...handlers]);
    this.#watch!.follow(after.files, true);
    await this.#reportState(session);
  }

  /** Reports after each save: types, lint, breaking changes; missing handlers if others are missing. */
  async #reportState({ contract, handled }: DevSession): Promise<void> {
    const missing = missingHandlers(contract, handled, this.#io.cwd);
    if (missing.join() !== this.#missing.join()) this.#say(missing);
    this.#missing = missing;
    await this.#attempt('breaking', () => breakingSinceRelease(contract, RELEASED, this.#access));
    await this.#attempt('lint', () => this.#lint(contract.files));
    await this.#attempt('generated', () => this.#writeGenerated());
    this.#types.restart();
  }

  /** A check may read files that are being saved; the next save repeats it. */
  async #attempt(word: string, act: () => Promise<readonly string[]>): Promise<void> {
    try {
      this.#say(await act());
    } catch (error) {
      const [line] = String(error instanceof Error ? error.message : error).split('\n');
      this.#say([`  ${word.padEnd(10)} not known: ${line}`]);
    }
  }

  /**
   * Loads the linter after the first start, which does not need Redocly. It reads the files anew: what it
   * found in files that were being saved is not reported, since the save causes a reload.
   */
  async #lint(files: readonly string[]): Promise<string[]> {
    const { lintContract } = await import('../check/lintContract.ts');
    const { lineOf } = await import('../output/finding.ts');
    const before = savesOf(files, this.#io.cwd);
    const findings = await lintContract(this.#settings.contract, this.#access);
    if (savesOf(files, this.#io.cwd) !== before) return [];
    const known = this.#findings;
    this.#findings = new Set(findings.map(lineOf));
    return lintLines(this.#findings, known);
  }

  async #writeGenerated(): Promise<string[]> {
    const { cwd } = this.#io;
    if (resolve(cwd, this.#settings.contract) !== resolve(cwd, CONTRACT)) return [];
    const { writeGenerated, staleFiles, write } = await import('../project/generated.ts');
    const files = await writeGenerated(CONTRACT, this.#access);
    const stale = await staleFiles(files, cwd);
    if (stale.length > 0) await write(files, this.#io);
    return linesOf(
      'generated',
      stale.map((path) => `${path} written`),
    );
  }

  #say(lines: readonly string[]): void {
    for (const line of lines) this.#io.stdout.write(`${line}\n`);
  }
}

/** @returns another text after one of the files was saved */
function savesOf(files: readonly string[], cwd: string): string {
  const stats = files.map((file) => statSync(resolve(cwd, file), { throwIfNoEntry: false }));
  return stats.map((each) => (each === undefined ? '' : `${each.size} ${each.mtimeMs}`)).join();
}

/** An error of the first start, in one line without a stack trace. */
async function orThrow<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ContractErrors) throw error;
    const lines = startErrorMessage(error).split('\n');
    throw new Error(lines.filter((line) => line.trim() !== '' && !/^ +at /.test(line)).join(' '));
  }
}
