// Creates valid requests of operations from examples and schemas, for curl commands and tests.

import {
  contentsOf,
  type Definition,
  exampleValue,
  isReservedHeader,
  type LocatedNode,
  type Operation,
  parseMediaType,
} from '@stubwright/contract';
import {
  mediaContentOf,
  mediaKindOf,
  type Validators,
  withName,
} from '@stubwright/contract/values';
import { credentialsFor } from '../request/writeCredentials.ts';
import { RequestHead, RequestWriter } from '../request/writeRequest.ts';
import { exampleItems, sampleItems } from './itemSamples.ts';
import type { Samples } from './sample.ts';

/** A valid request for an operation. */
export interface ExampleRequest {
  /** In upper case. */
  readonly method: string;
  /** Path and query, without the base path. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
}

/** The number of generated items in a sequence. */
const ITEMS = 2;

/** Invalid as a number, a boolean, most enums and formats. */
export const WRONG_TEXT = '~';

/** Creates requests for the operations of one contract. */
export class ExampleRequests {
  readonly #definition: Definition;
  readonly #validators: Validators;
  readonly #writer: RequestWriter;
  readonly #samples: Samples;

  /** @param validators for requests @param samples for requests */
  constructor(definition: Definition, validators: Validators, samples: Samples) {
    this.#definition = definition;
    this.#validators = validators;
    this.#writer = new RequestWriter(definition, validators);
    this.#samples = samples;
  }

  /**
   * @param token the credentials for all security schemes
   * @param wrong a parameter that is sent as WRONG_TEXT
   * @throws {NoSample} if no valid value is found for a required part
   */
  of(operation: Operation, token: string, wrong?: LocatedNode): ExampleRequest {
    const head = new RequestHead(operation.path);
    for (const parameter of operation.parameters) {
      const { name, in: where, required } = parameter.node;
      const isWrong = parameter === wrong;
      const isSent = where === 'path' || (required === true && !isReservedHeader(parameter.node));
      if (!isSent && !isWrong) continue;
      const texts = isWrong ? withName(where, name, WRONG_TEXT) : this.#serialize(parameter);
      head.add(where, name, texts);
    }
    for (const each of credentialsFor(operation, this.#definition, token)) {
      head.add(each.in, each.name, each.texts);
    }
    const body = this.#body(operation, head.headers);
    const { target, headers } = head;
    return { method: operation.method.toUpperCase(), target, headers, body };
  }

  #serialize(location: LocatedNode): string[] {
    const [media] = contentsOf(this.#definition, location).values();
    return this.#writer.parameter(location, this.#value(media ?? location));
  }

  /** @returns a valid example, else a sample of the schema */
  #value(holder: LocatedNode): unknown {
    const candidates = this.#examples(holder);
    if (holder.node.schema === undefined) return candidates[0] ?? 'x';
    const pointer = `${holder.pointer}/schema`;
    const isValid = this.#validators.at(pointer);
    return candidates.find((each) => isValid(each)) ?? this.#samples.at(pointer, 'example');
  }

  #examples(holder: LocatedNode, type?: string): unknown[] {
    const examples = [...this.#definition.children(holder, 'examples').values()];
    const written = examples.map((each) => exampleValue(each, type)?.node);
    return [holder.node.example, ...written].filter((each) => each !== undefined);
  }

  /**
   * @param content a Media Type Object, also of a response if the validators are for responses
   * @returns its first valid example, or the valid items of it, else a sample
   * @throws {NoSample}
   */
  valueOf(content: LocatedNode, type: string): unknown {
    return this.#items(content, type) ?? this.#value(content);
  }

  /** @returns the items of a sequence; undefined for another media type */
  #items(holder: LocatedNode, type: string): readonly unknown[] | undefined {
    const media = mediaContentOf(holder, this.#validators);
    const essence = parseMediaType(type)?.type ?? '';
    const codec = mediaKindOf(essence, media).itemCodec?.(essence, media);
    if (codec === undefined) return undefined;
    return (
      exampleItems(codec, this.#examples(holder)) ??
      sampleItems(media.item!, codec, ITEMS, (pointer, at) =>
        this.#samples.at(pointer, `example ${at}`),
      )
    );
  }

  #body(operation: Operation, headers: Record<string, string>): ExampleRequest['body'] {
    const { requestBody, method } = operation;
    // RFC 9110, section 9.3.1: a body of GET and HEAD has no semantics, and clients reject it.
    const isSent = !['get', 'head'].includes(method) || requestBody?.node.required === true;
    if (!isSent || requestBody === undefined) return undefined;
    const { key, content } = contentsOf(this.#definition, requestBody).preferred ?? {};
    if (key === undefined || content === undefined) return undefined;
    const written = this.#writer.body(operation, this.valueOf(content, key))!;
    // fetch adds the Content-Type of a FormData, with the boundary.
    if (typeof written.body === 'string') headers['Content-Type'] = written.type;
    return written.body;
  }
}
