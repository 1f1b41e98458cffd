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

const CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
paths:
  /toys:
    post:
      operationId: buy
      parameters:
        - {name: Idempotency-Key, in: header, required: true, x-idempotency: {ttl: 1h}, schema: {type: string}}
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses:
        '201': {description: ok, content: {application/json: {schema: {type: object}}}}
        default: {description: no, content: {application/problem+json: {}}}
`;

describe('a generated client and a service', () => {
  let project: ClientProject;
  let service: Served;
  let bought = 0;

  beforeAll(async () => {
    project = await clientProject(CONTRACT);
  });
  afterEach(() => service.close());
  afterAll(() => project.remove());

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
