// Validates the messages that pass a proxy, and reports the violations.

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import {
  type Contract,
  type Direction,
  internalError,
  type Operation,
  stringifyJson,
} from '@stubwright/contract';
import { countOf, printable } from '@stubwright/contract/printable';
import type { BodySource, Violation } from '@stubwright/contract/values';
import {
  type ObservedResponse,
  type RequestObserver,
  ShownValues,
  type TrafficRecorder,
} from '@stubwright/traffic';
import type { Problem } from 'stubwright';
import {
  Exchange,
  headOf,
  RequestCheck,
  ResponseCheck,
  type UndeclaredProperties,
} from 'stubwright/internals';
import { type BodyCopy, NotValidated } from './bodyCopy.ts';
import { forwardedOnly } from './headers.ts';

/** One operation, direction, location and rule. */
interface ReportedViolation {
  /** The operationId, or the method and the path of a request that is not in the contract. */
  readonly operation: string;
  readonly direction: Direction;
  /** `status`, `path`, `credentials`, `query parameter limit`, `header Retry-After`, `body /items/0`. */
  readonly location: string;
  readonly message: string;
  /** The first value, if it is a scalar. Null for others, and for one that may be secret. */
  readonly value: unknown;
  readonly count: number;
}

export interface Summary {
  readonly violations: readonly ReportedViolation[];
  readonly requests: number;
  /** Bodies that were not validated: too large, in an unknown content coding, or without memory. */
  readonly unvalidated: number;
  /** Requests without a complete response of the service. */
  readonly failed: number;
}

/** Further distinct violations are only counted, since clients choose paths and property names. */
const MAX_DISTINCT = 1_000;
const MAX_VALUE_LENGTH = 100;
const MAX_LINE_LENGTH = 600;

export class Report {
  readonly #log: (line: string) => void;
  readonly #groups = new Map<string, ReportedViolation & { count: number }>();
  #others = 0;
  requests = 0;
  unvalidated = 0;
  failed = 0;

  /** @param log receives each line without a line break */
  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  get hasViolations(): boolean {
    return this.#groups.size > 0;
  }

  add(operation: string, direction: Direction, violations: readonly Violation[]): void {
    for (const { where, pointer, message, value } of violations) {
      const location = [where || 'body', pointer].filter((part) => part !== '').join(' ');
      const shown = preview(value);
      const got = shown === undefined ? '' : `, got ${stringifyJson(shown)}`;
      this.line(`${operation} ${direction}: ${location} ${message}${got}`);
      // The items of an array have the same rule.
      const key = [operation, direction, location.replace(/\/\d+(?=\/|$)/g, '/*'), message];
      this.#count(key.join('\n'), {
        ...{ operation, direction, location, message },
        value: shown ?? null,
        count: 0,
      });
    }
  }

  /** Logs one line: clients choose the values. */
  line(text: string): void {
    this.#log(cut(printable(text), MAX_LINE_LENGTH));
  }

  get summary(): Summary {
    const { requests, unvalidated, failed } = this;
    const violations = [...this.#groups.values()].sort((a, b) => b.count - a.count);
    return { violations, requests, unvalidated, failed };
  }

  /** @returns the summary for a person */
  get text(): string {
    const { violations, requests, unvalidated, failed } = this.summary;
    const total = violations.reduce((sum, { count }) => sum + count, this.#others);
    const lines = violations.map(
      ({ operation, direction, location, message, value, count }) =>
        `  ${count} × ${operation} ${direction}: ${location} ${message}${value === null ? '' : `, got ${stringifyJson(value)}`}`,
    );
    const found =
      total === 0 ? 'no violations' : `${countOf(total, 'violation')}, ${lines.length} distinct`;
    const notes = [
      ...(unvalidated > 0 ? [`${countOf(unvalidated, 'body', 'bodies')} not validated`] : []),
      ...(failed > 0 ? [`${failed} without a complete response`] : []),
    ];
    const more = this.#others > 0 ? [`  and ${this.#others} more`] : [];
    return [[countOf(requests, 'request'), found, ...notes].join(', '), ...lines, ...more].join(
      '\n',
    );
  }

  #count(key: string, violation: ReportedViolation): void {
    const known = this.#groups.get(key);
    if (known !== undefined) known.count++;
    else if (this.#groups.size < MAX_DISTINCT) this.#groups.set(key, { ...violation, count: 1 });
    else this.#others++;
  }
}

function preview(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, MAX_VALUE_LENGTH);
  return typeof value === 'number' ? exact(value) : value;
}

/** JavaScript prints 2 ** 63 as 9223372036854776000, and uses an exponent from 1e21 on. */
function exact(value: number): number | bigint {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && Math.abs(value) < 1e21 ? BigInt(value) : value;
}

/** Does not divide a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}

interface ValidationOptions {
  readonly definition: Contract;
  /** The base path of all routes; undefined for the paths of the contract's servers. */
  readonly basePath: string | undefined;
  readonly undeclaredProperties: UndeclaredProperties;
  readonly report: Report;
  /** By default nothing is recorded. */
  readonly recorder?: TrafficRecorder | undefined;
}

/** A request on its way through the proxy. */
export interface Passing {
  readonly request: IncomingMessage;
  readonly exchange: Exchange;
  /** Undefined for a request that is not in the contract. */
  readonly operation: Operation | undefined;
  /** For the report. */
  readonly name: string;
  readonly body: CopiedBody;
  /** False if the bytes of the request body are not validated. */
  readonly readsBody: boolean;
}

interface ValidatedResponse {
  readonly violations: readonly Violation[];
  /** The reason why the body was not validated. */
  readonly unvalidated: string | undefined;
}

/** The reason is internal, since it may be caused by input of the client. */
const INTERNAL = 'an internal error';

/** No end has to be expected. */
const EVENT_STREAM = /^text\/event-stream\b/i;

export class Validation {
  readonly #requests: RequestCheck;
  readonly #responses: ResponseCheck;
  readonly #report: Report;
  readonly #shown: ShownValues;
  readonly #observer: RequestObserver | undefined;
  /** Requests whose validation or whose response is not complete. */
  readonly #recorded = new WeakMap<Exchange, ObservedResponse | 'validated'>();

  constructor(options: ValidationOptions) {
    const { definition, basePath, undeclaredProperties, report, recorder } = options;
    this.#requests = new RequestCheck({ definition, basePath, realm: 'proxy' });
    this.#responses = new ResponseCheck(definition, undeclaredProperties);
    this.#report = report;
    this.#shown = new ShownValues();
    this.#observer = recorder?.observe(definition);
  }

  /** @param read copies the rest of the body when it is validated */
  route(request: IncomingMessage, copy: BodyCopy, read: () => Promise<void>): Passing {
    const { 'content-encoding': codings, ...headers } = forwardedOnly(request);
    const body = new CopiedBody(async () => {
      await read();
      return copy.decoded(codings);
    });
    const exchange = new Exchange({ ...headOf(request), headers }, body);
    this.#requests.route(exchange);
    const { operation } = exchange;
    const name = operation?.operationId ?? `${exchange.method} ${exchange.path}`;
    const readsBody = this.#requests.readsBody(exchange);
    body.isRead = readsBody;
    return { request, exchange, operation, name, body, readsBody };
  }

  /** @returns the error that a service responds with; undefined for a valid request */
  async request({ exchange, operation, name, body }: Passing): Promise<Problem | undefined> {
    try {
      const { violations, problem } = await this.#requests.check(exchange);
      if (body.failure !== undefined) throw body.failure;
      this.#add(name, operation, 'request', violations);
      if (violations.length === 0) this.#observer?.accepted(exchange);
      return problem;
    } catch (error) {
      this.#notValidated(name, 'request', error);
      return error instanceof NotValidated ? error.problem : internalError();
    } finally {
      this.#record(exchange, 'validated');
    }
  }

  #add(
    name: string,
    operation: Operation | undefined,
    direction: Direction,
    violations: readonly Violation[],
  ): void {
    const isResponse = direction === 'response';
    const shown = violations.map((violation) =>
      this.#shown.shown(violation, operation, isResponse),
    );
    this.#report.add(name, direction, shown);
  }

  /** Records a response that is not validated. */
  responded({ exchange }: Passing, response: ObservedResponse): void {
    this.#record(exchange, response);
  }

  /** The validation of a request may end after its response. */
  #record(exchange: Exchange, part: ObservedResponse | 'validated'): void {
    if (this.#observer === undefined) return;
    const other = this.#recorded.get(exchange);
    this.#recorded.set(exchange, part);
    const response = part === 'validated' ? other : part;
    if (other === undefined || response === undefined || response === 'validated') return;
    this.#observer.responded(exchange, response);
  }

  /** @returns false if the body of the response is not validated */
  readsResponseBody({ operation }: Passing, response: IncomingMessage): boolean {
    if (operation === undefined) return false;
    if (EVENT_STREAM.test(response.headers['content-type'] ?? '')) return false;
    const head = headOfResponse(response);
    if (this.#responses.sequence(operation, head) !== undefined) return false;
    return this.#responses.readsBody(operation, head);
  }

  /**
   * Validates the items of a sequence while they are forwarded.
   *
   * @returns undefined for another body @throws the error of a stream that breaks
   */
  sequence(
    { operation, name }: Passing,
    response: IncomingMessage,
  ): ((body: Readable) => Promise<readonly Violation[]>) | undefined {
    const read = operation && this.#responses.sequence(operation, headOfResponse(response));
    if (read === undefined) return undefined;
    if ((response.headers['content-encoding'] ?? 'identity') !== 'identity') {
      this.#notValidated(name, 'response', new Error('a sequence with a content coding'));
      return undefined;
    }
    return async (body) => {
      for await (const { violations } of read(body)) {
        if (violations.length === 0) continue;
        this.#add(name, operation, 'response', violations);
        return violations;
      }
      return [];
    };
  }

  /** @param copy of the body; undefined to validate the head only */
  async response(
    { operation, exchange, name }: Passing,
    response: IncomingMessage,
    copy: BodyCopy | undefined,
  ): Promise<ValidatedResponse> {
    const head = headOfResponse(response);
    const { status } = head;
    const headers = Object.fromEntries(head.headers);
    if (operation === undefined) {
      this.#record(exchange, { status, headers, body: undefined });
      return { violations: [], unvalidated: undefined };
    }
    let unvalidated: string | undefined;
    const note = (error: unknown) => {
      unvalidated = this.#notValidated(name, 'response', error);
      return undefined;
    };
    try {
      const bytes = await copy?.decoded(response.headers['content-encoding']).catch(note);
      this.#record(exchange, { status, headers, body: bytes });
      const { method } = exchange;
      const { violations } = await this.#responses.check(operation, method, { ...head, bytes });
      this.#add(name, operation, 'response', violations);
      return { violations, unvalidated };
    } catch (error) {
      note(error);
      return { violations: [], unvalidated };
    }
  }

  /** @returns the reason, for the client */
  #notValidated(name: string, direction: Direction, error: unknown): string {
    this.#report.unvalidated++;
    const reason = (error as Error).message;
    this.#report.line(`${name} ${direction}: not validated: ${reason}`);
    return error instanceof NotValidated ? reason : INTERNAL;
  }
}

/** The body of a request, from its copy. */
class CopiedBody implements BodySource {
  readonly #read: () => Promise<Buffer>;
  /** False for a body that is not validated: its stream is empty. */
  isRead = true;
  failure: NotValidated | undefined;

  constructor(read: () => Promise<Buffer>) {
    this.#read = read;
  }

  async readBody(): Promise<Buffer> {
    try {
      return await this.#read();
    } catch (error) {
      if (error instanceof NotValidated) this.failure = error;
      throw error;
    }
  }

  stream(): Readable {
    return Readable.from(this.isRead ? this.#bytes() : []);
  }

  async *#bytes(): AsyncGenerator<Buffer> {
    yield await this.readBody();
  }
}

function headOfResponse({ statusCode = 0, rawHeaders }: IncomingMessage) {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  }
  return { status: statusCode, headers };
}
