// The contenders of `make bench WHAT=engine`: each turns the bytes of a createPlant request into a response body.

import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { BodySource } from '@stubwright/contract/values';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fastJson from 'fast-json-stringify';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { createApi } from 'stubwright';
import { Exchange } from 'stubwright/internals';
import { internals } from '../../packages/stubwright/src/pipeline/api.ts';
import type { Reply, Request } from '../../src/handlers/operation.ts';
import { project } from '../machine.ts';

export interface EngineContender {
  readonly label: string;
  /** Processes one createPlant request. */
  readonly handle: (bytes: Buffer) => Answer | Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export const RESPONSE_BODY = '{"name":"Monstera deliciosa","tag":"tropical"}';
const TOKEN = 'bench-token-0123456789abcdef';
export const CONTRACT = `${project}/generated/contract.json`;

/** With distinct ids, so that no contender processes the same text twice in a row. */
export const BODIES: readonly Buffer[] = Array.from({ length: 1000 }, (_, at) =>
  Buffer.from(`{"id":${1_000_000 + at},"name":"Monstera deliciosa","tag":"tropical"}`),
);

export const HEADERS: IncomingHttpHeaders = {
  host: '127.0.0.1:3000',
  connection: 'keep-alive',
  'content-type': 'application/json',
  'content-length': String(BODIES[0]!.length),
  authorization: `Bearer ${TOKEN}`,
};

/** The handler returns the plant: no store. */
export function createPlant({ body }: Request<'createPlant'>): Reply<'createPlant'> {
  return { status: 200, body };
}

/** A string comparison: the digests of the service are not part of the engine. */
export const verifiers = {
  bearerAuth: (token: string) => (token === TOKEN ? { name: 'bench' } : undefined),
};

export function exchangeOf(bytes: Buffer): Exchange {
  const body: BodySource = {
    readBody: () => bytes,
    stream: () => {
      throw new Error('expected readBody');
    },
  };
  return new Exchange({ method: 'POST', url: '/plants', headers: HEADERS }, body);
}

/** This project's engine, as the adapters call it. */
export async function oursContender(): Promise<EngineContender> {
  const api = await createApi({
    contract: CONTRACT,
    handlers: { createPlant },
    verifiers,
  });
  const { handle } = api[internals];
  return {
    label: 'this project',
    handle: (bytes) => handle(exchangeOf(bytes)),
  };
}

/** The least work for the same response: no routing, no authentication, no exactness, no promise. */
export function floorContender(): EngineContender {
  const { components } = documentOf();
  const ajv = addFormats.default(new Ajv({ strict: false }));
  ajv.addSchema({ $id: 'contract', components });
  const validate = ajv.compile({ $ref: 'contract#/components/schemas/NewPlant' });
  const serialize = fastJson({
    type: 'object',
    properties: { name: { type: 'string' }, tag: { type: 'string' } },
  });
  return {
    label: 'JSON.parse + Ajv + fast-json-stringify',
    handle(bytes) {
      const plant: Record<string, unknown> = JSON.parse(bytes.toString());
      if (!validate(plant)) throw new Error(ajv.errorsText(validate.errors));
      return { status: 200, body: serialize(plant) };
    },
  };
}

/** openapi-backend with its own router and validator. It gets a parsed body, as from koa-bodyparser. */
export async function openapiBackendContender(): Promise<EngineContender> {
  const api = new OpenAPIBackend({
    definition: documentOf() as Document,
    ajvOpts: { strict: false },
    customizeAjv: (ajv) => addFormats.default(ajv as never) as never,
    handlers: {
      createPlant: ({ request }) => ({
        name: request.requestBody.name,
        tag: request.requestBody.tag,
      }),
      validationFail({ validation }) {
        throw new Error(JSON.stringify(validation.errors));
      },
      unauthorizedHandler() {
        throw new Error('unauthorized');
      },
      postResponseHandler({ api, response, operation }) {
        const { errors } = api.validateResponse(response, operation, 200);
        if (errors) throw new Error(JSON.stringify(errors));
        return { status: 200, body: JSON.stringify(response) };
      },
    },
    securityHandlers: {
      bearerAuth: ({ request }) => request.headers['authorization'] === `Bearer ${TOKEN}`,
    },
  });
  await api.init();
  return {
    label: "openapi-backend's handleRequest",
    handle: (bytes) =>
      api.handleRequest({
        method: 'POST',
        path: '/plants',
        headers: HEADERS as Record<string, string>,
        body: JSON.parse(bytes.toString()),
      }),
  };
}

function documentOf() {
  return JSON.parse(readFileSync(CONTRACT, 'utf8')).document;
}
