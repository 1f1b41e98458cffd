// Validates the requests and responses of a proxy, and reports their violations.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Definition, Operation } from 'stubwright/internal/document/definition';
import { type CheckedRequest, RequestCheck } from 'stubwright/internal/engine/requestCheck';
import { Exchange, headOf } from 'stubwright/internal/request/exchange';
import {
  ResponseCheck,
  type UndeclaredProperties,
} from 'stubwright/internal/response/responseCheck';
import type { Violation } from 'stubwright/internal/schema/validator';
import type { BodyCopy } from './bodyCopy.ts';
import type { Direction, Report } from './report.ts';

export interface ValidationOptions {
  readonly definition: Definition;
  /** The base path of all routes; undefined for the paths of the contract's servers. */
  readonly basePath: string | undefined;
  readonly undeclaredProperties: UndeclaredProperties;
  readonly report: Report;
}

/** A request on its way through the proxy. */
export interface Passing {
  readonly request: IncomingMessage;
  readonly exchange: Exchange;
  /** Undefined for a request that is not in the contract. */
  readonly operation: Operation | undefined;
  /** For the report. */
  readonly name: string;
}

/** The body of an exchange is read after it was copied. */
class Unread extends Error {}

export class Validation {
  readonly #requests: RequestCheck;
  readonly #responses: ResponseCheck;
  readonly #report: Report;

  constructor({ definition, basePath, undeclaredProperties, report }: ValidationOptions) {
    this.#requests = new RequestCheck({ definition, basePath, realm: 'proxy' });
    this.#responses = new ResponseCheck(definition, undeclaredProperties);
    this.#report = report;
  }

  /** @param copy of the request body, complete when the request is validated */
  route(request: IncomingMessage, copy: BodyCopy): Passing {
    const { 'content-encoding': codings, ...headers } = request.headers;
    const bytes = async () => {
      const decoded = await copy.decoded(codings);
      if (decoded === undefined) throw new Unread();
      return decoded;
    };
    const body = {
      readBody: bytes,
      stream: () =>
        Readable.from(
          (async function* () {
            yield await bytes();
          })(),
        ),
    };
    const exchange = new Exchange({ ...headOf(request), headers }, body);
    this.#requests.route(exchange);
    const { operation } = exchange;
    const name = operation?.operationId ?? `${exchange.method} ${exchange.path}`;
    return { request, exchange, operation, name };
  }

  /** @param passing with its complete body @returns undefined if it cannot be validated */
  async request({ exchange, name }: Passing): Promise<CheckedRequest | undefined> {
    try {
      const checked = await this.#requests.check(exchange);
      this.#report.add(name, 'request', checked.violations);
      return checked;
    } catch (error) {
      this.#cannotValidate(name, 'request', error);
      return undefined;
    }
  }

  /** @returns false if the body of the response is not validated */
  readsResponseBody({ operation }: Passing, response: IncomingMessage): boolean {
    if (operation === undefined) return false;
    return this.#responses.readsBody(operation, headOfResponse(response));
  }

  /** @param copy of the body; undefined to validate the head only @returns the violations */
  async response(
    { operation, exchange, name }: Passing,
    response: IncomingMessage,
    copy: BodyCopy | undefined,
  ): Promise<readonly Violation[]> {
    if (operation === undefined) return [];
    try {
      const bytes = await copy?.decoded(response.headers['content-encoding']);
      if (copy !== undefined && bytes === undefined) {
        this.#cannotValidate(name, 'response', new Unread());
      }
      const head = headOfResponse(response);
      const { method } = exchange;
      const { violations } = await this.#responses.check(operation, method, { ...head, bytes });
      this.#report.add(name, 'response', violations);
      return violations;
    } catch (error) {
      this.#cannotValidate(name, 'response', error);
      return [];
    }
  }

  #cannotValidate(name: string, direction: Direction, error: unknown): void {
    this.#report.unvalidated++;
    const reason =
      error instanceof Unread
        ? 'the body is too large or its content coding cannot be read'
        : (error as Error).message;
    this.#report.line(`${name} ${direction}: not validated: ${reason}`);
  }
}

function headOfResponse({ statusCode = 0, rawHeaders }: IncomingMessage) {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  }
  return { status: statusCode, headers };
}
