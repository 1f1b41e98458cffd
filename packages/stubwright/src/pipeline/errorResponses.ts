// Serializes problems as the error responses that the contract declares.
import {
  type Contract,
  contractViolation,
  type DeclaredResponse,
  type MaybePromise,
  type Operation,
  onceFor,
  type Problem,
  preferenceNotDeclared,
  stringifyJson,
} from '@stubwright/contract';
import { describeViolation } from '@stubwright/contract/values';
import type { InvalidMock } from '@stubwright/mock/mocked';
import type { CompiledResponse } from '../response/compiledResponse.ts';
import type { ErrorFormat } from '../response/errorFormat.ts';
import { ErrorWriter, missingHeaders, type ToFittingBody } from '../response/errorWriter.ts';
import type { HandlerReply, HttpResponse, Replies } from '../response/reply.ts';
import { type UnsentReason, unsentReasons } from './unsentReasons.ts';

const CONTRACT_VIOLATION = contractViolation('').number;
const PREFERENCE_NOT_DECLARED = preferenceNotDeclared('').number;

export interface ErrorResponsesOptions {
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
export interface SentError extends HttpResponse {
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
  const each = violations.map(({ pointer, expected }) => `${pointer} expected ${expected}`);
  return `${message}: ${each.join('; ')}`;
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
