// `make diff`, `make changelog` and the gate of `make check`, as processes.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/service.ts';

const RELEASED = 'test/released/1.0.0.yaml';
let folder: ReturnType<typeof temporaryFolder>;
let broken: string;
let next: string;

beforeAll(() => {
  folder = temporaryFolder();
  const text = readFileSync(RELEASED, 'utf8');
  const changed = text
    .replace('required: [name]', 'required: [name, tag]')
    .replace('A store of plants', 'A shop of plants');
  broken = `${folder.path}/broken.yaml`;
  next = `${folder.path}/next.yaml`;
  writeFileSync(broken, changed);
  writeFileSync(next, changed.replace('version: 1.0.0', 'version: 2.0.0'));
});
afterAll(() => folder.remove());

function run(tool: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [
    `packages/cli/src/commands/${tool}.ts`,
    ...args,
  ]);
  return { status, out: String(stdout), err: String(stderr) };
}

describe('make diff', () => {
  it('reports the effect and both locations of each change', () => {
    const { status, out } = run('diff', RELEASED, broken);
    expect(out).toContain(`breaking    POST /plants  request body
            tag became required: Clients that send an object without tag are refused.
            ${RELEASED}:96:7 -> `);
    expect(out).toMatch(/broken\.yaml:96:7\n/);
    expect(out).toMatch(/: 1 breaking, 0 risky, 2 compatible\n$/);
    expect(status).toBe(0);
  });

  it('compares openapi.yaml with the newest release', () => {
    const { status, out } = run('diff');
    expect(out).toMatch(/openapi\.yaml since test\/released\/[\d.]+\.yaml: \d+ breaking, /);
    expect(status).toBe(0);
  });

  it('accepts a git revision', () => {
    expect(run('diff', 'HEAD').out).toMatch(/openapi\.yaml since HEAD:openapi\.yaml: \d+ breaking/);
  });

  it('rejects a BASE that is neither a path nor a revision', () => {
    const { status, err } = run('diff', 'nowhere');
    expect(err).toBe('BASE: got nowhere, expected the path of a contract or a git revision\n');
    expect(status).toBe(1);
  });
});

describe('make check', () => {
  it('fails on a breaking change', () => {
    const { status, err } = run('diff', '--check', RELEASED, broken);
    expect(err).toContain('tag became required');
    expect(err).not.toContain('compatible');
    expect(err).toMatch(
      /\n1 breaking change since 1\.0\.0: expected none, or info\.version 2\.0\.0\n$/,
    );
    expect(status).toBe(1);
  });

  it('passes when the major version of info.version increases', () => {
    expect(run('diff', '--check', RELEASED, next)).toEqual({ status: 0, out: '', err: '' });
  });

  it('passes without a breaking change', () => {
    expect(run('diff', '--check', RELEASED, RELEASED)).toEqual({ status: 0, out: '', err: '' });
  });
});

describe('make changelog', () => {
  it('writes the difference between two contracts as Markdown', () => {
    expect(run('changelog', '1.0.0', next).out).toBe(`# Plant store: 1.0.0 → 2.0.0

1 breaking, 0 risky, 3 compatible.

## Breaking changes

Clients must change before they use this version.

### \`POST /plants\`

- **request body**: tag became required. Clients that send an object without tag are refused.

## New and compatible

Clients need not change.

### The whole contract

- info.version "1.0.0" became "2.0.0". Clients that read the version get the new one.

### \`POST /plants\`

- **response 200**: tag became required. Clients no longer receive an object without tag.

## Documentation

- the whole contract: description
`);
  });

  it('writes unreleased changes', () => {
    expect(run('changelog').out).toMatch(/^# Plant store: [\d.]+ → (?:unreleased|[\d.]+)\n/);
  });
});
