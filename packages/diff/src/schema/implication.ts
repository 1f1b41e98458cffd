// Proves that every value of some schemas is valid against others. Each property is absent, a listed constant,
// or any value of a range; each keyword that this does not decide is true or false independently. All
// combinations are tried, up to a limit: none that satisfies the first schemas may violate the second.
import {
  Contract,
  type ContractDocument,
  escapeToken,
  isObject,
  type Node,
  type Schema,
} from '@stubwright/contract';
import { canonical } from '../values/formatting.ts';
import type { Assignment } from './assignment.ts';
import { type Choice, Domain, emptyIn, isEqual, isType, typeIn, withinBound } from './domain.ts';
import { type Fact, Facts, satisfies } from './facts.ts';
import type { AreDisjoint } from './itemFacts.ts';
import { itemTruths } from './itemTruths.ts';
import { isValid } from './membership.ts';
import { HAS_OTHERS, memberTruths, namesListed } from './memberTruths.ts';
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

/** Maximum number of schemas of items that are compared, and of evaluations for each. */
const MAX_ITEM_SCHEMAS = 100;
const MAX_ITEM_EVALUATIONS = 5_000;

/** @returns true if every value that is valid against all of `sent` is valid against all of `accepted` */
export function implies(
  sent: readonly Schema[],
  accepted: readonly Schema[],
  maxEvaluations = MAX_EVALUATIONS,
): boolean {
  const versions = new Set([...sent, ...accepted].map(({ model }) => model.definition.isVersion30));
  if (sent.length === 0 || accepted.length === 0 || versions.size !== 1) return false;
  try {
    return !new Search(sent, accepted, maxEvaluations).isSatisfiable();
  } catch (error) {
    if (error instanceof Undecided) return false;
    throw error;
  }
}

class Search implements Assignment {
  readonly #sent: readonly Schema[];
  readonly #accepted: readonly Schema[];
  /** Locations -> the limits and constants that schemas compare their values with. */
  readonly #domains = new Map<string, Domain>();
  /** Locations -> the names of properties that schemas mention. */
  readonly #names = new Map<string, Set<string>>();
  readonly #values = new Map<string, Choice>();
  readonly #facts: Facts;
  readonly #maxEvaluations: number;
  /** The first variable without a value. */
  #open: Variable | undefined;
  #evaluations = 0;
  #impossible = 0;

  constructor(sent: readonly Schema[], accepted: readonly Schema[], maxEvaluations: number) {
    this.#sent = sent;
    this.#accepted = accepted;
    this.#maxEvaluations = maxEvaluations;
    this.#facts = new Facts(disjointness(sent[0]!));
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
      names: this.namesAt(at),
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
    for (const name of schema.map('properties').keys()) this.#domainOf(at, name);
    for (const name of required) this.#domainOf(at, name);
    const { enum: listed, const: constant } = schema.keywords;
    for (const each of [...(Array.isArray(listed) ? listed : []), constant]) {
      if (isObject(each)) this.#collectObject(each, at);
    }
  }

  #collectObject(object: Node, at: string): void {
    if (at.split('/').length > MAX_DEPTH) throw new Undecided();
    for (const [name, value] of Object.entries(object)) {
      this.#domainOf(at, name).addConstant(value);
      if (isObject(value)) this.#collectObject(value, within(at, name));
    }
  }

  #domainOf(at: string, name: string): Domain {
    const names = this.#names.get(at) ?? new Set();
    this.#names.set(at, names.add(name));
    const location = within(at, name);
    const domain = this.#domains.get(location) ?? new Domain(true);
    this.#domains.set(location, domain);
    return domain;
  }

  #all(schemas: readonly Schema[], at: string): Truth {
    return and(schemas.map((each) => () => this.schema(each, at)));
  }

  schema(schema: Schema, at: string): Truth {
    if (++this.#evaluations > this.#maxEvaluations) throw new Undecided();
    if (schema.written === true) return true;
    if (schema.isNever) return false;
    const values = this.#valuesAt(at);
    if (values?.kind === 'constant' && Array.isArray(values.value)) {
      return isValid(schema, 'request', values.value);
    }
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
    const empty = emptyIn(values);
    if (empty !== undefined) return listed.some((each) => canonical(each) === empty);
    // The constants of other types are choices of their own.
    switch (typeIn(values)) {
      case 'object':
        return or(listed.filter(isObject).map((each) => () => this.#isObject(each, at)));
      case 'array':
        return or(
          listed.filter(Array.isArray).map((each) => () => this.#isArray(each, at, values)),
        );
      default:
        return false;
    }
  }

  /** True if the array at a location has these items. */
  #isArray(items: readonly unknown[], at: string, values: Choice): Truth {
    const prefixItems = items.map((each) => ({ enum: [each] }));
    return and([
      () => withinBound('minItems', items.length, values),
      () => withinBound('maxItems', items.length, values),
      () => this.fact(at, { prefixItems, names: [] }),
    ]);
  }

  /** True if the object at a location has these properties and no others. */
  #isObject(object: Node, at: string): Truth {
    const names = new Set([...this.namesAt(at), ...Object.keys(object)]);
    const isEqualIn = (name: string) => {
      const values = this.#valuesAt(within(at, name));
      if (values === undefined || values.kind === 'absent') return values && false;
      return this.#isListed(values, [object[name]], within(at, name));
    };
    return and([
      ...[...names].map((name) => () => {
        return Object.hasOwn(object, name) ? isEqualIn(name) : not(this.has(at, name));
      }),
      () => not(this.fact(at, HAS_OTHERS)),
    ]);
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

/** @param schema of the version whose keywords apply */
function disjointness({ model }: Schema): AreDisjoint {
  const known = new Map<string, boolean>();
  return (schemas) => {
    const key = canonical(schemas);
    const result =
      known.get(key) ?? (known.size < MAX_ITEM_SCHEMAS && areDisjoint(schemas, model.definition));
    known.set(key, result);
    return result;
  };
}

function areDisjoint(schemas: readonly unknown[], { isVersion30 }: ContractDocument): boolean {
  const definition = new Contract({
    openapi: isVersion30 ? '3.0.3' : '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas: { All: { allOf: schemas }, None: { not: {} } } },
  });
  const { schemas: named } = definition;
  return implies([named.get('All')!], [named.get('None')!], MAX_ITEM_EVALUATIONS);
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
