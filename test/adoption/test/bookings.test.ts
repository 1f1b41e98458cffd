import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createLog, readSettings, type Service } from 'stubwright/service';
import { type TestClient, testClient } from 'stubwright/testing';
import type { operations } from '../generated/contract.ts';
import { start } from '../src/service.ts';

let service: Service;
let client: TestClient<operations>;
const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

before(async () => {
  const settings = readSettings({ PORT: '0' });
  const tokens = ['write-token bookings:write', 'read-token bookings:read'];
  service = await start(settings, tokens, createLog('silent'));
  client = await testClient<operations>({
    contract: 'generated/contract.json',
    target: service.url,
  });
});
after(() => service.stop());

describe('create-booking', () => {
  it('stores a booking, which get-booking returns', async () => {
    const body = { sailing: 9007199254740993n, passenger: 'Ann', notify: 'https://a.test/paid' };
    const created = await client.call('create-booking', { body, ...as('write-token') });
    assert.equal(created.status, 201);
    assert.deepEqual(created.body, { ...body, id: 1n, seats: 1 });
    const found = await client.call('get-booking', { path: { id: 1n }, ...as('read-token') });
    assert.deepEqual(found.body, created.body);
  });

  it('reads XML', async () => {
    const xml = '<booking><sailing>7</sailing><passenger>Bo</passenger><seats>2</seats></booking>';
    const response = await client.fetch('/bookings', {
      method: 'POST',
      headers: { 'Content-Type': 'application/xml', Authorization: 'Bearer write-token' },
      body: xml,
    });
    assert.equal(response.status, 201);
  });

  it('returns 409 as problem details when no seat is left', async () => {
    const body = { sailing: 7n, passenger: 'Cy', seats: 2 };
    const response = await client.call('create-booking', { body, ...as('write-token') });
    assert.equal(response.status, 409);
    assert.deepEqual(response.body, {
      type: 'about:blank',
      title: 'Conflict',
      status: 409,
      detail: '1 seats are left',
    });
  });
});

describe('get-booking', () => {
  it('returns 404, 401 and 403', async () => {
    const path = { id: 404n };
    assert.equal((await client.call('get-booking', { path, ...as('read-token') })).status, 404);
    assert.equal((await client.call('get-booking', { path })).status, 401);
    assert.equal((await client.call('get-booking', { path, ...as('write-token') })).status, 403);
  });
});

it('the other operations are mocked', async () => {
  const sailings = await client.call('listSailings', { query: { limit: 2 } });
  assert.equal(sailings.status, 200);
  const path = { id: 1n };
  assert.equal((await client.call('cancel-booking', { path, ...as('any') })).status, 204);
});

it('every declared response of the handlers is covered', () => {
  const handled = client.uncovered().filter((each) => /^(?:create|get)-booking .*json/.test(each));
  assert.deepEqual(handled, []);
});
