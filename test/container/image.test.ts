// What the Dockerfile does, done in an empty folder with plain npm and node, and the service started
// from there. No engine is asked: neither a base image nor a file system mounted read-only is seen here.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startProcess } from '@stubwright/test-support/runningProcess';
import { isTestAll } from '@stubwright/test-support/testAll';
import { installedMegabytes, MAX_PRODUCTION_MB } from '../support/installedSize.ts';
import {
  createAt,
  isRegistryReachable,
  storedPlants,
  TOKEN,
  temporaryFolder,
} from '../support/service.ts';
import { Image, instructions } from './image.ts';

const withRegistry =
  isTestAll && isRegistryReachable('test/container/image.test.ts') ? describe : describe.skip;

jest.setTimeout(120_000);

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

describe('.dockerignore', () => {
  it('includes only files that the Dockerfile copies', () => {
    const [all, ...kept] = readFileSync('.dockerignore', 'utf8').trim().split('\n');
    const copied = instructions(readFileSync('Dockerfile', 'utf8'))
      .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from='))
      .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
    const allowed = [...new Set(copied)].map((path) => `!${path}`);
    expect([all, ...kept.sort()]).toEqual(['*', ...allowed.sort()]);
  });
});

withRegistry('the image', () => {
  const folder = temporaryFolder();
  let image: Image;
  const running: ReturnType<Image['run']>[] = [];

  beforeAll(() => {
    chmodSync(folder.path, 0o755);
    image = new Image('Dockerfile', folder.path);
  });
  afterAll(async () => {
    for (const child of running.filter(
      ({ exitCode, signalCode }) => (exitCode ?? signalCode) === null,
    )) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    image?.unlock();
    folder.remove();
  });

  /** Runs a command of the image to its end. */
  async function ended(command: readonly string[], env: Record<string, string> = {}) {
    const { output, exited } = started(command, env);
    return { code: await exited, output: output() };
  }

  /** Starts a command of the image; @returns it, what it printed so far, and its exit code to come. */
  function started(command: readonly string[], env: Record<string, string>) {
    const child = image.run(command, env);
    running.push(child);
    let output = '';
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    return { child, output: () => output, exited: once(child, 'close').then(([code]) => code) };
  }

  async function found(pattern: RegExp, output: () => string): Promise<string> {
    while (!pattern.test(output())) await new Promise((resolve) => setTimeout(resolve, 5));
    return pattern.exec(output())![1]!;
  }

  it('contains only the production dependencies, the sources and the contract, and no secrets', () => {
    const installed = (name: string) => existsSync(`${image.folder}/node_modules/${name}`);
    expect(Object.keys(manifest.devDependencies).filter(installed)).toEqual([]);
    expect(Object.keys(manifest.dependencies).filter(installed)).toHaveLength(
      Object.keys(manifest.dependencies).length,
    );
    expect(readdirSync(image.folder).sort()).toEqual(
      ['generated', 'node_modules', 'package-lock.json', 'package.json', 'packages', 'src'].sort(),
    );
  });

  it(`has at most ${MAX_PRODUCTION_MB} MB of packages`, () => {
    expect(installedMegabytes(`${image.folder}/node_modules`)).toBeLessThanOrEqual(
      MAX_PRODUCTION_MB,
    );
  });

  it('starts like make start, without a compile cache, and with the flags of the page', () => {
    const [node, ...args] = image.command;
    const [, serve = ''] = /^SERVE := (.*)$/m.exec(readFileSync('Makefile', 'utf8'))!;
    expect(node).toBe('node');
    expect(manifest.scripts.start).toBe(serve.replace('$(NODE)', 'node'));
    const flags = args.filter((each) => each.startsWith('--'));
    expect(['$(NODE)', ...args.slice(flags.length)].join(' ')).toBe(
      serve.replace(/NODE_COMPILE_CACHE=\S+ /, ''),
    );
    // The page of the operations has the measurement.
    const page = readFileSync('docs/plant-store/operations.md', 'utf8');
    const [, measured = ''] = /`MALLOC_TRIM_THRESHOLD_=\d+ node (.*) src\/main\.ts`/.exec(page)!;
    expect(flags.join(' ').replace('max-semi-space-size=32', 'max-semi-space-size=8')).toBe(
      measured,
    );
  });

  it('serves from a read-only folder, reports its health, and stops on SIGTERM', async () => {
    const databaseFile = image.at('/srv/data/plants.db');
    const service = started(image.command, {
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_HOST: '127.0.0.1',
      ADMIN_PORT: '0',
      API_TOKENS: TOKEN,
      RATE_LIMIT: '1000/1s',
      DATABASE_URL: `sqlite:${databaseFile}`,
    });
    const url = await found(/"url":"([^"]+)"/, service.output);
    const admin = await found(/"admin":"([^"]+)"/, service.output);
    const health = () => ended(image.healthcheck, { ADMIN_PORT: new URL(admin).port });
    expect((await createAt(url, { id: 1, name: 'Aloe vera' })).body).toBe('{"name":"Aloe vera"}');
    expect(await health()).toEqual({ code: 0, output: '' });

    service.child.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(await health()).toEqual({ code: 1, output: '' });
    expect(storedPlants(databaseFile)).toEqual([{ id: 1n, name: 'Aloe vera', tag: null }]);
  });

  it('can write only to /srv/data', async () => {
    const write = (path: string) =>
      ended(['node', '-e', `fs.writeFileSync(${JSON.stringify(path)}, '')`]);
    const places = ['x', 'src/x', 'src/main.ts', 'generated/contract.json'];
    for (const place of places) expect((await write(place)).output).toMatch(/EACCES/);
    expect((await write(image.at('/srv/data/x'))).code).toBe(0);
  });

  it('fails to start rather than store plants in the image', async () => {
    const { code, output } = await ended(image.command, {
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_PORT: '0',
    });
    expect([code, output]).toEqual([1, expect.stringMatching(/^[^\n]*data[^\n]*\n$/)]);
  });
});

withRegistry('the installation without a container', () => {
  it(`has at most ${MAX_PRODUCTION_MB} MB in a clone, and starts the service`, async () => {
    const page = readFileSync('docs/plant-store/operations.md', 'utf8');
    const [, command = ''] = /Without a container.*?```sh\n(.*?)```/s.exec(page)!;
    const lines = instructions(readFileSync('Dockerfile', 'utf8'));
    expect(lines).toContainEqual(expect.objectContaining({ name: 'RUN', rest: command.trim() }));
    const folder = temporaryFolder();
    const clone = `${folder.path}/plant-store`;
    execFileSync('git', ['clone', '--quiet', '.', clone]);
    // Also before they are committed.
    for (const file of [
      'package.json',
      'package-lock.json',
      ...globSync('packages/*/package.json'),
    ]) {
      cpSync(file, `${clone}/${file}`);
    }
    const options = {
      cwd: clone,
      env: { ...process.env, NODE_OPTIONS: '', npm_config_prefer_offline: 'true' },
    };
    execFileSync('sh', ['-ec', command], { ...options, stdio: 'pipe' });
    expect(installedMegabytes(`${clone}/node_modules`)).toBeLessThanOrEqual(MAX_PRODUCTION_MB);
    const service = startProcess([process.execPath, 'src/main.ts'], {
      ...options,
      env: { ...options.env, HOST: '127.0.0.1', PORT: '0', API_TOKENS: TOKEN },
    });
    await service.printed(/http:\/\/127\.0\.0\.1:\d+/);
    await service.stop();
    folder.remove();
  });
});
