// The documentation page in a real Chromium, against the real service: requests, exact integers, credentials, axe.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type Browsed,
  chromiumPath,
  launch,
  openPage,
  overflowOf,
  violationsOf,
} from '@stubwright/test-support/browser';
import { withFiles } from '@stubwright/test-support/contractFiles';
import { startTestService, type TestService, TOKEN } from '@stubwright/test-support/service';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import type { Browser, Locator, Page } from 'playwright-core';

if (chromiumPath === undefined) {
  process.stderr.write(
    'SKIPPED: packages/service/test/docs/page.test.ts found no Chromium; set CHROMIUM_PATH\n',
  );
}
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const EVERYTHING = readFileSync(`${import.meta.dirname}/everything.yaml`, 'utf8');

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

type Opened = Browsed & { url: string };

async function open(env: Record<string, string> = {}, path = '/docs'): Promise<Opened> {
  service = await startTestService(env);
  browsed = await openPage(browser!);
  await browsed.page.goto(service.url + path);
  await browsed.page.waitForSelector('h1');
  return { ...browsed, url: service.url };
}

/** The same for a contract, mocked. */
function withPage(
  contract: string,
  run: (opened: Opened) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  return withFiles({ 'toy.yaml': contract }, async (_load, folder) =>
    run(await open({ CONTRACT: `${folder}/toy.yaml`, MOCK: 'all', ...env })),
  );
}

/** Opens the request form of the first operation. */
async function openForm(page: Page): Promise<Locator> {
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: /^Send/ }).first().waitFor();
  return form;
}

const responseBody = (form: Locator) =>
  form.getByRole('region', { name: 'Response' }).locator('.cm-content');

/** Sends the request and waits for the status; @returns the body that is shown */
async function send(form: Locator, status: number): Promise<string> {
  await form.getByRole('button', { name: /^Send/ }).first().click();
  await form.getByText(`${status}`).first().waitFor();
  return ((await responseBody(form).first().textContent()) ?? '').replaceAll('\u00a0', ' ');
}

const head = `openapi: 3.0.3\ninfo: {title: Toys, version: '1'}\n`;

inChromium('GET /docs in a browser', () => {
  it('stores a toy with the bearer token, shows the 409 for another, and requests no other host', async () => {
    const { page, requests, faults, url } = await open();
    await page
      .getByRole('textbox', { name: /Token/ })
      .or(page.getByPlaceholder('Token'))
      .first()
      .fill(TOKEN);
    const form = await openForm(page);
    const body = form.locator('.cm-content').first();
    expect(JSON.parse((await body.textContent())!)).toEqual({
      id: 1,
      name: 'Teddy bear',
      tag: 'soft',
    });
    expect(await send(form, 200)).toContain('"name": "Teddy bear"');
    await body.fill('{"id":1,"name":"another"}');
    expect(await send(form, 409)).toContain('"message": "id 1 holds another toy"');
    expect(faults).toEqual([]);
    expect(requests.filter((each) => !each.split(' ')[1]!.startsWith(`${url}/`))).toEqual([]);
  });

  it('runs no script of the contract, and none that is not a file of its host', async () => {
    const attack = `<img src="x" onerror="document.title = 1"><script>document.title = 2</script> [link](javascript:document.title=3)`;
    const contract = `${head.replace('Toys', "'</title><script>document.title = 4</script>'")}tags: [{name: toys, description: '${attack}'}]
paths: {/toys: {get: {tags: [toys], summary: '${attack}', description: '${attack}', responses: {'200': {description: '${attack}'}}}}}
`;
    await withPage(contract, async ({ page, faults }) => {
      const title = await page.title();
      expect(title).toContain('<script>');
      for (const link of await page.getByText('link', { exact: true }).all()) {
        await link.click({ noWaitAfter: true });
      }
      const ran = await page.evaluate(`
        const script = document.createElement('script');
        script.textContent = 'document.title = "inline"';
        document.body.append(script);
        document.title;
      `);
      expect(ran).toBe(title);
      expect(faults.at(-1)).toContain("script-src 'self'");
    });
  });

  it('sends integers of 19 digits exactly to its own origin, and displays them exactly', async () => {
    const contract = `${head}paths:
  /things/{id}:
    put:
      operationId: putThing
      parameters:
        - {name: id, in: path, required: true, example: 9007199254740995, schema: {type: integer, format: int64, maximum: 9223372036854775807}}
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
      properties: {id: {type: integer, format: int64, minimum: -9223372036854775807}, serial: {type: integer, format: int64, example: 9007199254740997}}
`;
    await withPage(
      contract,
      async ({ page, requests, url }) => {
        const shown = await page.locator('body').textContent();
        expect(shown).toContain('9007199254740993');
        expect(shown).toContain('9223372036854775807');
        expect(shown).toContain('minimum: -9223372036854775807');
        const form = await openForm(page);
        expect(await send(form, 200)).toContain('"serial": 9223372036854775807');
        expect(requests.at(-1)!.replaceAll(/\s+/g, ' ')).toMatch(
          `PUT ${url}/things/9007199254740995 {"id":9007199254740993}`,
        );
      },
      { BASE_URL: 'https://elsewhere.example/api/v1' },
    );
  });

  it('gets a token of an OAuth2 issuer on another origin by PKCE, and sends it', async () => {
    const grants: URLSearchParams[] = [];
    let challenge = '';
    const issuer = createServer(async (request, response) => {
      const url = new URL(request.url!, 'http://issuer');
      const asked = url.searchParams;
      if (url.pathname === '/authorize') {
        challenge = asked.get('code_challenge')!;
        const target = new URL(asked.get('redirect_uri')!);
        target.search = `${new URLSearchParams({ code: 'a-code', state: asked.get('state')! })}`;
        response.writeHead(302, { Location: target.href }).end();
        return;
      }
      const body = await request.toArray();
      grants.push(new URLSearchParams(Buffer.concat(body).toString()));
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.end(JSON.stringify({ access_token: TOKEN, token_type: 'Bearer' }));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => issuer.once('listening', resolve));
    const origin = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
    const contract = `${head}paths: {/toys: {get: {security: [{oauth: [read]}], responses: {'200': {description: ok}}}}}
components: {securitySchemes: {oauth: {type: oauth2, flows: {authorizationCode: {authorizationUrl: '${origin}/authorize', tokenUrl: '${origin}/token', scopes: {read: Read}}}}}}
`;
    await withPage(contract, async ({ page, faults, url }) => {
      const form = await openForm(page);
      await form.getByLabel('Client ID').fill('page');
      await form.getByRole('button', { name: 'Authorize' }).click();
      await form.getByText('Access Token').waitFor();
      const [grant] = grants;
      expect(Object.fromEntries(grant!)).toMatchObject({
        grant_type: 'authorization_code',
        code: 'a-code',
        redirect_uri: `${url}/docs`,
      });
      const verifier = createHash('sha256').update(grant!.get('code_verifier')!);
      expect(verifier.digest('base64url')).toBe(challenge);
      const sent = page.waitForRequest(`${url}/toys`);
      await form.getByRole('button', { name: /^Send/ }).first().click();
      expect(await (await sent).headerValue('authorization')).toBe(`Bearer ${TOKEN}`);
      expect(faults).toEqual([]);
    });
    issuer.close();
  });

  it.each(['oauth2', 'openIdConnect'])('accepts a pasted token for %s', async (type) => {
    const scheme =
      type === 'oauth2'
        ? `{type: oauth2, flows: {implicit: {authorizationUrl: 'https://issuer.example', scopes: {}}}}`
        : `{type: openIdConnect, openIdConnectUrl: 'https://issuer.example/meta'}`;
    const contract = `${head}security: [{login: []}]\npaths: {/toys: {get: {responses: {'200': {description: ok}}}}}\ncomponents: {securitySchemes: {login: ${scheme}}}\n`;
    await withPage(contract, async ({ page, url }) => {
      const form = await openForm(page);
      const choice = form.getByRole('button', { name: /Auth Type/ });
      await choice.click();
      await page.getByRole('option').first().click();
      await page.getByRole('option', { name: 'login (token)' }).first().click();
      await choice.click();
      await form.getByPlaceholder('Token').first().fill(TOKEN);
      const sent = page.waitForRequest(`${url}/toys`);
      await form.getByRole('button', { name: /^Send/ }).first().click();
      expect(await (await sent).headerValue('authorization')).toBe(`Bearer ${TOKEN}`);
    });
  });

  inTestAll(it)('finds an operation with the keyboard, and links it', async () => {
    await withPage(EVERYTHING, async ({ page, url }) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('Lists things');
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL((each) => each.hash.includes('/things'));
      expect(page.url()).toMatch(new RegExp(`^${url}/docs#.*get.*/things`, 'i'));
    });
  });
});

const VIEWS = [
  { colorScheme: 'dark', width: 320 },
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'dark', width: 1280 },
] as const;

inChromium('the page', () => {
  it.each(isTestAll ? VIEWS : VIEWS.slice(0, 2))(
    'is accessible: $colorScheme, $width px',
    async ({ colorScheme, width }) => {
      await withPage(EVERYTHING, async ({ page }) => {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.waitForSelector(`body.${colorScheme}-mode h1`);
        expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], 0]);
        await openForm(page);
        expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], 0]);
      });
    },
  );

  // notFound.test.ts has its responses.
  inTestAll(it).each(['light', 'dark'] as const)(
    'of an unknown path is accessible: %s',
    async (colorScheme) => {
      service = await startTestService();
      browsed = await openPage(browser!);
      const { page, faults } = browsed;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 320, height: 900 });
      await page.goto(`${service.url}/unknown`);
      expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], 0]);
      await page.click('a');
      await page.waitForURL(`${service.url}/docs`);
      expect(faults).toEqual([]);
    },
  );
});
