// One operation: its parameters and its request body, compiled at the first request.
import type { Operation as BackendOperation } from 'openapi-backend';
import type { Definition, Operation } from '../document/definition.ts';
import { RequestBody } from '../request/body/body.ts';
import type { Exchange } from '../request/exchange.ts';
import { Parameters } from '../request/parameters/parameters.ts';
import type { Coercions } from '../schema/coercion.ts';
import type { Validators, Violation } from '../schema/validator.ts';

export class CompiledOperation {
  readonly operation: Operation;
  /** For openapi-backend; the space in the id prevents a collision with the names of its hooks. */
  readonly backendOperation: BackendOperation;
  readonly #definition: Definition;
  readonly #validators: Validators;
  readonly #coercions: Coercions;
  #body: RequestBody | undefined;
  #parameters: Parameters | undefined;

  constructor(
    operation: Operation,
    definition: Definition,
    validators: Validators,
    coercions: Coercions,
  ) {
    this.operation = operation;
    this.backendOperation = {
      operationId: `operation ${operation.operationId}`,
      path: operation.path,
      method: operation.method,
      responses: {},
    };
    this.#definition = definition;
    this.#validators = validators;
    this.#coercions = coercions;
  }

  /** Reads and parses the request body. @returns undefined if there is nothing to wait for */
  read(exchange: Exchange): Promise<void> | undefined {
    this.#body ??= new RequestBody(
      this.#definition,
      this.operation,
      this.#validators,
      this.#coercions,
    );
    return this.#body.read(exchange);
  }

  /** @returns one message per violation of the contract, for the client */
  errorsOf(exchange: Exchange): string[] {
    return this.#declared().read(exchange).concat(exchange.parsedBody.errors());
  }

  /** The same errors, one by one. */
  violationsOf(exchange: Exchange): Violation[] {
    return this.#declared().violations(exchange).concat(exchange.parsedBody.violations());
  }

  #declared(): Parameters {
    this.#parameters ??= new Parameters(
      this.#definition,
      this.operation,
      this.#validators,
      this.#coercions,
    );
    return this.#parameters;
  }
}

/** @returns the request for a handler, with the generated types */
export function requestOf({ parameters, parsedBody, principal, principals }: Exchange) {
  const { path, query, header, cookie } = parameters;
  const { mediaType } = parsedBody;
  return {
    path,
    query,
    header,
    cookie,
    mediaType,
    principal,
    principals,
    body: parsedBody.coerced(),
  };
}
