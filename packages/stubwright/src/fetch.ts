// A handler with the Request and the Response of the Fetch standard.
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Contract } from './engine/contract.ts';
import type { EngineResponse } from './engine/engine.ts';
import { limitBody } from './request/body/limitBody.ts';
import { type BodySource, Exchange, type HttpRequest } from './request/exchange.ts';

/**
 * Returns a function from a Request to its Response.
 *
 * @example const response = await fetchHandler(contract)(new Request('http://localhost/toys/1'));
 */
export function fetchHandler(contract: Contract<Request>): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = bodySource(request, contract.bodies.limitBytes);
    const exchange = new Exchange<Request>(headOf(request), body, request);
    return toResponse(await contract.handle(exchange), request.method);
  };
}

function headOf({ method, url, headers, body }: Request): HttpRequest {
  const own: Record<string, string> = Object.fromEntries(headers);
  // A Request in memory has a body without length.
  if (body !== null && own['content-length'] === undefined) own['transfer-encoding'] = 'chunked';
  return { method, url: url.replace(/#.*$/, ''), headers: own };
}

function bodySource({ body }: Request, limitBytes: number): BodySource {
  const stream = () => {
    const limited = limitBody(limitBytes);
    const source = body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream);
    return source.on('error', (error) => limited.destroy(error)).pipe(limited);
  };
  return {
    stream,
    async readBody() {
      const chunks: Buffer[] = [];
      for await (const chunk of stream()) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}

/** RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
const WITHOUT_BODY = new Set([204, 205, 304]);

function toResponse({ status, headers, body }: EngineResponse, method: string): Response {
  const isStream = body instanceof Readable;
  if (method === 'HEAD' || body === undefined || WITHOUT_BODY.has(status)) {
    if (isStream) body.destroy();
    return new Response(null, { status, headers });
  }
  const sent = isStream ? Readable.toWeb(body) : body;
  return new Response(sent as ConstructorParameters<typeof Response>[0], { status, headers });
}
