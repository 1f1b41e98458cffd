// Where the files of a project are, relative to its folder.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const CONTRACT = 'openapi.yaml';
/** Holds `1.0.0.yaml`, …, and the requests of their clients. */
export const RELEASED = 'test/released';
/** Severities of rules, and accepted changes. */
export const POLICY = 'compatibility.yaml';

/** @returns false if compatibility.yaml has no `served`, whose modules take longer to load than a comparison */
export function mayServeVersions(cwd = ''): boolean {
  const path = resolve(cwd, POLICY);
  // An escape may be a letter of the key.
  return existsSync(path) && /served|\\/.test(readFileSync(path, 'utf8'));
}
