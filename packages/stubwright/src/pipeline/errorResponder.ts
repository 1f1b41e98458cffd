// The error responses of a contract, for a gateway that rejects requests itself.
import type { Contract, MaybePromise, Problem } from '@stubwright/contract';
import type { Exchange } from '../request/exchange.ts';
import type { HttpResponse } from '../response/reply.ts';

/** @param exchange the rejected request; undefined for input that is not a request */
export type ErrorResponder = (error: Problem, exchange?: Exchange) => MaybePromise<HttpResponse>;

/**
 * @param options `basePath` is that of all routes; undefined for the paths of the contract's servers
 * @returns a function that returns the response that the operation of a request declares for an error
 */
export async function errorResponder(options: {
  readonly definition: Contract;
  readonly basePath: string | undefined;
}): Promise<ErrorResponder> {
  // Loads openapi-backend, which no other tool needs.
  const { createEngine } = await import('./engine.ts');
  const { reject } = await createEngine({ ...options, mock: 'all' });
  return reject;
}
