// The marker of mocked operations, loaded by every service, and the types of their exchanges.

import type { Operation } from '@stubwright/contract';
import type { BodySource, ParameterValues } from '@stubwright/contract/values';

/** A validated request for a mocked operation. */
export interface MockedExchange {
  /** Set by routing. */
  readonly operation: Operation | undefined;
  readonly path: string;
  /** The query without the question mark, percent-encoded. */
  readonly queryText: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly parameters: ParameterValues;
  readonly parsedBody: MockedBody;
  readonly body: Pick<BodySource, 'onClose'>;
  /** Set for a sample that is sent instead of an item. */
  violation: Error | undefined;
}

interface MockedBody {
  /** Undefined without a body. */
  readonly mediaType: string | undefined;
  /** True for a body that arrives while it is read; it is not read again. */
  readonly isStream?: boolean;
  coerced(): unknown;
}

/** An item of a list, by the order of its creation. */
export interface PagedRow {
  readonly position: number;
}

/**
 * Selects a page of a list, as `x-pagination` of the operation describes it.
 *
 * @param rows in the order of their positions
 * @returns a body that has the rows of the page as its items, and the declared header `Link`
 */
export type SelectPage = (
  exchange: MockedExchange,
  rows: readonly PagedRow[],
) => Promise<{ readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }>;

/** The reply of a mock, which the contract allows. */
export interface ValidMock {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Marks a mocked operation in the handlers: `listToys: mocked`. */
export const mocked: unique symbol = Symbol('mocked');

/** `off`: only operations marked `mocked`; `missing`: also those without handler; `all`. */
export type MockMode = 'off' | 'missing' | 'all';

/** How mocked replies are selected where a request does not select one. */
export interface MockOptions {
  /** True to generate a new body for each request instead of sending an example. */
  readonly isDynamic?: boolean | undefined;
  /** The seed of generated bodies. Equal seeds give equal sequences of bodies for each operation. */
  readonly seed?: string | undefined;
  /** The shortest and the longest delay of a reply; no delay by default. */
  readonly delayMs?: readonly [min: number, max: number] | undefined;
  /** The share of requests that get a 5xx response, from 0 to 1; 0 by default. */
  readonly errorRate?: number | undefined;
  /** True to find, list, change and delete what requests created; false by default. */
  readonly isStateful?: boolean | undefined;
  /** False to reply to requests whose parameters and body violate the contract; true by default. */
  readonly validatesRequests?: boolean | undefined;
  /** The number of generated items in a sequence; 3 by default. */
  readonly items?: number | undefined;
  /** The time between the items of a sequence; 0 by default. */
  readonly itemIntervalMs?: number | undefined;
}

/** A serialized response. */
interface SerializedMock {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const MAX_HEADER_LENGTH = 200;

/** A mocked reply without a valid value: sent without validation, with a Mock-Violation header. */
export class InvalidMock {
  readonly status: number;
  /** Undefined without a body. */
  readonly type: string | undefined;
  /** The serialized body. */
  readonly body: string;
  readonly violation: string;

  constructor(status: number, type: string | undefined, body: string, violation: string) {
    this.status = status;
    this.type = type;
    this.body = body;
    this.violation = violation;
  }

  toHttpResponse(): SerializedMock {
    const { status, type, body, violation } = this;
    const text = violation.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_HEADER_LENGTH);
    const headers = { 'Mock-Violation': text };
    if (type === undefined) return { status, headers, body: undefined };
    return { status, headers: { ...headers, 'Content-Type': type }, body };
  }
}
