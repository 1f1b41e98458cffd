// The request body of one operation: which media types it takes, how each is read, and whether what
// was read is what the contract asks for.
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Definition, Operation, Place } from '../definition/definition.ts';
import { type Exchange, NOTHING, type Received } from '../exchange.ts';
import { parseJsonText, toText } from '../json.ts';
import { scalar } from '../parameters/parameterText.ts';
import { missingBody, unsupportedContentEncoding, unsupportedMediaType } from '../problem.ts';
import type { Typing, Typings } from '../schema/typed.ts';
import { tellFaults, type ValidateFunction, type Validators } from '../schema/validator.ts';
import { type FormFields, formFieldsOf, readForm } from './form.ts';
import { jsonTypesOf, mayBeOfType } from './jsonType.ts';
import { isJson, isUtf8, type MediaType, matchMediaType, parseMediaType } from './mediaType.ts';

/** One entry of the contract's `content`, compiled. */
interface Content {
  /** The JSON types of a valid body; undefined where its schema does not restrict them. */
  readonly types: ReadonlySet<string> | undefined;
  readonly validate: ValidateFunction | undefined;
  readonly typing: Typing | undefined;
  readonly fields: FormFields;
}

export class RequestBody {
  readonly #isDeclared: boolean;
  readonly #isRequired: boolean;
  readonly #contents: ReadonlyMap<string, Content>;

  constructor(
    definition: Definition,
    { requestBody }: Operation,
    validators: Validators,
    typings: Typings,
  ) {
    this.#isDeclared = requestBody !== undefined;
    this.#isRequired = requestBody?.node.required === true;
    const content = requestBody && definition.child(requestBody, 'content');
    this.#contents = new Map(
      Object.keys(content?.node ?? {}).map((type) => [
        type,
        compile(definition, definition.child(content!, type)!, validators, typings),
      ]),
    );
  }

  /**
   * Judges the media type, then reads and parses the body into the exchange. There is nothing to
   * wait for where it is undefined.
   *
   * @throws {Problem} 40001, 40002, 40004, 41300, 41500 or 41501
   */
  read(exchange: Exchange): Promise<void> | undefined {
    const { headers } = exchange.request;
    const isPresent = hasBody(headers);
    if (isPresent || (this.#isDeclared && headers['content-type'] !== undefined)) {
      const { sent, content } = this.#select(headers['content-type']);
      if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
        throw unsupportedContentEncoding();
      }
      if (isPresent) return this.#receive(exchange, sent, content);
    }
    exchange.received = this.#nothing();
    return undefined;
  }

  #select(contentType: string | undefined): { sent: MediaType; content: Content } {
    const types = [...this.#contents.keys()];
    const sent = parseMediaType(contentType);
    const key = sent && matchMediaType(sent, types);
    if (key === undefined || !isUtf8(sent!)) throw unsupportedMediaType(types.join(', '));
    return { sent: sent!, content: this.#contents.get(key)! };
  }

  #receive(exchange: Exchange, { type }: MediaType, content: Content): Promise<void> | undefined {
    const { request } = exchange;
    if (type === 'multipart/form-data') return receiveMultipart(exchange, content);
    if (isReadWhole(type)) {
      return request.readBody().then((bytes) => {
        const isEmpty = bytes.length === 0 && !type.startsWith('text/');
        exchange.received = isEmpty ? this.#nothing() : parse(bytes, type, content);
      });
    }
    const stream = Readable.toWeb(request.stream());
    const opaque = { ...content, validate: undefined, typing: undefined };
    exchange.received = received(type, stream, opaque);
    return undefined;
  }

  #nothing(): Received {
    if (this.#isRequired) throw missingBody();
    return NOTHING;
  }
}

function compile(
  definition: Definition,
  place: Place,
  validators: Validators,
  typings: Typings,
): Content {
  const fields = formFieldsOf(place, validators);
  if (place.node.schema === undefined) {
    return { types: undefined, validate: undefined, typing: undefined, fields };
  }
  const { pointer } = definition.step(place, 'schema');
  return {
    types: jsonTypesOf(validators.model.at(pointer)!),
    validate: validators.at(pointer),
    typing: typings.at(pointer),
    fields,
  };
}

/** Loads what reads multipart where it is asked for only. */
async function receiveMultipart(exchange: Exchange, content: Content): Promise<void> {
  const { request } = exchange;
  const { readMultipart } = await import('./multipart.ts');
  const sent = request.headers['content-type']!;
  const { form, release } = await readMultipart(() => request.stream(), sent, content.fields);
  exchange.release = release;
  exchange.received = received('multipart/form-data', form, content);
}

function isReadWhole(type: string): boolean {
  return isJson(type) || type.startsWith('text/') || type === 'application/x-www-form-urlencoded';
}

function parse(bytes: Buffer, type: string, content: Content): Received {
  const text = toText(bytes);
  if (isJson(type)) {
    const { types } = content;
    // A body of the wrong type is not worth parsing.
    if (types !== undefined && !mayBeOfType(text, types)) return wrongType(type, types);
    return received(type, parseJsonText(text), content);
  }
  const { fields } = content;
  if (type === 'application/x-www-form-urlencoded') {
    return received(type, readForm(text, fields), content);
  }
  return received(type, scalar(text, fields.shape), content);
}

function wrongType(mediaType: string, types: ReadonlySet<string>): Received {
  const fault = `expected ${[...types].join(' or ')}`;
  return { mediaType, faults: () => [fault], typed: () => undefined };
}

function received(mediaType: string, value: unknown, { validate, typing }: Content): Received {
  return {
    mediaType,
    faults: () =>
      validate === undefined || validate(value) ? [] : [tellFaults(validate.errors!, '')],
    typed: () => (typing ? typing(value) : value),
  };
}

/** RFC 9112, section 6.3: a request has a body when a header says how long it is. */
function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}
