// A client of each version, as `stubwright client` wrote it from the release, against one service.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { unwrap } from '@stubwright/client';
import { type Service, startService } from '@stubwright/service';
import * as v1 from '../client/1.0.0/index.js';
import * as v2 from '../client/2.0.0/index.js';
import * as v3 from '../client/3.0.0/index.js';
import * as v4 from '../client/4.0.0/index.js';
import * as v5 from '../client/5.0.0/index.js';
import { service as options } from '../src/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'parcels-'));
const services: Service[] = [];
after(async () => {
  for (const each of services) await each.stop();
  rmSync(folder, { recursive: true });
});

async function start(compatibility = 'compatibility.yaml'): Promise<Service> {
  const DATABASE_URL = `sqlite:${folder}/${services.length}.db`;
  const env = { PORT: '0', LOG_LEVEL: 'silent', LAG_LIMIT: '60000', DATABASE_URL };
  const started = await startService({ ...options, env, compatibility });
  services.push(started);
  return started;
}

/** Paths in compatibility.yaml are relative to it. */
async function startWithDefault(version: string): Promise<Service> {
  const file = `default-${version}.yaml`;
  const text = readFileSync('compatibility.yaml', 'utf8');
  writeFileSync(file, text.replace('served:', `served:\n  default: '${version}'`));
  try {
    return await start(file);
  } finally {
    rmSync(file);
  }
}

interface ClientOptions {
  readonly baseUrl: string;
  readonly headers?: Record<string, string>;
}

const NOTE = 'n'.repeat(100);
const SHORT = 'n'.repeat(50);

/** What a program of each version sends, and what it gets. */
const programs = {
  async '1.0.0'(client: ClientOptions) {
    const parcels = v1.createClient(client);
    const body = { recipient: 'Ada Lovelace', weight: 750, note: NOTE };
    const { id, ...sent } = unwrap(await parcels.sendParcel({ body }));
    assert.deepEqual(sent, { ...body, note: SHORT, state: 'announced' });
    const { parcels: listed } = unwrap(await parcels.listParcels());
    assert.deepEqual(listed.at(-1), { id, ...sent });
    assert.equal((await parcels.deleteParcel({ path: { id } })).status, 204);
    // 410 in 4.0.0.
    assert.equal((await parcels.getParcel({ path: { id } })).status, 404);
  },
  async '2.0.0'(client: ClientOptions) {
    const parcels = v2.createClient(client);
    const body = { recipient: 'Ada', grams: 750 };
    const { id, ...sent } = unwrap(await parcels.sendParcel({ body }));
    assert.deepEqual(sent, { ...body, state: 'announced' });
    assert.equal((await parcels.deleteParcel({ path: { id } })).status, 204);
    assert.equal((await parcels.deleteParcel({ path: { id } })).status, 404);
  },
  async '3.0.0'(client: ClientOptions) {
    const parcels = v3.createClient(client);
    const body = { givenName: 'Ada', familyName: 'Lovelace', grams: 750, note: SHORT };
    const { id, ...sent } = unwrap(await parcels.sendParcel({ body }));
    assert.deepEqual(sent, { ...body, state: 'announced' });
    await parcels.scanParcel({ path: { id }, body: { place: 'Leipzig', state: 'delivered' } });
    assert.equal((await parcels.deleteParcel({ path: { id } })).status, 409);
  },
  async '4.0.0'(client: ClientOptions) {
    const parcels = v4.createClient(client);
    const body = { familyName: 'Lovelace', grams: 750 };
    const { id } = unwrap(await parcels.sendParcel({ body }));
    for (const state of ['underway', 'delivered'] as const) {
      await parcels.scanParcel({ path: { id }, body: { place: 'Leipzig', state } });
    }
    const events = unwrap(await parcels.watchParcel({ path: { id } }));
    const data = await Array.fromAsync(events!, (event) => event.data);
    assert.deepEqual(data, [
      { place: 'Leipzig', state: 'underway' },
      { place: 'Leipzig', state: 'delivered' },
    ]);
  },
  async '5.0.0'(client: ClientOptions) {
    const parcels = v5.createClient(client);
    const body = { familyName: 'Lovelace', grams: 750, service: 'express' } as const;
    const { id, ...sent } = unwrap(await parcels.sendParcel({ body }));
    assert.deepEqual(sent, { ...body, state: 'announced' });
    await parcels.cancelParcel({ path: { id }, query: { reason: 'sent twice' } });
    assert.equal((await parcels.getParcel({ path: { id } })).status, 410);
  },
};
const versions = Object.keys(programs) as (keyof typeof programs)[];

describe('the client of each version', () => {
  let url: string;
  before(async () => {
    ({ url } = await start());
  });

  for (const version of versions) {
    const run = programs[version];
    // The current version has no path of its own.
    const path = version === '5.0.0' ? '' : `/v${version[0]}`;
    it(`${version} by path`, () => run({ baseUrl: url + path }));
    it(`${version} by header`, () => run({ baseUrl: url, headers: { 'Api-Version': version } }));
    it(`${version} by default`, async () =>
      run({ baseUrl: (await startWithDefault(version)).url }));
  }

  it('sees the parcels of the others', async () => {
    const newest = v5.createClient({ baseUrl: url });
    const oldest = v1.createClient({ baseUrl: `${url}/v1` });
    const body = { recipient: 'Grace Brewster Hopper', weight: 2000 };
    const { id } = unwrap(await oldest.sendParcel({ body }));
    const named = { givenName: 'Grace Brewster', familyName: 'Hopper' };
    assert.deepEqual(unwrap(await newest.getParcel({ path: { id } })), {
      ...{ id, ...named, grams: 2000, service: 'standard', state: 'announced' },
    });
    for (const state of ['underway', 'held', 'delivered'] as const) {
      await newest.scanParcel({ path: { id }, body: { place: 'Leipzig', state } });
      const { state: seen } = unwrap(await oldest.getParcel({ path: { id } }));
      assert.equal(seen, state === 'held' ? 'underway' : state);
    }
    // An event that 1.0.0 has no state for is left out.
    const [first, ...others] = await Array.fromAsync(
      unwrap(await oldest.watchParcel({ path: { id } }))!,
    );
    assert.deepEqual(
      [first, ...others].map((event) => event?.data.state),
      ['underway', 'delivered'],
    );
    const headers = { 'Last-Event-ID': first!.id };
    const again = await oldest.watchParcel({ path: { id } }, { headers });
    assert.deepEqual(await Array.fromAsync(unwrap(again)!), others);
  });
});
