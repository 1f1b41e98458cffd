// Proves that every value of some schemas is valid against others. Each property is absent, a listed constant,
// or any value of a range; each keyword that this does not decide is true or false independently. All
// combinations are tried, up to a limit: none that satisfies the first schemas may violate the second.
import { escapeToken, type Schema } from '@stubwright/contract';
import { canonical } from '../values/formatting.ts';
import { typeOf } from '../values/types.ts';
import { type Choice, Domain, emptyIn, isEqual, isType, typeIn, withinBound } from './domain.ts';
import { type Fact, Facts, satisfies } from './facts.ts';
import { itemTruths } from './itemTruths.ts';
import { memberTruths, namesListed } from './memberTruths.ts';
import { APPLIES, expectModelled, PARTS, Undecided } from './modelled.ts';
import { isAnnotation } from './trivial.ts';
import { and, exactlyOne, not, or, type Truth } from './truth.ts';

/** Maximum number of schemas that all combinations evaluate. */
const MAX_EVALUATIONS = 50_000;
/** Maximum number of combinations whose facts contradict each other. */
const MAX_IMPOSSIBLE = 200;
/** Maximum number of names in a location: a schema may refer to itself. */
const MAX_DEPTH = 6;

type Variable = { readonly fact: Fact } | { readonly location: string };

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

/** The assignment of a search, for the keywords that restrict the parts of a value. */
export interface Assignment {
  /** @returns the names of properties that the schemas mention at a location */
  namesAt(at: string): Iterable<string>;
  has(at: string, name: string): Truth;
  fact(at: string, keywords: object): Truth;
  schema(schema: Schema, at: string): Truth;
}

class Search implements Assignment {
  readonly #sent: readonly Schema[];
  readonly #accepted: readonly Schema[];
  /** Locations -> the limits and constants that schemas compare their values with. */
  readonly #domains = new Map<string, Domain>();
  /** Locations -> the names of properties that schemas mention. */
  readonly #names = new Map<string, Set<string>>();
  readonly #values = new Map<string, Choice>();
  readonly #facts = new Facts();
  /** The first variable without a value. */
  #open: Variable | undefined;
  #evaluations = 0;
  #impossible = 0;

  constructor(sent: readonly Schema[], accepted: readonly Schema[]) {
    this.#sent = sent;
    this.#accepted = accepted;
    for (const each of [...sent, ...accepted]) this.#collect(each, '', new Set());
  }

  /** True if a combination satisfies the first schemas and violates the second. */
  isSatisfiable(): boolean {
    this.#open = undefined;
    const truth = and([() => this.#all(this.#sent, ''), () => not(this.#all(this.#accepted, ''))]);
    if (truth !== undefined) return truth && this.#isPossible();
    const open: Variable = this.#open!;
    const isFact = 'fact' in open;
    const choices = isFact ? [true, false] : this.#domains.get(open.location)!.values();
    for (const choice of choices) {
      if (isFact) this.#facts.set(open.fact, choice as boolean);
      else this.#values.set(open.location, choice as Choice);
      if (this.isSatisfiable()) return true;
    }
    if (isFact) this.#facts.delete(open.fact);
    else this.#values.delete(open.location);
    return false;
  }

  /** The facts of a combination may contradict each other. */
  #isPossible(): boolean {
    const isPossible = this.#facts.arePossible((at) => ({
      values: this.#values.get(at),
      constants: this.#domains.get(at)?.constants ?? [],
    }));
    if (!isPossible && ++this.#impossible > MAX_IMPOSSIBLE) throw new Undecided();
    return isPossible;
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
      ...namesListed(schema),
    ];
    const names = this.#names.get(at) ?? new Set();
    this.#names.set(at, names);
    for (const name of schema.map('properties').keys()) names.add(name);
    for (const name of required) {
      names.add(name);
      const location = within(at, name);
      if (!this.#domains.has(location)) this.#domains.set(location, new Domain(true));
    }
  }

  #all(schemas: readonly Schema[], at: string): Truth {
    return and(schemas.map((each) => () => this.schema(each, at)));
  }

  schema(schema: Schema, at: string): Truth {
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

  #type({ types }: Schema, values: Choice | undefined): Truth {
    if (types === undefined) return true;
    if (values === undefined) return undefined;
    const type = typeIn(values);
    if (type === 'integer') return types.has('integer') || types.has('number');
    return types.has(type === 'nonInteger' ? 'number' : type);
  }

  #keywords(schema: Schema, at: string, values: Choice | undefined): Truth {
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
        const keyword = { [name]: value };
        const truth = withinBound(name, value, values) ?? satisfies(values, keyword);
        return truth ?? this.fact(at, keyword);
      }),
    );
  }

  #isListed(values: Choice, listed: readonly unknown[], at: string): Truth {
    if (values.kind === 'constant') return listed.some((each) => isEqual(each, values.value));
    const type = typeIn(values);
    const empty = emptyIn(values);
    if (empty !== undefined) return listed.some((each) => canonical(each) === empty);
    // The constants of other types are values of their own.
    const isOpen = type === 'object' || type === 'array';
    const others = isOpen ? listed.filter((each) => typeOf(each) === type) : [];
    return others.length === 0 ? false : this.fact(at, { enum: others });
  }

  #properties(schema: Schema, at: string, values: Choice | undefined): Truth {
    const properties = schema.map('properties');
    const required = strings(schema.keywords['required']);
    const dependent = dependentIn(schema);
    if (properties.size + required.length + dependent.length === 0) return true;
    const isAnObject = isType(values, 'object');
    if (isAnObject !== true) return not(isAnObject);
    const has = (name: string) => this.has(at, name);
    return and([
      ...required.map((name) => () => has(name)),
      ...dependent.map(
        ([name, others]) =>
          () =>
            or([() => not(has(name)), () => and(others.map((each) => () => has(each)))]),
      ),
      ...[...properties].map(([name, each]) => () => {
        const isPresent = has(name);
        return isPresent === true ? this.schema(each, within(at, name)) : not(isPresent);
      }),
    ]);
  }

  namesAt(at: string): Iterable<string> {
    return this.#names.get(at) ?? [];
  }

  has(at: string, name: string): Truth {
    if (!this.#domains.has(within(at, name))) throw new Undecided();
    const values = this.#valuesAt(within(at, name));
    return values === undefined ? undefined : values.kind !== 'absent';
  }

  #applied(schema: Schema, at: string, values: Choice | undefined): Truth {
    const each = (inner: Schema) => () => this.schema(inner, at);
    const list = (keyword: 'allOf' | 'anyOf' | 'oneOf') => schema.list(keyword).map(each);
    const child = (keyword: 'not' | 'if' | 'then' | 'else') => schema.child(keyword);
    const [negated, condition] = [child('not'), child('if')];
    const parts: (() => Truth)[] = [...list('allOf')];
    if (schema.ref !== undefined) parts.push(each(schema.ref));
    if (schema.has('anyOf')) parts.push(() => or(list('anyOf')));
    if (schema.has('oneOf')) parts.push(() => exactlyOne(list('oneOf')));
    if (negated !== undefined) parts.push(() => not(this.schema(negated, at)));
    if (condition !== undefined) {
      const then = child('then') ?? true;
      const otherwise = child('else') ?? true;
      const truthOf = (inner: Schema | true) => (inner === true ? true : this.schema(inner, at));
      parts.push(
        () => or([() => not(this.schema(condition, at)), () => truthOf(then)]),
        () => or([() => this.schema(condition, at), () => truthOf(otherwise)]),
      );
    }
    for (const [name, inner] of schema.map('dependentSchemas')) {
      parts.push(() => {
        const isAnObject = isType(values, 'object');
        if (isAnObject !== true) return not(isAnObject);
        return or([() => not(this.has(at, name)), each(inner)]);
      });
    }
    for (const [type, truths] of [
      ['object', memberTruths(schema, at, this)],
      ['array', itemTruths(schema, at, { assignment: this, values })],
    ] as const) {
      if (truths.length === 0) continue;
      parts.push(() => {
        const applies = isType(values, type);
        return applies === true ? and(truths) : not(applies);
      });
    }
    return and(parts);
  }

  #valuesAt(location: string): Choice | undefined {
    const values = this.#values.get(location);
    if (values === undefined) this.#open ??= { location };
    return values;
  }

  fact(at: string, keywords: object): Truth {
    const fact = { at, keywords, key: `${at} ${canonical(keywords)}` };
    const truth = this.#facts.get(fact);
    if (truth === undefined) this.#open ??= { fact };
    return truth;
  }
}

function within(location: string, name: string): string {
  return `${location}/${escapeToken(name)}`;
}

/** @returns the names of `dependentRequired`, each with those that it requires */
function dependentIn({ keywords }: Schema): [string, string[]][] {
  const entries = Object.entries<unknown>(Object(keywords['dependentRequired']));
  return entries.map(([name, others]) => [name, strings(others)]);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
