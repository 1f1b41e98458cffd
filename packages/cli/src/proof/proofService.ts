// The engines of both contracts, with handlers that reply as the proof demands.
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Contract, errorFrom, type LoadedContract, Problem } from '@stubwright/contract';
import { wholeBody } from '@stubwright/contract/values';
import { receivedRequest, type SentRequest } from '@stubwright/traffic';
import { serveVersions } from '@stubwright/versions';
import {
  createEngine,
  type Engine,
  type EngineResponse,
  Exchange,
  type HandlerReply,
  type Verifier,
} from 'stubwright/internals';
import type { VersionPair } from './versionPair.ts';

/** The request that a handler of the newer contract receives. */
export interface HandledRequest {
  readonly mediaType?: string;
  readonly body?: unknown;
}

/** @returns the reply of an operation of the newer contract; a Problem is thrown */
export type GenerateReply = (
  operationId: string,
  request: HandledRequest,
) => HandlerReply | Problem;

/** The response to a request of the older contract. */
export interface ProofResponse {
  readonly status: number;
  /** Undefined for a body that is not JSON. */
  readonly body: unknown;
  /** The error of a 500, or of a stream. */
  readonly cause: Error | undefined;
  /** The operations of the newer contract that were called. */
  readonly called: readonly string[];
}

const HEADER = 'X-Version';

export class ProofService {
  #engine!: Engine;
  #replyOf: GenerateReply = () => new Problem(500, 'no reply');
  #called: string[] = [];

  /** @throws {ContractErrors} for converters that do not fit */
  static async open(pair: VersionPair): Promise<ProofService> {
    const service = new ProofService();
    service.#engine = await olderEngine(pair, (...handled) => service.#handle(...handled));
    return service;
  }

  /** @param sent of the older contract, without base path */
  async send(sent: SentRequest, replyOf: GenerateReply): Promise<ProofResponse> {
    this.#replyOf = replyOf;
    this.#called = [];
    const { bytes, ...head } = receivedRequest(sent);
    const response = await this.#engine.handle(new Exchange(head, wholeBody(bytes)));
    const { text: json, error } = await bodyOf(response);
    const isServerError = response.status >= 500 && response.cause !== undefined;
    const cause = error ?? (isServerError ? errorFrom(response.cause) : undefined);
    return { status: response.status, body: jsonOf(json), cause, called: this.#called };
  }

  #handle(operationId: string, request: HandledRequest): HandlerReply {
    this.#called.push(operationId);
    const reply = this.#replyOf(operationId, request);
    if (reply instanceof Problem) throw reply;
    return reply;
  }
}

async function olderEngine(
  { version, older, newer, converters }: VersionPair,
  handle: (operationId: string, request: HandledRequest) => HandlerReply,
): Promise<Engine> {
  const accepting = (): Verifier => (_credentials, _request, scopes) => ({ name: 'proof', scopes });
  const schemes = [...older.securitySchemes.keys(), ...newer.securitySchemes.keys()];
  const options = {
    ...{ definition: newer, basePath: '' },
    verifiers: Object.fromEntries(schemes.map((name) => [name, accepting()])),
  };
  const handlers = newer.operations.map(({ operationId }) => {
    return [operationId, (request: HandledRequest) => handle(operationId, request)] as const;
  });
  const current = await createEngine({ ...options, handlers: Object.fromEntries(handlers) });
  const entry = { version, path: undefined, until: undefined, contract: '', converters: '' };
  const configuration = {
    ...{ header: HEADER, mediaType: undefined, default: undefined, versions: [entry] },
  };
  const source = { contract: loaded(older), converters };
  const versions = serveVersions(
    { configuration, file: 'compatibility.yaml', load: () => Promise.resolve(source) },
    current,
    options,
  );
  const selected = await versions.selected({
    path: '/',
    headers: { [HEADER.toLowerCase()]: version },
  });
  return selected!.engine;
}

function loaded(definition: Contract): LoadedContract {
  const publish = () => Promise.reject(new Error('not published'));
  return { definition, warnings: [], files: [], publish };
}

async function bodyOf({ body }: EngineResponse): Promise<{ text: string; error?: Error }> {
  if (body === undefined) return { text: '' };
  if (!(body instanceof Readable)) {
    return { text: typeof body === 'string' ? body : Buffer.from(body).toString() };
  }
  try {
    return { text: await text(body) };
  } catch (error) {
    return { text: '', error: errorFrom(error) };
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
