// The deprecated parts of an operation, and the response headers that announce them.
import { type Definition, isObject, type Node, type Operation } from '../document/definition.ts';
import type { AnnouncedUse, Exchange } from '../request/exchange.ts';
import { type Schema, SchemaModel } from '../schema/model.ts';
import { lenientTest, type PatternTest } from '../schema/pattern.ts';

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

/** A value on the way to a deprecated property, and the steps to its properties and items. */
interface PropertyStep {
  readonly own: DeprecatedPart | undefined;
  /** Of declared properties; undefined for one that leads to no deprecated property. */
  readonly declared: Map<string, PropertyStep | undefined>;
  /** Of other properties, by schema: those of the patterns that match, else the one for additional properties. */
  readonly others: OtherSteps[];
  /** Of the first items. */
  readonly heads: (PropertyStep | undefined)[];
  /** Of the items after them. */
  rest: PropertyStep | undefined;
}

interface OtherSteps {
  readonly patterns: readonly (readonly [PatternTest, PropertyStep | undefined])[];
  readonly additional: PropertyStep | undefined;
}

/** @returns all steps from a value */
function nextSteps({ declared, others, heads, rest }: PropertyStep): PropertyStep[] {
  const all = [
    ...[...declared.values(), ...heads, rest],
    ...others.flatMap(({ patterns, additional }) => [
      ...patterns.map(([, step]) => step),
      additional,
    ]),
  ];
  return all.flatMap((each) => each ?? []);
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
  for (const step of all) {
    if (step.own !== undefined) parts.add(step.own);
    for (const each of nextSteps(step)) all.add(each);
  }
  const read = ({ parsedBody }: Exchange) => {
    if (parsedBody.isStream === true || parsedBody.mediaType === undefined) return NONE;
    const found = new Set<DeprecatedPart>();
    for (const step of steps) collectUsed(parsedBody.value, step, found);
    return [...found];
  };
  return [Object.assign(read, { parts: [...parts] })];
}

/** The name of a body in the parts. */
const BODY = 'body';

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
  const deprecated = name === BODY ? [] : [...all].filter((each) => isDeprecated(each.written));
  const own = deprecated.map((each) => partOf(name, each.written as Node))[0];
  const step: PropertyStep = { own, declared: new Map(), others: [], heads: [], rest: undefined };
  known.set(key, step);
  addProperties(step, [...all], (each, property) => stepsIn(each, nameOf(name, property), known));
  addItems(step, [...all], (each) => stepsIn(each, name, known));
  return step;
}

/** @param property `*` for one without a declaration, which has the name of its object within a body */
function nameOf(name: string, property: string): string {
  if (name === BODY) return `body /${property}`;
  return property === '*' ? name : `${name}/${property}`;
}

type StepTo = (schemas: readonly Schema[], property: string) => PropertyStep | undefined;

function addProperties(step: PropertyStep, schemas: readonly Schema[], to: StepTo): void {
  for (const name of new Set(schemas.flatMap((each) => [...each.map('properties').keys()]))) {
    const own = schemas.flatMap((each) => propertySchemas(each, name));
    step.declared.set(name, to(own, name));
  }
  for (const schema of schemas) {
    const patterns = [...schema.map('patternProperties')].map(
      ([pattern, each]) => [lenientTest(pattern), to([each], '*')] as const,
    );
    const others = additionalOf(schema);
    const additional = others && to([others], '*');
    if (additional === undefined && patterns.every(([, each]) => each === undefined)) continue;
    step.others.push({ patterns, additional });
  }
}

/** @returns the subschemas of one schema that apply to a property */
function propertySchemas(schema: Schema, name: string): Schema[] {
  const own = [
    ...[schema.map('properties').get(name)],
    ...[...schema.map('patternProperties')]
      .filter(([pattern]) => lenientTest(pattern).test(name))
      .map(([, each]) => each),
  ].flatMap((each) => each ?? []);
  return own.length > 0 ? own : [additionalOf(schema)].flatMap((each) => each ?? []);
}

function additionalOf(schema: Schema): Schema | undefined {
  return schema.child('additionalProperties') ?? schema.child('unevaluatedProperties');
}

function addItems(
  step: PropertyStep,
  schemas: readonly Schema[],
  to: (schemas: readonly Schema[]) => PropertyStep | undefined,
): void {
  const itemsOf = (at: number) =>
    schemas.flatMap((each) => {
      const item =
        each.list('prefixItems')[at] ?? each.child('items') ?? each.child('unevaluatedItems');
      return item ?? [];
    });
  const length = Math.max(0, ...schemas.map((each) => each.list('prefixItems').length));
  for (let at = 0; at < length; at++) step.heads.push(to(itemsOf(at)));
  step.rest = to(itemsOf(length));
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

function collectUsed(value: unknown, step: PropertyStep, found: Set<DeprecatedPart>): void {
  const { own, declared, others, heads, rest } = step;
  if (own !== undefined) found.add(own);
  const collect = (each: unknown, next: PropertyStep | undefined) => {
    if (next !== undefined) collectUsed(each, next, found);
  };
  if (Array.isArray(value)) {
    if (heads.length === 0 && rest === undefined) return;
    for (const [at, each] of value.entries()) collect(each, at < heads.length ? heads[at] : rest);
  } else if (isObject(value)) {
    for (const [name, each] of Object.entries(value)) {
      if (declared.has(name)) collect(each, declared.get(name));
      else for (const next of otherSteps(name, others)) collect(each, next);
    }
  }
}

function otherSteps(name: string, others: readonly OtherSteps[]): (PropertyStep | undefined)[] {
  return others.flatMap(({ patterns, additional }) => {
    const matching = patterns.filter(([pattern]) => pattern.test(name));
    return matching.length > 0 ? matching.map(([, step]) => step) : [additional];
  });
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
