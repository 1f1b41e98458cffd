// The request body of one operation: selects the media type, reads the body and validates it.

import { Readable } from 'node:stream';
import {
  type Content,
  type Contents,
  chain,
  InvalidReply,
  isUtf8,
  type MaybePromise,
  missingBody,
  type Operation,
  unsupportedContentEncoding,
  unsupportedMediaType,
} from '@stubwright/contract';
import {
  type Coercion,
  type Coercions,
  checkedItems,
  isBodyExpected,
  type MediaContent,
  type MediaKind,
  mappedItems,
  mediaContentOf,
  mediaKindOf,
  type ReadBody,
  type Reader,
  type Validate,
  type Validators,
  type Violation,
  violationsOf,
} from '@stubwright/contract/values';
import { type Exchange, NO_BODY, type ParsedBody } from '../exchange.ts';
import { type PatchedResource, rememberingCoercion } from '../patchedResource.ts';
import { receivedItems } from './items.ts';

export class RequestBodyReader {
  readonly #isDeclared: boolean;
  readonly #isRequired: boolean;
  readonly #contents: Contents<ReadableContent>;
  /** The selection of the latest request: most requests of an operation have the same media type. */
  #latest: SelectedBody | undefined;

  constructor({ requestBody, request }: Operation, validators: Validators, coercions: Coercions) {
    this.#isDeclared = requestBody !== undefined;
    this.#isRequired = requestBody?.isRequired === true;
    this.#contents = request.map(
      (each, key) => new ReadableContent(each, key, { validators, coercions }),
    );
  }

  /**
   * @returns the media type of the request; undefined for a request without a body
   * @throws {Problem} 41500 or 41501
   */
  select({ headers }: Exchange): SelectedBody | undefined {
    const isPresent = isBodyExpected(headers);
    if (!isPresent && !(this.#isDeclared && headers['content-type'] !== undefined))
      return undefined;
    const selection = this.#select(headers['content-type']);
    if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
      throw unsupportedContentEncoding();
    }
    const isEmpty = headers['content-length'] !== undefined;
    return isPresent || (isEmpty && selection.readsEmpty) ? selection : undefined;
  }

  /**
   * Reads and parses the body into the exchange.
   *
   * @returns undefined if there is nothing to wait for
   * @throws {Problem} 40001, 40002, 40004, 41300 or 50300
   */
  receive(exchange: Exchange, selection: SelectedBody | undefined): MaybePromise<void> {
    if (selection === undefined) {
      exchange.parsedBody = this.#nothing();
      return;
    }
    const { type, content, read } = selection;
    return chain(read(exchange), (body) => {
      exchange.release = body?.release;
      exchange.parsedBody = body === undefined ? this.#nothing() : content.parsedBody(type, body);
    });
  }

  /**
   * For a body that was not sent, such as one that was converted from another contract.
   *
   * @param value as for a handler; undefined for none
   * @throws {Problem} 40002 or 41500
   */
  accept(mediaType: string | undefined, value: unknown): ParsedBody {
    if (value === undefined) return this.#nothing();
    const selected = this.#contents.select(mediaType);
    if (selected === undefined) throw unsupportedMediaType(this.#contents.keys.join(', '));
    return selected.content.accepted(selected.sent.type, value);
  }

  #select(contentType: string | undefined): SelectedBody {
    if (contentType !== undefined && contentType === this.#latest?.contentType) return this.#latest;
    const selected = this.#contents.select(contentType);
    if (selected === undefined || !isUtf8(selected.sent)) {
      throw unsupportedMediaType(this.#contents.keys.join(', '));
    }
    const { content, sent } = selected;
    const { type } = sent;
    const kind = content.kind(type);
    const readsEmpty = kind.readsEmpty(this.#isRequired);
    this.#latest = { contentType, type, content, readsEmpty, read: content.reader(kind, type) };
    return this.#latest;
  }

  #nothing(): ParsedBody {
    if (this.#isRequired) throw missingBody();
    return NO_BODY;
  }
}

/** The selected entry of `content`. */
export interface SelectedBody {
  /** The header. */
  readonly contentType: string | undefined;
  /** In lower case, without parameters. */
  readonly type: string;
  readonly content: ReadableContent;
  readonly read: Reader;
  /** True if an empty body is a value. */
  readonly readsEmpty: boolean;
}

/** One entry of `content`, compiled. */
class ReadableContent {
  readonly #media: MediaContent;
  readonly #validate: Validate | undefined;
  readonly #coercion: Coercion | undefined;
  /** Several for a media type range. */
  readonly #readers = new Map<MediaKind, Reader>();

  constructor(
    content: Content,
    key: string,
    { validators, coercions }: Pick<PatchedResource, 'validators' | 'coercions'>,
  ) {
    this.#media = mediaContentOf(content, validators);
    const { schema } = this.#media;
    this.#validate = schema && validators.at(schema.pointer);
    const coercion = schema && coercions.at(schema.pointer);
    this.#coercion = rememberingCoercion(content, key, coercion, { validators, coercions });
  }

  kind(type: string): MediaKind {
    return mediaKindOf(type, this.#media);
  }

  reader(kind: MediaKind, type: string): Reader {
    const codec = kind.itemCodec?.(type, this.#media);
    if (codec !== undefined) {
      const isSequence = true;
      return ({ body, headers }) => {
        const read = codec.reader(headers['content-type']);
        return { value: receivedItems(body, codec, read), isStream: true, isSequence };
      };
    }
    const known = this.#readers.get(kind);
    if (known !== undefined) return known;
    const reader = kind.reader(this.#media);
    this.#readers.set(kind, reader);
    return reader;
  }

  /** @param value as for a handler: a sequence is an iterable of items, whose errors are those of the caller */
  accepted(mediaType: string, value: unknown): ParsedBody {
    const codec = this.kind(mediaType).itemCodec?.(mediaType, this.#media);
    if (codec !== undefined) {
      const fail = (violation: string) => new InvalidReply(`the converted request: ${violation}`);
      const items = checkedItems(value as AsyncIterable<unknown>, codec, fail);
      const coerced = mappedItems(items, (each) => codec.coerced(each));
      return this.parsedBody(mediaType, { value: coerced, isStream: true, isSequence: true });
    }
    const isStream = value instanceof Readable || value instanceof ReadableStream;
    return this.parsedBody(mediaType, { value, isStream });
  }

  parsedBody(mediaType: string, { value, error, isStream, isSequence }: ReadBody): ParsedBody {
    if (error !== undefined) {
      const at = { where: '', pointer: '', keyword: 'type' };
      const violations = [{ ...at, message: error, value: undefined }];
      return { mediaType, violations: () => violations, coerced: () => undefined };
    }
    if (isStream) return { ...NO_BODY, mediaType, isStream, isSequence, coerced: () => value };
    return new ParsedValue(mediaType, value, this.#validate, this.#coercion);
  }
}

/** A class: closures would be allocated for each request. */
class ParsedValue implements ParsedBody {
  readonly mediaType: string;
  readonly value: unknown;
  readonly #validate: Validate | undefined;
  readonly #coercion: Coercion | undefined;

  constructor(
    mediaType: string,
    value: unknown,
    validate: Validate | undefined,
    coercion: Coercion | undefined,
  ) {
    this.mediaType = mediaType;
    this.value = value;
    this.#validate = validate;
    this.#coercion = coercion;
  }

  violations(): Violation[] {
    const validate = this.#validate;
    if (validate === undefined || validate(this.value)) return [];
    return violationsOf(validate.errorsOf(this.value), '');
  }

  coerced(): unknown {
    return this.#coercion ? this.#coercion(this.value) : this.value;
  }
}
