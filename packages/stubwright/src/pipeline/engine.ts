// Handles requests: route, authenticate, media type, read, validate, handle, serialize.

import { finished, Readable } from 'node:stream';
import {
  aborted,
  ContractErrors,
  type Definition,
  errorFrom,
  normalizedBasePath,
  type Operation,
} from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { announced, Deprecations, usageOf } from '../deprecation/deprecations.ts';
import type { MockOptions } from '../mock/mocked.ts';
import type { Mocks } from '../mock/mockHandler.ts';
import type { Observer } from '../recording/observer.ts';
import type { AnnouncedUse, Exchange } from '../request/exchange.ts';
import { firstChunk } from '../response/byteStream.ts';
import { ItemStream } from '../response/itemStream.ts';
import { type HttpResponse, Replies } from '../response/reply.ts';
import { unsentWarnings } from '../response/unsentProperties.ts';
import { Security } from '../security/security.ts';
import { type PolicyOf, requestedOperation, withCors } from './cors.ts';
import { ANY_ORIGIN, corsPolicy, declaredCors } from './corsPolicy.ts';
import { Disposal } from './disposal.ts';
import { type EngineOptions, isMocked, optionErrors } from './engineOptions.ts';
import type { Engine, EngineResponse } from './engineResponse.ts';
import { ErrorResponses } from './errorResponses.ts';
import { Failures } from './failures.ts';
import { withPreferences } from './mockRequests.ts';
import { Pipeline } from './pipeline.ts';
import { RequestContext } from './requestSteps.ts';
import { Router } from './router.ts';
import { type AnyHandler, type Handle, ServedOperation, withContext } from './servedOperation.ts';
import { TimeLimit } from './timeLimit.ts';

/**
 * Creates the engine of a contract.
 *
 * @throws {ContractErrors} for an operation without handler, a handler without operation, and a
 *   security scheme without verifier
 */
export async function createEngine<Context>(options: EngineOptions<Context>): Promise<Engine> {
  const { definition, report = ignore } = options;
  const parts = await partsOf(options);
  const { replies, mocks, loadMocks, disposal } = parts;
  const observer = options.recorder?.observe(definition);
  const operations = definition.operations.map((each) => served(each, options, parts, observer));
  const router = new Router(operations, normalizedBasePath(options.basePath));
  const pipeline = new Pipeline({ definition, operations, router, step: options.step });
  await pipeline.init();
  const errorResponses = new ErrorResponses({
    definition,
    replies,
    format: options.errors,
    mock: async (operation, status) => (await loadMocks()).replyWith(operation, status),
    isMocked: (operation) => isMocked(operation, options),
    report,
  });
  const { toProblem, exposeErrors = false, responseValidation = 'strict' } = options;
  const failures = new Failures({
    errorResponses,
    toProblem,
    responseValidation,
    exposeErrors,
    report,
  });
  const { deprecations } = parts;
  const responding = { pipeline, failures, disposal, deprecations, observer, report };
  const engine: Engine = {
    handle(exchange) {
      exchange.parentLog = options.log;
      observer?.arrived(exchange);
      return respond(exchange, responding);
    },
    match(exchange) {
      if (pipeline.matches(exchange)) return 'operation';
      return router.allowed(exchange.path).length > 0 ? 'path' : undefined;
    },
    reject(error, exchange) {
      const matched = exchange && router.match(exchange.method, exchange.path)?.operation;
      return failures.reject(error, matched?.operation, error.cause);
    },
  };
  const handle = mocks === undefined ? engine.handle : withPreferences(engine.handle, router);
  const policyOf = corsPolicies(options, router);
  return policyOf ? withCors({ ...engine, handle }, router, policyOf) : { ...engine, handle };
}

/** @returns undefined without CORS for any operation */
function corsPolicies<Context>(
  options: EngineOptions<Context>,
  router: Router<ServedOperation>,
): PolicyOf | undefined {
  const { definition, cors = declaredCors(definition), mock, hasMockCors } = options;
  if (cors !== undefined) {
    const policy = corsPolicy(cors, definition);
    return () => policy;
  }
  if (!hasMockCors || !definition.operations.some((each) => isMocked(each, options))) return;
  return (exchange) => {
    if (exchange.headers.origin === undefined) return undefined;
    const isOpen = requestedOperation(router, exchange)?.isMocked ?? mock === 'all';
    return isOpen ? ANY_ORIGIN : undefined;
  };
}

interface Responding {
  readonly pipeline: Pipeline;
  readonly failures: Failures;
  readonly disposal: Disposal;
  readonly deprecations: Deprecations;
  readonly observer: Observer | undefined;
  readonly report: (error: Error) => void;
}

/** Passes a request through the pipeline, and disposes the context of its handler. Never rejects. */
async function respond(
  exchange: Exchange,
  { pipeline, failures, disposal, deprecations, observer, report }: Responding,
): Promise<EngineResponse> {
  let stream: Readable | undefined;
  try {
    const { status, headers, body } = await pipeline.respond(exchange);
    if (body instanceof Readable) {
      stream = body;
      await untilStarted(body, exchange);
      if (body instanceof ItemStream) reportFailure(body, report);
    }
    if (exchange.context !== undefined) await disposal.replied(exchange, status);
    release(exchange, body, report);
    const { path: route, operationId } = exchange.operation ?? NO_OPERATION;
    const response = { status, headers, body, route, operationId, cause: exchange.violation };
    observer?.responded(exchange, response);
    return exchange.deprecated === undefined
      ? response
      : withUse(response, exchange.deprecated, exchange);
  } catch (error) {
    stream?.destroy();
    // After the time limit, the handler may still use its context.
    const isDisposed = exchange.context !== undefined && exchange.timedOut === undefined;
    if (isDisposed) await disposal.failed(exchange, error);
    release(exchange, undefined, report);
    const response = await failures.thrown(exchange.isAbort(error) ? aborted() : error, exchange);
    observer?.responded(exchange, response);
    const use = deprecations.usedBy(exchange);
    return use === undefined ? response : withUse(response, use, exchange);
  }
}

function withUse(response: EngineResponse, use: AnnouncedUse, exchange: Exchange): EngineResponse {
  const headers = announced(response.headers, use);
  return { ...response, headers, deprecated: usageOf(use, exchange) };
}

function served<Context>(
  operation: Operation,
  options: EngineOptions<Context>,
  {
    requests,
    replies,
    mocks,
    timeLimit,
    disposal,
    deprecations,
  }: Awaited<ReturnType<typeof partsOf>>,
  observer: Observer | undefined,
): ServedOperation {
  const isMockedHere = isMocked(operation, options);
  const handle = isMockedHere ? mocks!.reply : withContext(handlerOf(operation, options), options);
  const { admit, report = ignore } = options;
  const announcing = deprecations.around(operation, handle);
  return new ServedOperation(operation, requests, {
    handle: observer === undefined ? announcing : observed(observer, announcing),
    isMocked: isMockedHere,
    admit,
    replies,
    timeLimit: isMockedHere ? undefined : timeLimit,
    disposal,
    report,
  });
}

function observed(observer: Observer, handle: Handle): Handle {
  return (exchange) => {
    observer.accepted(exchange);
    return handle(exchange);
  };
}

/** @throws {ContractErrors} as createEngine */
async function partsOf<Context>(options: EngineOptions<Context>) {
  const { definition, verifiers = {}, realm = realmOf(definition) } = options;
  const isMockedHere = (operation: Operation) => isMocked(operation, options);
  const security = new Security(definition, { verifiers, realm }, isMockedHere);
  const errors = [...security.errors, ...optionErrors(options)];
  if (errors.length > 0) throw new ContractErrors(errors);
  const { handlerTimeoutMs } = options;
  const validators = new Validators(definition, 'request');
  const responseValidators = new Validators(definition, 'response');
  const timeLimit = handlerTimeoutMs === undefined ? undefined : new TimeLimit(handlerTimeoutMs);
  const loadMocks = once(() => createMocks(definition, responseValidators, options.mockOptions));
  return {
    requests: new RequestContext(definition, security, validators),
    replies: new Replies(definition, responseValidators, {
      validation: options.responseValidation,
      onUnsent: options.warn && unsentWarnings(options.warn),
      keepAliveMs: options.keepAliveMs,
    }),
    /** Undefined without mocked operations. */
    mocks: definition.operations.some(isMockedHere) ? await loadMocks() : undefined,
    loadMocks,
    timeLimit,
    deprecations: new Deprecations(validators, options.sunset),
    disposal: new Disposal(timeLimit, options.report ?? ignore),
  };
}

function handlerOf<Context>(
  { operationId }: Operation,
  { handlers }: EngineOptions<Context>,
): AnyHandler<Context> {
  return handlers![operationId] as AnyHandler<Context>;
}

/** Loaded on demand: a tenth of the code. */
async function createMocks(
  definition: Definition,
  validators: Validators,
  options: MockOptions | undefined,
): Promise<Mocks> {
  const module = await import('../mock/mockHandler.ts');
  return module.createMocks(definition, validators, options);
}

function once<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => {
    created ??= create();
    return created;
  };
}

/** Of a stream whose last item describes the error; the adapter reports one that fails. */
function reportFailure(body: ItemStream, report: (error: Error) => void): void {
  body.isSent = true;
  body.once('close', () => {
    if (body.failure !== undefined && body.errored === null) report(body.failure);
  });
}

/** Then the head of a response is sent although its first item is not known. */
const FIRST_ITEM_MS = 100;

/**
 * Waits for the first chunk of a stream, which is discarded when the client is gone.
 *
 * @throws the error of a stream that fails before
 */
async function untilStarted(body: Readable, { body: source }: Exchange): Promise<void> {
  source.onClose?.(() => body.destroy());
  const started = firstChunk(body);
  const error = await (body instanceof ItemStream ? atMost(FIRST_ITEM_MS, started) : started);
  if (error !== undefined) throw error;
}

/** @returns undefined if the promise does not settle in time */
async function atMost<T>(timeoutMs: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Removes uploads without delaying the response; after the end of a stream, which may read one. */
function release(
  exchange: Exchange,
  body: HttpResponse['body'],
  report: (error: Error) => void,
): void {
  const remove = exchange.release;
  if (remove === undefined) return;
  const start = async () => {
    try {
      await remove();
    } catch (error) {
      report(errorFrom(error));
    }
  };
  if (body instanceof Readable) finished(body, start);
  else void start();
}

function ignore(): void {}

const NO_OPERATION = { path: undefined, operationId: undefined };

/** The title without characters beyond ASCII. */
function realmOf({ document }: Definition): string {
  const title = String(document.info?.title ?? '');
  return title.replace(/[^\x20-\x7e]/g, '').trim() || 'api';
}
