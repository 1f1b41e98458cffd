// A handler with the Request and the Response of the Fetch standard.

import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { BodyAllocation, type BodySource } from '@stubwright/contract/values';
import { type Api, internals } from './pipeline/api.ts';
import type { EngineResponse } from './pipeline/engineResponse.ts';
import { type BodyLimits, limitBody } from './request/body/nodeBody.ts';
import { Exchange, type HttpRequest } from './request/exchange.ts';
import { headerLines, WITHOUT_BODY } from './response/compiledResponse.ts';

/**
 * Returns a function from a Request to its Response.
 *
 * @example const response = await fetchHandler(api)(new Request('http://localhost/toys/1'));
 */
export function fetchHandler(api: Api<Request>): (request: Request) => Promise<Response> {
  const { bodies, handle, report } = api[internals];
  return async (request) => {
    const body = new FetchBody(request, bodies);
    const exchange = new Exchange<Request>(headOf(request), body, request);
    try {
      return toResponse(await handle(exchange), request.method, report);
    } finally {
      body.release();
    }
  };
}

function headOf({ method, url, headers, body }: Request): HttpRequest {
  const own: Record<string, string> = Object.fromEntries(headers);
  // A Request in memory has a body without length.
  if (body !== null && own['content-length'] === undefined) own['transfer-encoding'] = 'chunked';
  return { method, url: url.replace(/#.*$/, ''), headers: own };
}

class FetchBody implements BodySource {
  readonly #body: ReadableStream | null;
  readonly #signal: AbortSignal;
  readonly #bodies: BodyLimits;
  readonly #whole: BodyAllocation;

  constructor({ body, signal }: Request, bodies: BodyLimits) {
    this.#body = body as ReadableStream | null;
    this.#signal = signal;
    this.#bodies = bodies;
    this.#whole = this.allocate();
  }

  async readBody(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.stream(this.#whole)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  stream(allocation?: BodyAllocation): Readable {
    const limited = limitBody(this.#bodies.limitBytes, allocation);
    const source = this.#body === null ? Readable.from([]) : Readable.fromWeb(this.#body);
    return source.on('error', (error) => limited.destroy(error)).pipe(limited);
  }

  allocate(): BodyAllocation {
    return new BodyAllocation(this.#bodies.memory);
  }

  onClose(listener: (isSent: boolean) => void): void {
    if (this.#signal.aborted) listener(false);
    else this.#signal.addEventListener('abort', () => listener(false), { once: true });
  }

  isClosed(): boolean {
    return this.#signal.aborted;
  }

  /** Releases the memory of the body after the request. */
  release(): void {
    this.#whole.release();
  }
}

function toResponse(
  { status, headers: written, body }: EngineResponse,
  method: string,
  report: (error: Error) => void,
): Response {
  const headers = new Headers();
  for (const [name, text] of Object.entries(headerLines(written))) {
    for (const line of [text].flat()) headers.append(name, line);
  }
  const isStream = body instanceof Readable;
  if (method === 'HEAD' || body === undefined || WITHOUT_BODY.has(status)) {
    if (isStream) body.destroy();
    return new Response(null, { status, headers });
  }
  if (isStream) {
    const fail = (error: Error) => {
      // The consumer of the response has cancelled it.
      if (error.name !== 'AbortError') report(error);
    };
    if (body.errored === null) body.once('error', fail);
    else fail(body.errored);
  }
  const sent = isStream ? Readable.toWeb(body) : body;
  return new Response(sent as ConstructorParameters<typeof Response>[0], { status, headers });
}
