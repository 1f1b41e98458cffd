// The response to an error of any type that the application throws.
import {
  errorFrom,
  InvalidReply,
  internalError,
  isThenable,
  type MaybePromise,
  type Operation,
  Problem,
} from '@stubwright/contract';
import type { Exchange } from '../request/exchange.ts';
import { undeclaredResponse } from '../response/errorFormat.ts';
import { headerViolation } from '../response/headers.ts';
import type { ResponseValidation } from '../response/reply.ts';
import type { EngineResponse } from './engineResponse.ts';
import type { ErrorResponses, SentError } from './errorResponses.ts';

/** The values of a request whose handler has thrown, as they were received. */
export interface FailedRequest {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly header?: Readonly<Record<string, unknown>> | undefined;
  readonly cookie?: Readonly<Record<string, unknown>> | undefined;
  /** Undefined without a body, and for one that the handler reads itself. */
  readonly body?: unknown;
}

export type ToProblem = (error: unknown, request: FailedRequest) => Problem | undefined;

export interface FailuresOptions {
  readonly errorResponses: ErrorResponses;
  /** Maps an error of the services to a Problem; undefined for an internal error. */
  readonly toProblem: ToProblem | undefined;
  readonly responseValidation: ResponseValidation;
  /** True to report in a 500 response how a reply violates the contract. */
  readonly exposeErrors: boolean;
  /** Called with an error that does not change the response. */
  readonly report: (error: Error) => void;
}

export class Failures {
  readonly #options: FailuresOptions;

  constructor(options: FailuresOptions) {
    this.#options = options;
  }

  /** @param thrown by a step or a handler; of any type */
  thrown(
    thrown: unknown,
    exchange: Pick<Exchange, 'operation' | 'isHandled' | 'parameters' | 'parsedBody'>,
  ): MaybePromise<EngineResponse> {
    const { operation, isHandled } = exchange;
    const error = errorFrom(thrown);
    try {
      const isProblem = error instanceof Problem;
      const sent = isProblem ? error : this.#problemFor(thrown, error, exchange);
      const cause = isProblem ? causeOf(error) : error;
      if (!isHandled || operation === undefined) return this.reject(sent, operation, cause);
      return this.#rejectValid(sent, operation, cause);
    } catch (failure) {
      return internal(errorFrom(failure), operation);
    }
  }

  /** The error of a handler is validated as its replies are. The engine's own errors are always sent. */
  #rejectValid(
    error: Problem,
    operation: Operation,
    cause: Error | undefined,
  ): MaybePromise<EngineResponse> {
    const { errorResponses, responseValidation } = this.#options;
    const violation =
      responseValidation === 'off' ? undefined : errorResponses.headerViolation(error, operation);
    if (violation === undefined) return this.reject(error, operation, cause);
    const invalid = invalidProblem(error, operation, violation);
    return responseValidation === 'strict'
      ? this.reject(this.#internalError(invalid), operation, invalid)
      : this.reject(error, operation, cause ?? invalid);
  }

  /**
   * @param cause for the log
   * @returns the response that the operation declares for the error; a 500 if it cannot be sent
   */
  reject(
    error: Problem,
    operation: Operation | undefined,
    cause: unknown,
  ): MaybePromise<EngineResponse> {
    const log = { route: operation?.path, operationId: operation?.operationId };
    const sent = (response: SentError): EngineResponse => {
      const violation = headerViolation(response.headers);
      if (violation === undefined) return { ...response, ...log, cause };
      // A response that the contract declares would have the same headers.
      return internal(new InvalidReply(`${error.status} response: ${violation}`), operation);
    };
    const failed = (thrown: unknown): EngineResponse => internal(errorFrom(thrown), operation);
    try {
      const violation = statusViolation(error) ?? headerViolation(error.headers);
      if (violation !== undefined) {
        const invalid = invalidProblem(error, operation, violation);
        return this.reject(this.#internalError(invalid), operation, invalid);
      }
      const response = this.#options.errorResponses.of(error, operation);
      return response instanceof Promise ? response.then(sent).catch(failed) : sent(response);
    } catch (thrown) {
      return failed(thrown);
    }
  }

  #problemFor(
    thrown: unknown,
    error: Error,
    { parameters, parsedBody }: Pick<Exchange, 'parameters' | 'parsedBody'>,
  ): Problem {
    const { toProblem, report } = this.#options;
    try {
      const mapped: unknown = toProblem?.(thrown, { ...parameters, body: parsedBody.value });
      if (mapped instanceof Problem) return mapped;
      if (isThenable(mapped)) {
        Promise.resolve(mapped).catch(() => {});
        report(new TypeError('toProblem returned a promise, expected a Problem or undefined'));
      }
    } catch (failure) {
      report(errorFrom(failure));
    }
    return this.#internalError(error);
  }

  #internalError(error: Error): Problem {
    const isExposed = this.#options.exposeErrors && error instanceof InvalidReply;
    return internalError(isExposed ? error.message : undefined);
  }
}

/** A 500 without a cause is its own. */
function causeOf(error: Problem): Error | undefined {
  if (error.cause !== undefined) return errorFrom(error.cause);
  return error.status === 500 ? error : undefined;
}

function invalidProblem(
  { status }: Problem,
  operation: Operation | undefined,
  violation: string,
): InvalidReply {
  const name = operation === undefined ? '' : `${operation.operationId} `;
  return new InvalidReply(`${name}Problem ${status}: ${violation}`);
}

/** The number of a Problem may be changed. */
function statusViolation({ status }: Problem): string | undefined {
  const isError = Number.isInteger(status) && status >= 400 && status <= 599;
  return isError ? undefined : 'expected a status from 400 to 599';
}

/** Without the contract and without code of the application. */
function internal(cause: Error, operation: Operation | undefined): EngineResponse {
  const response = undeclaredResponse(internalError());
  return { ...response, route: operation?.path, operationId: operation?.operationId, cause };
}
