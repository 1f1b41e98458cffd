// The engine of a served version in front of handlers that reply as a check demands.
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Contract, errorFrom, Problem } from '@stubwright/contract';
import { wholeBody } from '@stubwright/contract/values';
import { receivedRequest, type SentRequest } from '@stubwright/traffic';
import { serveVersions, type VersionConverters } from '@stubwright/versions';
import {
  createEngine,
  type Engine,
  type EngineResponse,
  Exchange,
  type HandlerReply,
} from 'stubwright/internals';

/** A served version with the next newer one. */
export interface VersionPair {
  readonly version: string;
  readonly older: Contract;
  readonly newer: Contract;
  readonly converters: VersionConverters;
}

/** The request that a handler of the newer contract receives. */
interface HandledRequest {
  readonly body?: unknown;
  /** Of an operation that declares conditions. */
  readonly preconditions?: {
    readonly first: string | undefined;
    check(version: number | undefined): void;
  };
}

/** @returns the reply of an operation of the newer contract; a Problem is thrown */
type GivenReply = (operationId: string, body: unknown) => HandlerReply | Problem;

/** The response to a request of the older contract. */
export interface OlderResponse {
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

export class OlderService {
  #engine!: Engine;
  #replyOf: GivenReply = () => new Problem(500, 'no reply');
  #called: string[] = [];

  /** @throws {ContractErrors} for converters that do not fit */
  static async open({ version, older, newer, converters }: VersionPair): Promise<OlderService> {
    const service = new OlderService();
    const schemes = [...older.securitySchemes.keys(), ...newer.securitySchemes.keys()];
    const accept = (_credentials: unknown, _request: unknown, scopes: readonly string[]) => {
      return { name: 'round trip', scopes };
    };
    const options = {
      ...{ definition: newer, basePath: '', idempotency: UNUSED_KEYS },
      verifiers: Object.fromEntries(schemes.map((name) => [name, accept])),
    };
    const handlers = newer.operations.map(({ operationId }) => {
      return [operationId, (request: HandledRequest) => service.#handle(operationId, request)];
    });
    const current = await createEngine({ ...options, handlers: Object.fromEntries(handlers) });
    const entry = { version, path: undefined, until: undefined, contract: '', converters: '' };
    const configuration = {
      ...{ header: HEADER, mediaType: undefined, default: undefined, versions: [entry] },
    };
    const publish = () => Promise.reject(new Error('not published'));
    const contract = { definition: older, warnings: [], files: [], publish };
    const load = () => Promise.resolve({ contract, converters });
    const versions = serveVersions(
      { configuration, file: 'compatibility.yaml', load },
      current,
      options,
    );
    const headers = { [HEADER.toLowerCase()]: version };
    service.#engine = (await versions.selected({ path: '/', headers }))!.engine;
    return service;
  }

  /** @param sent of the older contract, without base path */
  async send(sent: SentRequest, replyOf: GivenReply): Promise<OlderResponse> {
    this.#replyOf = replyOf;
    this.#called = [];
    const { bytes, ...head } = receivedRequest(sent);
    const exchange = new Exchange(head, wholeBody(bytes));
    const response = await this.#engine.handle(exchange);
    const { body, error } = await jsonOf(response);
    const isServerError = response.status >= 500 && response.cause !== undefined;
    const cause = error ?? (isServerError ? errorFrom(response.cause) : undefined);
    return { status: response.status, body, cause, called: this.#called };
  }

  #handle(operationId: string, { body, preconditions }: HandledRequest): HandlerReply {
    this.#called.push(operationId);
    const reply = this.#replyOf(operationId, body);
    // If-Match: * expects a resource, If-None-Match: * none.
    preconditions?.check(preconditions.first === 'If-None-Match' ? undefined : 1);
    if (reply instanceof Problem) throw reply;
    // No sample is an entity tag: the engine computes it.
    const headers = Object.entries(reply.headers ?? {}).filter(([name]) => !/^etag$/i.test(name));
    return { ...reply, headers: Object.fromEntries(headers) };
  }
}

async function jsonOf({ body = '' }: EngineResponse): Promise<{ body: unknown; error?: Error }> {
  try {
    const read = body instanceof Readable ? await text(body) : Buffer.from(body).toString();
    try {
      return { body: JSON.parse(read) };
    } catch {
      return { body: undefined };
    }
  } catch (error) {
    return { body: undefined, error: errorFrom(error) };
  }
}
