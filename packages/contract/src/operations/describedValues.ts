// The values that a contract describes by a schema and examples: parameters, headers, bodies; and responses.
import type { ContractDocument } from '../document/contractDocument.ts';
import { mapped, memo } from '../document/memo.ts';
import { type LocatedNode, unescapeUri } from '../document/node.ts';
import { parseJsonText } from '../json/json.ts';
import { commonTypes, type Schema, SchemaModel } from '../schema/model.ts';
import {
  ContractObject,
  type Deprecation,
  deprecationIn,
  isDeprecated,
  locationOf,
  objectAt,
} from './contractObject.ts';
import { type ContentEntry, Contents, isJsonMediaType } from './mediaType.ts';

/** A Parameter, Header or Media Type Object. */
export class DescribedValue extends ContractObject {
  #examples: readonly Example[] | undefined;
  #schema: Schema | undefined;

  /** The schema of the value; undefined if any value is valid. */
  get schema(): Schema | undefined {
    this.#schema ??= this.schemaIn('schema');
    return this.#schema;
  }

  /** `schema` and `itemSchema`, those that are declared. */
  get schemas(): readonly Schema[] {
    return [this.schema, this.schemaIn('itemSchema')].filter((each) => each !== undefined);
  }

  /** The value of `example`, then the entries of `examples`. */
  get examples(): readonly Example[] {
    this.#examples ??= this.#readExamples();
    return this.#examples;
  }

  /** @returns the entry of `examples` with this name */
  example(name: string): Example | undefined {
    return this.examples.find((example) => example.name === name);
  }

  /** @returns the schema of a field */
  protected schemaIn(name: string): Schema | undefined {
    if (this.node[name] === undefined) return undefined;
    return SchemaModel.of(this.contract).at(`${this.pointer}/${name}`);
  }

  #readExamples(): Example[] {
    const { pointer, node } = this;
    const single = 'example' in node ? [plainExample(`${pointer}/example`, node['example'])] : [];
    const named = this.contract.children(locationOf(this), 'examples');
    return [
      ...single,
      ...Array.from(named, ([name, locatedNode]) => namedExample(name, locatedNode)),
    ];
  }
}

/** A Media Type Object: an entry of `content`. Its key is that of {@link Contents}. */
export class Content extends DescribedValue {
  #encodings: ReadonlyMap<string, Encoding> | undefined;

  /**
   * The schema of `itemSchema`, of `x-item-schema` (for OpenAPI 3.0 and 3.1), else of the items of an array
   * without `prefixItems`; undefined without one.
   */
  get item(): Schema | undefined {
    const own = this.schemaIn('itemSchema') ?? this.schemaIn('x-item-schema');
    if (own !== undefined) return own;
    const parts = this.schema?.conjuncts ?? [];
    // With `prefixItems`, the first items have other schemas.
    const isList = commonTypes(parts)?.join() === 'array';
    if (!isList || parts.some((part) => part.has('prefixItems'))) return undefined;
    return parts.map((part) => part.child('items')).find((each) => each !== undefined);
  }

  /** True if the items have a schema of their own: `itemSchema` or `x-item-schema`. */
  get declaresItems(): boolean {
    return this.node['itemSchema'] !== undefined || this.node['x-item-schema'] !== undefined;
  }

  /** The schema of the resource that a patch changes: `x-patch-of`. */
  get patchOf(): Schema | undefined {
    return this.schemaIn('x-patch-of');
  }

  /** By name of the property of a form. */
  get encodings(): ReadonlyMap<string, Encoding> {
    this.#encodings ??= this.map(Encoding, 'encoding');
    return this.#encodings;
  }

  /** @returns the encoding of a property; without fields, at the pointer of this object, for none */
  encodingOf(property: string): Encoding {
    return this.encodings.get(property) ?? this.#defaultEncoding;
  }

  /** Of the first parts (OpenAPI 3.2), by position. */
  get prefixEncodings(): readonly Encoding[] {
    return [...this.map(Encoding, 'prefixEncoding').values()];
  }

  /** Of the parts after `prefixEncodings` (OpenAPI 3.2). */
  get itemEncoding(): Encoding | undefined {
    return this.child(Encoding, 'itemEncoding');
  }

  /** @returns the encoding of a part; without fields, at the pointer of this object, for none */
  encodingAt(position: number): Encoding {
    return this.prefixEncodings[position] ?? this.itemEncoding ?? this.#defaultEncoding;
  }

  get #defaultEncoding(): Encoding {
    return new Encoding(this.contract, { pointer: this.pointer, node: {} });
  }
}

/** How a property of a form is serialized (OpenAPI 3.2.0, section 4.15). */
export class Encoding extends ContractObject {
  /** The media types and ranges of the property; empty for the default. */
  get contentTypes(): readonly string[] {
    const types = String(this.node['contentType'] ?? '').split(',');
    return types.map((type) => type.trim()).filter(Boolean);
  }

  /**
   * With `style`, `explode` or `allowReserved`: the serialization as a query parameter, without
   * `contentTypes`; undefined without all three.
   */
  get serialization(): Serialization | undefined {
    const { style, explode, allowReserved } = this.node;
    const isPlain = [style, explode, allowReserved].every((each) => each === undefined);
    return isPlain ? undefined : this.styled;
  }

  /** The serialization as a query parameter, with the defaults of OpenAPI. */
  get styled(): Serialization {
    const { style, explode, allowReserved } = this.node;
    return serializationOf({ style, explode, allowReserved });
  }

  /** Of a nested form (OpenAPI 3.2), by name of its property. */
  get encodings(): ReadonlyMap<string, Encoding> {
    return this.map(Encoding, 'encoding');
  }

  /** The headers of a part by name, without Content-Type, which OpenAPI ignores. */
  get headers(): ReadonlyMap<string, Header> {
    return withoutContentType(this.map(Header, 'headers'));
  }
}

export type ParameterLocation = 'path' | 'query' | 'querystring' | 'header' | 'cookie';

/** Header parameters that OpenAPI ignores (OpenAPI 3.0.3, Parameter Object). */
const RESERVED = new Set(['accept', 'content-type', 'authorization']);

/** A Header Object; its name is the key of the map that contains it. */
export class Header extends DescribedValue {
  get isRequired(): boolean {
    return this.node['required'] === true;
  }

  get contents(): Contents<Content> {
    return contentsOf(this.contract, this);
  }

  /** The only entry of `content`; undefined for a value that is serialized by `style`. */
  get content(): ContentEntry<Content> | undefined {
    return this.contents.entries[0];
  }

  /** The extensions of the schema apply where the object has none of its own. */
  override get deprecation(): Deprecation | undefined {
    if (!isDeprecated(this.node)) return undefined;
    return deprecationIn({ ...Object(this.node['schema']), ...this.node });
  }

  /** The Media Type Object of `content`, else this: its schema and examples are those of the value. */
  get described(): DescribedValue {
    return this.content?.content ?? this;
  }

  /** The schemas of the value, also those of `content`. */
  get valueSchema(): Schema | undefined {
    return this.described.schema;
  }

  /** Also those of `content`. */
  override get schemas(): readonly Schema[] {
    return [...super.schemas, ...this.contents.values().flatMap(({ schemas }) => schemas)];
  }

  get serialization(): Serialization {
    return serializationOf({ in: 'header', ...this.node });
  }
}

/** A Parameter Object. */
export class Parameter extends Header {
  get name(): string {
    return this.node['name'];
  }

  get in(): ParameterLocation {
    return this.node['in'];
  }

  /** For messages: `query parameter limit`. */
  get title(): string {
    return `${this.in} parameter ${this.name}`;
  }

  /** A path parameter is always required. */
  override get isRequired(): boolean {
    return super.isRequired || this.in === 'path';
  }

  /** True for a header that OpenAPI ignores. */
  get isReserved(): boolean {
    return isReservedHeader(this);
  }

  get allowsEmpty(): boolean {
    return this.node['allowEmptyValue'] === true;
  }

  override get serialization(): Serialization {
    return serializationOf(this.node);
  }
}

/** A Response Object. */
export class Response extends ContractObject {
  #headers: ReadonlyMap<string, Header> | undefined;
  #declaredHeaders: ReadonlyMap<string, Header> | undefined;

  get contents(): Contents<Content> {
    return contentsOf(this.contract, this);
  }

  /** By name, without Content-Type, which OpenAPI ignores. */
  get headers(): ReadonlyMap<string, Header> {
    this.#headers ??= withoutContentType(this.declaredHeaders);
    return this.#headers;
  }

  /** By name, also Content-Type. */
  get declaredHeaders(): ReadonlyMap<string, Header> {
    this.#declaredHeaders ??= this.map(Header, 'headers');
    return this.#declaredHeaders;
  }

  /** The schemas of its headers and bodies. */
  get schemas(): readonly Schema[] {
    const ofHeaders = [...this.declaredHeaders.values()].flatMap(({ schemas }) => schemas);
    return [...ofHeaders, ...this.contents.values().flatMap(({ schema }) => schema ?? [])];
  }

  get links(): ReadonlyMap<string, Link> {
    return this.map(Link, 'links');
  }
}

/** A Link Object: an operation, and the values of its parameters in a response. */
export class Link extends ContractObject {
  get operationId(): string | undefined {
    return this.node['operationId'];
  }

  /** The JSON pointer of an `operationRef` in this document; undefined for one of another. */
  get operationPointer(): string | undefined {
    const ref = String(this.node['operationRef'] ?? '');
    return ref.startsWith('#') ? unescapeUri(ref.slice(1)) : undefined;
  }

  /** Runtime expressions and constants by name: `id` or `path.id`. */
  get parameters(): Readonly<Record<string, unknown>> {
    return this.node['parameters'] ?? {};
  }
}

/** The responses of an operation by status code, range (`4XX`) or `default`, in their order. */
export class Responses extends Map<string, Response> {
  /**
   * @param status a status code or a range
   * @returns the key of its response: the code, else its range, else `default`; undefined if none is declared
   */
  keyFor(status: number | string): string | undefined {
    const code = String(status);
    const family = code.charAt(0);
    const keys = [code, `${family}XX`, `${family}xx`, 'default'];
    return keys.find((key) => this.has(key));
  }

  /** @param status a status code or a range @returns the response of the code, else of its range, else `default` */
  for(status: number | string): Response | undefined {
    const key = this.keyFor(status);
    return key === undefined ? undefined : this.get(key);
  }

  /** The first declared response of a 2xx status. */
  get success(): Response | undefined {
    return [...this].find(([status]) => status.startsWith('2'))?.[1];
  }
}

/** @returns the headers without Content-Type, which OpenAPI ignores */
function withoutContentType(headers: ReadonlyMap<string, Header>): ReadonlyMap<string, Header> {
  return new Map([...headers].filter(([name]) => name.toLowerCase() !== 'content-type'));
}

/** True for a header parameter that OpenAPI ignores (OpenAPI 3.0.3, Parameter Object). */
export function isReservedHeader({ in: where, name }: ParameterFields): boolean {
  return where === 'header' && RESERVED.has(String(name).toLowerCase());
}

interface ParameterFields {
  readonly in?: unknown;
  readonly name?: unknown;
}

const NONE = new Contents<Content>([]);
const CONTENTS = new WeakMap<ContractObject, Contents<Content>>();

/** @param holder a Request Body, Response, Parameter or Header @returns its Media Type Objects */
export function contentsOf(
  contract: ContractDocument,
  holder: ContractObject | undefined,
): Contents<Content> {
  if (holder === undefined) return NONE;
  return memo(CONTENTS, holder, () => {
    const children = contract.children(locationOf(holder), 'content');
    return new Contents(mapped(children, (location) => objectAt(contract, Content, location)));
  });
}

export interface Serialization {
  readonly style: string;
  readonly explode: boolean;
  /** True if reserved characters are not percent-encoded; only in paths, queries and cookies. */
  readonly allowReserved?: boolean;
}

/** The fields of a Parameter, Header or Encoding Object that determine its serialization. */
interface SerializationFields {
  readonly in?: unknown;
  readonly style?: unknown;
  readonly explode?: unknown;
  readonly allowReserved?: unknown;
}

/** @returns the serialization of a Parameter, Header or Encoding Object, with the defaults of OpenAPI 3.2.0 */
export function serializationOf(fields: SerializationFields): Serialization {
  const { in: where, style, explode, allowReserved } = fields;
  const usual = where === 'path' || where === 'header' ? 'simple' : 'form';
  const effective = String(style ?? usual);
  const isExploded = effective === 'form' || effective === 'cookie';
  return {
    style: effective,
    explode: typeof explode === 'boolean' ? explode : isExploded,
    allowReserved: allowReserved === true,
  };
}

/** A value with its JSON pointer. */
export interface LocatedValue {
  readonly pointer: string;
  readonly value: unknown;
}

/** The value of `example`, or an Example Object of `examples`. */
export interface Example {
  /** Its key in `examples`; undefined for `example`. */
  readonly name: string | undefined;
  readonly pointer: string;
  /** The Example Object; undefined for `example`. */
  readonly object: Readonly<Record<string, unknown>> | undefined;
  /**
   * @param type the media type of the example; undefined for a parameter
   * @returns `dataValue` (OpenAPI 3.2), `value`, else the parsed `serializedValue` of JSON or text; undefined
   *   for another serialized form, and for `externalValue`
   */
  read(type?: string): LocatedValue | undefined;
}

/** @returns the value of `example` */
function plainExample(pointer: string, value: unknown): Example {
  return { name: undefined, pointer, object: undefined, read: () => ({ pointer, value }) };
}

/** @returns an Example Object */
function namedExample(name: string, location: LocatedNode): Example {
  const { pointer, node } = location;
  return { name, pointer, object: node, read: (type) => readValue(location, type) };
}

function readValue({ node, pointer }: LocatedNode, type?: string): LocatedValue | undefined {
  for (const keyword of ['dataValue', 'value']) {
    if (keyword in node) return { pointer: `${pointer}/${keyword}`, value: node[keyword] };
  }
  const { serializedValue } = node;
  if (typeof serializedValue !== 'string' || type === undefined) return undefined;
  const at = `${pointer}/serializedValue`;
  if (type.startsWith('text/')) return { pointer: at, value: serializedValue };
  const value = isJsonMediaType(type) ? parsedJson(serializedValue) : undefined;
  return value === undefined ? undefined : { pointer: at, value };
}

/** @returns undefined for text that is not JSON */
export function parsedJson(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
