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
  declare readonly operationId: string;
  declare readonly status: number;
  declare readonly headers: Headers;
  /** The text, or undefined if it cannot be read. */
  declare readonly body: unknown;

  constructor({ operationId, reason, response }: Undeclared, body: unknown) {
    super(`${operationId}: ${reason}, expected a response that the contract declares`);
    const { status, headers } = response;
    Object.assign(this, { operationId, status, headers, body });
  }
}

/** A declared response that is not a success, thrown by `unwrap`. */
export class ErrorReply<Reply extends AnyReply = AnyReply> extends Error {
  override readonly name = 'ErrorReply';
  /** Discriminated by `status`. */
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`${reply.operationId}: got status ${reply.status}${messageOf(reply.body)}`);
    this.reply = reply;
  }
}

/** A request without a response: the connection failed, or the time limit was over. `cause` has the reason. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  declare readonly operationId: string;
  /** The number of requests that were sent. */
  declare readonly attempts: number;

  constructor(operationId: string, attempts: number, cause: unknown) {
    super(`${operationId}: no response: ${reasonOf(cause)}`, { cause });
    Object.assign(this, { operationId, attempts });
  }

  /** True if the time limit was over. */
  get isTimeout(): boolean {
    return (this.cause as Partial<Error> | undefined)?.name === 'TimeoutError';
  }
}

/** @returns the message of an error body: problem details (RFC 9457), and other usual members */
function messageOf(body: unknown): string {
  const { detail, message, title, error, code = error } = Object(body);
  const texts: unknown[] = [body, detail, message, title, error, error?.message];
  const text = texts.find((text) => text && typeof text === 'string');
  const number = /^\d+$/.test(code) ? ` (error ${code})` : '';
  return text ? `: ${String(text).slice(0, 300)}${number}` : ', expected a success';
}

/** @returns the message of the first cause, such as `connect ECONNREFUSED 127.0.0.1:3000` */
function reasonOf(error: unknown): string {
  const { cause, errors, message } = Object(error);
  const inner: unknown = cause ?? errors?.[0];
  return inner ? reasonOf(inner) : message || String(error);
}

/** Marks the errors of `fetch`, and of a body that ends early. */
export class BrokenConnection extends Error {}

/** A body that does not conform to its media type; `cause` is its text, if any. */
export class UnreadableBody extends Error {}
