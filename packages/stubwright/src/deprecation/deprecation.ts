// The deprecated parts of an operation, and the response headers that announce them.
import { type Definition, isObject, type Node, type Operation } from '../document/definition.ts';
import type { AnnouncedUse, Exchange } from '../request/exchange.ts';
import { type Schema, SchemaModel } from '../schema/model.ts';

/** A deprecated operation, parameter or property. */
export interface DeprecatedPart {
  /** `operation`, `query parameter limit`, `body /tag`. */
  readonly name: string;
  /** Milliseconds since 1970, of `x-deprecated-since`; undefined without it. */
  readonly since: number | undefined;
  /** Of `x-sunset`. */
  readonly sunset: number | undefined;
  /** Of `externalDocs`. */
  readonly link: string | undefined;
}

/** Selects the deprecated parts that a request uses. */
interface UsedParts {
  (exchange: Exchange): readonly DeprecatedPart[];
  /** All that it can select. */
  readonly parts: readonly DeprecatedPart[];
}

/** The deprecated parts of one operation. */
export class OperationDeprecation {
  readonly #always: readonly DeprecatedPart[];
  readonly #readers: readonly UsedParts[];
  /** The uses of the same parts share their headers. */
  readonly #uses = new Map<string, AnnouncedUse>();
  /** For a request that no handler has seen. */
  readonly unconditional: AnnouncedUse | undefined;

  constructor(always: readonly DeprecatedPart[], readers: readonly UsedParts[]) {
    this.#always = always;
    this.#readers = readers;
    this.unconditional = this.#use(always);
  }

  /** The names of the headers that a response may have. */
  get announcedHeaders(): string[] {
    const parts = [...this.#always, ...this.#readers.flatMap((each) => each.parts)];
    return Object.keys(headersOf(parts, earliest(parts.map((each) => each.sunset))));
  }

  /** @param exchange with a valid request @returns undefined for a request that uses no deprecated part */
  of(exchange: Exchange): AnnouncedUse | undefined {
    if (this.#readers.length === 0) return this.unconditional;
    return this.#use([...this.#always, ...this.#readers.flatMap((read) => read(exchange))]);
  }

  #use(parts: readonly DeprecatedPart[]): AnnouncedUse | undefined {
    if (parts.length === 0) return undefined;
    const key = parts.map(({ name }) => name).join('\n');
    const known = this.#uses.get(key);
    if (known !== undefined) return known;
    const sunset = earliest(parts.map((each) => each.sunset));
    const use = { parts, headers: headersOf(parts, sunset), sunset };
    if (this.#uses.size < MAX_USES) this.#uses.set(key, use);
    return use;
  }
}

/** The number of combinations of an operation that are kept. */
const MAX_USES = 100;

/** @returns undefined for an operation whose requests have no deprecated part */
export function deprecationOf(
  operation: Operation,
  definition: Definition,
): OperationDeprecation | undefined {
  const { location, parameters } = operation;
  const own = isDeprecated(location.node) ? [partOf('operation', location.node)] : [];
  const readers = [
    ...parameters.flatMap(({ node }) => parameterReader(node)),
    ...bodyReader(operation, definition),
  ];
  return own.length + readers.length === 0 ? undefined : new OperationDeprecation(own, readers);
}

function isDeprecated(node: unknown): boolean {
  return isObject(node) && node.deprecated === true;
}

function partOf(name: string, node: Node): DeprecatedPart {
  const url: unknown = node.externalDocs?.url;
  // A header has no other characters, and `>` ends the target (RFC 8288, section 3).
  const isTarget = typeof url === 'string' && /^[\x21-\x3b\x3d\x3f-\x7e]+$/.test(url);
  return {
    name,
    since: timeOf(node['x-deprecated-since']),
    sunset: timeOf(node['x-sunset']),
    link: isTarget ? url : undefined,
  };
}

/** @returns milliseconds since 1970 of a date (RFC 3339); undefined for another value */
export function timeOf(date: unknown): number | undefined {
  if (typeof date !== 'string' || !DATE.test(date)) return undefined;
  const time = Date.parse(date);
  if (Number.isNaN(time)) return undefined;
  // 2026-02-30 parses as a day of March.
  const day = date.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) === day ? time : undefined;
}

const DATE = /^\d{4}-\d\d-\d\d(?:[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d))?$/;

function parameterReader(node: Node): UsedParts[] {
  const { in: where, name, schema } = node;
  const holder = isDeprecated(node) ? node : isDeprecated(schema) ? schema : undefined;
  if (holder === undefined) return [];
  const used = [partOf(`${where} parameter ${name}`, { ...schema, ...holder })];
  const isSent = isSentIn(String(where), String(name));
  return [Object.assign((exchange: Exchange) => (isSent(exchange) ? used : NONE), { parts: used })];
}

const NONE: readonly DeprecatedPart[] = [];

function isSentIn(where: string, name: string): (exchange: Exchange) => boolean {
  switch (where) {
    case 'query': {
      // `filter[a]=1` is the parameter `filter`.
      const start = `${name}[`;
      return ({ queryText, searchParams }) =>
        queryText !== '' &&
        (searchParams.has(name) || [...searchParams.keys()].some((key) => key.startsWith(start)));
    }
    case 'header':
      return ({ headers }) => headers[name.toLowerCase()] !== undefined;
    case 'cookie': {
      const start = `${name}=`;
      return ({ headers: { cookie = '' } }) =>
        cookie.split(/; */).some((pair) => pair.startsWith(start));
    }
    default:
      return () => true;
  }
}

/** A property on the way to a deprecated one; `*` is each item or each additional property. */
interface PropertyStep {
  readonly own: DeprecatedPart | undefined;
  readonly inner: ReadonlyMap<string, PropertyStep>;
}

function bodyReader({ requestBody }: Operation, definition: Definition): UsedParts[] {
  if (requestBody === undefined) return [];
  const model = SchemaModel.of(definition);
  const steps = [...definition.children(requestBody, 'content').values()].flatMap(({ pointer }) => {
    const schema = model.at(`${pointer}/schema`);
    const step = schema && stepsIn([schema], 'body');
    return step === undefined ? [] : [step];
  });
  if (steps.length === 0) return [];
  const parts = new Set<DeprecatedPart>();
  const all = new Set(steps);
  for (const { own, inner } of all) {
    if (own !== undefined) parts.add(own);
    for (const each of inner.values()) all.add(each);
  }
  const read = ({ parsedBody }: Exchange) => {
    if (parsedBody.isStream === true || parsedBody.mediaType === undefined) return NONE;
    const found = new Set<DeprecatedPart>();
    for (const step of steps) collectUsed(parsedBody.value, step, found);
    return [...found];
  };
  return [Object.assign(read, { parts: [...parts] })];
}

/**
 * @param known the steps by their schemas: those of a recursive schema are a cycle
 * @param name of the first location on the way
 */
function stepsIn(
  schemas: readonly Schema[],
  name: string,
  known = new Map<string, PropertyStep>(),
): PropertyStep | undefined {
  if (!schemas.some(reachesDeprecated)) return undefined;
  const key = schemas.map((each) => (each.ref ?? each).pointer).join(' ');
  const before = known.get(key);
  if (before !== undefined) return before;
  const all = new Set(schemas);
  for (const each of all) for (const inner of each.inPlace) all.add(inner);
  const deprecated = name === 'body' ? [] : [...all].filter((each) => isDeprecated(each.written));
  const own = deprecated.map((each) => partOf(name, each.written as Node))[0];
  const inner = new Map<string, PropertyStep>();
  const step = { own, inner };
  known.set(key, step);
  for (const [property, each] of propertiesOf(all)) {
    const prefix = name === 'body' ? 'body ' : name;
    const next = stepsIn(each, property === '*' ? name : `${prefix}/${property}`, known);
    if (next !== undefined) inner.set(property, next);
  }
  return step;
}

/** @returns the schemas by property; `*` for items and other properties */
function propertiesOf(schemas: Iterable<Schema>): Map<string, Schema[]> {
  const properties = new Map<string, Schema[]>();
  const add = (key: string, schema: Schema | undefined) => {
    if (schema !== undefined) properties.set(key, [...(properties.get(key) ?? []), schema]);
  };
  for (const each of schemas) {
    for (const [key, schema] of each.map('properties')) add(key, schema);
    for (const key of ['items', 'additionalProperties'] as const) add('*', each.child(key));
  }
  return properties;
}

const reaching = new WeakMap<Schema, boolean>();

/** Most schemas reach no deprecated one, and a walk of all paths through a contract has no bound. */
function reachesDeprecated(schema: Schema): boolean {
  const known = reaching.get(schema);
  if (known !== undefined) return known;
  const all = new Set([schema]);
  let found = false;
  for (const each of all) {
    if (found || isDeprecated(each.written)) {
      found = true;
      break;
    }
    for (const inner of each.inner) all.add(inner);
  }
  if (!found) for (const each of all) reaching.set(each, false);
  reaching.set(schema, found);
  return found;
}

function collectUsed(
  value: unknown,
  { own, inner }: PropertyStep,
  found: Set<DeprecatedPart>,
): void {
  if (own !== undefined) found.add(own);
  if (inner.size === 0 || typeof value !== 'object' || value === null) return;
  const rest = inner.get('*');
  if (Array.isArray(value)) {
    if (rest !== undefined) for (const each of value) collectUsed(each, rest, found);
    return;
  }
  for (const [name, each] of Object.entries(value)) {
    const step = name === '*' ? undefined : inner.get(name);
    const used = step ?? rest;
    if (used !== undefined) collectUsed(each, used, found);
  }
}

function headersOf(parts: readonly DeprecatedPart[], sunset: number | undefined) {
  const since = earliest(parts.map((each) => each.since));
  const links = [...new Set(parts.flatMap(({ link }) => link ?? []))];
  return {
    // RFC 9745, section 2: seconds since 1970 as a Date of RFC 9651.
    ...(since !== undefined && { Deprecation: `@${Math.floor(since / 1000)}` }),
    // RFC 8594, section 3.
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
    ...(links.length > 0 && {
      Link: links.map((url) => `<${url}>; rel="deprecation"`).join(', '),
    }),
  };
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
