// Sends recorded requests to a service, and validates the responses.

import { randomUUID } from 'node:crypto';
import {
  type Contract,
  isObject,
  isPrimitive,
  likeType,
  type Operation,
  type Parameter,
  parsedJson,
  stringifyJson,
  templateNames,
  unescapeToken,
  unescapeUri,
  valueAt,
} from '@stubwright/contract';
import { Validators, type Violation, violation } from '@stubwright/contract/values';
import {
  curlLine,
  messageOf,
  type ReleasedRequest,
  type ReplayCredentials,
  type SentRequest,
  sentRequest,
  type ValueSource,
} from '@stubwright/traffic';
import { ResponseCheck } from 'stubwright/internals';

/** A stream may never end: its first items are validated, as many as arrive in this time. */
const MAX_ITEMS = 10;
const STREAM_MS = 5_000;

/** The parts of a response that a client reads. */
interface Received {
  readonly violations: readonly Violation[];
  readonly text: string;
}

/** @param method of the request */
async function receive(
  response: Response,
  operation: Operation,
  method: string,
  responses: ResponseCheck,
): Promise<Received> {
  const { status, headers, body } = response;
  const read = responses.sequence(operation, { status, headers });
  const items = body === null ? undefined : read?.(body);
  const bytes = items === undefined ? Buffer.from(await response.arrayBuffer()) : undefined;
  const { violations } = await responses.check(operation, method, { status, headers, bytes });
  if (items === undefined || violations.length > 0)
    return { violations, text: bytes?.toString() ?? '' };
  return firstItems(items);
}

type Items = ReturnType<NonNullable<ReturnType<ResponseCheck['sequence']>>>;

/** @returns the violations of the first invalid item, and the items until then as JSON Lines */
async function firstItems(items: Items): Promise<Received> {
  const ended = AbortSignal.timeout(STREAM_MS);
  const late = new Promise<undefined>((resolve) => {
    ended.addEventListener('abort', () => resolve(undefined));
  });
  const lines: string[] = [];
  while (lines.length < MAX_ITEMS) {
    const next = await Promise.race([items.next(), late]);
    if (next === undefined || next.done) break;
    const { value, violations } = next.value;
    lines.push(stringifyJson(value ?? null));
    if (violations.length > 0) return { violations, text: lines.join('\n') };
  }
  return { violations: [], text: lines.join('\n') };
}

interface Exchanged {
  readonly request: ReleasedRequest;
  readonly response: { readonly headers: Headers; readonly text: string };
}

interface Filled {
  readonly request: ReleasedRequest;
  /** The statuses that are allowed because earlier requests did not create the resource of the request. */
  readonly allowed: readonly number[];
}

const LACKS_RESOURCE = [404, 410];
/** A value in the body may name no resource. */
const LACKS_VALUE = [...LACKS_RESOURCE, 422];

export class EarlierResponses {
  readonly #definition: Contract;
  /** By operationId, the last one of each. */
  readonly #all = new Map<string, Exchanged>();
  #ofConversation = new Set<string>();

  constructor(definition: Contract) {
    this.#definition = definition;
  }

  /** What earlier conversations have created may still be stored. */
  startConversation(): void {
    this.#ofConversation = new Set();
  }

  add(request: ReleasedRequest, response: Exchanged['response']): void {
    this.#all.set(request.operationId, { request, response });
    this.#ofConversation.add(request.operationId);
  }

  fill(recorded: ReleasedRequest, operation: Operation): Filled {
    let request = recorded;
    const filled = new Set<string>();
    for (const [target, source] of Object.entries(recorded.values ?? {})) {
      const value = this.#valueOf(source);
      if (value === undefined) continue;
      request = withValue(request, target, value);
      if (this.#ofConversation.has(source.operationId)) filled.add(target);
    }
    const names = Object.keys(recorded.values ?? {});
    if (!names.every((target) => filled.has(target))) return { request, allowed: LACKS_VALUE };
    const isCreated = recorded.values === undefined && this.#isCreated(operation);
    const hasResource = isCreated || isIdentified(operation, filled);
    return { request, allowed: hasResource ? [] : LACKS_RESOURCE };
  }

  #valueOf({ operationId, expression }: ValueSource): string | undefined {
    const exchanged = this.#all.get(operationId);
    const value = exchanged && evaluate(expression, exchanged);
    const isValue = isPrimitive(value);
    // Clients remove such segments of a path.
    return isValue && !/^\.{0,2}$/.test(String(value)) ? String(value) : undefined;
  }

  /** For requests that were recorded without sources of their values. */
  #isCreated({ path }: Operation): boolean {
    const collection = path.replace(/\/\{[^{}/]+\}$/, '');
    const creations = this.#definition.operations.filter(
      (operation) =>
        operation.method === 'post' && operation.path === collection && operation.path !== path,
    );
    return creations.some(({ operationId }) => this.#ofConversation.has(operationId));
  }
}

/** False for a part of a resource that may be absent, such as its invoice. */
function isIdentified({ method, path }: Operation, filled: ReadonlySet<string>): boolean {
  const areFilled = templateNames(path).every((name) => filled.has(`$request.path.${name}`));
  return areFilled && (method === 'post' || path.endsWith('}'));
}

/** @param expression https://spec.openapis.org/oas/v3.1.1.html#runtime-expressions */
function evaluate(expression: string, { request, response }: Exchanged): unknown {
  const [, of, where, rest = ''] =
    /^\$(request|response)\.(body|header|path|query)[.#]?(.*)$/.exec(expression) ?? [];
  if (where === 'body') {
    const text = of === 'response' ? response.text : (messageOf(request).body ?? '');
    return valueAt(parsedJson(text), rest);
  }
  if (of === 'response') {
    const text = response.headers.get(rest) ?? undefined;
    return /^location$/i.test(rest) ? lastSegment(text) : text;
  }
  if (where === 'path') return request.params?.path[rest];
  return new URLSearchParams(request.path.split('?')[1]).get(rest) ?? undefined;
}

function lastSegment(location: string | undefined): string | undefined {
  const path = location && URL.parse(location, 'http://localhost')?.pathname.replace(/\/$/, '');
  return path && unescapeUri(path.slice(path.lastIndexOf('/') + 1));
}

/** @param target a runtime expression: `$request.path.id` */
function withValue(request: ReleasedRequest, target: string, value: string): ReleasedRequest {
  const [, where, name = ''] = /^\$request\.(body|path|query)[.#](.*)$/.exec(target) ?? [];
  const { params, path } = request;
  if (where === 'path') return { ...request, params: { path: { ...params?.path, [name]: value } } };
  if (where === 'query') {
    const [bare, query = ''] = path.split('?');
    const isOther = (pair: string) => pair !== '' && unescapeUri(pair.split('=')[0]!) !== name;
    const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    return { ...request, path: `${bare}?${[...query.split('&').filter(isOther), pair].join('&')}` };
  }
  const body = parsedJson(messageOf(request).body ?? '');
  const at = name.lastIndexOf('/');
  const holder = valueAt(body, name.slice(0, at));
  const key = unescapeToken(name.slice(at + 1));
  if (!isObject(holder)) return request;
  holder[key] = likeType(value, holder[key]);
  return { ...request, body: [stringifyJson(body)] };
}

/** The service that receives the requests. */
export interface ReplayTarget {
  /** The root of all paths of the contract. */
  readonly url: string;
  /** True if the paths of the contract's servers follow the URL; by default false. */
  readonly isOrigin?: boolean;
  /** Replaces the recorded placeholder of credentials. */
  readonly token?: string | undefined;
}

interface ReplayerOptions {
  /** Sent with each request, as {@link ReplayCredentials} says. */
  readonly headers?: ReplayCredentials['headers'];
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
  /** Later versions may add properties. */
  readonly #responses: ResponseCheck;
  readonly #earlier: EarlierResponses;
  /** Of the conversation: the keys of `x-idempotency` that are sent, by the recorded request. */
  readonly #keys = new Map<string, string>();

  /** @param definition that the requests were recorded for */
  constructor(definition: Contract, options: ReplayerOptions) {
    this.#definition = definition;
    this.#options = options;
    this.#responses = new ResponseCheck(definition, 'allow');
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
    const sent = sentRequest(recorded, this.#definition, { token, headers: this.#options.headers });
    const own = { operation, curl: curlLine(url, withoutCredentials) };
    const leaving = new AbortController();
    try {
      const response = await fetched(url, sent, leaving.signal);
      const { status } = response;
      const { violations, text } = await receive(response, operation, sent.method, this.#responses);
      if (status < 400) this.#earlier.add(recorded, { headers: response.headers, text });
      const all = violations.length > 0 ? violations : this.#refusal(recorded, status, allowed);
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
    const found = this.#definition.operations.find(
      (operation) => operation.operationId === operationId,
    );
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

/** @param root of the paths of the contract */
function fetched(
  root: string,
  { method, target, headers, body }: SentRequest,
  signal: AbortSignal,
): Promise<Response> {
  return fetch(root + target, {
    ...{ method, redirect: 'manual', headers: { Connection: 'close', ...headers }, signal },
    ...(body !== undefined && { body }),
  });
}

/** A recorded path may continue the host of the URL: `.example/`, `0/`. */
function expectSameOrigin(root: string, url: string, { operationId, path }: ReleasedRequest): void {
  const { origin } = new URL(root);
  if (URL.parse(url)?.origin === origin) return;
  throw new Error(
    `the requests of the release: got the path ${JSON.stringify(path)} of ${operationId}, expected a path at ${origin}`,
  );
}
