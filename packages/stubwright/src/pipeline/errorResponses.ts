// Serializes problems as the error responses that the contract declares.
import type { Definition, LocatedNode, Operation } from '../document/definition.ts';
import { responseFor } from '../document/responses.ts';
import { type Problem, preferenceNotDeclared } from '../errors/problem.ts';
import { stringifyJson } from '../json/json.ts';
import type { InvalidMock } from '../mock/mocked.ts';
import type { CompiledResponse } from '../response/compiledResponse.ts';
import type { ErrorFormat } from '../response/errorFormat.ts';
import { ErrorWriter, missingHeaders, type WrittenError } from '../response/errorWriter.ts';
import { fillErrorBody } from '../response/fillErrorBody.ts';
import type { HandlerReply, HttpResponse, Replies } from '../response/reply.ts';
import { describeViolation } from '../schema/validator.ts';

type MaybePromise<T> = T | Promise<T>;

const PREFERENCE_NOT_DECLARED = preferenceNotDeclared('').number;

export interface ErrorResponsesOptions {
  readonly definition: Definition;
  readonly replies: Replies;
  readonly format: ErrorFormat | undefined;
  /** @returns a mocked reply with the status, for a schema that no format fits */
  readonly mock: (operation: Operation, status: number) => Promise<HandlerReply | InvalidMock>;
  readonly isMocked: (operation: Operation) => boolean;
  /** Called with an error that does not change the response. */
  readonly report: (error: Error) => void;
}

export class ErrorResponses {
  readonly #options: ErrorResponsesOptions;
  readonly #writer: ErrorWriter;
  /** Operations that declare the usual response of a status. */
  readonly #usual = new Map<number, Operation | undefined>();

  constructor(options: ErrorResponsesOptions) {
    this.#options = options;
    this.#writer = new ErrorWriter(options.format, options.report);
  }

  /**
   * Selects the response that the operation declares for the status or as `default`, then the first
   * media type and format whose body is valid and has the message, else a sample of the schema with the
   * message. A response
   * without content has no body. Without an operation, selects the response that most operations declare.
   * Without a declared response, uses the format alone.
   */
  of(problem: Problem, operation: Operation | undefined): MaybePromise<HttpResponse> {
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

  #declared(
    problem: Problem,
    operation: Operation,
    isMatched: boolean,
  ): MaybePromise<HttpResponse> {
    const response = this.#responseOf(operation, problem.status);
    if (response === undefined) return this.#writer.undeclared(problem);
    const operationId = isMatched ? operation.operationId : undefined;
    const written = this.#writer.write(problem, response, operationId);
    if (!isMatched) return written ?? this.#writer.undeclared(problem);
    const isMissing = missingHeaders(problem, response).length > 0;
    const isComplete = !(isMissing && this.#options.isMocked(operation));
    return written?.hasMessage && isComplete
      ? written
      : this.#filled(problem, operation, response, written);
  }

  /** @returns undefined if the contract cannot be compiled there */
  #responseOf(operation: Operation, status: number): CompiledResponse | undefined {
    try {
      return this.#options.replies.of(operation).responseOf(status);
    } catch {
      return undefined;
    }
  }

  async #filled(
    problem: Problem,
    operation: Operation,
    response: CompiledResponse,
    written: WrittenError | undefined,
  ): Promise<HttpResponse> {
    const { mock, isMocked } = this.#options;
    const fallback = written ?? this.#writer.undeclared(problem);
    try {
      const reply = await mock(operation, problem.status);
      const headers = isMocked(operation) ? requiredHeaders(problem, response, reply) : {};
      const complete = written && { ...written, headers: { ...headers, ...written.headers } };
      if (complete?.hasMessage) return complete;
      if (!('type' in reply) || reply.type === undefined) return complete ?? fallback;
      const { type } = reply;
      const content = response.contents.get(type) ?? [...response.contents.values()][0]!;
      const body = fillErrorBody(reply.body, problem, (value) => content.isValid(value));
      const text = content.tryWrite(type, body);
      const isBetter = written === undefined || text?.includes(JSON.stringify(problem.message));
      if (text === undefined || !isBetter) return complete ?? fallback;
      const all = { ...headers, ...problem.headers, 'Content-Type': type };
      return { status: problem.status, headers: all, body: text };
    } catch {
      return fallback;
    }
  }

  #usualFor(status: number): Operation | undefined {
    if (this.#usual.has(status)) return this.#usual.get(status);
    const groups = new Map<string, Operation[]>();
    for (const operation of this.#options.definition.operations) {
      const response = responseFor(operation.responses, status);
      if (response === undefined) continue;
      const key = contentOf(response);
      groups.set(key, [...(groups.get(key) ?? []), operation]);
    }
    const [largest] = [...groups.values()].sort((a, b) => b.length - a.length);
    this.#usual.set(status, largest?.[0]);
    return largest?.[0];
  }
}

function contentOf({ node }: LocatedNode): string {
  return stringifyJson(
    Object.entries(node.content ?? {}).map(([type, media]) => [
      type,
      (media as { schema?: unknown }).schema ?? null,
    ]),
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
