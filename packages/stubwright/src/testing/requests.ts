// Writes the requests of a test client.
import type { Contract, Operation } from '@stubwright/contract';
import { credentialsFor, RequestWriter, Validators } from '@stubwright/contract/values';
import { ExampleRequests } from '@stubwright/mock';
import { Samples } from '@stubwright/mock/samples';
import { type CallParts, writeCall } from './writeCall.ts';

export interface RequestOptions {
  readonly origin: string;
  /** Undefined for the paths of the contract's servers. */
  readonly basePath: string | undefined;
  /** Sent with each request. */
  readonly headers: Headers;
  /** The credentials of calls; undefined for none. */
  readonly token: string | undefined;
}

export class Requests {
  readonly #definition: Contract;
  readonly #options: RequestOptions;
  readonly #writer: RequestWriter;
  readonly #examples: ExampleRequests;

  constructor(definition: Contract, options: RequestOptions) {
    const validators = new Validators(definition, 'request');
    this.#definition = definition;
    this.#options = options;
    this.#writer = new RequestWriter(validators);
    this.#examples = new ExampleRequests(definition, validators, new Samples(validators));
  }

  call(operation: Operation, parts: CallParts): Request {
    const { headers, token } = this.#options;
    const definition = this.#definition;
    const root = this.#rootOf(operation);
    const credentials = token === undefined ? [] : credentialsFor(operation, definition, token);
    const options = { writer: this.#writer, root, headers, credentials };
    return writeCall(operation, parts, options);
  }

  example(operation: Operation): Request {
    const { target, body, ...rest } = this.#examples.of(operation, this.#options.token ?? 'token');
    const init = { ...rest, redirect: 'manual', ...(body !== undefined && { body }) } as const;
    return new Request(this.#rootOf(operation) + target, init);
  }

  /** As the global `fetch` does, for paths that start at the root of the contract. */
  fetch(input: string | URL | Request, init?: RequestInit): Request {
    const isPath = typeof input === 'string' && input.startsWith('/');
    const url = isPath ? this.#rootOf(this.#definition.operations[0]) + input : input;
    const request = new Request(url, { redirect: 'manual', ...init });
    for (const [name, value] of this.#options.headers) {
      if (!request.headers.has(name)) request.headers.set(name, value);
    }
    return request;
  }

  #rootOf(operation: Operation | undefined): string {
    const { origin, basePath } = this.#options;
    return origin + (basePath ?? operation?.basePaths[0] ?? '');
  }
}
