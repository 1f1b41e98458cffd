// Problem: everything that is answered with an Error body, and the one catalogue of its numbers.
// A number is the HTTP status times 100 plus a serial number; it never changes its meaning.

/** What each error number means. The contract's description of `Error` repeats this table. */
export const catalogue = {
  40000: 'the request breaks the contract; `message` names every failing field',
  40001: 'the body is not JSON in UTF-8',
  40002: 'the body is missing',
  40003: 'the request is not valid HTTP',
  40004: 'the body is not of the form that its media type says',
  40100: 'no bearer token was sent',
  40101: 'the bearer token is wrong or has expired',
  40300: 'the bearer token does not reach that far',
  40400: 'no such path',
  40401: 'nothing is stored under that id',
  40500: 'the path does not take this method',
  40800: 'the request took too long to arrive',
  40900: 'the id is taken by other content, which stays as it was',
  41200: 'the document has changed',
  41300: 'the body is too large',
  41400: 'the request target is too long',
  41500: 'the media type of the body is not accepted',
  41501: 'the body has a content encoding',
  41700: 'the expectation cannot be met',
  42900: 'the caller has sent too many requests',
  43100: 'the request headers are too large',
  50000: "an unforeseen fault; the cause is in the service's log",
  50100: 'the method or the transfer coding is not implemented',
  50300: 'the service cannot take the request now; nothing was acknowledged, try again',
  50500: 'the HTTP version is not supported',
} as const;

export type ErrorNumber = keyof typeof catalogue;

/** A failure with a declared answer. Thrown anywhere below the engine, it becomes an Error body. */
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

  /** The Error body (`openapi.yaml#/components/schemas/Error`), as JSON. */
  toBody(): string {
    return JSON.stringify({ error: this.error, message: this.message });
  }
}

export const breaksContract = (errors: string) => new Problem(40000, errors);
export const malformedJson = (why: string) => new Problem(40001, why);
export const missingBody = () => new Problem(40002, 'expected a body');
export const malformedBody = (why: string) => new Problem(40004, why);
export const malformedHttp = (why: string) => new Problem(40003, why);

/** @param challenge the value of `WWW-Authenticate` (RFC 9110, section 11.6.1) */
export const credentialsMissing = (challenge: string) =>
  new Problem(40100, 'expected credentials', { 'WWW-Authenticate': challenge });
/** @param challenge the value of `WWW-Authenticate` (RFC 9110, section 11.6.1) */
export const credentialsInvalid = (challenge: string) =>
  new Problem(40101, 'the credentials are not valid', { 'WWW-Authenticate': challenge });

/** @param challenge the value of `WWW-Authenticate` (RFC 6750, section 3.1) */
export const scopesMissing = (challenge: string) =>
  new Problem(40300, 'the credentials do not reach that far', { 'WWW-Authenticate': challenge });

export const unknownPath = () => new Problem(40400, 'no such path');
export const notFound = (what: string) => new Problem(40401, what);
/** @param allow the methods that the path takes (RFC 9110, section 10.2.1) */
export const methodNotAllowed = (allow: string) =>
  new Problem(40500, `expected one of the methods ${allow}`, { Allow: allow });
export const requestTimeout = () => new Problem(40800, 'the request took too long to arrive');
export const conflict = (what: string) => new Problem(40900, what);
/** @param limit the most bytes that a body may have */
export const contentTooLarge = (limit: number) =>
  new Problem(41300, `expected a body of at most ${limit} bytes`);
/** @param accepted the media types that the operation takes (RFC 9110, section 15.5.16) */
export const unsupportedMediaType = (accepted: string) =>
  new Problem(41500, `expected ${accepted ? `Content-Type ${accepted}` : 'no body'}`, {
    Accept: accepted,
  });
export const unsupportedContentEncoding = () =>
  new Problem(41501, 'expected a body without Content-Encoding', { 'Accept-Encoding': 'identity' });
export const expectationFailed = () => new Problem(41700, 'expected no Expect but 100-continue');
/**
 * @param retryAfterSeconds when to try again (RFC 9110, section 10.2.3)
 * @param rateLimit @param policy as draft-ietf-httpapi-ratelimit-headers has them
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
/** @param what what the server implements */
export const notImplemented = (what: string) => new Problem(50100, `expected ${what}`);
export const versionNotSupported = () => new Problem(50500, 'expected HTTP/1.1 or HTTP/1.0');
export const headersTooLarge = () => new Problem(43100, 'the request headers are too large');
export const internalError = (what = 'an unforeseen fault') => new Problem(50000, what);
/** @param retryAfterSeconds when to try again (RFC 9110, section 10.2.3) */
export const unavailable = (what: string, retryAfterSeconds: number) =>
  new Problem(50300, what, { 'Retry-After': String(retryAfterSeconds) });
