// The generated client of the plant store: against the service, and in the page of the README in Chromium.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { browse, chromiumPath, overflowOf, violationsOf } from '@stubwright/test-support/browser';
import { freePort } from '@stubwright/test-support/freePort';
import { type RunningProcess, startProcess } from '@stubwright/test-support/runningProcess';
import { inTestAll } from '@stubwright/test-support/testAll';
import { parse } from 'yaml';
import {
  type AnyClient,
  type GeneratedClient,
  generatedClient,
} from '../../packages/cli/test/support/generatedClient.ts';
import { startTestService, storedPlants, type TestService, TOKEN } from '../support/service.ts';

const IDS = [1n, 9007199254740992n, 9007199254740993n, 9223372036854775807n, -9223372036854775808n];

describe('the generated client', () => {
  let service: TestService;
  let generated: GeneratedClient;
  let plants: AnyClient;

  beforeAll(async () => {
    service = await startTestService();
    generated = await generatedClient(parse(readFileSync('openapi.yaml', 'utf8')));
    plants = generated.createClient({ baseUrl: service.url }, { bearerAuth: TOKEN });
  });
  afterAll(() => service.remove());

  it('creates plants under their exact ids', async () => {
    const own = await startTestService();
    const client = generated.createClient({ baseUrl: own.url }, { bearerAuth: TOKEN });
    const replies = await Promise.all(
      IDS.map((id) => client['createPlant']!({ body: { id, name: `${id}`, tag: 'exact' } })),
    );
    expect(replies.map(({ status, body }) => ({ status, body }))).toEqual(
      IDS.map((id) => ({ status: 200, body: { name: `${id}`, tag: 'exact' } })),
    );
    const other = await client['createPlant']!({ body: { id: 9007199254740993n, name: 'other' } });
    expect(other).toMatchObject({ status: 409, body: { error: 40900 } });
    await own.stop();
    const stored = storedPlants(own.databaseFile).map(({ id, name }) => [id, name]);
    const sorted = IDS.toSorted((a, b) => (a < b ? -1 : 1));
    expect(stored).toEqual(sorted.map((id) => [id, `${id}`]));
    await own.remove();
  });

  it('rejects an id beyond int64 with the reply of the service', async () => {
    const reply = await plants['createPlant']!({ body: { id: 2n ** 63n, name: 'x' } });
    expect(reply).toMatchObject({
      status: 400,
      body: { message: '/id expected an int64 integer' },
    });
  });

  it('renews a rejected token, and returns the declared headers of a 401', async () => {
    const body = { id: 2n, name: 'Fern' };
    const renewing = generated.createClient(
      { baseUrl: service.url },
      { bearerAuth: ({ rejected }) => (rejected === undefined ? 'expired' : TOKEN) },
    );
    expect(await renewing['createPlant']!({ body })).toMatchObject({ status: 200 });
    const anonymous = generated.createClient({ baseUrl: service.url });
    expect(await anonymous['createPlant']!({ body })).toMatchObject({
      ...{ status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="plants"' } },
    });
  });

  it('sends a create again after a lost connection, which stores one plant', async () => {
    const own = await startTestService();
    let isLost = false;
    const lossy = generated.createClient(
      {
        baseUrl: own.url,
        retry: { baseDelayMs: 1 },
        async fetch(url, init) {
          const response = await fetch(url, init);
          if (isLost) return response;
          isLost = true;
          throw new TypeError('lost after it was stored');
        },
      },
      { bearerAuth: TOKEN },
    );
    expect(await lossy['createPlant']!({ body: { id: 3n, name: 'Ivy' } })).toMatchObject({
      ...{ status: 200, body: { name: 'Ivy' } },
    });
    await own.stop();
    expect(storedPlants(own.databaseFile)).toMatchObject([{ id: 3n, name: 'Ivy' }]);
    await own.remove();
  });
});

if (chromiumPath === undefined) {
  process.stderr.write('SKIPPED: test/api/client.test.ts found no Chromium; set CHROMIUM_PATH\n');
}
const inChromium = chromiumPath === undefined ? describe.skip : inTestAll(describe);

inChromium('the page of make page', () => {
  let served: RunningProcess;
  let service: TestService;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    service = await startTestService({ CORS_ORIGINS: new URL(url).origin });
    served = startProcess(['make', 'page', `PAGE_PORT=${port}`], { detached: true });
    await served.printed(new RegExp(url));
  });
  afterAll(async () => {
    await served.stop();
    await service.remove();
  });

  it('creates a plant under its exact id', async () => {
    const browsed = await browse(chromiumPath!);
    try {
      const { page, requests, faults } = browsed;
      await page.goto(url);
      await page.fill('[name=baseUrl]', service.url);
      await page.fill('[name=token]', TOKEN);
      await page.fill('[name=id]', '9223372036854775807');
      await page.click('button');
      const output = page.locator('output');
      await output.filter({ hasText: /\S/ }).waitFor();
      expect(await output.textContent()).toBe('Aloe vera is stored under 9223372036854775807');
      expect(faults).toEqual([]);
      await page.setViewportSize({ width: 320, height: 900 });
      expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], 0]);
      expect(requests.filter((each) => each.startsWith('POST'))).toEqual([
        `POST ${service.url}/plants {"id":9223372036854775807,"name":"Aloe vera"}`,
      ]);
    } finally {
      await browsed.close();
    }
    await service.stop();
    expect(storedPlants(service.databaseFile)).toMatchObject([{ id: 9223372036854775807n }]);
  });
});
