// The published packages, in an empty folder with plain npm: a service, its mock, its types and a client, on
// Node 22 and 24.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startProcess } from '@stubwright/test-support/runningProcess';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { expectExactCreates } from './createPlants.ts';
import { install } from './install.ts';

const CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
servers: [{url: /}]
paths:
  /toys/{id}:
    get:
      operationId: getToy
      security: [{bearer: []}]
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer, format: int64}}
      responses:
        '200':
          description: The toy.
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Toy'}
components:
  securitySchemes:
    bearer: {type: http, scheme: bearer}
  schemas:
    Toy:
      type: object
      required: [id, name]
      properties:
        id: {type: integer, format: int64}
        name: {type: string, pattern: '^(\\w+\\s?)+$', examples: [Teddy]}
`;

const HANDLERS = `import type { HandlersOf, RequestOf, ReplyOf } from 'stubwright';
import type { operations } from './generated/contract.ts';

async function getToy(
  { path: { id } }: RequestOf<operations['getToy']>,
): Promise<ReplyOf<operations['getToy']>> {
  return { status: 200, body: { id, name: 'Bear' } };
}

export const handlers: HandlersOf<operations, undefined> = { getToy };
`;

const MAIN = `import { runService } from 'stubwright/service';
import { handlers } from './handlers.ts';

await runService({
  handlers,
  realm: 'toys',
  verifiers: (verify) => ({ bearer: verify }),
});
`;

const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024'],
    module: 'nodenext',
    types: ['node'],
    noEmit: true,
    strict: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
  },
  include: ['*.ts', 'generated'],
};

/** Imports every entry; TypeScript makes `require` of it. */
const COMMONJS = `import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { koaMiddleware } from 'stubwright/koa';
import { requestListener } from 'stubwright/node';
import { runService } from 'stubwright/service';
import { testClient } from 'stubwright/testing';

async function main(): Promise<void> {
  const options = { contract: '../generated/contract.json', mock: 'all' } as const;
  const api = await createApi({ ...options, verifiers: { bearer: () => ({ name: 'any' }) } });
  const headers = { Authorization: 'Bearer any' };
  const request = new Request('http://localhost/toys/1', { headers });
  console.log((await fetchHandler(api)(request)).status);
  const entries = [koaMiddleware, requestListener, runService, testClient];
  console.log(entries.every((each) => each !== undefined));
}
main();
`;

describe('packages without those that a service needs', () => {
  const folder = temporaryFolder();
  beforeAll(() => {
    writeFileSync(join(folder.path, 'package.json'), '{"private":true,"type":"module"}');
    writeFileSync(join(folder.path, 'openapi.yaml'), CONTRACT);
  });
  afterAll(() => folder.remove());

  it('compare contracts without Koa, and name what a mock lacks', () => {
    install(folder.path, ['@stubwright/cli']);
    const run = (...args: string[]) =>
      spawnSync(process.execPath, ['node_modules/.bin/stubwright', ...args], {
        cwd: folder.path,
        encoding: 'utf8',
      });
    expect(existsSync(join(folder.path, 'node_modules/koa'))).toBe(false);
    expect(run('diff', 'openapi.yaml', 'openapi.yaml')).toMatchObject({ status: 0, stderr: '' });
    expect(run('mock', 'openapi.yaml')).toMatchObject({
      status: 2,
      stderr:
        'stubwright: mock starts a service: run npm install --save-dev @stubwright/service koa koa-bodyparser\n',
    });
  });

  it('have declarations that compile as a whole, without types of Node in the project', () => {
    const names = readdirSync(join(folder.path, 'node_modules/@stubwright'));
    const optional = ['stubwright', '@redocly/openapi-core', 'msw', '@tanstack/react-query'];
    const others = ['client', 'service', 'store'].map((name) => `@stubwright/${name}`);
    install(folder.path, [...optional, ...others]);
    const packages = ['stubwright', ...others, ...names.map((name) => `@stubwright/${name}`)];
    const entries = packages.flatMap((name) => {
      const manifest = join(folder.path, 'node_modules', name, 'package.json');
      const { exports } = JSON.parse(readFileSync(manifest, 'utf8'));
      return Object.keys(exports)
        .filter((path) => path !== './package.json')
        .map((path) => name + path.slice(1));
    });
    expect(entries.length).toBeGreaterThan(40);
    const imports = [...new Set(entries)].map(
      (each, at) => `import type * as e${at} from '${each}';`,
    );
    writeFileSync(join(folder.path, 'all.ts'), imports.join('\n'));
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'] },
      ...{ types: [], strict: true, noEmit: true, skipLibCheck: false },
    };
    const config = { compilerOptions, files: ['all.ts'] };
    writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(config));
    const { stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc'], {
      cwd: folder.path,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });
});

describe('the published packages', () => {
  const folder = temporaryFolder();
  const app = join(folder.path, 'app');

  beforeAll(() => {
    mkdirSync(app);
    const files = {
      'package.json': JSON.stringify({ type: 'module', private: true }),
      'openapi.yaml': CONTRACT,
      'handlers.ts': HANDLERS,
      'main.ts': MAIN,
      'tsconfig.json': JSON.stringify(TSCONFIG),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(app, name), text);
    install(app, ['stubwright', '@stubwright/service']);
    const nodes = ['node20@npm:node@20', 'node22@npm:node@22', 'node24@npm:node@24'];
    const own = ['@stubwright/cli', '@stubwright/client', '@redocly/openapi-core'];
    install(app, ['--save-dev', ...own, ...nodes, '@types/node@24', '@types/koa']);
  });
  afterAll(() => folder.remove());

  it('accept each other within a major version', () => {
    const manifest = (name: string) =>
      JSON.parse(readFileSync(join(app, 'node_modules', name, 'package.json'), 'utf8'));
    const { peerDependencies } = manifest('@stubwright/cli');
    expect(peerDependencies.stubwright).toBe(`^${manifest('stubwright').version}`);
    expect(manifest('stubwright').peerDependencies).not.toHaveProperty('stubwright');
  });

  it('run no script when they are installed for production', () => {
    const { packages } = JSON.parse(readFileSync(join(app, 'package-lock.json'), 'utf8'));
    const installed = Object.entries<{ dev?: boolean; hasInstallScript?: boolean }>(packages);
    const running = installed.filter(([, each]) => each.hasInstallScript && !each.dev);
    expect(running.map(([path]) => path)).toEqual([]);
  });

  const node = (version: string) => join(app, 'node_modules', `node${version}`, 'bin/node');
  const run = (version: string, script: string, ...args: string[]) =>
    execFileSync(node(version), [script, ...args], { cwd: app, encoding: 'utf8' });

  /** @returns what a service answers to a request for a toy */
  async function toyOf(version: string, env: Record<string, string>) {
    await using service = startProcess([node(version), 'main.ts'], {
      cwd: app,
      env: { PORT: '0', API_TOKENS: 'token-of-the-test-0123456789', ...env },
    });
    const [, url] = await service.printed(/"url":"([^"]+)"/);
    const headers = { Authorization: 'Bearer token-of-the-test-0123456789' };
    const response = await fetch(`${url}/toys/9007199254740993`, { headers });
    const yaml = await (await fetch(`${url}/openapi.yaml`)).text();
    const page = (await fetch(`${url}/docs/scalar.js`)).status;
    return { status: response.status, text: await response.text(), yaml, page };
  }

  it('name the version of Node that they need', () => {
    const cli = 'node_modules/@stubwright/cli/dist/main.js';
    const { status, stderr } = spawnSync(node('20'), [cli, 'check'], {
      cwd: app,
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/^stubwright: got Node v20\.[\d.]+, expected 22\.18 or later\n$/);
    expect(status).toBe(2);
  });

  describe.each(['22', '24'])('on Node %s', (version) => {
    it('generate the types and the bundle of a contract', () => {
      run(version, 'node_modules/@stubwright/cli/dist/main.js', 'generate');
      expect(readdirSync(join(app, 'generated')).sort()).toEqual(['contract.json', 'contract.ts']);
    });

    it('check with the rules of redocly.yaml, which may extend the strict preset', () => {
      const cli = 'node_modules/@stubwright/cli/dist/main.js';
      const findings = () =>
        spawnSync(node(version), [cli, 'check'], { cwd: app, encoding: 'utf8' }).stdout;
      expect(findings()).not.toContain('stubwright/');
      const config = 'plugins: ["@stubwright/cli/redocly"]\nextends: [stubwright/strict]\n';
      writeFileSync(join(app, 'redocly.yaml'), config);
      expect(findings()).toMatch(
        /^openapi\.yaml:\d+:\d+ {2}the media type .* \(stubwright\/examples\)$/m,
      );
      rmSync(join(app, 'redocly.yaml'));
      expect(run(version, cli, 'diff', '--check')).toMatch(/^test\/released\/ holds no release/);
    });

    it('have a reporter for the coverage of declared responses', () => {
      const script = `import Reporter, { recordObserved } from '@stubwright/cli/coverage';
        const reporter = new Reporter({});
        reporter.onRunStart();
        await reporter.onRunComplete();
        console.log(reporter.getLastError().message);
        recordObserved('getToy', 200, 'application/json');
        await reporter.onRunComplete();
        console.log(reporter.getLastError());`;
      writeFileSync(join(app, 'coverage.mjs'), script);
      expect(run(version, 'coverage.mjs')).toMatch(
        /no test observed: getToy 200 application\/json\n[\s\S]*yes {5}getToy 200 [\s\S]*\nundefined\n$/,
      );
    });

    it('start a service', async () => {
      expect(await toyOf(version, {})).toEqual({
        status: 200,
        text: '{"id":9007199254740993,"name":"Bear"}',
        yaml: CONTRACT,
        page: 200,
      });
    });

    it('create plants with a generated client under their exact ids', () =>
      expectExactCreates(app, [node(version)]));

    it('mock a contract', async () => {
      const { status, text } = await toyOf(version, { MOCK: 'all', CONTRACT: 'openapi.yaml' });
      expect(status).toBe(200);
      expect(text).toMatch(/^\{"id":-?\d+,"name":"Teddy"\}$/);
    });
  });

  it('type-check handlers, and report an invalid one', () => {
    const tsc = () => run('24', 'node_modules/typescript/bin/tsc');
    expect(tsc()).toBe('');
    const name = join(app, 'handlers.ts');
    writeFileSync(name, HANDLERS.replace("name: 'Bear'", 'name: 1'));
    expect(tsc).toThrow();
    writeFileSync(name, HANDLERS);
  });

  it('have types and code for CommonJS, and types for bundlers', () => {
    const project = join(app, 'commonjs');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{"type": "commonjs"}');
    writeFileSync(join(project, 'main.ts'), COMMONJS);
    const shared = { target: 'es2023', lib: ['es2024'], types: ['node'], strict: true };
    const modules = { nodenext: { outDir: 'dist' }, preserve: { noEmit: true } };
    for (const [module, options] of Object.entries(modules)) {
      const config = { compilerOptions: { ...shared, module, ...options }, files: ['main.ts'] };
      writeFileSync(join(project, `${module}.json`), JSON.stringify(config));
      const tsc = spawnSync(
        node('24'),
        [join(app, 'node_modules/typescript/bin/tsc'), '-p', `${module}.json`],
        { cwd: project, encoding: 'utf8' },
      );
      expect(tsc).toMatchObject({ status: 0, stdout: '' });
    }
    expect(readFileSync(join(project, 'dist/main.js'), 'utf8')).toMatch(/require\("stubwright"\)/);
    for (const version of ['22', '24']) {
      const main = { cwd: project, encoding: 'utf8', stdio: 'pipe' } as const;
      expect(execFileSync(node(version), ['dist/main.js'], main)).toBe('200\ntrue\n');
    }
  });

  it('report in one line that a production installation reads only bundles', () => {
    execFileSync('npm', ['prune', '--omit=dev', '--no-audit', '--no-fund'], {
      cwd: app,
      stdio: 'ignore',
    });
    const start = () =>
      execFileSync(process.execPath, ['main.ts'], {
        cwd: app,
        env: { PORT: '0', CONTRACT: 'openapi.yaml' },
        stdio: 'pipe',
      });
    expect(start).toThrow(
      /^Command failed: .*\nopenapi\.yaml {2}is not a bundled contract {2}expected one, or @stubwright\/cli to be installed, which reads OpenAPI\n$/,
    );
  });
});
