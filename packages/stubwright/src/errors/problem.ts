// The catalogue of error numbers, and the class of errors that become an Error body.

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
  40100: 'the bearer token is missing',
  40101: 'the bearer token is invalid or expired',
  40300: 'the bearer token has insufficient scope',
  40400: 'the path does not exist',
  40401: 'no resource has this id',
  40500: 'the path does not support this method',
  40800: 'the request was not received in time',
  40900: 'the id exists with different content, which is unchanged',
  41200: 'the document has changed',
  41300: 'the body is too large',
  41400: 'the request target is too long',
  41500: 'the media type of the body is not supported',
  41501: 'the content encoding of the body is not supported',
  41700: 'the expectation cannot be met',
  42900: 'the caller has sent too many requests',
  43100: 'the request headers are too large',
  50000: "an internal error; the cause is in the service's log",
  50100: 'the method or the transfer coding is not implemented',
  50300: 'the service is temporarily unavailable; nothing was acknowledged, try again',
  50500: 'the HTTP version is not supported',
} as const;

export type ErrorNumber = keyof typeof catalogue;

/** An error with a declared response; the engine converts it to an Error body. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly error: ErrorNumber;
  readonly headers: Readonly<Record<string, string>>;

  constructor(error: ErrorNumber, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.error = error;
    this.headers = headers;
  }

  get status(): number {
    return Math.floor(this.error / 100);
  }

  /** @returns the Error body, as JSON */
  toBody(): string {
    return JSON.stringify({ error: this.error, message: this.message });
  }
}

export const contractViolation = (errors: string) => new Problem(40000, errors);
export const malformedJson = (message: string) => new Problem(40001, message);
export const missingBody = () => new Problem(40002, 'expected a body');
export const malformedBody = (message: string) => new Problem(40004, message);
export const malformedHttp = (message: string) => new Problem(40003, message);

/** @param challenge the value of `WWW-Authenticate` (RFC 9110, section 11.6.1) */
export const credentialsMissing = (challenge: string) =>
  new Problem(40100, 'expected credentials', { 'WWW-Authenticate': challenge });
/** @param challenge the value of `WWW-Authenticate` (RFC 9110, section 11.6.1) */
export const credentialsInvalid = (challenge: string) =>
  new Problem(40101, 'the credentials are not valid', { 'WWW-Authenticate': challenge });

/** @param challenge the value of `WWW-Authenticate` (RFC 6750, section 3.1) */
export const scopesMissing = (challenge: string) =>
  new Problem(40300, 'insufficient scope', { 'WWW-Authenticate': challenge });

export const unknownPath = () => new Problem(40400, 'no such path');
export const notFound = (message: string) => new Problem(40401, message);
/** @param allow the supported methods (RFC 9110, section 10.2.1) */
export const methodNotAllowed = (allow: string) =>
  new Problem(40500, `expected one of the methods ${allow}`, { Allow: allow });
export const requestTimeout = () => new Problem(40800, 'the request took too long to arrive');
export const conflict = (message: string) => new Problem(40900, message);
/** @param limit maximum size in bytes */
export const contentTooLarge = (limit: number) =>
  new Problem(41300, `expected a body of at most ${limit} bytes`);
/** @param accepted the supported media types (RFC 9110, section 15.5.16) */
export const unsupportedMediaType = (accepted: string) =>
  new Problem(41500, `expected ${accepted ? `Content-Type ${accepted}` : 'no body'}`, {
    Accept: accepted,
  });
export const unsupportedContentEncoding = () =>
  new Problem(41501, 'expected a body without Content-Encoding', { 'Accept-Encoding': 'identity' });
export const expectationFailed = () => new Problem(41700, 'expected no Expect but 100-continue');
/**
 * @param retryAfterSeconds the value of `Retry-After` (RFC 9110, section 10.2.3)
 * @param rateLimit the value of `RateLimit` (draft-ietf-httpapi-ratelimit-headers)
 * @param policy the value of `RateLimit-Policy`
 */
export const tooManyRequests = (retryAfterSeconds: number, rateLimit: string, policy: string) =>
  new Problem(42900, 'expected fewer requests, try again later', {
    'Retry-After': String(retryAfterSeconds),
    RateLimit: rateLimit,
    'RateLimit-Policy': policy,
  });
export const preconditionFailed = () =>
  new Problem(41200, 'expected If-Match with the current ETag');
export const uriTooLong = () => new Problem(41400, 'the request target is too long');
/** @param expected the supported alternatives */
export const notImplemented = (expected: string) => new Problem(50100, `expected ${expected}`);
export const versionNotSupported = () => new Problem(50500, 'expected HTTP/1.1 or HTTP/1.0');
export const headersTooLarge = () => new Problem(43100, 'the request headers are too large');
export const internalError = (message = 'internal error') => new Problem(50000, message);
/** @param retryAfterSeconds the value of `Retry-After` (RFC 9110, section 10.2.3) */
export const unavailable = (message: string, retryAfterSeconds: number) =>
  new Problem(50300, message, { 'Retry-After': String(retryAfterSeconds) });
