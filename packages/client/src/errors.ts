// The errors of a call.
import type { AnyReply } from './anyReply.ts';

interface Undeclared {
  readonly operationId: string;
  /** The part of the response that the contract does not declare. */
  readonly reason: string;
  readonly response: Response;
}

/** A response whose status, media type or body the contract does not declare. */
export class UndeclaredResponse extends Error {
  override readonly name = 'UndeclaredResponse';
  readonly operationId: string;
  readonly status: number;
  readonly headers: Headers;
  /** The text, or undefined if it cannot be read. */
  readonly body: unknown;

  constructor({ operationId, reason, response }: Undeclared, body: unknown) {
    super(`${operationId}: ${reason}, expected a response that the contract declares`);
    this.operationId = operationId;
    this.status = response.status;
    this.headers = response.headers;
    this.body = body;
  }
}

/** A declared response that is not a success, thrown by `unwrap`. */
export class ErrorReply<Reply extends AnyReply = AnyReply> extends Error {
  override readonly name = 'ErrorReply';
  /** Discriminated by `status`. */
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`${reply.operationId}: got status ${reply.status}, expected a success`);
    this.reply = reply;
  }
}

/** A request without a response: the connection failed, or the time limit was over. `cause` has the reason. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  readonly operationId: string;
  /** The number of requests that were sent. */
  readonly attempts: number;

  constructor(operationId: string, attempts: number, cause: unknown) {
    super(`${operationId}: got no response (${String(cause)})`, { cause });
    this.operationId = operationId;
    this.attempts = attempts;
  }

  /** True if the time limit was over. */
  get isTimeout(): boolean {
    return (this.cause as Partial<Error> | undefined)?.name === 'TimeoutError';
  }
}

/** Marks the errors of `fetch`, and of a body that ends early. */
export class BrokenConnection extends Error {}

/** A body that does not conform to its media type. */
export class UnreadableBody extends Error {
  readonly body: unknown;

  constructor(message: string, body: unknown) {
    super(message);
    this.body = body;
  }
}
