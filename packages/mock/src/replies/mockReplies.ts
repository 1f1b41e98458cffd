// Creates replies of mocked operations from examples, else from samples of schemas. Deterministic.

import {
  acceptedRanges,
  type Content,
  Contents,
  commonTypes,
  type DeclaredResponse,
  type DescribedValue,
  type Example,
  type Header,
  InvalidReply,
  isJsonMediaType,
  isPrimitive,
  type MediaType,
  notAcceptable,
  type Operation,
  Problem,
  parseMediaType,
  preferenceNotDeclared,
  type Schema,
  stringifyJson,
} from '@stubwright/contract';
import {
  contentMedia,
  describeErrors,
  type ItemCodec,
  type MediaContent,
  type MediaKind,
  type Validators,
} from '@stubwright/contract/values';
import { InvalidMock, type ValidMock } from '../mocked.ts';
import { exampleItems, sampleItems } from '../sampling/itemSamples.ts';
import { NoSample, type Samples } from '../sampling/sample.ts';
import { type MockSource, withPathParameters, withStatus } from './exchangeValues.ts';

/** Headers that the server sets. */
const SERVER_HEADERS = new Set([
  ...['connection', 'content-encoding', 'content-length', 'content-type', 'date', 'keep-alive'],
  ...['trailer', 'transfer-encoding', 'upgrade'],
]);
/** The engine computes the entity tag of the mocked body. */
const isComputed = (name: string, status: number) => status < 300 && name.toLowerCase() === 'etag';
/** RFC 9110, section 5.5. */
/** Also several cookies, one per line. */
const COOKIES = /^[\t\n\x20-\x7e\x80-\xff]*$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export interface MockRequest {
  /** The `Prefer` header (RFC 7240): `code=404`, `example=name` and `dynamic=true` select the reply. */
  readonly prefer: string;
  /** The `Accept` header selects the media type. */
  readonly accept: string;
  /** Selects among the values of a schema. */
  readonly seed: string;
  /** The path parameters of the request, which its response repeats. */
  readonly path?: Readonly<Record<string, unknown>>;
  /** The number of generated items in a sequence; 3 by default. */
  readonly items?: number | undefined;
}

interface BodyChoice {
  readonly operation: Operation;
  readonly status: number;
  readonly path: Readonly<Record<string, unknown>>;
  readonly seed: string;
  /** The name of an example. */
  readonly example: string | undefined;
  readonly isDynamic: boolean;
  readonly items: number;
}

const ITEMS = 3;

/** The mocked replies of one contract. */
export class MockReplies {
  readonly #validators: Validators;
  readonly #samples: Samples;
  /** Failed searches by pointer: they are slow. */
  readonly #noSamples = new Map<string, NoSample>();

  /** @param validators for responses @param samples for responses */
  constructor(validators: Validators, samples: Samples) {
    this.#validators = validators;
    this.#samples = samples;
  }

  /**
   * Returns the lowest declared 2xx with its first valid example, else a sample of its schema, as Prism
   * does. `2XX` and `default` become 200. Without a success response, returns the lowest status.
   *
   * `Prefer: code=404` selects a declared status, also by range or `default`. `Prefer: example=name`
   * selects an example, `Prefer: dynamic=true` a generated body. `Accept` selects the media type. Includes
   * headers that are required or have an example. A body that is not JSON, XML or text and has no example
   * is empty. A JSON body repeats the path parameters, and the body of an error its status.
   *
   * @returns an InvalidMock if no valid body or header is found
   * @throws {Problem} 40402 for an undeclared preference, 40600 for a media type that is not acceptable
   * @throws {InvalidReply} if the selected example violates its schema
   */
  reply(
    operation: Operation,
    { prefer: header, accept, seed, path = {}, items = ITEMS }: MockRequest,
  ): ValidMock | InvalidMock {
    const prefer = parsePrefer(header);
    const status = mockedStatus(operation, prefer.get('code'));
    const response = operation.responses.for(status)!;
    const contents = contentsWith(prefer.get('example'), response);
    const chosen = contents.size === 0 ? undefined : selectionOf(accept, contents);
    const content = chosen && contents.get(chosen.key)!;
    try {
      const fixed = { status, headers: this.#headers(response, status, seed) };
      if (chosen === undefined || content === undefined) return fixed;
      const body = this.#body(content, chosen, {
        ...{ operation, status, path, seed, items },
        example: prefer.get('example'),
        isDynamic: isDynamic(prefer),
      });
      return { ...fixed, type: chosen.type, body };
    } catch (error) {
      if (error instanceof Problem || error instanceof InvalidReply) throw error;
      return this.#invalidMock(status, chosen?.type, content, error as Error);
    }
  }

  /** Uses an invalid example, else an invalid sample. */
  #invalidMock(
    status: number,
    type: string | undefined,
    content: Content | undefined,
    error: Error,
  ): InvalidMock {
    const [shown] = content === undefined ? [] : valuesOf(content.examples, type);
    const made = error instanceof NoSample ? error.invalid : undefined;
    const body = shown ?? made ?? emptyValue(content?.schema);
    const violation = this.#violationOf(body, content) ?? error.message;
    if (content === undefined || type === undefined) {
      return new InvalidMock(status, undefined, '', violation);
    }
    const { kind, media } = contentMedia(content, type, this.#validators);
    return new InvalidMock(status, type, encodeIfPossible(kind, body, media), violation);
  }

  /** @returns undefined if the body is valid, or if the schema cannot be compiled */
  #violationOf(body: unknown, content: Content | undefined): string | undefined {
    if (content?.schema === undefined) return undefined;
    try {
      const validate = this.#validators.at(content.schema.pointer);
      return validate(body) ? undefined : describeErrors(validate.errorsOf(body), '');
    } catch {
      return undefined;
    }
  }

  #body(content: Content, { type }: SelectedType, choice: BodyChoice): unknown {
    const { seed, example, isDynamic } = choice;
    const { kind, media, codec } = contentMedia(content, type, this.#validators);
    const shown = valuesOf(
      example === undefined ? content.examples : [content.example(example)!],
      type,
    );
    if (codec !== undefined) return this.#items(media.item!, codec, shown, choice);
    // A generated body without a schema would be empty.
    const isGenerated = isDynamic && example === undefined && media.schema !== undefined;
    for (const value of isGenerated ? [] : shown) {
      if (!kind.canSend(value, media) || !this.#isValid(value, content)) continue;
      return example === undefined
        ? this.#adjusted(value, type, content, choice, 'example')
        : value;
    }
    if (example !== undefined) {
      throw new InvalidReply(`${content.pointer}  example ${example} violates its schema`);
    }
    if (media.schema === undefined) return kind.acceptsBytes ? NO_BYTES : {};
    const value = this.#sample(content, seed, isGenerated);
    if (kind.canSend(value, media)) {
      return this.#adjusted(value, type, content, choice, 'sample');
    }
    if (kind.acceptsBytes) return NO_BYTES;
    throw new NoSample(`${content.pointer}  no value was found that ${type} can represent`);
  }

  /** @returns the first example that is an array of valid items, else generated items */
  #items(
    item: Schema,
    codec: ItemCodec,
    shown: readonly unknown[],
    choice: BodyChoice,
  ): readonly unknown[] {
    const { seed, example, isDynamic, items } = choice;
    const chosen = exampleItems(codec, shown);
    if (chosen !== undefined && (!isDynamic || example !== undefined)) return chosen;
    if (example !== undefined) {
      throw new InvalidReply(`example ${example} is not an array of valid items`);
    }
    return sampleItems(item, codec, items, (pointer, at) =>
      this.#samples.at(pointer, `${seed} ${at}`, { isDynamic }),
    );
  }

  /** Writes status and path parameters of the exchange into a JSON body. */
  #adjusted(
    body: unknown,
    type: string,
    content: Content,
    { operation, status, path }: BodyChoice,
    source: MockSource,
  ): unknown {
    if (typeof body !== 'object' || body === null || !isJsonMediaType(type)) return body;
    const isValid = (value: unknown) => this.#isValid(value, content);
    if (status < 400) return withPathParameters(body, operation.path, path, isValid);
    // The author of an example for one status has chosen its values.
    const isForOneStatus = source === 'example' && operation.responses.has(String(status));
    return isForOneStatus ? body : withStatus(body, status, source, isValid);
  }

  #headers(response: DeclaredResponse, status: number, seed: string): Record<string, unknown> {
    const headers: Record<string, unknown> = {};
    for (const [name, header] of response.headers) {
      if (SERVER_HEADERS.has(name.toLowerCase()) || isComputed(name, status)) continue;
      const { content } = header;
      const allowed = /^set-cookie$/i.test(name) ? COOKIES : HEADER_VALUE;
      const examples = [...header.examples, ...(content?.content.examples ?? [])];
      const isSent = (value: unknown) =>
        allowed.test(String(value)) && this.#isValid(value, header);
      const value = valuesOf(examples, undefined).find(isSent);
      if (value !== undefined) headers[name] = value;
      else if (header.isRequired) headers[name] = this.#headerSample(header, seed);
    }
    return headers;
  }

  #headerSample(header: Header, seed: string): unknown {
    const value = this.#sample(header.described, seed);
    return header.content === undefined || isPrimitive(value) ? value : stringifyJson(value);
  }

  #isValid(value: unknown, { schema }: DescribedValue): boolean {
    return schema === undefined || this.#validators.at(schema.pointer)(value);
  }

  #sample({ schema, pointer }: DescribedValue, seed: string, isDynamic = false): unknown {
    if (schema === undefined) return '';
    const failed = this.#noSamples.get(pointer);
    if (failed !== undefined) throw failed;
    try {
      return this.#samples.at(schema.pointer, seed, { isDynamic });
    } catch (error) {
      if (error instanceof NoSample) this.#noSamples.set(pointer, error);
      throw error;
    }
  }
}

/** @returns the contents of a response; only those with the example, if one is preferred */
function contentsWith(name: string | undefined, { contents }: DeclaredResponse): Contents<Content> {
  if (name === undefined) return contents;
  const having = [...contents].filter(([, content]) => content.example(name) !== undefined);
  if (having.length > 0) return new Contents(having);
  const names = contents
    .values()
    .flatMap(({ examples }) => examples.map((example) => example.name));
  throw notDeclared(
    'example',
    name,
    names.filter((name) => name !== undefined),
  );
}

/** @returns the values of examples, without `externalValue` */
function valuesOf(examples: readonly Example[], type: string | undefined): unknown[] {
  return examples.flatMap((example) => {
    const read = example.read(type);
    return read === undefined ? [] : [read.value];
  });
}

function emptyValue(schema: Schema | undefined): unknown {
  if (schema === undefined) return undefined;
  const [type = 'object'] = commonTypes(schema.conjuncts) ?? [];
  return EMPTY[type];
}

const NO_BYTES = Buffer.alloc(0);
const EMPTY: Readonly<Record<string, unknown>> = {
  string: '',
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  object: {},
  null: null,
};

function encodeIfPossible(kind: MediaKind, value: unknown, media: MediaContent): string {
  try {
    return String(kind.encode(value, media));
  } catch {
    return '';
  }
}

/** @param code of `Prefer` @throws {Problem} 40402 for an undeclared status */
export function mockedStatus(operation: Operation, code: string | undefined): number {
  if (code === undefined) return defaultStatus([...operation.responses.keys()]);
  const status = /^[2-5]\d\d$/.test(code) ? Number(code) : 0;
  if (status > 0 && operation.responses.for(status) !== undefined) return status;
  throw notDeclared('code', code, [...operation.responses.keys()]);
}

/** @returns the lowest 2xx, else the lowest 3xx, else 200 for `default`, else the lowest of all */
function defaultStatus(keys: readonly string[]): number {
  const statuses = keys
    .filter((key) => /^[2-5](?:\d\d|XX)$/i.test(key))
    // A status code sorts before its range.
    .sort((a, b) => (a.toUpperCase() < b.toUpperCase() ? -1 : 1))
    .map((key) => Number(key.replace(/X/gi, '0')));
  const [first] = statuses;
  const isSuccess = first !== undefined && first < 400;
  return isSuccess || !keys.includes('default') ? (first ?? 200) : 200;
}

/** @throws {Problem} 40600 */
function selectionOf(accept: string, contents: Contents<unknown>): SelectedType {
  const selection = selectMediaType(accept, contents);
  if (selection === undefined) throw notAcceptable(contents.keys.join(', '));
  return selection;
}

function notDeclared(name: string, value: string, declared: readonly string[]) {
  const expected = [...new Set(declared)].join(', ') || 'none';
  return preferenceNotDeclared(
    `Prefer: ${name}=${value} is not declared, expected one of ${expected}`,
  );
}

/** A key of `content`, and the media type to send. */
interface SelectedType {
  readonly key: string;
  readonly type: string;
}

/**
 * @param accept the value of `Accept`; empty, or without a media range, for any media type
 * @param contents at least one
 * @returns the acceptable media type with the highest weight; JSON, else the first, for any media type; undefined
 *   if none is acceptable
 */
export function selectMediaType(
  accept: string,
  contents: Contents<unknown>,
): SelectedType | undefined {
  const ranges = acceptedRanges(accept);
  if (ranges.length === 0) return preferred(contents);
  const refused = ranges.filter(({ weight }) => weight === 0).map(({ range }) => range);
  const isRefused = (type: string) =>
    refused.some((mediaType) => matches(parseMediaType(type), mediaType));
  const acceptable = new Contents([...contents].filter(([key]) => !isRefused(key)));
  for (const { range, weight } of ranges) {
    if (weight === 0) continue;
    const selection = range.type === '*/*' ? preferred(acceptable) : selectIn(acceptable, range);
    if (selection !== undefined && !isRefused(selection.type)) return selection;
  }
  return undefined;
}

function selectIn(contents: Contents<unknown>, range: MediaType): SelectedType | undefined {
  const key = contents.keys.find((key) => matches(parseMediaType(key), range));
  if (key !== undefined) return { key, type: concrete(key) };
  // A declared range matches a concrete type of the request.
  const match = range.type.includes('*') ? undefined : contents.select(range)?.key;
  return match === undefined
    ? undefined
    : { key: match, type: match.includes('*') ? range.type : match };
}

function preferred(contents: Contents<unknown>): SelectedType | undefined {
  const key = contents.preferred?.key;
  return key === undefined ? undefined : { key, type: concrete(key) };
}

function matches(declared: MediaType | undefined, range: MediaType): boolean {
  if (declared === undefined) return false;
  if (declared.type === range.type) {
    return [...range.parameters].every(([name, value]) => declared.parameters.get(name) === value);
  }
  return range.type.endsWith('/*') && declared.type.startsWith(range.type.slice(0, -1));
}

const OF_FAMILY: Readonly<Record<string, string>> = {
  '*': 'application/json',
  application: 'application/json',
  text: 'text/plain',
  image: 'image/png',
};

function concrete(key: string): string {
  if (!key.includes('*')) return key;
  const family = key.slice(0, key.indexOf('/'));
  return OF_FAMILY[family] ?? `${family}/octet-stream`;
}

/** A preference with its value and its parameters, up to the next unquoted comma. */
const PREFERENCE =
  /[ \t,]*([\w!#$%&'*+.^`|~-]+)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?(?:[^,"]|"(?:[^"\\]|\\.)*")*/gy;

/**
 * @param header the values of `Prefer`, joined by commas
 * @returns the preferences by lower-case name, without parameters; the first of a name applies
 *   (RFC 7240, section 2)
 */
export function parsePrefer(header: string): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>();
  for (const [, name, quoted, word = ''] of header.matchAll(PREFERENCE)) {
    const key = name!.toLowerCase();
    const value = quoted === undefined ? word : quoted.replace(/\\(.)/g, '$1');
    if (!preferences.has(key)) preferences.set(key, value);
  }
  return preferences;
}

/** True if the request selects its reply. */
export function isSelected(preferences: ReadonlyMap<string, string>): boolean {
  return preferences.has('code') || preferences.has('example');
}

/** True for `dynamic` and `dynamic=true`. */
export function isDynamic(preferences: ReadonlyMap<string, string>): boolean {
  return ['', 'true'].includes(preferences.get('dynamic') ?? 'false');
}
