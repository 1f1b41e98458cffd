// Announces deprecated parts of requests to the callers that use them, and refuses them after their sunset.

import {
  Applicators,
  type Applied,
  type ContractObject,
  type Deprecation,
  deprecationIn,
  escapeToken,
  gone,
  inPlaceSchemas,
  isDeprecated,
  isObject,
  itemsSchemas,
  type Node,
  type Operation,
  once,
  otherProperties,
  type Parameter,
  Reaching,
  type Schema,
  type SchemaValues,
} from '@stubwright/contract';
import { Evaluation, sentValue, type Validators, type Where } from '@stubwright/contract/values';
import type { AnnouncedUse, Exchange } from '../request/exchange.ts';
import { nameIn } from '../response/compiledResponse.ts';
import type { HttpResponse } from '../response/reply.ts';

/** What happens to requests that use a part with `x-sunset`. */
export interface SunsetPolicy {
  /** True to respond 410 from the date on. */
  readonly refuses: boolean;
}

/** Who used which deprecated parts. */
export interface DeprecatedUsage {
  /** The name of the principal, or `anonymous`. */
  readonly caller: string;
  /** `operation`, `query parameter limit`, `body /tag`. */
  readonly parts: readonly string[];
  /** The earliest date of the parts, in milliseconds since 1970; undefined without one. */
  readonly sunset: number | undefined;
}

export class Deprecations {
  readonly #validators: Validators;
  readonly #policy: SunsetPolicy | undefined;
  /** Of deprecated operations, for errors before the handler. */
  readonly #operations = new Map<Operation | undefined, OperationDeprecation>();

  constructor(validators: Validators, policy: SunsetPolicy | undefined) {
    this.#validators = validators;
    this.#policy = policy;
  }

  /**
   * Returns a step that sets the deprecated parts of a request, and refuses those after their sunset.
   *
   * @returns undefined for an operation whose requests cannot use a deprecated part
   */
  sunset(operation: Operation): ((exchange: Exchange) => void) | undefined {
    const { requestBody, parameters, deprecation } = operation;
    if (!deprecation && !requestBody && parameters.length === 0) return undefined;
    if (deprecation !== undefined) {
      this.#operations.set(operation, deprecationOf(operation, this.#validators)!);
    }
    // Compiled at the first request, as the validators are.
    const own = once(() => deprecationOf(operation, this.#validators));
    return (exchange) => {
      const use = own()?.of(exchange);
      if (use === undefined) return;
      exchange.deprecated = use;
      this.#expectServed(use);
    };
  }

  /** @returns the response, with the deprecated parts that its request uses */
  readonly announce = <Response extends HttpResponse>(
    exchange: Exchange,
    response: Response,
  ): Response & { readonly deprecated?: DeprecatedUsage } => {
    const { deprecated, operation, principal } = exchange;
    const use = deprecated ?? this.#operations.get(operation)?.unconditional;
    if (use === undefined) return response;
    const { parts, sunset } = use;
    const caller = principal?.name ?? 'anonymous';
    return {
      ...response,
      headers: announced(response.headers, use),
      deprecated: { caller, parts: parts.map(({ name }) => name), sunset },
    };
  };

  #expectServed({ sunset, parts }: AnnouncedUse): void {
    if (sunset === undefined || !this.#policy?.refuses) return;
    if (Date.now() < sunset) return;
    const due = parts.filter((part) => part.sunset === sunset);
    const names = due.map(({ name }) => name).join(', ');
    throw gone(`${names}: removed on ${new Date(sunset).toISOString().slice(0, 10)}`);
  }
}

/** @returns true if an object of the document is deprecated */
export function declaresDeprecation(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  return isDeprecated(node) || Object.values(node).some(declaresDeprecation);
}

/** @returns the headers of a response with those of the use; `Link` is a list (RFC 8288, section 3) */
function announced(
  headers: Readonly<Record<string, string>>,
  use: AnnouncedUse,
): Readonly<Record<string, string>> {
  const own = nameIn(headers, 'link');
  const { Link } = use.headers;
  if (own === undefined || Link === undefined) return { ...headers, ...use.headers };
  const { [own]: links, ...rest } = headers;
  return { ...rest, ...use.headers, Link: `${links}, ${Link}` };
}

/** Selects the deprecated parts that a request uses. */
interface UsedParts {
  (exchange: Exchange): readonly DeprecatedPart[];
  /** All that it can select. */
  readonly parts: readonly DeprecatedPart[];
}

/** The deprecated parts of one operation. */
class OperationDeprecation {
  readonly #always: readonly DeprecatedPart[];
  readonly #readers: readonly UsedParts[];
  /** For a request that no handler has seen. */
  readonly unconditional: AnnouncedUse | undefined;

  constructor(always: readonly DeprecatedPart[], readers: readonly UsedParts[]) {
    this.#always = always;
    this.#readers = readers;
    this.unconditional = useOf(always);
  }

  /** The names of the headers that a response may have. */
  get announcedHeaders(): string[] {
    const parts = [...this.#always, ...this.#readers.flatMap((each) => each.parts)];
    return Object.keys(useOf(parts)?.headers ?? {});
  }

  /** @param exchange with a valid request @returns undefined for a request that uses no deprecated part */
  of(exchange: Exchange): AnnouncedUse | undefined {
    if (this.#readers.length === 0) return this.unconditional;
    return useOf([...this.#always, ...this.#readers.flatMap((read) => read(exchange))]);
  }
}

/** @returns undefined for an operation whose requests have no deprecated part */
export function deprecationOf(
  operation: Operation,
  validators: Validators,
): OperationDeprecation | undefined {
  const { parameters } = operation;
  const own = partsOf('operation', operation);
  const readers = [
    ...parameters.flatMap((parameter) => parameterReader(parameter, validators)),
    ...bodyReader(operation, validators),
  ];
  return own.length + readers.length === 0 ? undefined : new OperationDeprecation(own, readers);
}

/** @returns the part itself if it is deprecated */
function partsOf(name: string, { deprecation }: ContractObject): DeprecatedPart[] {
  return deprecation === undefined ? [] : [{ name, ...deprecation }];
}

function parameterReader(parameter: Parameter, validators: Validators): UsedParts[] {
  const { in: location, name, title } = parameter;
  if (parameter.isReserved) return [];
  const where: Where = location === 'querystring' ? 'query' : location;
  const own = partsOf(title, parameter);
  const values = new DeprecatedValues(parameter.schemas, title, validators);
  const parts = [...own, ...values.parts];
  if (parts.length === 0) return [];
  const read = ({ parameters }: Exchange) => {
    const value = sentValue(parameters, where, name);
    if (value === undefined) return NONE;
    return own.length > 0 ? [...own, ...values.within(value)] : values.of(value);
  };
  return [Object.assign(read, { parts })];
}

const NONE: readonly DeprecatedPart[] = [];

function bodyReader({ request }: Operation, validators: Validators): UsedParts[] {
  const contents = request.map(({ schemas }) => new DeprecatedValues(schemas, 'body', validators));
  const parts = contents.values().flatMap((content) => content.parts);
  if (parts.length === 0) return [];
  const read = ({ parsedBody: { mediaType, isStream, value } }: Exchange) => {
    const selected = isStream === true ? undefined : contents.select(mediaType);
    return selected?.content.within(value) ?? NONE;
  };
  return [Object.assign(read, { parts })];
}

/** @returns undefined without parts */
function useOf(parts: readonly DeprecatedPart[]): AnnouncedUse | undefined {
  if (parts.length === 0) return undefined;
  const since = earliest(parts.map((part) => part.since));
  const sunset = earliest(parts.map((part) => part.sunset));
  const links = [...new Set(parts.flatMap(({ link }) => link ?? []))];
  const headers = {
    // RFC 9745, section 2: seconds since 1970 as a Date of RFC 9651.
    ...(since !== undefined && { Deprecation: `@${Math.floor(since / 1000)}` }),
    // RFC 8594, section 3.
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
    ...(links.length > 0 && {
      Link: links.map((url) => `<${url}>; rel="deprecation"`).join(', '),
    }),
  };
  return { parts, headers, sunset };
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** A deprecated operation, parameter or property. */
interface DeprecatedPart extends Deprecation {
  /** `operation`, `query parameter limit`, `body /tag`. */
  readonly name: string;
}

/** Of the schemas that apply to a value. */
interface Deprecated {
  /** Of several deprecated ones the outermost. */
  readonly holder: Schema | undefined;
  /** By name of a declared property. */
  readonly declared: ReadonlyMap<string, Schema>;
}

type Located = SchemaValues<Deprecated>;
type Found = Map<string, DeprecatedPart>;

/** The values of a parameter or a body. */
class DeprecatedValues {
  readonly #name: string;
  readonly #values: Located;
  /** The names of the locations of schemas; those within a recursive schema have the first one. */
  readonly #names = new Map<Schema, string>();

  /** @param name of the whole value */
  constructor(schemas: readonly Schema[], name: string, validators: Validators) {
    const reaching = new Reaching(({ written }) => isDeprecated(written));
    const isRelevant = (schema: Schema) => reaching.from(schema);
    const applicators = new Applicators<Deprecated>(validators, {
      isRelevant,
      readsContains: true,
      compile: deprecatedIn,
    });
    this.#name = name;
    this.#values = applicators.values(schemas);
    if (!this.#values.isEmpty) this.#nameLocations(schemas);
  }

  /** All that values may use. */
  get parts(): DeprecatedPart[] {
    return [...this.#names]
      .filter(([{ written }]) => isDeprecated(written))
      .map(([schema, name]) => partOf(schema, name));
  }

  /** @param value valid and without defaults @returns the parts that it uses */
  of(value: unknown): DeprecatedPart[] {
    const found: Found = new Map();
    if (!this.#values.isEmpty)
      this.#collect(value, this.#values, this.#name, new Evaluation(value), found);
    return [...found.values()];
  }

  /** As {@link of}, without the value itself. */
  within(value: unknown): DeprecatedPart[] {
    return this.of(value).filter(({ name }) => name !== this.#name);
  }

  #collect(
    value: unknown,
    values: Located,
    name: string,
    evaluation: Evaluation,
    found: Found,
  ): void {
    const applied = values.applying(value, evaluation);
    const { holder, declared } = applied.data;
    if (holder !== undefined && !found.has(name)) found.set(name, partOf(holder, name));
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) {
        const item = applied.item(at);
        if (!item.isEmpty) this.#collect(value[at], item, name, evaluation, found);
      }
    } else if (isObject(value)) {
      for (const [property, each] of Object.entries(value)) {
        const inner = applied.property(property);
        if (inner.isEmpty) continue;
        const schema = declared.get(property) ?? inner.schemas[0]!;
        this.#collect(each, inner, this.#names.get(schema)!, evaluation, found);
      }
    }
  }

  /** Breadth first: each location has its shortest name. */
  #nameLocations(roots: readonly Schema[]): void {
    const add = (schemas: Iterable<Schema>, name: string) => {
      for (const each of schemas) if (!this.#names.has(each)) this.#names.set(each, name);
    };
    add(roots, this.#name);
    for (const [schema, name] of this.#names) {
      add([...inPlaceSchemas(schema), ...itemsSchemas(schema)], name);
      for (const [property, each] of schema.map('properties')) {
        add([each], this.#propertyName(name, property));
      }
      add(otherProperties(schema), this.#propertyName(name, '*'));
    }
  }

  /** @param property `*` for one without a declaration, which has the name of its object within a value */
  #propertyName(name: string, property: string): string {
    if (name === this.#name) return `${name} /${escapeToken(property)}`;
    return property === '*' ? name : `${name}/${escapeToken(property)}`;
  }
}

function partOf({ written }: Schema, name: string): DeprecatedPart {
  return { name, ...deprecationIn(written as Node) };
}

function deprecatedIn({ schemas }: Applied<Deprecated>): Deprecated {
  const all = [...schemas];
  return {
    holder: all.findLast(({ written }) => isDeprecated(written)),
    declared: new Map(all.flatMap((schema) => [...schema.map('properties')])),
  };
}
