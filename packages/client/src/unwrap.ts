// Separates the success of a reply from its errors.

import type { AnyReply } from './anyReply.ts';
import { ErrorReply } from './errors.ts';
import type { FailureOf, SuccessOf } from './types.ts';

/**
 * Returns the body of a success.
 *
 * @throws {ErrorReply} for a reply of another status than 2XX
 * @example
 * const toy = await unwrap(toys.getToy({ path: { id: 1n } }));
 */
export function unwrap<Reply extends AnyReply>(
  reply: Promise<Reply>,
): Promise<SuccessOf<Reply>['body']>;
export function unwrap<Reply extends AnyReply>(reply: Reply): SuccessOf<Reply>['body'];
export function unwrap(reply: AnyReply | Promise<AnyReply>): unknown {
  if (reply instanceof Promise) return reply.then((anyReply) => unwrap(anyReply));
  if (reply.status >= 200 && reply.status < 300) return reply.body;
  throw new ErrorReply(reply);
}

/**
 * True for an error that `unwrap` threw for a reply of an operation; `reply` is then discriminated by status.
 *
 * @example
 * if (isErrorOf(getToy, error) && error.reply.status === 404) return undefined;
 */
export function isErrorOf<Reply extends AnyReply>(
  operation: ((...args: never[]) => Promise<Reply>) & { readonly operationId: string },
  error: unknown,
): error is ErrorReply<FailureOf<Reply>> {
  return error instanceof ErrorReply && error.reply.operationId === operation.operationId;
}
