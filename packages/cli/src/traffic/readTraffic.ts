// Reads recorded requests: HAR 1.2 files, and files with one HAR entry a line.
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { entryOf, type TrafficEntry } from './entry.ts';

interface ReadOptions {
  readonly cwd: string;
  /** The header whose value names the caller, in lower case. */
  readonly callerHeader: string | undefined;
}

/**
 * Reads lines one by one; a HAR file as a whole.
 *
 * @yields the entries of all files
 * @throws {Error} for a file that cannot be read or is neither, with the line
 */
export async function* readTraffic(
  files: readonly string[],
  options: ReadOptions,
): AsyncGenerator<TrafficEntry, void, undefined> {
  for (const file of files) yield* entriesIn(file, options);
}

async function* entriesIn(
  file: string,
  { cwd, callerHeader }: ReadOptions,
): AsyncGenerator<TrafficEntry, void, undefined> {
  const path = resolve(cwd, file);
  const input = createReadStream(path);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  try {
    for await (const line of lines) {
      number++;
      if (line.trim() === '') continue;
      const value = parsed(line);
      const entry = entryOf(value, callerHeader);
      if (entry !== undefined) yield entry;
      else if (number === 1) {
        yield* harEntries(file, path, callerHeader);
        return;
      } else throw new Error(`${file}:${number}: got no HAR entry, expected one a line`);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Error(`${file}: got ${code}, expected a file`);
  } finally {
    lines.close();
    input.destroy();
  }
}

/** @throws {Error} for a file that is no HAR */
async function* harEntries(
  file: string,
  path: string,
  callerHeader: string | undefined,
): AsyncGenerator<TrafficEntry, void, undefined> {
  const document = Object(parsed(await readFile(path, 'utf8')));
  const entries: unknown = Object(document['log'])['entries'];
  if (!Array.isArray(entries)) {
    throw new Error(`${file}: got another file, expected HAR 1.2, or a HAR entry in each line`);
  }
  for (const [at, each] of entries.entries()) {
    const entry = entryOf(each, callerHeader);
    if (entry === undefined) {
      throw new Error(`${file}: log.entries[${at}]: expected method, url and startedDateTime`);
    }
    yield entry;
  }
}

function parsed(text: string): unknown {
  try {
    // A byte order mark is no JSON.
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
