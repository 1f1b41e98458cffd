// Imports saved modules anew, and locates the errors of those that cannot be imported.
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ServiceOptions } from '@stubwright/service';

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
  const line = lines.findLastIndex((line) => word.test(line));
  return line < 0 ? file : `${file}:${line + 1}:${lines[line]!.search(word) + 1}`;
}

export interface Version {
  readonly options: ServiceOptions<unknown>;
  /** The operationIds that have a handler. */
  readonly handled: ReadonlySet<string>;
}

const MARK = /\?version=\d+$/;
let versions = 0;

export class FreshModules {
  readonly #cwd: string;
  readonly #sources: string;

  constructor(cwd: string) {
    const sources = `${pathToFileURL(resolve(cwd, 'src')).href}/`;
    this.#cwd = cwd;
    this.#sources = sources;
    registerHooks({
      /** The imports of a versioned module from src/ have the same version. */
      resolve(specifier, context, next) {
        const resolved = next(specifier, context);
        const [mark] = MARK.exec(context.parentURL ?? '') ?? [];
        const isOurs = resolved.url.startsWith(sources) && !MARK.test(resolved.url);
        return mark !== undefined && isOurs ? { ...resolved, url: resolved.url + mark } : resolved;
      },
    });
  }

  /** @throws {SourceError} if src/service.ts cannot be imported, or has no export `service` */
  async importVersion(): Promise<Version> {
    const { service } = await this.#import();
    if (typeof service !== 'object') {
      throw new SourceError(
        'src/service.ts: expected an export `service` with the options of runService',
        true,
      );
    }
    const handlers = Object.entries(service.handlers ?? {});
    const handled = handlers.filter(([, each]) => typeof each === 'function');
    return { options: service, handled: new Set(handled.map(([id]) => id)) };
  }

  async #import(): Promise<{ service?: ServiceOptions<unknown> }> {
    try {
      return await import(`${this.#sources}service.ts?version=${++versions}`);
    } catch (error) {
      throw sourceErrorOf(error, this.#cwd);
    }
  }
}
