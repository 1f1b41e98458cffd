// The operation of docs/plant-store/add-an-operation.md in a copy of the project: its blocks and its commands as they are printed, and nothing
// that it does not print. test/api/client.test.ts has its page.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyProject } from './support/projectCopy.ts';
import { follow as followIn } from './support/readmeBlocks.ts';
import { temporaryFolder } from './support/service.ts';

const folder = temporaryFolder();
const project = folder.path;
/** As a terminal of the reader: without the options of this run. */
const ENV = { PATH: process.env['PATH'], HOME: process.env['HOME'] };

const follow = (file: string) => followIn(project, file);

/** @returns the exit code and all that was written */
function run(line: string): { code: number | null; out: string } {
  const [command, ...args] = line.split(' ');
  const { status, stdout, stderr } = spawnSync(command!, args, {
    cwd: project,
    encoding: 'utf8',
    env: ENV,
  });
  return { code: status, out: stdout + stderr };
}

let dev: ChildProcess;
let output = '';
let url: string;
let token: string;

/**
 * @returns the first value that is not undefined; jest's own limit ends the wait. A service that
 *   starts with new sources is unavailable for a moment.
 */
async function eventually<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await Promise.resolve(find()).catch(() => undefined);
    if (found !== undefined) return found;
    await new Promise((next) => setTimeout(next, 20));
  }
}

const headers = () => ({ Authorization: token, 'Content-Type': 'application/json' });
const get = (path: string) => fetch(url + path, { headers: headers() });
const post = (body: string) => fetch(`${url}/plants`, { method: 'POST', headers: headers(), body });

/** A service that starts anew, after what was saved before, closes connections that are kept. */
const untilNotFound = () =>
  eventually(async () => ((await get('/plants/2')).status === 404 ? true : undefined));

beforeAll(async () => {
  copyProject(project, ['.', ':!bench', ':!test/bench']);
  // Older than what is installed, or make would install it anew.
  utimesSync(join(project, 'package-lock.json'), 0, 0);
  // A group of its own, so that Ctrl-C reaches all of it, as on a terminal.
  dev = spawn('make', ['dev'], {
    ...{ cwd: project, detached: true },
    env: { ...ENV, PORT: '0' },
  });
  for (const stream of [dev.stdout!, dev.stderr!]) stream.on('data', (text) => (output += text));
  url = await eventually(() => /^serving (http:\S+),/m.exec(output)?.[1]);
  token = await eventually(() => /Authorization: (Bearer [^']+)'/.exec(output)?.[1]);
}, 60_000);

/** @param pid negative for a process group */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

afterAll(async () => {
  if (dev.exitCode === null && dev.signalCode === null) process.kill(-dev.pid!, 'SIGKILL');
  folder.remove();
});

describe('the next operation', () => {
  it('is mocked and documented once it is described', async () => {
    expect((await get('/plants/1')).status).toBe(404);
    follow('openapi.yaml');
    const body = await eventually(async () => {
      const answer = await get('/plants/1');
      return answer.status === 200 ? answer.text() : undefined;
    });
    expect(body).toBe('{"name":"Monstera deliciosa","tag":"tropical"}');
    expect((await get('/plants/one')).status).toBe(400);
    expect(await (await get('/openapi.yaml')).text()).toContain('operationId: getPlant');
    await eventually(() => /added {6}GET \/plants\/\{id\} {2}getPlant, a mock/.exec(output));
    await eventually(() => /missing {4}src\/handlers\/getPlant\.ts/.exec(output));
    await eventually(() => /generated {2}generated\/contract\.ts written/.exec(output));
    expect(output).not.toMatch(/breaking|lint/);
  }, 600_000);

  it('is missed by the compiler until it is written', async () => {
    await eventually(() => /types {6}.*Property 'getPlant' is missing in type/.exec(output));
  }, 600_000);

  it('reads the store once its function is saved', async () => {
    follow('src/handlers/getPlant.ts');
    follow('src/handlers/index.ts');
    await eventually(async () => ((await get('/plants/2')).status === 404 ? true : undefined));
    await eventually(() => /handled {4}getPlant, no mock any more/.exec(output));
    // The second save may start the service once more.
    const text = (path: string) => eventually(async () => (await get(path)).text());
    const created = await eventually(() => post('{"id":9223372036854775807,"name":"Ficus"}'));
    expect(created.status).toBe(200);
    expect(await text('/plants/9223372036854775807')).toBe('{"name":"Ficus"}');
    expect(await text('/plants/2')).toBe('{"error":40401,"message":"no plant has the id 2"}');
  }, 600_000);

  it('passes its own tests', () => {
    follow('test/api/getPlant.test.ts');
    follow('test/api/errorScenarios.ts');
    const { code, out } = run('npm test -- getPlant examples');
    expect(code === 0 ? '' : out).toBe('');
    for (const file of ['getPlant', 'examples'])
      expect(out).toContain(`PASS test/api/${file}.test`);
  }, 600_000);

  it('passes the checks of a release, whose clients are replayed', async () => {
    const path = join(project, 'openapi.yaml');
    const before = output.length;
    writeFileSync(path, readFileSync(path, 'utf8').replace('version: 1.0.0', 'version: 1.1.0'));
    await eventually(() => /generated\/contract\.json written/.exec(output.slice(before)));
    const released = run('make release');
    expect(released.code === 0 ? '' : released.out).toBe('');
    const { code, out } = run('npm test -- released --verbose');
    expect(code === 0 ? '' : out).toBe('');
    // What was replayed includes this conversation.
    const recorded = readFileSync(join(project, 'test/released/1.1.0.requests.json'), 'utf8');
    expect(recorded).toContain('"name": "getPlant 429 tooMany"');
    expect(out).toContain('a client of 1.1.0');
  }, 480_000);

  it('reports an error with its location, and continues with the last valid version', async () => {
    const path = join(project, 'openapi.yaml');
    const good = readFileSync(path, 'utf8');
    writeFileSync(path, good.replace('operationId: getPlant', 'operationId: createPlant'));
    await eventually(() => /openapi\.yaml:\d+:\d+ {2}operationId createPlant belongs/.exec(output));
    await untilNotFound();
    writeFileSync(path, good);
  }, 600_000);

  it('continues when a check itself crashes', async () => {
    const [rules, path] = [join(project, 'redocly.yaml'), join(project, 'openapi.yaml')];
    const good = readFileSync(rules, 'utf8');
    writeFileSync(rules, '[');
    writeFileSync(path, readFileSync(path, 'utf8'));
    await eventually(() => /lint {7}not known: /.exec(output));
    writeFileSync(rules, good);
    await untilNotFound();
  }, 600_000);

  it('ends with Ctrl-C and leaves no processes or files', async () => {
    const ended = new Promise((end) => dev.once('close', end));
    process.kill(-dev.pid!, 'SIGINT');
    await ended;
    await expect(get('/plants/2')).rejects.toThrow();
    // The compiler of the type check gets the same signal, and ends by itself.
    await eventually(() => !isAlive(-dev.pid!) || undefined);
  }, 600_000);
});
