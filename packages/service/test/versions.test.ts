// A service with an older version of its contract, as its files declare it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { inTestAll } from '@stubwright/test-support/testAll';
import { requestsOf } from './support/logLines.ts';
import { authorized as headers } from './support/startedServices.ts';
import { COMPATIBILITY, toyVersions } from './support/toyVersions.ts';

const { start, write } = toyVersions();

describe('a service with a served version', () => {
  it.each(['development', 'production'])('does not start without its files: %s', async (mode) => {
    const named = (name: string) =>
      write('missing.yaml', COMPATIBILITY.replace(name, `missing-${name}`));
    for (const name of ['1.4.0.json', '1.4.0.mjs']) {
      await expect(start({ compatibility: named(name) }, { NODE_ENV: mode })).rejects.toMatchObject(
        {
          name: 'ConfigError',
          message: expect.stringMatching(
            new RegExp(`serves version 1.4.0, expected its file missing-${name}$`),
          ),
        },
      );
    }
  });

  it('does not start if the configuration was not copied, but what is generated for it', async () => {
    const copied = temporaryFolder();
    mkdirSync(join(copied.path, 'generated/versions'), { recursive: true });
    const without = join(copied.path, 'compatibility.yaml');
    await start({ compatibility: without });
    writeFileSync(join(copied.path, 'generated/versions/1.4.0.json'), '{}');
    await expect(start({ compatibility: without })).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/^generated\/versions has served versions, but .* names none/),
    });
    copied.remove();
  });

  it('has the rate limit of the operation in the current contract', async () => {
    const limit = { 'x-rate-limit': { requests: 2, window: '1h' } };
    const { url } = await start({}, {}, limit);
    const read = async (path: string) => {
      const response = await fetch(url + path, { headers });
      return [response.status, response.headers.get('ratelimit')?.split(';t=')[0]];
    };
    expect(await read('/v1/toys')).toEqual([200, '"getToy";r=1']);
    expect(await read('/toys')).toEqual([200, '"getToy";r=0']);
    expect(await read('/v1/toys')).toEqual([429, '"getToy";r=0']);
  });

  it('serves it by path and by header, with one rate limit, and logs the version', async () => {
    const service = await start({}, { RATE_LIMIT: '3/1h' });
    const read = async (path: string, more: Record<string, string> = {}) => {
      const response = await fetch(service.url + path, { headers: { ...headers, ...more } });
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
    await service.stop();
    expect(requestsOf(service.lines).map(({ version, caller }) => [version, caller])).toEqual([
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
    const { url } = await start();
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
    const tokens = 'a-token-of-the-test name=web scope=read, another-token scope=read';
    const env = { RATE_LIMIT: '2/1h', API_TOKENS: tokens };
    const pin = ({ name }: { readonly name: string }) => (name === 'web' ? '1.4.0' : undefined);
    const { url } = await start({ pin }, env);
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

  it('starts with a pin for versions of other security, also in production', async () => {
    const env = { NODE_ENV: 'production' };
    const started = start({ pin: () => undefined }, env, { security: [] });
    await expect(started).resolves.toBeDefined();
  });

  it('records the version of each request', async () => {
    const dated = write('dated.yaml', COMPATIBILITY.replace("'1.4.0'", "'2025-01-01'"));
    const records = temporaryFolder();
    const env = { RECORD: join(records.path, 'traffic.jsonl') };
    const { url, stop } = await start({ compatibility: dated }, env);
    await fetch(`${url}/v1/toys`, { headers });
    await fetch(`${url}/toys`, { headers });
    await fetch(`${url}/toys`, { headers: { ...headers, 'Api-Version': '2025-01-01' } });
    await stop();
    const [file] = readdirSync(records.path);
    const lines = readFileSync(join(records.path, file!), 'utf8').trimEnd().split('\n');
    records.remove();
    const versions = lines.map((line) => JSON.parse(line).contract);
    // The name of the version, not the one in its contract.
    expect(new Set(versions)).toEqual(new Set(['2025-01-01', '2.0.0']));
    expect(versions).toHaveLength(2);
  });

  it('does not start with converters that do not fit', async () => {
    const wrong = write('wrong.yaml', COMPATIBILITY.replace('1.4.0.mjs', 'wrong.mjs'));
    write('wrong.mjs', 'export const converters = { operations: { getTy: {} } };');
    await expect(start({ compatibility: wrong })).rejects.toThrow(
      'version 1.4.0: operations.getTy: the contract has no such operation',
    );
    const { url } = await start({ compatibility: wrong }, { NODE_ENV: 'production' });
    expect((await fetch(`${url}/toys`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/v1/toys`, { headers })).status).toBe(500);
  });

  it('does not start with a selection that cannot work', async () => {
    const broken = write('broken.yaml', `${COMPATIBILITY}    - version: 1.5.0\n      pth: /v2\n`);
    await expect(start({ compatibility: broken })).rejects.toThrow(
      /broken\.yaml {2}served\.versions\[1\]: got 'pth', expected version, path/,
    );
  });
});

describe('a service with a policy alone', () => {
  it('loads no versions', async () => {
    const policy = write('policy.yaml', 'severities: {}\n');
    const { url } = await start({ compatibility: policy });
    const response = await fetch(`${url}/toys`, { headers: { ...headers, 'Api-Version': '9' } });
    expect([response.status, response.headers.get('vary')]).toEqual([200, null]);
    expect((await fetch(`${url}/v1/toys`, { headers })).status).toBe(404);
  });
});
