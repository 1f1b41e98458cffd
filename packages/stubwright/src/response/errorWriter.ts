// Serializes problems in the media types and formats that a declared response allows.
import {
  errorFrom,
  isJsonMediaType,
  isXmlMediaType,
  onceFor,
  Problem,
  stringifyJson,
} from '@stubwright/contract';
import type { CompiledResponse, WritableContent } from './compiledResponse.ts';
import {
  type CompiledFormat,
  type ErrorFormat,
  type ErrorTarget,
  formatsOf,
  hasStatus,
  undeclaredResponse,
} from './errorFormat.ts';
import type { HttpResponse } from './reply.ts';

/** An error body in the first media type and format that fit. */
export interface WrittenError extends HttpResponse {
  /** False if the response has no room for the message. */
  readonly hasMessage: boolean;
}

/** @returns a valid body, with the message if the schema has room for it; undefined if there is none */
export type ToFittingBody = (
  content: WritableContent,
  problem: Problem,
) => { readonly body: unknown; readonly hasMessage: boolean } | undefined;

export class ErrorWriter {
  readonly #formats: readonly [CompiledFormat, ...CompiledFormat[]];
  readonly #report: (error: Error) => void;
  /** @returns the media types: that of the format first, then JSON */
  readonly #keysOf = onceFor(({ contents }: CompiledResponse) => {
    const [{ mediaType }] = this.#formats;
    const rank = (key: string) => (key === mediaType ? 0 : isJsonMediaType(key) ? 1 : 2);
    return contents.keys.toSorted((a, b) => rank(a) - rank(b));
  });

  /**
   * @param format of the application; by default problem details
   * @param report called with the error of a formatter, which does not change the response
   */
  constructor(format: ErrorFormat | undefined, report: (error: Error) => void = () => {}) {
    this.#formats = formatsOf(format, report);
    this.#report = report;
  }

  /**
   * Uses the first media type with a valid body that has the message, else the first with a valid body that
   * is not empty. Prefers the first format that also has the status where the schema declares it. Without
   * content there is no body.
   *
   * @param operationId undefined for a request that matches no operation
   * @param toFitting makes a body for a schema that no format fits; undefined before it is loaded
   * @returns `unknown` if no format fits and `toFitting` is not loaded; undefined if there is no valid body
   */
  write(
    problem: Problem,
    response: CompiledResponse,
    operationId: string | undefined,
    toFitting: ToFittingBody | undefined,
  ): WrittenError | 'unknown' | undefined {
    const { status, headers } = problem;
    if (response.contents.size === 0) {
      return { status, headers, body: undefined, hasMessage: false };
    }
    let first: WrittenError | undefined;
    for (const key of this.#keysOf(response)) {
      const content = response.contents.get(key)!;
      const ofFormat = this.#inFormat(key, content, problem, operationId);
      if (ofFormat?.isComplete) return ofFormat.written;
      if (toFitting === undefined) return 'unknown';
      const type = concrete(key, this.#formats[0].mediaType);
      const fitting = this.#fitting(content, type, problem, toFitting);
      const best = [fitting, ofFormat?.written].find((each) => each?.hasMessage);
      if (best !== undefined) return best;
      first ??= fitting ?? ofFormat?.written;
    }
    return first;
  }

  #inFormat(
    key: string,
    content: WritableContent,
    problem: Problem,
    operationId: string | undefined,
  ) {
    const { status } = problem;
    let best: { written: WrittenError; isComplete: boolean } | undefined;
    for (const format of this.#formats) {
      const type = concrete(key, format.mediaType);
      const body = this.#tryWrite(content, format, problem, { operationId, mediaType: type });
      if (body === undefined || isEmpty(body, type)) continue;
      const hasMessage = format.isOwn || includesMessage(body, type, problem);
      const written = writtenError(problem, type, body, hasMessage);
      const isComplete =
        hasMessage && (format.isOwn || hasStatus(parsed(body, type), content.shape, status));
      if (isComplete) return { written, isComplete };
      if (best === undefined || (hasMessage && !best.written.hasMessage)) {
        best = { written, isComplete };
      }
    }
    return best;
  }

  /** The `detail` of a problem may be a property that is not declared. */
  #fitting(
    content: WritableContent,
    type: string,
    problem: Problem,
    toFitting: ToFittingBody,
  ): WrittenError | undefined {
    const fitting = toFitting(content, /html/i.test(type) ? withoutInput(problem) : problem);
    if (fitting === undefined) return undefined;
    const { body, hasMessage } = fitting;
    if (isJsonMediaType(type)) {
      return writtenError(problem, type, stringifyJson(body), hasMessage);
    }
    const text = content.tryWrite(type, body);
    if (text === undefined) return undefined;
    return writtenError(problem, type, text, hasMessage && includesMessage(text, type, problem));
  }

  /** @returns the response to an error that the contract does not declare */
  undeclared(problem: Problem): HttpResponse {
    try {
      return undeclaredResponse(problem, this.#formats[0]);
    } catch (thrown) {
      this.#report(errorFrom(thrown));
      return undeclaredResponse(problem);
    }
  }

  /** @returns undefined for a body that is invalid or cannot be serialized */
  #tryWrite(
    content: WritableContent,
    { toBody, isOwn }: CompiledFormat,
    problem: Problem,
    target: ErrorTarget,
  ): string | undefined {
    try {
      for (const each of isOwn ? [problem] : withFewerMembers(problem)) {
        const body = content.tryWrite(target.mediaType, toBody(each, target));
        if (body !== undefined) return body;
      }
      return undefined;
    } catch (thrown) {
      this.#report(errorFrom(thrown));
      return undefined;
    }
  }
}

/** @returns the problem, then without the members that a schema may not allow */
function* withFewerMembers(problem: Problem): Generator<Problem> {
  yield problem;
  const { status, message, number, type, title, members, violations } = problem;
  if (violations.length > 0) yield new Problem(status, message, { number, type, title, members });
  if (Object.keys(members).length > 0) yield new Problem(status, message, { number, type, title });
}

function writtenError(
  { status, headers }: Problem,
  type: string,
  body: string,
  hasMessage: boolean,
): WrittenError {
  return { status, headers: { ...headers, 'Content-Type': type }, body, hasMessage };
}

/** True for text, which is the message or, in HTML, the title. */
function includesMessage(body: string, type: string, { message }: Problem): boolean {
  if (isJsonMediaType(type)) return body.includes(JSON.stringify(message));
  if (!isXmlMediaType(type)) return true;
  const text = body.replace(
    /&(lt|gt|quot|apos|amp);/g,
    (_, name: keyof typeof ENTITIES) => ENTITIES[name],
  );
  return text.includes(message);
}

const ENTITIES = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** A message contains input of the client, which an HTML page must not. */
function withoutInput({ status, number, title, type, headers }: Problem): Problem {
  return new Problem(status, title, { number, title, type, headers });
}

function parsed(body: string, type: string): unknown {
  return isJsonMediaType(type) ? JSON.parse(body) : undefined;
}

/** True for a body without any value: its properties are not declared. */
function isEmpty(body: string, type: string): boolean {
  if (isXmlMediaType(type)) return body.replace(/<[^>]*>/g, '').trim() === '';
  return isJsonMediaType(type)
    ? !/[^\s{}[\],:]/.test(body.replace(/"(?:[^"\\]|\\.)*":/g, ''))
    : body === '';
}

/** @returns the media type of the format if the key is a range that includes it */
function concrete(key: string, mediaType: string): string {
  if (!key.includes('*')) return key;
  const family = key.slice(0, key.indexOf('*'));
  if (key === '*/*' || mediaType.startsWith(family)) return mediaType;
  return family === 'text/' ? 'text/plain; charset=utf-8' : `${family}octet-stream`;
}

/** @returns the required headers that a problem does not have, in lower case */
export function missingHeaders(
  { headers }: Problem,
  { requiredHeaders }: CompiledResponse,
): string[] {
  if (requiredHeaders.length === 0) return NONE;
  const sent = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return requiredHeaders.filter((name) => !sent.has(name));
}

const NONE: string[] = [];
