// What the conjuncts of a term say together, keyword by keyword.
import { isHidden, type Schema } from '../../../../stubwright/src/schema/model.ts';
import { canonical } from '../words.ts';
import type { Direction } from './finding.ts';
import { allOf, type Conjunct, type Term } from './term.ts';

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
  readonly direction: Direction;
  readonly term: Term;
  readonly conjuncts: readonly Conjunct[];
  readonly types: ReadonlySet<Type>;

  constructor(direction: Direction, term: Term) {
    this.direction = direction;
    this.term = term;
    this.conjuncts = term.conjuncts;
    this.types = new Set(
      TYPES.filter((type) => this.conjuncts.every((each) => allows(each, type))),
    );
  }

  /** @returns the pointer of a keyword, of the term where no conjunct has it */
  at(...words: string[]): string {
    for (const { schema } of this.conjuncts) {
      const word = words.find((each) => schema.has(each));
      if (word !== undefined) return schema.pointerTo(word);
    }
    return this.term.at;
  }

  /** @returns what the conjuncts say under a keyword, each saying once */
  all(word: string): unknown[] {
    const said = new Map<string, unknown>();
    for (const { schema } of this.conjuncts) {
      const value: unknown = schema.keywords[word];
      if (value !== undefined) said.set(canonical(value), value);
    }
    return [...said.values()];
  }

  has(...types: Type[]): boolean {
    return types.some((type) => this.types.has(type));
  }

  /** @returns the only values that are allowed, by their canonical text; undefined for no such list */
  get values(): ReadonlyMap<string, unknown> | undefined {
    const lists = this.conjuncts.flatMap(({ schema: { keywords }, isNullable }) => {
      const list = keywords.const === undefined ? keywords.enum : [keywords.const];
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
    const bounds = this.conjuncts.flatMap(({ schema: { keywords } }) =>
      [
        { value: keywords[side], isExclusive: false },
        { value: keywords[exclusive], isExclusive: true },
      ].filter(({ value }) => typeof value === 'number' || typeof value === 'bigint'),
    );
    const isWhole = !this.has('fraction');
    const inclusive = bounds.map((each) => (isWhole ? inclusiveBound(each, side) : each));
    return inclusive.reduce<Bound | undefined>(
      (best, each) => (best === undefined || isStronger(each, best, side) ? each : best),
      undefined,
    );
  }

  /** Names that a property of this direction may not have: they are for the other one. */
  isHidden(name: string): boolean {
    return this.properties(name).some((each) => isHidden(each, this.direction));
  }

  get propertyNames(): string[] {
    const names = this.conjuncts.flatMap(({ schema }) => [...schema.map('properties').keys()]);
    return [...new Set(names)].filter((name) => !this.isHidden(name));
  }

  get required(): string[] {
    const names = this.conjuncts.flatMap(({ schema }): string[] => schema.keywords.required ?? []);
    return [...new Set(names)].filter((name) => !this.isHidden(name));
  }

  /** @returns what the conjuncts say of a declared property */
  property(name: string): View {
    return new View(this.direction, allOf(this.properties(name), this.term.at));
  }

  /** @returns the schemas by which the conjuncts declare a property */
  properties(name: string): Schema[] {
    return this.conjuncts.flatMap(({ schema }) => schema.map('properties').get(name) ?? []);
  }
}

function typeOf(value: unknown): Type {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction';
  return typeof value as 'string' | 'boolean' | 'object';
}

function allows({ schema, isNullable }: Conjunct, type: Type): boolean {
  if (schema.isNever) return false;
  const { types } = schema;
  if (types === undefined || (type === 'null' && isNullable)) return true;
  if (type === 'integer') return types.has('integer') || types.has('number');
  return types.has(type === 'fraction' ? 'number' : type);
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
