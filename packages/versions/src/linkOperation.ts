// One operation of a served version: its requests to the next newer version, and the replies back.
import {
  chain,
  type MaybePromise,
  type Operation,
  Problem,
  templateNames,
  withError,
} from '@stubwright/contract';
import {
  type ConvertedRequest,
  discardBody,
  type Exchange,
  type HandlerReply,
} from 'stubwright/internals';
import {
  inOlderStatus,
  type NewerOperations,
  type OperationConverter,
  type RunConverter,
} from './converters.ts';
import {
  BodyConversion,
  type BodyConversionOptions,
  type ConvertValue,
} from './valueConversion.ts';

export interface LinkOperationOptions {
  readonly older: Operation;
  /** Undefined for a removed operation, which has the converter `call`. */
  readonly newer: Operation | undefined;
  readonly converter: OperationConverter;
  readonly run: RunConverter;
  readonly statuses: Readonly<Record<number, number>>;
  readonly requests: Omit<BodyConversionOptions, 'run' | 'converter'>;
  readonly replies: Omit<BodyConversionOptions, 'run' | 'converter'>;
  readonly call: (sent: Exchange, operationId: string, request: ConvertedRequest) => Reply;
  /** The operations of the newer contract, for `call`. */
  readonly operationsFor: (sent: Exchange) => NewerOperations;
}

type Reply = MaybePromise<HandlerReply>;
type Parts = MaybePromise<ConvertedRequest>;
type Convert = (...args: unknown[]) => unknown;

interface ParameterConversion {
  readonly where: 'path' | 'query' | 'header' | 'cookie';
  readonly name: string;
  readonly convert: ConvertValue;
}

/** The conversion of the bodies and headers of one status. */
interface ReplyConversion {
  readonly body: BodyConversion;
  readonly headers: ReadonlyMap<string, ConvertValue>;
}

export class LinkOperation {
  readonly #options: LinkOperationOptions;
  readonly #parameters: readonly ParameterConversion[];
  readonly #requestBody: BodyConversion;
  readonly #renamedInPath: readonly (readonly [older: string, newer: string])[];
  readonly #replies = new Map<number, ReplyConversion | undefined>();

  constructor(options: LinkOperationOptions) {
    const { older, requests, run } = options;
    this.#options = options;
    this.#parameters = older.parameters.flatMap(({ in: where, name, valueSchema }) => {
      const convert = requests.components.of(valueSchema);
      const at = where === 'querystring' ? 'query' : where;
      return convert === undefined ? [] : [{ where: at, name, convert }];
    });
    this.#renamedInPath = renamedInPath(older, options.newer);
    this.#requestBody = new BodyConversion(older.request, {
      ...{ ...requests, run, converter: 'request' },
    });
  }

  call(sent: Exchange, request: ConvertedRequest): Reply {
    const { converter, run, newer, call } = this.#options;
    const converted = this.#request(request);
    if (converter.call !== undefined) {
      const convert = converter.call as Convert;
      const operations = this.#options.operationsFor(sent);
      return this.#inOwnStatus(() => run('call', () => convert(converted, operations) as Reply));
    }
    return chain(this.#ownRequest(converted), (own) =>
      chain(
        this.#inOwnStatus(() =>
          call(sent, newer!.operationId, this.#inNewerPath(withMediaType(newer!, own))),
        ),
        (reply) => this.#reply(reply),
      ),
    );
  }

  /** With the components of parameters and body converted. */
  #request(request: ConvertedRequest): ConvertedRequest {
    const { run } = this.#options;
    const body = this.#requestBody.convert(request.body, request.mediaType);
    if (this.#parameters.length === 0) return { ...request, body };
    const parameters: Record<string, Record<string, unknown>> = {};
    for (const { where, name, convert } of this.#parameters) {
      const given = request[where];
      if (given?.[name] === undefined) continue;
      const values = parameters[where] ?? { ...given };
      const named = run(`${where} parameter ${name}`, () => convert(given[name]));
      parameters[where] = { ...values, [name]: named };
    }
    return { ...request, ...parameters, body };
  }

  #ownRequest(request: ConvertedRequest): MaybePromise<ConvertedRequest> {
    const { converter, run } = this.#options;
    const convert = converter.request as ((request: ConvertedRequest) => Parts) | undefined;
    if (convert === undefined) return request;
    return run('request', () => chain(convert(request), (parts) => ({ ...request, ...parts })));
  }

  /** A path parameter is the same one under another name. */
  #inNewerPath(request: ConvertedRequest): ConvertedRequest {
    const { path } = request;
    const renamed = this.#renamedInPath.filter(
      ([older, newer]) => path?.[newer] === undefined && path?.[older] !== undefined,
    );
    if (renamed.length === 0) return request;
    const values = renamed.map(([older, newer]) => [newer, path?.[older]] as const);
    return { ...request, path: { ...path, ...Object.fromEntries(values) } };
  }

  /** The errors of the newer contract have its statuses. */
  #inOwnStatus(call: () => Reply): Reply {
    const { statuses } = this.#options;
    return withError(call, (error) =>
      error instanceof Problem ? inOlderStatus(error, statuses) : error,
    );
  }

  #reply(reply: HandlerReply): Reply {
    const { converter, run, statuses } = this.#options;
    try {
      const converted = this.#convertedReply(reply);
      const status = statuses[reply.status] ?? reply.status;
      const inOwnStatus = status === reply.status ? converted : { ...converted, status };
      const convert = converter.reply as ((reply: HandlerReply) => Reply) | undefined;
      return convert ? run('reply', () => convert(inOwnStatus)) : inOwnStatus;
    } catch (error) {
      discardBody(reply);
      throw error;
    }
  }

  /** With the components of headers and body converted. */
  #convertedReply(reply: HandlerReply): HandlerReply {
    const conversion = this.#conversionOf(reply.status);
    if (conversion === undefined) return reply;
    const body = conversion.body.convert(reply.body, reply.type);
    if (conversion.headers.size === 0 || reply.headers === undefined) return { ...reply, body };
    const headers = Object.entries(reply.headers).map(([name, value]) => {
      const convert = conversion.headers.get(name.toLowerCase());
      if (convert === undefined || value === undefined) return [name, value];
      return [name, this.#options.run(`header ${name}`, () => convert(value))];
    });
    return { ...reply, headers: Object.fromEntries(headers), body };
  }

  #conversionOf(status: number): ReplyConversion | undefined {
    if (this.#replies.has(status)) return this.#replies.get(status);
    const { newer, replies, run, converter } = this.#options;
    const declared = newer?.responses.for(status);
    const convertItem = converter.item as ConvertValue | undefined;
    const conversion = declared && {
      body: new BodyConversion(declared.contents, {
        ...{ ...replies, run, converter: 'reply', convertItem },
      }),
      headers: new Map(
        [...declared.headers].flatMap(([name, { valueSchema }]) => {
          const convert = replies.components.of(valueSchema);
          return convert === undefined ? [] : [[name.toLowerCase(), convert] as const];
        }),
      ),
    };
    this.#replies.set(status, conversion);
    return conversion;
  }
}

/** Path parameters are the same by their position. */
function renamedInPath(older: Operation, newer: Operation | undefined) {
  if (newer === undefined) return [];
  const [was, is] = [templateNames(older.path), templateNames(newer.path)];
  if (was.length !== is.length) return [];
  return was
    .map((name, at) => [name, is[at]!] as const)
    .filter(([older, newer]) => older !== newer);
}

/** A body of a converter has the media type of the contract: JSON, else the first one. */
export function withMediaType(operation: Operation, request: ConvertedRequest) {
  if (request.body === undefined || request.mediaType !== undefined) return request;
  return { ...request, mediaType: operation.request.preferred?.key };
}
