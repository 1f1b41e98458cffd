// The engine of a served version: its own contract, with handlers that call the current one.
import { chain, InvalidReply, type MaybePromise, Problem, withError } from '@stubwright/contract';
import {
  type ConvertedRequest,
  createEngine,
  type Engine,
  type EngineOptions,
  Exchange,
  type HandlerReply,
  RepeatedResponse,
  type RequestEntry,
} from 'stubwright/internals';
import { oldUrls, type ToOldUrl, withOldUrls } from './operationUrls.ts';
import { withCause } from './statuses.ts';
import type { VersionLink } from './versionLink.ts';

/** The options of the current engine. */
export type CurrentOptions = Omit<EngineOptions<never>, 'handlers' | 'context' | 'services'>;

/**
 * @param basePath of all routes of the version; undefined for the paths of its servers
 * @throws {ContractErrors} for a security scheme without verifier
 */
export function versionEngine(
  link: VersionLink,
  basePath: string | undefined,
  options: CurrentOptions,
): Promise<Engine> {
  const { version, definition } = link;
  const current = { definition: options.definition, basePath: options.basePath };
  const toOldUrl = oldUrls(link, { definition, basePath }, current);
  const handlers = definition.operations.map(({ operationId }) => {
    return [operationId, converting(link, operationId, toOldUrl)] as const;
  });
  return createEngine<Exchange>({
    ...options,
    definition,
    basePath,
    rateLimitOf: undefined,
    entryOf: ({ operationId }) => entryOf(link, operationId),
    mock: 'off',
    recorder: recorderOf(version, options.recorder),
    handlers: Object.fromEntries(handlers),
    context: exchangeOf,
  });
}

/** The security and the limits of the current contract, whose errors have the statuses of the version. */
function entryOf(link: VersionLink, operationId: string): RequestEntry | undefined {
  const entry = link.entry(operationId);
  if (entry === undefined) return undefined;
  const inOwnStatus = (step: RequestEntry['admit']): RequestEntry['admit'] =>
    step &&
    ((exchange) =>
      withError(
        () => step(exchange),
        (error) => (error instanceof Problem ? link.inOwnStatus(error) : error),
      ));
  const { authenticate, admit, credentialHeaders } = entry;
  return {
    authenticate: inOwnStatus(authenticate),
    admit: inOwnStatus(admit),
    credentialHeaders,
  };
}

/** @returns a recorder whose records have the name of the version, whatever `info.version` is */
function recorderOf(
  version: string,
  recorder: CurrentOptions['recorder'],
): CurrentOptions['recorder'] {
  return (
    recorder && {
      observe: (definition) => recorder.observe(definition, version),
      close: () => recorder.close(),
    }
  );
}

function converting(link: VersionLink, operationId: string, toOldUrl: ToOldUrl) {
  const adapted = { version: link.version, admittedTo: link.entry(operationId)?.operation };
  return (request: ConvertedRequest, exchange: Exchange): MaybePromise<HandlerReply> => {
    // Until the handler of the application is called.
    exchange.isHandled = false;
    exchange.adapted = adapted;
    const { path, query, header, cookie, mediaType, body } = request;
    const converted = { path, query, header, cookie, mediaType, body };
    return chain(
      withError(
        () => link.call(exchange, operationId, converted),
        (error) => named(link.version, error),
      ),
      (reply) => withOldUrls(reply, toOldUrl),
    );
  };
}

/** The engine passes the request that it handles. */
function exchangeOf(request: unknown): Exchange {
  if (request instanceof Exchange) return request;
  throw new TypeError('expected a request of the engine');
}

/** @returns an InvalidReply with the version, for one of the current contract */
function named(version: string, error: unknown): unknown {
  const isNamed = !(error instanceof InvalidReply) || error.message.startsWith('version ');
  return isNamed
    ? error
    : new InvalidReply(`version ${version}: ${error.message}`, { cause: error });
}

/** Maps the errors of handlers before the statuses of a chain apply to them. */
export function callWithProblems(
  { call }: Pick<Engine, 'call'>,
  toProblem: CurrentOptions['toProblem'],
): Engine['call'] {
  if (toProblem === undefined) return call;
  const mapped = (error: unknown, request: ConvertedRequest): unknown => {
    // The stored response of an idempotency key is no error.
    if (error instanceof RepeatedResponse) return error;
    const problem = error instanceof Problem ? undefined : problemOf(error, toProblem, request);
    return problem === undefined ? error : withCause(problem, error);
  };
  return (sent, operationId, request) =>
    withError(
      () => call(sent, operationId, request),
      (error) => mapped(error, request),
    );
}

/** The engine calls `toProblem` again, and reports its errors. */
function problemOf(
  error: unknown,
  toProblem: NonNullable<CurrentOptions['toProblem']>,
  request: Parameters<Engine['call']>[2],
): Problem | undefined {
  try {
    const problem: unknown = toProblem(error, request);
    return problem instanceof Problem ? problem : undefined;
  } catch {
    return undefined;
  }
}
