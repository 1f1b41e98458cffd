// The facts of a combination: keywords that are true or false of the values at a location.
import { formats, INTEGER_FORMATS, isNumericFormat, patternTest } from '@stubwright/contract';
import type { Bound } from '../values/bound.ts';
import { isMultiple, leastCommonMultiple, ONE, toDecimal } from '../values/multiples.ts';
import { isEmpty, isSubset, type NumberSet } from '../values/numberSet.ts';
import { areCountsPossible } from './containsFacts.ts';
import { type Choice, typeIn } from './domain.ts';
import { FORMAT_PATTERNS } from './formatPatterns.ts';
import { type AreDisjoint, areItemsPossible, type Range } from './itemFacts.ts';
import { hasNoString, literalPattern } from './language.ts';
import { areNamesPossible } from './nameFacts.ts';
import type { Truth } from './truth.ts';

export interface Fact {
  readonly at: string;
  /** One keyword, or several that are true or false together. */
  readonly keywords: object;
  /** Equal for the same keywords at the same location. */
  readonly key: string;
}

/** The values at a location, and those that are choices of their own. */
interface Values {
  readonly values: Choice | undefined;
  readonly constants: readonly unknown[];
  /** The names of properties that are choices of their own. */
  readonly names: Iterable<string>;
}

interface Known {
  readonly keywords: Readonly<Record<string, unknown>>;
  readonly truth: boolean;
}

export class Facts {
  readonly #known = new Map<string, Fact & { readonly truth: boolean }>();
  readonly #areDisjoint: AreDisjoint;

  constructor(areDisjoint: AreDisjoint) {
    this.#areDisjoint = areDisjoint;
  }

  get({ key }: Fact): Truth {
    return this.#known.get(key)?.truth;
  }

  set(fact: Fact, truth: boolean): void {
    this.#known.set(fact.key, { ...fact, truth });
  }

  delete({ key }: Fact): void {
    this.#known.delete(key);
  }

  /** @returns false only if no value at some location has all of its facts */
  arePossible(valuesAt: (at: string) => Values): boolean {
    const byLocation = Map.groupBy(this.#known.values(), ({ at }) => at);
    return [...byLocation].every(([at, facts]) => {
      const known = facts.map(({ keywords, truth }) => ({ keywords: { ...keywords }, truth }));
      return this.#arePossible(known, valuesAt(at));
    });
  }

  #arePossible(facts: readonly Known[], { values, constants, names }: Values): boolean {
    if (values?.kind !== 'range') return true;
    switch (values.type) {
      case 'string':
        return areTextsPossible(facts, values, constants);
      case 'integer':
      case 'nonInteger':
        return areNumbersPossible(facts, values);
      case 'object':
        return areNamesPossible(facts, names, this.#areDisjoint);
      case 'array':
        return (
          areCountsPossible(facts, values, this.#areDisjoint) &&
          areItemsPossible(facts, values, this.#areDisjoint)
        );
      default:
        return true;
    }
  }
}

function areTextsPossible(
  facts: readonly Known[],
  { above, below }: Range,
  constants: readonly unknown[],
): boolean {
  const of = (isTrue: boolean) => facts.filter(({ truth }) => truth === isTrue);
  const patternsOf = ({ keywords: { pattern, format } }: Known, isTrue: boolean): string[] => {
    if (pattern !== undefined) return [pattern as string];
    const known = FORMAT_PATTERNS[format as string];
    return known !== undefined && (isTrue || known.isExact) ? [known.pattern] : [];
  };
  const patterns = of(true).flatMap((each) => patternsOf(each, true));
  const excluded = of(false).flatMap((each) => patternsOf(each, false));
  if (patterns.length + excluded.length === 0) return true;
  const listed = constants.filter((each) => typeof each === 'string').map(literalPattern);
  const [min, max] = [Math.max(0, Math.ceil(Number(above))), Math.floor(Number(below))];
  return !hasNoString({ patterns, min, max }, [...excluded, ...listed]);
}

function areNumbersPossible(facts: readonly Known[], { type, above, below }: Range): boolean {
  const limit = (value: number | bigint): Bound | undefined =>
    value === Infinity || value === -Infinity ? undefined : { value, isExclusive: true };
  const steps = facts.flatMap(({ keywords: { multipleOf }, truth }) =>
    multipleOf === undefined ? [] : [{ step: toDecimal(multipleOf as number), truth }],
  );
  const own = [
    ...(type === 'integer' ? [ONE] : []),
    ...steps.flatMap((each) => (each.truth ? [each.step] : [])),
  ];
  const numbers: NumberSet = {
    minimum: limit(above),
    maximum: limit(below),
    step: own.length === 0 ? undefined : own.reduce(leastCommonMultiple),
  };
  const without = steps.flatMap((each) => (each.truth ? [] : [each.step]));
  const all = { minimum: undefined, maximum: undefined };
  if (type === 'nonInteger' && isSubset(numbers, { ...all, step: ONE })) return false;
  return without.every((step) => !isSubset(numbers, { ...all, step })) && !isEmpty(numbers);
}

/** @returns whether a constant satisfies a keyword; undefined for other values and keywords */
export function satisfies(values: Choice, keywords: Readonly<Record<string, unknown>>): Truth {
  const { pattern, format, multipleOf } = keywords;
  const isText = typeIn(values) === 'string';
  const isAnnotation = isText
    ? !Object.hasOwn(formats, format as string)
    : !isNumericFormat(format as string);
  if (format !== undefined && isAnnotation) return true;
  if (values.kind !== 'constant') return undefined;
  const { value } = values;
  if (typeof value === 'string') {
    if (pattern !== undefined) return patternTest(pattern as string)?.test(value);
    return format === undefined ? undefined : formats[format as string]!(value);
  }
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  if (multipleOf !== undefined)
    return isMultiple(toDecimal(value), toDecimal(multipleOf as number));
  const range = INTEGER_FORMATS[format as string];
  if (range === undefined || !Number.isInteger(Number(value))) return undefined;
  return value >= range[0] && value <= range[1];
}
