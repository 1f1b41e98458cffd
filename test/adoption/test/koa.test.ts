import assert from 'node:assert/strict';
import type { AddressInfo, Server } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createApp } from '../src/koa.ts';

let server: Server;
let url: string;
before(async () => {
  server = (await createApp()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());

const authorized = { Authorization: 'Bearer t', 'Content-Type': 'application/json' };

describe('beside other middleware', () => {
  it('serves the contract after koa-bodyparser, exactly', async () => {
    const response = await fetch(`${url}/v1/bookings`, {
      method: 'POST',
      headers: { ...authorized, Origin: 'https://shop.test' },
      body: '{"sailing":9007199254740993,"passenger":"Ann"}',
    });
    assert.equal(response.status, 201);
    assert.equal(
      await response.text(),
      '{"sailing":9007199254740993,"passenger":"Ann","seats":1,"id":1}',
    );
    assert.equal(response.headers.get('access-control-allow-origin'), 'https://shop.test');
    assert.match(response.headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/);
  });

  it('lets outer middleware change an error', async () => {
    const response = await fetch(`${url}/v1/bookings/404`, { headers: authorized });
    assert.equal(response.status, 404);
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
    const { detail, requestId } = (await response.json()) as Record<string, unknown>;
    assert.equal(detail, 'no booking has the id 404');
    assert.equal(requestId, response.headers.get('x-request-id'));
  });

  it('leaves preflights to @koa/cors', async () => {
    const response = await fetch(`${url}/v1/bookings`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://shop.test', 'Access-Control-Request-Method': 'POST' },
    });
    assert.equal(response.status, 204);
    assert.equal(response.headers.get('access-control-allow-origin'), 'https://shop.test');
  });

  it('leaves other paths and methods to the router', async () => {
    assert.deepEqual(await (await fetch(`${url}/health`)).json(), { ok: true });
    const patched = await fetch(`${url}/v1/bookings/1`, {
      method: 'PATCH',
      headers: authorized,
      body: '{"seats":2}',
    });
    assert.deepEqual(await patched.json(), { seats: 2 });
    assert.equal((await fetch(`${url}/nowhere`)).status, 404);
    const unsupported = await fetch(`${url}/v1/bookings/1`, { method: 'PUT' });
    assert.equal(unsupported.status, 405);
  });
});
