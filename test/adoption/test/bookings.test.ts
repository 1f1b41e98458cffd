import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readSettings, type Service, startService } from '@stubwright/service';
import { type TestClient, testClient } from 'stubwright/testing';
import type { operations } from '../generated/contract.ts';
import { service as options } from '../src/service.ts';

let service: Service;
let writer: TestClient<operations>;
let reader: TestClient<operations>;
let anonymous: TestClient<operations>;

before(async () => {
  const settings = readSettings({
    PORT: '0',
    LOG_LEVEL: 'silent',
    API_TOKENS: 'write-token scope=bookings:write,read-token scope=bookings:read',
  });
  service = await startService({ ...options, settings });
  const clientWith = (headers: Record<string, string>) =>
    testClient<operations>({ contract: 'generated/contract.json', target: service.url, headers });
  writer = await clientWith({ Authorization: 'Bearer write-token' });
  reader = await clientWith({ Authorization: 'Bearer read-token' });
  anonymous = await clientWith({});
});
after(() => service.stop());

describe('create-booking', () => {
  it('stores a booking, which get-booking returns', async () => {
    const body = { sailing: 9007199254740993n, passenger: 'Ann', notify: 'https://a.test/paid' };
    const created = await writer.call('create-booking', { body });
    assert.equal(created.status, 201);
    assert.deepEqual(created.body, { ...body, id: 1n, seats: 1 });
    const found = await reader.call('get-booking', { path: { id: 1n } });
    assert.deepEqual(found.body, created.body);
  });

  it('reads XML', async () => {
    const xml = '<booking><sailing>7</sailing><passenger>Bo</passenger><seats>2</seats></booking>';
    const response = await writer.fetch('/bookings', {
      method: 'POST',
      headers: { 'Content-Type': 'application/xml' },
      body: xml,
    });
    assert.equal(response.status, 201);
  });

  it('returns 400 as problem details for an empty passenger', async () => {
    const body = { sailing: 7n, passenger: '' };
    const response = await writer.call('create-booking', { body });
    assert.equal(response.status, 400);
  });

  it('returns 409 as problem details when no seat is left', async () => {
    const body = { sailing: 7n, passenger: 'Cy', seats: 2 };
    const response = await writer.call('create-booking', { body });
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
    assert.equal((await reader.call('get-booking', { path })).status, 404);
    assert.equal((await anonymous.call('get-booking', { path })).status, 401);
    assert.equal((await writer.call('get-booking', { path })).status, 403);
  });
});

it('the other operations are mocked', async () => {
  const sailings = await anonymous.call('listSailings', { query: { limit: 2 } });
  assert.equal(sailings.status, 200);
  const path = { id: 1n };
  assert.equal((await writer.call('cancel-booking', { path })).status, 204);
});

it('every declared JSON response of the handlers was received', () => {
  const seen = new Set([writer, reader, anonymous].flatMap((client) => [...client.seen]));
  const declared = [...seen, ...writer.uncovered()];
  const handled = declared.filter((each) => /^(?:create|get)-booking .*json/.test(each));
  assert.ok(handled.length >= 5);
  assert.deepEqual(
    handled.filter((each) => !seen.has(each)),
    [],
  );
});
