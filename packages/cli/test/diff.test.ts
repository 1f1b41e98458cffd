// `stubwright diff` and `changelog`, in a temporary project; commandOutput.test.ts has their whole output.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommand } from './support/command.ts';
import { createEmptyProject, createRepository, type ToyProject } from './support/toyProject.ts';

const RELEASED = 'test/released/1.0.0.yaml';
const BROKEN = 'broken.yaml';
const NEXT = 'next.yaml';
const RISKY = 'risky.yaml';
const POLICY = `
severities: { documentation-changed: risky }
ignore:
  - rule: request-property-became-required
    change: '*'
    location: POST /toys request body
    reason: Every client sends it.
    expires: 2999-12-31
`;
let project: ToyProject;

beforeAll(() => {
  project = createRepository();
  const text = project.read(RELEASED);
  const changed = text
    .replace('required: [name]', 'required: [name, tag]')
    .replace('A store of toys', 'A shop of toys');
  project.write(BROKEN, changed);
  project.write(RISKY, text.replace('tags: [toys]', 'tags: [games]'));
  project.write(NEXT, changed.replace('version: 1.0.0', 'version: 2.0.0'));
});
afterAll(() => project.remove());

const OK = '{description: ok}';
/** An operation of the path `/<name>`. */
const operation = (name: string, response = OK, [method, id] = ['get', name]) =>
  `  /${name}: {${method}: {operationId: ${id}, responses: {'200': ${response}}}}\n`;
const contractOf = (...operations: string[]) =>
  `openapi: 3.1.0\ninfo: {title: t, version: '1.0.0'}\npaths:\n${operations.join('')}`;

function run(command: string, ...args: string[]) {
  return project.run(command, ...args);
}

describe('stubwright diff', () => {
  it.each([
    [BROKEN, 'major 2.0.0'],
    [NEXT, 'major 2.0.0'],
    [RISKY, 'minor 1.1.0'],
    [RISKY, 'major 2.0.0', '--fail-on', 'risky'],
    ['described.yaml', 'patch 1.0.1'],
    ['later.yaml', 'none 1.0.0'],
    [RELEASED, 'none 1.0.0'],
  ])('suggests the version that the changes of %s need: %s', async (contract, version, ...args) => {
    const text = project.read(RELEASED);
    project.write('described.yaml', text.replace('A store of toys', 'A shop of toys'));
    project.write('later.yaml', text.replace('version: 1.0.0', 'version: 1.0.1'));
    expect(await run('diff', '--suggest-version', ...args, RELEASED, contract)).toEqual({
      ...{ status: 0, out: `${version}\n`, err: '' },
    });
  });

  it('suggests no version after one that is not semantic', async () => {
    const text = project.read(RELEASED);
    project.write('dated.yaml', text.replace('version: 1.0.0', 'version: 2025-01-31'));
    expect(await run('diff', '--suggest-version', 'dated.yaml', BROKEN)).toMatchObject({
      status: 2,
      err: 'stubwright: info.version: got "2025-01-31", expected a semantic version: 1.2.0\n',
    });
  });

  it('compares an older contract with errors but for the operations that have them', async () => {
    const broken = "{content: {application/json: {schema: {$ref: '#/none'}}}, description: ok}";
    const others = [operation('b', OK, ['put', 'b']), operation('c')];
    project.write('old.yaml', contractOf(operation('a', broken), operation('b'), operation('c')));
    project.write('new.yaml', contractOf(operation('a'), ...others));
    const { status, out, err } = await run('diff', 'old.yaml', 'new.yaml');
    expect(err).toMatch(
      /^warning: not compared, for an error: old\.yaml:4:\d+ {2}\$ref cannot be resolved: #\/none/,
    );
    expect(out).toContain('GET /b');
    expect(out).toMatch(/^risky {7}GET \/a\n.*\(operation-not-compared\)$/m);
    expect(out).toMatch(/: 1 breaking, 1 risky, 0 compatible\n$/);
    expect(status).toBe(1);
    project.write('without.yaml', contractOf(...others));
    const annotated = await run('diff', 'old.yaml', 'new.yaml', '--format', 'github');
    expect(annotated.status).toBe(1);
    expect(annotated.out).toMatch(
      /^::warning file=new\.yaml,line=4,.*title=operation-not-compared::GET \/a/m,
    );
    for (const format of ['text', 'json', 'junit', 'sarif', 'markdown', 'github'] as const) {
      const removed = await run('diff', 'old.yaml', 'without.yaml', '--format', format);
      expect(removed).toMatchObject({ status: 1, out: expect.stringContaining('GET /a') });
    }
  });

  it('compares a newer contract with errors but for the operations that have them', async () => {
    const broken = "{$ref: '#/none'}";
    project.write('old.yaml', contractOf(operation('a'), operation('b')));
    project.write('new.yaml', contractOf(operation('a', broken), operation('b')));
    for (const options of [[], ['--check']]) {
      const { status, out, err } = await run('diff', ...options, 'old.yaml', 'new.yaml');
      expect(out).toMatch(/^risky {7}GET \/a\n.*\(operation-not-compared\)$/m);
      expect(err).toContain('warning: not compared, for an error: new.yaml:4:');
      expect(err).toContain('GET /a: not compared, expected a contract without errors\n');
      expect(status).toBe(1);
    }
    expect((await run('diff', '--fail-on', 'none', 'old.yaml', 'new.yaml')).status).toBe(0);
    const renamed = operation('b', OK, ['get', 'c']);
    project.write('new.yaml', contractOf(operation('a', broken), renamed));
    const { out } = await run('diff', '--check', 'old.yaml', 'new.yaml');
    expect(out).toMatch(/^breaking {4}GET \/b\n.*\(operation-id-changed\)$/m);
    expect(out).toContain('(operation-not-compared)');
    project.write('new.yaml', contractOf(operation('a'), operation('b'), operation('c', broken)));
    const added = await run('diff', '--check', 'old.yaml', 'new.yaml');
    expect(added.out).toMatch(/^risky {7}GET \/c\n.*\(operation-not-compared\)$/m);
    expect(added.status).toBe(1);
  });

  it('checks the whole of two contracts only if a part that differs has an error', async () => {
    const equal = operation('equal', "{$ref: '#/components/responses/None'}");
    project.write('old.yaml', contractOf(equal, operation('valid'), operation('differs')));
    const renamed = (response?: string) => operation('differs', response, ['get', 'other']);
    project.write('new.yaml', contractOf(equal, operation('valid'), renamed()));
    expect(await run('diff', 'old.yaml', 'new.yaml')).toMatchObject({
      status: 1,
      out: expect.stringContaining(': 1 breaking, 0 risky, 0 compatible\n'),
    });
    const broken = renamed("{$ref: '#/components/responses/Other'}");
    project.write('new.yaml', contractOf(equal, operation('valid'), broken));
    const { status, out, err } = await run('diff', 'old.yaml', 'new.yaml');
    expect(out).toMatch(/^risky {7}GET \/differs\n.*\(operation-not-compared\)$/m);
    expect(out).not.toContain('/equal');
    expect(err).toContain('responses/None');
    expect(status).toBe(1);
  });

  describe('after the base branch has moved on', () => {
    const project = createEmptyProject();
    const withPaths = (...names: string[]) => contractOf(...names.map((name) => operation(name)));
    const commit = (message: string, ...names: string[]) => {
      project.write('openapi.yaml', withPaths(...names));
      project.git('add', '.');
      project.git('commit', '-q', '-m', message);
    };
    const outcome = async (...args: string[]) => {
      const { status, out, err } = await project.run('diff', ...args);
      return { status, counts: /: (\d+ breaking, \d+ risky, \d+ compatible)/.exec(out)?.[1], err };
    };
    /** The feature adds b; main has added new since. */
    beforeAll(() => {
      project.git('init', '-q', '-b', 'main');
      commit('base', 'a');
      project.git('checkout', '-q', '-b', 'feature');
      commit('feature', 'a', 'b');
      project.git('checkout', '-q', 'main');
      commit('main', 'a', 'new');
      project.git('checkout', '-q', 'feature');
    });
    afterAll(() => project.remove());

    const ADDED = { status: 0, counts: '0 breaking, 0 risky, 1 compatible' };
    const REMOVED = { status: 1, counts: '1 breaking, 0 risky, 1 compatible' };

    it.each([
      ['a branch', ['main']],
      ['a path in a branch', ['main:openapi.yaml']],
      ['a range of git diff', ['main...HEAD']],
      ['a range without an end', ['main...']],
      ['a revision of both contracts', ['main', 'feature:openapi.yaml']],
    ])('compares with the merge base: %s', async (_, args) => {
      expect(await outcome(...args)).toMatchObject(ADDED);
    });

    it('names the merge base, and the revision itself with --exact', async () => {
      const base = project.git('rev-parse', '--short', project.git('merge-base', 'main', 'HEAD'));
      expect((await outcome('main')).err).toBe(
        `main: comparing with ${base}, its merge base with HEAD; --exact compares with main itself\n`,
      );
      expect((await outcome('HEAD~1')).err).toBe('');
      expect(await outcome('main', '--exact')).toMatchObject({
        ...REMOVED,
        err: expect.not.stringContaining('merge base'),
      });
    });

    it('compares a detached HEAD and a merge commit', async () => {
      project.git('checkout', '-q', '--detach', 'feature');
      expect(await outcome('main')).toMatchObject(ADDED);
      project.git('merge', '-q', '-s', 'ours', '-m', 'merge', 'main');
      project.write('openapi.yaml', withPaths('a', 'b', 'new'));
      project.git('commit', '-q', '-a', '-m', 'both');
      // The merge base with a merged branch is its tip.
      expect(await outcome('main')).toMatchObject({ ...ADDED, err: '' });
      project.git('checkout', '-q', 'feature');
    });

    it('says how to fetch what a clone of depth 1 lacks', async () => {
      const origin = `file://${project.path}`;
      const depth = ['--depth', '1', '--no-single-branch', '--branch', 'feature'];
      project.git('clone', '-q', ...depth, origin, 'clone');
      const since = (base: string) =>
        runCommand(['diff', base], { cwd: join(project.path, 'clone') });
      expect(await since('origin/main')).toMatchObject({
        status: 2,
        err: 'stubwright: BASE: got origin/main, expected a merge base with HEAD, which this shallow clone lacks: git fetch --unshallow fetches all, --exact compares with origin/main itself\n',
      });
      expect(await since('HEAD~1')).toMatchObject({
        status: 2,
        err: 'stubwright: BASE: got HEAD~1, expected a revision that this shallow clone has: git fetch --unshallow fetches all\n',
      });
      project.git('-C', 'clone', 'fetch', '-q', '--unshallow');
      expect(await since('origin/main')).toMatchObject({ status: 0 });
    });

    it('rejects a revision of another history', async () => {
      project.git('checkout', '-q', '--orphan', 'other');
      project.git('commit', '-q', '-m', 'other');
      project.git('checkout', '-q', 'feature');
      expect((await outcome('other')).err).toBe(
        'stubwright: BASE: got other, expected a revision with a common ancestor of HEAD; --exact compares with other itself\n',
      );
      expect(await outcome('other', '--exact')).toMatchObject({ status: 0 });
    });
  });

  // V8 tests none of these in less than years.
  it.each([
    [
      'a word boundary behind nested repetitions',
      String.raw`^([a-z0-9]+)*\B$`,
      String.raw`^([a-z0-9]+)*\B:$`,
    ],
    ['overlapping alternatives', '^(a|a)*$', '^(a|a)*b$'],
    ['nested repetitions', '^((a+)+)+$', '^((a+)+)+!$'],
  ])('decides patterns without backtracking: %s', async (_, was, is) => {
    const withPattern = (pattern: string) => `openapi: 3.1.0
info: { title: t, version: 1.0.0 }
paths: { /a: { post: { requestBody: { content: { application/json: { schema: { type: object, patternProperties: { '${pattern}': { type: integer } }, properties: { a: { type: string, pattern: '${pattern}' } } } } } }, responses: { '204': { description: d } } } } }
`;
    project.write('was.yaml', withPattern(was));
    project.write('is.yaml', withPattern(is));
    const { status, out } = await run('diff', 'was.yaml', 'is.yaml');
    expect(out).toContain(is);
    expect(status).toBe(1);
  });

  describe('in a repository', () => {
    const repository = createRepository();
    const contract = repository.read('openapi.yaml');
    const hash = repository.git('rev-parse', 'HEAD');
    afterAll(() => repository.remove());

    it('compares openapi.yaml with the base of stubwright.yaml, unless a base is given', async () => {
      repository.write('test/old.yaml', contract);
      const sinceOf = async (...args: string[]) =>
        /openapi\.yaml since (\S+): /.exec((await repository.run('diff', ...args)).out)?.[1];
      expect(await sinceOf()).toBe(RELEASED);
      for (const [base, since] of [
        ['test/old.yaml', 'test/old.yaml'],
        ["'1.0.0'", RELEASED],
        ['HEAD', 'HEAD:openapi.yaml'],
      ] as const) {
        repository.write('stubwright.yaml', `base: ${base}\n`);
        expect(await sinceOf()).toBe(since);
        expect(await sinceOf('latest')).toBe(RELEASED);
      }
      repository.write('stubwright.yaml', 'base: 1.0\n');
      expect((await repository.run('diff')).err).toContain(
        'stubwright.yaml:1:1  got another value  expected a release, a git revision or a path, as a string',
      );
      repository.write('stubwright.yaml', '');
    });

    it('reads a revision with the name of a folder', async () => {
      repository.git('branch', 'main2');
      repository.write('main2/notes.md', '');
      expect(await repository.run('diff', 'main2')).toMatchObject({
        status: 0,
        out: expect.stringMatching(/: 0 breaking, /),
      });
    });

    it('reads a file with the name of a tag that is no revision', async () => {
      repository.git('tag', 'tagged.yaml', 'HEAD:openapi.yaml');
      repository.write('tagged.yaml', contract);
      expect(await repository.run('diff', 'tagged.yaml')).toMatchObject({ status: 0, err: '' });
    });

    it.each([
      ['a branch', 'origin/main', 'origin/main', './origin/main'],
      ['a commit', hash, hash, `./${hash}`],
      ['a path in a revision', 'HEAD:openapi.yaml', 'HEAD:openapi.yaml', './HEAD:openapi.yaml'],
      ['a tag, as a release', '9.0.0', 'test/released/9.0.0.yaml', 'test/released/9.0.0.yaml'],
    ])('rejects an argument that is a file and a revision: %s', async (_, given, file, path) => {
      repository.git('branch', '--force', 'origin/main');
      repository.git('tag', '--force', '9.0.0');
      // A pull request adds its own contract under the name of the base, with a breaking change.
      const breaking = contract.replace('required: [name]', 'required: [name, tag]');
      repository.write('openapi.yaml', breaking);
      repository.write(file, breaking);
      for (const [variable, command, ...args] of [
        ['BASE', 'diff', given],
        ['CONTRACT', 'diff', '1.0.0', given],
        ['FROM', 'changelog', '--from', given],
      ] as const) {
        expect(await repository.run(command, ...args)).toEqual({
          ...{ status: 2, out: '' },
          err: `stubwright: ${variable}: got ${given}, which is a file and a git revision, expected ${path} or ${hash}\n`,
        });
      }
      // The names without the other meaning.
      expect((await repository.run('diff', path)).status).toBe(0);
      if (given !== hash) expect((await repository.run('diff', hash)).status).toBe(1);
      rmSync(join(repository.path, file));
    });
  });

  it.each([
    ['BASE', 'diff', 'nowhere'],
    ['FROM', 'changelog', '--from', '0.9.0'],
  ])('lists the releases for a %s that is neither a path nor a revision', async (...row) => {
    const [variable, command, ...args] = row as [string, string, ...string[]];
    expect(await run(command, ...args)).toMatchObject({
      status: 2,
      err: `stubwright: ${variable}: got ${args.at(-1)}, expected a release (1.0.0), the path of a contract, a git revision or REVISION:path\n`,
    });
  });
});

describe('make check', () => {
  it('passes when the major version of info.version increases', async () => {
    expect(await run('diff', '--check', RELEASED, NEXT)).toEqual({ status: 0, out: '', err: '' });
  });

  it('fails on a risky change with --fail-on risky', async () => {
    const args = ['diff', '--check', '--fail-on', 'risky', RELEASED, RISKY] as const;
    const { status, out, err } = await run(...args);
    expect(out).toContain('(tags-changed)');
    expect(err).toMatch(
      /\n1 risky change since 1\.0\.0: expected none, or info\.version 2\.0\.0\n$/,
    );
    expect(status).toBe(1);
    expect((await run('diff', '--check', RELEASED, RISKY)).status).toBe(0);
  });

  it('warns of a contract that differs from the release of its version', async () => {
    const { status, err } = await run('diff', '--check', RELEASED, RISKY);
    expect(err).toBe(
      'warning: the contract has changed since 1.0.0 was released, expected another info.version\n',
    );
    expect(status).toBe(0);
    project.write('documented.yaml', project.read(RELEASED).replace('store of toys', 'toy shop'));
    expect((await run('diff', '--check', RELEASED, 'documented.yaml')).err).toBe('');
  });

  it('applies the severities and accepted changes of compatibility.yaml', async () => {
    project.write('policy.yaml', POLICY);
    const args = ['diff', '--policy', 'policy.yaml', '--fail-on', 'breaking', RELEASED, BROKEN];
    const { status, out, err } = await run(args[0]!, ...args.slice(1));
    expect(out).toContain('risky       the whole contract\n            description changed');
    expect(out).toMatch(/: 0 breaking, 1 risky, 1 compatible, 1 ignored by policy\.yaml\n$/);
    expect(err).not.toContain('policy.yaml');
    expect(status).toBe(0);
  });

  it('lists all errors of a policy', async () => {
    project.write('wrong.yaml', 'severities: { nope: bad }\nother: 1\n');
    const { status, err } = await run('diff', '--policy', 'wrong.yaml', RELEASED, BROKEN);
    expect(err.split('\n')).toEqual([
      'stubwright: wrong.yaml:2:8  got "other"  expected severities, ignore, versions, minimum-notice-days, traffic or served',
      'stubwright: wrong.yaml:1:21  got "nope"  expected a rule of docs/stubwright/diff-rules.md',
      'stubwright: wrong.yaml:1:21  got "bad"  expected breaking, risky, compatible',
      '',
    ]);
    expect(status).toBe(2);
  });
});

describe('without a release', () => {
  const LINE = 'test/released/ holds no release of openapi.yaml, nothing to compare\n';

  it.each([
    ['an empty folder', ['test/released/.gitkeep']],
    ['no folder', []],
  ])('the commands that compare print one line and succeed: %s', async (_, files) => {
    using empty = createEmptyProject(files);
    const html = await empty.run('changelog', '--format', 'html');
    expect(html).toEqual({ status: 2, out: '', err: `stubwright: ${LINE}` });
    for (const [command, ...args] of [['diff'], ['diff', '--check'], ['changelog']] as const) {
      expect(await empty.run(command, ...args)).toEqual({ status: 0, out: LINE, err: '' });
    }
  });

  it('the checks of a contract pass', async () => {
    using empty = createEmptyProject();
    expect((await empty.run('generate')).status).toBe(0);
    for (const [command, ...args] of [
      ['generate', '--check'],
      ['check'],
      ['diff', '--check'],
    ] as const) {
      expect(await empty.run(command, ...args)).toMatchObject({ status: 0, err: '' });
    }
  });
});

describe('stubwright changelog', () => {
  it('takes TO without FROM, and shows the summary of an added operation', async () => {
    const text = project.read(RELEASED).replace('version: 1.0.0', 'version: 1.1.0');
    project.write('test/released/1.1.0.yaml', text.replace('paths:\n', `paths:\n${HEALTH}`));
    try {
      const { out } = await run('changelog', '--to', '1.1.0');
      expect(out).toMatch(/^# Toy store: 1\.0\.0 → 1\.1\.0\n/);
      expect(out).toContain('- the operation was added: Report the health. Clients may call it.');
    } finally {
      rmSync(join(project.path, 'test/released/1.1.0.yaml'));
    }
  });

  it('compares the newest release with the one before it, never with itself', async () => {
    project.write('openapi.yaml', project.read(RELEASED));
    expect((await run('changelog')).out).toBe(
      'openapi.yaml is the first release, nothing to compare\n',
    );
    const text = project.read(RELEASED).replace('version: 1.0.0', 'version: 1.1.0');
    for (const file of ['test/released/1.1.0.yaml', 'openapi.yaml']) project.write(file, text);
    try {
      expect((await run('changelog')).out).toMatch(/^# Toy store: 1\.0\.0 → 1\.1\.0\n/);
      const { status, err } = await run('changelog', '--from', '1.0.0', '--to', '1.0.0');
      expect(err).toBe('stubwright: FROM and TO: got 1.0.0 twice, expected two contracts\n');
      expect(status).toBe(2);
    } finally {
      rmSync(join(project.path, 'test/released/1.1.0.yaml'));
      project.write('openapi.yaml', project.read(RELEASED));
    }
  });

  it('writes one page with --format html', async () => {
    const page = await run('changelog', '--from', '1.0.0', '--to', BROKEN, '--format', 'html');
    expect(page.status).toBe(0);
    expect(page.out).toMatch(/^<!doctype html>\n/);
    expect(page.out).toContain('<h3 class="breaking">Breaking changes</h3>');
    expect(page.out).toContain('<figcaption>1.0.0 (before)</figcaption>');
  });

  it('writes unreleased changes', async () => {
    project.write('openapi.yaml', project.read(RISKY));
    expect((await run('changelog')).out).toMatch(/^# Toy store: 1\.0\.0 → unreleased\n/);
  });
});

const HEALTH = `  /health:
    get:
      operationId: getHealth
      summary: Report the health.
      responses: { '204': { description: well } }
`;
