// The example of a chat: in Chromium, behind the proxy, with a connection that breaks.

import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadContract } from '@stubwright/contract';
import {
  type Browsed,
  browse,
  chromiumPath,
  screenshot,
  violationsOf,
} from '@stubwright/test-support/browser';
import { freePort } from '@stubwright/test-support/freePort';
import { type RunningProcess, startProcess } from '@stubwright/test-support/runningProcess';
import { type RunningProxy, startProxy } from '../packages/cli/src/proxy/proxy.ts';
import { Report } from '../packages/cli/src/proxy/validation.ts';
import { runCommand } from '../packages/cli/test/support/command.ts';

/** In the project, so that its packages resolve. */
const FOLDER = resolve('build/chat');
const inChromium = chromiumPath === undefined ? describe.skip : describe;

inChromium('the chat', () => {
  let server: RunningProcess;
  let proxy: RunningProxy;
  let browsed: Browsed;
  let startProxyAt: (port: number) => Promise<RunningProxy>;
  let target: string;
  const report = new Report(() => {});

  beforeAll(async () => {
    rmSync(FOLDER, { recursive: true, force: true });
    cpSync('docs/examples/chat', FOLDER, { recursive: true });
    expect(await runCommand(['generate'], { cwd: FOLDER })).toMatchObject({ status: 0 });
    const port = await freePort();
    server = startProcess([process.execPath, 'server.ts'], {
      ...{ cwd: FOLDER, env: { ...process.env, PORT: String(port), NODE_OPTIONS: '' } },
    });
    target = `http://127.0.0.1:${port}`;
    const { definition } = await loadContract(join(FOLDER, 'generated/contract.json'), {
      isMocked: true,
    });
    startProxyAt = (own) =>
      startProxy({
        ...{ definition, report, host: '127.0.0.1', port: own, refuses: false },
        ...{ target: new URL(target), undeclaredProperties: 'report' },
        ...{ bodyLimitBytes: 1024 * 1024, bodyMemoryBytes: 64 * 1024 * 1024 },
      });
    proxy = await startProxyAt(await freePort());
    await server.responding(target);
    browsed = await browse(chromiumPath!);
  });
  afterAll(async () => {
    await browsed?.close();
    await proxy?.close();
    await server?.stop();
  });

  const ask = async (text: string) => {
    await browsed.page.goto(proxy.url);
    await browsed.page.fill('[name=text]', text);
    await browsed.page.click('form button');
  };
  /** Text that may stand only for a moment, until the next word, is followed by `.*`. */
  const shown = (id: string, end: string) =>
    browsed.page.waitForFunction(`/${end}$/.test(document.getElementById('${id}').textContent)`);

  it('streams the words to the client that asked, and to a follower', async () => {
    await ask('to be or');
    await shown('answer', 'or be to ');
    await shown('followed', '0:or 1:be 2:to complete');
    await browsed.page.setViewportSize({ width: 640, height: 360 });
    await screenshot(browsed.page, 'examples/chat/page.png');
    expect(await violationsOf(browsed.page)).toEqual([]);
  });

  it('ends an answer that its client cancels', async () => {
    await ask(Array(200).fill('word').join(' '));
    await shown('followed', '3:word .*');
    await browsed.page.click('#cancel');
    await shown('followed', 'cancelled');
  });

  it('continues after a lost connection, where it was', async () => {
    const words = Array.from({ length: 80 }, (_, at) => `w${at}`);
    // Longer than the proxy waits for it, and not through the proxy: a lost connection would cancel it.
    const asked = await fetch(`${target}/answers`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: words.toReversed().join(' ') }),
    });
    const chunks = asked.body![Symbol.asyncIterator]();
    const { value } = await chunks.next();
    const [, id] = /"answer":(\d+)/.exec(Buffer.from(value!).toString())!;
    expect(BigInt(id!)).toBeGreaterThan(9007199254740992n);
    await browsed.page.goto(proxy.url);
    await browsed.page.evaluate(`
      const source = new EventSource('/answers/${id}');
      const followed = document.getElementById('followed');
      source.addEventListener('delta', ({ data }) => { followed.value += JSON.parse(data).text + ' '; });
      source.addEventListener('done', ({ data }) => { followed.value += data; source.close(); });
    `);
    await shown('followed', 'w3 .*');
    const port = Number(new URL(proxy.url).port);
    await proxy.close();
    proxy = await startProxyAt(port);
    await shown('followed', ' complete');
    expect(browsed.requests.filter((each) => each.includes(id!))).toHaveLength(2);
    expect(await browsed.page.textContent('#followed')).toBe(`${words.join(' ')} complete`);
    await chunks.return?.();
  });

  it('keeps to its contract', () => {
    const { violations } = report.summary;
    expect(
      violations.filter(({ operation }) => !/^GET \/(?:favicon.ico)?$/.test(operation)),
    ).toEqual([]);
    expect(browsed.faults.filter((each) => !each.includes('aborted'))).toEqual([]);
  });
});
