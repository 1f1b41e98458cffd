// A service with an older version of its contract, as its files declare it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { inTestAll } from '@stubwright/test-support/testAll';
import { generatedClient } from '../../cli/test/support/generatedClient.ts';
import { createLog, readSettings, type Service, startService } from '../src/index.ts';
import { requestsOf } from './support/logLines.ts';

const document = (version: string, property: string, fields: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Toys', version },
  paths: {
    '/toys': {
      get: {
        ...{ operationId: 'getToy', security: [{ bearer: [] }], ...fields },
        responses: {
          '200': {
            description: 'ok',
            content: {
              'application/json': {
                schema: {
                  ...{ type: 'object', required: [property], additionalProperties: false },
                  properties: { [property]: { type: 'string' } },
                },
              },
            },
          },
          '429': { description: 'too many' },
        },
      },
    },
  },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
});

const folder = temporaryFolder();
afterAll(folder.remove);
const write = (name: string, text: string) => {
  writeFileSync(join(folder.path, name), text);
  return join(folder.path, name);
};

const CONVERTERS = `export const converters = { operations: { getToy: {
  reply: ({ status, body }) => ({ status, body: { name: body.title } }),
} } };`;

const compatibility = (rest = '') => `
severities: {}
served:
  header: Api-Version
  versions:
    - version: '1.4.0'
      path: /v1
      until: 2027-06-30
      contract: 1.4.0.json
      converters: 1.4.0.mjs
${rest}`;

interface StartOptions {
  readonly pin?: (principal: { readonly name: string }) => string | undefined;
  /** Of the operation of the current contract. */
  readonly fields?: object;
}

let service: Service | undefined;
let output = '';
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

async function start(
  file: string,
  env: Record<string, string> = {},
  { pin, fields = {} }: StartOptions = {},
): Promise<Service> {
  output = '';
  const definition = new Contract(document('2.0.0', 'title', fields) as never);
  service = await startService({
    settings: readSettings({
      ...{ PORT: '0', API_TOKENS: 'a-token-of-the-test name=web', ...env },
    }),
    contract: {
      ...{ definition, warnings: [], files: [] },
      publish: async () => ({ text: 'the current contract', servers: [0, 0] }),
    },
    log: createLog('info', { write: (text) => (output += text) }),
    handlers: { getToy: () => ({ status: 200, body: { title: 'robot' } }) } as never,
    verifiers: (verify) => ({ bearer: verify }),
    compatibility: file,
    pin,
  });
  return service;
}

const headers = { Authorization: 'Bearer a-token-of-the-test' };

describe('a service with a served version', () => {
  write('1.4.0.json', JSON.stringify(document('1.4.0', 'name')));
  write('1.4.0.mjs', CONVERTERS);
  const file = write('compatibility.yaml', compatibility());

  it.each(['development', 'production'])('does not start without its files: %s', async (mode) => {
    const named = (name: string) =>
      write('missing.yaml', compatibility().replace(name, `missing-${name}`));
    for (const name of ['1.4.0.json', '1.4.0.mjs']) {
      await expect(start(named(name), { NODE_ENV: mode })).rejects.toMatchObject({
        name: 'ConfigError',
        message: expect.stringMatching(
          new RegExp(`serves version 1.4.0, expected its file missing-${name}$`),
        ),
      });
    }
  });

  it('does not start if the configuration was not copied, but what is generated for it', async () => {
    const copied = temporaryFolder();
    mkdirSync(join(copied.path, 'generated/versions'), { recursive: true });
    const without = join(copied.path, 'compatibility.yaml');
    await (await start(without)).stop();
    writeFileSync(join(copied.path, 'generated/versions/1.4.0.json'), '{}');
    await expect(start(without)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/^generated\/versions has served versions, but .* names none/),
    });
    service = undefined;
    copied.remove();
  });

  it('has the rate limit of the operation in the current contract', async () => {
    const limit = { 'x-rate-limit': { requests: 2, window: '1h' } };
    const { url } = await start(file, {}, { fields: limit });
    const read = async (path: string) => {
      const response = await fetch(url + path, { headers });
      return [response.status, response.headers.get('ratelimit')?.split(';t=')[0]];
    };
    expect(await read('/v1/toys')).toEqual([200, '"getToy";r=1']);
    expect(await read('/toys')).toEqual([200, '"getToy";r=0']);
    expect(await read('/v1/toys')).toEqual([429, '"getToy";r=0']);
  });

  it('serves it by path and by header, with one rate limit, and logs the version', async () => {
    const { url } = await start(file, { RATE_LIMIT: '3/1h' });
    const read = async (path: string, more: Record<string, string> = {}) => {
      const response = await fetch(url + path, { headers: { ...headers, ...more } });
      return [response.status, response.headers.get('vary'), await response.text()];
    };
    expect(await read('/v1/toys')).toEqual([200, 'Api-Version', '{"name":"robot"}']);
    expect(await read('/toys', { 'Api-Version': '1.4.0' })).toEqual([
      ...[200, 'Api-Version', '{"name":"robot"}'],
    ]);
    expect(await read('/toys')).toEqual([200, 'Api-Version', '{"title":"robot"}']);
    expect((await read('/v1/toys'))[0]).toBe(429);
    expect(await read('/toys', { 'Api-Version': '9' })).toEqual([
      ...[400, 'Api-Version', expect.stringContaining('expected one of 1.4.0, 2.0.0')],
    ]);
    await service?.stop();
    expect(requestsOf(output).map(({ version, caller }) => [version, caller])).toEqual([
      ...[
        ['1.4.0', 'web'],
        ['1.4.0', 'web'],
        [undefined, 'web'],
        ['1.4.0', 'web'],
      ],
      [undefined, undefined],
    ]);
  });

  inTestAll(it)('publishes the contract of the version that a request names', async () => {
    const { url } = await start(file);
    const read = async (path: string, more: Record<string, string> = {}) => {
      const response = await fetch(url + path, { headers: more });
      return [response.status, response.headers.get('vary'), await response.text()];
    };
    const [status, vary, text] = await read('/v1/openapi.json');
    expect([status, vary]).toEqual([200, expect.stringContaining('Api-Version')]);
    expect(JSON.parse(String(text))).toMatchObject({
      info: { version: '1.4.0' },
      servers: [{ url: '/v1' }],
    });
    const [, , byHeader] = await read('/openapi.json', { 'Api-Version': '1.4.0' });
    expect(JSON.parse(String(byHeader)).info.version).toBe('1.4.0');
    const [, , current] = await read('/openapi.json');
    expect(JSON.parse(String(current)).info.version).toBe('2.0.0');
  });

  it('serves a principal its pinned version, with one rate limit', async () => {
    const env = { RATE_LIMIT: '2/1h', API_TOKENS: 'a-token-of-the-test name=web, another-token' };
    const pin = ({ name }: { readonly name: string }) => (name === 'web' ? '1.4.0' : undefined);
    const { url } = await start(file, env, { pin });
    const read = async (token: string) => {
      const sent = { Authorization: `Bearer ${token}` };
      const response = await fetch(`${url}/toys`, { headers: sent });
      const names = ['cache-control', 'vary'];
      return [await response.text(), ...names.map((name) => response.headers.get(name))];
    };
    const privately = ['private', 'Api-Version, Authorization'];
    expect(await read('a-token-of-the-test')).toEqual(['{"name":"robot"}', ...privately]);
    expect(await read('another-token')).toEqual(['{"title":"robot"}', ...privately]);
    await read('a-token-of-the-test');
    expect((await fetch(`${url}/toys`, { headers })).status).toBe(429);
  });

  it('serves the unmodified client of the version by path, by header and by pin', async () => {
    const pin = ({ name }: { readonly name: string }) => (name === 'old' ? '1.4.0' : undefined);
    const tokens = ['a-token-of-the-test', 'another-token-of-it name=old'];
    const { url } = await start(file, { API_TOKENS: tokens.join() }, { pin });
    const { createClient } = await generatedClient(document('1.4.0', 'name'));
    const bodies = await Promise.all(
      [
        createClient({ baseUrl: `${url}/v1` }, { bearer: 'a-token-of-the-test' }),
        createClient(
          { baseUrl: url, headers: { 'Api-Version': '1.4.0' } },
          { bearer: 'a-token-of-the-test' },
        ),
        createClient({ baseUrl: url }, { bearer: 'another-token-of-it' }),
        createClient({ baseUrl: url }, { bearer: 'a-token-of-the-test' }),
      ].map(async (client) => (await client['getToy']!()).body),
    );
    const [old] = bodies;
    expect(old).toEqual({ name: 'robot' });
    expect(bodies).toEqual([old, old, old, { title: 'robot' }]);
  });

  it('starts with a pin for versions of other security, also in production', async () => {
    const fields = { security: [] };
    const env = { NODE_ENV: 'production' };
    await expect(start(file, env, { fields, pin: () => undefined })).resolves.toBeDefined();
  });

  it('records the version of each request', async () => {
    const dated = write('dated.yaml', compatibility().replace("'1.4.0'", "'2025-01-01'"));
    const records = temporaryFolder();
    const { url } = await start(dated, {
      RECORD: join(records.path, 'traffic.jsonl'),
    });
    await fetch(`${url}/v1/toys`, { headers });
    await fetch(`${url}/toys`, { headers });
    await fetch(`${url}/toys`, { headers: { ...headers, 'Api-Version': '2025-01-01' } });
    await service?.stop();
    service = undefined;
    const [file] = readdirSync(records.path);
    const lines = readFileSync(join(records.path, file!), 'utf8').trimEnd().split('\n');
    records.remove();
    const versions = lines.map((line) => JSON.parse(line).contract);
    // The name of the version, not the one in its contract.
    expect(new Set(versions)).toEqual(new Set(['2025-01-01', '2.0.0']));
    expect(versions).toHaveLength(2);
  });

  it('counts the requests of the version in the metrics', async () => {
    const { url, adminUrl } = await start(file, { ADMIN_PORT: '0' });
    await fetch(`${url}/v1/toys`, { headers });
    await fetch(`${url}/toys`, { headers });
    const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
    expect(metrics.match(/^http_request_duration_seconds_count.*$/gm)).toEqual([
      'http_request_duration_seconds_count{operation="getToy",version="1.4.0",status="200"} 1',
      'http_request_duration_seconds_count{operation="getToy",status="200"} 1',
    ]);
  });

  it('does not start with converters that do not fit', async () => {
    const wrong = write('wrong.yaml', compatibility().replace('1.4.0.mjs', 'wrong.mjs'));
    write('wrong.mjs', 'export const converters = { operations: { getTy: {} } };');
    await expect(start(wrong)).rejects.toThrow(
      'version 1.4.0: operations.getTy: the contract has no such operation',
    );
    const { url } = await start(wrong, { NODE_ENV: 'production' });
    expect((await fetch(`${url}/toys`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/v1/toys`, { headers })).status).toBe(500);
  });

  it('does not start with a selection that cannot work', async () => {
    const broken = compatibility('    - version: 1.5.0\n      pth: /v2\n');
    await expect(start(write('broken.yaml', broken))).rejects.toThrow(
      /broken\.yaml {2}served\.versions\[1\]: got 'pth', expected version, path/,
    );
  });
});

describe('a service with a policy alone', () => {
  it('loads no versions', async () => {
    const { url } = await start(write('policy.yaml', 'severities: {}\n'));
    const response = await fetch(`${url}/toys`, { headers: { ...headers, 'Api-Version': '9' } });
    expect([response.status, response.headers.get('vary')]).toEqual([200, null]);
    expect((await fetch(`${url}/v1/toys`, { headers })).status).toBe(404);
  });
});
