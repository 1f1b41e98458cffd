// The converters of docs/examples/versions, from the oldest version to the newest and back.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadContractFiles } from '@stubwright/cli/loader';
import { type Service, type ServiceOptions, startService } from '@stubwright/service';
import { isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { ResponseCheck } from 'stubwright/internals';
import { temporaryFolder } from './support/service.ts';

const EXAMPLE = resolve('docs/examples/versions');
const folder = temporaryFolder();
let service: Service;

beforeAll(async () => {
  const compatibility = join(folder.path, 'compatibility.yaml');
  // Without generated files: the contracts are those of the releases.
  const text = readFileSync(join(EXAMPLE, 'compatibility.yaml'), 'utf8').replaceAll(
    /( +)- version: '(.*)'\n/g,
    (
      entry,
      indent,
      version,
    ) => `${entry}${indent}  contract: ${EXAMPLE}/test/released/${version}.yaml
${indent}  converters: ${EXAMPLE}/src/versions/${version}.ts\n`,
  );
  writeFileSync(compatibility, text);
  // Not by its name: its types are those of files that are not generated.
  const module = pathToFileURL(join(EXAMPLE, 'src/service.ts')).href;
  const { service: options }: { service: ServiceOptions<unknown> } = await import(module);
  service = await startService({
    ...options,
    compatibility,
    env: {
      ...{ PORT: '0', LOG_LEVEL: 'silent', LAG_LIMIT: '60000' },
      CONTRACT: join(EXAMPLE, 'openapi.yaml'),
      DATABASE_URL: `sqlite:${join(folder.path, 'parcels.db')}`,
    },
  });
});
afterAll(async () => {
  await service?.stop();
  folder.remove();
});

async function send(method: string, path: string, body?: unknown) {
  const response = await fetch(service.url + path, {
    ...{ method, body: body === undefined ? null : JSON.stringify(body) },
    headers: { 'Content-Type': 'application/json' },
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}

describe('a parcel that 1.0.0 sends', () => {
  it('is one parcel in each version', async () => {
    const note = 'n'.repeat(100);
    const sent = await send('POST', '/v1/parcels', { recipient: 'Ada Lovelace', weight: 7, note });
    const { id } = sent.body;
    const shared = { id, note: note.slice(0, 50), state: 'announced' };
    expect(sent).toEqual({
      status: 201,
      body: { ...shared, recipient: 'Ada Lovelace', weight: 7 },
    });
    const names = { givenName: 'Ada', familyName: 'Lovelace' };
    const bodies = ['/v2', '/v3', '/v4', ''].map((path) => send('GET', `${path}/parcels/${id}`));
    expect((await Promise.all(bodies)).map(({ body }) => body)).toEqual([
      { ...shared, recipient: 'Ada Lovelace', grams: 7 },
      { ...shared, ...names, grams: 7 },
      { ...shared, ...names, grams: 7 },
      { ...shared, ...names, grams: 7, service: 'standard' },
    ]);
  });

  it('is cancelled by an operation that 4.0.0 does not have', async () => {
    const { body } = await send('POST', '/v1/parcels', { recipient: 'Ada', weight: 7 });
    expect((await send('DELETE', `/v1/parcels/${body.id}`)).status).toBe(204);
    const paths = ['/v1', '/v2', '/v3', '/v4', ''];
    const replies = await Promise.all(
      paths.map((path) => send('GET', `${path}/parcels/${body.id}`)),
    );
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 410, 410]);
  });

  it('has another state, and no event, where 4.0.0 does not have its state', async () => {
    const { body } = await send('POST', '/v1/parcels', { recipient: 'Ada', weight: 7 });
    const seen: string[] = [];
    for (const state of ['underway', 'held', 'delivered']) {
      await send('POST', `/parcels/${body.id}/scans`, { place: 'Leipzig', state });
      seen.push((await send('GET', `/v1/parcels/${body.id}`)).body.state);
    }
    expect(seen).toEqual(['underway', 'underway', 'delivered']);
    const eventsOf = async (path: string) => {
      const { body: events } = await send('GET', `${path}/parcels/${body.id}/scans`);
      return events.match(/\b(?:underway|held|delivered)\b/g);
    };
    expect(await eventsOf('/v1')).toEqual(['underway', 'delivered']);
    expect(await eventsOf('')).toEqual(['underway', 'held', 'delivered']);
  });

  it('returns each recipient as it was sent', async () => {
    const recipients = fc.string({ unit: fc.constantFrom(...'aB -\n\u{1f4e6}'), minLength: 1 });
    await fc.assert(
      fc.asyncProperty(recipients, async (recipient) => {
        const { status, body } = await send('POST', '/v1/parcels', { recipient, weight: 7 });
        expect({ status, recipient: body.recipient }).toEqual({ status: 201, recipient });
      }),
      { numRuns: isTestAll ? 30 : 10 },
    );
  });
});

describe('generated requests of 1.0.0', () => {
  const anyText = fc.string({ unit: 'grapheme-composite', maxLength: 120 });
  const state = fc.constantFrom('announced', 'underway', 'held', 'delivered', '');
  const parcel = fc.record(
    {
      recipient: anyText,
      weight: fc.oneof(fc.integer({ min: -1, max: 30_001 }), fc.double()),
      note: anyText,
    },
    { requiredKeys: [] },
  );
  const scan = fc.record({ place: anyText, state }, { requiredKeys: ['place'] });
  /** Most ids exist. */
  const id = fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 40 }) },
    { weight: 1, arbitrary: fc.constantFrom(0, -1, 10 ** 9, 'x') },
  );
  const requests = fc.oneof(
    { weight: 30, arbitrary: fc.tuple(fc.constant('sendParcel'), id, parcel) },
    { weight: 30, arbitrary: fc.tuple(fc.constant('scanParcel'), id, scan) },
    { weight: 20, arbitrary: fc.tuple(fc.constantFrom('getParcel', 'watchParcel'), id) },
    { weight: 5, arbitrary: fc.tuple(fc.constant('deleteParcel'), id) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('listParcels'), id) },
  );

  it('get the statuses and bodies that 1.0.0 declares', async () => {
    const { definition } = await loadContractFiles(join(EXAMPLE, 'test/released/1.0.0.yaml'));
    const responses = new ResponseCheck(definition, 'allow');
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(requests, async ([operationId, id, body]) => {
        const operation = definition.operations.find((each) => each.operationId === operationId)!;
        const { method } = operation;
        const response = await fetch(
          `${service.url}/v1${operation.path.replace('{id}', `${id}`)}`,
          {
            ...{
              method: method.toUpperCase(),
              body: body === undefined ? null : JSON.stringify(body),
            },
            headers: { 'Content-Type': 'application/json' },
          },
        );
        const bytes = Buffer.from(await response.arrayBuffer());
        const { status, headers } = response;
        const { violations } = await responses.check(operation, method, { status, headers, bytes });
        expect({ violations, isError: status >= 500 }).toEqual({ violations: [], isError: false });
        const key = `${operationId} ${status}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }),
      { numRuns: isTestAll ? 2_000 : 300 },
    );
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining([
        ...['sendParcel 201', 'sendParcel 400', 'scanParcel 204', 'scanParcel 409'],
        ...['getParcel 200', 'getParcel 404', 'watchParcel 200', 'watchParcel 404'],
        ...['deleteParcel 204', 'deleteParcel 404', 'listParcels 200'],
      ]),
    );
  });
});
