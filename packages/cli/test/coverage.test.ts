// The gate that fails on declared responses without a test, and its exemptions.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { textOf } from '@stubwright/contract/printable';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import { coverageOf } from '../src/coverage/coverage.ts';
import { readExemptions } from '../src/coverage/exemptions.ts';
import { loadContractFiles } from '../src/loading/load.ts';
import { CONTRACT, createEmptyProject, type ToyProject } from './support/toyProject.ts';

const FILE = 'test/coverage-exemptions.yaml';
const REPORTER = resolve('packages/cli/src/coverage/reporter.ts');
const HANDLERS = 'export const handlers = { storeToy() {}, getToy: Symbol("mocked") };';
/** Every status of storeToy but 503. */
const TESTED = [200, 400, 401, 409, 413, 415, 429, 500];
const MISSING = 'declared responses that no test observed: storeToy 503 application/json';

let project: ToyProject;
beforeEach(() => {
  project = createEmptyProject([]);
  project.write('src/handlers/index.ts', HANDLERS);
});
afterEach(() => project.remove());

/** Runs the reporter as jest does. */
function gate(statuses: readonly number[] = TESTED) {
  project.write(
    'run.mjs',
    `import Reporter, { recordObserved } from ${JSON.stringify(REPORTER)};
const reporter = new Reporter({});
reporter.onRunStart();
for (const status of ${JSON.stringify(statuses)}) recordObserved('storeToy', status, 'application/json');
await reporter.onRunComplete();
console.error(reporter.getLastError()?.message ?? 'passed');`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, ['run.mjs'], {
    cwd: project.path,
    encoding: 'utf8',
  });
  return { out: stdout, error: stderr.trim() };
}

describe('the coverage gate', () => {
  it('fails on a declared response of an implemented operation that no test observed', () => {
    const { out, error } = gate();
    expect(error).toBe(MISSING);
    expect(out).toContain('  yes     storeToy 200 application/json\n');
    expect(out).toContain('  NO      storeToy 503 application/json\n');
    expect(out).not.toContain('getToy');
  });

  it.each(isTestAll ? ['storeToy 503 application/json', 'storeToy 503', 'storeToy'] : ['storeToy'])(
    'passes with an exemption of %s, and shows the reason',
    (name) => {
      project.write(FILE, `${name}: the store of the tests cannot fail\n`);
      const { out, error } = gate();
      expect(error).toBe('passed');
      expect(out).toContain(
        '  exempt  storeToy 503 application/json: the store of the tests cannot fail\n',
      );
      expect(out).not.toContain('warning');
    },
  );

  it.each([
    ['storeToy 503:\n', 'storeToy 503'],
    ["storeToy 503: ' '\n", 'storeToy 503'],
    ['storeToy 503: [later]\n', 'storeToy 503'],
  ])('fails on an exemption without a reason: %j', (text, name) => {
    project.write(FILE, `# Exemptions.\n${text}`);
    expect(gate().error).toBe(`${FILE}:2:1  ${name} has no reason  expected ${name}: reason`);
  });

  it('fails on a file that is not a map', () => {
    project.write(FILE, '- storeToy 503\n');
    expect(gate().error).toBe(`${FILE}:1:1  no map  expected response: reason`);
    project.write(FILE, 'storeToy: [\n');
    expect(gate().error).toMatch(
      /^test\/coverage-exemptions\.yaml:\d+:\d+ {2}.* {2}expected YAML$/,
    );
  });

  it('reports exemptions that are not needed, and passes', () => {
    project.write(FILE, 'storeToy 503: rare\nstoreToy 418: no teapot\n');
    const { out, error } = gate([...TESTED, 503]);
    expect(error).toBe('passed');
    expect(out).toContain(
      `warning: ${FILE}:1:1  storeToy 503 was observed  expected no exemption\n`,
    );
    expect(out).toContain(
      `warning: ${FILE}:2:1  storeToy 418 is not a declared response  expected no exemption\n`,
    );
  });

  inTestAll(it)('compares every operation of a project without handlers', () => {
    project.write('src/handlers/index.ts', 'export const handlers = {};');
    expect(gate([]).error).toBe('passed');
    rmSync(join(project.path, 'src'), { recursive: true });
    expect(gate().error).toContain('getToy 200 application/json');
  });
});

describe('coverageOf', () => {
  it('counts a response for the operation that returned it, and for others as shared', async () => {
    const { definition } = await loadContractFiles(CONTRACT);
    const rowOf = (name: string, ...observed: string[]) =>
      coverageOf(definition, new Set(observed), []).responses.find((each) => each.name === name);
    const [own, other] = ['getToy 401 application/json', 'storeToy 401 application/json'];
    expect(rowOf(own)).toMatchObject({ name: own, state: 'missing' });
    expect(rowOf(own, own)).toMatchObject({ name: own, state: 'observed' });
    expect(rowOf(own, other)).toMatchObject({ name: own, state: 'shared', reason: other });
    expect(rowOf(own, own, other)).toMatchObject({ name: own, state: 'observed' });
  });

  it('does not exempt an operation whose name only starts the same', async () => {
    const { definition } = await loadContractFiles(CONTRACT);
    const { exemptions } = readExemptions('getTo: typo\n', FILE);
    expect(coverageOf(definition, new Set(), exemptions).unneeded.map(textOf)).toEqual([
      `${FILE}:1:1  getTo is not a declared response  expected no exemption`,
    ]);
  });
});
