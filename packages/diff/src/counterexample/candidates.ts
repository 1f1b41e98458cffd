// Values of a part that one contract may refuse: those of the change, samples, boundary values, other properties and items.
import { type Direction, hiddenNames, isNumber, isObject, type Schema } from '@stubwright/contract';
import { Random, stringsMatching } from '@stubwright/mock/samples';
import { languageChange, literalPattern, stringOutside } from '../schema/language.ts';
import { boundaryValues, Reiterable, take } from './boundaryValues.ts';
import { applying, inside, type Spot } from './spot.ts';

/** Maximum number of items or properties that are added to reach a limit. */
const MAX_COUNT = 300;
const SEEDS = ['1', '2', '3'];
/** In place of a seed: the value with the fewest properties and items. */
export const LEAST = '';
/** Maximum number of names at the limits of `propertyNames`, and beyond them. */
const MAX_LIMITS = 10;
/** Maximum number of properties that are added at once. */
const MAX_NAMES = 20;
/** Maximum number of patterns of names that are compared. */
const MAX_PATTERNS = 4;
/** Maximum number of items that are repeated to reach a limit. */
const MAX_REPEATED = 20;
const STRUCTURES = [{ undeclared: 'a' }, {}, ['a'], []];
const UNDECLARED_VALUES = ['a', 1, null, {}];
/** Values of the types that a rule names. */
const VALUES_OF_TYPES: Readonly<Record<string, readonly unknown[]>> = {
  ...{ null: [null], boolean: [true], integer: [1], nonInteger: [0.5], string: ['a', ''] },
  ...{ array: [[]], object: [{}] },
};

export interface Candidates {
  /** The schemas of the part in both contracts. */
  readonly spot: Spot;
  /** The side whose schemas the values must satisfy. */
  readonly sampled: 'before' | 'after';
  readonly direction: Direction;
  /** What changed: its facts have the refused value, or its limit. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** False for a property that came or went: only values with and without it show that. */
  readonly concernsOthers: boolean;
  /** The alternative that changed, of the sampled side. */
  readonly branch?: Schema | undefined;
  /** @returns a sample of a schema of one contract; none if it has no sample */
  readonly sample: (side: 'before' | 'after', schema: Schema, seed: string) => unknown[];
}

/** @yields values of a part that one contract may refuse: those of the change, then others by turns */
export function* candidates(context: Candidates, given?: readonly unknown[]): Generator<unknown> {
  const { spot, sampled, sample } = context;
  const [schema] = spot[sampled];
  const samples = function* (...seeds: string[]) {
    if (schema !== undefined) for (const seed of seeds) yield* sample(sampled, schema, seed);
  };
  const bases = given ?? new Reiterable(samples(...SEEDS.slice(0, 2)));
  // The smallest value shows the change alone, and takes the least time.
  yield* changedValues(new Reiterable(samples(LEAST)), context);
  if (!context.concernsOthers) return;
  yield* changedValues(bases, context);
  yield* bases;
  const all = [...applying(spot.before), ...applying(spot.after)];
  const pending: Iterator<unknown>[] = [
    STRUCTURES[Symbol.iterator](),
    sampleValues(spot, context),
    ...[...bases].filter(isObject).map((base) => objects(base, spot, context)),
    ...[...bases].filter((base) => Array.isArray(base)).map((base) => arrays(base, spot, context)),
    boundaryValues(all, SEEDS[0]!),
  ];
  for (let one = pending.shift(); one !== undefined; one = pending.shift()) {
    const next = one.next();
    if (next.done === true) continue;
    pending.push(one);
    yield next.value;
  }
}

/** @yields the values that the facts of a rule name: a removed value, an object without a property, a length beyond a limit */
function* changedValues(bases: Iterable<unknown>, context: Candidates): Generator<unknown> {
  const { facts, spot, sampled, branch, sample } = context;
  const { value, lost, gained, limit, name } = facts;
  if (value !== undefined) yield value;
  if (branch !== undefined) yield* sample(sampled, branch, LEAST);
  for (const change of [lost, gained]) {
    if (typeof change === 'string') yield change;
    if (Array.isArray(change)) yield* change.flatMap((type) => VALUES_OF_TYPES[type] ?? []);
  }
  if (typeof name === 'string') {
    const part = inside(spot, name);
    for (const base of bases) {
      if (!isObject(base)) continue;
      yield lacking(base, name);
      const [declared] = part[sampled];
      if (declared === undefined) continue;
      const values = [sample(sampled, declared, LEAST), sampleValues(part, context)];
      for (const some of values) for (const each of some) yield { ...base, [name]: each };
    }
  }
  if (typeof limit !== 'number') return;
  for (const length of [limit - 1, limit + 1, limit]) {
    if (length < 0 || length > MAX_COUNT) continue;
    for (const base of bases) {
      if (Array.isArray(base)) {
        const items = [...new Set([...base, ...partValues(inside(spot, 0), context)])];
        if (items.length > 0) yield Array.from({ length }, (_, at) => items[at % items.length]);
      } else if (typeof base === 'string') yield base.slice(0, length).padEnd(length, 'a');
    }
  }
}

/** @yields samples of the schemas and of each alternative */
function* sampleValues(spot: Spot, { sample, sampled }: Candidates): Generator<unknown> {
  const other = sampled === 'before' ? 'after' : 'before';
  for (const seed of SEEDS) {
    for (const side of [sampled, other] as const) {
      const alternatives = applying(spot[side]).flatMap((schema) => [
        ...schema.list('oneOf'),
        ...schema.list('anyOf'),
        ...(['if', 'then', 'else', 'not'] as const).flatMap(
          (keyword) => schema.child(keyword) ?? [],
        ),
      ]);
      for (const schema of new Set([...spot[side], ...alternatives])) {
        if (schema.isNever) continue;
        yield* sample(side, schema, seed);
      }
    }
  }
}

function* objects(
  value: Record<string, unknown>,
  spot: Spot,
  context: Candidates,
): Generator<object> {
  const schemas = applying(spot[context.sampled]);
  const nodes = schemas.map(({ keywords }) => keywords);
  const required = new Set<string>(nodes.flatMap((node) => node.required ?? []));
  const others = applying(spot[context.sampled === 'before' ? 'after' : 'before']);
  const names = new Set([...required, ...[...schemas, ...others].flatMap(namesIn)]);
  for (const schema of schemas) {
    for (const name of hiddenNames(schema, context.direction)) names.delete(name);
  }
  for (const name of namesBetween(schemas, others)) {
    for (const each of UNDECLARED_VALUES) yield { [name]: each };
  }
  const present = Object.keys(value);
  yield { ...value, undeclared: UNDECLARED_VALUES[0] };
  const missing = [...names].filter((name) => !Object.hasOwn(value, name)).slice(0, MAX_NAMES);
  const added = missing.flatMap((name) =>
    Array.from(take(1, partValues(inside(spot, name), context)), (value) => [name, value] as const),
  );
  const full = { ...value, ...Object.fromEntries(added) };
  if (added.length > 0) yield* [full, { ...full, undeclared: UNDECLARED_VALUES[0] }];
  for (const name of present) yield lacking(value, name);
  yield Object.fromEntries(
    present.filter((name) => required.has(name)).map((name) => [name, value[name]]),
  );
  for (const name of names) {
    if (Object.hasOwn(value, name)) yield { [name]: value[name] };
    for (const partValue of partValues(inside(spot, name), context)) {
      yield* [{ ...value, [name]: partValue }, { [name]: partValue }];
    }
  }
  const unnamed = [
    ...UNDECLARED_VALUES,
    ...take(4, partValues(inside(spot, 'undeclared'), context)),
  ];
  for (const each of unnamed) yield { ...value, undeclared: each };
  for (const count of countsOf(spot, ['minProperties', 'maxProperties'])) {
    for (const each of unnamed) {
      const more = Array.from({ length: count }, (_, at) => [`undeclared${at}`, each] as const);
      yield Object.fromEntries([...Object.entries(value), ...more].slice(0, count));
    }
  }
}

/** @returns the names of properties that a schema mentions, one for each pattern, and names at limits */
function namesIn(schema: Schema): string[] {
  const names = schema.child('propertyNames');
  const limits = names === undefined ? [] : [...boundaryValues(applying([names]), SEEDS[0]!)];
  const texts = limits.filter((limit) => typeof limit === 'string');
  const random = new Random(SEEDS[0]!);
  return [
    ...schema.map('properties').keys(),
    ...(schema.keywords['required'] ?? []),
    ...Object.entries<string[]>(schema.keywords['dependentRequired'] ?? {}).flat(2),
    ...schema.map('dependentSchemas').keys(),
    // The last ones are any strings, which a pattern may not match.
    ...[...texts.slice(0, MAX_LIMITS), ...texts.slice(-MAX_LIMITS)],
    ...[...schema.map('patternProperties').keys()].flatMap((pattern) => [
      ...take(1, stringsMatching(pattern, random, { min: 1, max: 64 })),
    ]),
  ];
}

/** @yields samples, values of other types, and values at the limits of both contracts */
function* partValues(part: Spot, context: Candidates): Generator<unknown> {
  yield* sampleValues(part, context);
  yield* take(20, boundaryValues(applying([...part.before, ...part.after]), SEEDS[0]!));
  yield* UNDECLARED_VALUES;
}

/** @returns a copy without a property */
function lacking(value: Record<string, unknown>, name: string): object {
  const { [name]: _, ...others } = value;
  return others;
}

function* arrays(value: readonly unknown[], spot: Spot, context: Candidates): Generator<unknown[]> {
  const items = function* () {
    yield* value;
    yield* partValues(inside(spot, 0), context);
  };
  yield value.slice(0, -1);
  for (const item of items()) {
    yield [item];
    yield [item, item];
    yield [...value, item];
    yield [item, ...value];
  }
  for (const count of countsOf(spot, ['minItems', 'maxItems', 'minContains', 'maxContains'])) {
    const some = [...take(count, items())];
    if (some.length > 0) yield Array.from({ length: count }, (_, at) => some[at % some.length]);
    for (const each of take(MAX_REPEATED, items())) yield Array(count).fill(each);
  }
}

function countsOf({ before, after }: Spot, keywords: readonly string[]): Set<number> {
  const limits = [...applying(before), ...applying(after)]
    .flatMap((schema) => keywords.map((keyword) => schema.keywords[keyword] as unknown))
    .filter(isNumber);
  const counts = limits.flatMap((limit) => [-1, 0, 1].map((offset) => Number(limit) + offset));
  return new Set(counts.filter((count) => count >= 0 && count <= MAX_COUNT));
}

/** @returns names that the patterns of one contract match and those of the other do not */
function namesBetween(schemas: readonly Schema[], others: readonly Schema[]): string[] {
  const sets = [schemas, others].map((list) => namePatterns(list).slice(0, MAX_PATTERNS));
  const stringSet = (pattern: string) => ({ patterns: [pattern], min: 0, max: Infinity });
  const declared = [...schemas, ...others].flatMap((schema) => [
    ...schema.map('properties').keys(),
  ]);
  const excluded = [...sets[1]!, ...declared.slice(0, MAX_NAMES).map(literalPattern)];
  const between = sets[0]!.flatMap((one) =>
    sets[1]!.flatMap((other) => {
      if (one === other) return [];
      const { lost, gained } = languageChange(stringSet(one), stringSet(other)) ?? {};
      return [lost, gained];
    }),
  );
  const undeclared = sets[0]!.map((one) => stringOutside(one, excluded));
  return [...between, ...undeclared].filter((each) => each !== undefined);
}

function namePatterns(schemas: readonly Schema[]): string[] {
  return schemas.flatMap((schema) => {
    const pattern: unknown = schema.child('propertyNames')?.keywords['pattern'];
    const own = [...schema.map('patternProperties').keys()];
    return typeof pattern === 'string' ? [pattern, ...own] : own;
  });
}
