// The engine of a served version, whose responses have the URLs of that version.
import {
  type Contract,
  chain,
  InvalidReply,
  type MaybePromise,
  type Operation,
  Problem,
  templateNames,
  withError,
} from '@stubwright/contract';
import {
  type ConvertedRequest,
  createEngine,
  type Engine,
  type EngineOptions,
  Exchange,
  type HandlerReply,
  RepeatedResponse,
  type RequestEntry,
  Router,
} from 'stubwright/internals';
import { OlderVersionReply, withCause } from './converters.ts';
import type { Level, VersionLink } from './versionLink.ts';

/** @returns the URL of the same resource in the older contract; the URL itself for any other */
export type ToOldUrl = (url: string) => string;

interface Routes {
  readonly definition: Contract;
  /** Of all routes; undefined for the paths of the contract's servers. */
  readonly basePath: string | undefined;
}

/** @param older the level of the served version */
function oldUrls(older: Level, routes: Routes, current: Routes): ToOldUrl {
  const router = new Router(current.definition.operations, current.basePath);
  const byCurrent = new Map<string, Operation>();
  for (const declared of routes.definition.operations) {
    const id = older.currentOperation(declared.operationId);
    if (id !== undefined && !byCurrent.has(id)) byCurrent.set(id, declared);
  }
  return (url) => {
    const [, origin = '', path, rest = ''] =
      /^(https?:\/\/[^/?#]*)?(\/[^?#]*)(.*)$/s.exec(url) ?? [];
    if (path === undefined) return url;
    for (const method of router.allowed(path)) {
      const match = router.match(method, path);
      const operation = match && byCurrent.get(match.operation.operationId);
      const old = operation && pathOf(operation, match.params, routes.basePath);
      if (old !== undefined) return `${origin}${old}${rest}`;
    }
    return url;
  };
}

/** @returns undefined for a path with a parameter that the current one does not have */
function pathOf(
  { path, basePaths }: Operation,
  params: Readonly<Record<string, string>>,
  basePath: string | undefined,
): string | undefined {
  const base = basePath ?? basePaths[0] ?? '';
  const isKnown = templateNames(base + path).every((name) => params[name] !== undefined);
  return isKnown ? (base + path).replace(/\{([^{}]+)\}/g, (_, name) => params[name]!) : undefined;
}

/** @returns the reply whose headers have the URLs of the served version */
function withOldUrls(reply: HandlerReply, toOldUrl: ToOldUrl): HandlerReply {
  if (reply.headers === undefined) return reply;
  const headers = Object.entries(reply.headers).map(([name, value]) => {
    return [
      name,
      typeof value === 'string' ? headerToOld(name.toLowerCase(), value, toOldUrl) : value,
    ];
  });
  return { ...reply, headers: Object.fromEntries(headers) };
}

function headerToOld(name: string, value: string, toOldUrl: ToOldUrl): string {
  if (name === 'location' || name === 'content-location') return toOldUrl(value);
  if (name !== 'link') return value;
  return value.replace(/<([^<>]*)>/g, (_, url: string) => `<${toOldUrl(url)}>`);
}

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
  if (!(error instanceof InvalidReply) || error instanceof OlderVersionReply) return error;
  return new OlderVersionReply(`version ${version}: ${error.message}`, { cause: error });
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
