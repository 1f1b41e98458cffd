// The reply of any operation.

/** Of any operation. */
export interface AnyReply {
  readonly operationId: string;
  readonly status: number;
  /** The declared headers that the response has, by declared name. */
  readonly headers: object;
  /** The declared media type; undefined without a body. */
  readonly type: string | undefined;
  readonly body: unknown;
  /** All headers; its body is read. */
  readonly response: Response;
}
