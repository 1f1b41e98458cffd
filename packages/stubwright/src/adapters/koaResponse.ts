// Responses of the engine as responses of Koa, and back.

import type { IncomingMessage } from 'node:http';
import { Readable, type Stream } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { contentTooLarge } from '@stubwright/contract';
import type { BodySource } from '@stubwright/contract/values';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import {
  type BodyLimits,
  type CollectBody,
  endedEarly,
  type NodeBody,
} from '../request/body/nodeBody.ts';
import { headerLines } from '../response/compiledResponse.ts';
import type { HttpResponse } from '../response/reply.ts';

/** The part of a Koa context that koa-bodyparser uses; it assigns `request.body`. */
interface ParsedContext {
  readonly req: IncomingMessage;
  readonly request: { readonly is: () => 'text'; body: unknown };
}

/** koa-bodyparser accepts a number as limit; its types require a string, which it parses for each request. */
type ParserOf = (options: {
  readonly enableTypes: readonly 'text'[];
  readonly textLimit: number;
  readonly encoding: string;
  readonly onerror: (error: Error & { type?: string }) => void;
}) => (context: ParsedContext, next: () => Promise<void>) => Promise<void>;
const parserOf = bodyParser as unknown as ParserOf;

/** @returns koa-bodyparser, configured to return a Buffer: as a string it would replace invalid UTF-8 */
export function koaCollector({ limitBytes }: BodyLimits): CollectBody {
  const parse = parserOf({
    enableTypes: ['text'],
    textLimit: limitBytes,
    encoding: '',
    onerror(error) {
      if (error.type === 'entity.too.large') throw contentTooLarge(limitBytes);
      if (error.type === 'request.aborted') throw endedEarly();
      throw error;
    },
  });
  return async (req) => {
    // Validated by the engine; koa-bodyparser accepts `identity` in lower case only.
    if (req.headers['content-encoding'] !== undefined) delete req.headers['content-encoding'];
    // Validated by the engine.
    const request: ParsedContext['request'] = { is: () => 'text', body: undefined };
    await parse({ req, request }, async () => {});
    return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  };
}

/** @returns the body that koa-bodyparser has read; undefined if the request has none or is unread */
export function parsedBody(
  request: object,
  own: NodeBody,
  { limitBytes }: BodyLimits,
): BodySource | undefined {
  const { rawBody } = request as { readonly rawBody?: string };
  if (rawBody === undefined) return undefined;
  const read = () => {
    const bytes = Buffer.from(rawBody);
    if (bytes.length > limitBytes) throw contentTooLarge(limitBytes);
    return bytes;
  };
  return {
    readBody: read,
    stream: () => Readable.from([read()]),
    onClose: (listener) => own.onClose(listener),
    isClosed: () => own.isClosed(),
  };
}

/** Sets status, headers and body of a Koa context. */
export function setResponse(ctx: Context, { status, headers, body }: HttpResponse): void {
  ctx.status = status;
  if (body === undefined) {
    ctx.body = '';
    ctx.remove('Content-Type');
  } else {
    const isView = ArrayBuffer.isView(body);
    ctx.body = isView ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body;
  }
  ctx.set(headerLines(headers));
}

/** @returns true if middleware has set a status or a body */
export function hasResponse({ status, body }: Context): boolean {
  return status !== 404 || (body !== undefined && body !== null);
}

/** @returns status and body of a Koa context, whose headers are already set */
export function responseOf(ctx: Context): HttpResponse {
  const body = bodyOf(ctx.body);
  // The server sets the length of other bodies.
  if (!(body instanceof Readable)) ctx.remove('Content-Length');
  return { status: ctx.status, headers: {}, body };
}

/** @param body any body that Koa sends */
function bodyOf(body: unknown): HttpResponse['body'] {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array || body instanceof Readable)
    return body;
  if (body instanceof Blob) return Readable.fromWeb(body.stream() as ReadableStream);
  if (body instanceof globalThis.ReadableStream) return Readable.fromWeb(body);
  if (body instanceof Response) return body.body ? bodyOf(body.body) : undefined;
  if (isStream(body)) return new Readable().wrap(body);
  return JSON.stringify(body);
}

function isStream(body: unknown): body is NodeJS.ReadableStream & Stream {
  return typeof (body as Partial<Stream>).pipe === 'function';
}
