// Waits for the start of a stream, whose response can then no longer become an error.
import type { Readable } from 'node:stream';
import type { Exchange } from '../request/exchange.ts';
import { firstChunk } from '../response/byteStream.ts';
import { ItemStream } from '../response/itemStream.ts';
import type { HttpResponse } from '../response/reply.ts';

/** Then the head of a response is sent although its first item is not known. */
const FIRST_ITEM_MS = 100;

/**
 * Waits for the first chunk. The stream is discarded when the client is gone.
 *
 * @param body of the response
 * @param report called with the error of a later item
 * @throws the error of a stream that fails before
 */
export async function startStream(
  response: HttpResponse,
  body: Readable,
  { body: source }: Exchange,
  report: (error: Error) => void,
): Promise<HttpResponse> {
  try {
    source.onClose?.(() => body.destroy());
    const started = firstChunk(body);
    const error = await (body instanceof ItemStream ? atMost(FIRST_ITEM_MS, started) : started);
    if (error !== undefined) throw error;
  } catch (error) {
    body.destroy();
    throw error;
  }
  if (body instanceof ItemStream) reportFailure(body, report);
  return response;
}

/** Of a stream whose last item describes the error; the adapter reports one that fails. */
function reportFailure(body: ItemStream, report: (error: Error) => void): void {
  body.isSent = true;
  body.once('close', () => {
    if (body.failure !== undefined && body.errored === null) report(body.failure);
  });
}

/** @returns undefined if the promise does not settle in time */
async function atMost<T>(timeoutMs: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
