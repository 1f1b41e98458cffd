// Compiles the validators and serializers of a declared response.

import {
  type Content,
  type Contents,
  type DeclaredResponse,
  type DescribedValue,
  type Header,
  isJsonMediaType,
  once,
  parseMediaType,
  type Schema,
  stringifyJson,
} from '@stubwright/contract';
import {
  Coercions,
  DeclaredHeaders,
  type DeclaredOptions,
  declaredOnly,
  type ItemCodec,
  type MediaContent,
  type MediaKind,
  mediaContentOf,
  mediaKindOf,
  NotSerializable,
  plainData,
  plainParts,
  removedFrom,
  type Shape,
  type Streamer,
  type Validate,
  type Validators,
  type Violation,
  type Writer,
  writeParameter,
} from '@stubwright/contract/values';

/** One entry of `content`, compiled. */
export class WritableContent {
  /** A media type or a range. */
  readonly key: string;
  readonly validate: Validate | undefined;
  readonly #media: MediaContent;
  /** Several for a media type range. */
  readonly #compiled = new Map<MediaKind, Compiled>();
  /** Most responses have the same media type. */
  #latest: Serializer | undefined;
  readonly #declared = once(() => this.#selector({ keepsHidden: true }));
  /** Without `writeOnly` properties. */
  readonly #sent = once(() => this.#selector());

  constructor(validators: Validators, content: Content, key: string) {
    this.key = key;
    this.validate = validatorOf(content, validators);
    this.#media = mediaContentOf(content, validators);
  }

  get shape(): Shape {
    return this.#media.shape;
  }

  get schema(): Schema | undefined {
    return this.#media.schema;
  }

  isValid(value: unknown): boolean {
    return this.validate === undefined || this.validate(value);
  }

  /** @returns undefined if the value is invalid or has no serialization */
  tryWrite(type: string, value: unknown) {
    try {
      const plain = plainData(value);
      if (plain === undefined || !this.isValid(plain)) return undefined;
      const { write, declaredOf } = this.serializer(type);
      return { text: write(plain), declared: declaredOf(plain) };
    } catch (error) {
      if (error instanceof NotSerializable) return undefined;
      throw error;
    }
  }

  /** @param type the media type to send */
  serializer(type: string): Serializer {
    if (this.#latest?.type !== type) {
      const typeViolation = valueViolation('Content-Type', type);
      const { validate, undeclaredIn } = this;
      const declaredOf = (body: unknown) => (this.schema ? this.#sent()(body).declared : body);
      const own = { type, typeViolation, validate, undeclaredIn, declaredOf };
      this.#latest = { ...own, ...this.#compile(type) };
    }
    return this.#latest;
  }

  /** @returns the JSON pointers of properties of a valid value that are not declared, and so not sent */
  readonly undeclaredIn = (body: unknown): readonly string[] => {
    if (this.#media.schema === undefined) return NONE;
    const { declared, isCut } = this.#declared()(body);
    if (!isCut) return NONE;
    const removed = [...removedFrom(body, declared)].filter(({ value }) => value !== undefined);
    return removed.map(({ pointer }) => pointer);
  };

  #selector(options?: DeclaredOptions) {
    return declaredOnly(this.#media.validators, this.schema!, options);
  }

  #compile(type: string): Compiled {
    const essence = parseMediaType(type)?.type ?? '';
    const kind = mediaKindOf(essence, this.#media);
    const known = this.#compiled.get(kind);
    if (known !== undefined) return known;
    const write = kind.serializer(this.#media);
    const { acceptsBytes } = kind;
    const stream = kind.streamer?.(this.#media);
    const items = kind.itemCodec?.(essence, this.#media);
    const plain = stream === undefined ? (write.plain ?? plainData) : plainParts;
    const compiled = { acceptsBytes, plain, write, stream, items };
    this.#compiled.set(kind, compiled);
    return compiled;
  }
}

const NONE: readonly string[] = [];

/** Serializes the bodies of one media type. */
export interface Serializer extends Compiled {
  readonly type: string;
  /** Why no Content-Type header can carry the type. */
  readonly typeViolation: string | undefined;
  readonly validate: Validate | undefined;
  readonly undeclaredIn: WritableContent['undeclaredIn'];
  /** @returns a copy of a valid value with the properties that are declared */
  readonly declaredOf: (value: unknown) => unknown;
}

interface Compiled {
  readonly acceptsBytes: boolean;
  /** @returns the data that is validated and written */
  readonly plain: (value: unknown) => unknown;
  readonly write: Writer;
  readonly stream: Streamer | undefined;
  /** Undefined for a body that is not a sequence. */
  readonly items: ItemCodec | undefined;
}

interface CompiledHeader {
  readonly isRequired: boolean;
  /** Undefined without schema. */
  readonly validate: Validate | undefined;
  readonly write: (value: unknown) => string;
}

export interface CompiledResponse {
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, CompiledHeader>;
  readonly requiredHeaders: readonly string[];
  /** @returns how serialized headers violate their declarations */
  readonly headerViolations: (headers: Readonly<Record<string, string>>) => Violation[];
  readonly contents: Contents<WritableContent>;
  /** The content of a reply without media type: JSON, else the first. Undefined without bodies. */
  readonly defaultContent: WritableContent | undefined;
}

/** @param declared a response, or the request of a webhook, which the service sends */
export function compileResponse(
  validators: Validators,
  declared: Pick<DeclaredResponse, 'headers' | 'contents'>,
): CompiledResponse {
  const headers = Array.from(
    declared.headers,
    ([name, header]) => [name.toLowerCase(), header] as const,
  );
  const contents = declared.contents.map(
    (content, key) => new WritableContent(validators, content, key),
  );
  // Compiled at the first error response with headers.
  const headerReader = once(
    () => new DeclaredHeaders(declared.headers, validators, new Coercions(validators)),
  );
  return {
    headers: new Map(
      headers.map(([name, header]) => [name, compileHeader(validators, header, name)]),
    ),
    requiredHeaders: headers.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
    headerViolations(sent) {
      const entries = Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]);
      return headerReader().read(Object.fromEntries(entries)).violations;
    },
    contents,
    defaultContent: contents.preferred?.content,
  };
}

function compileHeader(validators: Validators, header: Header, name: string): CompiledHeader {
  const validate = validatorOf(header.described, validators);
  const { content, serialization, isRequired } = header;
  const own = { isRequired, validate };
  if (isJsonMediaType(content?.key)) return { ...own, write: (value) => stringifyJson(value) };
  const isCookies = name === SET_COOKIE;
  if (content !== undefined) return { ...own, write: isCookies ? textCookies : String };
  const write = (value: unknown) =>
    typeof value === 'object'
      ? writeParameter('header', '', serialization, value).join()
      : String(value);
  if (!isCookies) return { ...own, write };
  return {
    ...own,
    write: (value) => cookieLines(Array.isArray(value) ? value : [write(value)]),
  };
}

/** A text with one cookie per line, as OpenAPI 3.2.0 describes it. */
function textCookies(value: unknown): string {
  return cookieLines(
    String(value)
      .replace(/\r?\n$/, '')
      .split(/\r?\n/),
  );
}

function validatorOf({ schema }: DescribedValue, validators: Validators) {
  return schema && validators.at(schema.pointer);
}

// An import would load undici, which takes 25 ms of each start.
const { validateHeaderName, validateHeaderValue } = process.getBuiltinModule('node:http');

export const SET_COOKIE = 'set-cookie';

/** The server sets these; other values would corrupt the framing of the connection. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'trailer']);

/** RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
export const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** @returns one cookie per line @throws {NotSerializable} for a line break in a cookie */
export function cookieLines(cookies: readonly unknown[]): string {
  const lines = cookies.map(String);
  if (lines.some((line) => line.includes('\n'))) {
    throw new NotSerializable('expected no line break in a cookie');
  }
  return lines.join('\n');
}

/** @returns the headers of a response as Node sends them: several cookies as an array */
export function headerLines(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string | string[]>> {
  const name = nameIn(headers, SET_COOKIE);
  const text = name && headers[name];
  return text?.includes('\n') ? { ...headers, [name!]: text.split('\n') } : headers;
}

/** @returns received headers by lower-case name, with one cookie per line */
export function headerTexts(headers: Headers): Record<string, string> {
  const texts: Record<string, string> = Object.fromEntries(headers);
  if (texts[SET_COOKIE] !== undefined) texts[SET_COOKIE] = headers.getSetCookie().join('\n');
  return texts;
}

/** @param name in lower case @returns the name as the headers have it; undefined without it */
export function nameIn(
  headers: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  for (const text in headers) {
    if (text.length === name.length && text.toLowerCase() === name) return text;
  }
  return undefined;
}

/** @returns how the first invalid header violates RFC 9110, section 5.5; undefined for valid headers */
export function headerViolation(headers: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    const violation = nameViolation(name) ?? valueViolation(name, value);
    if (violation !== undefined) return violation;
  }
  return undefined;
}

/** @returns undefined for a token (RFC 9110, section 5.1) that is not a framing header */
export function nameViolation(name: string): string | undefined {
  if (FRAMING.has(name.toLowerCase())) return `header ${name} is set by the server`;
  try {
    validateHeaderName(name);
    return undefined;
  } catch {
    return `header ${JSON.stringify(name)} expected a name of letters, digits and !#$%&'*+-.^_\`|~`;
  }
}

/** @returns undefined for a string that a header can carry (RFC 9110, section 5.5) */
export function valueViolation(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return `header ${name} expected a string, got ${typeof value}`;
  try {
    validateHeaderValue(name, value);
    return undefined;
  } catch {
    return `header ${name} expected characters up to U+00FF, without control characters`;
  }
}
