// Handlers of Mock Service Worker for the operations of a client. Imports nothing of it.

import { isBytes } from './bodies.ts';
import { exactIn, writtenPart } from './conversion.ts';
import type { ConversionSpec } from './conversions.ts';
import { toJson } from './json.ts';
import { isJsonType } from './mediaTypes.ts';
import { specOf } from './replies.ts';
import type { ReplyFor } from './types.ts';

/** `http` of MSW. */
export interface Http<Handler> extends Readonly<Partial<Record<string, HandlerOf<Handler>>>> {
  readonly all: HandlerOf<Handler>;
}

type HandlerOf<Handler> = (
  predicate: (args: { readonly request: Request }) => boolean,
  resolver: (args: { readonly request: Request }) => Response | Promise<Response>,
) => Handler;

export interface MockedReplySpec {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface MockedOperationSpec {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Of the operation only. */
  readonly servers?: readonly string[];
  /** Without a chosen one. */
  readonly status: number;
  /** The examples, by status code, range or `default`. */
  readonly replies: Readonly<Record<string, MockedReplySpec>>;
}

export interface MockedServiceSpec {
  readonly servers: readonly string[];
  /** Those with the most specific paths first. */
  readonly operations: readonly MockedOperationSpec[];
}

export interface MockedOptions {
  /** Replaces the servers of the contract. */
  readonly baseUrl?: string | undefined;
}

/** A declared reply; its example has the parts that are absent. */
export type MockedReply<Operation> = Mockable<ReplyFor<Operation>>;

type Mockable<Reply> = Reply extends {
  status: infer Status;
  headers: infer Headers;
  type: infer Type;
  body: infer Body;
}
  ? {
      readonly status: Status;
      readonly headers?: Partial<Headers>;
      readonly type?: Type;
      readonly body?: MockableBody<Type, Body>;
    }
  : never;

type MockableBody<Type, Body> = Type extends JsonType
  ? Body
  : Type extends undefined
    ? undefined
    : Body extends string | number | bigint | boolean | null
      ? Body
      : string | Blob | Uint8Array | ReadableStream<Uint8Array>;

type JsonType = `application/json${string}` | `${string}+json${string}`;

/** @returns a handler that replies to the requests of one operation */
export type MockedOperation<Operation, Handler> = (
  reply?:
    | MockedReply<Operation>
    | ((request: Request) => MockedReply<Operation> | Promise<MockedReply<Operation>>),
  options?: MockedOptions,
) => Handler;

interface AnyReply {
  readonly status: number;
  readonly headers?: object;
  readonly type?: string;
  readonly body?: unknown;
}

type AnyMocked<Handler> = (
  reply?: AnyReply | ((request: Request) => AnyReply | Promise<AnyReply>),
  options?: MockedOptions,
) => Handler;

export interface MockedService<Handler> {
  /** By operationId. */
  readonly operations: Readonly<Record<string, AnyMocked<Handler>>>;
  /** @returns a handler for each operation */
  handlersAt(baseUrl?: string): Handler[];
}

/** Writes the values of a client with other types than the contract. */
type WriteReply = (id: string, reply: AnyReply, type: string) => AnyReply;

/** @param http of MSW */
export function mockedService<Handler>(
  http: Http<Handler>,
  spec: MockedServiceSpec,
  write: WriteReply = (_id, reply) => reply,
): MockedService<Handler> {
  const routers = new Map<string | undefined, (request: Request) => string | undefined>();
  const operationOf = (request: Request, baseUrl: string | undefined) => {
    const router = routers.get(baseUrl) ?? routerOf(spec, baseUrl);
    routers.set(baseUrl, router);
    return router(request);
  };
  const mocked = (operation: MockedOperationSpec): AnyMocked<Handler> => {
    const { id, method } = operation;
    const handlerOf = http[method.toLowerCase()] ?? http.all;
    return (reply, { baseUrl } = {}) => {
      if (typeof reply === 'object') exampleOf(operation, reply.status);
      return handlerOf(
        ({ request }) => operationOf(request, baseUrl) === id,
        async ({ request }) => {
          const chosen = typeof reply === 'function' ? await reply(request) : reply;
          return responseOf(operation, chosen ?? operation, write);
        },
      );
    };
  };
  const all = spec.operations.map((operation) => [operation.id, mocked(operation)] as const);
  return {
    operations: Object.fromEntries(all),
    handlersAt: (baseUrl) => all.map(([, handlerOf]) => handlerOf(undefined, { baseUrl })),
  };
}

/** An operation with a more specific path comes first, as in services: `/toys/mine` is not `/toys/{id}`. */
function routerOf(
  { servers, operations }: MockedServiceSpec,
  baseUrl: string | undefined,
): (request: Request) => string | undefined {
  const routes = operations.map(({ id, method, path, servers: own }) => ({
    ...{ id, method },
    pattern: patternOf(baseUrl === undefined ? (own ?? servers) : [baseUrl], path),
  }));
  let latest: { readonly key: string; readonly id: string | undefined } | undefined;
  return ({ method, url }) => {
    const key = `${method} ${url}`;
    // Each of the handlers is asked.
    if (latest?.key !== key) {
      const plain = url.replace(/[?#].*/s, '');
      const route = routes.find((route) => route.method === method && route.pattern.test(plain));
      latest = { key, id: route?.id };
    }
    return latest.id;
  };
}

/** @throws {TypeError} for a status that the contract does not declare */
function exampleOf({ id, replies }: MockedOperationSpec, status: number): MockedReplySpec {
  const example = replies[status] ?? replies[`${String(status)[0]}XX`] ?? replies['default'];
  if (example !== undefined) return example;
  throw new TypeError(`${id}: status ${status} is not declared`);
}

const EMPTY = [204, 205, 304];

function responseOf(
  operation: MockedOperationSpec,
  { status, type, ...given }: AnyReply,
  write: WriteReply,
): Response {
  const example = exampleOf(operation, status);
  const headers = new Headers();
  for (const [name, text] of Object.entries(example.headers ?? {})) setHeader(headers, name, text);
  if (type !== undefined) headers.set('Content-Type', type);
  const mediaType = headers.get('Content-Type') ?? '';
  const reply = write(operation.id, { status, ...given }, mediaType);
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    if (value !== undefined) setHeader(headers, name, value);
  }
  const body = reply.body === undefined ? example.body : bodyOf(reply.body, headers);
  const isEmpty = operation.method === 'HEAD' || EMPTY.includes(status);
  return new Response(isEmpty ? null : body, { status, headers });
}

/** Cookies are an array, or one per line; each is a header of its own. */
function setHeader(headers: Headers, name: string, value: unknown): void {
  const isCookies = name.toLowerCase() === 'set-cookie';
  const cookies = Array.isArray(value) ? value : String(value).split('\n');
  headers.delete(name);
  for (const text of isCookies ? cookies : [value]) headers.append(name, String(text));
}

function bodyOf(body: unknown, headers: Headers): RequestInit['body'] {
  if (isJsonType(headers.get('Content-Type') ?? '')) return toJson(body);
  return typeof body === 'object' ? (body as Blob) : String(body);
}

/** @returns a pattern of URLs without a query @param servers with variables in braces */
function patternOf(servers: readonly string[], path: string): RegExp {
  const bases = servers.map(basePattern);
  const [plain = ''] = path.split(/[?#]/);
  return new RegExp(`^(?:${bases.join('|')})${templatePattern(plain, '[^/]+')}$`);
}

/** A relative server is one of any origin. */
function basePattern(server: string): string {
  const [plain = ''] = server.split(/[?#]/);
  const isAbsolute = /^[a-z]+:/i.test(plain);
  const hasVariables = plain.includes('{');
  const url =
    isAbsolute && !hasVariables
      ? new URL(plain).href
      : plain.replace(HOST, (host) => host.toLowerCase());
  const path = templatePattern(url.replace(/\/+$/, ''), '.+?');
  if (isAbsolute || plain.startsWith('{')) return path;
  return `https?://[^/]+${plain.startsWith('/') || path === '' ? '' : '/'}${path}`;
}

const HOST = /^[a-z]+:\/\/[^/]+/i;

function templatePattern(template: string, variable: string): string {
  return template
    .split(/\{[^{}]*\}/)
    .map((text) => encoded(text).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join(variable);
}

/** As in the path of a URL; the hyphens keep white space and dots. */
function encoded(text: string): string {
  return new URL(`http://h/-${text}-`).pathname.slice(2, -1);
}

/** A function from `withConversions`, or another export of its module. */
type Exported = { readonly operationId?: string; readonly conversions?: ConversionSpec };

/**
 * @param functions the exports of a generated module
 * @returns a function that writes a reply of an operation, as its client reads it
 */
export function replyWriter(functions: Readonly<Record<string, unknown>>): WriteReply {
  const specs = new Map(
    Object.values(functions as Record<string, Exported>).map((exported) => [
      exported.operationId,
      exported.conversions,
    ]),
  );
  return (id, reply, type) => {
    const { headers, content } = specOf(specs.get(id)?.replies ?? {}, reply.status) ?? {};
    const exact = content && exactIn(content, type);
    return {
      ...reply,
      headers: writtenPart(id, headers, reply.headers, 'headers') as object,
      body: isBytes(reply.body) ? reply.body : writtenPart(id, exact, reply.body, 'body'),
    };
  };
}
