// The one record of a request in a release.

/** A part of a body; a long one is given as the string that it repeats. */
export type BodyPart = string | { readonly repeat: string; readonly times: number };

/** The value of an earlier request or response of a conversation. */
export interface ValueSource {
  readonly operationId: string;
  /** A runtime expression of OpenAPI: `$response.body#/id`. */
  readonly expression: string;
}

/** A request, and the status of its response when the version was released. */
export interface RecordedRequest {
  readonly operationId: string;
  readonly method: string;
  /** The template with `params`, otherwise the path that is sent. */
  readonly path: string;
  readonly params?: { readonly path: Readonly<Record<string, string | number>> };
  /** `TOKEN` represents a valid token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: readonly BodyPart[];
  /** What replaces the recorded values, by runtime expression: `$request.path.id`. */
  readonly values?: Readonly<Record<string, ValueSource>>;
  readonly status: number;
  /** True for a request that the generated types do not allow. */
  readonly isUntyped?: true;
}

/** Requests that build on each other, sent to a service with a new store. */
export interface Conversation {
  readonly name: string;
  /** The state of the service, by the name that the project gives it. */
  readonly situation?: string;
  readonly requests: readonly RecordedRequest[];
}
