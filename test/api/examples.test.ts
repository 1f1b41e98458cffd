// Sends the examples of openapi.yaml and the error scenarios: each gets the documented response.
import { afterEach, describe, expect, it } from '@jest/globals';
import { loadContractFiles } from '@stubwright/cli/loader';
import type { StartedService } from '@stubwright/cli/replay';
import { stringifyJson } from '@stubwright/contract';
import { type Conversation, type ReleasedRequest, sentRequest } from '@stubwright/traffic';
import { testClient } from 'stubwright/testing';
import { OBSERVED } from '../../packages/cli/src/coverage/coverage.ts';
import {
  conversationsOf,
  unrecordedResponses,
} from '../../packages/cli/src/release/conversations.ts';
import { namedExamples } from '../../packages/cli/src/release/documentedRequests.ts';
import { startIn } from '../support/situations.ts';
import { errorScenarios } from './errorScenarios.ts';

const contract = await loadContractFiles('openapi.yaml');
const { definition } = contract;
const conversations = await conversationsOf(definition, errorScenarios);

let service: StartedService;
afterEach(() => service?.stop?.());

/** Sends the requests in order; @returns the response to each, and records it for the coverage. */
async function send(requests: readonly ReleasedRequest[]) {
  const client = await testClient({ contract, target: service.url, observed: OBSERVED });
  const responses: { status: number; body: string }[] = [];
  for (const each of requests) {
    const { target, ...init } = sentRequest(each, definition, service);
    const response = await client.fetch(service.url + target, init as RequestInit);
    responses.push({ status: response.status, body: await response.text() });
  }
  return responses;
}

/** @returns the example of a response as JSON */
function exampleOf({ operationId, status }: ReleasedRequest, name: string): string | undefined {
  const { responses } = definition.operations.find((each) => each.operationId === operationId)!;
  const examples = namedExamples(responses.get(String(status))!.contents);
  return examples.has(name) ? stringifyJson(examples.get(name)) : undefined;
}

const documented = conversations.filter(({ name }) => name.endsWith(' as documented'));
const undocumented = conversations.filter((each) => !documented.includes(each));
const exampleNameOf = ({ name }: Conversation) => name.split(' ').slice(2).join(' ');

describe.each(documented)('$name', ({ requests }) => {
  const { operationId } = requests.at(-1)!;
  const operation = definition.operations.find((each) => each.operationId === operationId)!;
  const names = [...namedExamples(operation.request).keys()];

  it('requests, sent in order, get the response examples of the same names', async () => {
    service = (await startIn())!;
    const responses = await send(requests);
    expect(responses).toEqual(
      requests.map((each, at) => ({ status: each.status, body: exampleOf(each, names[at]!) })),
    );
  });

  it('requests get the same responses again', async () => {
    service = (await startIn())!;
    const first = await send(requests);
    expect(await send(requests)).toEqual(first);
  });
});

it.each(undocumented)('$name: gets the documented response', async (conversation) => {
  const { situation, requests } = conversation;
  service = (await startIn(situation))!;
  const response = (await send(requests)).at(-1)!;
  const [request] = requests.slice(-1);
  expect(response.status).toBe(request!.status);
  const example = exampleOf(request!, exampleNameOf(conversation));
  if (example !== undefined) expect(response.body).toBe(example);
});

it('sends a request for each declared response', () => {
  expect(unrecordedResponses(definition, conversations)).toEqual([]);
});

it('sends a request for each example of a response', () => {
  const sent = new Set([
    ...undocumented.map((each) => `${each.requests.at(-1)!.status} ${exampleNameOf(each)}`),
    ...definition.operations.flatMap(({ request, responses }) =>
      [...responses.keys()].flatMap((status) =>
        [...namedExamples(request).keys()].map((name) => `${status} ${name}`),
      ),
    ),
  ]);
  const examples = definition.operations.flatMap(({ responses }) =>
    [...responses].flatMap(([status, each]) =>
      [...namedExamples(each.contents).keys()].map((name) => `${status} ${name}`),
    ),
  );
  expect([...new Set(examples)].filter((each) => !sent.has(each))).toEqual([]);
});
