// The response to an error of any type that the application throws.

import { channel } from 'node:diagnostics_channel';
import {
  type Contract,
  contractViolation,
  type DeclaredResponse,
  errorFrom,
  InvalidReply,
  internalError,
  isThenable,
  type MaybePromise,
  type Operation,
  onceFor,
  Problem,
  preferenceNotDeclared,
  stringifyJson,
} from '@stubwright/contract';
import { describeViolation } from '@stubwright/contract/values';
import type { InvalidMock } from '@stubwright/mock/mocked';
import type { Exchange } from '../request/exchange.ts';
import { type CompiledResponse, headerViolation } from '../response/compiledResponse.ts';
import { type ErrorFormat, undeclaredResponse } from '../response/errorFormat.ts';
import { ErrorWriter, missingHeaders, type ToFittingBody } from '../response/errorWriter.ts';
import type { HandlerReply, HttpResponse, Replies, ResponseValidation } from '../response/reply.ts';
import type { EngineResponse } from './engineResponse.ts';

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

interface FailuresOptions {
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

const CONTRACT_VIOLATION = contractViolation('').number;
const PREFERENCE_NOT_DECLARED = preferenceNotDeclared('').number;

interface ErrorResponsesOptions {
  readonly definition: Contract;
  readonly replies: Replies;
  readonly format: ErrorFormat | undefined;
  /** @returns a mocked reply with the status, for the required headers of a mocked operation */
  readonly mock: (operation: Operation, status: number) => Promise<HandlerReply | InvalidMock>;
  readonly isMocked: (operation: Operation) => boolean;
  /** Called with an error that does not change the response. */
  readonly report: (error: Error) => void;
}

/** The response to an error. */
interface SentError extends HttpResponse {
  /** The message, for the log, if the response has no room for it. */
  readonly reason?: string;
}

export class ErrorResponses {
  readonly #options: ErrorResponsesOptions;
  readonly #writer: ErrorWriter;
  /** @returns an operation that declares the usual response of a status */
  readonly #usualFor: (status: number) => Operation | undefined;
  #toFitting: ToFittingBody | undefined;

  constructor(options: ErrorResponsesOptions) {
    this.#options = options;
    this.#writer = new ErrorWriter(options.format, options.report);
    this.#usualFor = onceFor((status) => usualFor(status, options.definition));
  }

  /**
   * Selects the response that the operation declares for the status or as `default`, then the first
   * media type and format whose body is valid and has the message, else a body of the schema with the
   * message where it has room. A response without content has no body. Without an operation, selects the
   * response that most operations declare. Without a declared response, uses the format alone.
   */
  of(problem: Problem, operation: Operation | undefined): MaybePromise<SentError> {
    // A declared 404 would hide that the mock has no such response.
    const isOfMock = problem.number === PREFERENCE_NOT_DECLARED;
    const declaring = isOfMock ? undefined : (operation ?? this.#usualFor(problem.status));
    if (declaring === undefined) return this.#writer.undeclared(problem);
    return this.#declared(problem, declaring, operation !== undefined);
  }

  /** @returns how the headers of a problem violate the response that the operation declares */
  headerViolation({ status, headers }: Problem, operation: Operation): string | undefined {
    const [first] = this.#responseOf(operation, status)?.headerViolations(headers) ?? [];
    return first && describeViolation(first);
  }

  #declared(problem: Problem, operation: Operation, isMatched: boolean): MaybePromise<SentError> {
    const response = this.#responseOf(operation, problem.status);
    if (response === undefined) return this.#writer.undeclared(problem);
    const operationId = isMatched ? operation.operationId : undefined;
    const written = this.#writer.write(problem, response, operationId, this.#toFitting);
    if (written === 'unknown') {
      return this.#load().then(() => this.#declared(problem, operation, isMatched));
    }
    if (written === undefined) return this.#writer.undeclared(problem);
    const { hasMessage, ...sent } = written;
    const error = hasMessage ? sent : withReason(sent, problem, operationId);
    const isMocked = isMatched && this.#options.isMocked(operation);
    return isMocked && missingHeaders(problem, response).length > 0
      ? this.#withHeaders(error, problem, operation, response)
      : error;
  }

  /** On demand: samples are a tenth of the code. */
  async #load(): Promise<void> {
    const { Samples } = await import('@stubwright/mock/samples');
    const { ErrorBodies } = await import('./errorBodies.ts');
    const bodies = new ErrorBodies(new Samples(this.#options.replies.validators));
    this.#toFitting ??= (content, problem) => bodies.of(content, problem);
  }

  /** @returns undefined if the contract cannot be compiled there */
  #responseOf(operation: Operation, status: number): CompiledResponse | undefined {
    try {
      return this.#options.replies.of(operation).responseOf(status);
    } catch {
      return undefined;
    }
  }

  async #withHeaders(
    error: SentError,
    problem: Problem,
    operation: Operation,
    response: CompiledResponse,
  ): Promise<SentError> {
    try {
      const reply = await this.#options.mock(operation, problem.status);
      return {
        ...error,
        headers: { ...requiredHeaders(problem, response, reply), ...error.headers },
      };
    } catch {
      return error;
    }
  }
}

function usualFor(status: number, { operations }: Contract): Operation | undefined {
  const declaring = operations.filter(({ responses }) => responses.for(status) !== undefined);
  const groups = Map.groupBy(declaring, ({ responses }) => contentOf(responses.for(status)!));
  const [largest] = [...groups.values()].sort((a, b) => b.length - a.length);
  return largest?.[0];
}

/** True for a status that says as much as the message; the log has the cause of a 500. */
function isPlain(status: number): boolean {
  return status === 401 || status === 403 || status >= 500;
}

function withReason(
  sent: HttpResponse,
  problem: Problem,
  operationId: string | undefined,
): SentError {
  const reason = reasonOf(problem);
  const { status } = problem;
  if (!isPlain(status))
    unsentReasons.publish({ operationId, status, reason } satisfies UnsentReason);
  return { ...sent, reason };
}

/** The violations of a request are in the message of the engine, and not in that of a handler. */
function reasonOf({ number, message, violations }: Problem): string {
  if (number === CONTRACT_VIOLATION || violations.length === 0) return message;
  const list = violations.map(({ pointer, expected }) => `${pointer} expected ${expected}`);
  return `${message}: ${list.join('; ')}`;
}

function contentOf({ contents }: DeclaredResponse): string {
  return stringifyJson(
    Array.from(contents, ([type, { schema }]) => [type, schema?.written ?? null]),
  );
}

/** @returns the required headers of a mocked reply that the problem does not have */
function requiredHeaders(
  problem: Problem,
  response: CompiledResponse,
  reply: HandlerReply | InvalidMock,
): Record<string, string> {
  const missing = missingHeaders(problem, response);
  const given = 'headers' in reply ? Object.entries(reply.headers ?? {}) : [];
  const required = given.filter(([name]) => missing.includes(name.toLowerCase()));
  return Object.fromEntries(required.map(([name, value]) => [name, String(value)]));
}

export interface UnsentReason {
  /** Undefined for a request that matches no operation. */
  readonly operationId: string | undefined;
  readonly status: number;
  readonly reason: string;
}

/** Messages are {@link UnsentReason}. */
export const unsentReasons = channel('stubwright.unsent-reason');
