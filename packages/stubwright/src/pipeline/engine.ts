// Creates the engine of a contract: the parts that its steps share, and CORS and mocks around them.

import { randomBytes } from 'node:crypto';
import {
  type Contract,
  ContractErrors,
  declaresIdempotency,
  normalizedBasePath,
  type Operation,
  once,
} from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import type { Mocks } from '@stubwright/mock';
import { Deprecations } from '../deprecation/deprecations.ts';
import type { IdempotentOperations } from '../idempotency/idempotentOperations.ts';
import type { Exchange } from '../request/exchange.ts';
import { Replies } from '../response/reply.ts';
import { unsentWarnings } from '../response/unsentProperties.ts';
import { Security } from '../security/security.ts';
import { authenticatorOf, requestEntry } from './authenticators.ts';
import { convertedCalls } from './convertedCalls.ts';
import { type PolicyOf, requestedOperation, withCors } from './cors.ts';
import { ANY_ORIGIN, corsPolicy, declaredCors } from './corsPolicy.ts';
import { Disposal } from './disposal.ts';
import { type EngineOptions, isMocked, optionErrors } from './engineOptions.ts';
import type { Engine } from './engineResponse.ts';
import { ErrorResponses } from './errorResponses.ts';
import { Failures } from './failures.ts';
import { withConditions } from './mockConditions.ts';
import { withPreferences } from './mockRequests.ts';
import { Pipeline } from './pipeline.ts';
import { requestReaders } from './requestReaders.ts';
import { operationById, type Router } from './router.ts';
import type { ServedOperation, StepParts } from './step.ts';
import { matchOf } from './steps.ts';
import { TimeLimit } from './timeLimit.ts';

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
  const failures = failuresOf(options, parts, loadMocks);
  const basePath = normalizedBasePath(options.basePath);
  const pipeline = new Pipeline({ definition, parts, failures, basePath });
  const { routes } = pipeline;
  const authenticator = authenticatorOf(parts);
  const engine: Engine = {
    handle(exchange) {
      exchange.parentLog = options.log;
      return pipeline.respond(exchange);
    },
    match(exchange) {
      if (matchOf(exchange, routes) !== undefined) return 'operation';
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
  if (!hasMockCors || !definition.operations.some((each) => isMocked(each, options))) return;
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
  const security = new Security(
    definition,
    { verifiers, realm },
    (operation) => isMockedHere(operation) || options.entryOf?.(operation) !== undefined,
  );
  const validators = new Validators(definition, 'request');
  const idempotent = await idempotentOperationsOf(options, validators);
  const errors = [...security.errors, ...optionErrors(options), ...(idempotent?.errors ?? [])];
  if (errors.length > 0) throw new ContractErrors(errors);
  const { handlerTimeoutMs, report = ignore } = options;
  const timeLimit = handlerTimeoutMs === undefined ? undefined : new TimeLimit(handlerTimeoutMs);
  return {
    definition,
    isMocked: isMockedHere,
    security,
    rateLimitOf: options.rateLimitOf,
    entryOf: options.entryOf,
    requests: requestReaders(definition, validators),
    trace: options.step,
    mocks: definition.operations.some(isMockedHere)
      ? withConditions(await loadMocks(), { definition, isMocked: isMockedHere })
      : undefined,
    observer: options.recorder?.observe(definition),
    idempotent,
    deprecations: new Deprecations(validators, options.sunset),
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
  const { idempotentOperations } = await import('../idempotency/idempotentOperations.ts');
  return idempotentOperations({
    ...{ definition, validators, store, mockOptions },
    isMocked: (operation) => isMocked(operation, options),
    hasContext: context !== undefined,
  });
}

function failuresOf<Context>(
  options: EngineOptions<Context>,
  { definition, replies, report }: StepParts,
  loadMocks: () => Promise<Mocks>,
): Failures {
  const errorResponses = new ErrorResponses({
    definition,
    replies,
    format: options.errors,
    mock: async (operation, status) => (await loadMocks()).replyWith(operation, status),
    isMocked: (operation) => isMocked(operation, options),
    report,
  });
  const { toProblem, exposeErrors = false, responseValidation = 'strict' } = options;
  return new Failures({ errorResponses, toProblem, responseValidation, exposeErrors, report });
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
