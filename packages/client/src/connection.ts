// A client's connection to a service: its options and credentials.

import type { AnyReply } from './anyReply.ts';
import { CredentialStore, type Credentials, type SchemeSpec } from './credentials.ts';
import { type ConnectionOptions, expectCallOptions, type ReadOptions } from './options.ts';

/** A server of the contract. */
export interface ServerSpec {
  /** With variables in braces. */
  readonly url: string;
  /** The defaults of the variables. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The parts of a contract that all its operations share. */
export interface ApiSpec {
  readonly server?: ServerSpec;
  readonly schemes?: Readonly<Record<string, SchemeSpec>>;
  /** Of operations without their own. */
  readonly security?: readonly (readonly string[])[];
}

/** The first parameter of each operation. */
export interface Connection {
  readonly options: ConnectionOptions;
  readonly credentials: CredentialStore;
  readonly security: readonly (readonly string[])[];
  /** @returns the URL of the service, which may have a query */
  baseUrl(operationId: string, own: ServerSpec | undefined): string;
}

/**
 * @param credentials by name of the security scheme
 * @throws {RangeError | TypeError} for a numeric option that is out of its range
 */
export function openConnection(
  { server = { url: '' }, schemes = {}, security = [] }: ApiSpec,
  options: ConnectionOptions,
  credentials: Credentials = {},
): Connection {
  expectCallOptions(options);
  const { baseUrl, variables = {} } = options;
  return {
    options,
    credentials: new CredentialStore(schemes, credentials),
    security,
    baseUrl(operationId, own = server) {
      const declared = own.url.replace(/\{([^{}]+)\}/g, (written, name: string) => {
        return variables[name] ?? own.variables?.[name] ?? written;
      });
      return typeof baseUrl === 'function' ? baseUrl(declared, operationId) : (baseUrl ?? declared);
    },
  };
}

/** The request of any operation. */
export interface AnyRequest {
  readonly path?: object;
  readonly query?: object;
  readonly header?: object;
  readonly cookie?: object;
  readonly body?: unknown;
  readonly mediaType?: string;
}

/** Any operation of a client, without its types. */
export type AnyCall = (
  connection: Connection,
  request: AnyRequest,
  options: ReadOptions,
) => Promise<AnyReply>;

interface AnyOperation {
  (connection: Connection, ...args: never[]): unknown;
  /** Adds the functions of the operation to the method. */
  readonly asMethod?: (connection: Connection, method: AnyMethod) => AnyMethod;
}

type AnyMethod = (...args: never[]) => unknown;

/** @returns the operations as methods, without their first parameter */
export function bindOperations(
  connection: Connection,
  operations: Readonly<Record<string, AnyOperation>>,
): Record<string, AnyMethod> {
  return Object.fromEntries(
    Object.entries(operations).map(([name, call]) => {
      const method = (...args: never[]) => call(connection, ...args);
      return [name, call.asMethod?.(connection, method) ?? method];
    }),
  );
}
