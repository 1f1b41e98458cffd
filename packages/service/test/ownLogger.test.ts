// A service with the pino logger of an application.
import { expect, it } from '@jest/globals';
import { authorized, TOKEN } from '@stubwright/test-support/service';
import { CONTRACT } from '@stubwright/test-support/toyService';
import { pino } from 'pino';
import { readSettings, startService } from '../src/index.ts';

it('logs requests, warnings and stops with the level and the bindings of the logger', async () => {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const service = await startService({
    settings: readSettings({ PORT: '0', API_TOKENS: TOKEN, CONTRACT }),
    log: pino({ base: { app: 'toys' }, level: 'info' }, stream).child({ part: 'api' }),
    handlers: {
      getToy: () => ({ status: 200, body: { id: 1n, name: 'Teddy bear' } }),
      storeToy: () => ({ status: 200 }),
    },
    verifiers: (verify) => ({ bearerAuth: verify }),
  });
  const { status } = await fetch(`${service.url}/toys/1`, { headers: authorized });
  await service.stop();
  expect(lines).toContainEqual(
    expect.objectContaining({
      ...{ app: 'toys', part: 'api', msg: 'request', level: 30 },
      ...{ method: 'GET', route: '/toys/{id}', status },
    }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({
      ...{ app: 'toys', part: 'api', level: 40 },
      msg: 'getToy returned 200 with /id, which the contract does not declare: it is not sent',
    }),
  );
  expect(lines.at(-1)).toMatchObject({ app: 'toys', part: 'api' });
});
