// Imports the sources of a service again after a save. Node caches modules, so each import has its own
// version in the URL; older versions stay in memory.
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log, Service, Settings } from 'stubwright/service';

export type StartService = (
  settings: Settings,
  tokens: readonly string[],
  log: Log,
) => Promise<Service>;

export interface Version {
  readonly startService: StartService;
  /** The operationIds that have a handler. */
  readonly handled: ReadonlySet<string>;
}

const MARK = /\?version=\d+$/;
let versions = 0;

/** The sources of one project. */
export class FreshModules {
  readonly #sources: string;

  /** @param cwd the folder of the project */
  constructor(cwd: string) {
    const sources = `${pathToFileURL(resolve(cwd, 'src')).href}/`;
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

  /** @throws what importing src/config.ts throws */
  async importConfig(): Promise<(env: NodeJS.ProcessEnv) => Settings> {
    const { readConfig } = await import(`${this.#sources}config.ts`);
    return readConfig;
  }

  /**
   * Imports the current src/service.ts and src/handlers/index.ts.
   *
   * @throws what importing the sources throws: a SyntaxError, a missing module
   */
  async importVersion(): Promise<Version> {
    const mark = `?version=${++versions}`;
    const { startService }: { startService: StartService } = await import(
      `${this.#sources}service.ts${mark}`
    );
    const { handlers }: { handlers: object } = await import(
      `${this.#sources}handlers/index.ts${mark}`
    );
    const entries = Object.entries(handlers).filter(([, each]) => typeof each === 'function');
    return { startService, handled: new Set(entries.map(([id]) => id)) };
  }
}
