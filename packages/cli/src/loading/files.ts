// The files of a contract: found by path, read, parsed. URLs are refused.

import { dirname, posix, resolve } from 'node:path';
import {
  BaseResolver,
  type Document,
  ResolveError,
  Source,
  type YamlParseError,
} from '@redocly/openapi-core';
import {
  documentParts,
  isObject,
  type Node,
  rewriteReferences,
  textHash,
  unescapeUri,
} from '@stubwright/contract';
import { type Access, Containment, OutsideFolder } from './containment.ts';
import { embedRemotes } from './embeddedRemotes.ts';
import { applyOverlays } from './overlay.ts';
import { parseText, type SyntaxIssue } from './parse.ts';
import { keepPositions, type Positions } from './position.ts';
import { Remotes, remotesOf } from './remotes.ts';
import { DISK } from './sources/disk.ts';
import type { Sources } from './sources/sources.ts';

/** The message of a `$ref` into a file whose own errors are reported already. */
export const HAS_ERRORS = 'the file has errors of its own';

/** A letter alone is a drive of Windows. */
const URI = /^[a-z][a-z0-9+.-]+:/i;

const MARKDOWN = /\.md$/i;
/** Parts with a description. */
const DESCRIBED = new Set(['openapi', 'schema', 'example', 'link', 'unknown']);

const withExternalValue = new WeakSet<object>();

/** True for an Example Object whose `externalValue` is hidden from Redocly. */
export function hasExternalValue(example: object): boolean {
  return withExternalValue.has(example);
}

export class ContractFiles extends BaseResolver {
  /** What was read: SHA-256 in hex by absolute path. */
  readonly hashes = new Map<string, string>();
  readonly errors: (SyntaxIssue & { readonly file: string })[] = [];
  readonly warnings: (SyntaxIssue & { readonly file: string })[] = [];

  /** False once a `$ref` has named a file, this one or another. */
  isOne = true;

  /** True if schemas are connected by so many references that Redocly may not follow them. */
  isConnected = false;

  /** The absolute path of the contract. */
  readonly root: string;
  /** Of the contract. */
  readonly sources: Sources;
  readonly #containment: Containment;
  readonly #descriptions = new Map<Source, Promise<void>>();
  /** By document. */
  readonly #restores = new Map<unknown, () => void>();
  /** The addresses of copies, by path. */
  readonly #addresses = new Map<string, string>();
  #remotes = new Remotes();
  /** Absolute paths. */
  readonly #givenOverlays: readonly string[];
  #overlays: readonly { readonly file: string; readonly text: string }[] | undefined;
  /** The absolute `$self` of each file. */
  readonly #selves = new Map<string, URL>();
  /** The documents that have the copies of remote schemas. */
  readonly #embedded = new Set<unknown>();
  readonly #externalValues: [holder: Node, url: string][] = [];

  /** @param path of the contract */
  constructor(path: string, access?: Access) {
    super();
    this.sources = access?.sources ?? DISK;
    this.root = resolve(access?.cwd ?? '', path);
    this.#containment = new Containment(path, access);
    this.#givenOverlays = (access?.overlays ?? []).map((each) => resolve(access?.cwd ?? '', each));
  }

  /** Redocly resolves JSON pointers only: restores the references by `$id` and anchor. */
  restoreReferences(): void {
    for (const restore of this.#restores.values()) restore();
  }

  /** @returns what each file holds that was read and parsed, by its absolute path */
  async documents(): Promise<ReadonlyMap<string, unknown>> {
    const read = [...this.cache].map(async ([path, document]) => {
      const found = await document.catch(() => undefined);
      return [path, (found as Document | undefined)?.parsed] as const;
    });
    return new Map(await Promise.all(read));
  }

  override resolveExternalRef(base: string | null, ref: string): string {
    if (base !== null) this.isOne = false;
    const file = base ?? this.root;
    const folder = dirname(file);
    const address = URL.parse(ref, this.#addresses.get(file))?.href;
    const copy = address === undefined ? undefined : this.#copyOf(address);
    if (copy !== undefined) return copy;
    if (URI.test(ref)) return this.#besides(this.#selves.get(file), ref, folder);
    const path = resolve(folder, ref);
    return this.sources.exists(path) ? path : resolve(folder, unescapeUri(ref));
  }

  /** References of the copy are relative to its address. */
  #copyOf(address: string): string | undefined {
    const path = this.#remotes.copyOf(address);
    if (path !== undefined) this.#addresses.set(path, address);
    return path;
  }

  /** @returns the path of a document in relation to one with a `$self` (OpenAPI 3.2), else its URI */
  #besides(self: URL | undefined, ref: string, folder: string): string {
    const target = URL.parse(ref);
    if (self === undefined || target === null || !/^https?:/.test(target.protocol)) return ref;
    if (target.origin !== self.origin) return ref;
    const path = posix.relative(posix.dirname(self.pathname), target.pathname);
    return resolve(folder, unescapeUri(path));
  }

  override async loadExternalRef(path: string): Promise<Source> {
    if (/^file:/i.test(path)) throw refusal('file URLs are not read');
    if (URI.test(path)) throw refusal('remote references are not supported');
    return new Source(path, await this.#textOf(path));
  }

  /** @param extension by default those of contracts */
  async #textOf(path: string, extension?: RegExp, isContained = true): Promise<string> {
    const read = async () =>
      this.sources.read(isContained ? this.#containment.admit(path, extension) : path);
    const bytes = await read().catch((error: NodeJS.ErrnoException) => {
      throw error instanceof OutsideFolder ? new ResolveError(error) : refusal(reasonOf(error));
    });
    this.hashes.set(path, textHash(bytes));
    return decode(bytes).replaceAll('\r\n', '\n');
  }

  override parseDocument(source: Source, _isRoot?: boolean): Document {
    const parsed = parseText(source.body, /\.json$/i.test(source.absoluteRef));
    if (parsed.errors === undefined) {
      const { warning } = parsed;
      const value = this.#overlaid(source, parsed);
      this.#hideExternalValues(value);
      if (warning !== undefined) this.warnings.push({ ...warning, file: source.absoluteRef });
      this.readIdentifiers({ source, parsed: value });
      return { source, parsed: value };
    }
    this.errors.push(...parsed.errors.map((error) => ({ ...error, file: source.absoluteRef })));
    throw refusal(HAS_ERRORS);
  }

  /** Redocly resolves JSON pointers only. */
  protected readIdentifiers({ source, parsed }: Document): void {
    if (!isObject(parsed)) return;
    const self = URL.parse(String(parsed.$self));
    if (self !== null) this.#selves.set(source.absoluteRef, self);
    this.#restores.set(parsed, rewriteReferences(parsed));
  }

  /** Redocly resolves a `$ref` in place of any text, here to a Markdown file. */
  override async resolveDocument<T = unknown>(
    base: string | null,
    ref: string,
    isRoot = false,
  ): Promise<Document<T> | ResolveError | YamlParseError> {
    if (isRoot) {
      await this.#readRemotes();
      await this.#readOverlays();
    }
    const document = await super.resolveDocument<T>(base, ref, isRoot);
    if (document instanceof Error) return document;
    if (isRoot) await this.#embedRemotes(document);
    const { source } = document;
    const reading = this.#descriptions.get(source) ?? this.#readDescriptions(document);
    this.#descriptions.set(source, reading);
    await reading;
    return document;
  }

  async #readRemotes(): Promise<void> {
    if (this.#remotes.file !== undefined) return;
    this.#remotes = await remotesOf(this.root, this.sources);
    const { file, errors } = this.#remotes;
    this.errors.push(...errors.map((error) => ({ ...error, file: file! })));
  }

  async #readOverlays(): Promise<void> {
    if (this.#overlays !== undefined) return;
    const overlays: { file: string; text: string }[] = [];
    this.#overlays = overlays;
    for (const file of [...this.#remotes.overlays, ...this.#givenOverlays]) {
      try {
        overlays.push({ file, text: await this.#textOf(file, undefined, !this.#isGiven(file)) });
      } catch (error) {
        const what = (error as Error).message;
        this.errors.push({ file, line: 1, column: 1, what, expected: 'expected an overlay' });
      }
    }
  }

  /** A path of the command line may lead out of the contract's folder. */
  #isGiven(file: string): boolean {
    return this.#givenOverlays.includes(file);
  }

  /** @returns the value with the overlays of the contract */
  #overlaid(
    source: Source,
    { value, positions }: { value: unknown; positions: Positions },
  ): unknown {
    const file = source.absoluteRef;
    if (file !== this.root || !this.#overlays?.length) {
      keepPositions(source, positions);
      return value;
    }
    const overlaid = applyOverlays({ file, value, positions }, this.#overlays);
    this.warnings.push(...overlaid.warnings);
    this.errors.push(...overlaid.errors);
    if (overlaid.errors.length > 0) throw refusal(HAS_ERRORS);
    keepPositions(source, overlaid);
    return overlaid.value;
  }

  async #embedRemotes(document: Document): Promise<void> {
    const { parsed } = document;
    if (this.#remotes.isEmpty || !isObject(parsed) || this.#embedded.has(parsed)) return;
    this.#embedded.add(parsed);
    if (String(parsed.openapi).startsWith('3.0')) return;
    this.#restores.get(parsed)?.();
    await embedRemotes(parsed, (address) => this.#readCopy(address));
    this.readIdentifiers(document);
  }

  /** @returns undefined for one that cannot be read, which Redocly reports where it is referenced */
  async #readCopy(address: string): Promise<unknown> {
    const path = this.#copyOf(address);
    const text = path && (await this.#textOf(path).catch(() => undefined));
    if (path === undefined || text === undefined) return undefined;
    const parsed = parseText(text, /\.json$/i.test(path));
    return parsed.errors === undefined ? parsed.value : undefined;
  }

  /** Replaces references to Markdown by its text; others stay, and are errors. */
  async #readDescriptions({ parsed, source }: Document): Promise<void> {
    if (!isObject(parsed) || !/\.md\b/i.test(source.body)) return;
    for (const { node, kind } of documentParts(parsed)) {
      const ref: unknown = node.description?.$ref;
      if (!DESCRIBED.has(kind) || typeof ref !== 'string' || !MARKDOWN.test(ref)) continue;
      if (URI.test(ref)) continue;
      const path = resolve(dirname(source.absoluteRef), unescapeUri(ref));
      const text = await this.#textOf(path, MARKDOWN).catch(() => undefined);
      if (text !== undefined) node.description = text;
    }
  }

  /** Redocly would read what they name, and bundle it as `value`. */
  #hideExternalValues(value: unknown): void {
    const seen = new Set<unknown>();
    for (const pending = [value]; pending.length > 0; ) {
      const node = pending.pop();
      if (typeof node !== 'object' || node === null || seen.has(node)) continue;
      seen.add(node);
      if (isObject(node) && typeof node.externalValue === 'string') {
        this.#externalValues.push([node, node.externalValue]);
        withExternalValue.add(node);
        delete node.externalValue;
      }
      for (const child of Object.values(node)) pending.push(child);
    }
  }

  /** To be called after Redocly has bundled the documents. */
  restoreExternalValues(): void {
    for (const [holder, url] of this.#externalValues) holder.externalValue = url;
  }
}

/** Why a file could not be read, in a few words. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read';
  return code ?? message;
}

function refusal(message: string): ResolveError {
  return new ResolveError(new Error(message));
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusal('it is not UTF-8');
  }
}
