// The request body of one operation: selects the media type, reads the body and validates it.

import { Readable } from 'node:stream';
import {
  type Content,
  type Contents,
  type Contract,
  chain,
  contractViolation,
  escapeToken,
  InvalidReply,
  isUtf8,
  type MaybePromise,
  MORE,
  missingBody,
  type Operation,
  onceFor,
  Problem,
  type ProblemViolation,
  parseMediaType,
  type Schema,
  unsupportedContentEncoding,
  unsupportedMediaType,
} from '@stubwright/contract';
import {
  type BodySource,
  type Coercion,
  Coercions,
  checkedItems,
  describeViolations,
  type ItemCodec,
  isBodyExpected,
  joinMessages,
  type MediaContent,
  type MediaKind,
  mappedItems,
  mediaContentOf,
  mediaKindOf,
  Parameters,
  type ReadBody,
  type Reader,
  type Validate,
  type Validators,
  type Violation,
  violationsOf,
} from '@stubwright/contract/values';
import { type Exchange, NO_BODY, type ParsedBody } from '../exchange.ts';

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
      (content, key) => new ReadableContent(content, key, { validators, coercions }),
    );
  }

  /**
   * @returns the media type of the request; undefined for a request without a body
   * @throws {Problem} 41500 or 41501
   */
  select({ headers }: Exchange): SelectedBody | undefined {
    const isPresent = isBodyExpected(headers);
    const type = headers['content-type'];
    if (!isPresent && !(this.#isDeclared && type !== undefined)) return undefined;
    const isLatest = type !== undefined && type === this.#latest?.contentType;
    const selection = isLatest ? this.#latest! : this.#select(type);
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
      return ({ body }) => ({ value: receivedItems(body, codec), isStream: true, isSequence });
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
      const coerced = mappedItems(items, (value) => codec.coerced(value));
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

type PatchKind = 'merge' | 'operations';

/** What a patch is about. */
export interface PatchedResource {
  readonly kind: PatchKind;
  readonly schema: Schema;
  /** For requests. */
  readonly validators: Validators;
  /** For requests. */
  readonly coercions: Coercions;
}

const KINDS: ReadonlyMap<string | undefined, PatchKind> = new Map([
  ['application/merge-patch+json', 'merge'],
  ['application/json-patch+json', 'operations'],
]);

const resources = new WeakMap<object, PatchedResource>();

/** @returns undefined for a value that is no body of a content with `x-patch-of` */
export function patchedResource(patch: object): PatchedResource | undefined {
  return resources.get(patch);
}

/**
 * @param key of the content
 * @param coercion of the content, if it has one
 * @returns the coercion, which also remembers the resource of a patch; `coercion` for other contents
 */
function rememberingCoercion(
  { patchOf: schema }: Content,
  key: string,
  coercion: Coercion | undefined,
  own: Pick<PatchedResource, 'validators' | 'coercions'>,
): Coercion | undefined {
  const kind = schema && KINDS.get(parseMediaType(key)?.type);
  if (kind === undefined || schema === undefined) return coercion;
  const resource = { ...own, kind, schema };
  return (value) => {
    const coerced = coercion === undefined ? value : coercion(value);
    if (typeof coerced === 'object' && coerced !== null) resources.set(coerced, resource);
    return coerced;
  };
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

/**
 * @param read the reader of this message
 * @yields each item for the handler, an int64 as a bigint
 * @throws {Problem} 40000 or 40001 for the first item that is invalid, 41300 for a body that is too large
 */
async function* receivedItems(
  body: BodySource,
  codec: ItemCodec,
): AsyncGenerator<unknown, void, undefined> {
  const items = codec.read(body.stream());
  try {
    for (let at = 0; ; at++) {
      const { done, value } = await items.next().catch((error: unknown) => {
        throw located(error, at);
      });
      if (done) return;
      const errors = codec.errorsOf(value);
      if (errors.length > 0) {
        const inBody = errors.map((error) => ({ ...error, pointer: `/${at}${error.pointer}` }));
        throw violationProblem(violationsOf(inBody, ''));
      }
      yield codec.coerced(value);
    }
  } finally {
    await items.return();
  }
}

/** @returns the error of an item that is malformed, with its number */
function located(error: unknown, at: number): unknown {
  if (!(error instanceof Problem) || error.status !== 400) return error;
  const { status, number, cause } = error;
  return new Problem(status, `item ${at}: ${error.message}`, { number, cause });
}

/**
 * Reads a body that is a sequence, where no handler does.
 *
 * @throws {Problem} as receivedItems
 */
export async function readItems({ isSequence, coerced }: ParsedBody): Promise<void> {
  if (!isSequence) return;
  for await (const _ of coerced() as AsyncIterable<unknown>);
}

/** The readers of one operation. */
export interface RequestReader {
  readonly body: RequestBodyReader;
  readonly parameters: Parameters;
}

/** @param validators for requests @returns the readers of each operation, which are compiled at the first call */
export function requestReaders(
  definition: Contract,
  validators: Validators,
): (operation: Operation) => RequestReader {
  const coercions = new Coercions(validators);
  return onceFor((operation) => ({
    body: new RequestBodyReader(operation, validators, coercions),
    parameters: new Parameters(definition, operation.parameters, validators, coercions),
  }));
}

/** @returns 400 with each violation */
export function violationProblem(violations: readonly Violation[]): Problem {
  return contractViolation(violationsText(violations), problemViolations(violations));
}

/** @returns the violations in one line */
export function violationsText(violations: readonly Violation[]): string {
  return joinMessages(new Set(describeViolations(violations)));
}

export function problemViolations(violations: readonly Violation[]): ProblemViolation[] {
  const described = violations.filter((violation) => violation.message !== MORE.message);
  return described.map(problemViolation);
}

function problemViolation({
  parameter,
  pointer,
  keyword = 'contract',
  message,
}: Violation): ProblemViolation {
  const start = parameter === undefined ? '' : `/${escapeToken(parameter.name)}`;
  const expected = EXPECTED[keyword] ?? message.replace(/^expected /, '');
  return { in: parameter?.in ?? 'body', pointer: start + pointer, rule: keyword, expected };
}

/** For messages that do not name the expectation. */
const EXPECTED: Readonly<Record<string, string>> = {
  required: 'a value',
  additionalProperties: 'no such name',
  unevaluatedProperties: 'no such name',
  propertyNames: 'an allowed name',
  unevaluatedItems: 'no such item',
  false: 'no value',
};
