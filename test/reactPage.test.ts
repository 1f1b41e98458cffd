// The example of a React page: built as its package.json says, and used in Chromium.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Browsed,
  browse,
  chromiumPath,
  screenshot,
  violationsOf,
} from '@stubwright/test-support/browser';
import { freePort } from '@stubwright/test-support/freePort';
import { type RunningProcess, startProcess } from '@stubwright/test-support/runningProcess';
import ts from 'typescript';

/** In the project, so that its packages resolve. */
const FOLDER = resolve('build/react');

beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true });
  cpSync('docs/examples/react', FOLDER, { recursive: true });
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'generate'], {
    ...{ cwd: FOLDER, encoding: 'utf8' },
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  if (status !== 0) throw new Error(stdout + stderr);
});

it('the page of React compiles', () => {
  const { config } = ts.readConfigFile(`${FOLDER}/tsconfig.json`, ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, FOLDER);
  expect(fileNames).toContain(`${FOLDER}/page.tsx`);
  const errors = ts.getPreEmitDiagnostics(ts.createProgram(fileNames, options));
  // The packages of this repository are sources, which are compiled with other options.
  const own = errors.filter(({ file }) => file?.fileName.startsWith(FOLDER));
  expect(own.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual(
    [],
  );
});

if (chromiumPath === undefined) {
  process.stderr.write('SKIPPED: test/reactPage.test.ts found no Chromium; set CHROMIUM_PATH\n');
}

(chromiumPath === undefined ? describe.skip : describe)('the page of React', () => {
  let server: RunningProcess;
  let browsed: Browsed;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    server = startProcess([process.execPath, 'server.ts'], {
      ...{ cwd: FOLDER, env: { ...process.env, PORT: String(port), NODE_OPTIONS: '' } },
    });
    url = `http://127.0.0.1:${port}/`;
    expect((await server.responding(url)).status).toBe(200);
    browsed = await browse(chromiumPath!);
    await browsed.page.goto(url);
  });
  afterAll(async () => {
    await browsed?.close();
    await server?.stop();
  });

  const listed = async (count: number) => {
    await browsed.page.waitForFunction(`document.querySelectorAll('li').length === ${count}`);
    return browsed.page.locator('li').allTextContents();
  };
  const create = async (id: string, name: string) => {
    await browsed.page.fill('[name=id]', id);
    await browsed.page.fill('[name=name]', name);
    await browsed.page.click('text=Create');
  };

  it('lists plants page by page, with ids to the last digit', async () => {
    expect(await listed(3)).toEqual([
      '9007199254740993 Aloe vera',
      '9007199254740994 Basil',
      '9007199254740995 Cactus',
    ]);
    await browsed.page.click('text=More');
    expect((await listed(5)).slice(3)).toEqual(['9007199254740996 Dill', '9007199254740997 Elder']);
    await browsed.page.waitForFunction("!document.body.textContent.includes('More')");
  });

  it('creates a plant, and lists all pages again', async () => {
    const before = browsed.requests.length;
    await create('9223372036854775807', 'Fern');
    await browsed.page.waitForSelector('text=9223372036854775807 is stored');
    expect((await listed(6)).at(-1)).toBe('9223372036854775807 Fern');
    await browsed.page.setViewportSize({ width: 640, height: 480 });
    await screenshot(browsed.page, 'examples/react/page.png');
    expect(await violationsOf(browsed.page)).toEqual([]);
    expect(browsed.requests.slice(before)).toEqual([
      `POST ${url}plants {"id":9223372036854775807,"name":"Fern"}`,
      `GET ${url}plants`,
      `GET ${url}plants?after=9007199254740995`,
    ]);
  });

  it('shows the error of the service', async () => {
    await create('9007199254740993', 'Aloe vera');
    const alert = await browsed.page.waitForSelector('[role=alert]');
    expect(await alert.textContent()).toBe('a plant has the id 9007199254740993');
    expect(browsed.faults).toEqual([]);
  });
});
