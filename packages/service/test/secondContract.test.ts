// A second contract in the middleware of a service: which settings apply to it, as operations.md states.
import { expect, it } from '@jest/globals';
import { loadedContract } from '@stubwright/test-support/loadedContract';
import { createApi } from 'stubwright';
import { koaMiddleware } from 'stubwright/koa';
import { requestsOf } from './support/logLines.ts';
import { authorized as headers, startedServices } from './support/startedServices.ts';

const startService = startedServices();

const contractOf = (path: string, operationId: string) =>
  loadedContract(`
paths:
  ${path}: {get: {operationId: ${operationId}, security: [{bearer: []}], responses: {'204': {description: none}}}}
components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}
`);

it('is served without RATE_LIMIT, and is operation none in log and metrics', async () => {
  const second = await createApi({
    contract: contractOf('/old', 'listOldToys'),
    handlers: { listOldToys: () => ({ status: 204 }) } as never,
    verifiers: { bearer: () => ({ name: 'web' }) },
  });
  const service = await startService(
    {
      contract: contractOf('/toys', 'listToys'),
      handlers: { listToys: () => ({ status: 204 }) },
      verifiers: (verify) => ({ bearer: verify }),
      middleware: [koaMiddleware(second) as never],
    },
    { ADMIN_PORT: '0', RATE_LIMIT: '1/1h' },
  );
  const statuses = async (path: string) => [
    (await fetch(service.url + path, { headers })).status,
    (await fetch(service.url + path, { headers })).status,
  ];
  expect(await statuses('/toys')).toEqual([204, 429]);
  expect(await statuses('/old')).toEqual([204, 204]);
  const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
  await service.stop();
  expect(metrics).toContain('http_request_duration_seconds_count{operation="none",status="204"} 2');
  expect(requestsOf(service.lines).map(({ route, caller }) => [route, caller])).toEqual([
    ['/toys', 'web'],
    ['/toys', 'web'],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});
