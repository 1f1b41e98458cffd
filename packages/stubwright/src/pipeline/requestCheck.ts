// Reports how requests violate the contract, without handling them.
import {
  type Contract,
  type MaybePromise,
  methodNotAllowed,
  type Operation,
  Problem,
  unknownPath,
} from '@stubwright/contract';
import {
  mediaContentOf,
  mediaKindOf,
  opaque,
  Validators,
  type Violation,
  wholeBody,
} from '@stubwright/contract/values';
import {
  type RequestReader,
  readItems,
  requestReaders,
  violationProblem,
} from '../request/body/body.ts';
import { Exchange, type HttpRequest } from '../request/exchange.ts';
import { Security } from '../security/security.ts';
import { Router } from './router.ts';

export interface CheckedRequest {
  /** Empty if the contract allows the request. */
  readonly violations: readonly Violation[];
  /** The error that a service responds with; undefined without violations. */
  readonly problem: Problem | undefined;
}

export interface RequestCheckOptions {
  readonly definition: Contract;
  /** The base path of all routes; by default the paths of the contract's servers. */
  readonly basePath: string | undefined;
  /** The protection space in `WWW-Authenticate`. */
  readonly realm: string;
}

/** Compares requests with a contract as its service does, for any credentials. */
export class RequestCheck {
  readonly #validators: Validators;
  readonly #router: Router;
  readonly #security: Security;
  readonly #readers: (operation: Operation) => RequestReader;

  constructor({ definition, basePath, realm }: RequestCheckOptions) {
    const validators = new Validators(definition, 'request');
    this.#validators = validators;
    this.#router = new Router(definition.operations, basePath);
    // Mocked operations require credentials, and accept any.
    this.#security = new Security(definition, { verifiers: {}, realm }, () => true);
    this.#readers = requestReaders(definition, validators);
  }

  /** Sets the operation and the path parameters of the exchange. @returns false without an operation */
  route(exchange: Exchange): boolean {
    const match = this.#router.match(exchange.method, exchange.path);
    if (match === undefined) return false;
    exchange.operation = match.operation;
    exchange.params = match.params;
    return true;
  }

  /** @param exchange after `route` @returns false if the bytes of the body are not validated */
  readsBody({ operation, headers }: Exchange): boolean {
    const selected = operation?.request.select(headers['content-type']);
    if (selected === undefined) return false;
    const content = mediaContentOf(selected.content, this.#validators);
    return mediaKindOf(selected.sent.type, content) !== opaque;
  }

  /** Routes and validates a request that has arrived. @throws the error of reading the body */
  async checkWhole({
    bytes,
    ...head
  }: HttpRequest & { readonly bytes: Buffer }): Promise<
    CheckedRequest & { readonly exchange: Exchange }
  > {
    const exchange = new Exchange(head, wholeBody(bytes));
    this.route(exchange);
    return { exchange, ...(await this.check(exchange)) };
  }

  /**
   * Validates path, method, presence of credentials, parameters, media type and body.
   *
   * @param exchange after `route`; its body is read
   * @throws the error of reading the body
   */
  async check(exchange: Exchange): Promise<CheckedRequest> {
    const { operation } = exchange;
    if (operation === undefined) return this.#unknown(exchange);
    const violations: Violation[] = [];
    let problem: Problem | undefined;
    const attempt = async (where: string, step: () => MaybePromise<void>) => {
      try {
        await step();
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        problem ??= error;
        violations.push({ where, pointer: '', message: error.message, value: undefined });
      }
    };
    const { body, parameters } = this.#readers(operation);
    await attempt('credentials', () => this.#security.authorizer(operation)?.(exchange));
    await attempt('', () => body.receive(exchange, body.select(exchange)));
    await attempt('', () => readItems(exchange.parsedBody));
    try {
      const errors = parameters.violations(exchange).concat(exchange.parsedBody.violations());
      if (errors.length > 0) problem ??= violationProblem(errors);
      return { violations: [...violations, ...errors], problem };
    } finally {
      await exchange.release?.();
    }
  }

  #unknown({ method, path }: Exchange): CheckedRequest {
    // Also a CORS preflight, which contracts do not declare.
    if (method === 'OPTIONS') return { violations: [], problem: undefined };
    const allow = this.#router.allowed(path).join(', ');
    const [where, value, message, problem] =
      allow === ''
        ? ['path', path, 'is not in the contract', unknownPath()]
        : ['method', method, `expected ${allow}`, methodNotAllowed(allow)];
    return { violations: [{ where, pointer: '', message, value }], problem };
  }
}
