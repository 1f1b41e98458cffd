// The secrets of cursors: configured, of this process in development, or none.
import { describe, expect, it } from '@jest/globals';
import { loaded } from '@stubwright/test-support/pageApi';
import { mocked } from 'stubwright';
import { page } from 'stubwright/pages';
import { startedServices } from './support/startedServices.ts';

const startService = startedServices();

const SECRET = 'a secret of at least 32 characters';
const rows = Array.from({ length: 9 }, (_, at) => ({ id: BigInt(at), total: 1 }));

// biome-ignore lint/suspicious/noExplicitAny: the contract of this test has no generated types
const byCursor = async (request: any) => {
  const source = {
    order: ['id'],
    fetch: ({ after, limit }: { after?: readonly [bigint]; limit: number }) =>
      rows.filter(({ id }) => after === undefined || id > after[0]).slice(0, limit),
  };
  return { status: 200, ...((await page(request, source as never)) as object) };
};

async function start(env: Record<string, string>, handlers: object = { byCursor }) {
  const others = { byPage: mocked, byOffset: mocked, byLink: mocked, byRequired: mocked };
  const { url, lines } = await startService(
    { contract: loaded(), handlers: { ...others, ...handlers } },
    env,
  );
  const { port } = new URL(url);
  const get = async (query = '') => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/shops/1/orders${query}`);
    return { status: response.status, body: (await response.json()) as { meta: { next: string } } };
  };
  const warnings = () => lines.map(({ msg }) => msg).filter((text) => /CURSOR/.test(text));
  return { get, warnings };
}

describe('the cursors of a service', () => {
  it('are valid in every process with CURSOR_SECRET', async () => {
    const one = await start({ CURSOR_SECRET: SECRET, HOST: '0.0.0.0' });
    const other = await start({
      CURSOR_SECRET: `${'b'.repeat(32)},${SECRET}`,
      NODE_ENV: 'production',
    });
    const { next } = (await one.get()).body.meta;
    expect((await other.get(`?cursor=${next}`)).status).toBe(200);
    expect([...one.warnings(), ...other.warnings()]).toEqual([]);
  });

  it('are those of the process in development on a loopback host', async () => {
    const service = await start({});
    const { next } = (await service.get()).body.meta;
    expect((await service.get(`?cursor=${next}`)).status).toBe(200);
    expect(service.warnings()).toEqual([
      'CURSOR_SECRET is not set: other processes, and this one after a restart, reject the cursors of page() (byCursor)',
    ]);
  });

  it.each<Record<string, string>>([{ HOST: '0.0.0.0' }, { NODE_ENV: 'production' }])(
    'do not exist without CURSOR_SECRET with %j',
    async (env) => {
      const service = await start(env);
      expect((await service.get()).status).toBe(500);
      expect(service.warnings()).toEqual(['CURSOR_SECRET is not set: page() fails (byCursor)']);
    },
  );

  it('need no secret if they are mocked', async () => {
    const service = await start({ NODE_ENV: 'production' }, { byCursor: mocked });
    expect((await service.get()).status).toBe(200);
    expect(service.warnings()).toEqual([]);
  });
});
