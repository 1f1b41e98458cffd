// The page of the documentation in a real Chromium, against the real service.
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Browsed, chromiumPath, launch, openPage } from '@stubwright/test-support/browser';
import { withFiles } from '@stubwright/test-support/contractFiles';
import { startTestService, type TestService, TOKEN } from '@stubwright/test-support/service';
import { inTestAll } from '@stubwright/test-support/testAll';
import type { Browser, Page } from 'playwright-core';

if (chromiumPath === undefined) {
  process.stderr.write(
    'SKIPPED: packages/service/test/docs/page.test.ts found no Chromium; set CHROMIUM_PATH\n',
  );
}
const inChromium = chromiumPath === undefined ? describe.skip : describe;

// A browser on a busy machine takes its time to start.
jest.setTimeout(600_000);

let browser: Browser | undefined;
let service: TestService | undefined;
let browsed: Browsed | undefined;

beforeAll(async () => {
  if (chromiumPath !== undefined) browser = await launch(chromiumPath);
});
afterAll(() => browser?.close());
afterEach(async () => {
  await browsed?.close();
  await service?.remove();
  service = browsed = undefined;
});

async function open(env: Record<string, string> = {}): Promise<Browsed & { url: string }> {
  service = await startTestService(env);
  browsed = await openPage(browser!);
  await browsed.page.goto(`${service.url}/docs`);
  await browsed.page.waitForSelector('.opblock');
  return { ...browsed, url: service.url };
}

async function authorize(page: Page, token: string): Promise<void> {
  await page.click('.btn.authorize');
  await page.fill('.auth-container input', token);
  await page.click('.auth-btn-wrapper .authorize');
  await page.click('.auth-btn-wrapper .btn-done');
}

/** Executes what is open and waits for a status to be shown; @returns the body shown with it */
async function execute(page: Page, status: number): Promise<string> {
  await page.click('.btn.execute');
  const shown = page.locator('.live-responses-table .response', { hasText: `${status}` });
  return (await shown.first().locator('.highlight-code').first().textContent()) ?? '';
}

inChromium('GET /docs in a browser', () => {
  it('stores a toy with the bearer token, and shows the 409 for another under its id', async () => {
    const { page, requests, faults, url } = await open();
    await authorize(page, TOKEN);
    await page.click('.opblock-summary-control');
    await page.waitForSelector('textarea.body-param__text');
    expect(JSON.parse(await page.inputValue('textarea.body-param__text'))).toEqual({
      id: 1,
      name: 'Teddy bear',
      tag: 'soft',
    });
    const created = await execute(page, 200);
    expect(created).toContain('"name": "Teddy bear"');

    await page.fill('textarea.body-param__text', '{"id":1,"name":"another"}');
    const refused = await execute(page, 409);
    expect(refused).toContain('"message": "id 1 holds another toy"');

    expect(faults).toEqual([]);
    expect(requests.filter((each) => !each.split(' ')[1]!.startsWith(url))).toEqual([]);
  });

  inTestAll(it)('runs only scripts of its own host', async () => {
    const { page, faults } = await open();
    const ran = await page.evaluate(`
      const script = document.createElement('script');
      script.textContent = 'document.title = "inline"';
      document.body.append(script);
      document.title;
    `);
    expect(ran).toBe('Toy store');
    expect(faults).toEqual([expect.stringContaining("script-src 'self'")]);
  });

  inTestAll(it)(
    'sends integers of 19 digits exactly to its own origin, and displays them exactly',
    async () => {
      const contract = `
openapi: 3.0.3
info: {title: Exact, version: '1'}
paths:
  /things/{id}:
    put:
      operationId: putThing
      parameters:
        - {name: id, in: path, required: true, example: '9007199254740995', schema: {type: integer, format: int64}}
      requestBody:
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Thing'}
            example: {id: 9007199254740993}
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Thing'}
              example: {id: 1, serial: 9223372036854775807}
components:
  schemas:
    Thing:
      type: object
      properties: {id: {type: integer, format: int64}, serial: {type: integer, format: int64}}
`;
      await withFiles({ 'exact.yaml': contract }, async (_load, folder) => {
        const { page, requests, url } = await open({
          CONTRACT: `${folder}/exact.yaml`,
          MOCK: 'all',
          BASE_URL: 'https://elsewhere.example/api/v1',
        });
        await page.click('.opblock-summary-control');
        await page.waitForSelector('textarea.body-param__text');
        expect(await page.inputValue('textarea.body-param__text')).toContain('9007199254740993');
        const body = await execute(page, 200);
        expect(requests.at(-1)).toBe(
          `PUT ${url}/things/9007199254740995 {\n  "id": 9007199254740993\n}`,
        );
        expect(body).toContain('9223372036854775807');
      });
    },
  );

  inTestAll(it)(
    'sends the items of a sequence, shows XML by its node types, and marks unserved methods',
    async () => {
      const contract = `
openapi: 3.2.0
info: {title: Shown, version: '1'}
paths:
  /toys:
    post:
      operationId: addToys
      requestBody: {required: true, content: {application/jsonl: {itemSchema: {$ref: '#/components/schemas/Toy'}, example: [{id: 9007199254740993, name: a}, {id: 2, name: b}]}}}
      responses: {'200': {description: ok, content: {application/xml: {schema: {$ref: '#/components/schemas/Toy'}}}}}
    additionalOperations:
      CONNECT: {operationId: connectToy, responses: {'204': {description: none}}}
components:
  schemas:
    Toy:
      type: object
      required: [id, name]
      xml: {name: toy}
      properties: {id: {type: integer, format: int64, example: 7, xml: {nodeType: attribute}}, name: {type: string, example: Bär, xml: {nodeType: cdata}}}
`;
      await withFiles({ 'shown.yaml': contract }, async (_load, folder) => {
        const { page, faults } = await open({ CONTRACT: `${folder}/shown.yaml`, MOCK: 'all' });
        const summaries = await page.locator('.opblock-summary-description').allTextContents();
        expect(summaries).toEqual(['', 'Not served']);
        await page.click('.opblock-summary-control');
        await page.waitForSelector('textarea.body-param__text');
        expect(await page.inputValue('textarea.body-param__text')).toBe(
          '{"id":9007199254740993,"name":"a"}\n{"id":2,"name":"b"}\n',
        );
        const shown = await page.locator('.responses-inner').textContent();
        expect(shown).toContain('<toy id="7"><![CDATA[Bär]]></toy>');
        expect(await execute(page, 200)).toContain('<toy id="7"><![CDATA[Bär]]></toy>');
        expect(faults).toEqual([]);
      });
    },
  );
});
