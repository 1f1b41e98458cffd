// The facts of a combination: keywords that are true or false of the values at a location.
import {
  formats,
  INTEGER_FORMATS,
  isNumericFormat,
  isObject,
  patternTest,
} from '@stubwright/contract';
import {
  type Bound,
  isEmpty,
  isMultiple,
  isSubset,
  leastCommonMultiple,
  type NumberSet,
  ONE,
  toDecimal,
} from '../values/numberSet.ts';
import { type Choice, type Truth, typeIn } from './domain.ts';
import { FORMAT_PATTERNS, hasNoString, literalPattern } from './language.ts';
import {
  type AreDisjoint,
  areItemsPossible,
  areNamesPossible,
  type ItemFact,
  lengthsIn,
  type Range,
} from './nameFacts.ts';

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
  const patterns = of(true).flatMap((known) => patternsOf(known, true));
  const excluded = of(false).flatMap((known) => patternsOf(known, false));
  if (patterns.length + excluded.length === 0) return true;
  const listed = constants.filter((constant) => typeof constant === 'string').map(literalPattern);
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
    ...steps.flatMap(({ step, truth }) => (truth ? [step] : [])),
  ];
  const numbers: NumberSet = {
    minimum: limit(above),
    maximum: limit(below),
    step: own.length === 0 ? undefined : own.reduce(leastCommonMultiple),
  };
  const excluded = steps.flatMap(({ step, truth }) => (truth ? [] : [step]));
  const all = { minimum: undefined, maximum: undefined };
  if (type === 'nonInteger' && isSubset(numbers, { ...all, step: ONE })) return false;
  return excluded.every((step) => !isSubset(numbers, { ...all, step })) && !isEmpty(numbers);
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

/** How many items of an array match a schema. */
interface Count {
  readonly schema: unknown;
  readonly min: number;
  /** May be infinite. */
  readonly max: number;
}

/** @returns false only if no array of these lengths has all facts */
function areCountsPossible(
  facts: readonly ItemFact[],
  range: Range,
  areDisjoint: AreDisjoint,
): boolean {
  const { min: minItems, max: maxItems } = lengthsIn(range);
  const known = facts.flatMap((fact) => countOf(fact) ?? []);
  const required = known.filter(({ truth }) => truth);
  const areUnique = facts.some(({ keywords, truth }) => truth && keywords['uniqueItems'] === true);
  const bounds = { required, maxItems, areUnique, areDisjoint };
  if (leastMatches({}, bounds) > maxItems) return false;
  const listed = facts.flatMap(({ keywords: { items, prefixItems }, truth }) =>
    truth && prefixItems === undefined && isObject(items) ? [items] : [],
  );
  if (listed.some((items) => mostMatches(items, bounds) < minItems)) return false;
  return known.every(({ schema, min, max, truth }) => {
    const [least, most] = [leastMatches(schema, bounds), mostMatches(schema, bounds)];
    if (least > most) return false;
    return truth || least < min || most > max;
  });
}

type CountFact = Count & { readonly truth: boolean };

/** @returns undefined for a fact about positions or of other keywords; the opposite of a minimum is a maximum */
function countOf(fact: ItemFact): CountFact | undefined {
  const count = writtenCount(fact);
  if (count === undefined || count.truth) return count;
  const { schema, min, max } = count;
  if (max === Infinity) return { schema, min: 0, max: min - 1, truth: true };
  return min === 0 ? { schema, min: max + 1, max: Infinity, truth: true } : count;
}

function writtenCount({ keywords, truth }: ItemFact): CountFact | undefined {
  const { contains, minContains = 1, maxContains = Infinity, items, prefixItems } = keywords;
  if (contains !== undefined) {
    return { schema: contains, min: Number(minContains), max: Number(maxContains), truth };
  }
  if (items === undefined || Array.isArray(items) || prefixItems !== undefined) return undefined;
  // No item violates its schema.
  const isNegated = isObject(items) && Object.keys(items).join() === 'not';
  return { schema: isNegated ? items['not'] : { not: items }, min: 0, max: 0, truth };
}

interface Bounds {
  /** The counts that every array of the combination has. */
  readonly required: readonly Count[];
  readonly maxItems: number;
  readonly areUnique: boolean;
  readonly areDisjoint: AreDisjoint;
}

/** Items that match schemas without a common value are different items. */
function leastMatches(schema: unknown, { required, areDisjoint }: Bounds): number {
  const inside = required.filter(
    (count) => count.min > 0 && isInside(count.schema, schema, areDisjoint),
  );
  const apart: Count[] = [];
  for (const count of inside.sort((one, other) => other.min - one.min)) {
    if (apart.every((other) => areDisjoint([count.schema, other.schema]))) apart.push(count);
  }
  return apart.reduce((sum, { min }) => sum + min, 0);
}

function mostMatches(schema: unknown, bounds: Bounds): number {
  const { required, maxItems, areUnique, areDisjoint } = bounds;
  const around = required.filter(
    (count) => count.max < Infinity && isInside(schema, count.schema, areDisjoint),
  );
  const values = areUnique ? valuesOf(schema) : undefined;
  const possible = values?.filter((value) => {
    const excluding = required.filter(({ max }) => max === 0);
    return !excluding.some((count) => isInside({ enum: [value] }, count.schema, areDisjoint));
  });
  return Math.min(maxItems, possible?.length ?? Infinity, ...around.map(({ max }) => max));
}

function isInside(inner: unknown, outer: unknown, areDisjoint: AreDisjoint): boolean {
  return areDisjoint([inner, { not: outer }]);
}

/** @returns the values that a schema lists */
function valuesOf(schema: unknown): readonly unknown[] | undefined {
  if (!isObject(schema)) return undefined;
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined;
}
