// Maps JSON pointers into a loaded contract to `file:line:column` in its source files.

import { relative, resolve } from 'node:path';
import type { Document } from '@redocly/openapi-core';
import {
  escapeToken,
  isObject,
  type Node,
  type Position,
  unescapeUri,
  valueAt,
} from '@stubwright/contract';
import { positionText } from '@stubwright/contract/printable';
import type { Access } from './containment.ts';
import { ContractFiles } from './files.ts';
import { positionIn } from './position.ts';

/** A location in a file; the pointer starts with `/`, or is `''` for the whole file. */
interface FileLocation {
  readonly file: Document;
  readonly pointer: string;
}

interface LocationOptions extends Access {
  /** The loaded files of the contract. */
  readonly files?: ContractFiles;
  readonly shown?: (path: string) => string;
}

export class SourceLocations {
  readonly #files: ContractFiles;
  readonly #root: Document;
  readonly #document: Node;
  readonly #shown: (path: string) => string;
  /** Source locations of the components that were bundled from other files, by JSON pointer. */
  readonly #origins = new Map<string, FileLocation>();
  readonly #seen = new Set<unknown>();

  private constructor(
    files: ContractFiles,
    root: Document,
    document: Node,
    shown: (path: string) => string,
  ) {
    this.#files = files;
    this.#root = root;
    this.#document = document;
    this.#shown = shown;
  }

  /**
   * @param path of the contract
   * @param document the loaded document
   * @param options `shown` formats the path of a file; relative to the working directory by default
   */
  static async of(
    path: string,
    document: Node,
    { shown, files: loaded, ...access }: LocationOptions = {},
  ): Promise<SourceLocations> {
    // The bundler changes the documents of several files.
    const files = loaded?.isOne ? loaded : new ContractFiles(path, access);
    const file = (await files.resolveDocument(null, files.root, true)) as Document;
    const fromCwd = (path: string) => relative(resolve(access.cwd ?? ''), path);
    const locations = new SourceLocations(files, file, document, shown ?? fromCwd);
    if (files !== loaded) await locations.#collect('', document, { file, pointer: '' });
    return locations;
  }

  /** @returns `file:line:column` of the pointer, or of its nearest ancestor */
  at(pointer: string): string {
    return positionText(this.position(pointer));
  }

  position(pointer: string): Position {
    const { file, pointer: inFile } = this.#find(pointer);
    const { absoluteRef } = file.source;
    const { file: own, ...at } = positionIn(file.source, `#${inFile}`, inFile !== '');
    return { file: this.#shown(own ?? absoluteRef), ...at };
  }

  #find(pointer: string): FileLocation {
    const origin = this.#origins.get(pointer);
    if (origin !== undefined) return origin;
    if (pointer === '') return { file: this.#root, pointer: '' };
    const end = pointer.lastIndexOf('/');
    const holder = this.#find(pointer.slice(0, end));
    return { file: holder.file, pointer: holder.pointer + pointer.slice(end) };
  }

  /**
   * Walks the loaded document and the source files in parallel. Where a file has a `$ref` to another
   * file, the document has a component or the target itself.
   */
  async #collect(pointer: string, node: unknown, at: FileLocation): Promise<void> {
    if (typeof node !== 'object' || node === null || this.#seen.has(node)) return;
    const written = valueAt(at.file.parsed, at.pointer);
    const ref = refOf(written);
    const bundledRef = refOf(node);
    const isOwn = ref === bundledRef || (ref?.startsWith('#') && at.file === this.#root);
    if (ref !== undefined && !isOwn) {
      const target = await this.#target(at.file, ref);
      if (target !== undefined) await this.#follow(bundledRef ?? `#${pointer}`, target);
      return;
    }
    this.#seen.add(node);
    for (const [name, value] of Object.entries(node)) {
      if (!Object.hasOwn(Object(written), name)) continue;
      const step = `/${escapeToken(name)}`;
      await this.#collect(pointer + step, value, { ...at, pointer: at.pointer + step });
    }
  }

  async #follow(bundledRef: string, target: FileLocation): Promise<void> {
    const pointer = unescapeUri(bundledRef.slice(1));
    if (this.#origins.has(pointer)) return;
    this.#origins.set(pointer, target);
    await this.#collect(pointer, valueAt(this.#document, pointer), target);
  }

  async #target(from: Document, ref: string): Promise<FileLocation | undefined> {
    const [path = '', fragment = ''] = ref.split('#', 2);
    if (path === '') return { file: from, pointer: unescapeUri(fragment) };
    const absolute = this.#files.resolveExternalRef(from.source.absoluteRef, path);
    const file = await this.#files.resolveDocument(from.source.absoluteRef, absolute);
    if (file instanceof Error) return undefined;
    return { file: file as Document, pointer: unescapeUri(fragment) };
  }
}

function refOf(node: unknown): string | undefined {
  return isObject(node) && typeof node.$ref === 'string' ? node.$ref : undefined;
}
