// Tests of docs/examples/orders, which starts as its README says: over HTTP, and its page in Chromium.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Browsed,
  browse,
  chromiumPath,
  overflowOf,
  screenshot,
  violationsOf,
} from '@stubwright/test-support/browser';
import { freePort } from '@stubwright/test-support/freePort';
import { type RunningProcess, startProcess } from '@stubwright/test-support/runningProcess';

const KEY = { 'X-API-Key': 'key-of-the-warehouse' };
const PATCH = { 'Content-Type': 'application/merge-patch+json' };

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** @param folderOf with the installed example; called after `beforeAll` */
export function describeOrders(folderOf: () => string): void {
  let server: RunningProcess;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    server = startProcess(['npm', 'start'], {
      ...{ cwd: folderOf(), detached: true },
      env: { ...process.env, PORT: String(port), NODE_OPTIONS: '', DATABASE_URL: 'sqlite:test.db' },
    });
    await server.responding(url);
  });
  afterAll(() => server.stop());

  const send = async (path: string, { method = 'GET', headers = {}, body }: Sent = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...KEY, ...(body !== undefined && JSON_TYPE), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };
  const place = (key: string, body: unknown) =>
    send('/orders', { method: 'POST', headers: { 'Idempotency-Key': key }, body });
  const idIn = (text: string) => /"id":(\d+)/.exec(text)![1];

  describe('the service of orders', () => {
    it('needs credentials', async () => {
      expect((await send('/orders', { headers: { 'X-API-Key': 'another' } })).status).toBe(401);
      expect((await send('/orders', { headers: { 'X-API-Key': '' } })).status).toBe(401);
    });

    it('places an order once for each key', async () => {
      const first = await place('a', { item: 'Monstera', quantity: 2, note: 'Ring twice' });
      expect([first.status, first.headers.get('etag')]).toEqual([201, '"1"']);
      const again = await place('a', { item: 'Monstera', quantity: 2, note: 'Ring twice' });
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect((await place('a', { item: 'Monstera', quantity: 3 })).status).toBe(422);
      expect((await send('/orders', { method: 'POST', body: {} })).status).toBe(400);
    });

    it('changes the order that the client has read', async () => {
      const id = idIn((await send('/orders')).text);
      const read = (headers = {}) => send(`/orders/${id}`, { headers });
      const change = (body: unknown, headers = {}) =>
        send(`/orders/${id}`, { method: 'PATCH', headers: { ...PATCH, ...headers }, body });
      expect((await read({ 'If-None-Match': '"1"' })).status).toBe(304);
      expect((await change({ quantity: 3 })).status).toBe(428);
      const changed = await change({ quantity: 3, note: null }, { 'If-Match': '"1"' });
      expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
      expect(JSON.parse(changed.text)).toMatchObject({ item: 'Monstera', quantity: 3 });
      expect(changed.text).not.toContain('note');
      expect((await read()).text).toBe(changed.text);
      expect((await change({ quantity: 4 }, { 'If-Match': '"1"' })).status).toBe(412);
      expect((await change({ quantity: 101 }, { 'If-Match': '"2"' })).status).toBe(422);
      expect(
        (await change({ placedAt: '2020-01-01T00:00:00Z' }, { 'If-Match': '"2"' })).status,
      ).toBe(422);
      expect((await read({ 'If-None-Match': '"1"' })).text).toBe(changed.text);
    });

    it('lists the orders of its caller page by page', async () => {
      for (const item of ['Fern', 'Cactus', 'Dill']) await place(item, { item, quantity: 1 });
      const first = await send('/orders');
      const itemsIn = (text: string) =>
        [...text.matchAll(/"item":"(\w+)"/g)].map(([, item]) => item);
      expect(itemsIn(first.text)).toEqual(['Dill', 'Cactus', 'Fern']);
      const [, next] = /<([^>]*)>; rel="next"/.exec(first.headers.get('link')!)!;
      const second = await send(next!);
      expect(itemsIn(second.text)).toEqual(['Monstera']);
      expect(JSON.parse(second.text).next).toBeUndefined();
      expect((await send(`${next}x`)).status).toBe(400);
      const token = await (await fetch(`${url}/sign-in?name=bob`, { method: 'POST' })).text();
      const bob = { headers: { 'X-API-Key': '', Authorization: `Bearer ${token}` } };
      expect(
        (await fetch(`${url}/orders`, { headers: { Authorization: `Bearer ${token}` } })).status,
      ).toBe(200);
      expect(itemsIn((await send('/orders', bob)).text)).toEqual([]);
      expect((await send(`/orders/${idIn(first.text)}`, bob)).status).toBe(404);
    });

    it('limits how many orders a caller places', async () => {
      const { headers } = await place('b', { item: 'Fern', quantity: 1 });
      const [, remaining] = /"createOrder";r=(\d+)/.exec(headers.get('ratelimit')!)!;
      for (let at = Number(remaining); at > 0; at--)
        await place('b', { item: 'Fern', quantity: 1 });
      const refused = await place('b', { item: 'Fern', quantity: 1 });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect((await send('/orders')).status).toBe(200);
    });
  });

  (chromiumPath === undefined ? describe.skip : describe)('the page of orders', () => {
    let browsed: Browsed;
    beforeAll(async () => {
      browsed = await browse(chromiumPath!);
      await signIn('ada');
    });
    afterAll(() => browsed?.close());

    const signIn = async (name: string) => {
      await browsed.page.goto(url);
      await browsed.page.getByLabel('Name').fill(name);
      await browsed.page.click('text=Sign in');
    };
    const orders = () => browsed.page.getByRole('region', { name: 'Your orders' });
    const listed = async (count: number) => {
      const items = orders().getByRole('listitem');
      await items.nth(count - 1).waitFor();
      expect(await items.count()).toBe(count);
      return (await items.locator('span').allTextContents()).map((text) => text.trim());
    };
    const click = (name: string) => browsed.page.getByRole('button', { name, exact: true }).click();

    it('orders the cart, and lists the newest first, page by page', async () => {
      for (const item of ['Aloe vera', 'Boston fern', 'Snake plant']) {
        await click(`Add ${item}`);
        await click('Place order');
        await orders().getByText(`1 × ${item}`).waitFor();
      }
      await click('Add Monstera deliciosa');
      await browsed.page.getByLabel('Quantity').fill('4');
      await click('Place order');
      await orders().getByText('4 × Monstera').waitFor();
      expect(await listed(3)).toEqual([
        '4 × Monstera deliciosa',
        '1 × Snake plant',
        '1 × Boston fern',
      ]);
      await click('More');
      expect((await listed(4)).at(-1)).toBe('1 × Aloe vera');
      await click('Add Aloe vera');
      await screenshot(browsed.page, 'examples/orders/shop.png');
      await click('Remove Aloe vera');
    });

    it('places one order for a double click, and for a click after a lost response', async () => {
      // The limit is 10 requests a minute for each customer.
      await signIn('eve');
      const sent: (string | undefined)[] = [];
      await browsed.page.route('**/orders', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        sent.push(route.request().headers()['idempotency-key']);
        // Two clicks, and two retries of the client for each.
        const isLost = sent.length <= 6;
        const response = await route.fetch();
        await (isLost ? route.abort() : route.fulfill({ response }));
      });
      await click('Add Boston fern');
      await browsed.page.getByRole('button', { name: 'Place order' }).dblclick();
      while (sent.length < 6) await new Promise((next) => setTimeout(next, 20));
      await click('Place order');
      await browsed.page.getByText('Your cart is empty').waitFor();
      await browsed.page.unroute('**/orders');
      expect(new Set(sent).size).toBe(1);
      expect(await listed(1)).toEqual(['1 × Boston fern']);
      await signIn('ada');
    });

    it('changes an order', async () => {
      await click('Change Monstera deliciosa');
      await browsed.page.getByLabel('New quantity').fill('9');
      await browsed.page.getByLabel('Note').fill('Ring twice');
      await click('Save');
      await orders().getByText('9 × Monstera deliciosa Ring twice').waitFor();
    });

    it('does not overwrite a change of somebody else', async () => {
      await click('Change Monstera deliciosa');
      await browsed.page.getByRole('button', { name: 'Save' }).waitFor();
      const token = await (await fetch(`${url}/sign-in?name=ada`, { method: 'POST' })).text();
      const Authorization = `Bearer ${token}`;
      const list = await (await fetch(`${url}/orders`, { headers: { Authorization } })).text();
      const [, id] = /"id":(\d+),"item":"Monstera/.exec(list)!;
      const changed = await fetch(`${url}/orders/${id}`, {
        method: 'PATCH',
        headers: { Authorization, ...PATCH, 'If-Match': '*' },
        body: '{"quantity":7}',
      });
      expect(changed.status).toBe(200);
      await browsed.page.getByLabel('New quantity').fill('1');
      await click('Save');
      await browsed.page.getByRole('alert').waitFor();
      await orders().getByText('7 × Monstera').waitFor();
      expect(browsed.faults).toEqual([]);
    });

    it.each(['light', 'dark'] as const)(
      'is accessible, 320 pixels wide: %s',
      async (colorScheme) => {
        const { page } = browsed;
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width: 320, height: 900 });
        await click('Change Snake plant');
        await click('Add Aloe vera');
        await page.getByRole('button', { name: 'Save' }).first().waitFor();
        expect(await violationsOf(page)).toEqual([]);
        expect(await overflowOf(page)).toBe(0);
        await click('Remove Aloe vera');
        await click('Save');
      },
    );
  });
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
