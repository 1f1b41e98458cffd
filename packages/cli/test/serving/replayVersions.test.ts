// `stubwright replay --versions`: recorded requests through a served version, and the round trips of its converters.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inTestAll } from '@stubwright/test-support/testAll';
import { NEWER, OLDER } from './books.ts';
import { type BooksProject, createBooksProject } from './booksProject.ts';

let project: BooksProject;

beforeEach(async () => {
  project = await createBooksProject(NEWER);
});
afterEach(() => project.remove());

describe('stubwright replay --versions', () => {
  it('replays the requests of served releases through their version, and checks the converters', async () => {
    const { status, out, err } = await project.run('replay', '--versions');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(
      /^1\.4\.0 -> 2\.0\.0: \d+ requests, \d+ replies, \d+ values: no finding\n1 release, 7 conversations, 0 failed\n$/,
    );
  });

  it('is a part of every replay, as the test of a project runs it', async () => {
    project.writeConverters('delete converters.statuses[410];');
    const { status, out } = await project.run('replay');
    expect(status).toBe(1);
    expect(out).toContain(
      '1.4.0 createBook reply: it has the status 410, which the version does not declare\n',
    );
  });

  it('fails for a recorded request that the service does not answer as released', async () => {
    project.writeService(
      "handlers: { ...handlers, getBook: () => ({ status: 404, body: { error: 1, message: 'none' } }) }",
    );
    const { status, out } = await project.run('replay', '--versions');
    expect(status).toBe(1);
    expect(out).toContain('GET http://127.0.0.1');
    expect(out).toMatch(/1\.4\.0 getBook as documented: status expected 200/);
    expect(out).toContain('/v1/books/1');
    expect(out).toContain(': no finding\n');
  });

  it('reports each finding with version, operation, direction, example and location', async () => {
    project.writeConverters(
      'converters.operations.watchBooks.item = (item) => ({ kind: item.kind });\nconverters.schemas.Book.toOld = ({ titles, tags: _, ...rest }) => ({ ...rest, title: titles.main });',
    );
    const { status, out } = await project.run('replay', '--versions', '--format', 'json');
    expect(status).toBe(1);
    const { passed, roundTrips } = JSON.parse(out);
    expect(passed).toBe(false);
    const [{ version, next, findings }] = roundTrips;
    expect({ version, next }).toEqual({ version: '1.4.0', next: '2.0.0' });
    expect(findings).toContainEqual({
      rule: 'converted-reply',
      version: '1.4.0',
      operationId: 'watchBooks',
      message: expect.stringContaining('/kind'),
      example: expect.stringMatching(/^\[.*\{"kind":"changed"\}/),
      position: { file: 'test/released/1.4.0.yaml', line: 46, column: 5 },
    });
  });

  inTestAll(it).each(['github', 'sarif', 'junit'])('writes the findings as %s', async (format) => {
    project.writeConverters('delete converters.statuses[410];');
    const { status, out } = await project.run('replay', '--versions', '--format', format);
    expect(status).toBe(1);
    expect(out).toContain('converted-reply');
    expect(out).toContain('createBook reply');
  });

  inTestAll(it)('checks each version of a chain against the next one', async () => {
    project.write('test/released/1.5.0.yaml', OLDER.replace('version: 1.4.0', 'version: 1.5.0'));
    project.write(
      'test/released/1.5.0.requests.json',
      project.read('test/released/1.4.0.requests.json'),
    );
    await project.run('serve-version', '1.5.0', '--path', '/v15');
    project.write('src/versions/1.5.0.ts', project.read('src/versions/1.4.0.ts'));
    project.write('src/versions/1.4.0.ts', 'export const converters = {};\n');
    const { status, out, err } = await project.run('replay', '--versions');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(/^1\.4\.0 -> 1\.5\.0: .*: no finding$/m);
    expect(out).toMatch(/^1\.5\.0 -> 2\.0\.0: .*: no finding$/m);
  });
});
