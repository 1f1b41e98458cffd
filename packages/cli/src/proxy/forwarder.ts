// Forwards requests to a service, and validates them and the responses.
import type * as http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, finished, PassThrough, pipeline } from 'node:stream';
import { type Contract, malformedHttp } from '@stubwright/contract';
import {
  BodyMemory,
  describeViolation,
  isBodyExpected,
  type Violation,
} from '@stubwright/contract/values';
import type { TrafficRecorder } from '@stubwright/traffic';
import { Problem } from 'stubwright';
import {
  type ErrorResponder,
  errorResponder,
  type UndeclaredProperties,
  undeclaredResponse,
} from 'stubwright/internals';
import { framingError, headerError, sendResponse } from 'stubwright/node';
import { BodyCopy, type BodyRate } from './bodyCopy.ts';
import { dotSegmentError, forwardBody, responseFields, targetError } from './headers.ts';
import { handshakeError, responseOn, Tunnels, Upstream, type UpstreamOptions } from './upstream.ts';
import { type Passing, type Report, Validation } from './validation.ts';

/** RFC 9112, section 4. */
const REASON = /^[\t \x21-\x7e\x80-\xff]*$/;

/** @returns why a response cannot be forwarded, as the end of a sentence about the service */
function responseError(arrived: IncomingMessage): string | undefined {
  const { statusCode = 0, statusMessage = '', httpVersion, headers } = arrived;
  const codings = headers['transfer-encoding'];
  const isFramed = codings === undefined || (httpVersion === '1.1' && /^chunked$/i.test(codings));
  if (!isFramed) return 'sent a response with a transfer coding other than chunked';
  const isStatus = statusCode >= 200 && statusCode <= 999 && REASON.test(statusMessage);
  return isStatus ? undefined : 'sent a response with an invalid status line';
}

/** @param head the part of its body that was read already */
function pass(
  arrived: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  head: readonly Buffer[],
): void {
  response.sendDate = false;
  const { statusCode = 502, statusMessage } = arrived;
  response.writeHead(statusCode, statusMessage, responseFields(arrived, request).flat());
  forwardBody(arrived, response, head);
  // The headers of a stream are sent before its first chunk.
  setImmediate(() => {
    if (!response.writableEnded) response.flushHeaders();
  });
}

export interface ForwarderOptions extends UpstreamOptions {
  readonly definition: Contract;
  /** The root of the service. Its path, if any, replaces the paths of the contract's servers. */
  readonly target: URL;
  /** True to respond to violations with an error instead of forwarding them. */
  readonly refuses: boolean;
  /** Larger bodies are forwarded without validation, or refused. */
  readonly bodyLimitBytes: number;
  /** The memory for copies of all bodies; further ones are forwarded without validation, or refused. */
  readonly bodyMemoryBytes: number;
  readonly undeclaredProperties: UndeclaredProperties;
  /** Of bodies that are validated before they are forwarded; by default BODY_RATE. */
  readonly bodyRate?: BodyRate;
  readonly report: Report;
  /** By default nothing is recorded. */
  readonly recorder?: TrafficRecorder | undefined;
}

interface Turn extends Passing {
  readonly response: http.ServerResponse;
  /** The part of the body that was read before forwarding. */
  readonly head: readonly Buffer[];
}

/** Requests that may be sent again (RFC 9110, section 9.2.2). */
const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE'];

export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #validation: Validation;
  /** Undefined unless violations are refused. */
  readonly #reject: ErrorResponder | undefined;
  readonly #upstream: Upstream;
  readonly #memory: BodyMemory;
  readonly #tunnels = new Tunnels();
  readonly #pending = new Set<Promise<unknown>>();

  static async create(options: ForwarderOptions): Promise<Forwarder> {
    const { definition, refuses, target } = options;
    const upstream = new Upstream(target, options);
    const basePath = upstream.basePath === '' ? undefined : '';
    const reject = refuses ? await errorResponder({ definition, basePath }) : undefined;
    return new Forwarder(options, new Validation({ ...options, basePath }), upstream, reject);
  }

  private constructor(
    options: ForwarderOptions,
    validation: Validation,
    upstream: Upstream,
    reject: ErrorResponder | undefined,
  ) {
    this.#options = options;
    this.#validation = validation;
    this.#upstream = upstream;
    this.#reject = reject;
    this.#memory = new BodyMemory(options.bodyMemoryBytes);
  }

  async handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    this.#options.report.requests++;
    // Node drops bytes that follow a request with Upgrade.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const problem = this.#headError(request);
    if (problem !== undefined) this.#malformed(problem, request, response);
    else if (this.#reject === undefined) this.#observe(request, response);
    else await this.#enforce(request, response);
  }

  /** Forwards a WebSocket, whose handshake is validated. @param head bytes that follow the handshake */
  async upgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    this.#options.report.requests++;
    const response = responseOn(request, socket);
    const malformed = this.#headError(request) ?? handshakeError(request);
    if (malformed !== undefined) return this.#malformed(malformed, request, response);
    const passing = this.#validation.route(request, this.#copy(), async () => {});
    const problem = await this.#validation.request(passing);
    if (problem !== undefined && this.#reject !== undefined) {
      await this.#refuse(passing, problem, response);
    } else if (!socket.destroyed) this.#openTunnel({ ...passing, response, head: [] }, head);
    return undefined;
  }

  closeTunnels(): void {
    this.#tunnels.close();
  }

  /** Waits for the validation of forwarded messages. */
  async close(): Promise<void> {
    this.#upstream.close();
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** @returns the error of a request that another recipient may read as another request */
  #headError(request: http.IncomingMessage): Problem | undefined {
    const refuses = this.#reject !== undefined;
    const hosts = request.headersDistinct['host'] ?? [];
    if (hosts.length > 1) return malformedHttp('expected one Host header');
    const error = refuses ? headerError(request) : framingError(request);
    const resolves = refuses || this.#upstream.basePath !== '';
    return error ?? targetError(request) ?? (resolves ? dotSegmentError(request) : undefined);
  }

  /** Forwards a request, and validates a copy. */
  #observe(request: http.IncomingMessage, response: http.ServerResponse): void {
    const copy = this.#copy();
    const passing = this.#validation.route(request, copy, async () => {});
    if (passing.readsBody) request.on('data', (chunk: Buffer) => copy.add(chunk));
    finished(request, { writable: false }, (error) => {
      if (error) copy.release();
      else this.#track(this.#validation.request(passing).finally(() => copy.release()));
    });
    this.#forward({ ...passing, response, head: [] });
  }

  /** Validates a request, and forwards or refuses it. */
  async #enforce(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { report } = this.#options;
    const copy = this.#copy();
    finished(response, () => copy.release());
    try {
      if (request.headers.expect !== undefined) response.writeContinue();
      const passing = this.#validation.route(request, copy, () =>
        copy.fill(request, this.#options.bodyRate),
      );
      const problem = await this.#validation.request(passing);
      if (problem === undefined) this.#forward({ ...passing, response, head: copy.chunks });
      else await this.#refuse(passing, problem, response);
    } catch (error) {
      report.line(`${request.method} ${pathOf(request)}: ${(error as Error).message}`);
      response.destroy();
    }
  }

  async #refuse(passing: Passing, problem: Problem, response: http.ServerResponse): Promise<void> {
    const error = await this.#reject!(problem, passing.exchange);
    this.#validation.responded(passing, error);
    sendResponse(passing.request, response, error, false);
  }

  #copy(): BodyCopy {
    return new BodyCopy(this.#options.bodyLimitBytes, this.#memory);
  }

  #track(work: Promise<unknown>): void {
    this.#pending.add(work);
    void work.finally(() => this.#pending.delete(work));
  }

  #forward(turn: Turn, isRepeated = false): void {
    const { request, response, head, exchange } = turn;
    const expects = request.headers.expect !== undefined && this.#reject === undefined;
    const upstream = this.#upstream.open(request, { expects });
    if (expects) upstream.flushHeaders();
    let received = false;
    const end = () => {
      request.unpipe(upstream);
      // Reads the rest of the body, to keep the connection.
      request.resume();
    };
    upstream.on('continue', () => response.writeContinue());
    upstream.on('response', (arrived) => {
      received = true;
      void this.#respond(turn, arrived);
    });
    upstream.on('upgrade', (_arrived, socket) => {
      received = true;
      end();
      socket.destroy();
      this.#badGateway(turn, 'switched protocols without a request to');
    });
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      end();
      if (received || response.destroyed || response.headersSent) return;
      const hasBody = head.length > 0 || isBodyExpected(request.headers);
      // The service closed an idle connection while the request was sent.
      const isStale = upstream.reusedSocket && error.code === 'ECONNRESET' && !isRepeated;
      if (isStale && !hasBody && IDEMPOTENT.includes(exchange.method)) this.#forward(turn, true);
      else this.#badGateway(turn, `cannot be reached (${error.code ?? error.message})`);
    });
    const abort = () => {
      if (!response.writableFinished) upstream.destroy();
    };
    response.once('close', abort);
    upstream.once('close', () => response.off('close', abort));
    forwardBody(request, upstream, head);
  }

  #openTunnel(turn: Turn, head: Buffer): void {
    const { request, response, name } = turn;
    const { report } = this.#options;
    const upstream = this.#upstream.open(request, { isWebSocket: true });
    upstream.on('upgrade', (arrived, socket, arrivedHead) => {
      report.line(`${name}: a WebSocket, whose messages are not validated`);
      this.#validation.responded(turn, { status: 101, headers: {}, body: undefined });
      this.#tunnels.open({ request, response, head }, socket, arrived, arrivedHead);
    });
    upstream.on('response', (arrived) => void this.#respond(turn, arrived));
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      if (response.socket === null || response.headersSent) return;
      this.#badGateway(turn, `cannot be reached (${error.code ?? error.message})`);
    });
    response.once('close', () => upstream.destroy());
    upstream.end();
  }

  async #respond(turn: Turn, arrived: http.IncomingMessage): Promise<void> {
    const { response, request } = turn;
    const error = responseError(arrived);
    const isRead = this.#validation.readsResponseBody(turn, arrived);
    const copy = this.#copy();
    const validate = () => this.#validation.response(turn, arrived, isRead ? copy : undefined);
    arrived.on('error', () => this.#broken(turn));
    try {
      if (error !== undefined) {
        arrived.destroy();
        this.#badGateway(turn, error);
      } else if (this.#reject === undefined) {
        if (isRead) arrived.on('data', (chunk: Buffer) => copy.add(chunk));
        finished(arrived, (failed) => {
          if (failed) copy.release();
          else this.#track(validate().finally(() => copy.release()));
        });
        void this.#validateItems(turn, arrived);
        pass(arrived, request, response, []);
      } else {
        finished(response, () => copy.release());
        if (isRead) await copy.fill(arrived, this.#options.bodyRate);
        const { violations, unvalidated } = await validate();
        if (violations.length === 0 && unvalidated === undefined) {
          void this.#validateItems(turn, arrived);
          pass(arrived, request, response, copy.chunks);
          return;
        }
        if (!arrived.complete) arrived.destroy();
        const refused = refusedResponse(violations, unvalidated);
        sendResponse(request, response, undeclaredResponse(refused), false);
      }
    } catch {
      this.#broken(turn);
    }
  }

  /** Of a sequence, in flight; where violations are refused, the connection is closed after one. */
  async #validateItems(turn: Turn, arrived: http.IncomingMessage): Promise<void> {
    const validate = this.#validation.sequence(turn, arrived);
    if (validate === undefined) return;
    const body = new PassThrough();
    // Both must accept a chunk before the next is read.
    pipeline(arrived, body, () => {});
    const work = validate(body).then(
      (violations) => {
        if (violations.length > 0 && this.#reject !== undefined) turn.response.destroy();
      },
      () => {},
    );
    // The rest after a violation.
    this.#track(work.finally(() => body.resume()));
    await work;
  }

  #malformed(problem: Problem, request: http.IncomingMessage, response: http.ServerResponse): void {
    this.#options.report.line(`${request.method} ${pathOf(request)}: ${problem.message}`);
    sendResponse(request, response, undeclaredResponse(problem), true);
  }

  /** @param reason continues a sentence with the service as subject */
  #badGateway({ request, response, name }: Turn, reason: string): void {
    const { report } = this.#options;
    report.failed++;
    report.line(`${name}: ${this.#upstream.origin} ${reason}`);
    sendResponse(
      request,
      response,
      undeclaredResponse(new Problem(502, `the service ${reason}`)),
      false,
    );
  }

  /** A partial body must not look complete. */
  #broken({ response, name }: Turn): void {
    if (response.destroyed) return;
    const { report } = this.#options;
    report.failed++;
    report.line(`${name}: ${this.#upstream.origin} ended a response early`);
    response.destroy();
  }
}

/** Without the query, which may hold secrets. */
function pathOf({ url = '' }: http.IncomingMessage): string {
  return url.replace(/\?.*$/s, '');
}

function refusedResponse(violations: readonly Violation[], unvalidated: string | undefined) {
  if (violations.length === 0) {
    return new Problem(502, `the response of the service cannot be validated: ${unvalidated}`);
  }
  const members = { violations: violations.map(describeViolation) };
  return new Problem(502, 'the response of the service violates the contract', { members });
}
