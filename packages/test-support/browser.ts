// A real Chromium, where this machine has one, and what a page did in it.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const USUAL_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Undefined where none was found; `CHROMIUM_PATH` names one elsewhere. */
export const chromiumPath = [process.env['CHROMIUM_PATH'], ...USUAL_PATHS].find(
  (path) => path !== undefined && existsSync(path),
);

export interface Browsed {
  readonly page: Page;
  /** `METHOD url body` of every request that the page made. */
  readonly requests: string[];
  /** What the Content-Security-Policy refused, and what went wrong in the page's scripts. */
  readonly faults: string[];
  close(): Promise<void>;
}

/** As root Chromium starts without its sandbox only; the pages are our own. */
export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** @returns a page of a browser of its own */
export async function browse(executablePath: string): Promise<Browsed> {
  const browser = await launch(executablePath);
  return { ...(await openPage(browser)), close: () => browser.close() };
}

/** @returns a page without the cookies and the storage of others */
export async function openPage(browser: Browser): Promise<Browsed> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  page.setDefaultTimeout(30_000);
  const requests: string[] = [];
  const faults: string[] = [];
  page.on('request', (request) => {
    requests.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`.trim());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  return { page, requests, faults, close: () => page.close() };
}

/** @returns the violations of critical and serious impact, with the first element of each */
export async function violationsOf(page: Page): Promise<string[]> {
  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(readFileSync(axe, 'utf8'));
  const found = await page.evaluate<
    { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
  >('axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)');
  return found
    .filter(({ impact }) => impact === 'critical' || impact === 'serious')
    .map(({ id, nodes }) => `${id} ${nodes.length} ${nodes[0]!.html} ${nodes[0]!.failureSummary}`);
}

/** @returns the pixels that the page is wider than the window */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}

/** Writes a picture of the documentation, with `SCREENSHOTS=docs`. */
export async function screenshot(page: Page, path: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, path) });
}
