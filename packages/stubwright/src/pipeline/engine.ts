// Creates the engine of a contract: the parts that its steps share, and CORS and mocks around them.

import { randomBytes } from 'node:crypto';
import {
  type Contract,
  ContractErrors,
  chain,
  declaresIdempotency,
  type MaybePromise,
  normalizedBasePath,
  type Operation,
  once,
  onceFor,
} from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import type { Mocks } from '@stubwright/mock';
import { Deprecations, declaresDeprecation } from '../deprecation/deprecations.ts';
import type { IdempotentOperations } from '../idempotency/idempotency.ts';
import { requestReaders } from '../request/body/body.ts';
import { ConvertedExchange, type Exchange, type HttpRequest } from '../request/exchange.ts';
import { nameIn } from '../response/compiledResponse.ts';
import { type HttpResponse, Replies } from '../response/reply.ts';
import { unsentWarnings } from '../response/unsentProperties.ts';
import { Security } from '../security/security.ts';
import { securityErrors } from '../security/securityErrors.ts';
import { convertedCalls } from './convertedCalls.ts';
import { ANY_ORIGIN, type CorsPolicy, corsPolicy, declaredCors } from './corsPolicy.ts';
import { Disposal } from './disposal.ts';
import { type EngineOptions, isMocked, optionErrors } from './engineOptions.ts';
import type { Authenticated, Engine, EngineResponse, RequestEntry } from './engineResponse.ts';
import { Failures } from './failures.ts';
import { withConditions, withPreferences } from './mockRequests.ts';
import { compiledSteps, Pipeline, SharedTimer } from './pipeline.ts';
import { operationById, type Router } from './router.ts';
import type { OperationStep, ServedOperation, StepParts } from './step.ts';
import { STEPS } from './steps.ts';

/**
 * Creates the engine of a contract.
 *
 * @throws {ContractErrors} for an operation without handler, a handler without operation, and a
 *   security scheme without verifier
 */
export async function createEngine<Context>(options: EngineOptions<Context>): Promise<Engine> {
  const { definition } = options;
  const validators = new Validators(definition, 'response');
  const loadMocks = once(() => createMocks(options, validators));
  const parts = await partsOf(options, validators, loadMocks);
  const { mocks } = parts;
  const failures = new Failures(options, parts, loadMocks);
  const basePath = normalizedBasePath(options.basePath);
  const pipeline = new Pipeline({ definition, parts, failures, basePath, log: options.log });
  const { routes } = pipeline;
  const authenticator = authenticatorOf(parts);
  const engine: Engine = {
    handle: pipeline.respond,
    match(exchange) {
      if (STEPS[0].match(exchange, routes) !== undefined) return 'operation';
      return routes.allowed(exchange.path).length > 0 ? 'path' : undefined;
    },
    reject(error, exchange) {
      const matched = exchange && routes.match(exchange.method, exchange.path)?.operation;
      return failures.reject(error, matched?.operation, error.cause);
    },
    authenticate(exchange) {
      const matched = routes.match(exchange.method, exchange.path)?.operation;
      return matched && authenticator(matched.operation, exchange);
    },
    entry(operationId) {
      const operation = operationById(operationId, definition);
      return { operation, ...requestEntry(operation, parts) };
    },
    call: convertedCalls(parts, basePath),
  };
  const handle = mocks === undefined ? engine.handle : withPreferences(engine.handle, routes);
  const policyOf = corsPolicies(options, routes);
  return policyOf ? withCors({ ...engine, handle }, routes, policyOf) : { ...engine, handle };
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
  if (!hasMockCors || !definition.operations.some((operation) => isMocked(operation, options)))
    return;
  return (exchange) => {
    if (exchange.headers.origin === undefined) return undefined;
    const isOpen = requestedOperation(router, exchange)?.isMocked ?? mock === 'all';
    return isOpen ? ANY_ORIGIN : undefined;
  };
}

/** @throws {ContractErrors} as createEngine */
async function partsOf<Context>(
  options: EngineOptions<Context>,
  responseValidators: Validators,
  loadMocks: () => Promise<Mocks>,
): Promise<StepParts> {
  const { definition, handlers = {}, verifiers = {}, realm = realmOf(definition) } = options;
  const isMockedHere = (operation: Operation) => isMocked(operation, options);
  // The current contract authenticates the requests of an older one.
  const isAuthenticated = (operation: Operation) =>
    isMockedHere(operation) || options.entryOf?.(operation) !== undefined;
  const validators = new Validators(definition, 'request');
  const idempotent = await idempotentOperationsOf(options, validators);
  const errors = [
    ...securityErrors(definition, verifiers, isAuthenticated),
    ...optionErrors(options),
    ...(idempotent?.errors ?? []),
  ];
  if (errors.length > 0) throw new ContractErrors(errors);
  const { handlerTimeoutMs, report = ignore } = options;
  const timeLimit = handlerTimeoutMs === undefined ? undefined : new SharedTimer(handlerTimeoutMs);
  return {
    definition,
    isMocked: isMockedHere,
    security: new Security(definition, { verifiers, realm }, isAuthenticated),
    rateLimitOf: options.rateLimitOf,
    entryOf: options.entryOf,
    requests: requestReaders(definition, validators),
    trace: options.step,
    mocks: definition.operations.some(isMockedHere)
      ? withConditions(await loadMocks(), { definition, isMocked: isMockedHere })
      : undefined,
    observer: options.recorder?.observe(definition),
    idempotent,
    deprecations: declaresDeprecation(definition.document)
      ? new Deprecations(validators, options.sunset)
      : undefined,
    handlers,
    contextOf: options.context,
    services: options.services,
    cursorSecrets: options.cursorSecrets,
    replies: new Replies(definition, responseValidators, {
      validation: options.responseValidation,
      onUnsent: options.warn && unsentWarnings(options.warn),
      keepAliveMs: options.keepAliveMs,
    }),
    timeLimit,
    disposal: new Disposal(timeLimit, report),
    report,
  };
}

/** @returns undefined for a contract without `x-idempotency` */
async function idempotentOperationsOf<Context>(
  options: EngineOptions<Context>,
  validators: Validators,
): Promise<IdempotentOperations | undefined> {
  const { definition, idempotency: store, context, mockOptions } = options;
  // The current contract has the keys of an older one.
  if (options.entryOf !== undefined || !definition.operations.some(declaresIdempotency)) {
    return undefined;
  }
  const { idempotentOperations } = await import('../idempotency/idempotency.ts');
  return idempotentOperations({
    ...{ definition, validators, store, mockOptions },
    isMocked: (operation) => isMocked(operation, options),
    hasContext: context !== undefined,
  });
}

/** Loaded on demand: a tenth of the code. */
async function createMocks<Context>(
  { definition, mockOptions, cursorSecrets }: EngineOptions<Context>,
  validators: Validators,
): Promise<Mocks> {
  const module = await import('@stubwright/mock');
  // Without a secret: the items, too, end with the process.
  const secrets = cursorSecrets ?? [randomBytes(32).toString('base64url')];
  return module.createMocks(definition, validators, mockOptions, async (exchange, rows) => {
    const { mockedPage } = await import('../pages/replyWithPage.ts');
    return mockedPage(exchange as Exchange, { definition, cursorSecrets: secrets }, rows);
  });
}

function ignore(): void {}

/** The title without characters beyond ASCII. */
function realmOf({ document }: Contract): string {
  const title = String(document.info?.title ?? '');
  return title.replace(/[^\x20-\x7e]/g, '').trim() || 'api';
}

/** @returns the security of the operations of one contract, compiled at their first requests */
function authenticatorOf(
  parts: StepParts,
): (operation: Operation, sent: Exchange) => Authenticated {
  const compiled = onceFor((operation: Operation) => ({
    run: compiledSteps([step('authenticates')], operation, parts),
    ...requestEntry(operation, parts),
  }));
  return (operation, sent) => {
    const { run, credentialHeaders } = compiled(operation);
    return {
      credentialHeaders,
      principal() {
        const exchange = new ConvertedExchange(sent, operation);
        const result = run(exchange, undefined as never) as MaybePromise<void>;
        return chain(result, () => exchange.principal);
      },
    };
  };
}

/** @returns the entry of an operation, for a request of an older contract */
function requestEntry(operation: Operation, parts: StepParts): RequestEntry {
  const { definition, entryOf: entryOfOlder } = parts;
  const known = entryOfOlder?.(operation);
  if (known !== undefined) return known;
  return {
    authenticate: step('authenticates').compile(operation, parts) as RequestEntry['authenticate'],
    admit: step('admits').compile(operation, parts) as RequestEntry['admit'],
    credentialHeaders: headersOf(operation, definition),
  };
}

function step(flag: 'authenticates' | 'admits'): OperationStep {
  return STEPS.find((each): each is OperationStep => flag in each)!;
}

function headersOf({ security }: Operation, { securitySchemes }: Contract): string[] | undefined {
  if (security.length === 0) return undefined;
  const names = security.flatMap(Object.keys);
  const headers = names.flatMap((name) => securitySchemes.get(name)?.header ?? []);
  return [...new Map(headers.map((header) => [header.toLowerCase(), header])).values()];
}

/** The policy for a request; undefined for none. */
export type PolicyOf = (exchange: Exchange) => CorsPolicy | undefined;

/** @returns the operation of a request, or of the request that a preflight announces */
function requestedOperation(
  router: Router<ServedOperation>,
  exchange: Exchange,
): ServedOperation | undefined {
  const method = preflightMethod(exchange) ?? exchange.method;
  return router.match(method, exchange.path)?.operation;
}

/** Responds to preflight requests, and adds CORS headers to all other responses, also to errors. */
function withCors(engine: Engine, router: Router<ServedOperation>, policyOf: PolicyOf): Engine {
  const preflightOf = (exchange: Exchange, policy: CorsPolicy): EngineResponse | undefined => {
    if (preflightMethod(exchange) === undefined) return undefined;
    const own = router.match('OPTIONS', exchange.path)?.operation;
    // The contract declares it, and the application handles it.
    if (own !== undefined && !own.isMocked) return undefined;
    const allowed = router.allowed(exchange.path);
    if (allowed.length === 0) return undefined;
    const methods = own ? allowed : allowed.filter((text) => text !== 'OPTIONS');
    const requested = requestedOperation(router, exchange);
    const names = policy.requestHeaders(requested?.operation, exchange);
    const { maxAgeSeconds } = policy;
    const headers = {
      'Access-Control-Allow-Methods': methods.join(', '),
      ...(names !== '' && { 'Access-Control-Allow-Headers': names }),
      ...(maxAgeSeconds !== undefined && { 'Access-Control-Max-Age': String(maxAgeSeconds) }),
    };
    // Without the permission of the origin, a browser ignores the others.
    const isPermitted = policy.allowOrigin(exchange.headers.origin!) !== undefined;
    const sent = isPermitted ? headers : { Allow: allowed.join(', ') };
    return { status: 204, headers: sent, body: undefined, route: undefined, cause: undefined };
  };
  const finish = (exchange: Exchange, policy: CorsPolicy, response: EngineResponse) => {
    return { ...response, headers: corsHeaders(exchange, policy, response.headers) };
  };
  return {
    ...engine,
    async handle(exchange) {
      const policy = policyOf(exchange);
      if (policy === undefined) return engine.handle(exchange);
      const response = preflightOf(exchange, policy) ?? (await engine.handle(exchange));
      return finish(exchange, policy, response);
    },
    match(exchange) {
      const policy = policyOf(exchange);
      const isPreflight = policy !== undefined && preflightOf(exchange, policy) !== undefined;
      return isPreflight ? 'operation' : engine.match(exchange);
    },
    reject(error, exchange) {
      const rejected = engine.reject(error, exchange);
      const policy = exchange && policyOf(exchange);
      if (policy === undefined) return rejected;
      return chain(rejected, (response) => finish(exchange!, policy, response));
    },
  };
}

/** @returns the method that a preflight request announces; undefined for another request */
function preflightMethod({ method, headers }: HttpRequest): string | undefined {
  if (method !== 'OPTIONS' || headers.origin === undefined) return undefined;
  return [headers['access-control-request-method'] ?? []].flat()[0];
}

/** Always readable for scripts (https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name), or never. */
const NOT_EXPOSED = new Set([
  ...['cache-control', 'content-language', 'content-length', 'content-type', 'expires'],
  ...['last-modified', 'pragma', 'set-cookie', 'vary', 'connection'],
]);

function corsHeaders(
  { headers: { origin }, method }: HttpRequest,
  policy: CorsPolicy,
  headers: HttpResponse['headers'],
): HttpResponse['headers'] {
  const all = policy.varies ? withVary(headers) : headers;
  const names = Object.keys(headers);
  const allowed = origin === undefined ? undefined : policy.allowOrigin(origin);
  // The reply of a handler may have CORS headers of its own.
  const isOwn = nameIn(headers, 'access-control-allow-origin') !== undefined;
  if (allowed === undefined || isOwn) return all;
  const exposed = names.filter((name) => {
    const lower = name.toLowerCase();
    return !NOT_EXPOSED.has(lower) && !lower.startsWith('access-control-');
  });
  return {
    ...all,
    'Access-Control-Allow-Origin': allowed,
    ...(policy.hasCredentials && { 'Access-Control-Allow-Credentials': 'true' }),
    ...(exposed.length > 0 &&
      method !== 'OPTIONS' && { 'Access-Control-Expose-Headers': exposed.join(', ') }),
  };
}

/** Caches must not send the response to one origin to another one. */
function withVary(headers: HttpResponse['headers']): HttpResponse['headers'] {
  const name = nameIn(headers, 'vary') ?? 'Vary';
  const value = headers[name];
  if (value === undefined) return { ...headers, Vary: 'Origin' };
  const isListed = /(?:^|,)\s*(?:origin|\*)\s*(?:,|$)/i.test(value);
  return isListed ? headers : { ...headers, [name]: `${value}, Origin` };
}
