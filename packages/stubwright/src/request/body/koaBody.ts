// Reads the body of a Koa request with koa-bodyparser, unless it arrived with its headers.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { contentTooLarge } from '@stubwright/contract';
import type { BodySource } from '@stubwright/contract/values';
import bodyParser from 'koa-bodyparser';
import { type BodyLimits, endedEarly, NodeBody } from './nodeBody.ts';

/** koa-bodyparser, configured to return a Buffer: as a string it would replace invalid UTF-8. */
export type BodyParser = (context: ParsedContext, next: () => Promise<void>) => Promise<void>;

/** The part of a Koa context that koa-bodyparser uses; it assigns `request.body`. */
interface ParsedContext {
  readonly req: IncomingMessage;
  readonly request: { readonly is: () => 'text'; body: unknown };
}

/** koa-bodyparser accepts a number as limit; its types require a string, which it parses for each request. */
type ParserOf = (options: {
  readonly enableTypes: readonly 'text'[];
  readonly textLimit: number;
  readonly encoding: string;
  readonly onerror: (error: Error & { type?: string }) => void;
}) => BodyParser;
const parserOf = bodyParser as unknown as ParserOf;

export function bodyParserFor({ limitBytes }: BodyLimits): BodyParser {
  return parserOf({
    enableTypes: ['text'],
    textLimit: limitBytes,
    encoding: '',
    onerror(error) {
      if (error.type === 'entity.too.large') throw contentTooLarge(limitBytes);
      if (error.type === 'request.aborted') throw endedEarly();
      throw error;
    },
  });
}

export class KoaBody extends NodeBody {
  readonly #parse: BodyParser;

  constructor(req: IncomingMessage, res: ServerResponse, limits: BodyLimits, parse: BodyParser) {
    super(req, res, limits);
    this.#parse = parse;
  }

  protected override collect(req: IncomingMessage): Promise<Buffer> {
    // Validated by the engine; koa-bodyparser accepts `identity` in lower case only.
    if (req.headers['content-encoding'] !== undefined) delete req.headers['content-encoding'];
    // Validated by the engine.
    const request: ParsedContext['request'] = { is: () => 'text', body: undefined };
    const parsed = this.#parse({ req, request }, done);
    return parsed.then(() => (Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)));
  }
}

/** @returns the body that koa-bodyparser has read; undefined if the request has none or is unread */
export function parsedBody(
  request: object,
  own: KoaBody,
  { limitBytes }: BodyLimits,
): BodySource | undefined {
  const { rawBody } = request as { readonly rawBody?: string };
  if (rawBody === undefined) return undefined;
  const read = () => {
    const bytes = Buffer.from(rawBody);
    if (bytes.length > limitBytes) throw contentTooLarge(limitBytes);
    return bytes;
  };
  return {
    readBody: read,
    stream: () => Readable.from([read()]),
    onClose: (listener) => own.onClose(listener),
    isClosed: () => own.isClosed(),
  };
}

const DONE = Promise.resolve();
const done = () => DONE;
