// The page of the plant store at /docs in a real Chromium. With SCREENSHOTS it writes its picture.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type Browsed, browse, chromiumPath, screenshot } from '@stubwright/test-support/browser';
import { startTestService, type TestService, TOKEN } from '../support/service.ts';

if (chromiumPath === undefined) {
  process.stderr.write('SKIPPED: test/api/docsPage.test.ts found no Chromium; set CHROMIUM_PATH\n');
}
const inChromium = chromiumPath === undefined ? describe.skip : describe;

// A browser on a busy machine takes its time to start.
jest.setTimeout(60_000);

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
    await page.getByPlaceholder('Token').first().fill(TOKEN);
    await screenshot(page, 'plant-store/docs.png');
    const run = page.getByRole('button', { name: /Test Request/ });
    await run.first().click();
    const form = page.getByRole('dialog');
    const body = await form.locator('.cm-content').first().textContent();
    expect(JSON.parse(body!)).toEqual({ id: 1, name: 'Monstera deliciosa', tag: 'tropical' });
    await form.getByRole('button', { name: /^Send/ }).first().click();
    const response = form.getByRole('region', { name: 'Response' });
    await response.getByText('200').first().waitFor();
    const created = await response.locator('.cm-content').first().textContent();
    expect(created).toContain('"name": "Monstera deliciosa"');
  });
});
