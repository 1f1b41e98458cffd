// The parameters and the body of an operation, compiled at its first request.
import type { Contract, Operation } from '@stubwright/contract';
import { Coercions, Parameters, type Validators } from '@stubwright/contract/values';
import { RequestBodyReader } from '../request/body/body.ts';

/** The readers of one contract. */
export class RequestReaders {
  readonly definition: Contract;
  /** For requests. */
  readonly validators: Validators;
  readonly coercions: Coercions;
  readonly #operations = new Map<Operation, RequestReader>();

  constructor(definition: Contract, validators: Validators) {
    this.definition = definition;
    this.validators = validators;
    this.coercions = new Coercions(validators);
  }

  of(operation: Operation): RequestReader {
    const known = this.#operations.get(operation);
    if (known !== undefined) return known;
    const reader = new RequestReader(operation, this);
    this.#operations.set(operation, reader);
    return reader;
  }
}

/** The reader of one operation. */
export class RequestReader {
  readonly #operation: Operation;
  readonly #shared: RequestReaders;
  #body: RequestBodyReader | undefined;
  #parameters: Parameters | undefined;

  constructor(operation: Operation, shared: RequestReaders) {
    this.#operation = operation;
    this.#shared = shared;
  }

  get body(): RequestBodyReader {
    if (this.#body === undefined) {
      const { validators, coercions } = this.#shared;
      this.#body = new RequestBodyReader(this.#operation, validators, coercions);
    }
    return this.#body;
  }

  get parameters(): Parameters {
    if (this.#parameters === undefined) {
      const { definition, validators, coercions } = this.#shared;
      this.#parameters = new Parameters(
        definition,
        this.#operation.parameters,
        validators,
        coercions,
      );
    }
    return this.#parameters;
  }
}
