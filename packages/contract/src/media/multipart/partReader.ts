// Reads the parts of multipart/form-data by their schemas and Encoding Objects.
import { escapeToken } from '../../document/pointer.ts';
import { contractViolation, malformedBody } from '../../errors/problem.ts';
import { toText } from '../../json/json.ts';
import type { Encoding } from '../../operations/describedValues.ts';
import {
  FORM_TYPE,
  isJson,
  isUtf8,
  isXml,
  type MediaType,
  matchMediaType,
  parseMediaType,
} from '../../operations/mediaType.ts';
import { Coercions } from '../../schema/coercion.ts';
import { describeViolation } from '../../schema/validator.ts';
import { type MediaContent, readField, readForm } from '../form.ts';
import { DeclaredHeaders } from '../styles/parameters.ts';
import type { Shape } from '../styles/shape.ts';
import { readXml } from '../xml/readXml.ts';
import type { PartHeaders } from './partHeaders.ts';
import { multipartStyleOf, StyledParts } from './styledParts.ts';

/** Characters of a client's text in a message. */
const MAX_SHOWN = 100;
const OCTETS = 'application/octet-stream';

/** The readers of the parts of one form, by the name of the property. */
export class PartReaders {
  readonly #content: MediaContent;
  readonly #readers = new Map<string, PartReader>();
  readonly styled: StyledParts;

  constructor(content: MediaContent) {
    this.#content = content;
    this.styled = new StyledParts(content);
  }

  /** Of the form. */
  get shape(): Shape {
    return this.#content.shape;
  }

  of(name: string): PartReader {
    const { encodings, shape } = this.#content;
    const known = this.#readers.get(name);
    if (known !== undefined) return known;
    const reader = new PartReader(name, this.#content);
    // A client may send any name.
    if (encodings.has(name) || shape.names.has(name)) this.#readers.set(name, reader);
    return reader;
  }
}

const NO_ENCODINGS: ReadonlyMap<string, Encoding> = new Map();

function isText(type: string): boolean {
  return type.startsWith('text/') || isJson(type) || isXml(type) || type === FORM_TYPE;
}

class PartReader {
  readonly #name: string;
  readonly #content: MediaContent;
  readonly #encoding: Encoding | undefined;
  readonly #shape: Shape;
  /** The media types and ranges of the Encoding Object; empty without `contentType`. */
  readonly #types: readonly string[];
  readonly #headers: DeclaredHeaders | undefined;

  constructor(name: string, content: MediaContent) {
    this.#name = name;
    this.#content = content;
    this.#encoding = content.encodings.get(name);
    const property = content.shape.property(name);
    // An array has one part per item.
    this.#shape = property.kind === 'array' ? property.items() : property;
    const isStyled = multipartStyleOf(content, name) !== undefined;
    this.#types = isStyled ? [] : (this.#encoding?.contentTypes ?? []);
    this.#headers = this.#declaredHeaders();
  }

  #declaredHeaders(): DeclaredHeaders | undefined {
    const { headers } = this.#encoding ?? {};
    if (headers === undefined || headers.size === 0) return undefined;
    const { validators } = this.#content;
    return new DeclaredHeaders(headers, validators, new Coercions(validators));
  }

  /**
   * @returns the media type of the part: its header, else the declared one; undefined if neither is there
   * @throws {Problem} 40000 for headers that the Encoding Object does not allow
   */
  mediaType({ all }: PartHeaders): MediaType | undefined {
    const text = all['content-type'];
    const [declared] = this.#types.filter((type) => !type.includes('*'));
    const sent = parseMediaType(text ?? declared);
    const isAllowed =
      sent === undefined
        ? text === undefined
        : this.#types.length === 0 || matchMediaType(sent, this.#types) !== undefined;
    if (!isAllowed) {
      const expected = `Content-Type ${this.#types.join(', ') || 'a media type'}`;
      const got = text?.slice(0, MAX_SHOWN);
      throw this.#violation('contentType', `expected ${expected}, got ${got}`, expected);
    }
    const [violation] = this.#headers?.read(all).violations ?? [];
    if (violation !== undefined) throw this.#violation('headers', describeViolation(violation));
    return sent;
  }

  #violation(rule: string, message: string, expected = message.replace(/^expected /, '')) {
    const name = this.#name.slice(0, MAX_SHOWN);
    const pointer = `/${escapeToken(name)}`;
    return contractViolation(`form field ${name} ${message}`, [
      { in: 'body', pointer, rule, expected },
    ]);
  }

  /** True if the value of the part is a file. */
  isFile(type: MediaType | undefined, fileName: string | undefined): boolean {
    const { isBinary, allowsBinary, types } = this.#shape;
    if (isBinary) return true;
    const isSentAsFile = fileName !== undefined || type?.type === OCTETS;
    if (types.size === 0) return isSentAsFile || !isText(type?.type ?? 'text/plain');
    return isSentAsFile && allowsBinary;
  }

  /** @throws {Problem} 40001 or 40004 for a malformed value */
  read(bytes: Buffer, mediaType: MediaType | undefined): unknown {
    const type = mediaType?.type ?? '';
    const { kind } = this.#shape;
    if (isXml(type) && kind !== 'scalar') return readXml(bytes, this.#shape);
    const text = this.text(bytes, mediaType);
    if (type === FORM_TYPE && kind === 'object') {
      const encodings = this.#encoding?.encodings ?? NO_ENCODINGS;
      return readForm(text, { shape: this.#shape, encodings });
    }
    return readField(text, isJson(type), this.#content.shape.property(this.#name));
  }

  /** @throws {Problem} 40004 for bytes that are not text */
  text(bytes: Buffer, mediaType: MediaType | undefined): string {
    if (mediaType === undefined || isUtf8(mediaType)) return toText(bytes);
    try {
      return new TextDecoder(mediaType.charset, { fatal: true }).decode(bytes);
    } catch {
      throw malformedBody(`form field ${this.#name.slice(0, MAX_SHOWN)} expected UTF-8`);
    }
  }
}
