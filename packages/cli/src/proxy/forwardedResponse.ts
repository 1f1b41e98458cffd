// Forwards a response of the service unchanged.
import type { IncomingMessage, InformationEvent, ServerResponse } from 'node:http';
import { forwardBody, responseFields } from './headers.ts';

/** RFC 9112, section 4. */
const REASON = /^[\t \x21-\x7e\x80-\xff]*$/;

/** @returns why a response cannot be forwarded, as the end of a sentence about the service */
export function responseError(arrived: IncomingMessage): string | undefined {
  const { statusCode = 0, statusMessage = '', httpVersion, headers } = arrived;
  const codings = headers['transfer-encoding'];
  const isFramed = codings === undefined || (httpVersion === '1.1' && /^chunked$/i.test(codings));
  if (!isFramed) return 'sent a response with a transfer coding other than chunked';
  const isStatus = statusCode >= 200 && statusCode <= 999 && REASON.test(statusMessage);
  return isStatus ? undefined : 'sent a response with an invalid status line';
}

/** Forwards 103 (RFC 9110, section 15.2, RFC 8297). The other fields of hints are not sent. */
export function passHints(
  { statusCode, headers }: Pick<InformationEvent, 'statusCode' | 'headers'>,
  { httpVersion }: IncomingMessage,
  response: ServerResponse,
): void {
  const links = [headers['link'] ?? []].flat().flatMap((each) => each.split(/,\s*(?=<)/));
  if (statusCode !== 103 || links.length === 0) return;
  if (httpVersion !== '1.1' || response.headersSent || response.destroyed) return;
  try {
    response.writeEarlyHints({ link: links });
  } catch {
    // Node rejects a link that it cannot parse. The response does not depend on hints.
  }
}

/** @param head the part of its body that was read already */
export function pass(
  arrived: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  head: readonly Buffer[],
): void {
  response.sendDate = false;
  const { statusCode = 502, statusMessage } = arrived;
  response.writeHead(statusCode, statusMessage, responseFields(arrived, request).flat());
  forwardBody(arrived, response, head);
  // The headers of a stream are sent before its first chunk.
  setImmediate(() => {
    if (!response.writableEnded) response.flushHeaders();
  });
}
