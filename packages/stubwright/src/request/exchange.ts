// One request on its way from the application to its handler, filled in step by step. It is also
// what openapi-backend calls a parsed request, so that nothing is parsed for it again.
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Operation } from '../document/definition.ts';

/** Who was authenticated, for the handler. */
export interface Principal {
  readonly name: string;
  /** Who assigned the name: an issuer's names are its own. Undefined for this service itself. */
  readonly issuer?: string;
  /** What the caller may do, where the credentials say so (RFC 6749, section 3.3). */
  readonly scopes?: readonly string[];
}

/** The outcome of one security scheme for one request. */
export type Outcome =
  | { readonly kind: 'absent' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Without a principal before a mock, which checks presence and form only. */
  | { readonly kind: 'authenticated'; readonly principal: Principal | undefined };

/** The head of a request. */
export interface HttpRequest {
  readonly method: string;
  /** The request target (RFC 9112, section 3.2). */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The IP address at the other end of the connection. */
  readonly address?: string | undefined;
}

/** The body of a request, which is read only when asked for. */
export interface BodySource {
  /**
   * Reads the whole body, at most once.
   *
   * @throws {Problem} 41300 when it is too large
   */
  readBody(): Promise<Buffer>;
  /** The body as it arrives, in place of readBody; it fails with the same Problem. */
  stream(): Readable;
}

/** A body that was read and parsed, and is not yet validated. */
export interface ParsedBody {
  /** Undefined where the request has no body. */
  readonly mediaType: string | undefined;
  /** @returns one message per error, for the sender */
  readonly errors: () => string[];
  /** @returns the body as the handler gets it; only for one without errors */
  readonly coerced: () => unknown;
}

export const NOTHING: ParsedBody = {
  mediaType: undefined,
  errors: () => [],
  coerced: () => undefined,
};

/** The parameters of a request by where they stand, under their declared names. */
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

export class Exchange implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly address: string | undefined;
  readonly body: BodySource;
  readonly path: string;
  /** The query as it was sent, without its question mark. */
  readonly queryText: string;
  /** Set by routing. */
  operation: Operation | undefined;
  params: Readonly<Record<string, string>> = {};
  /** Set by routing where the path is known but takes other methods: those. */
  allow: readonly string[] = [];
  /** Set while authenticating, by name of the security scheme. */
  readonly outcomes = new Map<string, Outcome>();
  /** The principal of the requirement's first scheme; undefined for an anonymous caller. */
  principal: Principal | undefined;
  /** The principals of the security requirement that passed, by name of their scheme. */
  readonly principals: Record<string, Principal> = Object.create(null);
  parameters: ParameterValues = NO_PARAMETERS;
  parsedBody: ParsedBody = NOTHING;
  /** Frees what reading the body took, once the request is answered. */
  release: (() => Promise<void>) | undefined;
  /** Set by a mock that sends a reply that breaks its schema. */
  violation: Error | undefined;
  #query: URLSearchParams | undefined;

  constructor({ method, url, headers, address }: HttpRequest, body: BodySource) {
    const target = originForm(url);
    const question = target.indexOf('?');
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.address = address;
    this.body = body;
    this.path = question < 0 ? target : target.slice(0, question);
    this.queryText = question < 0 ? '' : target.slice(question + 1);
  }

  get searchParams(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.queryText);
    return this.#query;
  }
}

/**
 * RFC 9112, section 3.2.2: a server accepts the absolute form too.
 *
 * @returns the path and query of a request target, not normalized
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const [authority] = /^https?:\/\/[^/?#]+/i.exec(target) ?? [];
  if (authority === undefined) return target;
  const rest = target.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
