// The requests that a contract declares in `webhooks` and `callbacks`: validated, and serialized exactly.

import { Readable } from 'node:stream';
import {
  type Content,
  type ContentEntry,
  type Contract,
  InvalidReply,
  type OutgoingOperation,
  parseMediaType,
  typeInRange,
} from '@stubwright/contract';
import {
  describeErrors,
  type MediaContent,
  type MediaKind,
  mediaContentOf,
  mediaKindOf,
  NotSerializable,
  plainData,
  type Validate,
  Validators,
  type Writer,
} from '@stubwright/contract/values';

/** A request that a service sends. */
export interface WrittenMessage {
  readonly method: string;
  /** Undefined without a body. */
  readonly type: string | undefined;
  readonly body: string;
}

/** The requests of one operation of a webhook or a callback. */
export interface OutgoingMessages {
  /** In upper case. */
  readonly method: string;
  /** The key of a callback, a runtime expression; undefined for a webhook. */
  readonly expression: string | undefined;
  /** @throws {InvalidReply} for a body that violates the contract */
  write(body: unknown): WrittenMessage;
}

/** The webhooks of a contract by name, and its callbacks by `operationId name`. */
export function outgoingMessages(definition: Contract): Map<string, OutgoingMessages> {
  // A request body of a webhook is sent by the service: `writeOnly` properties are not.
  const validators = new Validators(definition, 'response');
  return new Map(
    Array.from(definition.outgoing, ([name, operation]) => [
      name,
      messagesOf(name, operation, validators),
    ]),
  );
}

function messagesOf(
  name: string,
  { method: key, expression, requestBody, request }: OutgoingOperation,
  validators: Validators,
): OutgoingMessages {
  const declared = request.preferred;
  const method = key.toUpperCase();
  let written: BodyWriter | undefined;
  const writerFor = (body: unknown): BodyWriter | undefined => {
    if (body === undefined && requestBody?.isRequired !== true) return undefined;
    if (declared === undefined) throw new TypeError(`${name}: the contract declares no body`);
    written ??= new BodyWriter(name, declared, validators);
    return written;
  };
  return {
    method,
    expression,
    write(body) {
      const content = writerFor(body)?.write(body) ?? { type: undefined, body: '' };
      return { method, ...content };
    },
  };
}

/** Validates and serializes the bodies of one message. */
class BodyWriter {
  readonly #name: string;
  readonly #key: string;
  readonly #media: MediaContent;
  readonly #validate: Validate | undefined;
  /** Several for a media type range. */
  readonly #writers = new Map<MediaKind, Writer>();

  /** @param declared an entry of `content` */
  constructor(name: string, { key, content }: ContentEntry<Content>, validators: Validators) {
    this.#name = name;
    this.#key = key;
    this.#media = mediaContentOf(content, validators);
    this.#validate = content.schema && validators.at(content.schema.pointer);
  }

  write(given: unknown): { readonly type: string; readonly body: string } {
    const body = isBytes(given) ? given : this.#plain(given);
    const type = typeInRange(this.#key, body);
    if (type === undefined) throw this.#invalid(`expected a body of ${this.#key}`);
    const kind = mediaKindOf(parseMediaType(type)?.type ?? '', this.#media);
    if (kind.acceptsBytes && isBytes(body)) throw this.#notText();
    if (this.#validate?.(body) === false) {
      throw this.#invalid(describeErrors(this.#validate.errorsOf(body), ''));
    }
    const isStreamed = kind.streamer !== undefined || kind.itemCodec !== undefined;
    if (isStreamed && typeof body === 'object' && body !== null) throw this.#notText();
    return { type, body: this.#serialize(body, kind) };
  }

  #plain(body: unknown): unknown {
    try {
      return plainData(body);
    } catch (error) {
      throw error instanceof NotSerializable ? this.#invalid(error.message) : error;
    }
  }

  #serialize(body: unknown, kind: MediaKind): string {
    // JSON has no text for undefined.
    if (body === undefined) throw this.#notText();
    try {
      return this.#writerOf(kind)(body);
    } catch (error) {
      throw error instanceof NotSerializable ? this.#invalid(error.message) : error;
    }
  }

  #writerOf(kind: MediaKind): Writer {
    const writer = this.#writers.get(kind) ?? kind.serializer(this.#media);
    this.#writers.set(kind, writer);
    return writer;
  }

  /** An outbox stores text. */
  #notText(): TypeError {
    return new TypeError(`${this.#name}: expected a text body, such as JSON`);
  }

  #invalid(violation: string): InvalidReply {
    return new InvalidReply(`${this.#name}: ${violation}`);
  }
}

function isBytes(body: unknown): boolean {
  return (
    ArrayBuffer.isView(body) ||
    body instanceof Blob ||
    body instanceof Readable ||
    body instanceof ReadableStream
  );
}
