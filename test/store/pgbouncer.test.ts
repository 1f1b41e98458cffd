// The service behind PgBouncer, in each of its pool modes.
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
import { startLoad } from '../support/load.ts';
import { missingPrograms, PgBouncer, type PoolMode } from '../support/pgBouncer.ts';
import { spawnService, TOKEN } from '../support/service.ts';

// Processes that start and stop take their time on a busy machine.
jest.setTimeout(300_000);

const isInstalled = missingPrograms().length === 0;
if (!isInstalled) process.stderr.write('SKIPPED: PgBouncer is not installed\n');
const describeInstalled = isInstalled ? describe : describe.skip;

describeInstalled('behind PgBouncer', () => {
  let postgres: Postgres;
  let url: string;
  let pgBouncer: PgBouncer;
  const spawn = serviceProcesses(spawnService);

  beforeAll(async () => {
    postgres = await Postgres.start();
  });
  afterAll(() => postgres.remove());
  beforeEach(async () => {
    url = await postgres.createDatabase();
  });
  afterEach(() => pgBouncer.remove());

  async function start(mode: PoolMode, count: number) {
    pgBouncer = await PgBouncer.start(url, mode);
    // A busy machine makes the event loop late.
    const env = { API_TOKENS: TOKEN, DATABASE_URL: pgBouncer.through(url), LAG_LIMIT: '60000' };
    return Array.from({ length: count }, () => spawn(env));
  }

  it.each(['session', 'transaction'] as const)(
    'in %s mode, two services answer rivals and retries with 200 and 409 only',
    async (mode) => {
      const services = await start(mode, 2);
      const load = startLoad(await Promise.all(services.map((service) => service.url)));
      await load.more(200, 500);
      await load.end();
      load.expectIn(await query(url, 'SELECT id, name FROM plant'));
      expect([load.count(0), load.count(500), load.count(503)]).toEqual([0, 0, 0]);
    },
  );

  it('in statement mode, a start ends with a line that names the mode', async () => {
    const [service] = await start('statement', 1);
    await expect(service!.url).rejects.toThrow(/statement pooling/);
    expect((await service!.exited).code).toBe(1);
  });
});
