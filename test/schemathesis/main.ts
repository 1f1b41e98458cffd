// `make test-schemathesis`: runs Schemathesis with all checks on the service and on mocked contracts.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { startProcess } from '@stubwright/test-support/runningProcess';
import { temporaryFolder } from '../support/service.ts';

const SOURCE = relative('.', import.meta.dirname);
const TOKEN = 'token';
/** For all contracts together, without the installation. They take about a minute on two cores. */
const LIMIT_MS = 150_000;
/** Checks that are excluded, each with the reason. */
const OF_MOCKS = { ignored_auth: 'a mock checks the presence and form of credentials only' };
const OF_RESOURCES = { use_after_free: 'a mock keeps no state, so nothing is ever deleted' };
/** The service itself, then mocks of contracts of different kinds. */
const CONTRACTS: readonly Contract[] = [
  { path: 'openapi.yaml', mock: 'off', basePath: '', excluded: {} },
  {
    path: join(SOURCE, 'library.yaml'),
    mock: 'all',
    basePath: '/v1',
    excluded: { ...OF_MOCKS, ...OF_RESOURCES },
  },
  { path: join(SOURCE, 'orders.yaml'), mock: 'all', basePath: '', excluded: OF_MOCKS },
  { path: join(SOURCE, 'uploads.yaml'), mock: 'all', basePath: '', excluded: OF_MOCKS },
  // Problem details as JSON and XML, required response headers.
  {
    path: 'test/adoption/openapi.yaml',
    mock: 'all',
    basePath: '/v1',
    excluded: { ...OF_MOCKS, ...OF_RESOURCES },
  },
];

interface Contract {
  readonly path: string;
  readonly mock: 'off' | 'all';
  readonly basePath: string;
  /** The reasons by name of the check. */
  readonly excluded: Readonly<Record<string, string>>;
}

const installed = install();
if ('missing' in installed) {
  process.stdout.write(`SKIPPED: Schemathesis needs ${installed.missing}\n`);
} else {
  const deadline = performance.now() + LIMIT_MS;
  for (const contract of CONTRACTS) {
    const status = await run(installed.program, contract, deadline);
    process.stdout.write(`Schemathesis: ${contract.path}: ${status}\n`);
    for (const [check, reason] of Object.entries(contract.excluded)) {
      process.stdout.write(`  without ${check}: ${reason}\n`);
    }
    if (status !== 'passed') process.exitCode = 1;
  }
}

type Installed = { readonly program: string } | { readonly missing: string };

/** Installs the pinned version into a virtual environment, unless it is there. */
function install(): Installed {
  const folder = resolve('build/schemathesis');
  const program = join(folder, 'bin/schemathesis');
  const requirements = join(SOURCE, 'requirements.txt');
  // Written last, so that an interrupted installation is repeated.
  const stamp = join(folder, 'requirements.txt');
  const pinned = readFileSync(requirements, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === pinned) return { program };
  rmSync(folder, { recursive: true, force: true });
  const steps = [
    ['python3', ['-m', 'venv', folder]],
    [join(folder, 'bin/pip'), ['install', '--quiet', '--requirement', requirements]],
  ] as const;
  for (const [command, args] of steps) {
    const { error, status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (error !== undefined) return { missing: `${command}: ${error.message}` };
    if (status !== 0) return { missing: `${command} ${args.join(' ')}\n${stdout}${stderr}` };
  }
  writeFileSync(stamp, pinned);
  return { program };
}

/** @returns `passed`, or why the contract failed */
async function run(
  program: string,
  { path, mock, basePath, excluded }: Contract,
  deadline: number,
): Promise<string> {
  const folder = temporaryFolder();
  const service = startProcess([process.execPath, 'src/main.ts'], {
    env: {
      PATH: '',
      PORT: '0',
      CONTRACT: path,
      MOCK: mock,
      API_TOKENS: TOKEN,
      DATABASE_URL: `sqlite:${join(folder.path, 'plants.db')}`,
      // Schemathesis and the service share the cores.
      LAG_LIMIT: '60000',
    },
  });
  try {
    const [, url] = await service.printed(/"url":"([^"]+)"/);
    const { origin } = new URL(url!);
    const config = resolve(SOURCE, 'schemathesis.toml');
    const checks = ['--checks', 'all'];
    if (Object.keys(excluded).length > 0) {
      checks.push('--exclude-checks', Object.keys(excluded).join());
    }
    const args = ['--config-file', config, '--no-color', 'run', resolve(path), ...checks];
    const client = spawn(program, [...args, '--url', origin + basePath], {
      stdio: 'inherit',
      cwd: folder.path,
      env: { ...process.env, TOKEN },
      timeout: Math.max(1, Math.ceil(deadline - performance.now())),
    });
    return await statusOf(client);
  } catch (error) {
    return `not run: ${(error as Error).message}`;
  } finally {
    await service.stop('SIGKILL');
    folder.remove();
  }
}

function statusOf(client: ChildProcess): Promise<string> {
  return new Promise((ended, failed) => {
    client.on('error', failed);
    client.on('close', (code, signal) => {
      if (signal !== null) ended(`not finished within ${LIMIT_MS / 1000} s in all`);
      else ended(code === 0 ? 'passed' : `failed with exit code ${code}`);
    });
  });
}
