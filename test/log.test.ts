import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { call } from './support/http.ts';
import { createAt, spawnService, TOKEN, temporaryFolder } from './support/service.ts';

const itOnATerminal = hasScript() ? it : it.skip;
let folder: ReturnType<typeof temporaryFolder>;
let terminal: ChildProcessByStdio<Writable, Readable, null> | undefined;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  terminal?.kill();
  folder.remove();
});

/** util-linux's script gives a command a terminal. */
function hasScript(): boolean {
  try {
    return execFileSync('script', ['-qec', 'echo yes', '/dev/null']).includes('yes');
  } catch {
    return false;
  }
}

describe('the log', () => {
  it('has one line a request, with its own id', async () => {
    const { child, url, output, exited } = spawnService({
      API_TOKENS: TOKEN,
      DATABASE_URL: `sqlite:${folder.path}/plants.db`,
    });
    await createAt(await url, { id: 1, name: 'x' });
    await call(await url, { method: 'HEAD', path: '/nowhere' });
    child.kill('SIGTERM');
    await exited;
    const lines = output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ msg }) => msg)).toEqual([
      'listening',
      'request',
      'request',
      'stopping',
      'not ready',
      'draining',
      'drained',
      'store closed',
      'stopped',
    ]);
    const common = {
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      id: expect.any(String),
      durationMs: expect.any(Number),
      msg: 'request',
    };
    expect(lines[1]).toEqual({
      ...common,
      method: 'POST',
      route: '/plants',
      status: 200,
      bytes: 12,
    });
    expect(lines[2]).toEqual({ ...common, method: 'HEAD', status: 404, bytes: 0 });
    expect(lines[1].id).not.toBe(lines[2].id);
  });

  itOnATerminal('has one line an event on a terminal too', async () => {
    terminal = spawn('script', ['-qec', `"${process.execPath}" src/main.ts`, '/dev/null'], {
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        API_TOKENS: TOKEN,
        DATABASE_URL: `sqlite:${folder.path}/plants.db`,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let text = '';
    const { stdin, stdout } = terminal;
    stdout.on('data', (chunk) => {
      // Ctrl-C, once it has started, however long that took.
      if (!text.includes('listening') && `${text}${chunk}`.includes('listening')) {
        stdin.write('\x03');
      }
      text += chunk;
    });
    await once(terminal, 'close');
    const lines = text.trim().split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[0]).toMatch(/listening.*"url":"http.*"database":"sqlite:/);
  });

  it.each([
    ['process.exit()', 'process.exit()'],
    ['an exception that nobody catches', "throw new Error('x')"],
    ['flush', 'log.flush(() => process.exit())'],
    ['having nothing more to do', ''],
  ])('is whole when the process ends by %s', (_, end) => {
    const script = `
      import { createLog } from './src/log.ts';
      const log = createLog('info');
      for (let at = 0; at < 1000; at++) log.info('line');
      ${end}`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script]);
    expect(stdout.toString().match(/"line"}\n/g)).toHaveLength(1000);
  });

  it('keeps up with turns that tell much', () => {
    const script = `
      import { createLog } from './src/log.ts';
      const log = createLog('info');
      for (let turn = 0; turn < 200; turn++) {
        for (let at = 0; at < 1000; at++) log.info('line');
        await new Promise(setImmediate);
      }
      process.kill(process.pid, 'SIGKILL');`;
    const file = join(folder.path, 'log');
    spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', openSync(file, 'w'), 'inherit'],
    });
    const lines = readFileSync(file, 'utf8').match(/"line"}\n/g);
    expect(lines?.length).toBeGreaterThan(100_000);
  });
});
