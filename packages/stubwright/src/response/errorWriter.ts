// Converts a problem to a body that a declared response allows: a format, else a body made for the schema.

import {
  isJsonMediaType,
  isObject,
  once,
  Problem,
  STATUS_NAME,
  stringifyJson,
} from '@stubwright/contract';
import type { Shape, Validators } from '@stubwright/contract/values';
import type { CompiledResponse, WritableContent } from './compiledResponse.ts';
import {
  type CompiledFormat,
  type ErrorFormat,
  formatsOf,
  undeclaredResponse,
} from './errorFormat.ts';
import type { ErrorTemplates } from './errorTemplates.ts';
import type { HttpResponse } from './reply.ts';

/** The members of an error that a schema need not declare (RFC 9457, section 3), if it allows them. */
export const ERROR_MEMBERS: ReadonlySet<string> = new Set(['/detail', '/errors']);

/** A body in one media type. */
interface ErrorBody {
  readonly type: string;
  readonly text: string;
  /** False if the response has no room for the message. */
  readonly hasMessage: boolean;
}

/** The error bodies of one contract. */
export class ErrorWriter {
  readonly #formats: readonly CompiledFormat[];
  /** Loaded on demand: samples are a tenth of the code. */
  readonly #templates: () => Promise<ErrorTemplates>;

  /**
   * @param validators for responses
   * @param format of the application; by default problem details
   * @param report called with the error of a formatter, which does not change the response
   */
  constructor(
    validators: Validators,
    format: ErrorFormat | undefined,
    report?: (error: Error) => void,
  ) {
    this.#formats = formatsOf(format, report);
    this.#templates = once(async () => {
      const { Samples } = await import('@stubwright/mock/samples');
      const { ErrorTemplates } = await import('./errorTemplates.ts');
      return new ErrorTemplates(new Samples(validators));
    });
  }

  /**
   * Uses the first media type with a valid body that has the message, else the first with a valid body: that of
   * the format, then JSON. Without content there is no body.
   *
   * @param operationId undefined for a request that matches no operation
   * @returns undefined if there is no valid body
   */
  async write(
    problem: Problem,
    { contents }: CompiledResponse,
    operationId: string | undefined,
  ): Promise<(HttpResponse & Pick<ErrorBody, 'hasMessage'>) | undefined> {
    const { status, headers } = problem;
    if (contents.size === 0) return { status, headers, body: undefined, hasMessage: false };
    const { mediaType } = this.#formats[0]!;
    const rank = (key: string) => (key === mediaType ? 0 : isJsonMediaType(key) ? 1 : 2);
    let sent: ErrorBody | undefined;
    for (const key of contents.keys.toSorted((a, b) => rank(a) - rank(b))) {
      const body = await this.#bodyOf(problem, contents.get(key)!, operationId);
      if (sent === undefined || body?.hasMessage) sent = body;
      if (sent?.hasMessage) break;
    }
    if (sent === undefined) return undefined;
    const { type, text, hasMessage } = sent;
    return { status, headers: { ...headers, 'Content-Type': type }, body: text, hasMessage };
  }

  /** @returns the response to an error that the contract does not declare */
  undeclared(problem: Problem): HttpResponse {
    return undeclaredResponse(problem, this.#formats[0]);
  }

  /**
   * @returns the body of the first format with the message, and with the status where the schema declares it;
   *   else the one made for the schema, or that of a format, whichever has the message
   */
  async #bodyOf(
    problem: Problem,
    content: WritableContent,
    operationId: string | undefined,
  ): Promise<ErrorBody | undefined> {
    const usable: ErrorBody[] = [];
    for (const { mediaType, bodies, isOwn } of this.#formats) {
      const type = concrete(content.key, mediaType);
      let written: ReturnType<WritableContent['tryWrite']>;
      for (const body of bodies(problem, { operationId, mediaType: type })) {
        written ??= content.tryWrite(type, body);
      }
      if (written === undefined || leavesOf(written.declared).length === 0) continue;
      const { text, declared } = written;
      const hasMessage = isOwn || includes(declared, problem);
      const body = { type, text, hasMessage };
      if (isOwn || (hasMessage && hasStatus(declared, content.shape, problem.status))) return body;
      usable.push(body);
    }
    const made = await this.#made(problem, content);
    const bodies = made === undefined ? usable : [made, ...usable];
    return bodies.find(({ hasMessage }) => hasMessage) ?? bodies[0];
  }

  /** The `detail` of a problem may be a property that is not declared. */
  async #made(problem: Problem, content: WritableContent): Promise<ErrorBody | undefined> {
    const type = concrete(content.key, this.#formats[0]!.mediaType);
    const { status, number, title, headers } = problem;
    // A message contains input of the client, which an HTML page must not.
    const shown = /html/i.test(type)
      ? new Problem(status, title, { number, title, type: problem.type, headers })
      : problem;
    const made = (await this.#templates()).filled(shown, content);
    if (made === undefined) return undefined;
    const { body, hasMessage } = made;
    if (isJsonMediaType(type)) return { type, text: stringifyJson(body), hasMessage };
    const written = content.tryWrite(type, body);
    if (written === undefined) return undefined;
    const { text, declared } = written;
    return { type, text, hasMessage: hasMessage && includes(declared, shown) };
  }
}

/** True for text, which is the message or, in HTML, the title. */
function includes(body: unknown, { message }: Problem): boolean {
  return typeof body === 'string' || leavesOf(body).includes(message);
}

/** @returns the values that are neither objects nor arrays */
function leavesOf(body: unknown): unknown[] {
  if (typeof body === 'object' && body !== null) return Object.values(body).flatMap(leavesOf);
  return body === undefined || body === '' ? [] : [body];
}

/** @returns false if a property of the schema is for the status, and the body does not have it there */
function hasStatus(body: unknown, { names }: Shape, status: number): boolean {
  const declared = [...names].filter((name) => STATUS_NAME.test(name));
  if (declared.length === 0 || !isObject(body)) return true;
  return declared.some((name) => String(body[name]) === String(status));
}

/** @returns the media type of the format if the key is a range that includes it */
function concrete(key: string, mediaType: string): string {
  if (!key.includes('*')) return key;
  const family = key.slice(0, key.indexOf('*'));
  if (key === '*/*' || mediaType.startsWith(family)) return mediaType;
  return family === 'text/' ? 'text/plain; charset=utf-8' : `${family}octet-stream`;
}
