// Responses of the engine as responses of Koa, and back.
import { Readable, type Stream } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Context } from 'koa';
import { headerLines } from '../response/headers.ts';
import type { HttpResponse } from '../response/reply.ts';

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
