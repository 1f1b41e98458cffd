// Which origins may call an API from a browser, and with which headers.
import {
  type Contract,
  isObject,
  type Operation,
  onceFor,
  type SecurityScheme,
  shown,
} from '@stubwright/contract';
import type { HttpRequest } from '../request/exchange.ts';

/** The origins that may call an API from a browser. Methods and headers are those of the contract. */
export interface CorsOptions {
  /** Each as browsers send it, such as `https://app.example`; or `*` alone, for any origin. */
  readonly origins: readonly string[];
  /**
   * True if browsers may send cookies, client certificates and credentials that they store; not with `*`.
   * By default true if an operation has an API key in a cookie, and the origins are listed.
   */
  readonly credentials?: boolean | undefined;
  /** The time for which browsers may reuse the response to a preflight request; by default 600. */
  readonly maxAgeSeconds?: number | undefined;
}

/** What CORS headers depend on. */
export interface CorsPolicy {
  /** @returns `Access-Control-Allow-Origin`; undefined for an origin that is not permitted */
  readonly allowOrigin: (origin: string) => string | undefined;
  /** True if the responses differ by origin. */
  readonly varies: boolean;
  readonly hasCredentials: boolean;
  readonly maxAgeSeconds: number | undefined;
  /** @returns the names of the headers that a request may have, separated by commas */
  readonly requestHeaders: (operation: Operation | undefined, preflight: HttpRequest) => string;
}

/** For mocked operations: they hold no secrets. */
export const ANY_ORIGIN: CorsPolicy = {
  // `*` would exclude credentials.
  allowOrigin: (origin) => origin,
  varies: true,
  hasCredentials: true,
  maxAgeSeconds: undefined,
  requestHeaders: (_operation, { headers }) =>
    [headers['access-control-request-headers'] ?? []].flat().join(', '),
};

const MAX_AGE_SECONDS = 600;

/** Read by tracing (W3C Trace Context); not declared in contracts. */
const TRACE_HEADERS = ['Traceparent', 'Tracestate'];

/** @param options without {@link corsViolation} */
export function corsPolicy(options: CorsOptions, definition: Contract): CorsPolicy {
  const { origins, maxAgeSeconds = MAX_AGE_SECONDS } = options;
  const isAny = origins.includes('*');
  const permitted = new Set(origins);
  const headersOf = onceFor((operation: Operation) =>
    requestHeadersOf(operation, definition).join(', '),
  );
  return {
    allowOrigin: (origin) => (isAny ? '*' : permitted.has(origin) ? origin : undefined),
    varies: !isAny,
    hasCredentials: options.credentials ?? (!isAny && hasCookieScheme(definition)),
    maxAgeSeconds,
    requestHeaders: (operation) => (operation === undefined ? '' : headersOf(operation)),
  };
}

/** @returns the options of the extension `x-cors` of a contract; undefined without one */
export function declaredCors({ document }: Contract): CorsOptions | undefined {
  return document['x-cors'];
}

/** @param options of any type @returns what is wrong, with the expectation */
export function corsViolation(options: unknown): string | undefined {
  if (!isObject(options)) return `got ${shown(options)}, expected an object with origins`;
  const { origins, credentials, maxAgeSeconds = 0 } = options;
  if (!Array.isArray(origins)) return `got origins ${shown(origins)}, expected an array of origins`;
  const invalid = originViolation(origins);
  if (invalid !== undefined) return invalid;
  if (credentials !== undefined && typeof credentials !== 'boolean') {
    return `got credentials ${shown(credentials)}, expected true or false`;
  }
  if (credentials === true && origins.includes('*')) {
    return 'got * with credentials, expected a list of origins: with *, any page could act as the user';
  }
  if (!(Number.isInteger(maxAgeSeconds) && Number(maxAgeSeconds) >= 0)) {
    return `got maxAgeSeconds ${shown(maxAgeSeconds)}, expected an integer from 0`;
  }
  return undefined;
}

/** @param origins of any type @returns the first origin that no browser sends, with the expectation */
function originViolation(origins: readonly unknown[]): string | undefined {
  if (origins.includes('*') && origins.length > 1) {
    return 'got * and other origins, expected * alone or a list of origins';
  }
  const invalid = origins.find((origin) => origin !== '*' && !isOrigin(origin));
  if (invalid === undefined) return undefined;
  return `got ${JSON.stringify(invalid)}, expected an origin such as https://app.example: a scheme and a lower-case host, perhaps a port, no path`;
}

/** False for `null`, which every sandboxed page sends. */
function isOrigin(origin: unknown): boolean {
  if (typeof origin !== 'string' || origin.includes('*')) return false;
  const url = URL.parse(origin);
  // The origin of a URL with another scheme, such as an application's own, is `null`.
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  return isWeb ? url.origin === origin : /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+$/.test(origin);
}

function hasCookieScheme({ operations, securitySchemes }: Contract): boolean {
  return operations.some(({ security }) =>
    schemesOf(security, securitySchemes).some((scheme) => scheme.in === 'cookie'),
  );
}

function requestHeadersOf(
  { parameters, requestBody, security }: Operation,
  { securitySchemes }: Contract,
): string[] {
  const declared = parameters.filter((parameter) => parameter.in === 'header');
  const ofSchemes = schemesOf(security, securitySchemes).flatMap(({ header = 'Cookie' }) =>
    header === 'Cookie' ? [] : [header],
  );
  const names = [
    ...(requestBody === undefined ? [] : ['Content-Type']),
    ...ofSchemes,
    ...declared.map(({ name }) => name),
    ...TRACE_HEADERS,
  ];
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
}

function schemesOf(
  security: Operation['security'],
  declared: Contract['securitySchemes'],
): SecurityScheme[] {
  const names = new Set(security.flatMap(Object.keys));
  return [...names].flatMap((name) => declared.get(name) ?? []);
}
