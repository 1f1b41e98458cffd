// The state of one request in the engine; also the ParsedRequest of openapi-backend.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Operation } from '../document/definition.ts';
import type { BodyAllocation } from '../media/bodyMemory.ts';
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

/** The body of a request, read on demand. */
export interface BodySource {
  /**
   * Reads the body. May be called once.
   *
   * @throws {Problem} 41300 if it is too large
   */
  readBody(): Promise<Buffer>;
  /**
   * Alternative to readBody.
   *
   * @param allocation counts a body that is retained; a body is not counted by default
   * @throws {Problem} 41300 or 50300, or fails with it while it is read
   */
  stream(allocation?: BodyAllocation): Readable;
  /** For {@link stream}: the share of this body in the memory budget. Absent for a body in memory. */
  allocate?(): BodyAllocation;
  /** Calls the listener when the connection of the request closes, also after the response. */
  onClose?(listener: () => void): void;
}

/** A parsed body, validated on demand. */
export interface ParsedBody {
  /** Undefined without a body. */
  readonly mediaType: string | undefined;
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

/** The parameters of a request by location and name. */
export interface ParameterValues {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly header: Record<string, unknown>;
  readonly cookie: Record<string, unknown>;
}

/** Without prototypes: a contract may declare a parameter `constructor`. */
export function newParameterValues(): ParameterValues {
  const none = (): Record<string, unknown> => Object.create(null);
  return { path: none(), query: none(), header: none(), cookie: none() };
}

export const NO_PARAMETERS = newParameterValues();

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
const NO_PRINCIPALS: Exchange['principals'] = Object.freeze(Object.create(null));

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
