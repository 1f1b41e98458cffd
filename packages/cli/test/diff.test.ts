// `make diff`, `make changelog` and the part of `make check` that they are, as processes.
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
  it('tells what each change does to clients, and where it stands in both files', () => {
    const { status, out } = run('diff', RELEASED, broken);
    expect(out).toContain(`breaking    POST /plants  request body
            tag became required: Clients that send an object without tag are refused.
            ${RELEASED}:96:7 -> `);
    expect(out).toMatch(/broken\.yaml:96:7\n/);
    expect(out).toMatch(/: 1 breaking, 0 risky, 2 compatible\n$/);
    expect(status).toBe(0);
  });

  it('compares today with the newest release', () => {
    const { status, out } = run('diff');
    expect(out).toMatch(/openapi\.yaml since test\/released\/[\d.]+\.yaml: \d+ breaking, /);
    expect(status).toBe(0);
  });

  it('takes a git revision', () => {
    expect(run('diff', 'HEAD').out).toMatch(/openapi\.yaml since HEAD:openapi\.yaml: \d+ breaking/);
  });

  it('says what it expected as BASE', () => {
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

  it('passes when info.version goes up a major', () => {
    expect(run('diff', '--check', RELEASED, next)).toEqual({ status: 0, out: '', err: '' });
  });

  it('passes when nothing breaks', () => {
    expect(run('diff', '--check', RELEASED, RELEASED)).toEqual({ status: 0, out: '', err: '' });
  });
});

describe('make changelog', () => {
  it('writes the difference between two contracts as Markdown', () => {
    expect(run('changelog', '1.0.0', next).out).toBe(`# Plant store: 1.0.0 → 2.0.0

1 breaking, 0 risky, 3 compatible.

## Breaking changes

Clients must change before they meet this version.

### \`POST /plants\`

- **request body**: tag became required. Clients that send an object without tag are refused.

## New and compatible

Clients need not change.

### The whole contract

- info.version "1.0.0" became "2.0.0". Clients are told which contract they meet.

### \`POST /plants\`

- **response 200**: tag became required. Clients never get an object without tag any more.

## Documentation

- the whole contract: description
`);
  });

  it('writes what is not released yet', () => {
    expect(run('changelog').out).toMatch(/^# Plant store: [\d.]+ → (?:unreleased|[\d.]+)\n/);
  });
});
