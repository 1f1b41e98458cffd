// Locates an error of the sources of a service: Node writes it with the code around it and its own stack.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Sources that cannot be imported. The message is one line. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  /** False if Node reports no location: the compiler may. */
  readonly isLocated: boolean;

  constructor(message: string, isLocated: boolean) {
    super(message);
    this.isLocated = isLocated;
  }
}

export function sourceErrorOf(cause: unknown, cwd: string): SourceError {
  const at = locationOf(cause, cwd);
  const [line] = String(cause instanceof Error ? cause.message : cause).split('\n');
  const what = line!.replaceAll(join(cwd, '/'), '').replace(/ imported from \S+$/, '');
  const text = `${at ?? 'src/'}  ${what}  expected sources that Node can import`;
  return new SourceError(text, at !== undefined);
}

/** @returns `file:line:column`, relative to the project */
function locationOf(cause: unknown, cwd: string): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const [, module, importer] =
    /^Cannot find \w+ '(.+)' imported from (.+)$/.exec(cause.message) ?? [];
  if (module !== undefined) {
    return positionOf(module.split('/').at(-1)!, relative(cwd, importer!), cwd);
  }
  for (const [, url, line, column, caret] of (cause.stack ?? '').matchAll(FRAME)) {
    const file = relative(cwd, fileURLToPath(url!));
    if (file.startsWith('..') || file.includes('node_modules')) continue;
    return `${file}:${line}:${column ?? (caret ?? '').length + 1}`;
  }
  return undefined;
}

/** A frame of a stack, or the code of a SyntaxError with a `^` below. */
const FRAME = /(file:\/\/[^\s?:]+)(?:\?version=\d+)?:(\d+)(?::(\d+)|\n.*\n( *)\^)?/g;

/** @returns the location of the last line that has a text, `src/handlers/index.ts:3:9`; else the file */
export function positionOf(text: string, file: string, cwd: string): string {
  const path = join(cwd, file);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const word = new RegExp(`(?<![\\w$])${text.replaceAll(/\W/g, '\\$&')}(?![\\w$])`);
  const line = lines.findLastIndex((each) => word.test(each));
  return line < 0 ? file : `${file}:${line + 1}:${lines[line]!.search(word) + 1}`;
}
