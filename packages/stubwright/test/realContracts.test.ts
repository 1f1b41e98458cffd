// Two large public contracts, served whole: every operation is called with a request that keeps its
// contract, and with one that breaks it.
import { afterAll, it as always, beforeAll, describe, expect } from '@jest/globals';
import { loadContractFiles } from '@stubwright/cli/loader';
import type { Operation } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { ExampleRequests } from '@stubwright/mock';
import { Samples } from '@stubwright/mock/samples';
import { FIGMA, GITHUB, itWith } from '@stubwright/test-support/publicContracts';
import { serveDefinition, type Toy } from '@stubwright/test-support/toy';
import { type TestClient, testClient } from '../src/testing.ts';

describe.each([
  ['GitHub', GITHUB, 1223],
  ['Figma', FIGMA, 54],
])('the contract of %s', (_, path, count) => {
  const it = path === FIGMA ? always : itWith(path);
  let operations: readonly Operation[];
  let toy: Toy;
  let client: TestClient<unknown>;
  let requests: ExampleRequests;

  beforeAll(async () => {
    const contract = await loadContractFiles(path);
    const { definition } = contract;
    operations = definition.operations;
    toy = await serveDefinition(definition, { mock: 'all' });
    client = await testClient({ contract, target: toy.url });
    const validators = new Validators(definition, 'request');
    requests = new ExampleRequests(definition, validators, new Samples(validators));
  });
  afterAll(() => toy.close());

  /** @returns the status, or the violation of the response */
  async function send(operation: Operation, isBroken: boolean): Promise<number | string> {
    const { method, target, headers, body } = requests.of(operation, 'token');
    const broken = isBroken ? `${target.includes('?') ? '&' : '?'}not-declared=1` : '';
    const url = `${toy.url}${operation.basePaths[0]}${target}${broken}`;
    try {
      return (await client.fetch(url, { method, headers, body: body ?? null })).status;
    } catch (error) {
      return (error as Error).message;
    }
  }

  it('gets its declared success for every operation, valid against its schema', async () => {
    expect(operations).toHaveLength(count);
    const faults: string[] = [];
    for (const operation of operations) {
      const result = await send(operation, false);
      const hasSuccess = [...operation.responses.keys()].some((each) => each.startsWith('2'));
      const isSuccess = typeof result === 'number' && result < (hasSuccess ? 300 : 500);
      if (!isSuccess) faults.push(`${operation.operationId} ${result}`);
    }
    expect(faults).toEqual([]);
  }, 600_000);

  it('gets a declared 4xx or an undeclared 400 for every operation, when the request is broken', async () => {
    const faults: string[] = [];
    for (const operation of operations) {
      const result = await send(operation, true);
      const isRejected =
        typeof result === 'number'
          ? result >= 400 && result < 500
          : / responded 400: status is not declared\n/.test(result);
      if (!isRejected) faults.push(`${operation.operationId} ${result}`);
    }
    expect(faults).toEqual([]);
  }, 600_000);
});
