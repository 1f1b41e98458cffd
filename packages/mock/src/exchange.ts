// What mocks read of a request, and what they return.

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
