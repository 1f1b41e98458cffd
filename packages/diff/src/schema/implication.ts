// Proves that every value of some schemas is valid against others: no combination that satisfies
// the first schemas may violate the second.
import {
  Contract,
  type ContractDocument,
  isObject,
  type Node,
  type Schema,
} from '@stubwright/contract';
import { canonical } from '../values/formatting.ts';
import { type Assignment, and, type Choice, Domain, not, type Truth, within } from './domain.ts';
import { type Fact, Facts } from './facts.ts';
import { dependentIn, namesListed, requiredIn } from './memberTruths.ts';
import { expectModelled, memberParts, Undecided } from './modelled.ts';
import type { AreDisjoint } from './nameFacts.ts';
import { schemaTruth } from './schemaTruths.ts';
import { isTrivial } from './trivial.ts';

/** Maximum number of schemas that all combinations evaluate. */
const MAX_EVALUATIONS = 2_000;
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
    const limits = { maxEvaluations, areDisjoint: disjointness(sent[0]!) };
    return !new Combinations(sent, accepted, limits).isSatisfiable();
  } catch (error) {
    if (error instanceof Undecided) return false;
    throw error;
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

/** Maximum number of combinations whose facts contradict each other. */
const MAX_IMPOSSIBLE = 200;

type Variable = { readonly fact: Fact } | { readonly location: string };

/** The limits of a search. */
interface SearchLimits {
  /** Of the schemas that all combinations evaluate. */
  readonly maxEvaluations: number;
  readonly areDisjoint: AreDisjoint;
}

class Combinations implements Assignment {
  readonly #sent: readonly Schema[];
  readonly #accepted: readonly Schema[];
  readonly #mentioned: Mentioned;
  readonly #values = new Map<string, Choice>();
  readonly #facts: Facts;
  readonly #maxEvaluations: number;
  /** The first variable without a value. */
  #open: Variable | undefined;
  #evaluations = 0;
  #impossible = 0;

  /** @throws {Undecided} for a schema that is not modelled */
  constructor(
    sent: readonly Schema[],
    accepted: readonly Schema[],
    { maxEvaluations, areDisjoint }: SearchLimits,
  ) {
    this.#sent = sent;
    this.#accepted = accepted;
    this.#maxEvaluations = maxEvaluations;
    this.#facts = new Facts(areDisjoint);
    this.#mentioned = new Mentioned([...sent, ...accepted]);
  }

  /**
   * True if a combination satisfies the first schemas and violates the second.
   *
   * @throws {Undecided} beyond the limits
   */
  isSatisfiable(): boolean {
    this.#open = undefined;
    // The second schemas first: a choice that satisfies them ends the search at once.
    const truth = and([() => not(this.#all(this.#accepted)), () => this.#all(this.#sent)]);
    if (truth !== undefined) return truth && this.#isPossible();
    const open: Variable = this.#open!;
    const isFact = 'fact' in open;
    const choices = isFact ? [true, false] : this.#mentioned.domainAt(open.location)!.values();
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
      constants: this.#mentioned.domainAt(at)?.constants ?? [],
      names: this.namesAt(at),
    }));
    if (!isPossible && ++this.#impossible > MAX_IMPOSSIBLE) throw new Undecided();
    return isPossible;
  }

  #all(schemas: readonly Schema[]): Truth {
    return and(schemas.map((schema) => () => this.schema(schema, '')));
  }

  schema(schema: Schema, at: string): Truth {
    if (++this.#evaluations > this.#maxEvaluations) throw new Undecided();
    return schemaTruth(schema, at, this);
  }

  namesAt(at: string): Iterable<string> {
    return this.#mentioned.namesAt(at);
  }

  has(at: string, name: string): Truth {
    const location = within(at, name);
    if (this.#mentioned.domainAt(location) === undefined) throw new Undecided();
    const values = this.valuesAt(location);
    return values === undefined ? undefined : values.kind !== 'absent';
  }

  valuesAt(location: string): Choice | undefined {
    const values = this.#values.get(location);
    if (values === undefined) this.#open ??= { location };
    return values;
  }

  fact(at: string, keywords: object): Truth {
    const fact = { at, keywords, key: `${at} ${textOf(keywords)}` };
    const truth = this.#facts.get(fact);
    if (truth === undefined) this.#open ??= { fact };
    return truth;
  }
}

const texts = new WeakMap<object, string>();

/** Combinations ask for the same keywords again and again. */
function textOf(keywords: object): string {
  const known = texts.get(keywords) ?? canonical(keywords);
  texts.set(keywords, known);
  return known;
}

/** Maximum number of names in a location: a schema may refer to itself. */
const MAX_DEPTH = 6;

class Mentioned {
  /** Location -> the limits and constants that schemas compare their values with. */
  readonly #domains = new Map<string, Domain>();
  /** Location -> the names of properties that schemas mention. */
  readonly #names = new Map<string, Set<string>>();
  /** Location -> the schemas that may apply there. */
  readonly #schemas = new Map<string, Set<Schema>>();

  /** @throws {Undecided} for a schema that is not modelled or too deep */
  constructor(schemas: readonly Schema[]) {
    for (const schema of schemas) this.#collect(schema, '', new Set());
    while (this.#collectMembers()) {}
  }

  /** Collects the schemas that apply to mentioned names without naming them. @returns true if there were new ones */
  #collectMembers(): boolean {
    const found = [...this.#schemas].flatMap(([at, schemas]) =>
      [...schemas].flatMap((schema) =>
        [...this.namesAt(at)].flatMap((name) =>
          unnamedSchemas(schema, name).map((inner) => [within(at, name), inner] as const),
        ),
      ),
    );
    const added = found.filter(([at, schema]) => this.#schemas.get(at)?.has(schema) !== true);
    for (const [at, each] of added) this.#collect(each, at, new Set());
    return added.length > 0;
  }

  /** @returns undefined for a location that no schema mentions */
  domainAt(at: string): Domain | undefined {
    return this.#domains.get(at);
  }

  namesAt(at: string): Iterable<string> {
    return this.#names.get(at) ?? [];
  }

  /** Collects the schemas that the values at each location are compared with. */
  #collect(schema: Schema, at: string, around: ReadonlySet<Schema>): void {
    if (around.has(schema) || isTooDeep(at)) throw new Undecided();
    expectModelled(schema);
    const domain = this.#domains.get(at) ?? new Domain(at !== '');
    this.#domains.set(at, domain);
    domain.add(schema);
    this.#schemas.set(at, (this.#schemas.get(at) ?? new Set()).add(schema));
    const inside = new Set(around).add(schema);
    for (const each of schema.inPlace) this.#collect(each, at, inside);
    for (const [name, each] of schema.map('properties')) {
      this.#collect(each, within(at, name), new Set());
    }
    for (const name of namesIn(schema)) this.#domainOf(at, name);
    const { enum: listed, const: constant } = schema.keywords;
    for (const each of [...(Array.isArray(listed) ? listed : []), constant]) {
      if (isObject(each)) this.#collectObject(each, at);
    }
  }

  #collectObject(object: Node, at: string): void {
    if (isTooDeep(at)) throw new Undecided();
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
}

/** @returns the schemas for a property of this name that do not name it */
function unnamedSchemas(schema: Schema, name: string): Schema[] {
  const rest = schema.child('unevaluatedProperties');
  return [
    ...memberParts(schema).flatMap((part) => (part.appliesTo(name) ? [part.schema] : [])),
    ...(rest === undefined || isTrivial(rest) ? [] : [rest]),
  ];
}

function isTooDeep(at: string): boolean {
  return at.split('/').length > MAX_DEPTH;
}

/** @returns the names of properties that a schema mentions */
function namesIn(schema: Schema): string[] {
  return [
    ...schema.map('properties').keys(),
    ...requiredIn(schema),
    ...dependentIn(schema).flatMap(([name, others]) => [name, ...others]),
    ...schema.map('dependentSchemas').keys(),
    ...namesListed(schema),
  ];
}
