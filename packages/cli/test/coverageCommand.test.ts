// `stubwright coverage`, over the record of test clients.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { testClient } from 'stubwright/testing';
import { CONTRACT, createEmptyProject, type ToyProject } from './support/toyProject.ts';

let project: ToyProject;
beforeEach(() => {
  project = createEmptyProject();
});
afterEach(() => project.remove());

/** Calls operations of a mocked service with a test client that records. */
async function test(...operationIds: string[]): Promise<void> {
  const api = await createApi<undefined, Request>({ contract: CONTRACT, mock: 'all' });
  const observed = `${project.path}/build/observed`;
  const client = await testClient({ contract: CONTRACT, target: fetchHandler(api), observed });
  for (const id of operationIds) await client.fetch(client.example(id));
}

describe('stubwright coverage', () => {
  it('lists the declared responses, and fails on those that no test client received', async () => {
    await test('getToy', 'getToy');
    const { status, out } = await project.run('coverage');
    expect(status).toBe(1);
    expect(out).toContain('  yes     getToy 200 application/json\n');
    expect(out).toContain('  NO      storeToy 409 application/json\n');
  });

  it('starts a new record after a report, unless --keep is set', async () => {
    await test('getToy');
    expect((await project.run('coverage', '--keep')).status).toBe(1);
    expect((await project.run('coverage')).status).toBe(1);
    expect(await project.run('coverage')).toMatchObject({
      status: 2,
      err: 'stubwright: build/observed: not found, expected the record of a run of the tests\n',
    });
  });

  it('removes only the files of a record', async () => {
    await test('getToy');
    const others = ['src/a.ts', 'build/observed/a.ts', 'build/observed/7/a.ts'];
    for (const each of others) project.write(each, '');
    for (const folder of ['src', '.', 'build/observed']) {
      expect((await project.run('coverage', folder)).status).toBe(1);
    }
    const left = readdirSync(join(project.path, 'build/observed')).sort();
    expect(left).toEqual(['7', 'a.ts']);
    expect(others.filter((each) => !existsSync(join(project.path, each)))).toEqual([]);
  });

  it('knows responses without a body, and merges the files of several processes', async () => {
    project.write(
      'openapi.yaml',
      "openapi: 3.1.0\ninfo: { title: t, version: '1' }\npaths:\n  /a:\n    get: { operationId: a b, responses: { '204': { description: '' } } }\n    put: { operationId: c, responses: { 4XX: { description: '' } } }\n",
    );
    project.write('build/observed/1', 'a b 204\n');
    project.write('build/observed/2', 'c 4XX\n');
    expect(await project.run('coverage')).toMatchObject({
      status: 0,
      out: 'Declared responses, observed by the tests:\n  yes     a b 204 without a body\n  yes     c 4XX without a body\n',
    });
  });

  it.each([
    ['json', '"state": "missing"'],
    ['github', '::error file=openapi.yaml,line='],
    ['sarif', '"ruleId": "response-not-tested"'],
    ['junit', 'storeToy 503 application/json: no test received it'],
  ])('writes missing responses as %s', async (format, text) => {
    await test('getToy');
    const { status, out } = await project.run('coverage', '--format', format);
    expect({ status, out }).toEqual({ status: 1, out: expect.stringContaining(text) });
  });
});
