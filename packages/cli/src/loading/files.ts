// The files of a contract: found by path, read, parsed. URLs are refused.

import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import {
  isObject,
  type Node,
  outsideReferences,
  type Position,
  textHash,
  unescapeUri,
} from '@stubwright/contract';
import {
  type Access,
  Containment,
  DISK,
  OutsideFolder,
  RELEASED,
  SETTINGS,
  type Sources,
} from './containment.ts';
import { type Positions, parseText, positionIn, type Ranges, type SyntaxIssue } from './parse.ts';

/** A letter alone is a drive of Windows. */
const URI = /^[a-z][a-z0-9+.-]+:/i;
const MARKDOWN = /\.md$/i;

type Located = SyntaxIssue & { readonly file: string };

/** A file of a contract that is read and parsed. */
export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly value: unknown;
  readonly positions: Positions;
  /** Of the value with its overlays; undefined without overlays. */
  readonly ranges?: Ranges | undefined;
  /** True if the value has parts that the text has not. */
  readonly isChanged?: boolean;
}

/** A value in a file. */
export interface Target {
  readonly file: SourceFile;
  readonly pointer: string;
  readonly node: unknown;
}

/** Why a reference has no target. */
export interface Unresolved {
  readonly reason: string;
  /** What unresolved references at several locations have in common. */
  readonly cause?: string | undefined;
  /** True if the file has errors of its own, which are reported. */
  readonly isReported?: boolean;
}

export class ContractFiles {
  /** What was read: SHA-256 in hex by absolute path. */
  readonly hashes = new Map<string, string>();
  readonly errors: Located[] = [];
  readonly warnings: Located[] = [];

  /** Of the bundled contract: the sources of its parts, by JSON pointer. */
  origins: ReadonlyMap<string, Target> | undefined;

  /** The absolute path of the contract. */
  readonly root: string;
  /** Of the contract. */
  readonly sources: Sources;
  readonly #containment: Containment;
  readonly #reading = new Map<string, Promise<SourceFile | Unresolved>>();
  readonly #read = new Map<string, SourceFile | Unresolved>();
  /** The addresses of copies, by path. */
  readonly #addresses = new Map<string, string>();
  #settings = NO_SETTINGS;
  /** Absolute paths. */
  readonly #givenOverlays: readonly string[];
  readonly #isRelease: boolean;
  readonly #onOverlayWarning: Access['onOverlayWarning'];
  readonly #folderShown: string;
  #overlays: readonly { readonly file: string; readonly text: string }[] | undefined;

  /** @param path of the contract */
  constructor(path: string, access?: Access) {
    this.sources = access?.sources ?? DISK;
    this.root = resolve(access?.cwd ?? '', path);
    this.#containment = new Containment(path, access);
    const absolute = (file: string) => resolve(access?.cwd ?? '', file);
    const { contract, files = [] } = access?.overlays ?? {};
    const isOverlaid = contract !== undefined && absolute(contract) === this.root;
    this.#givenOverlays = isOverlaid ? files.map(absolute) : [];
    const isOfProject = dirname(this.root).endsWith(join(sep, RELEASED));
    this.#isRelease = access?.isRelease ?? isOfProject;
    this.#onOverlayWarning = access?.onOverlayWarning;
    this.#folderShown = dirname(path);
  }

  /** @param file absolute @returns its name in messages */
  shown(file: string): string {
    return this.sources.prefix + join(this.#folderShown, relative(dirname(this.root), file));
  }

  /** @returns the position of a value, or of its key, in messages */
  position(file: SourceFile, pointer: string, isKey = false): Position {
    const { file: path, ...at } = positionIn(file, pointer, isKey);
    return { file: this.shown(path), ...at };
  }

  /** @returns the file of the contract, with the copies of remote schemas that it refers to */
  async readRoot(): Promise<SourceFile | Unresolved> {
    if (this.#overlays === undefined) {
      const { file, errors } = await this.settings();
      this.errors.push(...errors.map((error) => ({ ...error, file: file! })));
      this.#overlays = await this.#readOverlays();
    }
    return this.read(this.root);
  }

  /** Of stubwright.yaml; `readRoot` reports their errors. */
  async settings(): Promise<Settings> {
    if (this.#settings.file === undefined) this.#settings = await this.#readSettings();
    return this.#settings;
  }

  /** @param path absolute, or a URI, which is refused @returns the same object for the same path */
  read(path: string): Promise<SourceFile | Unresolved> {
    const reading = this.#reading.get(path) ?? this.#parse(path);
    this.#reading.set(path, reading);
    return reading;
  }

  /** @returns undefined for a file that is not read yet */
  known(path: string): SourceFile | Unresolved | undefined {
    return this.#read.get(path);
  }

  /** The files that were read and parsed. */
  get parsed(): SourceFile[] {
    return [...this.#read.values()].filter((each) => 'value' in each);
  }

  /** @returns the absolute path that a relative reference leads to; a URI that leads to no file */
  pathOf(from: SourceFile, uri: string): string {
    const folder = dirname(from.path);
    const address = URL.parse(uri, this.#addresses.get(from.path))?.href;
    const copy = address === undefined ? undefined : this.#copyOf(address);
    if (copy !== undefined) return copy;
    if (URI.test(uri)) return besides(from, uri, folder);
    const path = resolve(folder, uri);
    return this.sources.exists(path) ? path : resolve(folder, unescapeUri(uri));
  }

  /** @returns the text of a Markdown file; undefined for another file, and for one that cannot be read */
  async markdown(from: SourceFile, ref: string): Promise<string | undefined> {
    if (!MARKDOWN.test(ref) || URI.test(ref)) return undefined;
    const path = resolve(dirname(from.path), unescapeUri(ref));
    const text = await this.#textOf(path, { extension: MARKDOWN });
    return typeof text === 'string' ? text : undefined;
  }

  /** @returns the location of a JSON pointer of the bundled contract */
  originOf(pointer: string, root: SourceFile): { file: SourceFile; pointer: string } {
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const origin = this.origins?.get(at);
      if (origin !== undefined) {
        return { file: origin.file, pointer: origin.pointer + pointer.slice(at.length) };
      }
      if (at === '') return { file: root, pointer };
    }
  }

  async #parse(path: string): Promise<SourceFile | Unresolved> {
    const read = await this.#parsed(path);
    this.#read.set(path, read);
    return read;
  }

  async #parsed(path: string): Promise<SourceFile | Unresolved> {
    if (/^file:/i.test(path)) return { reason: 'file URLs are not read' };
    if (URI.test(path)) return { reason: 'remote references are not supported' };
    const text = await this.#textOf(path);
    if (typeof text !== 'string') return text;
    const parsed = parseText(text, /\.json$/i.test(path));
    if (parsed.errors !== undefined) {
      this.errors.push(...parsed.errors.map((error) => ({ ...error, file: path })));
      return { reason: 'the file has errors of its own', isReported: true };
    }
    const { warning, positions } = parsed;
    if (warning !== undefined) this.warnings.push({ ...warning, file: path });
    if (path !== this.root) return { path, text, value: parsed.value, positions };
    const layer = { file: path, value: parsed.value, positions };
    const overlays = this.#overlays ?? [];
    const overlaid =
      overlays.length === 0
        ? undefined
        : (await import('./overlay.ts')).applyOverlays(layer, overlays);
    const { value, errors = [], warnings = [] } = overlaid ?? { value: parsed.value };
    for (const warning of warnings) this.#reportOverlay(warning);
    this.errors.push(...errors);
    if (errors.length > 0) return { reason: 'its overlays have errors', isReported: true };
    const isChanged = (await this.#embedRemotes(value)) || overlaid !== undefined;
    return { path, text, value, positions, ranges: overlaid, isChanged };
  }

  #reportOverlay(warning: Located): void {
    if (this.#onOverlayWarning === undefined) return void this.warnings.push(warning);
    const { file, line, column, what, expected } = warning;
    this.#onOverlayWarning(`${this.shown(file)}:${line}:${column}  ${what}  ${expected}`);
  }

  async #readSettings(): Promise<Settings> {
    const file = settingsFileOf(this.root, this.sources);
    if (file === undefined) return NO_SETTINGS;
    const read = await this.#given(file, 'expected a map in YAML');
    return read === undefined ? { ...NO_SETTINGS, file } : settingsIn(file, read);
  }

  async #readOverlays(): Promise<{ file: string; text: string }[]> {
    const found: { file: string; text: string }[] = [];
    // They were applied to a release when it was written.
    const overlays = this.#isRelease ? [] : this.#settings.overlays;
    for (const file of [...overlays, ...this.#givenOverlays]) {
      // A path of the command line may lead out of the contract's folder.
      const isGiven = this.#givenOverlays.includes(file);
      const text = await this.#given(file, 'expected an overlay', isGiven);
      if (text !== undefined) found.push({ file, text });
    }
    return found;
  }

  /** @returns the text of a file that no reference leads to; undefined for one that cannot be read, which is reported */
  async #given(file: string, expected: string, isGiven = true): Promise<string | undefined> {
    const read = await this.#textOf(file, { isGiven });
    if (typeof read === 'string') return read;
    this.errors.push({ file, line: 1, column: 1, what: read.reason, expected });
    return undefined;
  }

  /** References of the copy are relative to its address. */
  #copyOf(address: string): string | undefined {
    const path = copyOf(address, this.#settings);
    if (path !== undefined) this.#addresses.set(path, address);
    return path;
  }

  /** @param options `extension` by default those of contracts @returns the reason if the file cannot be read */
  async #textOf(
    path: string,
    { extension, isGiven = false }: { extension?: RegExp; isGiven?: boolean } = {},
  ): Promise<string | Unresolved> {
    try {
      const admitted = isGiven ? path : this.#containment.admit(path, extension);
      const bytes = await this.sources.read(admitted);
      this.hashes.set(path, textHash(bytes));
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
    } catch (error) {
      const isOutside = error instanceof OutsideFolder;
      const reason = reasonOf(error as NodeJS.ErrnoException);
      return { reason, cause: isOutside ? reason : undefined };
    }
  }

  async #embedRemotes(contract: unknown): Promise<boolean> {
    if (this.#settings.copies.size === 0 || !isObject(contract)) return false;
    if (String(contract.openapi).startsWith('3.0')) return false;
    await embedRemotes(contract, (address) => this.#readCopy(address));
    return true;
  }

  /** @returns undefined for one that cannot be read, which is reported where it is referenced */
  async #readCopy(address: string): Promise<unknown> {
    const path = this.#copyOf(address);
    const text = path && (await this.#textOf(path));
    if (path === undefined || typeof text !== 'string') return undefined;
    const parsed = parseText(text, /\.json$/i.test(path));
    return parsed.errors === undefined ? parsed.value : undefined;
  }
}

/** @returns the path of a document in relation to one with a `$self` (OpenAPI 3.2), else its URI */
function besides({ value }: SourceFile, ref: string, folder: string): string {
  const self = isObject(value) ? URL.parse(String(value.$self)) : null;
  const target = URL.parse(ref);
  if (self === null || target === null || !/^https?:/.test(target.protocol)) return ref;
  if (target.origin !== self.origin) return ref;
  const path = posix.relative(posix.dirname(self.pathname), target.pathname);
  return resolve(folder, unescapeUri(path));
}

/** Why a file could not be read, in a few words. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder, expected a file';
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'it is not UTF-8';
  return code ?? message;
}

/** Fields of an OpenAPI document or of a part of one: Redocly reads it as a file. */
const DOCUMENT_FIELDS = ['openapi', 'swagger', 'components', 'paths'];

/**
 * Modifies a contract of OpenAPI 3.1 or later: components have the schemas that its references lead to by
 * address. References to them may be relative to an `$id`, and lead to anchors.
 *
 * @param read the copy of an address; undefined without one
 */
export async function embedRemotes(
  contract: Node,
  read: (address: string) => Promise<unknown>,
): Promise<void> {
  const known = new Set<string>();
  for (;;) {
    const addresses = outsideReferences(contract).filter(
      (outsideReference) => !known.has(outsideReference),
    );
    if (addresses.length === 0) return;
    for (const address of addresses) {
      known.add(address);
      const copy = await read(address);
      if (isSchema(copy)) add(contract, address, copy);
    }
  }
}

function isSchema(copy: unknown): copy is Node | boolean {
  if (typeof copy === 'boolean') return true;
  return isObject(copy) && !DOCUMENT_FIELDS.some((field) => Object.hasOwn(copy, field));
}

/** A document may have another URI than its address. */
function add(contract: Node, address: string, copy: Node | boolean): void {
  const schema = typeof copy === 'boolean' ? { allOf: [copy] } : copy;
  const id = URL.parse(String(schema['$id'] ?? ''), address)?.href.replace(/#$/, '');
  const name = nameOf(address);
  addSchema(contract, name, { ...schema, $id: id ?? address });
  if (id !== undefined && id !== address) addSchema(contract, name, { $id: address, $ref: id });
}

function addSchema(contract: Node, name: string, schema: Node): void {
  contract.components ??= {};
  contract.components.schemas ??= {};
  let free = name;
  for (let at = 2; Object.hasOwn(contract.components.schemas, free); at++) free = `${name}_${at}`;
  contract.components.schemas[free] = schema;
}

/** `https://toys.example/schemas/toy.json` -> `toy` */
function nameOf(address: string): string {
  const [last = ''] = address.split(/[/:]/).filter(Boolean).slice(-1);
  return last.replace(/\.(?:json|ya?ml)$/i, '').replace(/[^\w.-]+/g, '_') || 'remote';
}

/** Of stubwright.yaml; its paths are absolute here. */
interface Settings {
  /** Undefined without one. */
  readonly file?: string;
  readonly errors: readonly SyntaxIssue[];
  readonly overlays: readonly string[];
  /** What the contract is compared with: a release, a git revision or a path. */
  readonly base?: string | undefined;
  /** Files with recorded requests, in relation to the folder of the file; may have wildcards. */
  readonly traffic: readonly string[];
  /** Paths by absolute address. */
  readonly copies: ReadonlyMap<string, string>;
}

const NO_SETTINGS: Settings = { errors: [], overlays: [], traffic: [], copies: new Map() };

/** @returns the path of a copy: of the address, or in the longest address of a folder */
function copyOf(address: string, { copies }: Settings): string | undefined {
  const uri = normalized(address);
  const own = copies.get(uri);
  if (own !== undefined) return own;
  const folders = [...copies.keys()].filter((key) => key.endsWith('/') && uri.startsWith(key));
  const folder = folders.sort((one, other) => other.length - one.length)[0];
  if (folder === undefined) return undefined;
  return resolve(copies.get(folder)!, unescapeUri(uri.slice(folder.length)));
}

/** @param root the path of a contract @returns the file in the nearest folder, up to its repository */
export function settingsFileOf(root: string, sources: Sources): string | undefined {
  const folder = dirname(root);
  const top = sources.repositoryOf(folder) ?? folder;
  for (let at = folder; ; at = dirname(at)) {
    const file = resolve(at, SETTINGS);
    if (sources.exists(file)) return file;
    if (at === top || at === dirname(at)) return undefined;
  }
}

/** `REVISION:path` is a path in a revision. */
const IS_FILE = /^[^:]+\.(?:ya?ml|json)$/i;

/** @param text of the file, in YAML */
function settingsIn(file: string, text: string): Settings {
  const parsed = parseText(text, false);
  if (parsed.errors !== undefined) return { ...NO_SETTINGS, file, errors: parsed.errors };
  const { value, positions } = parsed;
  const errors: SyntaxIssue[] = [];
  const fail = (path: readonly string[], what: string, expected: string) => {
    const at = positions.lineAndColumn(positions.find(path).keyStart);
    errors.push({ ...at, what, expected });
  };
  if (!isObject(value ?? {})) fail([], 'got no map', 'expected a map');
  const { remotes, overlays, base, traffic, ...others } = isObject(value) ? value : ({} as Node);
  for (const key of Object.keys(others)) {
    fail([key], `got ${key}`, 'expected remotes, overlays, base or traffic');
  }
  const pathsIn = (name: string, list: unknown = []): string[] => {
    const paths = Array.isArray(list) ? list.filter((path) => typeof path === 'string') : [];
    const isValid = Array.isArray(list) && paths.length === list.length;
    if (!isValid) fail([name], 'got other values', 'expected an array of paths');
    return paths;
  };
  const absolute = (path: string) => resolve(dirname(file), path);
  // YAML reads 1.0 as a number.
  if (base !== undefined && typeof base !== 'string') {
    const most = 'expected a release, a git revision or a path, as a string';
    fail(['base'], 'got another value', most);
  }
  if (!isObject(remotes ?? {})) fail(['remotes'], 'got no map', 'expected remotes, a map');
  const copies = new Map<string, string>();
  for (const [address, path] of Object.entries(isObject(remotes) ? remotes : {})) {
    if (URL.canParse(address) && typeof path === 'string') {
      copies.set(normalized(address), absolute(path));
    } else {
      fail(['remotes', address], `got ${address}`, 'expected an address, and the path of its copy');
    }
  }
  return {
    ...{ file, errors, copies },
    overlays: pathsIn('overlays', overlays).map(absolute),
    base: typeof base !== 'string' ? undefined : IS_FILE.test(base) ? absolute(base) : base,
    traffic: pathsIn('traffic', traffic),
  };
}

/** Without fragment. */
function normalized(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  url.hash = '';
  return url.href;
}
