// Tries the combinations of values and facts: each property is absent, a listed constant or any value of a range,
// and each keyword that arithmetic does not decide is true or false of its value.
import type { Schema } from '@stubwright/contract';
import { canonical } from '../values/formatting.ts';
import { type Assignment, within } from './assignment.ts';
import type { Choice } from './domain.ts';
import { type Fact, Facts } from './facts.ts';
import type { AreDisjoint } from './itemFacts.ts';
import { Mentioned } from './mentioned.ts';
import { Undecided } from './modelled.ts';
import { schemaTruth } from './schemaTruths.ts';
import { and, not, type Truth } from './truth.ts';

/** Maximum number of combinations whose facts contradict each other. */
const MAX_IMPOSSIBLE = 200;

type Variable = { readonly fact: Fact } | { readonly location: string };

/** The limits of a search. */
interface SearchLimits {
  /** Of the schemas that all combinations evaluate. */
  readonly maxEvaluations: number;
  readonly areDisjoint: AreDisjoint;
}

export class Combinations implements Assignment {
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
    const truth = and([() => this.#all(this.#sent), () => not(this.#all(this.#accepted))]);
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
    return and(schemas.map((each) => () => this.schema(each, '')));
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
