// One record of a request, and the message that it stands for.
import type { Contract } from '@stubwright/contract';
import { shellWord } from '@stubwright/contract/printable';

/** A part of a body; a long one is given as the string that it repeats. */
export type BodyPart = string | { readonly repeat: string; readonly times: number };

/** The value of an earlier request or response of a conversation. */
export interface ValueSource {
  readonly operationId: string;
  /** A runtime expression of OpenAPI: `$response.body#/id`. */
  readonly expression: string;
}

/** A request, and the response to it. A release stores it as JSON, and traffic as an entry of HAR 1.2. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query as they are sent; with `params` the template of the path. */
  readonly path: string;
  readonly params?: { readonly path: Readonly<Record<string, string | number>> };
  /** In a release, `TOKEN` represents a valid token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: readonly BodyPart[];
  /** True if a body was sent that the recording does not have. */
  readonly isBodyOmitted?: true;
  /** Of the response; undefined if the recording has none. */
  readonly status?: number;
  /** The headers and the body of the response; undefined if only its status is recorded. */
  readonly response?: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Buffer | undefined;
    /** True if it has the parts alone that the caller reads: nothing is missing. */
    readonly isPartial?: true;
  };
  /** Milliseconds since 1970. */
  readonly at?: number;
  /** True for the example of a file without times: `at` is the time of the file. */
  readonly isUndated?: true;
  readonly caller?: string;
  readonly operationId?: string;
  /** The version of the contract that served the request; undefined if the recording has none. */
  readonly contract?: string;
  /** What replaces the recorded values, by runtime expression: `$request.path.id`. */
  readonly values?: Readonly<Record<string, ValueSource>>;
}

/** A request of a client; its caller is `anonymous` if the recording has none. */
export type TrafficRequest = RecordedRequest & Required<Pick<RecordedRequest, 'at' | 'caller'>>;

/** A request of a release, with the status of its response when the version was released. */
export type ReleasedRequest = RecordedRequest &
  Required<Pick<RecordedRequest, 'operationId' | 'status'>>;

/** Requests that build on each other, sent to a service with a new store. */
export interface Conversation {
  readonly name: string;
  /** The state of the service, by the name that the project gives it. */
  readonly situation?: string;
  readonly requests: readonly ReleasedRequest[];
}

/** What recorded credentials contain instead of a secret. */
const PLACEHOLDER = 'TOKEN';
const PLACEHOLDERS = /\bTOKEN\b/g;
const BASIC = `Basic ${btoa(`user:${PLACEHOLDER}`)}`;

export interface ReplayCredentials {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The path, headers and body of a request. */
export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A request with its whole body. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** @returns the request in its recorded form */
export function messageOf({ method, path, params, headers, body }: RecordedRequest): SentRequest {
  const target = path.replace(/\{([^{}]*)\}/g, (all, name: string) => {
    const value = params?.path[name];
    return value === undefined ? all : encodeURIComponent(String(value));
  });
  return { method, target, headers, body: bodyText(body) };
}

function bodyText(body: RecordedRequest['body']): string | undefined {
  return body
    ?.map((part) => (typeof part === 'string' ? part : part.repeat.repeat(part.times)))
    .join('');
}

/** @returns the request as a server receives it, with the length of its body */
export function receivedRequest({ method, target, headers, body }: SentRequest): ReceivedRequest {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return {
    ...{ method, url: target, bytes: Buffer.from(body ?? '') },
    headers: { ...Object.fromEntries(lower), ...length },
  };
}

/** @param credentials instead of the placeholders; undefined to keep them */
export function sentRequest(
  recorded: RecordedRequest,
  definition: Contract,
  { token = PLACEHOLDER, headers: added = {} }: ReplayCredentials = {},
): SentRequest {
  const { target, ...message } = messageOf(recorded);
  const headers = new Map(
    Object.entries(message.headers).map(([name, value]) => [name.toLowerCase(), { name, value }]),
  );
  const secret = credentialHeaders(definition);
  for (const [name, value] of Object.entries(added)) {
    const key = name.toLowerCase();
    const isRecorded = hasPlaceholder(headers.get(key)?.value ?? '');
    if (isRecorded || !secret.has(key)) headers.set(key, { name, value });
  }
  const values = [...headers].map(([key, { name, value }]) => [
    name,
    secret.has(key) ? filled(value, token) : value,
  ]);
  return {
    ...message,
    method: message.method.toUpperCase(),
    target: withQueryToken(target, definition, token),
    headers: Object.fromEntries(values),
  };
}

/** Header names in lower case. */
function credentialHeaders({ securitySchemes }: Contract): Set<string> {
  const named = [...securitySchemes.values()].map(({ type, in: where, name }) =>
    type === 'apiKey' ? (where === 'header' ? name : '') : 'Authorization',
  );
  return new Set([...named, 'Cookie'].map((name) => name.toLowerCase()));
}

function hasPlaceholder(value: string): boolean {
  return value === BASIC || value.includes(PLACEHOLDER);
}

function filled(value: string, token: string): string {
  if (value === BASIC) return `Basic ${Buffer.from(`user:${token}`).toString('base64')}`;
  return value.replace(PLACEHOLDERS, () => token);
}

/** Replaces the placeholders in API keys of the query. */
function withQueryToken(target: string, { securitySchemes }: Contract, token: string): string {
  const keys = [...securitySchemes.values()].flatMap(({ type, in: where, name }) =>
    type === 'apiKey' && where === 'query' ? [name] : [],
  );
  const pairs = new Set(keys.map((key) => `${key}=${PLACEHOLDER}`));
  return target.replace(/(?<=[?&])[^&#]+/g, (pair) => {
    return pairs.has(pair) ? pair.replace(PLACEHOLDER, () => encodeURIComponent(token)) : pair;
  });
}

/** Longer bodies are cut in a report. */
const MAX_SHOWN = 2_000;

/** @returns a curl command, without secrets */
export function curlLine(url: string, { method, target, headers, body }: SentRequest): string {
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const shown =
    body !== undefined && body.length > MAX_SHOWN
      ? `${body.slice(0, 100)}… (${body.length} characters)`
      : body;
  const data = shown === undefined ? [] : ['--data-raw', shown];
  const words = ['curl', '-i', '-X', method, url + target, ...fields, ...data];
  return words.map(shellWord).join(' ');
}
