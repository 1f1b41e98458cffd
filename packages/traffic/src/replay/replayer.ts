// Sends recorded requests to a service, and compares the responses with the contract of the recording.
import { randomUUID } from 'node:crypto';
import type { Contract, Operation, Parameter } from '@stubwright/contract';
import { Validators, type Violation, violation } from '@stubwright/contract/values';
import {
  curlLine,
  type ReplayCredentials,
  type SentRequest,
  sentRequest,
} from '../record/message.ts';
import type { ReleasedRequest } from '../record/record.ts';
import { EarlierResponses } from './earlierResponses.ts';
import { type ResponseValidator, receive } from './receivedResponse.ts';

/** The service that receives the requests. */
export interface ReplayTarget {
  /** The root of all paths of the contract. */
  readonly url: string;
  /** True if the paths of the contract's servers follow the URL; by default false. */
  readonly isOrigin?: boolean;
  /** Replaces the recorded placeholder of credentials. */
  readonly token?: string | undefined;
}

/** A response, and why a client cannot use it; undefined if it can. */
export interface ReplayedResponse {
  readonly response: Response;
  readonly error?: string | undefined;
}

export interface ReplayCall {
  /** Of the paths of the contract. */
  readonly root: string;
  readonly sent: SentRequest;
  readonly signal: AbortSignal;
}

export interface ReplayerOptions {
  readonly responses: ResponseValidator;
  /** Sent with each request, as {@link ReplayCredentials} says. */
  readonly headers?: ReplayCredentials['headers'];
  /** Sends a request: {@link overFetch}, or a client. @throws the error of the connection */
  call(call: ReplayCall, recorded: ReleasedRequest): Promise<ReplayedResponse>;
  /**
   * True if a request that was accepted may be refused now.
   *
   * @param allowed the statuses for which the data of earlier requests is missing
   */
  mayRefuse(recorded: ReleasedRequest, status: number, allowed: readonly number[]): boolean;
}

/** A request that was sent again, and the response to it. */
export interface ReplayedRequest {
  readonly operation: Operation;
  /** A command that sends it, with placeholders for credentials. */
  readonly curl: string;
  /** Undefined without a response. */
  readonly status: number | undefined;
  /** The status and the start of the body. */
  readonly response: string | undefined;
  /** Empty for a response that a client of the recorded contract expects. */
  readonly violations: readonly Violation[];
}

const MAX_BODY = 500;

export class Replayer {
  readonly #definition: Contract;
  readonly #options: ReplayerOptions;
  readonly #earlier: EarlierResponses;
  /** Of the conversation: the keys of `x-idempotency` that are sent, by the recorded request. */
  readonly #keys = new Map<string, string>();

  /** @param definition that the requests were recorded for */
  constructor(definition: Contract, options: ReplayerOptions) {
    this.#definition = definition;
    this.#options = options;
    this.#earlier = new EarlierResponses(definition);
  }

  /** The requests that follow build on each other; values of earlier conversations may still be stored. */
  startConversation(): void {
    this.#earlier.startConversation();
    this.#keys.clear();
  }

  /** @throws {Error} for a request that the contract does not have, and a service that cannot be reached */
  async send(asRecorded: ReleasedRequest, target: ReplayTarget): Promise<ReplayedRequest> {
    const { url: root, isOrigin = false, token } = target;
    const operation = this.#operationOf(asRecorded);
    const url = isOrigin ? `${root}${operation.basePaths[0]}` : root;
    const { request, allowed } = this.#earlier.fill(asRecorded, operation);
    const recorded = this.#withOwnKey(request, operation);
    const withoutCredentials = sentRequest(recorded, this.#definition);
    expectSameOrigin(root, url + withoutCredentials.target, recorded);
    const { headers, responses } = this.#options;
    const sent = sentRequest(recorded, this.#definition, { token, headers });
    const own = { operation, curl: curlLine(url, withoutCredentials) };
    const leaving = new AbortController();
    try {
      const call = { root: url, sent, signal: leaving.signal };
      const { response, error } = await this.#options.call(call, recorded);
      const { status } = response;
      const { violations, text } = await receive(response, operation, sent.method, responses);
      if (status < 400) this.#earlier.add(recorded, { headers: response.headers, text });
      const ofClient = error === undefined ? [] : [violation('status', error)];
      const found = violations.length > 0 ? violations : ofClient;
      const all = found.length > 0 ? found : this.#refusal(recorded, status, allowed);
      const shown = text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)}…` : text;
      return { ...own, status, response: `${status} ${shown}`.trim(), violations: all };
    } catch (error) {
      const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
      if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
        throw new Error(`URL: got ${url} (${code}), expected a service that responds`);
      }
      const violations = [violation('status', `no response: ${code ?? message}`)];
      return { ...own, status: undefined, response: undefined, violations };
    } finally {
      leaving.abort();
    }
  }

  /**
   * Requests that were recorded with the example's key are different requests, and an earlier replay may
   * have used it. A refused request keeps the key of the request before it.
   */
  #withOwnKey(request: ReleasedRequest, operation: Operation): ReleasedRequest {
    const parameter = operation.idempotency?.parameter;
    const header = Object.keys(request.headers).find(
      (name) => name.toLowerCase() === parameter?.name.toLowerCase(),
    );
    if (parameter === undefined || header === undefined) return request;
    const recorded = request.headers[header]!;
    const { method, path, params, body } = request;
    const isRefused = request.status >= 400;
    const same = isRefused ? recorded : JSON.stringify([recorded, method, path, params, body]);
    const unknown = isRefused ? recorded : this.#newKey(parameter, recorded);
    const key = this.#keys.get(same) ?? unknown;
    this.#keys.set(same, key).set(recorded, key);
    return { ...request, headers: { ...request.headers, [header]: key } };
  }

  /** @returns the recorded key if the contract does not allow a UUID */
  #newKey({ schema }: Parameter, recorded: string): string {
    const key = recorded.startsWith('"') ? JSON.stringify(randomUUID()) : randomUUID();
    if (schema === undefined) return key;
    const isValid = new Validators(this.#definition, 'request').at(schema.pointer);
    return isValid(key) ? key : recorded;
  }

  #operationOf({ operationId }: ReleasedRequest): Operation {
    const found = this.#definition.operations.find((each) => each.operationId === operationId);
    if (found !== undefined) return found;
    throw new Error(`the release has no operation ${operationId}, which its requests name`);
  }

  /** Later versions may accept more requests, but not fewer. */
  #refusal(recorded: ReleasedRequest, status: number, allowed: readonly number[]): Violation[] {
    if (recorded.status >= 400 || status < 400) return [];
    if (this.#options.mayRefuse(recorded, status, allowed)) return [];
    return [violation('status', `expected ${recorded.status}, as when the version was released`)];
  }
}

/** Sends a request as it was recorded. */
export async function overFetch({ root, sent, signal }: ReplayCall): Promise<ReplayedResponse> {
  const { method, target, headers, body } = sent;
  const response = await fetch(root + target, {
    ...{ method, redirect: 'manual', headers: { Connection: 'close', ...headers }, signal },
    ...(body !== undefined && { body }),
  });
  return { response };
}

/** A recorded path may continue the host of the URL: `.example/`, `0/`. */
function expectSameOrigin(root: string, url: string, { operationId, path }: ReleasedRequest): void {
  const { origin } = new URL(root);
  if (URL.parse(url)?.origin === origin) return;
  throw new Error(
    `the requests of the release: got the path ${JSON.stringify(path)} of ${operationId}, expected a path at ${origin}`,
  );
}
