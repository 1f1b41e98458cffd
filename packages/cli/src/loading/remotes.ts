// The copies of documents that references lead to by address: `remotes` in stubwright.yaml.
import { dirname, resolve } from 'node:path';
import { unescapeUri } from '@stubwright/contract';
import { isAlias, isMap, isScalar, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import type { SyntaxIssue } from './parse.ts';
import type { Sources } from './sources/sources.ts';

const SETTINGS = 'stubwright.yaml';

/** A table of absolute addresses, and the absolute paths of their copies. */
export class Remotes {
  /** The file with the table; undefined without one. */
  readonly file: string | undefined;
  readonly errors: readonly SyntaxIssue[];
  readonly #copies: ReadonlyMap<string, string>;

  /** @param text of the file, in YAML */
  constructor(file?: string, text = '') {
    const { copies, errors } = readTable(text);
    this.file = file;
    this.errors = errors;
    const folder = dirname(file ?? '');
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
  readonly errors: readonly SyntaxIssue[];
}

function readTable(text: string): Table {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const issueAt = (offset: number, what: string, expected: string): SyntaxIssue => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col, what, expected };
  };
  const [error] = document.errors;
  if (error !== undefined) {
    const what = error.message.split(/ at line |\n/)[0]!;
    return { copies: new Map(), errors: [issueAt(error.pos[0], what, 'expected YAML')] };
  }
  const { contents } = document;
  const errors: SyntaxIssue[] = [];
  const copies = new Map<string, string>();
  const refuse = ({ key }: Pair, expected: string) => {
    const { range } = key as Node;
    const [start, end] = range!;
    errors.push(issueAt(start, `got ${text.slice(start, end).trim()}`, expected));
  };
  let table: unknown = isMap(contents) ? undefined : contents;
  for (const pair of isMap(contents) ? contents.items : []) {
    if (textOf(pair.key) === 'remotes') table = pair.value;
    else refuse(pair, 'expected remotes');
  }
  if (isAlias(table)) table = table.resolve(document);
  const isNothing = table === undefined || table === null || (isScalar(table) && !table.value);
  if (isNothing) return { copies, errors };
  if (!isMap(table)) {
    return { copies, errors: [...errors, issueAt(0, 'got no map', 'expected remotes, a map')] };
  }
  for (const pair of table.items) {
    const address = textOf(pair.key);
    const path = textOf(isAlias(pair.value) ? pair.value.resolve(document) : pair.value);
    if (address !== undefined && path !== undefined && URL.canParse(address)) {
      copies.set(normalized(address), path);
    } else refuse(pair, 'expected an address, and the path of its copy');
  }
  return { copies, errors };
}

/** @returns undefined for another node than a string */
function textOf(node: unknown): string | undefined {
  return isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
}

/** Without fragment. */
function normalized(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  url.hash = '';
  return url.href;
}
