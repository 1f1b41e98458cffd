// A request's way through the contract: route, authenticate, media type, read, validate, handle,
// reply. openapi-backend leads it; each step is told here.
import type { Context, HandlerMap } from 'openapi-backend';
import { Backend } from './backend.ts';
import { Contracted, requestOf } from './contracted.ts';
import { ContractFaults, type Definition, type Operation } from './definition.ts';
import { Exchange, type HttpRequest } from './exchange.ts';
import * as problem from './problem.ts';
import { type HandlerReply, type HttpReply, Replies, ReplyFault } from './reply.ts';
import { Router } from './router.ts';
import { Security, type Verifier } from './security.ts';
import { Typings } from './typed.ts';
import { Validators } from './validator.ts';

/** A handler whose types are out of sight; `Handlers` types it for the service's own contract. */
type AnyHandler<Services> = (request: never, services: Services) => unknown;

export interface EngineOptions<Services> {
  readonly definition: Definition;
  /** By operationId. */
  readonly handlers: Readonly<Record<string, AnyHandler<Services>>>;
  /** Handed to every handler. */
  readonly services: Services;
  /** By name of the security scheme. */
  readonly verifiers: Readonly<Record<string, Verifier>>;
  /** The protection space that challenges name (RFC 9110, section 11.5). */
  readonly realm: string;
  /** True to tell in a 500 what a handler answered against its contract; for development. */
  readonly exposesFaults: boolean;
  /** What every request's path starts with; by default the paths of the contract's servers. */
  readonly basePath: string | undefined;
  /** The Problem that an error of the services means, where it means one. */
  readonly toProblem: (error: unknown) => problem.Problem | undefined;
}

/** What was answered, and what the log should know of it. */
export interface Answer extends HttpReply {
  /** The path template of the operation, where the request met one. */
  readonly route: string | undefined;
  /** The error behind a 500 or a 503. */
  readonly cause: unknown;
}

export interface Engine {
  /** Answers a request; never rejects. */
  handle(request: HttpRequest): Promise<Answer>;
}

/**
 * Makes a contract answer requests.
 *
 * @throws {ContractFaults} for an operation without handler, a handler without operation, and a
 *   security scheme in use that nobody checks
 */
export async function createEngine<Services>(options: EngineOptions<Services>): Promise<Engine> {
  const { definition } = options;
  const security = new Security(definition, options.verifiers, options.realm);
  const faults = [...handlerFaults(options), ...security.faults];
  if (faults.length > 0) throw new ContractFaults(faults);

  const validators = new Validators(definition, 'request');
  const typings = new Typings(definition, validators);
  const replies = new Replies(definition, new Validators(definition, 'response'));
  const contracted = new Map(
    definition.operations.map((each) => [
      each,
      new Contracted(each, definition, validators, typings),
    ]),
  );
  const backend = new Backend({
    definition,
    router: new Router(definition, options.basePath),
    contracted,
    handlers: {
      ...hooks(security, contracted),
      ...operationHandlers(options, contracted, replies),
    },
    securityHandlers: security.handlers,
  });
  await backend.init();
  return {
    async handle(request) {
      const exchange = new Exchange(request);
      try {
        const reply: HttpReply = await backend.handleRequest(exchange, exchange);
        return { ...reply, route: routeOf(exchange), cause: undefined };
      } catch (error) {
        return answerTo(error, exchange, options);
      } finally {
        await exchange.release?.();
      }
    },
  };
}

function hooks(security: Security, contracted: ReadonlyMap<Operation, Contracted>): HandlerMap {
  return {
    notFound() {
      throw problem.unknownPath();
    },
    methodNotAllowed(_context, { method, allow }: Exchange): HttpReply {
      const Allow = allow.join(', ');
      if (method !== 'OPTIONS') throw problem.methodNotAllowed(Allow);
      return { status: 204, headers: { Allow }, body: undefined };
    },
    async postSecurityHandler(context, exchange: Exchange) {
      if (security.isPassed(context)) await contracted.get(exchange.operation!)!.read(exchange);
    },
    unauthorizedHandler(context, exchange: Exchange) {
      throw security.refusal(context, exchange);
    },
    validationFail({ validation }) {
      throw problem.breaksContract(validation.errors![0]!.message!);
    },
  };
}

function operationHandlers<Services>(
  { handlers, services }: EngineOptions<Services>,
  contracted: ReadonlyMap<Operation, Contracted>,
  replies: Replies,
): HandlerMap {
  const entries = [...contracted.values()].map((each) => {
    const handler = handlers[each.operation.operationId] as (
      request: unknown,
      services: Services,
    ) => Promise<HandlerReply>;
    return [
      each.backendOperation.operationId,
      async (_context: Context, exchange: Exchange) =>
        replies.write(each.operation, await handler(requestOf(exchange), services)),
    ];
  });
  return Object.fromEntries(entries);
}

function answerTo<Services>(
  error: unknown,
  exchange: Exchange,
  { toProblem, exposesFaults }: EngineOptions<Services>,
): Answer {
  const foreseen = error instanceof problem.Problem ? error : toProblem(error);
  const isExposed = exposesFaults && error instanceof ReplyFault;
  const told = foreseen ?? problem.unforeseen(isExposed ? error.message : undefined);
  return {
    status: told.status,
    headers: { ...told.headers, 'Content-Type': 'application/json' },
    body: told.toBody(),
    route: routeOf(exchange),
    cause: told === error ? undefined : error,
  };
}

function routeOf({ operation }: Exchange): string | undefined {
  return operation?.path;
}

function handlerFaults<Services>({ definition, handlers }: EngineOptions<Services>): string[] {
  const declared = new Set(definition.operations.map(({ operationId }) => operationId));
  const missing = [...declared].filter((id) => !Object.hasOwn(handlers, id));
  const unknown = Object.keys(handlers).filter((id) => !declared.has(id));
  return [
    ...missing.map((id) => `operation ${id} has no handler`),
    ...unknown.map((id) => `handler ${id} belongs to no operation of the contract`),
  ];
}
