// Reads responses, and reports how they violate the contract.

import { Readable } from 'node:stream';
import {
  type Content,
  type Contents,
  type Contract,
  type DeclaredResponse,
  isObject,
  MAX_ERRORS,
  MORE,
  type Operation,
  onceFor,
  Problem,
  type Schema,
  type SchemaError,
} from '@stubwright/contract';
import {
  Coercions,
  DeclaredHeaders,
  declaredOnly,
  type ItemCodec,
  mediaContentOf,
  mediaKindOf,
  opaque,
  removedFrom,
  Validators,
  type Violation,
  violationsOf,
  wholeBody,
} from '@stubwright/contract/values';
import { headerTexts, WITHOUT_BODY } from './compiledResponse.ts';
import { ERROR_MEMBERS } from './errorWriter.ts';

/** A response with the values of the generated types. */
export interface CheckedResponse {
  /** The declared media type; for a range, the media type of the response. */
  readonly type: string | undefined;
  /** The declared headers. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Empty if the contract allows the response. */
  readonly violations: readonly Violation[];
  /** `getToy 200 application/json`, as the contract declares it; undefined if it does not. */
  readonly declaredAs: string | undefined;
}

/** Properties that are not declared, and `writeOnly` ones: reported, or allowed as in JSON Schema. */
export type UndeclaredProperties = 'report' | 'allow';

interface CheckedBody {
  readonly key?: string;
  readonly type?: string;
  readonly body?: unknown;
  readonly violations: readonly Violation[];
}

/** A response as it arrived. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Without content encoding; undefined to validate the head only. */
  readonly bytes: Buffer | undefined;
}

export type ResponseHead = Omit<ReceivedResponse, 'bytes'>;

/** An item of a sequence. */
export interface CheckedItem {
  /** For the application if it is valid; undefined if it is malformed. */
  readonly value: unknown;
  readonly violations: readonly Violation[];
}

/** Compares received responses with those that a contract declares. */
export class ResponseCheck {
  readonly #definition: Contract;
  readonly #undeclared: UndeclaredProperties;
  readonly #validators: Validators;
  readonly #coercions: Coercions;
  readonly #headersOf = onceFor(
    ({ headers }: DeclaredResponse) =>
      new DeclaredHeaders(headers, this.#validators, this.#coercions),
  );

  constructor(definition: Contract, undeclared: UndeclaredProperties) {
    this.#definition = definition;
    this.#undeclared = undeclared;
    this.#validators = new Validators(definition, 'response');
    this.#coercions = new Coercions(this.#validators);
  }

  /** @returns the names of all declared responses, as in `declaredAs` */
  get declared(): string[] {
    return this.#definition.operations.flatMap(({ operationId, responses }) =>
      [...responses].flatMap(([status, response]) => {
        const types = response.contents.keys;
        return (types.length > 0 ? types : [undefined]).map((type) =>
          nameOf(operationId, status, type),
        );
      }),
    );
  }

  /** @returns false if the bytes of the body are not validated */
  readsBody(operation: Operation, head: ResponseHead): boolean {
    const found = this.#mediaOf(operation, head);
    return found === undefined ? this.#isWithoutContent(operation, head) : found.kind !== opaque;
  }

  /**
   * @returns a function that reads the items of a body while it arrives; undefined if it is not a sequence
   */
  sequence(
    operation: Operation,
    head: ResponseHead,
  ):
    | ((body: AsyncIterable<Uint8Array>) => AsyncGenerator<CheckedItem, void, undefined>)
    | undefined {
    const { kind, type, media } = this.#mediaOf(operation, head) ?? {};
    const codec = media && kind?.itemCodec?.(type!, media);
    return codec && ((bytes) => this.#items(codec, media!.item!, bytes));
  }

  #isWithoutContent({ responses }: Operation, { status }: ResponseHead): boolean {
    return responses.for(status)?.contents.size === 0;
  }

  /** @returns undefined for a response or a media type that is not declared */
  #mediaOf({ responses }: Operation, { status, headers }: ResponseHead) {
    const contentType = headers.get('content-type') ?? undefined;
    const selected = responses.for(status)?.contents.select(contentType);
    if (selected === undefined) return undefined;
    const { type } = selected.sent;
    const media = mediaContentOf(selected.content, this.#validators);
    return { type, media, kind: mediaKindOf(type, media) };
  }

  /** @param method of the request */
  async check(
    operation: Operation,
    method: string,
    response: ReceivedResponse,
  ): Promise<CheckedResponse> {
    const { operationId, responses } = operation;
    const status = responses.keyFor(response.status);
    if (status === undefined) {
      const violations = [
        { where: 'status', pointer: '', message: 'is not declared', value: response.status },
      ];
      return { type: undefined, headers: {}, body: undefined, violations, declaredAs: undefined };
    }
    const declared = responses.get(status)!;
    const { values: headers, violations: ofHeaders } = this.#headersOf(declared).read(
      headerTexts(response.headers),
    );
    const isWithoutBody = method === 'HEAD' || WITHOUT_BODY.has(response.status);
    const { key, type, body, violations } = await this.#body(
      declared,
      response.headers,
      response.bytes,
      isWithoutBody,
    );
    return {
      type,
      headers,
      body,
      violations: [
        ...ofHeaders,
        ...violations.filter((violation) => response.status < 400 || !isErrorMember(violation)),
      ],
      declaredAs: nameOf(operationId, status, key),
    };
  }

  async #body(
    { contents }: DeclaredResponse,
    headers: Headers,
    bytes: Buffer | undefined,
    isWithoutBody: boolean,
  ): Promise<CheckedBody> {
    const hasBytes = bytes !== undefined && bytes.length > 0;
    if (isWithoutBody && hasBytes) return { violations: ofBody('expected no body') };
    if (contents.size === 0) return { violations: hasBytes ? ofBody('no body is declared') : [] };
    const contentType = headers.get('content-type');
    if (contentType === null && (isWithoutBody || allowsAnything(contents)))
      return { violations: [] };
    const selected = contents.select(contentType ?? undefined);
    if (selected === undefined) {
      const expected = contents.keys.join(', ');
      const message = `expected Content-Type ${expected}, got ${contentType ?? 'none'}`;
      return { violations: ofBody(message) };
    }
    const { key, content, sent } = selected;
    const type = key.includes('*') ? sent.type : key;
    if (isWithoutBody || bytes === undefined) return { key, type, violations: [] };
    return { key, type, ...(await this.#value(content, sent.type, headers, bytes)) };
  }

  async #value(
    declared: Content,
    type: string,
    headers: Headers,
    bytes: Buffer,
  ): Promise<CheckedBody> {
    const content = mediaContentOf(declared, this.#validators);
    const kind = mediaKindOf(type, content);
    const codec = kind.itemCodec?.(type, content);
    if (codec !== undefined) {
      return this.#array(this.#items(codec, content.item!, Readable.from([bytes])));
    }
    if (kind === opaque) return { body: new Uint8Array(bytes), violations: [] };
    try {
      const message = { headers: Object.fromEntries(headers), body: wholeBody(bytes) };
      const read = await kind.reader(content)(message);
      const value = read?.release ? await withOwnFiles(read.value) : read?.value;
      await read?.release?.();
      if (read === undefined) return { violations: ofBody('expected a body') };
      if (read.error !== undefined) return { violations: ofBody(read.error) };
      if (content.schema === undefined) return { body: value, violations: [] };
      const violations = this.#violationsOf(value, content.schema);
      const coercion = this.#coercions.at(content.schema.pointer);
      return { body: coercion && violations.length === 0 ? coercion(value) : value, violations };
    } catch (error) {
      if (error instanceof Problem) return { violations: ofBody(error.message) };
      throw error;
    }
  }

  /** The body is the array of the items, until one is invalid. */
  async #array(items: AsyncIterable<CheckedItem>): Promise<CheckedBody> {
    const body: unknown[] = [];
    for await (const { value, violations } of items) {
      if (violations.length > 0) return { body, violations };
      body.push(value);
    }
    return { body, violations: [] };
  }

  async *#items(
    codec: ItemCodec,
    schema: Schema,
    bytes: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<CheckedItem, void, undefined> {
    let at = 0;
    try {
      for await (const item of codec.read(bytes)) {
        const found = this.#itemViolations(codec, schema, item);
        const violations = found.map((violation) => ({
          ...violation,
          pointer: `/${at}${violation.pointer}`,
        }));
        yield { value: violations.length > 0 ? item : codec.coerced(item), violations };
        at++;
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      yield { value: undefined, violations: ofBody(`item ${at}: ${error.message}`) };
    }
  }

  #itemViolations(codec: ItemCodec, schema: Schema, item: unknown): Violation[] {
    const errors = codec.errorsOf(item);
    if (errors.length > 0) return violationsOf(errors, '');
    // The data of an event is the text of another value.
    return codec.signals === undefined ? this.#undeclaredViolations(item, schema) : [];
  }

  #violationsOf(value: unknown, schema: Schema): Violation[] {
    const validate = this.#validators.at(schema.pointer);
    if (!validate(value)) return violationsOf(validate.errorsOf(value), '');
    return this.#undeclaredViolations(value, schema);
  }

  #undeclaredViolations(value: unknown, schema: Schema): Violation[] {
    if (this.#undeclared === 'allow') return [];
    const { declared, isCut } = declaredOnly(this.#validators, schema)(value);
    if (!isCut) return [];
    return violationsOf(undeclaredErrors(value, declared), '');
  }
}

/** Limited in number, as the errors of a schema. */
function undeclaredErrors(value: unknown, declared: unknown): readonly SchemaError[] {
  const errors: SchemaError[] = [];
  for (const removed of removedFrom(value, declared)) {
    if (errors.length === MAX_ERRORS) return [...errors, MORE];
    errors.push({ ...UNDECLARED, ...removed });
  }
  return errors;
}

const UNDECLARED = {
  keyword: 'additionalProperties',
  message: 'is not declared for a response',
};

/** True for a member that the engine adds to an error whose schema allows it. */
function isErrorMember({ pointer, message }: Violation): boolean {
  return message === UNDECLARED.message && ERROR_MEMBERS.has(pointer);
}

function ofBody(message: string): Violation[] {
  return [{ where: '', pointer: '', message, value: undefined }];
}

function nameOf(operationId: string, status: string, type: string | undefined): string {
  return [operationId, status, ...(type === undefined ? [] : [type])].join(' ');
}

/** True for any body or none: an operation without `responses`. */
function allowsAnything(contents: Contents<Content>): boolean {
  const content = contents.get('*/*');
  return content !== undefined && content.schema === undefined;
}

/** Replaces the files of a form, which are temporary, by files in memory. */
async function withOwnFiles(value: unknown): Promise<unknown> {
  if (value instanceof File) {
    return new File([await value.bytes()], value.name, { type: value.type });
  }
  if (Array.isArray(value)) return Promise.all(value.map(withOwnFiles));
  if (!isObject(value)) return value;
  for (const [name, each] of Object.entries(value)) value[name] = await withOwnFiles(each);
  return value;
}
