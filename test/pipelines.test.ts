// The examples in docs/stubwright/pipelines.md: their structure, and their commands in a project with a base branch.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { inTestAll } from '@stubwright/test-support/testAll';
import { parse } from 'yaml';

jest.setTimeout(600_000);

const CONTRACT = 'docs/stubwright/commands/openapi.yaml';
const page = readFileSync('docs/stubwright/pipelines.md', 'utf8');
const block = (start: string) => {
  const [, text] = new RegExp(`^\`\`\`\\w+\\n(${start}\\n.*?)^\`\`\`$`, 'ms').exec(page)!;
  return text!;
};

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Record<string, unknown>;
}
const workflow = parse(block('# .github/workflows/contract.yml'));
const steps: Step[] = workflow.jobs.contract.steps;
const gitlab = parse(block('# .gitlab-ci.yml')).contract;
const hooks = parse(block('# .pre-commit-config.yaml')).repos[0].hooks;
const hook = block('#!/bin/sh');

let folder: TemporaryFolder;
let origin: string;
beforeAll(() => {
  folder = temporaryFolder();
  origin = join(folder.path, 'origin');
  mkdirSync(origin);
  cpSync(CONTRACT, join(origin, 'openapi.yaml'));
  git(origin, 'init', '--quiet', '--initial-branch=main');
  git(origin, 'add', '.');
  git(origin, 'commit', '--quiet', '--message=Toys');
});
afterAll(() => folder.remove());

const AUTHOR = ['-c', 'user.name=t', '-c', 'user.email=t@localhost'];
function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', [...AUTHOR, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' });
}

/** A clone of the base branch, with this repository's packages. */
let project: string;
beforeEach(() => {
  project = join(folder.path, 'project');
  rmSync(project, { recursive: true, force: true });
  git(folder.path, 'clone', '--quiet', origin, 'project');
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
});

const change = (from: string, to: string) => {
  const path = join(project, 'openapi.yaml');
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
};
const breakContract = () => change('limit, in: query,', 'limit, in: query, required: true,');
const at = (file: string) => readFileSync(join(project, file), 'utf8');

/** Runs a command as a step does: `npx` finds the package, `npm ci` has run. */
function step(command: string, env: object = {}) {
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', command], {
    cwd: project,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...{ NODE_OPTIONS: '', PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
      ...{ GITHUB_BASE_REF: 'main', CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' },
      GITHUB_STEP_SUMMARY: join(project, 'summary.md'),
      ...env,
    },
  });
  return { status, stdout, stderr };
}

describe('the workflow for GitHub', () => {
  const commands = steps.flatMap(({ run }) => (run?.startsWith('npx') ? [run] : []));
  const [check, diff, changelog] = commands as [string, string, string];

  it('has the keys of a workflow, and steps that either run or use', () => {
    expect(Object.keys(workflow)).toEqual(['name', 'on', 'permissions', 'jobs']);
    expect(workflow.on).toHaveProperty('pull_request');
    for (const { uses, run } of steps) expect([uses, run].filter(Boolean)).toHaveLength(1);
    for (const { uses } of steps) if (uses) expect(uses).toMatch(/^[\w-]+\/[\w/-]+@v\d+$/);
    expect(steps[0]!.with).toEqual({ 'fetch-depth': 0 });
    expect(steps[2]).toEqual({ run: 'npm ci' });
    expect(commands).toHaveLength(3);
  });

  inTestAll(it)('passes for a contract without changes', () => {
    for (const command of commands) expect(step(command)).toMatchObject({ status: 0 });
  });

  it('annotates errors, and fails', () => {
    change('type: integer, format: int64', 'type: intger');
    const { status, stdout } = step(check);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^::error file=openapi\.yaml,line=\d+,col=\d+,title=contract::type is/);
  });

  inTestAll(it)('uploads and summarizes breaking changes, and fails', () => {
    breakContract();
    expect(step(diff).status).toBe(1);
    const upload = steps.find(({ uses }) => uses?.includes('upload-sarif'))!;
    const { runs } = JSON.parse(at(String(upload.with!['sarif_file'])));
    expect(runs[0].results[0]).toMatchObject({ level: 'error', locations: expect.any(Array) });
    expect(step(changelog).status).toBe(0);
    expect(at('summary.md')).toMatch(/^## Breaking changes$/m);
  });
});

describe('the job for GitLab', () => {
  inTestAll(it)('writes the reports that it names, and fails for breaking changes', () => {
    breakContract();
    const [install, ...commands] = gitlab.script as string[];
    expect(install).toBe('npm ci');
    expect(commands.map((command) => step(command).status)).toEqual([0, 1]);
    expect(gitlab.artifacts.when).toBe('always');
    expect(gitlab.artifacts.reports.junit).toHaveLength(commands.length);
    for (const report of gitlab.artifacts.reports.junit) {
      expect(at(report)).toMatch(/^<\?xml .*<testsuites name="stubwright" tests="\d+"/s);
    }
  });
});

describe('the hooks before a commit', () => {
  inTestAll(it)('has the keys of pre-commit, and an entry that fails for breaking changes', () => {
    expect(Object.keys(hooks[0]).sort()).toEqual([
      ...['entry', 'files', 'id', 'language', 'name', 'pass_filenames'],
    ]);
    expect(new RegExp(hooks[0].files).test('openapi.yaml')).toBe(true);
    expect(step(hooks[0].entry).status).toBe(0);
    breakContract();
    expect(step(hooks[0].entry).status).toBe(1);
  });

  inTestAll(it)(
    'permits a commit without the contract, and refuses one that breaks clients',
    () => {
      const path = join(project, '.git/hooks/pre-commit');
      writeFileSync(path, hook);
      chmodSync(path, 0o755);
      const commit = () => step(`git ${AUTHOR.join(' ')} commit --quiet --all --message=x`);
      writeFileSync(join(project, 'notes.md'), '');
      git(project, 'add', 'notes.md');
      expect(commit().status).toBe(0);
      breakContract();
      expect(commit()).toMatchObject({ status: 1, stderr: expect.stringContaining('breaking') });
      expect(git(project, 'log', '--oneline').trim().split('\n')).toHaveLength(2);
    },
  );
});

describe('.ci/run', () => {
  const script = readFileSync('.ci/run', 'utf8');
  const ci = parse(readFileSync('.github/workflows/ci.yml', 'utf8')).jobs.test;

  it('runs on GitHub in parts, each within the time limit of its machine', () => {
    const partsOf = (EVENT: string): string[] => {
      const env = { ...process.env, EVENT, BASE: 'HEAD' };
      return JSON.parse(execFileSync('.github/parts.sh', { encoding: 'utf8', env }));
    };
    expect(ci.steps.at(-1).run).toMatch(/^\.ci\/run \$\{\{ matrix\.part \}\}$/);
    const [, listed] = /expected ([\w, ]+)" >&2/.exec(script)!;
    expect(partsOf('schedule').sort()).toEqual(listed!.split(/, | or /).sort());
    expect(partsOf('pull_request').slice(0, 4)).toEqual(['check', 'private', 'test', 'start']);
    const limits = [...script.matchAll(/within (\d+) make/g)].map(([, minutes]) => Number(minutes));
    expect(Math.max(...limits)).toBeLessThan(ci['timeout-minutes']);
  });

  it('refuses another part', () => {
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', `set -- nothing\n${script.slice(script.indexOf('for part in'))}`],
      { encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^CI: got the part nothing, expected check, private, test/),
    ]);
  });
});
