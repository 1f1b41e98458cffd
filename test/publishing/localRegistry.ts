// A local registry as a process, which ends with this one.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PACKAGES } from '../../packages/tools/src/pack/manifest.ts';

export interface LocalRegistry {
  /** The registry that has all other packages. */
  readonly uplink: string;
  /** What makes npm use it. */
  readonly env: Readonly<Record<string, string>>;
  /** @param folder that {@link buildPackages} wrote */
  publish(folder: string): void;
  stop(): Promise<void>;
}

export { PACKAGES };

/**
 * @param folder for its packages, and npm's cache: npx keeps packages there by name. What npm downloaded
 *   before is shared with the cache of the user.
 */
export async function startRegistry(folder: string): Promise<LocalRegistry> {
  const setting = (name: string) =>
    execFileSync('npm', ['config', 'get', name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const cache = join(folder, 'npm');
  mkdirSync(cache, { recursive: true });
  const downloads = join(setting('cache'), '_cacache');
  if (existsSync(downloads)) symlinkSync(resolve(downloads), join(cache, '_cacache'));
  const uplink = setting('registry');
  const script = join(import.meta.dirname, 'registry.mjs');
  const child = spawn(process.execPath, [script, folder, uplink], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const first = await Promise.race([once(child.stdout, 'data'), ended]);
  const url = String(first[0]).trim();
  if (!url.startsWith('http:')) throw new Error(`the registry ended with ${url}`);
  const env = { npm_config_registry: url, npm_config_cache: cache };
  // npm sends no packages without a token; the registry accepts any.
  const token = { [`npm_config_//${new URL(url).host}/:_authToken`]: 'any' };
  return {
    uplink,
    env,
    publish(packages) {
      for (const name of PACKAGES) {
        execFileSync('npm', ['publish', '--loglevel=error'], {
          cwd: join(packages, name),
          env: { ...process.env, ...env, ...token },
          stdio: ['ignore', 'ignore', 'inherit'],
        });
      }
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

export function buildPackages(folder: string): void {
  const script = resolve('packages/tools/src/pack/pack.ts');
  execFileSync(process.execPath, [script, folder], { stdio: 'inherit' });
}
