// An operation made ready to serve: what its contract asks of a request, compiled at its first use.
import type { Operation as BackendOperation } from 'openapi-backend';
import type { Definition, Operation } from '../document/definition.ts';
import { RequestBody } from '../request/body/body.ts';
import type { Exchange } from '../request/exchange.ts';
import { Parameters } from '../request/parameters/parameters.ts';
import type { Typings } from '../schema/typed.ts';
import type { Validators } from '../schema/validator.ts';

export class Contracted {
  readonly operation: Operation;
  /** The operation as openapi-backend wants it, under an id that is no name of one of its hooks. */
  readonly backendOperation: BackendOperation;
  readonly #definition: Definition;
  readonly #validators: Validators;
  readonly #typings: Typings;
  #body: RequestBody | undefined;
  #parameters: Parameters | undefined;

  constructor(
    operation: Operation,
    definition: Definition,
    validators: Validators,
    typings: Typings,
  ) {
    this.operation = operation;
    this.backendOperation = {
      operationId: `operation ${operation.operationId}`,
      path: operation.path,
      method: operation.method,
      security: schemesOf(operation) as never,
      responses: {},
    };
    this.#definition = definition;
    this.#validators = validators;
    this.#typings = typings;
  }

  /** Reads the request's body; the caller has been authenticated. */
  read(exchange: Exchange): Promise<void> | undefined {
    this.#body ??= new RequestBody(
      this.#definition,
      this.operation,
      this.#validators,
      this.#typings,
    );
    return this.#body.read(exchange);
  }

  /** @returns everything in which the request breaks its contract, told for its sender */
  faultsOf(exchange: Exchange): string[] {
    this.#parameters ??= new Parameters(
      this.#definition,
      this.operation,
      this.#validators,
      this.#typings,
    );
    return this.#parameters.read(exchange).concat(exchange.received.faults());
  }
}

/** One requirement with every scheme, so that openapi-backend calls each verifier once. */
function schemesOf({ security }: Operation): object[] {
  const names = security.flatMap(Object.keys);
  return names.length === 0 ? [] : [Object.fromEntries(names.map((name) => [name, []]))];
}

/** @returns what the handler gets, typed as the generated types promise */
export function requestOf({ parameters, received, principal, principals }: Exchange) {
  const { path, query, header, cookie } = parameters;
  const { mediaType } = received;
  return { path, query, header, cookie, mediaType, principal, principals, body: received.typed() };
}
