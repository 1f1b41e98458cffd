// A real Chromium, where this machine has one, and what a page did in it.
import { existsSync } from 'node:fs';
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
