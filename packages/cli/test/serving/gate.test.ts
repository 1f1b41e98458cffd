// `stubwright diff` with served versions: breaking changes that converters undo, and those that fail.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { changesBetween } from '@stubwright/diff';
import { inTestAll } from '@stubwright/test-support/testAll';
import { openContract } from '../../src/check/contracts.ts';
import { ServedClients } from '../../src/serving/servedClients.ts';
import { runProcess } from '../support/command.ts';
import { NEWER, OLDER } from './books.ts';
import { type BooksProject, createBooksProject } from './booksProject.ts';

/** A minor version, whose changes would fail. */
const MINOR = NEWER.replace('version: 2.0.0', 'version: 1.5.0');
const HINT = ', expected no finding: npx stubwright replay --versions\n';
let original: BooksProject;
let project: BooksProject;

beforeAll(async () => {
  original = await createBooksProject(MINOR);
});
beforeEach(() => {
  project = original.copy();
});
afterEach(() => project.remove());
afterAll(() => original.remove());

describe('stubwright diff with a served version', () => {
  it('passes changes in a minor version that converters undo', async () => {
    const { status, out } = await project.run('diff');
    expect(status).toBe(0);
    expect(out).toContain('  converted  maximum 100 became 50: ');
    expect(out).toContain('Converters serve the clients of 1.4.0. (');
    expect(out).toMatch(/: 0 breaking, \d+ converted, \d+ risky, \d+ compatible\n/);
    const released = await project.run('release', '--no-client');
    expect(released).toMatchObject({ status: 0, err: '' });
  });

  const expectFailure = async (change: string, message: string) => {
    project.writeConverters(change);
    const { status, err } = await project.run('diff', '--check');
    expect(status).toBe(1);
    expect(err).toMatch(/breaking changes since 1\.4\.0, which is served: [A-Z]+ \/\S* {2}\S/);
    expect(err).toContain('the converters of 1.4.0 fail: ');
    expect(err).toContain(message);
    expect(err).toContain(HINT);
  };

  it.each([
    ['is wrong', 'delete converters.statuses[410];', '410'],
    [
      'ends the process',
      'converters.schemas.Book.toOld = () => process.exit(0);',
      'got exit code 0 before a result, expected converters that return',
    ],
  ])('fails if a converter %s', (_, change, message) => expectFailure(change, message));

  inTestAll(it).each([
    ['is missing', 'delete converters.schemas.Book.toOld;', 'expected schemas.Book.toOld'],
    ['throws', 'converters.schemas.Book.toOld = () => { throw new Error("no"); };', 'Book'],
    ['cannot be loaded', 'throw new Error("no database");', 'no database'],
    ['throws no error', 'throw null;', 'expected an Error to be thrown, got null'],
    ['never settles', 'await new Promise(() => {});', 'got exit code 0 before a result'],
  ])('fails if a converter %s', (_, change, message) => expectFailure(change, message));

  inTestAll(it)('fails whatever the version number says', async () => {
    project.write('openapi.yaml', NEWER);
    project.writeConverters('delete converters.statuses[410];');
    expect((await project.run('diff', '--check')).status).toBe(1);
  });

  inTestAll(it)('fails for a change that no converter undoes', async () => {
    const secured = MINOR.replace(
      'openapi: 3.1.0',
      'openapi: 3.1.0\nsecurity: [{key: []}]\nx-unused: 1',
    ).replace(
      'components:\n',
      'components:\n  securitySchemes:\n    key: {type: apiKey, in: header, name: X-Key}\n',
    );
    project.write('openapi.yaml', secured.replace('version: 1.5.0', 'version: 2.0.0'));
    project.writeService("verifiers: () => ({ key: () => ({ name: 'k' }) })");
    const { status, out } = await project.run('diff', '--check');
    expect(status).toBe(1);
    expect(out).toContain('security-requirement-');
  });

  inTestAll(it)('compares with each served version, and each link of a chain', async () => {
    const middle = OLDER.replace('version: 1.4.0', 'version: 1.4.5');
    project.write('test/released/1.4.5.yaml', middle);
    project.write(
      'test/released/1.4.5.requests.json',
      project.read('test/released/1.4.0.requests.json'),
    );
    await project.run('serve-version', '1.4.5', '--path', '/v145');
    const { err } = await project.run('diff', '--check');
    expect(err).toMatch(/^\d+ breaking changes since 1\.4\.5, which is served: /m);
    expect(err).toMatch(/^\d+ breaking changes since 1\.4\.0, which is served: /m);
  });

  inTestAll(it)('passes if the last link of a chain undoes the changes', async () => {
    const middle = OLDER.replace('version: 1.4.0', 'version: 1.4.5');
    project.write('test/released/1.4.5.yaml', middle);
    project.write(
      'test/released/1.4.5.requests.json',
      project.read('test/released/1.4.0.requests.json'),
    );
    await project.run('serve-version', '1.4.5', '--path', '/v145');
    project.write('src/versions/1.4.5.ts', project.read('src/versions/1.4.0.ts'));
    project.write('src/versions/1.4.0.ts', 'export const converters = {};\n');
    expect(await project.run('diff', '--check')).toEqual({ status: 0, out: '', err: '' });
  });
});

describe('the thread of the converters', () => {
  it('is terminated if a converter never returns', async () => {
    project.writeConverters('converters.schemas.Book.toOld = () => { for (;;); };');
    const served = await ServedClients.of('openapi.yaml', { cwd: project.path }, 1_000);
    const before = await openContract('test/released/1.4.0.yaml', { cwd: project.path });
    const current = await openContract('openapi.yaml', { cwd: project.path });
    const changes = served.converted(changesBetween(before, current), '1.4.0');
    expect(served.errorOf(changes, '1.4.0')).toContain(
      'got no result in 1 s, expected converters that return',
    );
  });

  it('keeps what converters print out of the report, and ends with their timers', async () => {
    project.writeConverters('console.log("printed"); setInterval(() => {}, 1_000);');
    const { status, out } = await runProcess(['diff', '--check'], { cwd: project.path });
    expect({ status, out }).toEqual({ status: 0, out: '' });
  });
});

describe('the reports of converted changes', () => {
  it('have a heading in the changelog', async () => {
    const { out: changelog } = await project.run('changelog');
    expect(changelog).toContain('## Converted changes\n');
    expect(changelog).not.toContain('## Breaking changes\n');
  });

  inTestAll(it)('have a severity in JSON', async () => {
    const { severity, changes } = JSON.parse((await project.run('diff', '--format', 'json')).out);
    expect(severity).toBe('converted');
    expect(changes.map((change: { severity: string }) => change.severity)).not.toContain(
      'breaking',
    );
  });
});
