// The page of the plant store at /docs in a real Chromium. With SCREENSHOT it writes its picture.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type Browsed, browse, chromiumPath } from '@stubwright/test-support/browser';
import { startTestService, type TestService, TOKEN } from '../support/service.ts';

if (chromiumPath === undefined) {
  process.stderr.write('SKIPPED: test/api/docsPage.test.ts found no Chromium; set CHROMIUM_PATH\n');
}
const inChromium = chromiumPath === undefined ? describe.skip : describe;

// A browser on a busy machine takes its time to start.
jest.setTimeout(60_000);

/** The path of the PNG to write: docs/plant-store/swagger-ui.png is in the pages. */
const screenshot = process.env['SCREENSHOT'];
let service: TestService | undefined;
let browsed: Browsed | undefined;

afterEach(async () => {
  await browsed?.close();
  await service?.remove();
  service = browsed = undefined;
});

inChromium('GET /docs in a browser', () => {
  it('creates a plant with the bearer token', async () => {
    service = await startTestService();
    browsed = await browse(chromiumPath!);
    const { page } = browsed;
    await page.goto(`${service.url}/docs`);
    await page.waitForSelector('.opblock');
    await page.click('.btn.authorize');
    await page.fill('.auth-container input', TOKEN);
    await page.click('.auth-btn-wrapper .authorize');
    await page.click('.auth-btn-wrapper .btn-done');
    await page.click('.opblock-summary-control');
    await page.waitForSelector('textarea.body-param__text');
    expect(JSON.parse(await page.inputValue('textarea.body-param__text'))).toEqual({
      id: 1,
      name: 'Monstera deliciosa',
      tag: 'tropical',
    });
    if (screenshot !== undefined) {
      await page.evaluate('scrollTo(0, 0)');
      await page.screenshot({ path: screenshot });
    }
    await page.click('.btn.execute');
    const shown = page.locator('.live-responses-table .response', { hasText: '200' });
    const created = await shown.first().locator('.highlight-code').first().textContent();
    expect(created).toContain('"name": "Monstera deliciosa"');
  });
});
