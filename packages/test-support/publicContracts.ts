// Large public contracts from npm; only `make test-all` installs and tests those of GitHub.
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, it } from '@jest/globals';
import { isTestAll } from './testAll.ts';

const GITHUB_CONTRACTS = 'bench/node_modules/@octokit/openapi/generated';

export const GITHUB = `${GITHUB_CONTRACTS}/api.github.com.json`;
export const FIGMA = 'node_modules/@figma/rest-api-spec/openapi/openapi.yaml';

/** @returns the path of the contract of a GitHub Enterprise Server, such as 3.19 */
export function githubEnterprise(version: string): string {
  return `${GITHUB_CONTRACTS}/ghes-${version}.json`;
}

/**
 * Only `make test-all` reads large contracts; realContracts.test.ts represents them with Figma's.
 *
 * @returns `it` if the contract is installed; otherwise reports the skipped test
 */
export function itWith(contract: string): typeof it | typeof it.skip {
  if (!isTestAll) return it.skip;
  if (existsSync(contract)) return it;
  process.stderr.write(
    `SKIPPED: ${relative('.', expect.getState().testPath!)} found no ${contract}; make test-all installs it\n`,
  );
  return it.skip;
}
