// Combines the conjuncts of a term keyword by keyword.
import { isHidden, type Schema } from 'stubwright/internal/schema/model';
import { canonical } from '../formatting.ts';
import type { Direction } from './finding.ts';
import { allOf, type Conjunct, type Term } from './term.ts';

/** JSON's types, with number split into integers and non-integers. */
export const TYPES = [
  ...['null', 'boolean', 'integer', 'nonInteger', 'string', 'array', 'object'],
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

  /** @returns the JSON pointer of the first keyword that occurs, otherwise of the term */
  at(...keywords: string[]): string {
    for (const { schema } of this.conjuncts) {
      const keyword = keywords.find((each) => schema.has(each));
      if (keyword !== undefined) return schema.pointerTo(keyword);
    }
    return this.term.at;
  }

  /** @returns the distinct values of a keyword in the conjuncts */
  all(keyword: string): unknown[] {
    const distinct = new Map<string, unknown>();
    for (const { schema } of this.conjuncts) {
      const value: unknown = schema.keywords[keyword];
      if (value !== undefined) distinct.set(canonical(value), value);
    }
    return [...distinct.values()];
  }

  has(...types: Type[]): boolean {
    return types.some((type) => this.types.has(type));
  }

  /** @returns the values that `enum` and `const` allow, by canonical JSON; undefined without either */
  get values(): ReadonlyMap<string, unknown> | undefined {
    const enums = this.conjuncts.flatMap(({ schema: { keywords }, isNullable }) => {
      const list = keywords.const === undefined ? keywords.enum : [keywords.const];
      if (!Array.isArray(list)) return [];
      return [
        new Map([...list, ...(isNullable ? [null] : [])].map((one) => [canonical(one), one])),
      ];
    });
    const [first, ...rest] = enums;
    if (first === undefined) return undefined;
    return new Map(
      [...first].filter(
        ([key, value]) => this.types.has(typeOf(value)) && rest.every((each) => each.has(key)),
      ),
    );
  }

  /** @returns the strictest bound on one side */
  bound(side: 'minimum' | 'maximum'): Bound | undefined {
    const exclusive = side === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
    const bounds = this.conjuncts.flatMap(({ schema: { keywords } }) =>
      [
        { value: keywords[side], isExclusive: false },
        { value: keywords[exclusive], isExclusive: true },
      ].filter(({ value }) => typeof value === 'number' || typeof value === 'bigint'),
    );
    const areIntegers = !this.has('nonInteger');
    const inclusive = bounds.map((each) => (areIntegers ? inclusiveBound(each, side) : each));
    return inclusive.reduce<Bound | undefined>(
      (best, each) => (best === undefined || isStricter(each, best, side) ? each : best),
      undefined,
    );
  }

  /** True for a readOnly property of a request and a writeOnly property of a response. */
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

  /** @returns the view of a declared property */
  property(name: string): View {
    return new View(this.direction, allOf(this.properties(name), this.term.at));
  }

  /** @returns the schemas of a declared property */
  properties(name: string): Schema[] {
    return this.conjuncts.flatMap(({ schema }) => schema.map('properties').get(name) ?? []);
  }
}

function typeOf(value: unknown): Type {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'nonInteger';
  return typeof value as 'string' | 'boolean' | 'object';
}

function allows({ schema, isNullable }: Conjunct, type: Type): boolean {
  if (schema.isNever) return false;
  const { types } = schema;
  if (types === undefined || (type === 'null' && isNullable)) return true;
  if (type === 'integer') return types.has('integer') || types.has('number');
  return types.has(type === 'nonInteger' ? 'number' : type);
}

/** For integers, an exclusive minimum of 0 equals a minimum of 1. */
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

/** Compares bigint and number by value, without rounding. */
export function isStricter(one: Bound, other: Bound, side: 'minimum' | 'maximum'): boolean {
  if (one.value < other.value) return side === 'maximum';
  if (one.value > other.value) return side === 'minimum';
  return one.isExclusive && !other.isExclusive;
}
