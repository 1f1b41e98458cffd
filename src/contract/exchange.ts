// One request on its way through the engine, filled in step by step. It is also what openapi-backend
// calls a parsed request, so that nothing is parsed for it again.
import type { IncomingHttpHeaders } from 'node:http';
import type { Request as BackendRequest } from 'openapi-backend';
import type { Operation } from './definition.ts';

/** What the engine needs of an HTTP server: a request whose body is read only when asked for. */
export interface HttpRequest {
  readonly method: string;
  /** The request target (RFC 9112, section 3.2). */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /**
   * Reads the whole body, at most once.
   *
   * @throws {Problem} 41300 when it is too large
   */
  readBody(): Promise<Buffer>;
}

export class Exchange implements BackendRequest {
  readonly request: HttpRequest;
  readonly method: string;
  readonly path: string;
  /** The query as it was sent, without its question mark. */
  readonly queryText: string;
  readonly headers: BackendRequest['headers'];
  /** Set by routing. */
  operation: Operation | undefined;
  params: Readonly<Record<string, string>> = {};
  /** Set by routing where the path is known but takes other methods: those. */
  allow: readonly string[] = [];
  /** Set while authenticating: the request carried credentials, and they were refused. */
  hasInvalidCredentials = false;
  body: unknown;
  #query: URLSearchParams | undefined;

  constructor(request: HttpRequest) {
    const target = originForm(request.url);
    const question = target.indexOf('?');
    this.request = request;
    this.method = request.method;
    this.path = question < 0 ? target : target.slice(0, question);
    this.queryText = question < 0 ? '' : target.slice(question + 1);
    this.headers = request.headers as BackendRequest['headers'];
  }

  get searchParams(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.queryText);
    return this.#query;
  }
}

/** RFC 9112, section 3.2.2: a server accepts the absolute form too. */
function originForm(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}
