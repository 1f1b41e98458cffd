// The examples of openapi.yaml, sent to the real service: the documented request gets the documented
// answer. An example of an answer is that of the request of its name, or of a provocation here.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadContract } from '../../packages/cli/src/loading/load.ts';
import type { LocatedNode, Operation } from '../../packages/stubwright/src/document/definition.ts';
import { stringifyJson } from '../../packages/stubwright/src/json/json.ts';
import type { Answer, Call } from '../../packages/stubwright/test/support/http.ts';
import { call } from '../support/http.ts';
import { authorized, json, startTestService, type TestService } from '../support/service.ts';
import { PROVOCATIONS } from './provocations.ts';

const { definition } = await loadContract('openapi.yaml');

/** Named examples of the JSON body of a request or an answer, as JSON text. */
function examplesOf(holder: LocatedNode | undefined): Map<string, string> {
  const examples: Record<string, { value: unknown }> =
    holder?.node.content?.['application/json']?.examples ?? {};
  return new Map(Object.entries(examples).map(([name, { value }]) => [name, stringifyJson(value)]));
}

interface Documented {
  /** Where the answer is declared; operations may share it. */
  readonly pointer: string;
  readonly request: string;
  readonly status: number;
  readonly name: string;
  readonly answer: string;
}

function documentedOf({ responses, operationId }: Operation): Documented[] {
  return [...responses].flatMap(([status, response]) =>
    [...examplesOf(response)].map(([name, answer]) => {
      const request = `${operationId} ${status} ${name}`;
      return { pointer: response.pointer, request, status: Number(status), name, answer };
    }),
  );
}

function isFirst({ pointer, request }: Documented): boolean {
  const all = definition.operations.flatMap(documentedOf);
  const [first] = all.filter((each) => each.pointer === pointer);
  return first!.request.split(' ')[0] === request.split(' ')[0];
}

let service: TestService;

function send({ method, path }: Operation, { headers, ...rest }: Call): Promise<Answer> {
  const all = { ...authorized, ...json, ...headers };
  return call(service.url, { method: method.toUpperCase(), path, headers: all, ...rest });
}

beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.remove());

describe.each(definition.operations)('the examples of $operationId', (operation) => {
  const requests = examplesOf(operation.requestBody);
  const documented = documentedOf(operation);
  const [first] = requests.values();

  it('of requests, sent in order, get the response examples of the same names', async () => {
    for (const [name, body] of requests) {
      const expected = documented.find((each) => each.name === name);
      const { status, body: answer } = await send(operation, { body });
      expect([name, status, answer]).toEqual([name, expected?.status, expected?.answer]);
    }
  });

  it('of requests with 200 get the same response again', async () => {
    for (const round of [1, 2]) {
      for (const [name, body] of requests) {
        const { status } = await send(operation, { body });
        const expected = documented.find((each) => each.name === name);
        expect([round, name, status]).toEqual([round, name, expected?.status]);
      }
    }
  });

  const provoked = documented.filter((each) => !requests.has(each.name) && isFirst(each));
  it.each(provoked)('of responses: $request', async ({ request, status, answer }) => {
    expect(Object.keys(PROVOCATIONS)).toContain(request);
    const { env = {}, plants, before, ...provocation } = PROVOCATIONS[request]!;
    await service.remove();
    service = await startTestService(env, {}, plants);
    if (before !== undefined) await service.create(before.body, before);
    const got = await send(operation, { body: first, ...provocation });
    expect([got.status, got.body]).toEqual([status, answer]);
  });
});
