// Imports the sources of a service again after a save. Node caches modules, so each import has its own
// version in the URL; older versions stay in memory.
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceOptions } from '@stubwright/service';
import { SourceError, sourceErrorOf } from './sourceError.ts';

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
