// Writes the requests of a test client.

import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import {
  type BodyValue,
  type Contract,
  isJsonMediaType,
  type Operation,
  typeInRange,
} from '@stubwright/contract';
import {
  credentialsFor,
  entriesOf,
  multipartOf,
  RequestHead,
  RequestWriter,
  serializationOf,
  Validators,
  type WrittenCredential,
  writeParameter,
} from '@stubwright/contract/values';
import { ExampleRequests } from '@stubwright/mock';
import { Samples } from '@stubwright/mock/samples';
import type { Concrete, Declared } from '../pipeline/handlerRequest.ts';

interface RequestOptions {
  readonly origin: string;
  /** Undefined for the paths of the contract's servers. */
  readonly basePath: string | undefined;
  /** Sent with each request. */
  readonly headers: Headers;
  /** The credentials of calls; undefined for none. */
  readonly token: string | undefined;
}

export function requestsOf(
  definition: Contract,
  { origin, basePath, headers, token }: RequestOptions,
) {
  const validators = new Validators(definition, 'request');
  const writer = new RequestWriter(validators);
  const examples = new ExampleRequests(definition, validators, new Samples(validators));
  const rootOf = (operation: Operation | undefined) =>
    origin + (basePath ?? operation?.basePaths[0] ?? '');
  return {
    call(operation: Operation, parts: UntypedCall): Request {
      const credentials = token === undefined ? [] : credentialsFor(operation, definition, token);
      const root = rootOf(operation);
      return writeCall(operation, parts, { writer, root, headers, credentials });
    },
    example(operation: Operation): Request {
      const { target, body, ...rest } = examples.of(operation, token ?? 'token');
      const init = { ...rest, redirect: 'manual', ...(body !== undefined && { body }) } as const;
      return new Request(rootOf(operation) + target, init);
    },
    /** As the global `fetch` does, for paths that start at the root of the contract. */
    fetch(input: string | URL | Request, init?: RequestInit): Request {
      const isPath = typeof input === 'string' && input.startsWith('/');
      const url = isPath ? rootOf(definition.operations[0]) + input : input;
      const request = new Request(url, { redirect: 'manual', ...init });
      for (const [name, value] of headers) {
        if (!request.headers.has(name)) request.headers.set(name, value);
      }
      return request;
    },
  };
}

type RequestBody = NonNullable<ConstructorParameters<typeof Request>[1]>['body'];

interface WrittenBody {
  readonly body: RequestBody | undefined;
  /** Undefined for a body whose media type fetch sets. */
  readonly type: string | undefined;
}

interface Sending {
  readonly writer: RequestWriter;
  /** Origin and base path. */
  readonly root: string;
  /** The headers of each request. */
  readonly headers: Headers;
  /** Sent unless the call or `headers` sets them. */
  readonly credentials: readonly WrittenCredential[];
}

const LOCATIONS = ['path', 'query', 'header', 'cookie'] as const;

/**
 * Serializes a call. Values are not validated: a test may send an invalid request.
 * @throws {TypeError} for a missing path parameter, and a body without serialization
 */
function writeCall(
  operation: Operation,
  parts: UntypedCall,
  { writer, root, headers: shared, credentials }: Sending,
): Request {
  const head = new RequestHead(operation.path);
  const headers = new Headers(shared);
  for (const where of LOCATIONS) {
    for (const [name, value] of entriesOf(parts[where] ?? {})) {
      const declared = operation.parameter(where, name);
      const texts = declared
        ? writer.parameter(declared, value)
        : writeParameter(where, name, serializationOf({ in: where }), value);
      head.add(declared?.in ?? where, name, texts);
    }
  }
  for (const credential of credentials) {
    if (!isSet(credential, parts, shared))
      head.add(credential.in, credential.name, credential.texts);
  }
  expectPathParameters(operation, parts.path);
  for (const [name, value] of Object.entries(parts.header ?? {})) {
    if (value === undefined) headers.delete(name);
  }
  for (const [name, text] of Object.entries(head.headers)) headers.set(name, text);
  const { body, type } = bodyOf(operation, parts, writer);
  if (type !== undefined && !headers.has('content-type')) headers.set('Content-Type', type);
  return new Request(root + head.target, {
    method: operation.method.toUpperCase(),
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body, duplex: 'half' }),
  });
}

/** True also for undefined, which a call without credentials sets. */
function isSet(
  { in: where, name }: WrittenCredential,
  parts: UntypedCall,
  shared: Headers,
): boolean {
  const names = Object.keys(parts[where] ?? {});
  if (where === 'query') return names.includes(name);
  if (where === 'cookie') return names.includes(name) || shared.has('Cookie');
  return shared.has(name) || names.some((text) => text.toLowerCase() === name.toLowerCase());
}

function expectPathParameters(
  { operationId, parameters }: Operation,
  given: UntypedCall['path'] = {},
): void {
  const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const missing = names.filter((name) => given[name] === undefined);
  if (missing.length > 0) {
    throw new TypeError(`${operationId}: expected the path parameter ${missing.join(', ')}`);
  }
}

function bodyOf(
  operation: Operation,
  { body, mediaType }: UntypedCall,
  writer: RequestWriter,
): WrittenBody {
  if (body === undefined) return { body: undefined, type: mediaType };
  if (body instanceof FormData) return { body, type: undefined };
  if (isBytes(body)) {
    const type =
      mediaType === undefined ? typeOfBytes(operation, body) : typeInRange(mediaType, body);
    return { body: body instanceof Readable ? (Readable.toWeb(body) as RequestBody) : body, type };
  }
  const written = writer.body(operation, body, mediaType);
  if (written === undefined) {
    const sent = ['request body', ...(mediaType === undefined ? [] : [mediaType])].join(' ');
    throw new TypeError(`${operation.operationId}: the contract declares no ${sent}`);
  }
  if (!(written.body instanceof FormData)) return { body: written.body, type: written.type };
  const form = multipartOf(written.body);
  return { body: form, type: form.type };
}

type Bytes = Blob | Uint8Array<ArrayBuffer> | ReadableStream | Readable;

function isBytes(body: unknown): body is Bytes {
  return (
    body instanceof Blob ||
    body instanceof Uint8Array ||
    body instanceof ReadableStream ||
    body instanceof Readable
  );
}

/** The type of a Blob if it is declared, else the first declared type that is not JSON. */
function typeOfBytes({ request }: Operation, body: ClientBytes): string | undefined {
  const own = body instanceof Blob ? request.select(body.type) : undefined;
  if (own !== undefined) return own.sent.type;
  const key = request.keys.find((key) => !isJsonMediaType(key)) ?? request.keys[0];
  return key && typeInRange(key, body);
}

/**
 * The request of a client, with the names of {@link RequestOf}. Properties with a default may be
 * omitted, `readOnly` ones are absent. A file is a Blob or bytes.
 */
export type CallOf<Operation> =
  IsAny<Operation> extends true
    ? UntypedCall
    : Parameters<'path', In<Operation, 'path'>> &
        Parameters<'query', In<Operation, 'query'>> &
        Parameters<'cookie', In<Operation, 'cookie'>> &
        HeaderParameters<In<Operation, 'header'>> &
        BodyOf<Operation>;

/** The response of an operation, discriminated by `status`, and by `type` if it has several. */
export type ReceivedOf<Operation> =
  IsAny<Operation> extends true
    ? AnyReceived
    : Operation extends { responses: infer Responses }
      ? {
          [Status in keyof Responses]: {
            readonly status: StatusOf<Status, keyof Responses>;
            /** The declared headers, with the types of their schemas. */
            readonly headers: HeadersOf<Responses[Status]>;
            /** The whole response: all headers, and the body as bytes. */
            readonly response: Response;
          } & ContentOf<Responses[Status]>;
        }[keyof Responses]
      : never;

/** The request is optional if all of its parts are. */
export type ArgumentsOf<Operation> =
  Record<never, never> extends CallOf<Operation>
    ? [request?: CallOf<Operation>]
    : [request: CallOf<Operation>];

/** Without generated types. */
export interface UntypedCall {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly cookie?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly mediaType?: string;
}

interface AnyReceived {
  readonly status: number;
  readonly type: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: without generated types
  readonly headers: Readonly<Record<string, any>>;
  // biome-ignore lint/suspicious/noExplicitAny: without generated types
  readonly body: any;
  readonly response: Response;
}

type IsAny<T> = 0 extends 1 & T ? true : false;

type In<Operation, Where extends string> = Operation extends {
  parameters: { [Key in Where]?: infer Values };
}
  ? Exclude<Values, undefined>
  : never;

/** `never` for an operation without such parameters. */
type Parameters<Where extends string, Values> = [Values] extends [never]
  ? { readonly [Key in Where]?: Record<never, never> }
  : Record<never, never> extends Values
    ? { readonly [Key in Where]?: Values }
    : { readonly [Key in Where]: Values };

/** Undeclared headers are sent too; undefined removes a header of the client. */
type HeaderParameters<Values> = [Values] extends [never]
  ? { readonly header?: Readonly<Record<string, unknown>> }
  : Record<never, never> extends Values
    ? { readonly header?: Values & Readonly<Record<string, unknown>> }
    : { readonly header: Values & Readonly<Record<string, unknown>> };

type NoBody = { readonly body?: undefined; readonly mediaType?: undefined };

type BodyOf<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? BodyIn<Content>
  : Operation extends { requestBody?: { content: infer Content } }
    ? BodyIn<Content> | NoBody
    : NoBody;

type BodyIn<Content> = {
  [Type in keyof Content]: {
    /** By default JSON, else the first declared media type. */
    readonly mediaType?: Concrete<Type>;
    readonly body:
      | BodyValue<Type, Content[Type], 'request', ClientBytes | string, Blob | Uint8Array>
      | FormOf<Type>;
  };
}[keyof Content];

type ClientBytes = Blob | Uint8Array | WebStream<Uint8Array> | Readable;

type FormOf<Type> = Type extends `multipart/${string}` ? FormData : never;

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** The status codes of a range. */
type StatusesOf<First extends number | string> =
  `${First}${Digit}${Digit}` extends `${infer Status extends number}` ? Status : never;

/** A range or `default` excludes the codes that are declared. */
type StatusOf<Status, Declared> = Status extends number
  ? Status
  : Status extends `${string}${'XX' | 'xx'}`
    ? Exclude<RangeOf<Status>, Declared>
    : Exclude<StatusesOf<1 | 2 | 3 | 4 | 5>, Declared | RangeOf<Declared>>;

type RangeOf<Declared> = Declared extends `${infer First}${'XX' | 'xx'}`
  ? StatusesOf<First>
  : never;

type ContentOf<Response> = Response extends { content: infer Content }
  ? [keyof Content] extends [never]
    ? NoContent
    : {
        [Type in keyof Content]: {
          readonly type: Concrete<Type>;
          readonly body: Type extends '*/*' | 'application/*'
            ? unknown
            : BodyValue<Type, Content[Type], 'response', Uint8Array>;
        };
      }[keyof Content]
  : NoContent;

type NoContent = { readonly type: undefined; readonly body: undefined };

type HeadersOf<Response> = Response extends { headers: infer Headers }
  ? Readonly<Declared<Headers>>
  : Record<never, never>;
