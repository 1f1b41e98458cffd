// The catalogue of error numbers, and the class of errors that become an error response.

/** The names of properties of error bodies that hold an HTTP status. */
export const STATUS_NAME = /^(?:http_?)?(?:status|code)(?:_?code)?$/i;

/**
 * Error number -> meaning. A number is the HTTP status times 100 plus a serial number; it never changes
 * its meaning.
 */
export const catalogue = {
  40000: 'the request violates the contract; `message` names every failing property',
  40001: 'the body is not JSON in UTF-8',
  40002: 'the body is missing',
  40003: 'the request is not valid HTTP',
  40004: 'the body does not conform to its media type',
  40005: 'the cursor of a page is not valid',
  40100: 'the bearer token is missing',
  40101: 'the bearer token is invalid or expired',
  40300: 'the bearer token has insufficient scope',
  40400: 'the path does not exist',
  40401: 'no resource has this id',
  40402: 'the contract does not declare the mocked response that Prefer selects',
  40500: 'the path does not support this method',
  40600: 'the contract declares no media type that Accept allows',
  40800: 'the request was not received in time',
  40900: 'the id exists with different content, which is unchanged',
  40901: 'a request with the same idempotency key is in progress',
  40902: 'a test of the patch is false; nothing was changed',
  41000: 'a deprecated part of the contract is no longer served',
  41200: 'the document has changed',
  41201: 'a condition of the request is false; nothing was changed',
  41300: 'the body is too large',
  41400: 'the request target is too long',
  41500: 'the media type of the body is not supported',
  41501: 'the content encoding of the body is not supported',
  41700: 'the expectation cannot be met',
  42200: 'the idempotency key belongs to another request',
  42201: 'the patch cannot be applied to the resource; nothing was changed',
  42202: 'the patched resource would violate the contract; nothing was changed',
  42800: 'a condition such as If-Match is missing',
  42900: 'the caller has sent too many requests',
  43100: 'the request headers are too large',
  50000: "an internal error; the cause is in the service's log",
  50100: 'the method or the transfer coding is not implemented',
  50300: 'the service is temporarily unavailable; nothing was acknowledged, try again',
  50500: 'the HTTP version is not supported',
} as const;

/** One violation of the contract in a request, such as the error of one field of a form. */
export interface ProblemViolation {
  readonly in: 'body' | 'path' | 'query' | 'header' | 'cookie';
  /** The JSON pointer of the violating part: `/name`. A parameter starts it with its name. */
  readonly pointer: string;
  /** The violated keyword: `required`, `type`, `maxLength`. `style` for a malformed parameter. */
  readonly rule: string;
  /** The expectation in words: `integer`, `to match pattern "^a"`. */
  readonly expected: string;
}

/** Loads Node's HTTP at the first call: that takes longer than most commands do for a small contract. */
export function reasonPhrase(status: number): string | undefined {
  return process.getBuiltinModule('node:http').STATUS_CODES[status];
}

/** The properties of a Problem besides its status and its message. */
export interface ProblemOptions {
  /** The `error` of numbered bodies: the status times 100 plus a serial number; by default plus 0. */
  readonly number?: number;
  /** Response headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The URI of the problem type (RFC 9457, section 3.1.1); by default `about:blank`. */
  readonly type?: string;
  /** A summary of the problem type (RFC 9457, section 3.1.3); by default the reason phrase of the status. */
  readonly title?: string;
  /** Further members of the body (RFC 9457, section 3.2). */
  readonly members?: Readonly<Record<string, unknown>>;
  /** The violations of the request, each once; in problem details the member `errors`. */
  readonly violations?: readonly ProblemViolation[];
  /** The underlying error, for the log only. */
  readonly cause?: unknown;
}

/**
 * An error response. A handler, a verifier or the engine throws it; its body is the one that the
 * contract declares for the status.
 *
 * @example throw new Problem(409, 'the seat is taken', { type: 'https://example.com/problems/seat' });
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  /** The error number: the status times 100 plus a serial number. */
  readonly number: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly title: string;
  readonly members: Readonly<Record<string, unknown>>;
  /** At most 50 for a request that violates the contract; empty for other problems of stubwright. */
  readonly violations: readonly ProblemViolation[];

  /**
   * @param status an HTTP status from 400 to 599
   * @param message for the client
   * @throws {RangeError} for another status, or a number of another status
   */
  constructor(status: number, message: string, options: ProblemOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    if (!(Number.isInteger(status) && status >= 400 && status <= 599)) {
      throw new RangeError(`Problem: got ${status}, expected a status from 400 to 599`);
    }
    this.status = status;
    this.number = options.number ?? status * 100;
    this.headers = options.headers ?? NO_HEADERS;
    this.type = options.type ?? 'about:blank';
    this.title = options.title ?? reasonPhrase(status) ?? 'Error';
    this.members = options.members ?? NO_MEMBERS;
    this.violations = options.violations ?? NO_VIOLATIONS;
    if (!Number.isInteger(this.number) || Math.floor(this.number / 100) !== status) {
      const got = `Problem: got the number ${this.number}`;
      throw new RangeError(`${got}, expected ${status}00 to ${status}99`);
    }
  }
}

const NO_HEADERS = {};
const NO_MEMBERS = {};
const NO_VIOLATIONS: readonly ProblemViolation[] = [];

const FALSE_CONDITIONS = {
  'If-Match': 'the resource has changed: its entity tag is none of If-Match',
  'If-None-Match': 'the resource exists with an entity tag of If-None-Match',
  'If-Unmodified-Since': 'the resource has changed since If-Unmodified-Since',
};

/** @param number of the catalogue, which has the status */
export function numbered(number: number, message: string, options: ProblemOptions = {}): Problem {
  return new Problem(Math.floor(number / 100), message, { ...options, number });
}

export const contractViolation = (errors: string, violations?: readonly ProblemViolation[]) =>
  numbered(40000, errors, violations && { violations });
export const malformedJson = (message: string) => numbered(40001, message);
export const missingBody = () => numbered(40002, 'expected a body');
/** 400: the body does not conform to its media type. */
export const malformedBody = (message: string) => numbered(40004, message);
/** 400: the request is not valid HTTP. */
export const malformedHttp = (message: string) => numbered(40003, message);

/** 400: a page cannot start at the cursor. @param parameter the name of the query parameter */
export const invalidCursor = (parameter: string, expected: string) =>
  numbered(40005, `query ${parameter}: expected ${expected}`, {
    violations: [{ in: 'query', pointer: `/${parameter}`, rule: 'cursor', expected }],
  });

/** @param challenge the value of `WWW-Authenticate` (RFC 9110, section 11.6.1) */
export const credentialsMissing = (challenge: string) =>
  numbered(40100, 'expected credentials', { headers: { 'WWW-Authenticate': challenge } });
/** @param challenge the value of `WWW-Authenticate` (RFC 9110, section 11.6.1) */
export const credentialsInvalid = (challenge: string) =>
  numbered(40101, 'the credentials are not valid', {
    headers: { 'WWW-Authenticate': challenge },
  });

/** @param challenge the value of `WWW-Authenticate` (RFC 6750, section 3.1) */
export const scopesMissing = (challenge: string) =>
  numbered(40300, 'insufficient scope', { headers: { 'WWW-Authenticate': challenge } });

export const unknownPath = () => numbered(40400, 'no such path');
/** 404: no resource has this id. */
export const unknownId = () => numbered(40401, 'no resource has this id');
/** 409: the id exists. */
export const idConflict = () => numbered(40900, 'the id exists');
/** draft-ietf-httpapi-idempotency-key-header-07, section 2.7 */
export const idempotencyKeyInUse = (header: string) =>
  numbered(40901, `a request with this ${header} is in progress, try again`, {
    headers: { 'Retry-After': '1' },
  });
/** draft-ietf-httpapi-idempotency-key-header-07, section 2.7 */
export const idempotencyKeyReused = (header: string) =>
  numbered(42200, `this ${header} belongs to another request, expected a new one`);
export const gone = (message: string) => numbered(41000, message);
export const preferenceNotDeclared = (message: string) => numbered(40402, message);
/** @param declared the media types of the response (RFC 9110, section 15.5.7) */
export const notAcceptable = (declared: string) =>
  numbered(40600, `expected Accept with one of ${declared}`);
/** @param allow the supported methods (RFC 9110, section 10.2.1) */
export const methodNotAllowed = (allow: string) =>
  numbered(40500, `expected one of the methods ${allow}`, { headers: { Allow: allow } });
export const requestTimeout = () => numbered(40800, 'the request took too long to arrive');
/** @param limit maximum size in bytes */
export const contentTooLarge = (limit: number) =>
  numbered(41300, `expected a body of at most ${limit} bytes`);
/** @param accepted the supported media types (RFC 9110, section 15.5.16) */
export const unsupportedMediaType = (accepted: string) =>
  numbered(41500, `expected ${accepted ? `Content-Type ${accepted}` : 'no body'}`, {
    headers: { Accept: accepted },
  });
export const unsupportedContentEncoding = () =>
  numbered(41501, 'expected a body without Content-Encoding', {
    headers: { 'Accept-Encoding': 'identity' },
  });
export const expectationFailed = () => numbered(41700, 'expected no Expect but 100-continue');
/**
 * @param retryAfterSeconds the value of `Retry-After` (RFC 9110, section 10.2.3)
 * @param rateLimit the value of `RateLimit` (draft-ietf-httpapi-ratelimit-headers)
 * @param policy the value of `RateLimit-Policy`
 */
export const tooManyRequests = (retryAfterSeconds: number, rateLimit: string, policy: string) =>
  numbered(42900, 'expected fewer requests, try again later', {
    headers: {
      'Retry-After': String(retryAfterSeconds),
      RateLimit: rateLimit,
      'RateLimit-Policy': policy,
    },
  });
export const preconditionFailed = () => numbered(41200, 'expected If-Match with the current ETag');
/** 409: a `test` of a JSON Patch (RFC 6902) is false. */
export const testFailed = (message: string, violations: readonly ProblemViolation[]) =>
  numbered(40902, message, { violations });
/** 422: the operations of a patch do not fit the resource. */
export const patchNotApplicable = (message: string, violations: readonly ProblemViolation[]) =>
  numbered(42201, message, { violations });
/** 422: the result of a patch is no valid resource. */
export const patchedInvalid = (message: string, violations: readonly ProblemViolation[]) =>
  numbered(42202, message, { violations });
/** 412: a condition of the request is false. */
export const conditionFailed = (condition: keyof typeof FALSE_CONDITIONS) =>
  numbered(41201, FALSE_CONDITIONS[condition]);
export const preconditionRequired = (name: string) =>
  numbered(42800, `expected ${name}, for the version of the resource that the request is about`);
export const uriTooLong = () => numbered(41400, 'the request target is too long');
/** @param expected the supported alternatives */
export const notImplemented = (expected: string) => numbered(50100, `expected ${expected}`);
export const versionNotSupported = () => numbered(50500, 'expected HTTP/1.1 or HTTP/1.0');
export const headersTooLarge = () => numbered(43100, 'the request headers are too large');
/** 500: `cause` is for the log only. */
export const internalError = (message = 'internal error', cause?: unknown) =>
  numbered(50000, message, { cause });
/** The response to a request whose signal was aborted; the client may be gone. */
export const aborted = () => unavailable('the request was aborted, try again', 1);
/** @param retryAfterSeconds the value of `Retry-After` (RFC 9110, section 10.2.3) */
export const unavailable = (message: string, retryAfterSeconds: number, cause?: unknown) =>
  numbered(50300, message, { headers: { 'Retry-After': String(retryAfterSeconds) }, cause });
