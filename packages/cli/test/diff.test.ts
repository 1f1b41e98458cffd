// `stubwright diff` and `changelog`, in a temporary project.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommand } from './support/command.ts';
import { createEmptyProject, createToyProject, type ToyProject } from './support/toyProject.ts';

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
/** Of `required: [name]`. */
let line: number;

beforeAll(() => {
  project = createToyProject();
  const text = project.read(RELEASED);
  line = text.slice(0, text.indexOf('required: [name]')).split('\n').length;
  const changed = text
    .replace('required: [name]', 'required: [name, tag]')
    .replace('A store of toys', 'A shop of toys');
  project.write(BROKEN, changed);
  project.write(RISKY, text.replace('tags: [toys]', 'tags: [games]'));
  project.write(NEXT, changed.replace('version: 1.0.0', 'version: 2.0.0'));
});
afterAll(() => project.remove());

function run(command: string, ...args: string[]) {
  return project.run(command, ...args);
}

describe('stubwright diff', () => {
  it('reports the effect and both locations of each change', async () => {
    const { status, out } = await run('diff', RELEASED, BROKEN);
    expect(out).toContain(`breaking    POST /toys  request body
            tag became required: Clients that send an object without tag are refused. (request-property-became-required)
            example: {"name":"Teddy bear","id":1} is refused: /tag is required
            ${RELEASED}:${line}:7 -> `);
    expect(out).toContain(`${BROKEN}:${line}:7\n`);
    expect(out).toMatch(/: 1 breaking, 0 risky, 1 compatible, 1 of documentation \(--all\)\n$/);
    expect(status).toBe(1);
    const all = await run('diff', '--all', RELEASED, BROKEN);
    expect(all.out).toContain('description changed: Only the documentation changes.');
    expect(all.out).toMatch(/: 1 breaking, 0 risky, 2 compatible\n$/);
    expect(await run('diff', '--fail-on', 'none', RELEASED, BROKEN)).toMatchObject({
      status: 0,
      out,
    });
  });

  it('suggests the version that the changes need', async () => {
    const suggested = async (...args: string[]) => {
      const { out, err, status } = await run('diff', '--suggest-version', ...args);
      return [out, err, status];
    };
    const text = project.read(RELEASED);
    project.write('described.yaml', text.replace('A store of toys', 'A shop of toys'));
    project.write('later.yaml', text.replace('version: 1.0.0', 'version: 1.0.1'));
    project.write('dated.yaml', text.replace('version: 1.0.0', 'version: 2025-01-31'));
    for (const [contract, expected] of [
      [BROKEN, 'major 2.0.0'],
      [NEXT, 'major 2.0.0'],
      [RISKY, 'minor 1.1.0'],
      ['described.yaml', 'patch 1.0.1'],
      ['later.yaml', 'none 1.0.0'],
      [RELEASED, 'none 1.0.0'],
    ] as const) {
      expect(await suggested(RELEASED, contract)).toEqual([`${expected}\n`, '', 0]);
    }
    expect(await suggested('--fail-on', 'risky', RELEASED, RISKY)).toEqual([
      'major 2.0.0\n',
      '',
      0,
    ]);
    const [, err, status] = await suggested('dated.yaml', BROKEN);
    expect([err, status]).toEqual([
      'stubwright: info.version: got "2025-01-31", expected a semantic version: 1.2.0\n',
      2,
    ]);
  });

  it('compares an older contract with errors but for the operations that have them', async () => {
    const paths = (operation: string) => `openapi: 3.1.0
info: {title: t, version: '1.0.0'}
servers: [{url: https://a.example}]
paths:
  /a: {get: {operationId: a, responses: {'200': {${operation}description: ok}}}}
  /b: {get: {operationId: b, responses: {'200': {description: ok}}}}
  /c: {get: {operationId: c, responses: {'200': {description: ok}}}}
`;
    project.write('old.yaml', paths("content: {application/json: {schema: {$ref: '#/none'}}}, "));
    project.write('new.yaml', paths('').replace('/b: {get:', '/b: {put:'));
    const { status, out, err } = await run('diff', 'old.yaml', 'new.yaml');
    expect(err).toMatch(
      /^warning: not compared, for an error: old\.yaml:5:\d+ {2}\$ref cannot be resolved: #\/none/,
    );
    expect(out).toContain('GET /b');
    expect(out).toMatch(/^risky {7}GET \/a\n.*\(operation-not-compared\)$/m);
    expect(out).toMatch(/: 1 breaking, 1 risky, 0 compatible\n$/);
    expect(status).toBe(1);
    project.write('without.yaml', paths('').replace(/ {2}\/a: .*\n/, ''));
    const annotated = await run('diff', 'old.yaml', 'new.yaml', '--format', 'github');
    expect(annotated.status).toBe(1);
    expect(annotated.out).toMatch(
      /^::warning file=new\.yaml,line=5,.*title=operation-not-compared::GET \/a/m,
    );
    for (const format of ['text', 'json', 'junit', 'sarif', 'markdown', 'github'] as const) {
      const removed = await run('diff', 'old.yaml', 'without.yaml', '--format', format);
      expect(removed).toMatchObject({ status: 1, out: expect.stringContaining('GET /a') });
    }
  });

  it('compares a newer contract with errors but for the operations that have them', async () => {
    const paths = (responses: string, id: string) => `openapi: 3.1.0
info: {title: t, version: '1.0.0'}
paths:
  /a: {get: {operationId: a${responses}}}
  /b: {get: {operationId: ${id}, responses: {'200': {description: ok}}}}
`;
    const responses = ", responses: {'200': {description: ok}}";
    project.write('old.yaml', paths(responses, 'b'));
    const broken = ", responses: {'200': {$ref: '#/none'}}";
    project.write('new.yaml', paths(broken, 'b'));
    for (const options of [[], ['--check']]) {
      const { status, out, err } = await run('diff', ...options, 'old.yaml', 'new.yaml');
      expect(out).toMatch(/^risky {7}GET \/a\n.*\(operation-not-compared\)$/m);
      expect(err).toContain('warning: not compared, for an error: new.yaml:4:');
      expect(err).toContain('GET /a: not compared, expected a contract without errors\n');
      expect(status).toBe(1);
    }
    expect((await run('diff', '--fail-on', 'none', 'old.yaml', 'new.yaml')).status).toBe(0);
    project.write('new.yaml', paths(broken, 'c'));
    const { out } = await run('diff', '--check', 'old.yaml', 'new.yaml');
    expect(out).toMatch(/^breaking {4}GET \/b\n.*\(operation-id-changed\)$/m);
    expect(out).toContain('(operation-not-compared)');
    project.write('new.yaml', `${paths(responses, 'b')}  /c: {get: {operationId: c${broken}}}\n`);
    const added = await run('diff', '--check', 'old.yaml', 'new.yaml');
    expect(added.out).toMatch(/^risky {7}GET \/c\n.*\(operation-not-compared\)$/m);
    expect(added.status).toBe(1);
  });

  it('checks the whole of two contracts only if a part that differs has an error', async () => {
    const paths = (id: string, response: string) => `openapi: 3.1.0
info: {title: t, version: '1.0.0'}
paths:
  /equal: {get: {operationId: a, responses: {'200': {$ref: '#/components/responses/None'}}}}
  /valid: {get: {operationId: v, responses: {'200': {description: ok}}}}
  /differs: {get: {operationId: ${id}, responses: {'200': ${response}}}}
`;
    project.write('old.yaml', paths('b', '{description: ok}'));
    project.write('new.yaml', paths('c', '{description: ok}'));
    expect(await run('diff', 'old.yaml', 'new.yaml')).toMatchObject({
      status: 1,
      out: expect.stringContaining(': 1 breaking, 0 risky, 0 compatible\n'),
    });
    project.write('new.yaml', paths('c', "{$ref: '#/components/responses/Other'}"));
    const { status, out, err } = await run('diff', 'old.yaml', 'new.yaml');
    expect(out).toMatch(/^risky {7}GET \/differs\n.*\(operation-not-compared\)$/m);
    expect(out).not.toContain('/equal');
    expect(err).toContain('responses/None');
    expect(status).toBe(1);
  });

  it('names a shallow clone as the reason for a missing revision', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd: project.path,
        stdio: 'pipe',
      });
    project.write('origin/openapi.yaml', project.read(RELEASED));
    git('init', '-q', 'origin');
    git('-C', 'origin', 'add', '.');
    for (const message of ['one', 'two']) {
      git('-C', 'origin', 'commit', '-q', '--allow-empty', '-m', message);
    }
    git('clone', '-q', '--depth', '1', `file://${project.path}/origin`, 'clone');
    const before = (folder: string) =>
      runCommand(['diff', 'HEAD~1'], { cwd: join(project.path, folder) });
    expect((await before('clone')).err).toBe(
      'stubwright: BASE: got HEAD~1, expected a revision that this shallow clone has: git fetch --unshallow fetches all\n',
    );
    expect((await before('origin')).status).toBe(0);
  });

  describe('after the base branch has moved on', () => {
    const project = createEmptyProject([]);
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
    const git = (...args: string[]) =>
      `${execFileSync('git', [...identity, ...args], { cwd: project.path, stdio: 'pipe' })}`.trim();
    const withPaths = (...paths: string[]) =>
      `openapi: 3.0.3\ninfo: { title: t, version: 1.0.0 }\npaths:\n${paths.map((path) => `  ${path}: { get: { responses: { 200: { description: d } } } }\n`).join('')}`;
    const commit = (message: string, ...paths: string[]) => {
      project.write('openapi.yaml', withPaths(...paths));
      git('add', '.');
      git('commit', '-q', '-m', message);
    };
    const outcome = async (...args: string[]) => {
      const { status, out, err } = await project.run('diff', ...args);
      return { status, counts: /: (\d+ breaking, \d+ risky, \d+ compatible)/.exec(out)?.[1], err };
    };
    /** The feature adds /b; main has added /new since. */
    beforeAll(() => {
      git('init', '-q', '-b', 'main');
      commit('base', '/a');
      git('checkout', '-q', '-b', 'feature');
      commit('feature', '/a', '/b');
      git('checkout', '-q', 'main');
      commit('main', '/a', '/new');
      git('checkout', '-q', 'feature');
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
      const base = git('rev-parse', '--short', git('merge-base', 'main', 'HEAD'));
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
      git('checkout', '-q', '--detach', 'feature');
      expect(await outcome('main')).toMatchObject(ADDED);
      git('merge', '-q', '-s', 'ours', '-m', 'merge', 'main');
      project.write('openapi.yaml', withPaths('/a', '/b', '/new'));
      git('commit', '-q', '-a', '-m', 'both');
      // The merge base with a merged branch is its tip.
      expect(await outcome('main')).toMatchObject({ ...ADDED, err: '' });
      git('checkout', '-q', 'feature');
    });

    it('says how to fetch the merge base in a clone of depth 1', async () => {
      git(
        'clone',
        '-q',
        '--depth',
        '1',
        '--no-single-branch',
        '--branch',
        'feature',
        `file://${project.path}`,
        'clone',
      );
      const { status, err } = await runCommand(['diff', 'origin/main'], {
        cwd: join(project.path, 'clone'),
      });
      expect({ status, err }).toEqual({
        status: 2,
        err: 'stubwright: BASE: got origin/main, expected a merge base with HEAD, which this shallow clone lacks: git fetch --unshallow fetches all, --exact compares with origin/main itself\n',
      });
      git('-C', 'clone', 'fetch', '-q', '--unshallow');
      expect(
        await runCommand(['diff', 'origin/main'], { cwd: join(project.path, 'clone') }),
      ).toMatchObject({ status: 0 });
    });

    it('rejects a revision of another history', async () => {
      git('checkout', '-q', '--orphan', 'other');
      git('commit', '-q', '-m', 'other');
      git('checkout', '-q', 'feature');
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

  it('compares openapi.yaml with the newest release', async () => {
    const { status, out } = await run('diff');
    expect(out).toMatch(/openapi\.yaml since test\/released\/[\d.]+\.yaml: \d+ breaking, /);
    expect(status).toBe(0);
  });

  it('compares openapi.yaml with the base of stubwright.yaml, unless a base is given', async () => {
    const project = createToyProject();
    try {
      project.write('test/old.yaml', project.read(RELEASED));
      const sinceOf = async (...args: string[]) =>
        /openapi\.yaml since (\S+): /.exec((await project.run('diff', ...args)).out)?.[1];
      for (const [base, since] of [
        ['test/old.yaml', 'test/old.yaml'],
        ["'1.0.0'", RELEASED],
        ['HEAD', 'HEAD:openapi.yaml'],
      ] as const) {
        project.write('stubwright.yaml', `base: ${base}\n`);
        expect(await sinceOf()).toBe(since);
        expect(await sinceOf('latest')).toMatch(/^test\/released\//);
      }
      project.write('stubwright.yaml', 'base: 1.0\n');
      expect((await project.run('diff')).err).toContain(
        'stubwright.yaml:1:1  got another value  expected a release, a git revision or a path, as a string',
      );
    } finally {
      project.remove();
    }
  });

  it('accepts a git revision', async () => {
    expect((await run('diff', 'HEAD')).out).toMatch(
      /openapi\.yaml since HEAD:openapi\.yaml: \d+ breaking/,
    );
  });

  it.each([
    ['a branch', 'origin/main', 'origin/main', './origin/main'],
    ['a commit', 'HASH', 'HASH', './HASH'],
    ['a path in a revision', 'HEAD:openapi.yaml', 'HEAD:openapi.yaml', './HEAD:openapi.yaml'],
    ['a tag, as a release', '9.0.0', 'test/released/9.0.0.yaml', 'test/released/9.0.0.yaml'],
  ])('rejects an argument that is a file and a revision: %s', async (_, given, file, path) => {
    const project = createToyProject();
    try {
      const git = (...args: string[]) =>
        `${execFileSync('git', args, { cwd: project.path })}`.trim();
      git('branch', 'origin/main');
      git('tag', '9.0.0');
      const hash = git('rev-parse', 'HEAD');
      const named = (text: string) => text.replace('HASH', hash);
      // A pull request adds its own contract under the name of the base, with a breaking change.
      const contract = project.read('openapi.yaml');
      const breaking = contract.replace('required: [name]', 'required: [name, tag]');
      project.write('openapi.yaml', breaking);
      project.write(named(file), breaking);
      for (const args of [
        ['diff', named(given)],
        ['changelog', '--from', named(given)],
      ]) {
        const { status, out, err } = await project.run(args[0]!, ...args.slice(1));
        expect({ status, out }).toEqual({ status: 2, out: '' });
        const variable = args[0] === 'diff' ? 'BASE' : 'FROM';
        expect(err).toBe(
          `stubwright: ${variable}: got ${named(given)}, which is a file and a git revision, expected ${named(path)} or ${hash}\n`,
        );
      }
      // The names without the other meaning.
      expect((await project.run('diff', named(path))).status).toBe(0);
      if (given !== 'HASH') expect((await project.run('diff', hash)).status).toBe(1);
    } finally {
      project.remove();
    }
  });

  it('reads a revision with the name of a folder', async () => {
    const project = createToyProject();
    try {
      execFileSync('git', ['branch', 'main2'], { cwd: project.path });
      project.write('main2/notes.md', '');
      const { status, out } = await project.run('diff', 'main2');
      expect(out).toMatch(/: 0 breaking, /);
      expect(status).toBe(0);
    } finally {
      project.remove();
    }
  });

  it('rejects a BASE that is neither a path nor a revision', async () => {
    const { status, err } = await run('diff', 'nowhere');
    expect(err).toBe(
      'stubwright: BASE: got nowhere, expected a release (1.0.0), the path of a contract, a git revision or REVISION:path\n',
    );
    expect(status).toBe(2);
  });
});

describe('make check', () => {
  it('fails on a breaking change', async () => {
    const { status, out, err } = await run('diff', '--check', RELEASED, BROKEN);
    expect(out).toContain('tag became required');
    expect(out).not.toContain('compatible');
    expect(err).toMatch(
      /\n1 breaking change since 1\.0\.0: expected none, or info\.version 2\.0\.0\n$/,
    );
    expect(status).toBe(1);
  });

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

  it('rejects another severity', async () => {
    expect((await run('diff', '--fail-on', 'compatible')).err).toBe(
      "stubwright: option '--fail-on <severity>' argument 'compatible' is invalid. Allowed choices are breaking, risky, used, none.\n",
    );
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

  it('describes the rules of SARIF, and writes Markdown', async () => {
    const sarif = await run('diff', RELEASED, BROKEN, '--format', 'sarif');
    const { rules } = JSON.parse(sarif.out).runs[0].tool.driver;
    for (const { id, shortDescription, helpUri } of rules) {
      expect(shortDescription.text).toMatch(new RegExp(`^${id.replaceAll('-', ' ')}\\.$`, 'i'));
      expect(new URL(helpUri).protocol).toBe('https:');
    }
    const markdown = await run('diff', RELEASED, BROKEN, '--format', 'markdown');
    expect(markdown.out).toContain('| request-property-became-required | 1 | 0 | 0 |');
    expect(markdown.out).toContain(
      '### breaking\n\n- POST /toys  request body: tag became required.',
    );
  });

  it('passes without a breaking change', async () => {
    expect(await run('diff', '--check', RELEASED, RELEASED)).toEqual({
      status: 0,
      out: '',
      err: '',
    });
  });
});

describe('without a release', () => {
  const LINE = 'test/released/ holds no release of openapi.yaml, nothing to compare\n';

  it.each([
    ['an empty folder', ['test/released/.gitkeep']],
    ['no folder', []],
  ])('the commands that compare print one line and succeed: %s', async (_, files) => {
    const empty = createEmptyProject(files);
    try {
      const html = await empty.run('changelog', '--format', 'html');
      expect(html).toEqual({ status: 2, out: '', err: `stubwright: ${LINE}` });
      for (const args of [['diff'], ['diff', '--check'], ['changelog']]) {
        expect(await empty.run(args[0]!, ...args.slice(1))).toEqual({
          status: 0,
          out: LINE,
          err: '',
        });
      }
    } finally {
      empty.remove();
    }
  });

  it('the checks of a contract pass', async () => {
    const empty = createEmptyProject([]);
    try {
      expect((await empty.run('generate')).status).toBe(0);
      for (const command of ['generate', 'check', 'diff']) {
        const args = command === 'check' ? [] : ['--check'];
        expect(await empty.run(command, ...args)).toMatchObject({ status: 0, err: '' });
      }
    } finally {
      empty.remove();
    }
  });
});

describe('stubwright changelog', () => {
  it('writes the difference between two contracts as Markdown', async () => {
    expect(
      (await run('changelog', '--from', '1.0.0', '--to', NEXT)).out,
    ).toBe(`# Toy store: 1.0.0 → 2.0.0

1 breaking, 0 risky, 3 compatible.

## Breaking changes

Clients must change before they use this version.

### \`POST /toys\`

- **request body**: tag became required. Clients that send an object without tag are refused.

## New and compatible

Clients need not change.

### The whole contract

- info.version "1.0.0" became "2.0.0". Clients that read the version get the new one.

### \`POST /toys\`

- **response 200**: tag became required. Clients no longer receive an object without tag.

### \`GET /toys/{id}\`

- **response 200**: tag became required. Clients no longer receive an object without tag.

## Documentation

- the whole contract: description
`);
  });

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

  it('lists the releases for an unknown name', async () => {
    const { status, err } = await run('changelog', '--from', '0.9.0');
    expect(err).toBe(
      'stubwright: FROM: got 0.9.0, expected a release (1.0.0), the path of a contract, a git revision or REVISION:path\n',
    );
    expect(status).toBe(2);
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
