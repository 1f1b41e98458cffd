// Serializes the requests of operations, for clients and examples.

import { contentMedia } from '../media/mediaKinds.ts';
import { writtenParameter } from '../media/writtenParameter.ts';
import type { Content, Parameter } from '../operations/describedValues.ts';
import { parseMediaType, typeInRange } from '../operations/mediaType.ts';
import type { Operation } from '../operations/operation.ts';
import type { Validators } from '../schema/validator.ts';

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** The path, the query and the headers of a request. */
export class RequestHead {
  /** With names as they are added. */
  readonly headers: Record<string, string> = {};
  readonly #query: string[] = [];
  #path: string;

  constructor(pathTemplate: string) {
    this.#path = pathTemplate;
  }

  /** Path and query. */
  get target(): string {
    return this.#path + (this.#query.length > 0 ? `?${this.#query.join('&')}` : '');
  }

  /**
   * @param texts as {@link writtenParameter} returns them
   * @throws {TypeError} for a path segment `.` or `..`, which a URL parser removes
   */
  add(where: string, name: string, texts: readonly string[]): void {
    if (where === 'path') this.#fill(name, texts.join());
    else if (where.startsWith('query')) this.#query.push(...texts);
    else if (where === 'header') this.headers[name] = texts.join();
    else this.headers['Cookie'] = [this.headers['Cookie'] ?? [], ...texts].flat().join('; ');
  }

  #fill(name: string, text: string): void {
    this.#path = this.#path.replace(`{${name}}`, () => text);
    if (DOT_SEGMENT.test(this.#path)) {
      throw new TypeError(`path parameter ${name}: expected a value other than . and ..`);
    }
  }
}

interface WrittenContent {
  /** With the parameters that the body needs. */
  readonly type: string;
  readonly body: string | FormData;
}

/** Serializes the parameters and bodies of one contract. */
export class RequestWriter {
  readonly #validators: Validators;

  /** @param validators for requests */
  constructor(validators: Validators) {
    this.#validators = validators;
  }

  /** @returns the same as {@link writtenParameter} */
  parameter(parameter: Parameter, value: unknown): string[] {
    const { name, in: where } = parameter;
    return writtenParameter(parameter, { name, where }, value, this.#validators);
  }

  /**
   * @param mediaType by default JSON, else the first that the operation declares
   * @returns undefined if the operation declares no such media type
   */
  body({ request }: Operation, value: unknown, mediaType?: string): WrittenContent | undefined {
    const found = parseMediaType(mediaType) ? request.select(mediaType) : request.preferred;
    return found && this.content(found.content, concreteType(mediaType ?? found.key, value), value);
  }

  /** @param type of the body, with parameters */
  content(content: Content, type: string, value: unknown): WrittenContent {
    const { kind, media, codec } = contentMedia(content, type, this.#validators);
    if (codec === undefined || !Array.isArray(value)) {
      return { type, body: kind.encode(value, media) };
    }
    return { type, body: value.map((item) => codec.write(item, false)).join('') };
  }
}

/** @returns a media type in a range, of a sample: as {@link typeInRange}, else one that the range includes */
export function concreteType(key: string, sample: unknown): string {
  const type = typeInRange(key, sample);
  return type ?? key.replace('/*', '/octet-stream');
}
