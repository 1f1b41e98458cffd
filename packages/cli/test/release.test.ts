// `make release`, as a process in a temporary folder.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/service.ts';

let folder: ReturnType<typeof temporaryFolder>;
let contract: string;

beforeEach(() => {
  folder = temporaryFolder();
  contract = `${folder.path}/openapi.yaml`;
  for (const name of ['1.0.0.yaml', '1.0.0.requests.json']) {
    cpSync(`test/released/${name}`, `${folder.path}/released/${name}`);
  }
});
afterEach(() => folder.remove());

/** Releases 1.0.0 with replaced strings. */
function release(...replaced: [string, string][]) {
  let text = readFileSync('test/released/1.0.0.yaml', 'utf8');
  for (const [from, to] of replaced) text = text.replace(from, to);
  writeFileSync(contract, text);
  const args = ['packages/cli/src/commands/release.ts', contract, `${folder.path}/released`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args);
  return { status, text, out: String(stdout), err: String(stderr) };
}

const NEXT: [string, string] = ['version: 1.0.0', 'version: 1.1.0'];
const HEALTH = `paths:
  /health:
    get:
      operationId: getHealth
      responses: { '204': { description: well } }`;

describe('make release', () => {
  it('stores the contract, its requests, and one of each new operation after a create', () => {
    const { status, text } = release(NEXT, ['paths:', HEALTH]);
    expect(status).toBe(0);
    expect(readFileSync(`${folder.path}/released/1.1.0.yaml`, 'utf8')).toBe(text);
    const read = (version: string) =>
      JSON.parse(readFileSync(`${folder.path}/released/${version}.requests.json`, 'utf8'));
    expect(read('1.1.0')).toEqual([
      ...read('1.0.0'),
      {
        name: 'getHealth as documented',
        requests: [
          expect.objectContaining({ operationId: 'createPlant', path: '/plants', status: 200 }),
          {
            operationId: 'getHealth',
            method: 'get',
            path: '/health',
            headers: { Authorization: 'Bearer TOKEN' },
            status: 204,
            isUntyped: false,
          },
        ],
      },
    ]);
  });

  it('rejects a version that is already released', () => {
    const { status, err } = release();
    expect(err).toMatch(/^1\.0\.0 is released already: expected another info\.version in /);
    expect(status).toBe(1);
  });

  it('rejects a breaking change without a new major version', () => {
    const { status, err } = release(NEXT, ['required: [name]', 'required: [name, tag]']);
    expect(err).toBe('1 breaking change since 1.0.0: expected none, or info.version 2.0.0\n');
    expect(status).toBe(1);
  });
});
