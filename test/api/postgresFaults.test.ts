// The service as processes on a real PostgreSQL that is stopped, crashed, frozen and cut off.
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { Postgres, query } from '@stubwright/test-support/postgres';
import { serviceProcesses } from '@stubwright/test-support/serviceProcesses';
import { startTcpProxy } from '@stubwright/test-support/tcpProxy';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import { startLoad } from '../support/load.ts';
import { openPlantStore as openStore } from '../support/plantStore.ts';
import {
  createAt,
  spawnService,
  startTestService,
  type TestService,
  TOKEN,
} from '../support/service.ts';

// Processes that start and stop take their time on a busy machine.
jest.setTimeout(60_000);

const CUTS = isTestAll ? 10 : 2;

let postgres: Postgres;
let url: string;
const spawn = serviceProcesses(spawnService);
const start = (databaseUrl = url) => spawn({ API_TOKENS: TOKEN, DATABASE_URL: databaseUrl });

beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.remove());
beforeEach(async () => {
  url = await postgres.createDatabase();
});
afterEach(async () => {
  // Clean up after a failed test.
  postgres.thaw();
  await postgres.restart();
});

/** A service whose store waits so long that no busy machine makes it answer 503. */
async function startPatient(databaseUrl: string): Promise<TestService> {
  return startTestService({}, {}, await openStore(databaseUrl, { patienceMs: 60_000 }));
}

const stored = () => query(url, 'SELECT id, name FROM plant');

inTestAll(describe)('a PostgreSQL that stops under load', () => {
  it.each(['SIGINT', 'SIGQUIT'] as const)(
    'by %s is 503 with Retry-After, then 200 again by itself, and nothing acknowledged is lost',
    async (signal) => {
      const service = start();
      const load = startLoad([await service.url]);
      await load.more(200, 200);
      await postgres.stop(signal);
      await load.more(503, 50);
      await postgres.restart();
      await load.more(200, 200);
      await load.end();
      load.expectIn(await stored());
      expect(load.count(500)).toBe(0);
      expect(service.output()).toContain('"msg":"the database is unavailable"');
      expect(service.output()).toMatch(/"awayMs":\d+,"msg":"the database is back"/);
    },
  );

  it('frozen, is so too', async () => {
    const service = start();
    const load = startLoad([await service.url]);
    await load.more(200, 200);
    postgres.freeze();
    await load.more(503, 50);
    postgres.thaw();
    await load.more(200, 200);
    await load.end();
    load.expectIn(await stored());
    expect(load.count(500)).toBe(0);
  });
});

describe('a connection cut in the middle of a commit', () => {
  it('is invisible to callers, before the commit and after it', async () => {
    const proxy = await startTcpProxy(url);
    const service = await startPatient(proxy.through(url));
    const load = startLoad([service.url]);
    for (let round = 0; round < CUTS; round++) {
      await load.more(200, 20);
      proxy.cutBefore(
        round % 2 === 0 ? 'server' : 'client',
        round % 2 === 0 ? 'SELECT 1' : 'rival',
      );
      // Not every batch has a piece of text that is cut.
      while (proxy.cuts <= round) await load.more(200, 1);
    }
    await load.more(200, 20);
    await load.end();
    await service.remove();
    proxy.close();
    load.expectIn(await stored());
    expect(proxy.cuts).toBe(CUTS);
    expect([load.count(503), load.count(500), load.count(0)]).toEqual([0, 0, 0]);
  });
});

inTestAll(describe)('one of two processes on one database', () => {
  it('may be killed with -9 under load: the other continues, and no acknowledged plant is lost', async () => {
    const [one, two] = [await startPatient(url), start()];
    const load = startLoad([one.url, await two.url]);
    await load.more(200, 300);
    await two.stop('SIGKILL');
    await load.more(200, 300);
    await load.end();
    await one.remove();
    load.expectIn(await stored());
    expect([load.count(503), load.count(500)]).toEqual([0, 0]);
  });
});

describe('a start while PostgreSQL is unreachable', () => {
  it('succeeds: creates get 503 until it is reachable, then 200', async () => {
    await postgres.stop();
    const service = start();
    const at = await service.url;
    expect((await createAt(at, { id: 1, name: 'x' })).status).toBe(503);
    await postgres.restart();
    const load = startLoad([at]);
    await load.more(200, 10);
    await load.end();
    load.expectIn(await stored());
  });

  it('logs neither the password nor the parameters', async () => {
    const service = start(`${url}?application_name=secret`);
    await service.url;
    expect(service.output()).toMatch(
      /"database":"postgres:\/\/postgres@127\.0\.0\.1:\d+\/test_\d+"/,
    );
    expect(service.output()).not.toContain(new URL(url).password);
    expect(service.output()).not.toContain('secret');
  });
});

describe('SIGUSR2', () => {
  it('makes no backup, logs the reason, and the service continues', async () => {
    const service = start();
    const at = await service.url;
    service.child.kill('SIGUSR2');
    const load = startLoad([at]);
    while (!service.output().includes('"msg":"not backed up: ')) await load.more(200, 1);
    await load.end();
    load.expectIn(await stored());
  });
});

inTestAll(describe)('SIGTERM', () => {
  it('ends with exit code 0 though PostgreSQL is frozen', async () => {
    const service = start();
    const load = startLoad([await service.url]);
    await load.more(200, 50);
    postgres.freeze();
    expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    postgres.thaw();
    await load.end();
    load.expectIn(await stored());
  });
});
