// stubwright.yaml: the copies of documents that references lead to by address, and the overlays of contracts.
import { dirname, resolve } from 'node:path';
import { isObject, unescapeUri } from '@stubwright/contract';
import { parseText, type SyntaxIssue } from './parse.ts';
import type { Sources } from './sources/sources.ts';

const SETTINGS = 'stubwright.yaml';

/** A table of absolute addresses, and the absolute paths of their copies. */
export class Remotes {
  /** The file with the table; undefined without one. */
  readonly file: string | undefined;
  readonly errors: readonly SyntaxIssue[];
  /** The absolute paths of overlays. */
  readonly overlays: readonly string[];
  readonly #copies: ReadonlyMap<string, string>;

  /** @param text of the file, in YAML */
  constructor(file?: string, text = '') {
    const { copies, overlays, errors } = readTable(text);
    this.file = file;
    this.errors = errors;
    const folder = dirname(file ?? '');
    this.overlays = overlays.map((path) => resolve(folder, path));
    this.#copies = new Map([...copies].map(([address, path]) => [address, resolve(folder, path)]));
  }

  get isEmpty(): boolean {
    return this.#copies.size === 0;
  }

  /** @returns the path of a copy: of the address, or in the longest address of a folder */
  copyOf(address: string): string | undefined {
    const uri = normalized(address);
    const own = this.#copies.get(uri);
    if (own !== undefined) return own;
    const folders = [...this.#copies.keys()].filter(
      (each) => each.endsWith('/') && uri.startsWith(each),
    );
    const folder = folders.sort((one, other) => other.length - one.length)[0];
    if (folder === undefined) return undefined;
    return resolve(this.#copies.get(folder)!, unescapeUri(uri.slice(folder.length)));
  }
}

/** @param root the path of a contract @returns the table of the nearest folder, up to its repository */
export async function remotesOf(root: string, sources: Sources): Promise<Remotes> {
  const folder = dirname(root);
  const top = sources.repositoryOf(folder) ?? folder;
  for (let at = folder; ; at = dirname(at)) {
    const file = resolve(at, SETTINGS);
    if (sources.exists(file)) return new Remotes(file, String(await sources.read(file)));
    if (at === top || at === dirname(at)) return new Remotes();
  }
}

interface Table {
  readonly copies: ReadonlyMap<string, string>;
  readonly overlays: readonly string[];
  readonly errors: readonly SyntaxIssue[];
}

function readTable(text: string): Table {
  const parsed = parseText(text, false);
  const none = { copies: new Map<string, string>(), overlays: [] };
  if (parsed.errors !== undefined) return { ...none, errors: parsed.errors };
  const { value, positions } = parsed;
  const issueAt = (path: readonly string[], what: string, expected: string): SyntaxIssue => {
    return { ...positions.lineAndColumn(positions.find(path).keyStart), what, expected };
  };
  const { copies } = none;
  if (value === undefined || value === null) return { ...none, errors: [] };
  if (!isObject(value)) {
    return { ...none, errors: [issueAt([], 'got no map', 'expected a map')] };
  }
  const { remotes, overlays = [], ...others } = value;
  const errors = Object.keys(others).map((key) => {
    return issueAt([key], `got ${key}`, 'expected remotes or overlays');
  });
  const paths: readonly unknown[] = Array.isArray(overlays) ? overlays : [undefined];
  const files = paths.filter((path) => typeof path === 'string');
  if (files.length < paths.length) {
    errors.push(issueAt(['overlays'], 'got other values', 'expected an array of paths'));
  }
  if (!isObject(remotes ?? {})) {
    errors.push(issueAt(['remotes'], 'got no map', 'expected remotes, a map'));
  }
  for (const [address, path] of Object.entries(isObject(remotes) ? remotes : {})) {
    if (URL.canParse(address) && typeof path === 'string') copies.set(normalized(address), path);
    else {
      const what = `got ${address}`;
      errors.push(
        issueAt(['remotes', address], what, 'expected an address, and the path of its copy'),
      );
    }
  }
  return { copies, overlays: files, errors };
}

/** Without fragment. */
function normalized(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  url.hash = '';
  return url.href;
}
