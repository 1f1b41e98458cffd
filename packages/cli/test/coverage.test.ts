// `stubwright coverage` and the reporter of jest: declared responses that no test received.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inTestAll } from '@stubwright/test-support/testAll';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { testClient } from 'stubwright/testing';
import { CONTRACT, createEmptyProject, type ToyProject } from './support/toyProject.ts';

let project: ToyProject;
beforeEach(() => {
  project = createEmptyProject();
});
afterEach(() => project.remove());

const OBSERVED = 'build/observed';
const HEADING = 'Declared responses, observed by the tests:\n';

describe('stubwright coverage', () => {
  it('reports what the test clients of a mocked service received, once without --keep', async () => {
    const api = await createApi<undefined, Request>({ contract: CONTRACT, mock: 'all' });
    const client = await testClient({
      ...{ contract: CONTRACT, target: fetchHandler(api), observed: join(project.path, OBSERVED) },
    });
    for (let calls = 0; calls < 2; calls++) await client.fetch(client.example('getToy'));
    for (const args of [['--keep'], []]) {
      const { status, out } = await project.run('coverage', ...args);
      expect(status).toBe(1);
      expect(out).toContain('  yes     getToy 200 application/json\n');
      expect(out).toContain('  NO      storeToy 409 application/json\n');
    }
    expect(await project.run('coverage')).toMatchObject({
      status: 2,
      err: `stubwright: ${OBSERVED}: not found, expected the record of a run of the tests\n`,
    });
  });

  it('removes only the files of a record', async () => {
    project.write(`${OBSERVED}/1`, 'getToy 200 application/json\n');
    const others = ['src/a.ts', `${OBSERVED}/a.ts`, `${OBSERVED}/7/a.ts`];
    for (const file of others) project.write(file, '');
    for (const folder of ['src', '.', OBSERVED]) {
      expect((await project.run('coverage', folder)).status).toBe(1);
    }
    expect(readdirSync(join(project.path, OBSERVED)).sort()).toEqual(['7', 'a.ts']);
    expect(others.filter((file) => !existsSync(join(project.path, file)))).toEqual([]);
  });

  it('knows responses without a body, and merges the files of several processes', async () => {
    project.write(
      'openapi.yaml',
      `openapi: 3.1.0
info: { title: t, version: '1' }
paths: { /a: { get: { operationId: a b, responses: { 204: { description: '' } } }, put: { operationId: c, responses: { 4XX: { description: '' } } } } }
`,
    );
    project.write(`${OBSERVED}/1`, 'a b 204\n');
    project.write(`${OBSERVED}/2`, 'c 4XX\n');
    expect(await project.run('coverage')).toMatchObject({
      status: 0,
      out: `${HEADING}  yes     a b 204 without a body\n  yes     c 4XX without a body\n`,
    });
  });

  it.each([
    [['storeToy'], 'shared  getToy 401 application/json: storeToy 401 application/json'],
    [['getToy'], 'yes     getToy 401 application/json'],
    [['storeToy', 'getToy'], 'yes     getToy 401 application/json'],
    [[], 'NO      getToy 401 application/json'],
  ])('counts a shared response of %j for one of its operations', async (operations, line) => {
    const lines = operations.map((operation) => `${operation} 401 application/json\n`);
    project.write(`${OBSERVED}/1`, lines.join(''));
    expect((await project.run('coverage')).out).toContain(`  ${line}\n`);
  });

  it.each([
    ['json', '"state": "missing"'],
    ['github', '::error file=openapi.yaml,line='],
    ['sarif', '"ruleId": "response-not-tested"'],
    ['junit', 'storeToy 503 application/json: no test received it'],
  ])('writes missing responses as %s', async (format, text) => {
    project.write(`${OBSERVED}/1`, '');
    const { status, out } = await project.run('coverage', '--format', format);
    expect({ status, out }).toEqual({ status: 1, out: expect.stringContaining(text) });
  });
});

describe('the reporter', () => {
  const REPORTER = resolve('packages/cli/src/coverage/reporter.ts');
  /** Every status of storeToy but 503. */
  const TESTED = [200, 400, 401, 409, 413, 415, 429, 500];
  const handlersOf = (text: string) =>
    project.write('src/handlers/index.ts', `export const handlers = { ${text} };`);

  /** Runs it as jest does. */
  function report(statuses: readonly number[] = TESTED) {
    project.write(
      'run.mjs',
      `import Reporter, { recordObserved } from ${JSON.stringify(REPORTER)};
const reporter = new Reporter({});
reporter.onRunStart();
for (const status of ${JSON.stringify(statuses)}) recordObserved('storeToy', status, 'application/json');
await reporter.onRunComplete();
console.error(reporter.getLastError()?.message ?? 'passed');`,
    );
    const options = { cwd: project.path, encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync(process.execPath, ['run.mjs'], options);
    return { out: stdout, error: stderr.trim() };
  }

  it('fails on a declared response of an implemented operation that no test observed', () => {
    handlersOf('storeToy() {}, getToy: Symbol("mocked")');
    const { out, error } = report();
    expect(error).toBe('declared responses that no test observed: storeToy 503 application/json');
    expect(out).toContain(`${HEADING}  yes     storeToy 200 application/json\n`);
    expect(out).toContain('  NO      storeToy 503 application/json\n');
    expect(out).not.toContain('getToy');
    // A test may record a response that it cannot cause.
    expect(report([...TESTED, 503]).error).toBe('passed');
  });

  inTestAll(it)('compares every operation of a project without handlers', () => {
    handlersOf('');
    expect(report([]).error).toBe('passed');
    rmSync(join(project.path, 'src'), { recursive: true });
    expect(report().error).toContain('getToy 200 application/json');
  });
});
