// The dependencies of each package are those that its sources use.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

interface Manifest {
  readonly exports?: Record<string, string>;
  readonly name: string;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly peerDependenciesMeta?: unknown;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));

const PACKAGES = [
  ...['.', 'packages/stubwright', 'packages/cli', 'packages/client', 'packages/contract'],
  ...['packages/service', 'packages/mock', 'packages/webhooks', 'packages/diff'],
  ...['packages/traffic', 'packages/store', 'packages/versions', 'packages/tools', 'packages/lsp'],
] as const;
const manifests = PACKAGES.map(manifestOf);
const every = new Set(
  manifests.flatMap((each) => [
    ...Object.keys({ ...each.dependencies, ...each.devDependencies, ...each.peerDependencies }),
  ]),
);

/** @returns the packages whose names stand in the sources, in quotes */
function usedBy(folder: string): string[] {
  const names = readdirSync(`${folder}/src`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(`${folder}/src/${file}`, 'utf8').matchAll(
        /'((?:@[\w-]+\/)?[a-z][\w-]*)(?:\/[^']*)?'/g,
      ),
    ])
    .map(([, name]) => name!);
  const own = manifestOf(folder).name;
  return [...new Set(names)]
    .filter((name) => every.has(name) && name !== 'node' && name !== own)
    .sort();
}

const sorted = (...sets: (Record<string, string> | undefined)[]) =>
  sets.flatMap((each) => Object.keys(each ?? {})).sort();

describe('the dependencies', () => {
  const [
    root,
    stubwright,
    cli,
    client,
    contract,
    service,
    mock,
    webhooks,
    diff,
    traffic,
    store,
    versions,
    ,
    lsp,
  ] = manifests as [
    ...[Manifest, Manifest, Manifest, Manifest, Manifest, Manifest, Manifest],
    ...[Manifest, Manifest, Manifest, Manifest, Manifest, Manifest, Manifest],
  ];

  it('of the plant store are stubwright and its service with their peers, and the driver of PostgreSQL', () => {
    expect(usedBy('.')).toEqual(['@stubwright/service', '@stubwright/store', 'stubwright']);
    expect(sorted(root.dependencies)).toEqual(
      [
        ...new Set([
          ...usedBy('.'),
          ...sorted(stubwright.peerDependencies, store.peerDependencies),
        ]),
      ].sort(),
    );
  });

  it.each([
    ['packages/contract', contract],
    ['packages/mock', mock],
    ['packages/webhooks', webhooks],
    ['packages/service', service],
    ['packages/diff', diff],
    ['packages/traffic', traffic],
    ['packages/store', store],
    ['packages/versions', versions],
    ['packages/lsp', lsp],
  ])('of %s are its imports', (folder, { dependencies, peerDependencies }) => {
    // Loaded from the project that installs them; koa-bodyparser is loaded by stubwright.
    const ofOthers = folder === 'packages/service' ? ['koa-bodyparser'] : [];
    // `'stubwright'` is a key of bundles, and the user agent of webhooks.
    const isBelow = !['service', 'store', 'diff', 'versions'].includes(
      folder.slice('packages/'.length),
    );
    const isAbove = folder === 'packages/diff' || folder === 'packages/lsp';
    const ofProject = isAbove ? [] : ['@stubwright/cli'];
    const development = ['pino-pretty', ...ofProject, ...(isBelow ? ['stubwright'] : [])];
    const used = usedBy(folder).filter((name) => !development.includes(name));
    expect([...used, ...ofOthers].sort()).toEqual(sorted(dependencies, peerDependencies));
  });

  it('of a library on Koa include nothing of a service', () => {
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
    const installed = new Set(Object.keys({ ...stubwright.dependencies }));
    for (const name of installed) {
      const own = manifests.find((each) => each.name === name);
      const { dependencies } = own ?? lock[`node_modules/${name}`];
      for (const each of Object.keys(dependencies ?? {})) installed.add(each);
    }
    const ofService = Object.keys(service.dependencies ?? {}).filter(
      (each) => each !== contract.name && each !== mock.name,
    );
    expect(ofService).toEqual(expect.arrayContaining(['jose', 'pino', 'prom-client']));
    expect(ofService.filter((name) => installed.has(name))).toEqual([]);
  });

  it('of @stubwright/client are none', () => {
    expect(usedBy('packages/client')).toEqual([]);
    expect(sorted(client.dependencies, client.peerDependencies)).toEqual([]);
  });

  it('of stubwright are its imports', () => {
    // Resolved from the project that installs them.
    const development = ['@stubwright/cli'];
    expect(usedBy('packages/stubwright')).toEqual(
      [...sorted(stubwright.dependencies, stubwright.peerDependencies), ...development].sort(),
    );
  });

  it('of stubwright on Koa are optional for Node, fetch and tools', () => {
    const { exports = {}, peerDependenciesMeta } = stubwright;
    const withKoa = new Set(['./koa', './koa-internals', './service', './package.json']);
    const entries = Object.keys(exports).filter((path) => !withKoa.has(path));
    const script = `
      import { registerHooks } from 'node:module';
      registerHooks({
        resolve(specifier, context, next) {
          if (/^koa/.test(specifier)) throw new Error(context.parentURL + ' imports ' + specifier);
          return next(specifier, context);
        },
      });
      for (const path of ${JSON.stringify(entries)}) await import('stubwright' + path.slice(1));`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const optional = { optional: true };
    expect(peerDependenciesMeta).toEqual({
      '@stubwright/service': optional,
      koa: optional,
      'koa-bodyparser': optional,
    });
  });

  it('of @stubwright/cli are those that its commands use', () => {
    // `init` and `client` write their names into the projects that use them.
    const ofProjects = new Set([
      ...['@jest/globals', '@stubwright/client', '@stubwright/store', 'jest', 'msw', 'ts-jest'],
    ]);
    const used = usedBy('packages/cli').filter((name) => !ofProjects.has(name));
    // The built package has its development dependencies as dependencies.
    expect(used).toEqual(sorted(cli.dependencies, cli.devDependencies, cli.peerDependencies));
    const { stubwright: _, ...optional } = cli.peerDependencies ?? {};
    expect(Object.keys(cli.peerDependenciesMeta ?? {})).toEqual(Object.keys(optional));
  });

  it.each(manifests)(
    'of $name accept every version of the workspace, which npm version sets',
    (each) => {
      const all = { ...each.dependencies, ...each.devDependencies, ...each.peerDependencies };
      const own = Object.entries(all).filter(([name]) =>
        /^(?:@stubwright\/|stubwright$)/.test(name),
      );
      expect(own.filter(([, range]) => range !== '*')).toEqual([]);
    },
  );

  it.each(manifests)(
    'of $name on another package are on its public entries',
    ({ exports = {} }) => {
      expect(Object.keys(exports).filter((path) => path.includes('*'))).toEqual([]);
    },
  );

  it('of a production installation include no development dependencies', () => {
    const lock: Record<string, { dev?: boolean }> = JSON.parse(
      readFileSync('package-lock.json', 'utf8'),
    ).packages;
    const unwanted = ['@biomejs/biome', 'openapi-typescript', 'pino-pretty', 'typescript', 'yaml'];
    expect(unwanted.filter((name) => lock[`node_modules/${name}`]?.dev !== true)).toEqual([]);
  });
});
