// Serializes the arguments of a call as a Request.

import { Readable } from 'node:stream';
import { isJsonMediaType, type Operation, typeInRange } from '@stubwright/contract';
import {
  entriesOf,
  multipartOf,
  RequestHead,
  type RequestWriter,
  serializationOf,
  type WrittenCredential,
  writeParameter,
} from '@stubwright/contract/values';
import type { UntypedCall } from './clientTypes.ts';

type RequestBody = NonNullable<ConstructorParameters<typeof Request>[1]>['body'];

interface WrittenBody {
  readonly body: RequestBody | undefined;
  /** Undefined for a body whose media type fetch sets. */
  readonly type: string | undefined;
}

export interface Sending {
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
export function writeCall(
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
  for (const each of credentials) {
    if (!isSet(each, parts, shared)) head.add(each.in, each.name, each.texts);
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
  return shared.has(name) || names.some((each) => each.toLowerCase() === name.toLowerCase());
}

function expectPathParameters(
  { operationId, parameters }: Operation,
  given: UntypedCall['path'] = {},
): void {
  const names = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
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
function typeOfBytes({ request }: Operation, body: Bytes): string | undefined {
  const own = body instanceof Blob ? request.select(body.type) : undefined;
  if (own !== undefined) return own.sent.type;
  const key = request.keys.find((each) => !isJsonMediaType(each)) ?? request.keys[0];
  return key && typeInRange(key, body);
}
