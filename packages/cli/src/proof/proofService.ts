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
  type HttpRequest,
  type Verifier,
} from 'stubwright/internals';
import type { VersionPair } from './versionPair.ts';

/** The request that a handler of the newer contract receives. */
export interface HandledRequest {
  readonly mediaType?: string;
  readonly body?: unknown;
  /** Of an operation that declares conditions. */
  readonly preconditions?: Preconditions | undefined;
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

/** Each key is new. */
const UNUSED_KEYS = { isTransactional: false, find: () => undefined, save() {} };

/** Those that a request has. */
interface Preconditions {
  readonly first: string | undefined;
  check(version: number | undefined): void;
}

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
    const exchange = new Exchange(withTrueConditions(head), wholeBody(bytes));
    const response = await this.#engine.handle(exchange);
    const { text: json, error } = await bodyOf(response);
    const isServerError = response.status >= 500 && response.cause !== undefined;
    const cause = error ?? (isServerError ? errorFrom(response.cause) : undefined);
    return { status: response.status, body: jsonOf(json), cause, called: this.#called };
  }

  #handle(operationId: string, request: HandledRequest): HandlerReply {
    this.#called.push(operationId);
    const reply = this.#replyOf(operationId, request);
    // If-Match: * expects a resource, If-None-Match: * none.
    const { preconditions } = request;
    preconditions?.check(preconditions.first === 'If-None-Match' ? undefined : 1);
    if (reply instanceof Problem) throw reply;
    // No sample is an entity tag: the engine computes it.
    const headers = Object.entries(reply.headers ?? {}).filter(([name]) => !/^etag$/i.test(name));
    return { ...reply, headers: Object.fromEntries(headers) };
  }
}

async function olderEngine(
  { version, older, newer, converters }: VersionPair,
  handle: (operationId: string, request: HandledRequest) => HandlerReply,
): Promise<Engine> {
  const accepting = (): Verifier => (_credentials, _request, scopes) => ({ name: 'proof', scopes });
  const schemes = [...older.securitySchemes.keys(), ...newer.securitySchemes.keys()];
  const options = {
    ...{ definition: newer, basePath: '', idempotency: UNUSED_KEYS },
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

/** No sample of a condition is one, and none belongs to a resource. */
function withTrueConditions(head: HttpRequest): HttpRequest {
  const isRead = ['GET', 'HEAD'].includes(head.method);
  const conditions = CONDITIONS.filter((name) => head.headers[name] !== undefined);
  if (conditions.length === 0) return head;
  const headers = { ...head.headers };
  for (const name of conditions) headers[name] = isRead && name !== 'if-match' ? '"0"' : '*';
  return { ...head, headers };
}

const CONDITIONS = ['if-match', 'if-none-match'] as const;

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
