// The stream of a reply that is not sent.
import { Readable } from 'node:stream';
import type { HandlerReply } from './reply.ts';

/** @param reply of any type */
export function discardBody(reply: unknown): void {
  try {
    const { body } = reply as HandlerReply;
    if (body instanceof Readable) body.on('error', () => {}).destroy();
  } catch {
    // The reply has a getter that throws.
  }
}
