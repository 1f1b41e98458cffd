// Writes the requests of a test client.
import type { Contract, Operation } from '@stubwright/contract';
import { credentialsFor, RequestWriter, Validators } from '@stubwright/contract/values';
import { ExampleRequests } from '@stubwright/mock';
import { Samples } from '@stubwright/mock/samples';
import type { UntypedCall } from './clientTypes.ts';
import { writeCall } from './writeCall.ts';

export interface RequestOptions {
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
