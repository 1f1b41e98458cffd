// The response to an error of any type: of a step, of the application, or of input that is not a request.

import { channel } from 'node:diagnostics_channel';
import {
  type Contract,
  contractViolation,
  errorFrom,
  InvalidReply,
  internalError,
  isThenable,
  type Operation,
  onceFor,
  Problem,
  preferenceNotDeclared,
  stringifyJson,
} from '@stubwright/contract';
import { describeViolation } from '@stubwright/contract/values';
import type { Mocks } from '@stubwright/mock';
import type { Exchange } from '../request/exchange.ts';
import { type CompiledResponse, headerViolation, nameIn } from '../response/compiledResponse.ts';
import { undeclaredResponse } from '../response/errorFormat.ts';
import { ErrorWriter } from '../response/errorWriter.ts';
import type { HttpResponse } from '../response/reply.ts';
import type { HandlingOptions } from './engineOptions.ts';
import type { EngineResponse } from './engineResponse.ts';
import type { StepParts } from './step.ts';

/** A step or a handler that has failed, or input that is not a request. */
interface Failure {
  readonly problem: Problem;
  /** Undefined for a request that matches no operation. */
  readonly operation: Operation | undefined;
  /** For the log. */
  readonly cause: unknown;
  /** True for the error of a handler, which is validated as its replies are. */
  readonly isReply?: boolean;
}

type FailureOptions = Pick<HandlingOptions<never>, 'errors' | 'toProblem' | 'exposeErrors'>;

export class Failures {
  readonly #options: FailureOptions;
  readonly #parts: StepParts;
  readonly #writer: ErrorWriter;
  /** For the required headers of a mocked operation. */
  readonly #loadMocks: () => Promise<Mocks>;
  /** @returns an operation that declares the usual response of a status */
  readonly #usualFor: (status: number) => Operation | undefined;

  constructor(options: FailureOptions, parts: StepParts, loadMocks: () => Promise<Mocks>) {
    this.#options = options;
    this.#parts = parts;
    this.#writer = new ErrorWriter(parts.replies.validators, options.errors, parts.report);
    this.#loadMocks = loadMocks;
    this.#usualFor = onceFor((status) => usualFor(status, parts.definition));
  }

  /** @param thrown by a step or a handler; of any type */
  thrown(
    thrown: unknown,
    exchange: Pick<Exchange, 'operation' | 'isHandled' | 'parameters' | 'parsedBody'>,
  ): Promise<EngineResponse> {
    const { operation, isHandled: isReply } = exchange;
    return this.#respond(operation, () => {
      const error = errorFrom(thrown);
      if (error instanceof Problem) {
        return { problem: error, operation, cause: causeOf(error), isReply };
      }
      const problem = this.#problemFor(thrown, exchange) ?? this.#internalError(error);
      return { problem, operation, cause: error, isReply };
    });
  }

  /** @param cause for the log */
  reject(
    problem: Problem,
    operation: Operation | undefined,
    cause: unknown,
  ): Promise<EngineResponse> {
    return this.#respond(operation, () => ({ problem, operation, cause }));
  }

  /** @returns the response that the operation declares for the error; a 500 if it cannot be sent */
  async #respond(
    operation: Operation | undefined,
    failureOf: () => Failure,
  ): Promise<EngineResponse> {
    const log = { route: operation?.path, operationId: operation?.operationId };
    try {
      const { problem, cause } = this.#checked(failureOf());
      const response = await this.#responseTo(problem, operation);
      const violation = headerViolation(response.headers);
      if (violation === undefined) return { ...response, ...log, cause };
      throw new InvalidReply(`${problem.status} response: ${violation}`);
    } catch (thrown) {
      // Without the contract and without code of the application.
      return { ...undeclaredResponse(internalError()), ...log, cause: errorFrom(thrown) };
    }
  }

  /** @returns a 500 for a problem that HTTP cannot carry, and for one that the contract forbids a handler */
  #checked(failure: Failure): Failure {
    const { problem, operation, cause, isReply } = failure;
    const { validation } = this.#parts.replies;
    const isInvalid = statusViolation(problem) ?? headerViolation(problem.headers);
    const isValidated = isReply && validation !== 'off';
    const violation = isInvalid ?? (isValidated ? this.#headerViolation(failure) : undefined);
    if (violation === undefined) return failure;
    const name = operation === undefined ? '' : `${operation.operationId} `;
    const invalid = new InvalidReply(`${name}Problem ${problem.status}: ${violation}`);
    return isInvalid === undefined && validation === 'log'
      ? { ...failure, cause: cause ?? invalid }
      : { problem: this.#internalError(invalid), operation, cause: invalid };
  }

  /** @returns how the headers of a problem violate the response that the operation declares */
  #headerViolation({ problem, operation }: Failure): string | undefined {
    const response = operation && this.#declared(operation, problem);
    const [first] = response?.headerViolations(problem.headers) ?? [];
    return first && describeViolation(first);
  }

  /** @returns undefined for an error that the application does not map */
  #problemFor(
    thrown: unknown,
    { parameters, parsedBody }: Pick<Exchange, 'parameters' | 'parsedBody'>,
  ): Problem | undefined {
    const { toProblem } = this.#options;
    const { report } = this.#parts;
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
    return undefined;
  }

  #internalError(error: Error): Problem {
    const isExposed = this.#options.exposeErrors && error instanceof InvalidReply;
    return internalError(isExposed ? error.message : undefined);
  }

  /**
   * The response that the operation declares for the status or as `default`; without an operation, the one that
   * most operations declare; else the format alone.
   */
  async #responseTo(
    problem: Problem,
    operation: Operation | undefined,
  ): Promise<HttpResponse & { readonly reason?: string }> {
    // A declared 404 would hide that the mock has no such response.
    const isOfMock = problem.number === PREFERENCE_NOT_DECLARED;
    const declaring = isOfMock ? undefined : (operation ?? this.#usualFor(problem.status));
    const response = declaring && this.#declared(declaring, problem);
    const operationId = operation?.operationId;
    const written = response && (await this.#writer.write(problem, response, operationId));
    if (written === undefined) return this.#writer.undeclared(problem);
    const { hasMessage, ...sent } = written;
    const mocked = operation && (await this.#mockedHeaders(problem, operation, response!));
    return {
      ...sent,
      ...(mocked && { headers: { ...mocked, ...sent.headers } }),
      ...(!hasMessage && { reason: unsentReason(problem, operationId) }),
    };
  }

  /** @returns undefined for a status that is not declared, or if the contract cannot be compiled there */
  #declared(operation: Operation, { status }: Problem): CompiledResponse | undefined {
    try {
      return this.#parts.replies.of(operation).responseOf(status);
    } catch {
      return undefined;
    }
  }

  /** @returns the required headers that the problem does not have, from a mocked reply */
  async #mockedHeaders(problem: Problem, operation: Operation, response: CompiledResponse) {
    const missing = missingHeaders(problem, response);
    if (missing.length === 0 || !this.#parts.isMocked(operation)) return undefined;
    try {
      const reply = await (await this.#loadMocks()).replyWith(operation, problem.status);
      const given = 'headers' in reply ? Object.entries(reply.headers ?? {}) : [];
      const required = given.filter(([name]) => missing.includes(name.toLowerCase()));
      return Object.fromEntries(required.map(([name, value]) => [name, String(value)]));
    } catch {
      return undefined;
    }
  }
}

/** A 500 without a cause is its own. */
function causeOf(error: Problem): Error | undefined {
  if (error.cause !== undefined) return errorFrom(error.cause);
  return error.status === 500 ? error : undefined;
}

/** The number of a Problem may be changed. */
function statusViolation({ status }: Problem): string | undefined {
  const isError = Number.isInteger(status) && status >= 400 && status <= 599;
  return isError ? undefined : 'expected a status from 400 to 599';
}

/** @returns the required headers that a problem does not have, in lower case */
export function missingHeaders(
  { headers }: Problem,
  { requiredHeaders }: CompiledResponse,
): string[] {
  return requiredHeaders.filter((name) => nameIn(headers, name) === undefined);
}

const CONTRACT_VIOLATION = contractViolation('').number;
const PREFERENCE_NOT_DECLARED = preferenceNotDeclared('').number;

function usualFor(status: number, { operations }: Contract): Operation | undefined {
  const declaring = operations.filter(({ responses }) => responses.for(status) !== undefined);
  const groups = Map.groupBy(declaring, ({ responses }) => {
    const { contents } = responses.for(status)!;
    return stringifyJson(
      [...contents].map(([type, { schema }]) => [type, schema?.written ?? null]),
    );
  });
  return [...groups.values()].sort((a, b) => b.length - a.length)[0]?.[0];
}

/** @returns the message, after it was published unless the status says as much */
function unsentReason(problem: Problem, operationId: string | undefined): string {
  const { status, number, message, violations } = problem;
  // The violations of a request are in the message of the engine, and not in that of a handler.
  const isListed = number === CONTRACT_VIOLATION || violations.length === 0;
  const list = violations.map(({ pointer, expected }) => `${pointer} expected ${expected}`);
  const reason = isListed ? message : `${message}: ${list.join('; ')}`;
  // The log has the cause of a 500.
  const isPlain = status === 401 || status === 403 || status >= 500;
  if (!isPlain) unsentReasons.publish({ operationId, status, reason } satisfies UnsentReason);
  return reason;
}

export interface UnsentReason {
  /** Undefined for a request that matches no operation. */
  readonly operationId: string | undefined;
  readonly status: number;
  readonly reason: string;
}

/** Messages are {@link UnsentReason}. */
export const unsentReasons = channel('stubwright.unsent-reason');
