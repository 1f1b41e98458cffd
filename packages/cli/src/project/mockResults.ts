// What the mocks of a contract respond to its example requests.
import type { LoadedContract } from '@stubwright/contract';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { type TestClient, testClient } from 'stubwright/testing';
import { type MockResult, REFUSALS, type RefusalStatus } from './operationFiles.ts';

export async function mockResults(
  loaded: LoadedContract,
  operationIds: readonly string[],
): Promise<MockResult[]> {
  const api = await createApi<undefined, Request>({ contract: loaded, mock: 'all' });
  const client = await testClient({ contract: loaded, target: fetchHandler(api) });
  const limited = await refusingClient(loaded).catch(() => undefined);
  const results: MockResult[] = [];
  // The thread of slow mocks does not keep the process alive.
  const alive = setInterval(() => undefined, 60_000);
  for (const operationId of operationIds) {
    try {
      const request = client.example(operationId);
      const { status } = await client.fetch(request.clone());
      const refusals = limited === undefined ? [] : await refusalsOf(request, limited);
      results.push({ isSuccess: status < 400, refusals });
    } catch (error) {
      const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      results.push({ reason: line.slice(0, 300) });
    }
  }
  clearInterval(alive);
  return results;
}

/**
 * @returns a client of handlers, since mocks accept any credentials; its token has no scopes
 * @throws {Error} if a security scheme is not supported
 */
async function refusingClient(loaded: LoadedContract) {
  const { operations, securitySchemes } = loaded.definition;
  const handled = operations.filter(({ errors }) => errors.length === 0);
  const handlers = Object.fromEntries(handled.map(({ operationId }) => [operationId, () => ({})]));
  const schemes = [...securitySchemes.keys()];
  const verifiers = Object.fromEntries(
    schemes.map((name) => [name, () => ({ name: 'limited', scopes: [] })]),
  );
  const options = { contract: loaded, mock: 'missing', handlers, verifiers };
  const api = await createApi<undefined, Request>(options as never);
  return testClient({ contract: loaded, target: fetchHandler(api) });
}

/** @returns the statuses for requests without credentials and without scopes, if the contract declares them */
async function refusalsOf(
  request: Request,
  limited: Pick<TestClient<never>, 'fetch'>,
): Promise<RefusalStatus[]> {
  const { method, url } = request;
  const anonymous = new Request(url.replace(/\?.*/, ''), { method });
  const found: RefusalStatus[] = [];
  for (const status of REFUSALS) {
    const response = await limited
      .fetch(status === 401 ? anonymous : request)
      .catch(() => undefined);
    if (response?.status === status) found.push(status);
  }
  return found;
}
