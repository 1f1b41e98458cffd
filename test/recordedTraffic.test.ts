// Who a change breaks, recorded by the plant store and by a proxy in front of it and of a mock of the
// ferries of test/adoption.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadContractFiles } from '@stubwright/cli/loader';
import { changesBetween } from '@stubwright/diff';
import { readSettings, startService } from '@stubwright/service';
import { readTraffic } from '@stubwright/traffic';
import fc from 'fast-check';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { recorder } from 'stubwright/recording';
import { startProxy } from '../packages/cli/src/proxy/proxy.ts';
import { Report } from '../packages/cli/src/proxy/validation.ts';
import { BrokenCallers } from '../packages/diff/src/traffic/brokenCallers.ts';
import { startTestService, TOKEN, temporaryFolder } from './support/service.ts';

const PLANTS = 'openapi.yaml';
const FERRIES = 'test/adoption/openapi.yaml';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

interface Sent {
  readonly caller: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Edit = readonly [from: string | RegExp, to: string];

const caller = fc.constantFrom('web', 'mobile', 'batch');
const json = { 'Content-Type': 'application/json' };
const xml = { 'Content-Type': 'application/xml' };
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const creating = fc
  .record({
    caller,
    id: fc.constantFrom('1', '4294967296', '9223372036854775807'),
    name: fc.constantFrom('Aloe', 'Monstera deliciosa', 'A'.repeat(40)),
    tag: optional(fc.constantFrom('tropical', 'a tag of more than sixteen characters')),
  })
  .map(({ caller, id, name, tag }): Sent => {
    const members = [`"id":${id}`, `"name":${JSON.stringify(name)}`];
    if (tag !== undefined) members.push(`"tag":${JSON.stringify(tag)}`);
    return { caller, method: 'POST', path: '/plants', headers: json, body: `{${members.join()}}` };
  });

const PLANT_EDITS: readonly Edit[] = [
  ['          required: [id]\n', '          required: [id, tag]\n'],
  [/( {4}Plant:[\s\S]*? {8}name:\n)/, '$1          maxLength: 20\n'],
  [/( {4}Plant:[\s\S]*? {8}tag:\n)/, '$1          maxLength: 16\n'],
  [
    '              format: int64\n',
    '              format: int64\n              maximum: 4294967296\n',
  ],
  ['  /plants:', '  /flowers:'],
  ['            application/json:\n', '            application/xml:\n'],
];

const calling = fc.oneof(
  fc
    .record({
      caller,
      from: optional(fc.constantFrom('Kiel', 'Aarhus')),
      limit: optional(fc.constantFrom(1, 50, 100)),
    })
    .map(({ caller, from, limit }): Sent => {
      const query = new URLSearchParams({
        ...(from !== undefined && { from }),
        ...(limit !== undefined && { limit: String(limit) }),
      });
      return { caller, method: 'GET', path: `/sailings?${query}` };
    }),
  fc
    .record({ caller, seats: optional(fc.constantFrom(1, 9)), isXml: fc.boolean() })
    .map(({ caller, seats, isXml }): Sent => {
      const body = isXml
        ? `<booking><sailing>7</sailing><passenger>Bo</passenger>${seats === undefined ? '' : `<seats>${seats}</seats>`}</booking>`
        : JSON.stringify({ sailing: 7, passenger: 'Ann', seats });
      return { caller, method: 'POST', path: '/bookings', headers: isXml ? xml : json, body };
    }),
  caller.map((caller): Sent => ({ caller, method: 'DELETE', path: '/bookings/7' })),
);

const FERRY_EDITS: readonly Edit[] = [
  ['maximum: 100', 'maximum: 50'],
  ['schema: { type: string, minLength: 1 }', 'schema: { type: string, maxLength: 4 }'],
  [
    'seats: { type: integer, minimum: 1, default: 1 }',
    'seats: { type: integer, minimum: 1, maximum: 4 }',
  ],
  ['required: [sailing, passenger]', 'required: [sailing, passenger, seats]'],
  ['          application/xml: { schema: { $ref: "#/components/schemas/NewBooking" } }\n', ''],
  ['    delete:', '    put:'],
];

/** @returns the callers that a service of the edited contract refuses */
async function refusedBy(contract: Loaded, sent: readonly Sent[]): Promise<string[]> {
  const serve = fetchHandler(await createApi({ contract, mock: 'all' }));
  const refused = new Set<string>();
  for (const { caller, method, path, headers, body } of sent) {
    const init = { method, headers: { ...headers, Authorization: 'Bearer token' } };
    const base = `http://localhost${contract.definition.operations[0]?.basePaths[0] ?? ''}`;
    const { status } = await serve(new Request(base + path, body ? { ...init, body } : init));
    if (status >= 400) refused.add(caller);
  }
  return [...refused].sort();
}

type Loaded = Awaited<ReturnType<typeof loadContractFiles>>;

async function editedContract(path: string, [from, to]: Edit): Promise<Loaded> {
  const text = readFileSync(path, 'utf8');
  const edited = text.replace(from, to);
  expect(edited).not.toBe(text);
  const { Contract } = await import('@stubwright/contract');
  const { parse } = await import('yaml');
  return {
    ...(await loadContractFiles(path)),
    definition: new Contract(parse(edited, { intAsBigInt: false })),
  };
}

/** Writes the requests as HAR, as another recording proxy does. */
function writeHar(sent: readonly Sent[]): void {
  const entries = sent.map(({ caller, method, path, headers, body }) => {
    const all = Object.entries({ ...headers, 'X-App': caller });
    const request = {
      ...{ method, url: `http://localhost${path}` },
      headers: all.map(([name, value]) => ({ name, value })),
      ...(body && { postData: { mimeType: headers!['Content-Type'], text: body } }),
    };
    return { startedDateTime: new Date().toISOString(), request };
  });
  writeFileSync(
    join(folder.path, 'traffic.jsonl'),
    entries.map((each) => `${JSON.stringify(each)}\n`).join(''),
  );
}

/** Sends the requests through a proxy that records. */
async function record(contract: Loaded, target: string, sent: readonly Sent[]): Promise<void> {
  const recording = recorder({
    ...{ file: join(folder.path, 'traffic.jsonl'), callerHeader: 'X-App' },
  });
  const lines: string[] = [];
  const proxy = await startProxy({
    ...{ definition: contract.definition, target: new URL(target), host: '127.0.0.1', port: 0 },
    ...{ refuses: false, bodyLimitBytes: 1e6, bodyMemoryBytes: 1e7, recorder: recording },
    ...{ undeclaredProperties: 'allow' as const, report: new Report((line) => lines.push(line)) },
  });
  try {
    await send(proxy.url, sent);
  } finally {
    await proxy.close();
    await recording.close();
  }
  expect(lines).toEqual([]);
}

async function send(url: string, sent: readonly Sent[]): Promise<void> {
  for (const { caller, method, path, headers, body } of sent) {
    const all = { ...headers, Authorization: `Bearer ${TOKEN}`, 'X-App': caller };
    const response = await fetch(url + path, { method, headers: all, ...(body && { body }) });
    await response.text();
    expect(response.status).not.toBe(400);
  }
}

async function callersIn(contract: Loaded, edited: Loaded, form: 'har' | 'counts') {
  const callers = new BrokenCallers(contract.definition, edited.definition);
  const files = readdirSync(folder.path)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder.path, name));
  const callerHeader = form === 'har' ? 'x-app' : undefined;
  const options = { cwd: folder.path, callerHeader };
  for await (const record of readTraffic(files, options)) await callers.add(record);
  const changes = changesBetween(contract, edited).filter(
    ({ severity, part }) => severity !== 'compatible' && !part.startsWith('response'),
  );
  const named = (key: 'broken' | 'possible') => {
    const all = changes.flatMap((change) => callers.evidenceFor(change)?.[key] ?? []);
    return [...new Set(all.map((each) => each.caller))].sort();
  };
  return { broken: named('broken'), possible: named('possible') };
}

describe.each([
  ['the plant store', PLANTS, creating, PLANT_EDITS],
  ['the ferries', FERRIES, calling, FERRY_EDITS],
] as const)('a proxy in front of %s', (_name, path, requests, edits) => {
  const traffic = () =>
    fc.sample(fc.array(requests, { minLength: 40, maxLength: 80 }), {
      numRuns: 1,
      seed: 7,
    })[0]!;

  async function started(): Promise<{ url: string; stop(): Promise<void> }> {
    if (path === PLANTS) {
      const service = await startTestService();
      return { url: service.url, stop: () => service.remove() };
    }
    const settings = readSettings({ PORT: '0', LOG_LEVEL: 'silent', MOCK: 'all', CONTRACT: path });
    return startService({ settings, contract: await loadContractFiles(path) });
  }

  it.each(['har', 'counts'] as const)(
    'with requests as %s names the callers that each of six edits breaks',
    async (form) => {
      const contract = await loadContractFiles(path);
      const sent = traffic();
      const service = await started();
      try {
        const { origin } = new URL(service.url);
        if (form === 'har') writeHar(basedOn(contract, sent));
        else await record(contract, origin, basedOn(contract, sent));
        let named = 0;
        for (const edit of edits) {
          const edited = await editedContract(path, edit);
          const refused = await refusedBy(edited, sent);
          named += refused.length;
          const { broken, possible } = await callersIn(contract, edited, form);
          if (form === 'har') expect([edit, broken]).toEqual([edit, refused]);
          else expect([edit, possible]).toEqual([edit, expect.arrayContaining(refused)]);
        }
        expect(named).toBeGreaterThan(6);
      } finally {
        await service.stop();
      }
    },
  );
});

function basedOn({ definition }: Loaded, sent: readonly Sent[]): Sent[] {
  const base = definition.operations[0]?.basePaths[0] ?? '';
  return sent.map((each) => ({ ...each, path: base + each.path }));
}

describe('the plant store', () => {
  it('records with RECORD, without a value of a request', async () => {
    const service = await startTestService({
      ...{ RECORD: join(folder.path, 'usage.jsonl'), RECORD_CALLER: 'X-App' },
    });
    await send(service.url, [
      {
        caller: 'web',
        method: 'POST',
        path: '/plants',
        headers: json,
        body: '{"id":9007199254740993,"name":"Secret fern"}',
      },
    ]);
    await service.remove();
    const [name = ''] = readdirSync(folder.path);
    const text = readFileSync(join(folder.path, name), 'utf8');
    for (const value of [TOKEN, 'Secret fern', '9007199254740993'])
      expect(text).not.toContain(value);
    expect(JSON.parse(text)).toMatchObject({
      ...{ caller: 'web', operation: 'POST /plants', requests: 1, responses: { 200: 1 } },
      parts: expect.arrayContaining([
        expect.objectContaining({ subject: 'request body', path: ['name'], count: 1 }),
      ]),
    });
  });
});
