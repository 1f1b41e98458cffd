// The documentation page in Chromium: axe, small screens, dark mode, names of controls.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Browsed, browse, chromiumPath } from '@stubwright/test-support/browser';
import { startTestService, type TestService } from '@stubwright/test-support/service';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import type { Page } from 'playwright-core';

const inChromium = chromiumPath === undefined ? describe.skip : describe;
// A browser on a busy machine takes its time.
jest.setTimeout(600_000);

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const EVERYTHING = readFileSync(`${import.meta.dirname}/everything.yaml`, 'utf8');
// OpenAPI 3.1 has another view of schemas.
const EVERYTHING_31 = EVERYTHING.replace('3.0.3', '3.1.0').replaceAll(', nullable: true', '');

interface View {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

const WIDE_LIGHT: View = { colorScheme: 'light', width: 1280 };
const NARROW_LIGHT: View = { colorScheme: 'light', width: 375 };
const WIDE_DARK: View = { colorScheme: 'dark', width: 1280 };
const NARROW_DARK: View = { colorScheme: 'dark', width: 375 };

/** Each pair of version, color scheme and width occurs once. */
const VERSIONS = [
  {
    version: '3.0',
    contract: EVERYTHING,
    views: isTestAll ? [WIDE_LIGHT, NARROW_DARK] : [NARROW_DARK],
  },
  ...(isTestAll
    ? [{ version: '3.1', contract: EVERYTHING_31, views: [NARROW_LIGHT, WIDE_DARK] }]
    : []),
];

interface Result {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** @returns the violations of critical and serious impact, with the first element of each */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const results = await page.evaluate<Result[]>(
    'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)',
  );
  return results
    .filter(({ impact }) => impact === 'critical' || impact === 'serious')
    .map(({ id, nodes }) => `${id} ${nodes.length} ${nodes[0]!.html} ${nodes[0]!.failureSummary}`);
}

const overflowOf = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

/** Opens every operation, its schemas, a response and the credentials in turn. */
const STATES: readonly [string, (page: Page) => Promise<void>][] = [
  ['closed', async () => {}],
  [
    'with operations',
    async (page) => {
      for (const each of await page.$$('.opblock-summary-control')) await each.click();
      await page.waitForSelector('.opblock-body');
    },
  ],
  [
    'with a response',
    async (page) => {
      await page.locator('.btn.execute').first().click();
      await page.waitForSelector('.live-responses-table');
    },
  ],
  [
    'with schemas',
    async (page) => {
      const closed =
        '.tablinks[data-name="model"], .models [aria-expanded="false"], .model-box-control[aria-expanded="false"]';
      for (let depth = 0; depth < 3; depth++) {
        for (const each of await page.$$(closed)) await each.click();
      }
    },
  ],
  [
    'with credentials',
    async (page) => {
      await page.click('.btn.authorize');
      await page.waitForSelector('.auth-container');
    },
  ],
];

inChromium.each(VERSIONS)('GET /docs with OpenAPI $version', ({ contract, views }) => {
  let service: TestService;
  let browsed: Browsed;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'docs-'));
    const file = join(folder, 'everything.yaml');
    writeFileSync(file, contract);
    service = await startTestService({ CONTRACT: file, MOCK: 'all' });
    browsed = await browse(chromiumPath!);
  });
  afterAll(async () => {
    await browsed?.close();
    await service?.remove();
    rmSync(folder, { recursive: true });
  });

  it.each(views)('is accessible: $colorScheme, $width px', async ({ colorScheme, width }) => {
    const { page } = browsed;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${service.url}/docs`);
    await page.waitForSelector('.opblock');
    for (const [state, enter] of isTestAll ? STATES : STATES.slice(0, 2)) {
      await enter(page);
      expect({ state, violations: await violationsOf(page) }).toEqual({ state, violations: [] });
      expect({ state, overflow: await overflowOf(page) }).toEqual({ state, overflow: 0 });
    }
  });

  inTestAll(it)('follows the color scheme while it is open', async () => {
    const { page } = browsed;
    const background = () =>
      page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${service.url}/docs`);
    await page.waitForSelector('html:not(.dark-mode) .opblock');
    expect(await background()).toBe('rgb(250, 250, 250)');
    await page.emulateMedia({ colorScheme: 'dark' });
    // The listener of the page runs after the change.
    await page.waitForSelector('html.dark-mode .opblock');
    expect(await background()).toBe('rgb(28, 32, 34)');
  });

  inTestAll(it)('names each control after its parameter or property', async () => {
    const { page } = browsed;
    await page.goto('about:blank');
    await page.goto(`${service.url}/docs#/things/listThings`);
    await page.waitForSelector('.opblock-body select');
    const names = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.parameters :is(select, input, textarea)')].map((each) => each.ariaLabel ?? each.title)`,
    );
    expect(names).toEqual(expect.arrayContaining(['choice', 'flag', 'choices', 'filter']));
    expect(names).not.toContain('');
  });

  inTestAll(it)('opens an operation with the keyboard, and sets its URL', async () => {
    const { page } = browsed;
    await page.goto(`${service.url}/docs`);
    await page.waitForSelector('.opblock');
    await page.focus('.opblock-summary-control');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.opblock-body');
    expect(page.url()).toBe(`${service.url}/docs#/things/listThings`);
  });
});

// notFound.test.ts has its responses.
inChromium('an unknown path in a browser', () => {
  inTestAll(it).each(['light', 'dark'] as const)('is accessible: %s', async (colorScheme) => {
    const service = await startTestService();
    const { page, faults, close } = await browse(chromiumPath!);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 375, height: 900 });
    await page.goto(`${service.url}/unknown`);
    expect(await violationsOf(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await page.click('a');
    await page.waitForSelector('.opblock');
    expect(page.url()).toBe(`${service.url}/docs`);
    expect(faults).toEqual([]);
    await close();
    await service.remove();
  });
});
