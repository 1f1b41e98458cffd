// Forwards requests to a service, and validates them and the responses.
import * as http from 'node:http';
import * as https from 'node:https';
import type { Definition } from 'stubwright/internal/document/definition';
import { createEngine, type Engine } from 'stubwright/internal/engine/engine';
import { Problem } from 'stubwright/internal/errors/problem';
import { originForm } from 'stubwright/internal/request/exchange';
import { undeclaredResponse } from 'stubwright/internal/response/errorFormat';
import type { HttpResponse } from 'stubwright/internal/response/reply';
import type { UndeclaredProperties } from 'stubwright/internal/response/responseCheck';
import { describeViolation, type Violation } from 'stubwright/internal/schema/validator';
import { send } from 'stubwright/internal/server/send';
import { BodyCopy } from './bodyCopy.ts';
import { endToEnd, forwardedHeaders } from './headers.ts';
import type { Report } from './report.ts';
import { type Passing, Validation } from './validation.ts';

export interface ForwarderOptions {
  readonly definition: Definition;
  /** The root of the service. Its path, if any, replaces the paths of the contract's servers. */
  readonly target: URL;
  /** True to respond to violations with an error instead of forwarding them. */
  readonly refuses: boolean;
  /** Larger bodies are forwarded without validation. */
  readonly bodyLimitBytes: number;
  readonly undeclaredProperties: UndeclaredProperties;
  readonly report: Report;
}

/** A request that arrived, and its response. */
interface Turn extends Passing {
  readonly response: http.ServerResponse;
  /** The body of the request. */
  readonly copy: BodyCopy;
  /** The part of the body that was read before forwarding. */
  readonly head: readonly Buffer[];
}

/** Common proxies accept 8 to 64 KiB. */
export const MAX_HEADER_BYTES = 64 * 1024;
/** Requests that may be sent again (RFC 9110, section 9.2.2). */
const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE'];

export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #validation: Validation;
  /** Undefined unless violations are refused. */
  readonly #engine: Engine | undefined;
  readonly #agent: http.Agent;
  /** Without a trailing slash. */
  readonly #basePath: string;
  readonly #pending = new Set<Promise<unknown>>();

  static async create(options: ForwarderOptions): Promise<Forwarder> {
    const { definition, refuses, target } = options;
    const basePath = target.pathname.replace(/\/+$/, '') === '' ? undefined : '';
    const engine = refuses ? await createEngine({ definition, basePath, mock: 'all' }) : undefined;
    return new Forwarder(options, new Validation({ ...options, basePath }), engine);
  }

  private constructor(
    options: ForwarderOptions,
    validation: Validation,
    engine: Engine | undefined,
  ) {
    this.#options = options;
    this.#validation = validation;
    this.#engine = engine;
    this.#basePath = options.target.pathname.replace(/\/+$/, '');
    const { Agent } = options.target.protocol === 'https:' ? https : http;
    this.#agent = new Agent({ keepAlive: true });
  }

  async handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { report, bodyLimitBytes } = this.#options;
    report.requests++;
    const copy = new BodyCopy(bodyLimitBytes);
    try {
      const passing = this.#validation.route(request, copy);
      if (this.#engine === undefined) {
        const turn: Turn = { ...passing, response, copy, head: [] };
        request.on('data', (chunk: Buffer) => copy.add(chunk));
        request.once('end', () => this.#track(this.#validation.request(passing)));
        this.#forward(turn);
        return;
      }
      if (request.headers.expect !== undefined) response.writeContinue();
      const head = await copy.fill(request);
      const checked = await this.#validation.request(passing);
      if (checked?.problem === undefined) this.#forward({ ...passing, response, copy, head });
      else await this.#refuse(checked.problem, passing, response);
    } catch (error) {
      // The client closed the connection.
      report.line(`${request.method} ${request.url}: ${(error as Error).message}`);
      response.destroy();
    }
  }

  /** Waits for the validation of forwarded messages. */
  async close(): Promise<void> {
    this.#agent.destroy();
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  #track(work: Promise<unknown>): void {
    this.#pending.add(work);
    void work.finally(() => this.#pending.delete(work));
  }

  #forward(turn: Turn, isRepeated = false): void {
    const { request, response, head, exchange } = turn;
    const upstream = this.#send(turn);
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
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      end();
      if (received || response.destroyed || response.headersSent) return;
      const hasBody = head.length > 0 || bodyOf(request);
      // The service closed an idle connection while the request was sent.
      const isStale = upstream.reusedSocket && error.code === 'ECONNRESET' && !isRepeated;
      if (isStale && !hasBody && IDEMPOTENT.includes(exchange.method)) this.#forward(turn, true);
      else this.#unreachable(turn, error);
    });
    const abort = () => {
      if (!response.writableFinished) upstream.destroy();
    };
    response.once('close', abort);
    upstream.once('close', () => response.off('close', abort));
    for (const chunk of head) upstream.write(chunk);
    if (request.readableEnded) upstream.end();
    else {
      request.once('end', () => {
        if (upstream.destroyed) return;
        if (request.rawTrailers.length > 0) upstream.addTrailers(pairsOf(request.rawTrailers));
        upstream.end();
      });
      request.pipe(upstream, { end: false });
    }
  }

  #send({ request, head, exchange }: Turn): http.ClientRequest {
    const { target, refuses } = this.#options;
    const path = exchange.url === '*' ? '*' : this.#basePath + originForm(exchange.url);
    const upstream = (target.protocol === 'https:' ? https : http).request({
      agent: this.#agent,
      hostname: target.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: target.port,
      method: exchange.method,
      path,
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    upstream.maxHeadersCount = 0;
    const fields = forwardedHeaders(request, target.host);
    for (const [key, pairs] of Map.groupBy(fields, ([name]) => name.toLowerCase())) {
      if (refuses && key === 'expect') continue;
      const [[name]] = pairs as [[string, string]];
      const all = pairs.map(([, value]) => value);
      upstream.setHeader(name, all.length === 1 ? all[0]! : all);
    }
    // Node would add Transfer-Encoding to a POST without a body.
    upstream.useChunkedEncodingByDefault = false;
    if (request.headers['transfer-encoding'] !== undefined) {
      upstream.setHeader('Transfer-Encoding', 'chunked');
    }
    if (request.headers.expect !== undefined && head.length === 0 && !refuses) {
      upstream.flushHeaders();
    }
    return upstream;
  }

  async #respond(turn: Turn, arrived: http.IncomingMessage): Promise<void> {
    const { response } = turn;
    const copy = new BodyCopy(this.#options.bodyLimitBytes);
    const isRead = this.#validation.readsResponseBody(turn, arrived);
    arrived.on('error', () => this.#broken(turn));
    try {
      if (this.#engine === undefined) {
        if (isRead) arrived.on('data', (chunk: Buffer) => copy.add(chunk));
        arrived.once('end', () => {
          this.#track(this.#validation.response(turn, arrived, isRead ? copy : undefined));
        });
        pass(arrived, response, []);
        return;
      }
      const head = isRead ? await copy.fill(arrived) : [];
      const violations = await this.#validation.response(turn, arrived, isRead ? copy : undefined);
      if (violations.length === 0) {
        pass(arrived, response, head);
        return;
      }
      arrived.resume();
      send(turn.request, response, invalidResponse(violations), false);
    } catch {
      this.#broken(turn);
    }
  }

  async #refuse(problem: Problem, passing: Passing, response: http.ServerResponse): Promise<void> {
    send(passing.request, response, await this.#engine!.reject(problem, passing.exchange), false);
  }

  #unreachable({ request, response, name }: Turn, error: NodeJS.ErrnoException): void {
    const { report, target } = this.#options;
    const reason = error.code ?? error.message;
    report.failed++;
    report.line(`${name}: ${target.origin} cannot be reached (${reason})`);
    const message = `the service cannot be reached (${reason})`;
    send(request, response, undeclaredResponse(new Problem(502, message)), false);
  }

  /** A partial body must not look complete. */
  #broken({ response, name }: Turn): void {
    if (response.destroyed) return;
    const { report, target } = this.#options;
    report.failed++;
    report.line(`${name}: ${target.origin} ended a response early`);
    response.destroy();
  }
}

/** Forwards a response unchanged. @param head the part of its body that was read already */
function pass(
  arrived: http.IncomingMessage,
  response: http.ServerResponse,
  head: readonly Buffer[],
): void {
  response.sendDate = false;
  const { statusCode = 502, statusMessage } = arrived;
  response.writeHead(statusCode, statusMessage, endToEnd(arrived.rawHeaders).flat());
  for (const chunk of head) response.write(chunk);
  const finish = () => {
    if (arrived.rawTrailers.length > 0) response.addTrailers(pairsOf(arrived.rawTrailers));
    response.end();
  };
  if (arrived.readableEnded) {
    finish();
    return;
  }
  arrived.once('end', finish);
  arrived.pipe(response, { end: false });
  // The headers of a stream are sent before its first chunk.
  setImmediate(() => {
    if (!response.writableEnded) response.flushHeaders();
  });
}

function invalidResponse(violations: readonly Violation[]): HttpResponse {
  const members = { violations: violations.map(describeViolation) };
  const message = 'the response of the service violates the contract';
  return undeclaredResponse(new Problem(502, message, { members }));
}

function bodyOf({ headers }: http.IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[at * 2]!, raw[at * 2 + 1]!]);
}
