import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { call, createAt, spawnService, TOKEN } from '@stubwright/test-support/service';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import { linesOf } from '../support/logLines.ts';

const itOnATerminal = hasScript() ? it : it.skip;
const itOnLinux = process.platform === 'linux' ? it : it.skip;
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

/** `make test` has each once: the exception that is not caught, and the first of these. */
const WAYS_TO_END = [
  ['process.exit()', 'process.exit()'],
  ['flush', 'log.flush(() => process.exit())'],
  ['having nothing more to do', ''],
].slice(0, isTestAll ? 3 : 1);

/** @returns the arguments of Node for a script with a `log` */
const writing = (script: string) => [
  ...['--input-type=module', '--eval'],
  `import { createLog } from './packages/service/src/operations/log.ts';
   const log = createLog('info');
   ${script}`,
];
/** @returns a statement that logs many lines */
const logging = (lines: number) => `for (let at = 0; at < ${lines}; at++) log.info('line');`;

describe('the log', () => {
  it('has one line per request, with its own id', async () => {
    const { child, url, output, exited } = spawnService({
      API_TOKENS: TOKEN,
    });
    await createAt(await url, { id: 1, name: 'x' });
    await call(await url, { method: 'HEAD', path: '/nowhere' });
    child.kill('SIGTERM');
    await exited;
    const lines = linesOf(output());
    expect(lines.map(({ msg }) => msg)).toEqual([
      ...['listening', 'request', 'request'],
      ...['stopping', 'not ready', 'draining', 'drained', 'store closed', 'stopped'],
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
      route: '/toys',
      status: 200,
      bytes: 12,
    });
    expect(lines[2]).toEqual({ ...common, method: 'HEAD', status: 404, bytes: 0 });
    expect(lines[1]!['id']).not.toBe(lines[2]!['id']);
  });

  itOnATerminal('has one line an event on a terminal too', async () => {
    terminal = spawn(
      'script',
      ['-qec', `"${process.execPath}" packages/test-support/toyProcess.ts`, '/dev/null'],
      {
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          PORT: '0',
          API_TOKENS: TOKEN,
        },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
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
    expect(lines[0]).toMatch(/listening.*"url":"http/);
  });

  itOnATerminal('has no control characters of other texts on a terminal', () => {
    const hostile = '\x1b]0;title\x07\x1b[2J\x9b31m\r\b\u202e\x7f\nforged "line" \\u001b \\';
    const [, , script] = writing(`
      const text = ${JSON.stringify(hostile)};
      log.info({ [text]: text, inner: { text } }, text);
      log.error(new Error(text), 'failed');`);
    const command = `"${process.execPath}" --input-type=module --eval "$SCRIPT"`;
    const stdout = execFileSync('script', ['-qec', command, '/dev/null'], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        SCRIPT: script,
      },
      encoding: 'utf8',
    });
    // pino-pretty's own colors.
    const text = stdout.replace(/\x1b\[\d*m/g, '').replaceAll('\r\n', '\n');
    expect(text).toMatch(
      /INFO.*u001b\]0;title\\u0007\\u001b\[2J\\u009b31m\\r\\b\\u202e\\u007f\\nforged/,
    );
    expect(text).not.toMatch(/[^\n\x20-\x7e]/);
    expect(text).not.toMatch(/^forged/m);
    expect(text).toMatch(/^ +at /m);
  });

  it.each([...WAYS_TO_END, ['an exception that nobody catches', "throw new Error('x')"]])(
    'is complete when the process ends by %s',
    (_, end) => {
      const { stdout } = spawnSync(process.execPath, writing(`${logging(1000)} ${end}`));
      expect(stdout.toString().match(/"line"}\n/g)).toHaveLength(1000);
    },
  );

  it('keeps up with many lines per event loop turn', () => {
    const script = writing(`
      for (let turn = 0; turn < 200; turn++) {
        ${logging(1000)}
        await new Promise(setImmediate);
      }
      process.kill(process.pid, 'SIGKILL');`);
    const file = join(folder.path, 'log');
    spawnSync(process.execPath, script, { stdio: ['ignore', openSync(file, 'w'), 'inherit'] });
    const lines = readFileSync(file, 'utf8').match(/"line"}\n/g);
    expect(lines?.length).toBeGreaterThan(100_000);
  });

  itOnLinux('waits for a full pipe as long as it is full, and no longer', async () => {
    // Without tokens, so that it prints its curl line too.
    const { child, url, output, exited } = spawnService({});
    await url;
    while (!output().includes("}'")) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const [, flags = ''] = /^flags:\s+(\d+)$/m.exec(
      readFileSync(`/proc/${child.pid}/fdinfo/1`, 'utf8'),
    )!;
    child.kill('SIGTERM');
    await exited;
    expect(Number.parseInt(flags, 8) & constants.O_NONBLOCK).toBe(0);
  });

  inTestAll(it)(
    'buffers at most 32 MiB for a stalled reader, and logs the number of lost lines',
    async () => {
      const script = writing(`
      import { once } from 'node:events';
      for (let at = 1; at <= 5000; at++) {
        log.info({ at, text: 'x'.repeat(10_000) }, 'line');
        if (at % 100 === 0) await new Promise(setImmediate);
      }
      process.stderr.write('written');
      await once(process.stdin, 'data');
      log.info({ at: 5001 }, 'line');`);
      const writer = spawn(process.execPath, script);
      const ended = once(writer, 'close');
      await once(writer.stderr, 'data');
      let text = '';
      writer.stdout.setEncoding('utf8').on('data', (chunk) => {
        // What was kept is read but for a rest: there is room again.
        if (text.length < 30_000_000 && text.length + chunk.length >= 30_000_000)
          writer.stdin.end('go');
        text += chunk;
      });
      await ended;
      const lines = linesOf(text);
      const [notice, last] = lines.splice(-2);
      expect(lines.map(({ at }) => at)).toEqual(lines.map((_, index) => index + 1));
      // Beside what was kept, what the pipe and its reader hold.
      expect(text.length).toBeLessThan(33 * 1024 * 1024);
      expect(notice).toMatchObject({ level: 40, lines: 5000 - lines.length });
      expect(notice!['msg']).toBe('log lines lost: standard output was not read');
      expect(last).toMatchObject({ at: 5001 });
    },
  );

  it.each(WAYS_TO_END)('lets a process whose reader is gone end by %s', async (_, end) => {
    const script = writing(`
      import { once } from 'node:events';
      await once(process.stdin.resume(), 'end');
      ${logging(1)}
      ${end}`);
    const writer = spawn(process.execPath, script);
    const timeout = setTimeout(() => writer.kill('SIGKILL'), 30_000);
    writer.stdout.destroy();
    await once(writer.stdout, 'close');
    writer.stdin.end();
    expect(await once(writer, 'exit')).toEqual([0, null]);
    clearTimeout(timeout);
  });

  itOnLinux.each(WAYS_TO_END)('lets a process end by %s while the disk is full', (_, end) => {
    const script = writing(`
      import { setTimeout } from 'node:timers/promises';
      for (let turn = 0; turn < 5; turn++) {
        ${logging(1000)}
        await setTimeout(50);
      }
      ${end}`);
    const stdio = ['ignore', openSync('/dev/full', 'w'), 'pipe'] as const;
    const { status, stderr } = spawnSync(process.execPath, script, {
      ...{ stdio: [...stdio], timeout: 20_000 },
    });
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' });
  });
});
