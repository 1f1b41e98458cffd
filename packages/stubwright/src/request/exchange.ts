// The state of one request in the engine; also the ParsedRequest of openapi-backend.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Operation } from '../document/definition.ts';
import { NameMap } from '../document/nameMap.ts';
import type { BodySource } from '../media/bodySource.ts';
import { NO_PARAMETERS, type ParameterValues } from '../media/styles/parameterValues.ts';
import type { Violation } from '../schema/validator.ts';

/** An authenticated caller. */
export interface Principal {
  readonly name: string;
  /** The issuer that assigned the name; undefined for this service. */
  readonly issuer?: string;
  /** The granted scopes (RFC 6749, section 3.3). */
  readonly scopes?: readonly string[];
}

/** The result of one security scheme for one request. */
export type Outcome =
  | { readonly kind: 'absent' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Without a principal for a mocked operation, which validates only presence and syntax. */
  | { readonly kind: 'authenticated'; readonly principal: Principal | undefined };

/** A request without its body. */
export interface HttpRequest {
  readonly method: string;
  /** The request target (RFC 9112, section 3.2). */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The remote IP address of the connection. */
  readonly address?: string | undefined;
}

/** @returns the head of a request of Node's HTTP server */
export function headOf({ method = '', url = '', headers, socket }: IncomingMessage): HttpRequest {
  return { method, url, headers, address: socket.remoteAddress };
}

/** A parsed body, validated on demand. */
export interface ParsedBody {
  /** Undefined without a body. */
  readonly mediaType: string | undefined;
  /** True for a body that the handler reads while it arrives. */
  readonly isStream?: boolean;
  /** @returns one message per error, for the client */
  errors(): string[];
  /** @returns the same errors, one by one */
  violations(): Violation[];
  /** @returns the body for the handler; only valid without errors */
  coerced(): unknown;
}

export const NO_BODY: ParsedBody = {
  mediaType: undefined,
  errors: () => [],
  violations: () => [],
  coerced: () => undefined,
};

/** A request, as `context` and verifiers receive it. */
export interface ContextRequest<Native = unknown> extends HttpRequest {
  /** Undefined before routing. */
  readonly operationId: string | undefined;
  /** The principal of the first scheme of the requirement; undefined for an anonymous caller. */
  readonly principal: Principal | undefined;
  /** The principals of the security requirement that passed, by name of the scheme. */
  readonly principals: Readonly<Record<string, Principal>>;
  /** The request of the adapter: a Koa context, an IncomingMessage, or a Request. */
  readonly native: Native;
}

const NO_PARAMS: Exchange['params'] = {};
const NO_METHODS: Exchange['allow'] = [];
const NO_PRINCIPALS: Exchange['principals'] = Object.freeze(new NameMap<Principal>());

/** A request, and what the steps of the pipeline find out about it. */
export class Exchange<Native = unknown> implements ContextRequest<Native> {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly address: string | undefined;
  readonly body: BodySource;
  readonly native: Native;
  readonly path: string;
  /** The query without the question mark, percent-encoded. */
  readonly queryText: string;
  /** The match of the router; undefined before, and without one. */
  match: { readonly params: Readonly<Record<string, string>> } | undefined;
  /** Set by routing. */
  operation: Operation | undefined;
  params: Readonly<Record<string, string>> = NO_PARAMS;
  /** Set by routing for a 405: the supported methods. */
  allow: readonly string[] = NO_METHODS;
  /** The principal of the first scheme of the requirement; undefined for an anonymous caller. */
  principal: Principal | undefined;
  /** The principals of the security requirement that passed, by name of the scheme. */
  principals: Readonly<Record<string, Principal>> = NO_PRINCIPALS;
  parameters: ParameterValues = NO_PARAMETERS;
  parsedBody: ParsedBody = NO_BODY;
  /** Removes temporary files of the body after the response. */
  release: (() => Promise<void>) | undefined;
  /** Set for a reply that was sent although it violates the contract. */
  violation: Error | undefined;
  /** True after the call of the application's handler. */
  isHandled = false;
  #query: URLSearchParams | undefined;

  constructor(
    { method, url, headers, address }: HttpRequest,
    body: BodySource,
    native = undefined as Native,
  ) {
    const target = originForm(url);
    const question = target.indexOf('?');
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.address = address;
    this.body = body;
    this.native = native;
    this.path = question < 0 ? target : target.slice(0, question);
    this.queryText = question < 0 ? '' : target.slice(question + 1);
  }

  get operationId(): string | undefined {
    return this.operation?.operationId;
  }

  get searchParams(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.queryText);
    return this.#query;
  }
}

/**
 * Converts a request target in absolute form (RFC 9112, section 3.2.2).
 *
 * @returns path and query, not normalized
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const [authority] = /^https?:\/\/[^/?#]+/i.exec(target) ?? [];
  if (authority === undefined) return target;
  const rest = target.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
