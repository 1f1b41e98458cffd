// Adds a key to requests, under which a service acts once (draft-ietf-httpapi-idempotency-key-header).
import type { AnyCall, AnyRequest } from './connection.ts';
import type { OperationFunction } from './operation.ts';
import type { CallOptions } from './options.ts';
import { writtenEntries } from './styles.ts';
import type { WithoutHeader } from './types.ts';

/** The header of the key, and the quotes that its schema demands. */
export interface IdempotencyKeySpec {
  readonly header: string;
  readonly quote?: string;
}

/** An operation whose requests may get a key of the client. */
export interface KeyedCall {
  /** @returns the request with the key that it has, or else with a new one */
  readonly withKey?: (request: AnyRequest, options: CallOptions) => AnyRequest;
}

/**
 * The operation with a key in each call that has none: the same in its retries.
 *
 * @param call an operation with `isIdempotent`
 */
export function withIdempotencyKey<Operation, Header extends string>(
  call: OperationFunction<Operation>,
  { header, quote = '' }: IdempotencyKeySpec & { readonly header: Header },
): OperationFunction<WithoutHeader<Operation, Header>> {
  const send: AnyCall = call as never;
  const withKey = (request: AnyRequest, options: CallOptions): AnyRequest => {
    const own = new Headers(options.headers).get(header);
    const given = Object.fromEntries(writtenEntries(request.header ?? {}));
    const headers = { [header]: own ?? quote + newKey() + quote, ...given };
    return { ...request, header: headers };
  };
  const keyed: AnyCall = (connection, request = {}, options = {}) =>
    send(connection, withKey(request, options), options);
  return Object.assign(keyed, { operationId: call.operationId, withKey }) as never;
}

/** A UUID of version 4: `crypto.randomUUID` is absent on pages without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const digits = Array.from(bytes, (number) => number.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
