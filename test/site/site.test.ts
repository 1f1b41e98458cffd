// The built site: its links, its search, and axe in Chromium at two widths.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browsed, browse, chromiumPath } from '@stubwright/test-support/browser';
import type { Page } from 'playwright-core';
import { linkOf, PAGES } from '../../docs/site/.vitepress/pages.ts';

const SITE = resolve('build/site');
const files = globSync('**/*.html', { cwd: SITE }).sort();
const html = new Map(files.map((file) => [`/${file}`, readFileSync(join(SITE, file), 'utf8')]));

const matches = (pattern: RegExp, text: string) =>
  [...text.matchAll(pattern)].map(([, each]) => each!);

describe('the site', () => {
  it('has a page for each file', () => {
    expect(files).toEqual(
      ['404.html', ...[...PAGES.values()].map((page) => page.replace(/md$/, 'html'))].sort(),
    );
    expect(files.filter((file) => file.startsWith('stubwright/commands/'))).not.toEqual([]);
  });

  it('has only links to pages, anchors and files that exist', () => {
    const broken: string[] = [];
    for (const [page, text] of html) {
      for (const link of matches(/<a [^>]*?href="([^"]*)"/g, text)) {
        if (/^https?:/.test(link)) continue;
        const { pathname, hash } = new URL(link, `http://site${page}`);
        const target = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
        const anchor = decodeURIComponent(hash.slice(1));
        const exists = html.get(target)?.includes(anchor === '' ? '' : `id="${anchor}"`);
        if (!(exists ?? existsSync(SITE + target))) broken.push(`${page}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('is not built with a link to a missing file', () => {
    const link = () => linkOf('nowhere.md', 'docs/stubwright/files.md');
    expect(link).toThrow('docs/stubwright/files.md: got the link nowhere.md, expected a file');
  });
});

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const VIEWS = [
  ['light', 1280],
  ['dark', 375],
] as const;

interface Result {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** @returns the violations of critical and serious impact, with the first element of each */
async function violationsOf(page: Page, selector: string): Promise<string[]> {
  const results = await page.evaluate<Result[]>(
    `axe.run('${selector}', { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return results
    .filter(({ impact }) => impact === 'critical' || impact === 'serious')
    .map(({ id, nodes }) => `${id} ${nodes.length} ${nodes[0]!.html} ${nodes[0]!.failureSummary}`);
}

if (chromiumPath === undefined) {
  process.stderr.write('SKIPPED: test/site/site.test.ts found no Chromium; set CHROMIUM_PATH\n');
}

(chromiumPath === undefined ? describe.skip : describe)('in Chromium', () => {
  let server: Server;
  let browsed: Browsed;
  let origin: string;

  beforeAll(async () => {
    server = createServer(({ url = '/' }, res) => {
      const file = join(SITE, url.replace(/\?.*/, '').replace(/\/$/, '/index.html'));
      if (!existsSync(file)) return res.writeHead(404).end();
      res.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
      return res.end(readFileSync(file));
    }).listen(0, '127.0.0.1');
    browsed = await browse(chromiumPath!);
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await browsed?.close();
    server?.close();
  });

  it.each(files.filter((file) => file !== '404.html'))('%s is accessible', async (file) => {
    const { page } = browsed;
    // Navigation and sidebar are the same on all pages.
    const selector = file === 'index.html' ? 'html' : '.VPContent';
    await page.goto(`${origin}/${file}`);
    await page.evaluate(AXE);
    for (const [colorScheme, width] of VIEWS) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      await page.waitForSelector(colorScheme === 'dark' ? 'html.dark h1' : 'html:not(.dark) h1');
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - innerWidth',
      );
      const violations = await violationsOf(page, selector);
      expect({ width, violations, overflow }).toEqual({ width, violations: [], overflow: 0 });
    }
  });

  it('finds a page by a word in it, without a request to another host', async () => {
    const { page, requests, faults } = browsed;
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${origin}/`);
    await page.click('.DocSearch-Button');
    await page.fill('#localsearch-input', 'asyncDispose');
    await page.waitForSelector('.results a[href*="transactions"]');
    expect(requests.filter((each) => !each.includes(` ${origin}/`))).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('has a dark mode', async () => {
    const { page } = browsed;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${origin}/`);
    await page.waitForSelector('html:not(.dark)');
    await page.click('.VPNavBarAppearance .VPSwitchAppearance');
    await page.waitForSelector('html.dark');
  });
});
