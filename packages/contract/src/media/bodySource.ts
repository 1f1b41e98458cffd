// The body of a message, read on demand.
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { BodyAllocation } from './bodyMemory.ts';
import type { MaybePromise } from './chain.ts';

/** A body, read on demand. */
export interface BodySource {
  /**
   * Reads the body. May be called once.
   *
   * @throws {Problem} 41300 if it is too large
   */
  readBody(): MaybePromise<Buffer>;
  /**
   * Alternative to readBody.
   *
   * @param allocation counts a body that is retained; a body is not counted by default
   * @throws {Problem} 41300 or 50300, or fails with it while it is read
   */
  stream(allocation?: BodyAllocation): Readable;
  /** For {@link stream}: the share of this body in the memory budget. Absent for a body in memory. */
  allocate?(): BodyAllocation;
  /** @returns true until the whole body has arrived; absent where that is unknown */
  isArriving?(): boolean;
  /**
   * Calls the listener when the connection of the request closes, also after the response.
   *
   * @param listener receives true after the whole response was sent
   */
  onClose?(listener: (isSent: boolean) => void): void;
  /** @returns true if the client has closed the connection: it receives no response */
  isClosed?(): boolean;
}

/** A request or a response. */
export interface Message {
  readonly headers: IncomingHttpHeaders;
  readonly body: BodySource;
}

/** RFC 9112, section 6.3: a request has a body if it has Transfer-Encoding or Content-Length. */
export function isBodyExpected(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}

/** @returns the source of a body in memory */
export function wholeBody(bytes: Buffer): BodySource {
  return { readBody: async () => bytes, stream: () => Readable.from([bytes]) };
}
