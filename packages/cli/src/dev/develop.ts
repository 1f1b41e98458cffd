// `stubwright dev`: reloads contract and sources on every save, reports the changes, and writes generated/.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ContractErrors } from '@stubwright/contract';
import {
  configuredTokens,
  createLog,
  type Log,
  readSettings,
  type Service,
  startErrorMessage,
} from '@stubwright/service';
import { loadContractFiles } from '../loading/load.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';
import { changedOperations, linesOf, SaveChecks } from './saveChecks.ts';
import { DevSession, FreshModules, SourceError } from './session.ts';
import { keptLines, SOURCES, servedLine, type Watch, waitingLines, watchSaves } from './watch.ts';

/**
 * Runs the service of a project until a signal. A version that cannot be served is reported, also the
 * first one.
 *
 * @throws {Error} with one line if the folder is no project, or another save does not help: a wrong
 *   setting, a port in use, a store that does not open
 */
export async function develop(io: CommandIo): Promise<void> {
  if (!existsSync(resolve(io.cwd, 'src/service.ts'))) {
    throw new Error('src/service.ts: got no file, expected a project of stubwright init');
  }
  const development = new Development(io);
  try {
    await development.start();
    await Promise.race([io.untilSignal?.() ?? new Promise(() => {}), development.failed]);
  } finally {
    await development.stop();
  }
}

class Development {
  readonly #io: CommandIo;
  /** The path of the contract, as in the settings. */
  readonly #contract: string;
  readonly #modules: FreshModules;
  readonly #checks: SaveChecks;
  readonly #failed = Promise.withResolvers<never>();
  /** Reloads run one after the other. */
  #turn: Promise<void> = Promise.resolve();
  /** The saves that no reload has read yet. */
  readonly #saved = new Set<string>();
  #isStopping = false;
  #watch: Watch | undefined;
  #log: Log | undefined;
  /** Undefined until a version can be served. */
  #session: DevSession | undefined;

  constructor(io: CommandIo) {
    this.#io = io;
    this.#contract = io.env['CONTRACT'] || CONTRACT;
    this.#modules = new FreshModules(io.cwd);
    this.#checks = new SaveChecks(this.#contract, io);
  }

  /** Rejects if another save does not help. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  async start(): Promise<void> {
    // Before anything is read: a save during the start causes a reload.
    this.#watch = await watchSaves(this.#contract, {
      cwd: this.#io.cwd,
      onContract: (file) => this.#enqueue(file),
      onSource: () => this.#enqueue(SOURCES),
    });
    this.#failed.promise.catch(() => {});
    this.#enqueue(this.#contract);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#watch?.close();
    await this.#turn;
    this.#checks.stop();
    await this.#session?.stop();
    const log = this.#log;
    if (log !== undefined) await new Promise((flushed) => log.flush(flushed));
  }

  /** One reload serves all files that were saved before it. */
  #enqueue(file: string): void {
    this.#saved.add(file);
    this.#turn = this.#turn.then(async () => {
      if (this.#saved.size === 0 || this.#isStopping) return;
      const saved = [...this.#saved];
      this.#saved.clear();
      try {
        await (this.#session === undefined ? this.#begin() : this.#reload(this.#session, saved));
      } catch (error) {
        this.#failed.reject(oneLine(error));
      }
    });
  }

  async #begin(): Promise<void> {
    const { cwd, env, raw } = this.#io;
    let isValid = false;
    try {
      const version = await this.#modules.importVersion();
      const read = version.options.readSettings ?? readSettings;
      const settings = read({ MOCK: 'missing', ...env, CONTRACT: this.#contract });
      const access = { cwd, allowOutside: settings.contractFolders };
      this.#checks.access = access;
      this.#log ??= createLog(settings.logLevel, raw);
      const contract = await loadContractFiles(this.#contract, access);
      isValid = true;
      const { session, service } = await DevSession.start(this.#modules, version, contract, {
        ...{ settings, tokens: configuredTokens(settings), access, log: this.#log },
      });
      this.#session = session;
      this.#watch!.follow(session.contract.files, true);
      this.#say(await this.#greeting(service));
      await this.#checks.all(session);
    } catch (error) {
      if (!(error instanceof ContractErrors || error instanceof SourceError)) throw error;
      this.#say(waitingLines(error.message));
      if (isValid) await this.#checks.generated();
      else this.#watch!.follow([this.#contract], false);
      if (error instanceof SourceError && !error.isLocated) this.#checks.types();
    }
  }

  async #greeting(service: Service): Promise<string[]> {
    const { url, generatedToken: token } = service;
    return [
      `serving ${url}, docs at ${url}/docs; save ${this.#contract} or src/ to reload`,
      ...(token === undefined ? [] : ['', (await service.curl(token)) ?? '', '']),
    ];
  }

  async #reload(session: DevSession, saved: readonly string[]): Promise<void> {
    const startedAt = performance.now();
    const outcome = await (saved.includes(SOURCES)
      ? session.sourceSaved()
      : session.contractSaved());
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
    const what = saved.join(', ');
    if (outcome.kind === 'kept') {
      // A later save may have the other half of a change.
      if (this.#saved.size > 0) return;
      this.#say(keptLines(what, outcome.errors));
      if (outcome.isValid) await this.#checks.generated();
      else this.#watch!.follow(session.contract.files, false);
      if (!outcome.isLocated) this.#checks.types();
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
    await this.#checks.all(session);
  }

  #say(lines: readonly string[]): void {
    for (const line of lines) this.#io.stdout.write(`${line}\n`);
  }
}

/** An error of the start, in one line without a stack trace. */
function oneLine(error: unknown): Error {
  const lines = startErrorMessage(error).split('\n');
  return new Error(lines.filter((line) => line.trim() !== '' && !/^ +at /.test(line)).join(' '));
}
