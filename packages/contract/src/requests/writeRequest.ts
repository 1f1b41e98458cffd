// Serializes the requests of operations, for clients and examples.

import type { Definition, LocatedNode, Node, Operation } from '../document/definition.ts';
import { stringifyJson } from '../json/json.ts';
import { contentsOf } from '../media/contents.ts';
import { mediaContentOf, mediaKindOf } from '../media/mediaKinds.ts';
import { isJsonMediaType, parseMediaType } from '../media/mediaType.ts';
import { serializationOf, withName, writeParameter } from '../media/styles/serialization.ts';
import { formTextOf } from '../media/writeForm.ts';
import type { Validators } from '../schema/validator.ts';

const FORM = 'application/x-www-form-urlencoded';
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
   * @param texts as {@link writeParameter} returns them
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
  readonly #definition: Definition;
  readonly #validators: Validators;

  /** @param validators for requests */
  constructor(definition: Definition, validators: Validators) {
    this.#definition = definition;
    this.#validators = validators;
  }

  /** @param location a Parameter Object @returns the same as {@link writeParameter} */
  parameter(location: LocatedNode, value: unknown): string[] {
    const { name, in: where } = location.node;
    const [media] = contentsOf(this.#definition, location);
    if (media === undefined) {
      const { allowReserved } = location.node;
      const serialization = { ...serializationOf(location.node), allowReserved };
      return writeParameter(where, name, serialization, value);
    }
    const [type, holder] = media;
    if (where === 'querystring' && type === FORM) {
      return [formTextOf(value, mediaContentOf(holder, this.#validators))];
    }
    const text = isJsonMediaType(type) ? stringifyJson(value) : String(value);
    return withName(where, name, where === 'header' ? text : encodeURIComponent(text));
  }

  /**
   * @param mediaType by default JSON, else the first that the operation declares
   * @returns undefined if the operation declares no such media type
   */
  body({ requestBody }: Operation, value: unknown, mediaType?: string): WrittenContent | undefined {
    const contents = contentsOf(this.#definition, requestBody);
    const found = parseMediaType(mediaType) ? contents.select(mediaType) : contents.preferred;
    return found && this.content(found.content, mediaType ?? concreteType(found.key), value);
  }

  /** @param location a Media Type Object @param type of the body, with parameters */
  content(location: LocatedNode, type: string, value: unknown): WrittenContent {
    const media = mediaContentOf(location, this.#validators);
    const essence = parseMediaType(type)?.type ?? '';
    const kind = mediaKindOf(essence, media);
    const codec = kind.itemCodec?.(essence, media);
    if (codec === undefined || !Array.isArray(value)) {
      return { type, body: kind.encode(value, media) };
    }
    const writer = codec.writer();
    const items = value.map((item) => writer.write(item, false));
    const body = items.join('') + (writer.end ?? '');
    return { type: writer.contentType?.(type) ?? type, body };
  }
}

/** @returns a media type in a media type range */
export function concreteType(key: string): string {
  return key.replace('*/*', 'application/octet-stream').replace('/*', '/plain');
}

/** @returns the parameter of a location and name; names of headers ignore case */
export function parameterNamed(
  { parameters }: Operation,
  where: string,
  name: string,
): LocatedNode | undefined {
  const isNamed = (node: Node) =>
    where === 'header' ? node.name.toLowerCase() === name.toLowerCase() : node.name === name;
  const isIn = (node: Node) =>
    node.in === where || (node.in === 'querystring' && where === 'query');
  return parameters.find(({ node }) => isIn(node) && isNamed(node));
}
