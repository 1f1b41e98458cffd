// The messages of errors that no response has: a test client in the same process shows them.
import { channel } from 'node:diagnostics_channel';

export interface UnsentReason {
  /** Undefined for a request that matches no operation. */
  readonly operationId: string | undefined;
  readonly status: number;
  readonly reason: string;
}

/** Messages are {@link UnsentReason}. */
export const unsentReasons = channel('stubwright.unsent-reason');
