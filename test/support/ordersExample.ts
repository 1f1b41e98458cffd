// Tests of docs/examples/orders, which starts as its README says: over HTTP, and its page in Chromium.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browsed, browse, chromiumPath } from '@stubwright/test-support/browser';
import { freePort } from './freePort.ts';

const KEY = { 'X-API-Key': 'key-of-the-warehouse' };
const PATCH = { 'Content-Type': 'application/merge-patch+json' };

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** @param folderOf with the installed example; called after `beforeAll` */
export function describeOrders(folderOf: () => string): void {
  let server: ChildProcess;
  let ended: Promise<unknown>;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    server = spawn('npm', ['start'], {
      ...{ cwd: folderOf(), detached: true, stdio: ['ignore', 'ignore', 'inherit'] },
      env: { ...process.env, PORT: String(port), NODE_OPTIONS: '', DATABASE_URL: 'sqlite:test.db' },
    });
    ended = once(server, 'exit');
    const failed = ended.then(() => Promise.reject(new Error('npm start ended')));
    await Promise.race([failed, started(url)]);
  });
  afterAll(async () => {
    process.kill(-server.pid!, 'SIGTERM');
    await ended;
  });

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
      await browsed.page.goto(url);
      await browsed.page.fill('[name=name]', 'ada');
      await browsed.page.click('text=Sign in');
    });
    afterAll(() => browsed?.close());

    const listed = async (count: number) => {
      await browsed.page.waitForFunction(`document.querySelectorAll('li').length === ${count}`);
      const texts = await browsed.page.locator('li').allTextContents();
      return texts.map((text) => text.replace('Change', '').trim());
    };
    const order = async (item: string, quantity: number) => {
      await browsed.page.fill('[name=item]', item);
      await browsed.page.fill('[name=quantity]', String(quantity));
      await browsed.page.click('text=Order >> nth=-1');
    };

    it('places orders, and lists the newest first, page by page', async () => {
      for (const [at, item] of ['Aloe', 'Basil', 'Cactus'].entries()) {
        await order(item, at + 1);
        await listed(at + 1);
      }
      await order('Dill', 4);
      await browsed.page.waitForSelector('text=4 × Dill');
      expect(await listed(3)).toEqual(['4 × Dill', '3 × Cactus', '2 × Basil']);
      await browsed.page.click('text=More');
      expect((await listed(4)).at(-1)).toBe('1 × Aloe');
    });

    it('changes an order', async () => {
      await browsed.page.click('li >> nth=0 >> text=Change');
      await browsed.page.fill('li [name=quantity]', '9');
      await browsed.page.fill('[name=note]', 'Ring twice');
      await browsed.page.click('text=Save');
      await browsed.page.waitForSelector('text=9 × Dill');
      expect((await listed(4))[0]).toBe('9 × Dill Ring twice');
    });

    it('does not overwrite a change of somebody else', async () => {
      await browsed.page.click('li >> nth=0 >> text=Change');
      await browsed.page.waitForSelector('text=Save');
      const token = await (await fetch(`${url}/sign-in?name=ada`, { method: 'POST' })).text();
      const Authorization = `Bearer ${token}`;
      const list = await fetch(`${url}/orders`, { headers: { Authorization } });
      const changed = await fetch(`${url}/orders/${idIn(await list.text())}`, {
        method: 'PATCH',
        headers: { Authorization, ...PATCH, 'If-Match': '*' },
        body: '{"quantity":7}',
      });
      expect(changed.status).toBe(200);
      await browsed.page.fill('li [name=quantity]', '1');
      await browsed.page.click('text=Save');
      await browsed.page.waitForSelector('[role=alert]');
      await browsed.page.waitForSelector('text=7 × Dill');
      expect(browsed.faults).toEqual([]);
    });
  });
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function started(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.status === 200) return;
    await new Promise((next) => setTimeout(next, 50));
  }
}
