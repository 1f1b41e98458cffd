// What the mocks of a contract respond to its example requests.
import { createApi } from 'stubwright';
import type { LoadedContract } from 'stubwright/contract';
import { fetchHandler } from 'stubwright/fetch';
import { testClient } from 'stubwright/testing';
import type { MockResult } from './operationFiles.ts';

/** @param operationIds of operations of the contract */
export async function mockResults(
  loaded: LoadedContract,
  operationIds: readonly string[],
): Promise<MockResult[]> {
  const api = await createApi<undefined, Request>({ contract: loaded, mock: 'all' });
  const client = await testClient({ contract: loaded, target: fetchHandler(api) });
  const results: MockResult[] = [];
  // The thread of slow mocks does not keep the process alive.
  const alive = setInterval(() => undefined, 60_000);
  for (const operationId of operationIds) {
    try {
      const { status } = await client.fetch(client.example(operationId));
      results.push(status < 400 ? 'success' : 'error');
    } catch (error) {
      const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      results.push({ reason: line.slice(0, 300) });
    }
  }
  clearInterval(alive);
  return results;
}
