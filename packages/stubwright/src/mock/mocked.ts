// Which operations are mocked, and the reply of a mock that breaks its schema. Apart from how mocks are
// made, which a service without mocks need not load.
import type { HttpResponse } from '../response/reply.ts';

/** Stands in a handler map for an operation that is to be mocked: `listToys: mocked`. */
export const mocked: unique symbol = Symbol('mocked');

/** Which operations are mocked: none but those marked `mocked`, those without handler, or all. */
export type MockMode = 'off' | 'missing' | 'all';

const MAX_HEADER_LENGTH = 200;

/** A mock's reply where no valid value was found: it is sent without validation, and says so. */
export class BestEffort {
  readonly status: number;
  /** Undefined for a reply without a body. */
  readonly type: string | undefined;
  /** As it is sent. */
  readonly body: string;
  /** What the reply breaks. */
  readonly violation: string;

  constructor(status: number, type: string | undefined, body: string, violation: string) {
    this.status = status;
    this.type = type;
    this.body = body;
    this.violation = violation;
  }

  toHttpResponse(): HttpResponse {
    const { status, type, body, violation } = this;
    const text = violation.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_HEADER_LENGTH);
    const headers = { 'Mock-Violation': text };
    if (type === undefined) return { status, headers, body: undefined };
    return { status, headers: { ...headers, 'Content-Type': type }, body };
  }
}
