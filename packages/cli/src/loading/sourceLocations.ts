// Maps JSON pointers into a loaded contract to `file:line:column` in its source files.
import { relative, resolve } from 'node:path';
import { type Position, tokensOf } from '@stubwright/contract';
import { positionText } from '@stubwright/contract/printable';
import { checkContract } from './checkContract.ts';
import type { Access } from './containment.ts';
import { ContractFiles } from './files.ts';
import { type Positions, positionIn, type Ranges, type TextRange } from './parse.ts';
import type { SourceFile } from './walk.ts';

interface LocationOptions extends Access {
  /** The loaded files of the contract. */
  readonly files?: ContractFiles;
  readonly shown?: (path: string) => string;
}

export class SourceLocations {
  readonly #files: ContractFiles;
  readonly #root: SourceFile;
  readonly #shown: (path: string) => string;

  private constructor(files: ContractFiles, root: SourceFile, shown: (path: string) => string) {
    this.#files = files;
    this.#root = root;
    this.#shown = shown;
  }

  /**
   * @param path of the contract
   * @param options `shown` formats the path of a file; relative to the working directory by default
   */
  static async of(
    path: string,
    { shown, files = new ContractFiles(path), ...access }: LocationOptions = {},
  ): Promise<SourceLocations> {
    if (files.origins === undefined) await checkContract(path, { ...access, files });
    const fromCwd = (file: string) => relative(resolve(access.cwd ?? ''), file);
    const root = (await files.read(files.root)) as SourceFile;
    return new SourceLocations(files, root, shown ?? fromCwd);
  }

  /** @returns `file:line:column` of the pointer, or of its nearest ancestor */
  at(pointer: string): string {
    return positionText(this.position(pointer));
  }

  position(pointer: string): Position {
    const { file, pointer: inFile } = this.#files.originOf(pointer, this.#root);
    const { file: path, ...at } = positionIn(file, inFile, inFile !== '');
    return { file: this.#shown(path), ...at };
  }

  /** @returns the range of the pointer, or of its nearest ancestor; `file` is an absolute path */
  range(pointer: string): TextRange & { readonly file: string; readonly positions: Positions } {
    const { file, pointer: inFile } = this.#files.originOf(pointer, this.#root);
    const { path, positions, ranges = positions as Ranges } = file;
    return { file: path, positions, ...ranges.find(tokensOf(inFile)) };
  }
}
