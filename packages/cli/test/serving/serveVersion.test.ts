// `stubwright serve-version`, in a temporary project.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadContract } from '@stubwright/contract';
import { servedList } from '../../src/serving/servedVersions.ts';
import { createEmptyProject, type ToyProject } from '../support/toyProject.ts';
import { NEWER, OLDER } from './books.ts';

let project: ToyProject;

beforeEach(() => {
  project = createEmptyProject();
  project.write('openapi.yaml', NEWER);
  project.write('test/released/1.4.0.yaml', OLDER);
});
afterEach(() => project.remove());

const exists = (file: string) => existsSync(join(project.path, file));

describe('stubwright serve-version', () => {
  it('writes the entry, the contract, the types and a module of converters', async () => {
    const { status, out, err } = await project.run(
      ...['serve-version', '1.4.0', '--until', '2027-06-30', '--path', '/v1'],
    );
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out.split('\n')).toEqual([
      'compatibility.yaml',
      'generated/versions/1.4.0.json',
      'generated/versions/1.4.0.ts',
      'src/versions/1.4.0.ts',
      '11 converters to write in src/versions/1.4.0.ts: the compiler lists them',
      '',
    ]);
    expect(project.read('compatibility.yaml')).toBe(`served:
  versions:
    - version: '1.4.0'
      path: /v1
      until: 2027-06-30
`);
    expect(project.read('src/versions/1.4.0.ts')).toContain(
      "import type { Converters } from '../../generated/versions/1.4.0.ts';",
    );
    const { definition } = await loadContract('generated/versions/1.4.0.json', {
      ...{ isMocked: false, cwd: project.path },
    });
    expect(definition.version).toBe('1.4.0');
  });

  it('keeps the policy, its comments and the module of the application', async () => {
    const policy = '# Ours.\nseverities:\n  tags-changed: compatible\n';
    project.write('compatibility.yaml', policy);
    project.write('src/versions/1.4.0.ts', '// Ours.\n');
    const { status } = await project.run('serve-version', '1.4.0');
    expect(status).toBe(0);
    expect(project.read('compatibility.yaml')).toBe(`${policy}served:
  header: Api-Version
  versions:
    - version: '1.4.0'
`);
    expect(project.read('src/versions/1.4.0.ts')).toBe('// Ours.\n');
  });

  it('orders versions, and each converts to the next one', async () => {
    project.write('test/released/1.3.0.yaml', OLDER.replace('1.4.0', '1.3.0'));
    await project.run('serve-version', '1.4.0');
    const { out } = await project.run('serve-version', '1.3.0');
    expect(out).toContain('no breaking change: no converter is needed');
    expect(project.read('compatibility.yaml')).toMatch(/'1\.3\.0'\n.*'1\.4\.0'/);
    expect(project.read('generated/versions/1.3.0.ts')).toContain('between 1.3.0 and 1.4.0');
    expect(project.read('generated/versions/1.4.0.ts')).toContain('between 1.4.0 and 2.0.0');
  });

  it.each([
    [['1.5.0'], 'VERSION: got 1.5.0, expected a release in test/released/ (1.4.0)'],
    [[], 'VERSION: got nothing, expected a release or --list'],
    [['1.4.0', '--until', 'June'], '--until: got "June", expected a date such as 2027-06-30'],
    [['--list', '--until', '2027-06-30'], "'--list' cannot be used with option '--until <date>'"],
    [['--list', '--path', '/v1'], "'--list' cannot be used with option '--path <path>'"],
    [['1.4.0', '--path', 'v1'], "got 'v1', expected a path such as /v1"],
  ])('refuses %j, and writes nothing', async (args, message) => {
    const { status, err } = await project.run('serve-version', ...args);
    expect(status).toBe(2);
    expect(err).toContain(message);
    expect(exists('compatibility.yaml')).toBe(false);
    expect(exists('generated')).toBe(false);
  });

  it('refuses a version that is served', async () => {
    await project.run('serve-version', '1.4.0');
    const { status, err } = await project.run('serve-version', '1.4.0');
    expect({ status, err }).toEqual({
      ...{ status: 2 },
      err: expect.stringContaining('compatibility.yaml serves 1.4.0 already'),
    });
  });

  it('lists the versions with their dates', async () => {
    await project.run('serve-version', '1.4.0', '--until', '2020-06-30', '--path', '/v1');
    const { status, out } = await project.run('serve-version', '--list');
    expect(status).toBe(0);
    expect(out).toMatch(
      /^1\.4\.0 +\/v1 +until 2020-06-30, has ended +src\/versions\/1\.4\.0\.ts\n/,
    );
  });

  it('names the changes that no converter can undo', async () => {
    const secured = (text: string, scheme: string) =>
      `${text}  securitySchemes: {${scheme}: {type: http, scheme: ${scheme}}}\nsecurity: [{${scheme}: []}]\n`;
    project.write('test/released/1.4.0.yaml', secured(OLDER, 'basic'));
    project.write('openapi.yaml', secured(NEWER, 'bearer'));
    const { out } = await project.run('serve-version', '1.4.0');
    expect(out).toMatch(
      /not converted: GET \/books.*: basic \(http basic\) no longer suffices\. Clients/,
    );
  });
});

describe('stubwright generate', () => {
  it('keeps the types of served versions up to date', async () => {
    await project.run('serve-version', '1.4.0');
    await project.run('generate');
    expect(await project.run('generate', '--check')).toMatchObject({ status: 0 });
    project.write('openapi.yaml', NEWER.replaceAll('maxLength: 50', 'maxLength: 40'));
    const stale = await project.run('generate', '--check');
    expect(stale.status).toBe(1);
    expect(stale.err).toContain('generated/versions/1.4.0.ts is stale');
    await project.run('generate');
    expect(project.read('generated/versions/1.4.0.ts')).toContain('/note: maxLength 100 became 40');
  });

  it('deletes those of a version whose entry is gone', async () => {
    await project.run('serve-version', '1.4.0');
    project.write('compatibility.yaml', '');
    const stale = await project.run('generate', '--check');
    expect(stale).toMatchObject({
      ...{ status: 1 },
      err: expect.stringContaining('generated/versions/1.4.0.ts belongs to no served version'),
    });
    expect(await project.run('generate')).toMatchObject({ status: 0 });
    expect(exists('generated/versions/1.4.0.ts')).toBe(false);
    expect(exists('generated/versions/1.4.0.json')).toBe(false);
    expect(exists('src/versions/1.4.0.ts')).toBe(true);
  });
});

describe('a listed version', () => {
  const now = Date.parse('2027-06-29T12:00:00Z');

  it.each([
    [{}, '-         without an end                src/1.4.0.ts'],
    [{ path: '/v1' }, '/v1       without an end                src/1.4.0.ts'],
    [{ until: '2027-06-30' }, '-         until 2027-06-30, 2 days left  src/1.4.0.ts'],
    [{ until: '2027-06-29' }, '-         until 2027-06-29, 1 day left  src/1.4.0.ts'],
    [{ until: '2027-06-28' }, '-         until 2027-06-28, has ended   src/1.4.0.ts'],
    [
      { until: '2027-06-29', deprecated: '2026-11-01' },
      '-         deprecated since 2026-11-01, until 2027-06-29, 1 day left  src/1.4.0.ts',
    ],
  ])('with %j ends as %s', (fields, expected) => {
    const entry = { version: '1.4.0', converters: 'src/1.4.0.ts', ...fields };
    const [line] = servedList([entry as never], now);
    expect(line).toBe(`1.4.0         ${expected}`);
  });
});
