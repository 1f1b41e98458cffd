// What the packages ship, as their tools see it, and what a release of them needs.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { parse } from 'yaml';
import { runCommand } from '../../packages/cli/test/support/command.ts';
import { PACKAGES } from '../../packages/tools/src/pack/manifest.ts';

const BUILT = process.env['BUILT_PACKAGES']!;
const TOOLS = resolve('test/publishing/node_modules/.bin');
const folder = temporaryFolder();
afterAll(() => folder.remove());

const spawned = (cwd: string, command: string, ...args: string[]) =>
  spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });
const read = (path: string) => readFileSync(path, 'utf8');

describe.each(PACKAGES)('the package in packages/%s', (name) => {
  const built = join(BUILT, name);
  const manifest = JSON.parse(read(join(built, 'package.json')));

  it('ships its documents, and nothing that only a build needs', () => {
    const [{ files }] = JSON.parse(
      execFileSync('npm', ['pack', '--dry-run', '--json', '--loglevel=error'], {
        cwd: built,
        encoding: 'utf8',
      }),
    );
    const paths: string[] = files.map(({ path }: { path: string }) => path);
    const documents = paths.filter((path) => !/^(?:dist|templates)\//.test(path));
    expect(documents.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    expect(
      paths.filter((path) => /(?<!\.d)\.ts$|\.test\./.test(path) && /^dist/.test(path)),
    ).toEqual([]);
  });

  it('has a public manifest with the addresses of package.json', () => {
    const { repository, homepage, bugs } = JSON.parse(read('package.json'));
    expect(manifest).toMatchObject({
      repository: { ...repository, directory: `packages/${name}` },
      homepage,
      bugs,
      license: 'MIT',
      publishConfig: { access: 'public' },
    });
    expect(manifest.keywords).toContain('openapi');
    for (const field of ['private', 'scripts', 'devDependencies']) {
      expect(manifest).not.toHaveProperty(field);
    }
  });

  it('has a README whose links work outside of the repository', () => {
    const links = [...read(join(built, 'README.md')).matchAll(/\]\(([^)\s]+)\)/g)];
    const targets = links.map(([, link]) => link!).filter((link) => !link.startsWith('#'));
    expect(targets.length).toBeGreaterThan(0);
    const files = /^https:\/\/\S+\/stubwright\/blob\/v\d+\.\d+\.\d+\/([^#]+)/;
    const broken = targets.filter((link) => {
      const path = files.exec(link)?.[1];
      return path === undefined
        ? !link.startsWith('https://')
        : spawned('.', 'git', 'ls-files', '--error-unmatch', path).status !== 0;
    });
    expect(broken).toEqual([]);
  });

  it('satisfies publint', () => {
    const { status, stdout } = spawned(built, join(TOOLS, 'publint'), '--strict');
    expect(status === 0 ? '' : stdout).toBe('');
  });

  it('has types for ESM and CommonJS consumers', () => {
    // Node 22.18 can require ES modules.
    const options = ['--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm'];
    const { status, stdout } = spawned(built, join(TOOLS, 'attw'), '--pack', '.', ...options);
    expect(status === 0 ? '' : stdout).toBe('');
  });
});

describe('a generated client', () => {
  const generated = join(folder.path, 'client');

  it.each([
    ['openapi.yaml', 'plant-store'],
    ['docs/stubwright/commands/openapi.yaml', '@acme/toys'],
  ])('of %s satisfies publint, and has types for its consumers', async (contract, name) => {
    const written = await runCommand(['client', contract, generated, '--name', name]);
    expect(written).toMatchObject({ status: 0 });
    const publint = spawned(generated, join(TOOLS, 'publint'), '--strict');
    expect(publint.status === 0 ? '' : publint.stdout).toBe('');
    const options = ['--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm'];
    const attw = spawned(generated, join(TOOLS, 'attw'), '--pack', '.', ...options);
    expect(attw.status === 0 ? '' : attw.stdout).toBe('');
  });
});

describe('a release', () => {
  const copy = join(folder.path, 'repository');
  const check = (...args: string[]) =>
    spawned(copy, process.execPath, 'packages/tools/src/pack/checkRelease.ts', ...args);
  const edit = (path: string, from: string | RegExp, to: string) =>
    writeFileSync(join(copy, path), read(join(copy, path)).replaceAll(from, to));

  it('is refused without the address of the project, and under another tag', () => {
    const shared = ['package.json', 'package-lock.json', '.changeset/config.json'];
    const tools = ['packages/tools/package.json', 'packages/tools/src/pack'];
    const own = PACKAGES.flatMap((name) =>
      ['package.json', 'CHANGELOG.md'].map((file) => `packages/${name}/${file}`),
    );
    for (const path of [...shared, ...tools, ...own]) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      cpSync(path, join(copy, path), { recursive: true });
    }
    edit('package.json', /github\.com\/[^/]+\//g, 'github.com/OWNER/');
    const { status, stderr } = check('v9.0.0');
    expect(status).toBe(1);
    expect(stderr.match(/^package\.json: [\w.]+: got .*OWNER.*, expected the URL/gm)).toHaveLength(
      3,
    );
    expect(stderr).toMatch(/^tag: got v9\.0\.0, expected v\d/m);
    edit('package.json', 'OWNER', 'someone');
    expect(check()).toMatchObject({ status: 0, stderr: '' });
  });

  it('follows from changesets, which make both changelogs and versions', () => {
    const change = '---\n"stubwright": minor\n---\n\nA toy has a name.\n';
    writeFileSync(join(copy, '.changeset/change.md'), change);
    expect(check().stderr).toMatch(/^\.changeset\/change\.md: expected make version/m);
    spawned(copy, 'git', 'init', '--quiet', '--initial-branch=main');
    mkdirSync(join(copy, 'test'));
    symlinkSync(resolve('test/publishing'), join(copy, 'test/publishing'));
    const { status, stdout, stderr } = spawned(copy, join(TOOLS, 'changeset'), 'version');
    expect(status === 0 ? '' : stdout + stderr).toBe('');
    const { version } = JSON.parse(read('packages/stubwright/package.json'));
    const [major, minor] = version.split('.').map(Number);
    const next = `${major}.${minor + 1}.0`;
    expect(check(`v${next}`)).toMatchObject({ status: 0, stderr: '' });
    expect(read(join(copy, 'packages/stubwright/CHANGELOG.md'))).toContain('- A toy has a name.');
  });
});

it('publishes every package of the workspace', () => {
  const { jobs } = parse(read('.github/workflows/release.yml'));
  const step = jobs.npm.steps.find(({ run }: { run?: string }) => run?.includes('npm publish'));
  const bin = join(folder.path, 'bin');
  const log = join(folder.path, 'published');
  mkdirSync(bin);
  // npm knows none of the versions.
  const npm = `#!/bin/sh\n[ "$1" = view ] && exit 1\necho "$1 $PWD" >>${log}\n`;
  writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 });
  const workspace = join(folder.path, 'workspace');
  mkdirSync(join(workspace, 'build'), { recursive: true });
  symlinkSync(BUILT, join(workspace, 'build/packages'));
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env['PATH']}`,
    GITHUB_WORKSPACE: workspace,
  };
  const { status, stderr } = spawnSync('bash', ['-e', '-c', step.run], { env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const published = read(log)
    .trim()
    .split('\n')
    .map((line) => basename(line));
  expect(published.sort()).toEqual([...PACKAGES].sort());
});

it('depends on no package with a known vulnerability', () => {
  const registry = process.env['UPLINK']!;
  const options = ['--omit=dev', '--loglevel=error', `--registry=${registry}`];
  const { status, stdout, stderr } = spawned('.', 'npm', 'audit', ...options);
  if (stderr.includes('audit endpoint returned an error')) {
    process.stderr.write(`SKIPPED: npm audit: ${registry} has no audit endpoint\n`);
  } else expect(status === 0 ? '' : stdout + stderr).toBe('');
});
