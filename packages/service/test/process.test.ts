// The process of a service: settings that end a start, signals, the drain.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { openConnection, readAll } from '@stubwright/test-support/http';
import {
  authorized,
  call,
  createAt,
  json,
  spawnService,
  TOKEN,
} from '@stubwright/test-support/service';
import { serviceProcesses } from '@stubwright/test-support/serviceProcesses';
import { inTestAll } from '@stubwright/test-support/testAll';
import { CONTRACT, startToyService } from '@stubwright/test-support/toyService';
import { configuredTokens } from '../src/authentication.ts';
import { createLog, readSettings } from '../src/index.ts';
import { startErrorMessage } from '../src/process.ts';

const start = serviceProcesses((env: Record<string, string> = {}) =>
  spawnService({ API_TOKENS: TOKEN, ...env }),
);

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a start', () => {
  it('without tokens prints the address and a curl line that works', async () => {
    const { url, output } = start({ API_TOKENS: '' });
    const withoutDocs = start({ API_TOKENS: '', DOCS: 'off' });
    const at = await url;
    await until(() => output().includes("}'"));
    expect(output()).toContain(`service    ${at}\n`);
    expect(output()).toContain(`docs       ${at}/docs\n`);
    const curl = /^ *(curl .*)$/m.exec(output())![1]!;
    const answer = execFileSync('sh', ['-c', `${curl} -sS`]).toString();
    expect(answer).toBe('{"name":"Teddy bear","tag":"soft"}');
    await until(() => withoutDocs.output().includes("}'"));
    expect(withoutDocs.output()).toContain('docs       off\n');
  });

  inTestAll(it)('prints no token where tokens were configured', async () => {
    const { url, output } = start();
    await url;
    expect(output()).not.toContain('Bearer');
  });
});

describe('a start that cannot succeed', () => {
  /** @returns what the process writes, without a process */
  async function refusalOf(env: Record<string, string>): Promise<string> {
    try {
      const settings = readSettings({ CONTRACT, PORT: '0', API_TOKENS: TOKEN, ...env });
      await startToyService(settings, configuredTokens(settings), createLog('silent'));
    } catch (error) {
      return startErrorMessage(error);
    }
    throw new Error('expected a refusal, got a service');
  }

  it.each<[string, Record<string, string>, RegExp]>([
    ['a setting is invalid', { PORT: 'abc' }, /^PORT: got "abc", expected an integer/],
    [
      'the token file is missing',
      { API_TOKENS_FILE: '/nowhere' },
      /^API_TOKENS_FILE: got "\/nowhere" \(ENOENT\), expected the path of a file to read$/,
    ],
    [
      'the token file is a folder',
      { API_TOKENS_FILE: '/' },
      /^API_TOKENS_FILE: got "\/" \(EISDIR\), expected the path of a file to read$/,
    ],
    [
      'others reach the host and there is no token',
      { HOST: '0.0.0.0', API_TOKENS: '' },
      /^API_TOKENS: got none, expected at least one token/,
    ],
    [
      'HOST is of another machine',
      { HOST: '192.0.2.1' },
      /^HOST: expected an address of this machine: .+$/,
    ],
    [
      'the contract is missing',
      { CONTRACT: '/nowhere.yaml' },
      /^\/nowhere.yaml: there is no such file$/,
    ],
  ])('is refused with one line: %s', async (_, env, line) => {
    expect(await refusalOf(env)).toMatch(line);
  });

  it('ends with one line and exit code 1 when the port is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    const { exited, output } = start({ PORT: String(port) });
    expect((await exited).code).toBe(1);
    expect(output()).toBe(`PORT: 127.0.0.1:${port} is in use, expected a free port\n`);
    blocker.close();
  });
});

describe('the log line with the address', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('may be answered with %s at once', async (signal) => {
    const { url, child, exited, output } = start();
    url.then(() => child.kill(signal));
    expect(await exited).toEqual({ code: 0, signal: null });
    expect(output()).toContain('"msg":"stopped"');
  });
});

describe('SHUTDOWN_GRACE', () => {
  const messages = (output: string) =>
    [...output.matchAll(/"msg":"([^"]*)"/g)].map(([, text]) => text);

  it('serves requests, while not ready and with Connection: close, before the drain', async () => {
    const { url, child, exited, output } = start({ SHUTDOWN_GRACE: '1', ADMIN_PORT: '0' });
    const at = await url;
    const admin = /"admin":"([^"]+)"/.exec(output())![1]!;
    const readiness = async () => (await fetch(`${admin}/readyz`)).text();
    expect(await readiness()).toBe('serving ok\nstore ok\n');
    child.kill('SIGTERM');
    await until(() => output().includes('not ready'));
    expect(await readiness()).toBe('serving failed\nstore ok\n');
    const keepAlive = { headers: { Connection: 'keep-alive' } };
    const { status, headers } = await createAt(at, { id: 1, name: 'x' }, keepAlive);
    expect([status, headers.connection]).toEqual([200, 'close']);
    expect(await exited).toEqual({ code: 0, signal: null });
    expect(messages(output()).filter((text) => text !== 'request')).toEqual([
      ...['listening', 'stopping', 'not ready', 'draining', 'drained', 'store closed', 'stopped'],
    ]);
  });

  inTestAll(it)('is cut short by a second signal', async () => {
    const { url, child, exited, output } = start({ SHUTDOWN_GRACE: '600' });
    await url;
    child.kill('SIGTERM');
    await until(() => output().includes('not ready'));
    child.kill('SIGTERM');
    expect(await exited).toEqual({ code: 1, signal: null });
  });
});

describe('a drain', () => {
  const HEAD = `POST /toys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 19\r\n\r\n`;

  it('closes idle connections and answers what is in flight with Connection: close', async () => {
    const { url, child, exited } = start();
    const at = await url;
    const idle = openConnection(at, '');
    const busy = openConnection(at, `${HEAD}{"id":1,`);
    await call(at, { headers: { ...authorized, ...json }, body: '{"id":2,"name":"y"}' });
    child.kill('SIGTERM');
    await readAll(idle);
    await expect(call(at, {})).rejects.toThrow();
    busy.write('"name":"x"}');
    const text = await readAll(busy);
    expect(text).toMatch(/^HTTP\/1.1 200 OK/);
    expect(text).toMatch(/Connection: close/i);
    expect((await exited).code).toBe(0);
  });

  inTestAll(it)(
    'ends within 10 seconds though a client never finishes its body',
    async () => {
      const { url, child, exited } = start();
      const stuck = openConnection(await url, `${HEAD}{`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      child.kill('SIGTERM');
      expect((await exited).code).toBe(0);
      stuck.destroy();
    },
    12_000,
  );
});
