// A generated client and a service with idempotency keys: a lost response has one effect.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { type Api, type ApiOptions, createApi } from 'stubwright';
import { memoryIdempotency } from 'stubwright/idempotency';
import { requestListener } from 'stubwright/node';
import { parse } from 'yaml';
import {
  type ClientProject,
  clientProject,
  type Served,
  served,
} from '../support/clientProject.ts';
import { startCommand } from '../support/command.ts';

const CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
paths:
  /toys:
    get:
      operationId: list
      responses:
        '200': {description: ok, content: {application/json: {schema: {type: array, items: {type: object}}}}}
    post:
      operationId: buy
      parameters:
        - {name: Idempotency-Key, in: header, required: true, x-idempotency: {ttl: 1h}, schema: {type: string}}
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses:
        '201': {description: ok, content: {application/json: {schema: {type: object}}}}
        default: {description: no, content: {application/problem+json: {}}}
`;

let project: ClientProject;
beforeAll(async () => {
  project = await clientProject(CONTRACT);
});
afterAll(() => project.remove());

describe('a generated client and a service', () => {
  let service: Served;
  let bought = 0;

  afterEach(() => service.close());

  /** @param lose is called with each response before the service writes it */
  async function start(lose: (response: ServerResponse) => void, handlerMs = 0) {
    bought = 0;
    const api = await createApi<never, never>({
      contract: { definition: new Contract(parse(CONTRACT)) } as ApiOptions['contract'] & object,
      handlers: {
        buy: async () => {
          const number = ++bought;
          await sleep(handlerMs);
          return { status: 201, body: { number } };
        },
        list: () => ({ status: 200, body: [] }),
      },
      idempotency: memoryIdempotency(),
    });
    const listener = requestListener(api as Api<IncomingMessage>);
    service = await served((request, response) => {
      lose(response);
      listener(request, response);
    });
    const { createClient } = await project.load();
    return (options: object = {}) =>
      createClient({ baseUrl: service.url, retry: { baseDelayMs: 1 }, ...options });
  }

  it('act once although the first response is lost', async () => {
    let responses = 0;
    const client = await start((response) => {
      if (++responses % 2 === 0) return;
      response.end = () => response.destroy();
    });
    for (const number of [1, 2]) {
      expect(await client().buy({ body: {} })).toMatchObject({ status: 201, body: { number } });
      expect([bought, responses]).toEqual([number, 2 * number]);
    }
  });

  it('act once although the connection is lost before the response is ready', async () => {
    let responses = 0;
    const client = await start((response) => {
      if (++responses === 1) setTimeout(() => response.destroy(), 50);
    }, 150);
    expect(await client().buy({ body: {} })).toMatchObject({ status: 201, body: { number: 1 } });
    // The first retry came while the request was in progress.
    expect([bought, responses]).toEqual([1, 3]);
  });
});

it('a stateful mock acts once although the first response is lost', async () => {
  const args = ['mock', 'openapi.yaml', '--stateful', '--port', '0'];
  const mock = await startCommand(args, /^mock {2}(\S+)$/m, { cwd: project.path });
  const statuses: number[] = [];
  const lossy = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    if (init.method === 'POST') statuses.push(response.status);
    if (statuses.length % 2 === 1) throw new TypeError('fetch failed');
    return response;
  };
  const { createClient } = await project.load();
  const options = { baseUrl: mock.url, retry: { baseDelayMs: 1 }, fetch: lossy };
  const client = createClient(options);
  for (const name of ['bear', 'robot'])
    expect(await client.buy({ body: { name } })).toMatchObject({ status: 201, body: { name } });
  expect(statuses).toEqual([201, 201, 201, 201]);
  expect((await client.list()).body).toMatchObject([{ name: 'bear' }, { name: 'robot' }]);
  await mock.stop();
});
