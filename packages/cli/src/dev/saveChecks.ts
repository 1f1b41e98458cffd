// The checks after a save: missing handlers, breaking changes, lint, generated/ and types.
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Bundle } from '@stubwright/contract';
import type { Access } from '../loading/containment.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT, POLICY, RELEASED } from '../project/layout.ts';
import { breakingSinceRelease, linesOf, lintLines, missingHandlers } from './news.ts';
import type { DevSession } from './session.ts';
import { TypeCheck } from './typeCheck.ts';

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
    const { lineOf } = await import('../output/finding.ts');
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
    const { generateIn, staleFiles } = await import('../project/generated.ts');
    const { expectGenerated, replaceFiles } = await import('../project/replaceFiles.ts');
    const { files: own, bundle } = await generateIn('.', CONTRACT, this.access);
    const files = new Map([...own, ...(await this.#servedFiles(bundle))]);
    const stale = await staleFiles(files, cwd);
    expectGenerated(files, { cwd });
    // Their modification times become newer than the contract's.
    if (stale.length > 0) replaceFiles(files, this.#io);
    return linesOf(
      'generated',
      stale.map((path) => `${path} written`),
    );
  }

  async #servedFiles(bundle: Bundle): Promise<ReadonlyMap<string, string>> {
    const { cwd } = this.#io;
    if (!existsSync(resolve(cwd, POLICY))) return new Map();
    const { servedEntries, servedFiles } = await import('../serving/servedFiles.ts');
    return (await servedFiles(servedEntries(cwd), bundle, this.access)).files;
  }

  /** @returns another text after a file of the contract was saved */
  #saves(): string {
    const { cwd } = this.#io;
    const stats = this.#files.map((file) =>
      statSync(resolve(cwd, file), { throwIfNoEntry: false }),
    );
    return stats.map((each) => (each === undefined ? '' : `${each.size} ${each.mtimeMs}`)).join();
  }

  #say(lines: readonly string[]): void {
    for (const line of lines) this.#io.stdout.write(`${line}\n`);
  }
}
