// The types of toys.yaml, as openapi-typescript writes them.

export interface Toy {
  name: string;
  tag?: string;
}

export type NewToy = Toy & { id: bigint };

interface ErrorBody {
  error: number;
  message: string;
}

interface ErrorResponse {
  headers: { [name: string]: unknown };
  content: { 'application/json': ErrorBody };
}

interface ToyResponse {
  headers: { [name: string]: unknown };
  content: { 'application/json': Toy };
}

interface UnauthorizedResponse extends ErrorResponse {
  headers: { 'WWW-Authenticate': string; [name: string]: unknown };
}

interface RetryResponse extends ErrorResponse {
  headers: { 'Retry-After': number; [name: string]: unknown };
}

interface TooManyRequestsResponse extends ErrorResponse {
  headers: {
    'Retry-After': number;
    RateLimit: string;
    'RateLimit-Policy': string;
    [name: string]: unknown;
  };
}

export interface operations {
  storeToy: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: { content: { 'application/json': NewToy } };
    responses: {
      200: ToyResponse;
      400: ErrorResponse;
      401: UnauthorizedResponse;
      409: ErrorResponse;
      413: ErrorResponse;
      415: ErrorResponse;
      429: TooManyRequestsResponse;
      500: ErrorResponse;
      503: RetryResponse;
    };
  };
  getToy: {
    parameters: { query?: never; header?: never; path: { id: bigint }; cookie?: never };
    requestBody?: never;
    responses: {
      200: ToyResponse;
      400: ErrorResponse;
      401: UnauthorizedResponse;
      404: ErrorResponse;
      429: TooManyRequestsResponse;
      500: ErrorResponse;
      503: RetryResponse;
    };
  };
}
