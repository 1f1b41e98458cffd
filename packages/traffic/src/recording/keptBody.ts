// Keeps the bytes of a body that the engine reads.

import { chain, type MaybePromise } from '@stubwright/contract';
import type { BodyAllocation, BodySource } from '@stubwright/contract/values';

/** Bodies that are streamed to a handler, such as uploads, are not kept. */
export class KeptBody implements BodySource {
  readonly #source: BodySource;
  readonly allocate?: () => BodyAllocation;
  readonly isArriving?: () => boolean;
  readonly onClose?: (listener: (isSent: boolean) => void) => void;
  readonly isClosed?: () => boolean;
  /** Undefined until it is read, and for a stream. */
  bytes: Buffer | undefined;

  constructor(source: BodySource) {
    this.#source = source;
    // What is absent stays absent.
    if (source.allocate) this.allocate = () => source.allocate!();
    if (source.isArriving) this.isArriving = () => source.isArriving!();
    if (source.onClose) this.onClose = (listener) => source.onClose!(listener);
    if (source.isClosed) this.isClosed = () => source.isClosed!();
  }

  readBody(): MaybePromise<Buffer> {
    return chain(this.#source.readBody(), (bytes) => {
      this.bytes = bytes;
      return bytes;
    });
  }

  stream(allocation?: BodyAllocation): ReturnType<BodySource['stream']> {
    return this.#source.stream(allocation);
  }
}
