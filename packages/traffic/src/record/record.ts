// The one record of a request and its response: of a client's traffic, and of a release.

/** A part of a body; a long one is given as the string that it repeats. */
export type BodyPart = string | { readonly repeat: string; readonly times: number };

/** The value of an earlier request or response of a conversation. */
export interface ValueSource {
  readonly operationId: string;
  /** A runtime expression of OpenAPI: `$response.body#/id`. */
  readonly expression: string;
}

/** A request, and the response to it. A release stores it as JSON, and traffic as an entry of HAR 1.2. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query as they are sent; with `params` the template of the path. */
  readonly path: string;
  readonly params?: { readonly path: Readonly<Record<string, string | number>> };
  /** In a release, `TOKEN` represents a valid token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: readonly BodyPart[];
  /** True if a body was sent that the recording does not have. */
  readonly isBodyOmitted?: true;
  /** Of the response; undefined if the recording has none. */
  readonly status?: number;
  /** The headers and the body of the response; undefined if only its status is recorded. */
  readonly response?: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Buffer | undefined;
  };
  /** Milliseconds since 1970. */
  readonly at?: number;
  /** True for the example of a file without times: `at` is the time of the file. */
  readonly isUndated?: true;
  readonly caller?: string;
  readonly operationId?: string;
  /** The version of the contract that served the request; undefined if the recording has none. */
  readonly contract?: string;
  /** What replaces the recorded values, by runtime expression: `$request.path.id`. */
  readonly values?: Readonly<Record<string, ValueSource>>;
  /** True for a request that the generated types do not allow. */
  readonly isUntyped?: true;
}

/** A request of a client; its caller is `anonymous` if the recording has none. */
export type TrafficRequest = RecordedRequest & Required<Pick<RecordedRequest, 'at' | 'caller'>>;

/** A request of a release, with the status of its response when the version was released. */
export type ReleasedRequest = RecordedRequest &
  Required<Pick<RecordedRequest, 'operationId' | 'status'>>;

/** Requests that build on each other, sent to a service with a new store. */
export interface Conversation {
  readonly name: string;
  /** The state of the service, by the name that the project gives it. */
  readonly situation?: string;
  readonly requests: readonly ReleasedRequest[];
}
