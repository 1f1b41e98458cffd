// The sources of src/ imported anew, as often as they are saved. Node keeps a module for good; so each
// time they are imported under another version, and the older ones are left to themselves.
import { registerHooks } from 'node:module';

export interface Version {
  readonly startService: typeof import('../service.ts')['startService'];
  /** The operationIds that have a handler. */
  readonly handled: ReadonlySet<string>;
}

const SOURCES = new URL('../', import.meta.url).href;
const MARK = /\?version=\d+$/;
let versions = 0;

registerHooks({
  /** What a marked module imports of src/ is marked alike. */
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [mark] = MARK.exec(context.parentURL ?? '') ?? [];
    const isOurs = resolved.url.startsWith(SOURCES) && !MARK.test(resolved.url);
    return mark !== undefined && isOurs ? { ...resolved, url: resolved.url + mark } : resolved;
  },
});

/**
 * Imports the service as its sources are now.
 *
 * @throws what importing the sources throws: a SyntaxError, a missing module
 */
export async function importVersion(): Promise<Version> {
  const mark = `?version=${++versions}`;
  const service: typeof import('../service.ts') = await import(`../service.ts${mark}`);
  const { handlers }: typeof import('../handlers/index.ts') = await import(
    `../handlers/index.ts${mark}`
  );
  const entries = Object.entries(handlers).filter(([, each]) => typeof each === 'function');
  return { startService: service.startService, handled: new Set(entries.map(([id]) => id)) };
}
