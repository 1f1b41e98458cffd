// Compiles the validators and serializers of a declared response.

import {
  type Contents,
  contentsOf,
  type Definition,
  isJsonMediaType,
  type LocatedNode,
  parseMediaType,
  type Schema,
  stringifyJson,
} from '@stubwright/contract';
import {
  Coercions,
  DeclaredHeaders,
  declaredOnly,
  type ItemCodec,
  type MediaContent,
  type MediaKind,
  mediaContentOf,
  mediaKindOf,
  NotSerializable,
  removedFrom,
  type Shape,
  type Streamer,
  type Validate,
  type Validators,
  type Violation,
  type Writer,
  writeParameter,
} from '@stubwright/contract/values';
import { valueViolation } from './headers.ts';

/** One entry of `content`, compiled. */
export class WritableContent {
  /** Undefined for a media type range. */
  readonly defaultType: string | undefined;
  readonly validate: Validate | undefined;
  readonly #media: MediaContent;
  /** Several for a media type range. */
  readonly #compiled = new Map<MediaKind, Compiled>();
  /** Most responses have the same media type. */
  #latest: Serializer | undefined;
  #declared: ReturnType<typeof declaredOnly> | undefined;

  constructor(validators: Validators, location: LocatedNode, key: string) {
    this.defaultType = key.includes('*') ? undefined : key;
    this.validate = validatorIn(validators, location);
    this.#media = mediaContentOf(location, validators);
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
  tryWrite(type: string, value: unknown): string | undefined {
    if (value === undefined || !this.isValid(value)) return undefined;
    try {
      return this.serializer(type).write(value);
    } catch (error) {
      if (error instanceof NotSerializable) return undefined;
      throw error;
    }
  }

  /** @param type the media type to send */
  serializer(type: string): Serializer {
    if (this.#latest?.type !== type) {
      const typeViolation = valueViolation('Content-Type', type);
      const { validate } = this;
      const undeclaredIn = (body: unknown) => this.#undeclaredIn(body);
      this.#latest = { type, typeViolation, validate, undeclaredIn, ...this.#compile(type) };
    }
    return this.#latest;
  }

  *#undeclaredIn(value: unknown): Generator<string> {
    const { schema, validators } = this.#media;
    if (schema === undefined) return;
    this.#declared ??= declaredOnly(validators, schema, { keepsHidden: true });
    const { declared, isCut } = this.#declared(value);
    if (!isCut) return;
    for (const { pointer, value: each } of removedFrom(value, declared)) {
      if (each !== undefined) yield pointer;
    }
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
    const compiled = { acceptsBytes, write, stream, items };
    this.#compiled.set(kind, compiled);
    return compiled;
  }
}

/** Serializes the bodies of one media type. */
export interface Serializer extends Compiled {
  readonly type: string;
  /** Why no Content-Type header can carry the type. */
  readonly typeViolation: string | undefined;
  readonly validate: Validate | undefined;
  /** @returns the JSON pointers of properties of a valid value that are not declared, and so not sent */
  readonly undeclaredIn: (value: unknown) => Iterable<string>;
}

interface Compiled {
  readonly acceptsBytes: boolean;
  readonly write: Writer;
  readonly stream: Streamer | undefined;
  /** Undefined for a body that is not a sequence. */
  readonly items: ItemCodec | undefined;
}

export interface CompiledHeader {
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

/** @param location a Response Object */
export function compileResponse(
  definition: Definition,
  validators: Validators,
  location: LocatedNode,
): CompiledResponse {
  // OpenAPI ignores a response header named Content-Type.
  const declared = [...definition.children(location, 'headers')]
    .map(([name, header]) => [name.toLowerCase(), header] as const)
    .filter(([name]) => name !== 'content-type');
  const required = declared.filter(([, { node }]) => node.required === true);
  const contents = contentsOf(definition, location).map(
    (each, key) => new WritableContent(validators, each, key),
  );
  return {
    headers: new Map(
      declared.map(([name, header]) => [name, compileHeader(definition, validators, header)]),
    ),
    requiredHeaders: required.map(([name]) => name),
    headerViolations: headerCheck(definition, validators, location),
    contents,
    defaultContent: contents.preferred?.content,
  };
}

/** Compiled at the first error response with headers. */
function headerCheck(
  definition: Definition,
  validators: Validators,
  location: LocatedNode,
): CompiledResponse['headerViolations'] {
  let compiled: DeclaredHeaders | undefined;
  return (headers) => {
    compiled ??= new DeclaredHeaders(
      definition,
      definition.children(location, 'headers'),
      validators,
      new Coercions(validators),
    );
    const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    return compiled.read(Object.fromEntries(sent)).violations;
  };
}

/** The only style of headers is `simple` (OpenAPI 3.0.3). */
function compileHeader(
  definition: Definition,
  validators: Validators,
  location: LocatedNode,
): CompiledHeader {
  const [media] = contentsOf(definition, location);
  if (media !== undefined) {
    const [type, holder] = media;
    const write = isJsonMediaType(type) ? (value: unknown) => stringifyJson(value) : String;
    return { validate: validatorIn(validators, holder), write };
  }
  const serialization = { style: 'simple', explode: location.node.explode === true };
  return {
    validate: validatorIn(validators, location),
    write: (value) =>
      typeof value === 'object'
        ? writeParameter('header', '', serialization, value).join()
        : String(value),
  };
}

function validatorIn(validators: Validators, { node, pointer }: LocatedNode) {
  return node.schema === undefined ? undefined : validators.at(`${pointer}/schema`);
}
