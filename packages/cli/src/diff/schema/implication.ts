// Proves that every value of some schemas is valid against others. Each property is absent, a listed constant,
// or any value of a range; each keyword that this does not decide is true or false independently. All
// combinations are tried, up to a limit: none that satisfies the first schemas may violate the second.
import { escapeToken, isObject, type Schema } from 'stubwright/contract';
import { canonical } from '../formatting.ts';
import { isAnnotation, isTrivial } from './trivial.ts';
import { type Type, typeOf } from './types.ts';

/** Maximum number of schemas that all combinations evaluate. */
const MAX_EVALUATIONS = 50_000;
/** Maximum number of names in a location: a schema may refer to itself. */
const MAX_DEPTH = 6;

type Limit = number | bigint;

/** The values at a location: absent, one constant, or those of a type between two limits, exclusive. */
type Values =
  | { readonly kind: 'absent' }
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'range'; readonly type: Type; readonly above: Limit; readonly below: Limit };

type Variable = { readonly fact: string } | { readonly location: string };

/** Undefined while it depends on variables without a value. */
type Truth = boolean | undefined;

/** A construct that is not modelled, or too many combinations. */
class Undecided extends Error {}

/** @returns true if every value that is valid against all of `sent` is valid against all of `accepted` */
export function implies(sent: readonly Schema[], accepted: readonly Schema[]): boolean {
  const versions = new Set([...sent, ...accepted].map(({ model }) => model.definition.isVersion30));
  if (sent.length === 0 || accepted.length === 0 || versions.size !== 1) return false;
  try {
    return !new Search(sent, accepted).isSatisfiable();
  } catch (error) {
    if (error instanceof Undecided) return false;
    throw error;
  }
}

class Search {
  readonly #sent: readonly Schema[];
  readonly #accepted: readonly Schema[];
  /** Locations -> the limits and constants that schemas compare their values with. */
  readonly #domains = new Map<string, Domain>();
  readonly #values = new Map<string, Values>();
  readonly #facts = new Map<string, boolean>();
  /** The first variable without a value. */
  #open: Variable | undefined;
  #evaluations = 0;

  constructor(sent: readonly Schema[], accepted: readonly Schema[]) {
    this.#sent = sent;
    this.#accepted = accepted;
    for (const each of [...sent, ...accepted]) this.#collect(each, '', new Set());
  }

  /** True if a combination satisfies the first schemas and violates the second. */
  isSatisfiable(): boolean {
    this.#open = undefined;
    const truth = and([() => this.#all(this.#sent, ''), () => not(this.#all(this.#accepted, ''))]);
    if (truth !== undefined) return truth;
    const open: Variable = this.#open!;
    const isFact = 'fact' in open;
    const choices = isFact ? [true, false] : this.#domains.get(open.location)!.values();
    for (const choice of choices) {
      if (isFact) this.#facts.set(open.fact, choice as boolean);
      else this.#values.set(open.location, choice as Values);
      if (this.isSatisfiable()) return true;
    }
    if (isFact) this.#facts.delete(open.fact);
    else this.#values.delete(open.location);
    return false;
  }

  /** Collects what the values at each location are compared with. */
  #collect(schema: Schema, at: string, around: ReadonlySet<Schema>): void {
    if (around.has(schema) || at.split('/').length > MAX_DEPTH) throw new Undecided();
    expectModelled(schema);
    const domain = this.#domains.get(at) ?? new Domain(at !== '');
    this.#domains.set(at, domain);
    domain.add(schema);
    const inside = new Set(around).add(schema);
    for (const each of schema.inPlace) this.#collect(each, at, inside);
    for (const [name, each] of schema.map('properties')) {
      this.#collect(each, within(at, name), new Set());
    }
    const required = [
      ...strings(schema.keywords['required']),
      ...dependentIn(schema).flatMap(([name, others]) => [name, ...others]),
      ...schema.map('dependentSchemas').keys(),
    ];
    for (const name of required) {
      const location = within(at, name);
      if (!this.#domains.has(location)) this.#domains.set(location, new Domain(true));
    }
  }

  #all(schemas: readonly Schema[], at: string): Truth {
    return and(schemas.map((each) => () => this.#schema(each, at)));
  }

  #schema(schema: Schema, at: string): Truth {
    if (++this.#evaluations > MAX_EVALUATIONS) throw new Undecided();
    if (schema.written === true) return true;
    if (schema.isNever) return false;
    const values = this.#valuesAt(at);
    if (schema.isNullable && isType(values, 'null') !== false) {
      return values === undefined ? undefined : true;
    }
    return and([
      () => this.#type(schema, values),
      () => this.#keywords(schema, at, values),
      () => this.#properties(schema, at, values),
      () => this.#applied(schema, at, values),
    ]);
  }

  #type({ types }: Schema, values: Values | undefined): Truth {
    if (types === undefined) return true;
    if (values === undefined) return undefined;
    const type = typeIn(values);
    if (type === 'integer') return types.has('integer') || types.has('number');
    return types.has(type === 'nonInteger' ? 'number' : type);
  }

  #keywords(schema: Schema, at: string, values: Values | undefined): Truth {
    const { keywords } = schema;
    const names = Object.keys(keywords).filter((name) => !isAnnotation(name) && !PARTS.has(name));
    if (names.length === 0) return true;
    if (values === undefined) return undefined;
    const type = typeIn(values);
    return and(
      names.map((name) => () => {
        const value = keywords[name];
        if (name === 'const') return this.#isListed(values, [value], at);
        if (name === 'enum') return this.#isListed(values, value as unknown[], at);
        if (name === 'required' || name === 'dependentRequired') return true;
        const applies = APPLIES[name]!(type);
        if (!applies) return true;
        return withinBound(name, value, values) ?? this.#fact(at, { [name]: value });
      }),
    );
  }

  #isListed(values: Values, listed: readonly unknown[], at: string): Truth {
    if (values.kind === 'constant') return listed.some((each) => isEqual(each, values.value));
    const type = typeIn(values);
    const empty = emptyIn(values);
    if (empty !== undefined) return listed.some((each) => canonical(each) === empty);
    // The constants of other types are values of their own.
    const isOpen = type === 'object' || type === 'array';
    const others = isOpen ? listed.filter((each) => typeOf(each) === type) : [];
    return others.length === 0 ? false : this.#fact(at, { enum: others });
  }

  #properties(schema: Schema, at: string, values: Values | undefined): Truth {
    const properties = schema.map('properties');
    const required = strings(schema.keywords['required']);
    const dependent = dependentIn(schema);
    if (properties.size + required.length + dependent.length === 0) return true;
    const isAnObject = isType(values, 'object');
    if (isAnObject !== true) return not(isAnObject);
    const has = (name: string) => this.#has(at, name);
    return and([
      ...required.map((name) => () => has(name)),
      ...dependent.map(
        ([name, others]) =>
          () =>
            or([() => not(has(name)), () => and(others.map((each) => () => has(each)))]),
      ),
      ...[...properties].map(([name, each]) => () => {
        const isPresent = has(name);
        return isPresent === true ? this.#schema(each, within(at, name)) : not(isPresent);
      }),
    ]);
  }

  #has(at: string, name: string): Truth {
    const values = this.#valuesAt(within(at, name));
    return values === undefined ? undefined : values.kind !== 'absent';
  }

  #applied(schema: Schema, at: string, values: Values | undefined): Truth {
    const each = (inner: Schema) => () => this.#schema(inner, at);
    const list = (keyword: 'allOf' | 'anyOf' | 'oneOf') => schema.list(keyword).map(each);
    const child = (keyword: 'not' | 'if' | 'then' | 'else') => schema.child(keyword);
    const [negated, condition] = [child('not'), child('if')];
    const parts: (() => Truth)[] = [...list('allOf')];
    if (schema.ref !== undefined) parts.push(each(schema.ref));
    if (schema.has('anyOf')) parts.push(() => or(list('anyOf')));
    if (schema.has('oneOf')) parts.push(() => exactlyOne(list('oneOf')));
    if (negated !== undefined) parts.push(() => not(this.#schema(negated, at)));
    if (condition !== undefined) {
      const then = child('then') ?? true;
      const otherwise = child('else') ?? true;
      const truthOf = (inner: Schema | true) => (inner === true ? true : this.#schema(inner, at));
      parts.push(
        () => or([() => not(this.#schema(condition, at)), () => truthOf(then)]),
        () => or([() => this.#schema(condition, at), () => truthOf(otherwise)]),
      );
    }
    for (const [name, inner] of schema.map('dependentSchemas')) {
      parts.push(() => {
        const isAnObject = isType(values, 'object');
        if (isAnObject !== true) return not(isAnObject);
        return or([() => not(this.#has(at, name)), each(inner)]);
      });
    }
    for (const [type, keywords] of Object.entries(OPAQUE)) {
      const found = opaqueIn(schema, keywords);
      if (found === undefined) continue;
      parts.push(() => {
        const applies = isType(values, type as Type);
        return applies === true ? this.#fact(at, found) : not(applies);
      });
    }
    return and(parts);
  }

  #valuesAt(location: string): Values | undefined {
    const values = this.#values.get(location);
    if (values === undefined) this.#open ??= { location };
    return values;
  }

  #fact(at: string, keywords: object): Truth {
    const fact = `${at} ${canonical(keywords)}`;
    const truth = this.#facts.get(fact);
    if (truth === undefined) this.#open ??= { fact };
    return truth;
  }
}

/** What the values at a location are compared with. */
class Domain {
  readonly #isOptional: boolean;
  readonly #constants = new Map<string, unknown>();
  readonly #limits = {
    number: new Set<Limit>(),
    string: new Set<Limit>(),
    array: new Set<Limit>(),
  };

  constructor(isOptional: boolean) {
    this.#isOptional = isOptional;
  }

  add({ keywords }: Schema): void {
    const listed = [
      ...(Array.isArray(keywords['enum']) ? keywords['enum'] : []),
      ...('const' in keywords ? [keywords['const']] : []),
    ];
    for (const value of listed) {
      if (typeof value === 'object' && value !== null) continue;
      this.#constants.set(canonical(value), value);
      if (isNumeric(value)) this.#limits.number.add(value);
    }
    for (const [name, value] of Object.entries(keywords)) {
      const bound = BOUNDS[name];
      if (bound === undefined || !isNumeric(value)) continue;
      this.#limits[bound.of].add(value);
      if (bound.of === 'number') this.#constants.set(canonical(value), value);
    }
  }

  values(): Values[] {
    const constants = [...this.#constants.values()].filter((each) => typeof each !== 'boolean');
    const whole = (type: Type) => this.#ranges(type, []);
    const { number, string, array } = this.#limits;
    return [
      ...(this.#isOptional ? [{ kind: 'absent' } as const] : []),
      ...[null, true, false, ...constants.filter((each) => each !== null)].map(
        (value) => ({ kind: 'constant', value }) as const,
      ),
      ...(['integer', 'nonInteger'] as const).flatMap((type) => this.#ranges(type, [...number])),
      ...this.#counts('string', [...string]),
      ...this.#counts('array', [...array]),
      ...whole('object'),
    ];
  }

  /** @returns the ranges between the limits, which are constants */
  #ranges(type: Type, limits: Limit[]): Values[] {
    const all = [-Infinity, ...limits.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)), Infinity];
    const ranges = all.slice(1).map((below, at) => ({ above: all[at]!, below }));
    const own = type === 'integer' ? ranges.filter(hasInteger) : ranges;
    return own.map((each) => ({ kind: 'range', type, ...each }));
  }

  /** @returns the ranges of lengths or counts, each of a limit alone or of those between two limits */
  #counts(type: Type, limits: Limit[]): Values[] {
    const sorted = limits.map(Number).filter((each) => each >= 0);
    const points = sorted.map((each): Values => {
      return { kind: 'range', type, above: each - 0.5, below: each + 0.5 };
    });
    const between = this.#ranges(type, sorted).filter(
      (each) => each.kind === 'range' && Number(each.below) - Math.max(Number(each.above), -1) > 1,
    );
    return [...points, ...between];
  }
}

/** @returns true if an integer is between the limits, or may be: beyond 2^53 doubles are integers */
function hasInteger({ above, below }: { readonly above: Limit; readonly below: Limit }): boolean {
  const next = typeof above === 'bigint' ? above + 1n : Math.floor(above) + 1;
  return next < below || !Number.isSafeInteger(Number(next));
}

interface Bounded {
  readonly of: 'number' | 'string' | 'array';
  readonly side: 'minimum' | 'maximum';
  readonly isExclusive?: boolean;
}

const BOUNDS: Readonly<Record<string, Bounded>> = {
  minimum: { of: 'number', side: 'minimum' },
  maximum: { of: 'number', side: 'maximum' },
  exclusiveMinimum: { of: 'number', side: 'minimum', isExclusive: true },
  exclusiveMaximum: { of: 'number', side: 'maximum', isExclusive: true },
  minLength: { of: 'string', side: 'minimum' },
  maxLength: { of: 'string', side: 'maximum' },
  minItems: { of: 'array', side: 'minimum' },
  maxItems: { of: 'array', side: 'maximum' },
};

/** @returns undefined for a keyword that is no bound */
function withinBound(name: string, limit: unknown, values: Values): Truth {
  const bound = BOUNDS[name];
  if (bound === undefined || !isNumeric(limit) || values.kind === 'absent') return undefined;
  if (values.kind === 'constant') {
    const { value } = values;
    const size = typeof value === 'string' ? [...value].length : (value as Limit);
    if (bound.isExclusive && size === limit) return false;
    return bound.side === 'minimum' ? size >= limit : size <= limit;
  }
  // A limit is never inside of a range; the range of one length extends half below and above it.
  const isNumber = bound.of === 'number';
  return bound.side === 'minimum'
    ? values.above >= (isNumber ? limit : Number(limit) - 0.5)
    : values.below <= (isNumber ? limit : Number(limit) + 0.5);
}

const ofNumbers = (type: Type) => type === 'integer' || type === 'nonInteger';
const ofStrings = (type: Type) => type === 'string';
const ofArrays = (type: Type) => type === 'array';
const ofObjects = (type: Type) => type === 'object';

/** The assertions, by the types that they apply to. */
const APPLIES: Readonly<Record<string, (type: Type) => boolean>> = {
  ...{ minimum: ofNumbers, maximum: ofNumbers, multipleOf: ofNumbers },
  ...{ exclusiveMinimum: ofNumbers, exclusiveMaximum: ofNumbers },
  ...{ minLength: ofStrings, maxLength: ofStrings, pattern: ofStrings },
  ...{ contentEncoding: ofStrings, contentMediaType: ofStrings },
  format: (type) => ofStrings(type) || ofNumbers(type),
  ...{ minItems: ofArrays, maxItems: ofArrays, uniqueItems: ofArrays },
  ...{ minProperties: ofObjects, maxProperties: ofObjects },
};
const LISTS = new Set(['enum', 'const', 'required', 'dependentRequired']);

/** Applicators to parts of a value: true or false together, by type. */
const OPAQUE = {
  array: ['items', 'prefixItems', 'additionalItems', 'contains', 'minContains', 'maxContains'],
  object: ['additionalProperties', 'patternProperties', 'propertyNames'],
} as const;
const PARTS: ReadonlySet<string> = new Set([...OPAQUE.array, ...OPAQUE.object]);

/** @throws {Undecided} */
function expectModelled(schema: Schema): void {
  const isForeign = ['discriminator', '$dynamicRef', '$recursiveRef', 'readOnly', 'writeOnly'].some(
    (keyword) => schema.has(keyword),
  );
  const isUnevaluated = schema.has('unevaluatedProperties') || schema.has('unevaluatedItems');
  const isBroken = schema.has('$ref') && schema.ref === undefined;
  const isUnknown = Object.keys(schema.keywords).some(
    (name) =>
      APPLIES[name] === undefined && !LISTS.has(name) && !PARTS.has(name) && !isAnnotation(name),
  );
  if (isForeign || isUnevaluated || isBroken || isUnknown) throw new Undecided();
}

/** @returns the keywords with what they depend on; undefined without a restriction */
function opaqueIn(schema: Schema, keywords: readonly string[]): object | undefined {
  const { written } = schema;
  if (!isObject(written)) return undefined;
  const found = keywords.filter((name) => {
    const value = written[name];
    return value !== undefined && value !== true && canonical(value) !== '{}';
  });
  if (found.length === 0) return undefined;
  const pattern = patternOfNames(schema, found);
  if (pattern !== undefined) return { names: pattern };
  const names = found.includes('additionalProperties') ? [...schema.map('properties').keys()] : [];
  const entries = found.map((name) => [name, written[name]]);
  const own = { ...Object.fromEntries(entries), names: names.sort() };
  // A reference may lead to another schema in the other contract.
  const isLocal = !/"\$(?:ref|dynamicRef|recursiveRef)"/.test(canonical(own));
  return isLocal ? own : { definition: numberOf(schema.model), at: schema.pointer, found };
}

/** @returns the pattern that each name must match, if that is the only restriction */
function patternOfNames(schema: Schema, found: readonly string[]): string | undefined {
  if (found.join() === 'propertyNames') {
    const names = schema.child('propertyNames')!;
    const { pattern } = names.keywords;
    const isOnly = Object.keys(Object(names.written)).every((each) =>
      /^(?:pattern|type)$/.test(each),
    );
    const isString = names.types === undefined || names.types.has('string');
    return isOnly && isString && typeof pattern === 'string' ? pattern : undefined;
  }
  const patterns = schema.map('patternProperties');
  const [[pattern, values] = []] = patterns;
  const isClosed = schema.child('additionalProperties')?.isNever === true;
  const isOnly = patterns.size === 1 && schema.map('properties').size === 0;
  if (!isClosed || !isOnly || found.includes('propertyNames')) return undefined;
  return values !== undefined && isTrivial(values) ? pattern : undefined;
}

const numbers = new WeakMap<object, number>();
let models = 0;

function numberOf(model: object): number {
  const known = numbers.get(model) ?? ++models;
  numbers.set(model, known);
  return known;
}

function within(location: string, name: string): string {
  return `${location}/${escapeToken(name)}`;
}

/** @returns the only value of a range of no characters or items, as JSON */
function emptyIn(values: Values): string | undefined {
  if (values.kind !== 'range' || values.below !== 0.5) return undefined;
  return values.type === 'string' ? '""' : values.type === 'array' ? '[]' : undefined;
}

function typeIn(values: Values): Type {
  if (values.kind === 'absent') throw new Undecided();
  return values.kind === 'range' ? values.type : typeOf(values.value);
}

function isType(values: Values | undefined, type: Type): Truth {
  return values && typeIn(values) === type;
}

function isNumeric(value: unknown): value is Limit {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isEqual(a: unknown, b: unknown): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: 1 and 1n are the same number
  return isNumeric(a) && isNumeric(b) ? a == b : a === b;
}

/** @returns the names of `dependentRequired`, each with those that it requires */
function dependentIn({ keywords }: Schema): [string, string[]][] {
  const entries = Object.entries<unknown>(Object(keywords['dependentRequired']));
  return entries.map(([name, others]) => [name, strings(others)]);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function not(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}

function and(parts: readonly (() => Truth)[]): Truth {
  let truth: Truth = true;
  for (const part of parts) {
    const each = part();
    if (each === false) return false;
    if (each === undefined) truth = undefined;
  }
  return truth;
}

function or(parts: readonly (() => Truth)[]): Truth {
  return not(and(parts.map((part) => () => not(part()))));
}

function exactlyOne(parts: readonly (() => Truth)[]): Truth {
  const truths = parts.map((part) => part());
  if (truths.filter((each) => each === true).length > 1) return false;
  return truths.includes(undefined) ? undefined : truths.includes(true);
}
