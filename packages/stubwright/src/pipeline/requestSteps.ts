// The steps of an operation before its handler. Parameters and body are compiled at the first request.
import type { Definition, MaybePromise, Operation, Problem } from '@stubwright/contract';
import {
  Coercions,
  joinMessages,
  type Validators,
  type Violation,
} from '@stubwright/contract/values';
import { RequestBody } from '../request/body/body.ts';
import type { Exchange } from '../request/exchange.ts';
import { Parameters } from '../request/parameters.ts';
import { describeViolations, violationProblem } from '../request/violations.ts';
import type { Security } from '../security/security.ts';
import type { Routed } from './router.ts';

/** What the operations of a contract share. */
export class RequestContext {
  readonly definition: Definition;
  readonly security: Security;
  /** For requests. */
  readonly validators: Validators;
  readonly coercions: Coercions;

  constructor(definition: Definition, security: Security, validators: Validators) {
    this.definition = definition;
    this.security = security;
    this.validators = validators;
    this.coercions = new Coercions(validators);
  }
}

export class RequestSteps implements Routed {
  readonly operation: Operation;
  readonly path: string;
  readonly method: string;
  readonly basePaths: readonly string[];
  readonly #context: RequestContext;
  readonly #authorize: (exchange: Exchange) => MaybePromise<void>;
  #body: RequestBody | undefined;
  #parameters: Parameters | undefined;

  constructor(operation: Operation, context: RequestContext) {
    this.operation = operation;
    this.path = operation.path;
    this.method = operation.method;
    this.basePaths = operation.basePaths;
    this.#context = context;
    this.#authorize = context.security.authorizer(operation);
  }

  /** Sets the principals. @throws as {@link Security.authorizer} */
  authorize(exchange: Exchange): MaybePromise<void> {
    return this.#authorize(exchange);
  }

  /** Reads and parses the request body. @throws as {@link RequestBody.read} */
  read(exchange: Exchange): MaybePromise<void> {
    if (this.#body === undefined) {
      const { definition, validators, coercions } = this.#context;
      this.#body = new RequestBody(definition, this.operation, validators, coercions);
    }
    return this.#body.read(exchange);
  }

  /** @param exchange with a body that was read @returns the problem of an invalid request */
  validate(exchange: Exchange): Problem | undefined {
    const ofParameters = this.#declared().violations(exchange);
    const ofBody = exchange.parsedBody.violations();
    if (ofParameters.length + ofBody.length === 0) return undefined;
    const messages = [...describeViolations(ofParameters), ...describeViolations(ofBody)];
    return violationProblem(joinMessages(new Set(messages)), ofParameters.concat(ofBody));
  }

  /** Without a limit of the message. */
  violations(exchange: Exchange): Violation[] {
    return this.#declared().violations(exchange).concat(exchange.parsedBody.violations());
  }

  #declared(): Parameters {
    const { definition, validators, coercions } = this.#context;
    this.#parameters ??= new Parameters(definition, this.operation, validators, coercions);
    return this.#parameters;
  }
}
