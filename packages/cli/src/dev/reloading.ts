// Serves every saved version of a contract, and reports the result of each reload.

import type { LoadedContract } from '@stubwright/contract';
import { textOf } from '@stubwright/contract/printable';
import { type Service, startErrorMessage } from '@stubwright/service';
import type { CommandIo } from '../output/io.ts';
import { keptLines, servedLine } from './reloadLines.ts';
import { type Watch, watchSaves } from './watch.ts';

export class Reloading {
  readonly #io: CommandIo;
  readonly #load: () => Promise<LoadedContract>;
  readonly #started = Promise.withResolvers<Service>();
  /** Reloads run one after the other, after the start. */
  #turn: Promise<unknown> = this.#started.promise;
  #watch: Watch | undefined;
  #files: readonly string[] = [];
  #isClosed = false;

  private constructor(io: CommandIo, load: () => Promise<LoadedContract>) {
    this.#io = io;
    this.#load = load;
  }

  /** @returns after the watchers are ready */
  static async watch(
    path: string,
    io: CommandIo,
    load: () => Promise<LoadedContract>,
  ): Promise<Reloading> {
    const reloading = new Reloading(io, load);
    const onContract = (file: string) => {
      reloading.#turn = reloading.#turn.then(() => reloading.#reload(file));
    };
    reloading.#watch = await watchSaves(path, { cwd: io.cwd, onContract });
    return reloading;
  }

  start(service: Service, { files }: LoadedContract): void {
    this.#follow(files);
    this.#started.resolve(service);
  }

  /** May be called again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#watch!.close();
  }

  #follow(files: readonly string[]): void {
    this.#files = files;
    this.#watch!.follow(files, true);
  }

  async #reload(file: string): Promise<void> {
    if (this.#isClosed) return;
    const startedAt = performance.now();
    try {
      const service = await this.#started.promise;
      const contract = await this.#load();
      if (this.#isClosed) return;
      await service.serve(contract);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
      this.#io.stdout.write(`${servedLine(file, seconds)}\n`);
      for (const warning of contract.warnings) this.#io.stderr.write(`${textOf(warning)}\n`);
      this.#follow(contract.files);
    } catch (error) {
      this.#io.stderr.write(`${keptLines(file, startErrorMessage(error)).join('\n')}\n`);
      this.#watch!.follow(this.#files, false);
    }
  }
}
