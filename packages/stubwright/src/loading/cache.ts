// A contract that was checked before, by the content of its files. Whoever can write here can change
// the contract, so it lies beside the code, never in a folder that others share.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { ContractError } from '../document/contractError.ts';
import type { Node } from '../document/definition.ts';
import { parseJsonText } from '../json/json.ts';
import { sha256 } from './hash.ts';

/** What a check found. */
export interface Remembered {
  readonly document: Node;
  readonly errors: readonly ContractError[];
  readonly warnings: readonly string[];
}

/** The first line of an entry; what was remembered is the second. */
interface Header {
  readonly checker: string;
  /** SHA-256 of each file by its absolute path. */
  readonly files: Readonly<Record<string, string>>;
  /** Whether an integer stands there that a double cannot hold; parsing those takes three times as long. */
  readonly hasBigints: boolean;
  /** SHA-256 of the second line. */
  readonly sum: string;
}

/**
 * @returns what was remembered, and the files that it was made of; undefined when a file, the checker
 *   or the entry has changed
 */
export async function recall(
  folder: string,
  path: string,
): Promise<(Remembered & { files: readonly string[] }) | undefined> {
  try {
    const entry = await readFile(entryOf(folder, path));
    const end = entry.indexOf('\n');
    const header: Header = JSON.parse(entry.toString('utf8', 0, end));
    const body = entry.subarray(end + 1);
    if (header.checker !== checker() || header.sum !== sha256(body)) return undefined;
    for (const [file, sum] of Object.entries(header.files)) {
      if (sha256(await readFile(file)) !== sum) return undefined;
    }
    const parse = header.hasBigints ? parseJsonText : JSON.parse;
    return { ...(parse(body.toString()) as Remembered), files: Object.keys(header.files) };
  } catch {
    return undefined;
  }
}

/** Remembers a check, where the folder can be written; a start without it checks again. */
export async function remember(
  folder: string,
  path: string,
  hashes: ReadonlyMap<string, string>,
  checked: Remembered,
): Promise<void> {
  const target = entryOf(folder, path);
  const unfinished = `${target}.${process.pid}`;
  try {
    let hasBigints = false;
    const body = JSON.stringify(checked, (_key, value: unknown) => {
      if (typeof value !== 'bigint') return value;
      hasBigints = true;
      return JSON.rawJSON(value.toString());
    });
    const header: Header = {
      checker: checker(),
      files: Object.fromEntries(hashes),
      hasBigints,
      sum: sha256(body),
    };
    await mkdir(dirname(target), { recursive: true });
    await writeFile(unfinished, `${JSON.stringify(header)}\n${body}`, { mode: 0o600 });
    await rename(unfinished, target);
  } catch {
    // A read-only file system: nothing is lost but time.
  }
}

/** One entry for each path of a contract: a newer check takes the place of the older. */
function entryOf(folder: string, path: string): string {
  return join(folder, `${sha256(resolve(path)).slice(0, 16)}.json`);
}

/** What did the check: our own sources and Redocly's version. */
function checker(): string {
  const here = import.meta.dirname;
  const own = readdirSync(here).sort();
  const core = createRequire(import.meta.url).resolve('@redocly/openapi-core');
  const sources = own.map((file) => readFileSync(join(here, file), 'utf8'));
  return sha256([...sources, readFileSync(join(core, '../../package.json'), 'utf8')].join('\n'));
}
