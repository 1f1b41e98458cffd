// What the conjuncts of a term say together, keyword by keyword.
import type { Definition, Node, Place } from '../../contract/definition/definition.ts';
import { exclusiveBounds } from '../../contract/schema/keywords.ts';
import { canonical } from '../words.ts';
import type { Direction } from './finding.ts';
import { allOf, type Conjunct, type Term, termOf } from './term.ts';

/** JSON's types; a number is an integer or a fraction. */
export const TYPES = [
  ...['null', 'boolean', 'integer', 'fraction', 'string', 'array', 'object'],
] as const;
export type Type = (typeof TYPES)[number];

export interface Bound {
  readonly value: number | bigint;
  readonly isExclusive: boolean;
}

export class View {
  readonly definition: Definition;
  readonly direction: Direction;
  readonly term: Term;
  readonly conjuncts: readonly Conjunct[];
  readonly types: ReadonlySet<Type>;

  constructor(definition: Definition, direction: Direction, term: Term) {
    this.definition = definition;
    this.direction = direction;
    this.term = term;
    this.conjuncts = term.conjuncts;
    this.types = new Set(
      TYPES.filter((type) => this.conjuncts.every((each) => allows(each, type))),
    );
  }

  /** @returns the pointer of a keyword, of the term where no conjunct has it */
  at(...words: string[]): string {
    for (const { place } of this.conjuncts) {
      const word = words.find((each) => place.node?.[each] !== undefined);
      if (word !== undefined) return this.definition.step(place, word).pointer;
    }
    return this.term.at;
  }

  /** @returns what the conjuncts say under a keyword, each saying once */
  all(word: string): unknown[] {
    const said = new Map<string, unknown>();
    for (const { place } of this.conjuncts) {
      const value: unknown = place.node?.[word];
      if (value !== undefined) said.set(canonical(value), value);
    }
    return [...said.values()];
  }

  has(...types: Type[]): boolean {
    return types.some((type) => this.types.has(type));
  }

  /** @returns the only values that are allowed, by their canonical text; undefined for no such list */
  get values(): ReadonlyMap<string, unknown> | undefined {
    const lists = this.conjuncts.flatMap(({ place: { node }, isNullable }) => {
      const list = node?.const === undefined ? node?.enum : [node.const];
      if (!Array.isArray(list)) return [];
      return [
        new Map([...list, ...(isNullable ? [null] : [])].map((one) => [canonical(one), one])),
      ];
    });
    const [first, ...rest] = lists;
    if (first === undefined) return undefined;
    return new Map(
      [...first].filter(
        ([key, value]) => this.types.has(typeOf(value)) && rest.every((each) => each.has(key)),
      ),
    );
  }

  /** @returns the strongest of the bounds on one side */
  bound(side: 'minimum' | 'maximum'): Bound | undefined {
    const exclusive = side === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
    const bounds = this.conjuncts.flatMap(({ place: { node } }) => {
      const schema: Node = { ...node };
      exclusiveBounds(schema);
      return [
        { value: schema[side], isExclusive: false },
        { value: schema[exclusive], isExclusive: true },
      ].filter(({ value }) => typeof value === 'number' || typeof value === 'bigint');
    });
    const isWhole = !this.has('fraction');
    const inclusive = bounds.map((each) => (isWhole ? inclusiveBound(each, side) : each));
    return inclusive.reduce<Bound | undefined>(
      (best, each) => (best === undefined || isStronger(each, best, side) ? each : best),
      undefined,
    );
  }

  /** Names that a property of this direction may not have: they are for the other one. */
  isHidden(name: string): boolean {
    const word = this.direction === 'request' ? 'readOnly' : 'writeOnly';
    return this.properties(name).some(
      (place) => place.node?.[word] === true || this.definition.followSchema(place).node?.[word],
    );
  }

  get propertyNames(): string[] {
    const names = this.conjuncts.flatMap(({ place }) => Object.keys(place.node?.properties ?? {}));
    return [...new Set(names)].filter((name) => !this.isHidden(name));
  }

  get required(): string[] {
    const names = this.conjuncts.flatMap(({ place }): string[] => place.node?.required ?? []);
    return [...new Set(names)].filter((name) => !this.isHidden(name));
  }

  /** @returns what the conjuncts say of a declared property */
  property(name: string): View {
    const terms = this.properties(name).map((place) =>
      termOf(this.definition, place, place.pointer),
    );
    return new View(this.definition, this.direction, allOf(terms, this.term.at));
  }

  /** @returns where the conjuncts declare a property */
  properties(name: string): Place[] {
    return this.conjuncts.flatMap(({ place }) => {
      if (!Object.hasOwn(place.node?.properties ?? {}, name)) return [];
      return [this.definition.step(this.definition.step(place, 'properties'), name)];
    });
  }
}

function typeOf(value: unknown): Type {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction';
  return typeof value as 'string' | 'boolean' | 'object';
}

function allows({ place: { node }, isNullable }: Conjunct, type: Type): boolean {
  if (typeof node !== 'object') return false;
  if (node.type === undefined) return true;
  if (type === 'null' && isNullable) return true;
  const types: unknown[] = [node.type].flat();
  if (type === 'integer') return types.includes('integer') || types.includes('number');
  return types.includes(type === 'fraction' ? 'number' : type);
}

/** For integers above 0 is from 1. */
function inclusiveBound({ value, isExclusive }: Bound, side: 'minimum' | 'maximum'): Bound {
  if (!isExclusive || (typeof value === 'number' && !Number.isSafeInteger(value))) {
    return { value, isExclusive };
  }
  const next = BigInt(value) + (side === 'minimum' ? 1n : -1n);
  return {
    value: Number.isSafeInteger(Number(next)) ? Number(next) : next,
    isExclusive: false,
  };
}

/** A bigint and a number compare by value, without rounding. */
export function isStronger(one: Bound, other: Bound, side: 'minimum' | 'maximum'): boolean {
  if (one.value < other.value) return side === 'maximum';
  if (one.value > other.value) return side === 'minimum';
  return one.isExclusive && !other.isExclusive;
}
