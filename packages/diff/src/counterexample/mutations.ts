// Replacements for one part of a value: other samples, boundary values, other properties and items.
import { type Direction, hiddenNames, isNumber, isObject, type Schema } from '@stubwright/contract';
import { Random, stringsMatching } from '@stubwright/mock/samples';
import { languageChange, literalPattern, stringOutside } from '../schema/language.ts';
import { boundaryValues } from './boundaryValues.ts';
import { applying, inside, type Spot } from './spot.ts';

/** Maximum number of items or properties that are added to reach a limit. */
const MAX_COUNT = 300;
const SEEDS = ['1', '2', '3'];
/** Maximum number of objects that meet a condition. */
const MAX_CONDITIONAL = 12;
/** Maximum number of names at the limits of `propertyNames`, and beyond them. */
const MAX_LIMITS = 10;
/** Maximum number of properties that are added at once. */
const MAX_NAMES = 20;
/** Maximum number of patterns of names that are compared. */
const MAX_PATTERNS = 4;
const STRUCTURES = [{ undeclared: 'a' }, {}, ['a'], []];
const UNDECLARED_VALUES = ['a', 1, null, {}];

export interface MutationContext {
  /** The side whose schemas the values must satisfy. */
  readonly sampled: 'before' | 'after';
  readonly direction: Direction;
  /** @returns a sample of a schema of one contract; none if it has no sample */
  readonly sample: (side: 'before' | 'after', schema: Schema, seed: string) => unknown[];
}

/** @yields values for a part: samples, other properties or items, and boundary values by turns */
export function* mutations(value: unknown, spot: Spot, context: MutationContext) {
  const all = [...applying(spot.before), ...applying(spot.after)];
  const pending: Iterator<unknown>[] = [
    STRUCTURES[Symbol.iterator](),
    sampleValues(spot, context),
    ...(isObject(value) ? [objects(value, spot, context)] : []),
    ...(Array.isArray(value) ? [arrays(value, spot, context)] : []),
    boundaryValues(all, SEEDS[0]!),
  ];
  for (let one = pending.shift(); one !== undefined; one = pending.shift()) {
    const next = one.next();
    if (next.done === true) continue;
    pending.push(one);
    yield next.value;
  }
}

/** @yields samples of the schemas and of each alternative */
function* sampleValues(spot: Spot, { sample, sampled }: MutationContext): Generator<unknown> {
  const other = sampled === 'before' ? 'after' : 'before';
  for (const seed of SEEDS) {
    for (const side of [sampled, other] as const) {
      const alternatives = applying(spot[side]).flatMap((each) => [
        ...each.list('oneOf'),
        ...each.list('anyOf'),
        ...(['if', 'then', 'else', 'not'] as const).flatMap((keyword) => each.child(keyword) ?? []),
      ]);
      for (const each of new Set([...spot[side], ...alternatives])) {
        if (each.isNever) continue;
        yield* sample(side, each, seed);
      }
    }
  }
}

function* objects(
  value: Record<string, unknown>,
  spot: Spot,
  context: MutationContext,
): Generator<object> {
  const schemas = applying(spot[context.sampled]);
  const nodes = schemas.map(({ keywords }) => keywords);
  const required = new Set<string>(nodes.flatMap((node) => node.required ?? []));
  const others = applying(spot[context.sampled === 'before' ? 'after' : 'before']);
  const names = new Set([...required, ...[...schemas, ...others].flatMap(namesIn)]);
  for (const each of schemas) {
    for (const name of hiddenNames(each, context.direction)) names.delete(name);
  }
  for (const name of namesBetween(schemas, others)) {
    for (const each of UNDECLARED_VALUES) yield { [name]: each };
  }
  const present = Object.keys(value);
  yield { ...value, undeclared: UNDECLARED_VALUES[0] };
  const missing = [...names].filter((name) => !Object.hasOwn(value, name)).slice(0, MAX_NAMES);
  const added = missing.flatMap((name) =>
    Array.from(propertyValues(name, spot, context).take(1), (each) => [name, each] as const),
  );
  const full = { ...value, ...Object.fromEntries(added) };
  if (added.length > 0) yield* [full, { ...full, undeclared: UNDECLARED_VALUES[0] }];
  for (const name of present) yield lacking(value, name);
  yield Object.fromEntries(
    present.filter((each) => required.has(each)).map((each) => [each, value[each]]),
  );
  yield* conditional(value, [...schemas, ...others]).take(MAX_CONDITIONAL);
  for (const name of names) {
    if (Object.hasOwn(value, name)) yield { [name]: value[name] };
    else {
      for (const each of propertyValues(name, spot, context)) {
        yield* [{ ...value, [name]: each }, { [name]: each }];
      }
    }
  }
  const unnamed = [...UNDECLARED_VALUES, ...propertyValues('undeclared', spot, context).take(4)];
  for (const each of unnamed) yield { ...value, undeclared: each };
  for (const count of countsOf(spot, ['minProperties', 'maxProperties'])) {
    for (const each of unnamed) {
      const more = Array.from({ length: count }, (_, at) => [`undeclared${at}`, each] as const);
      yield Object.fromEntries([...Object.entries(value), ...more].slice(0, count));
    }
  }
}

/** @yields objects that meet a condition, with a property of a branch removed or at its boundaries */
function* conditional(
  value: Record<string, unknown>,
  schemas: readonly Schema[],
): Generator<object> {
  for (const schema of schemas) {
    const condition = schema.child('if');
    if (condition === undefined) continue;
    const met = { ...value, ...constantsOf(condition) };
    const branches = [schema.child('then'), schema.child('else')].flatMap((each) => each ?? []);
    for (const name of new Set(branches.flatMap(namesIn))) {
      yield lacking(met, name);
      const own = branches.flatMap((each) => each.map('properties').get(name) ?? []);
      for (const each of boundaryValues(own, SEEDS[0]!).take(4)) yield { ...met, [name]: each };
    }
  }
}

function constantsOf(condition: Schema): object {
  const properties = [...condition.map('properties')].flatMap(([name, { keywords }]) => {
    const constant: unknown = keywords.const ?? keywords['enum']?.[0];
    return constant === undefined ? [] : [[name, constant] as const];
  });
  return Object.fromEntries(properties);
}

/** @returns the names of properties that a schema mentions, one for each pattern, and names at limits */
function namesIn(schema: Schema): string[] {
  const names = schema.child('propertyNames');
  const limits = names === undefined ? [] : [...boundaryValues(applying([names]), SEEDS[0]!)];
  const texts = limits.filter((each) => typeof each === 'string');
  const random = new Random(SEEDS[0]!);
  return [
    ...schema.map('properties').keys(),
    ...(schema.keywords['required'] ?? []),
    ...Object.entries<string[]>(schema.keywords['dependentRequired'] ?? {}).flat(2),
    ...schema.map('dependentSchemas').keys(),
    // The last ones are any strings, which a pattern may not match.
    ...[...texts.slice(0, MAX_LIMITS), ...texts.slice(-MAX_LIMITS)],
    ...[...schema.map('patternProperties').keys()].flatMap((pattern) =>
      stringsMatching(pattern, random, { min: 1, max: 64 }).take(1).toArray(),
    ),
  ];
}

function* propertyValues(name: string, spot: Spot, context: MutationContext): Generator<unknown> {
  const inner = inside(spot, name);
  yield* sampleValues(inner, context);
  yield* boundaryValues(applying(inner[context.sampled]), SEEDS[0]!).take(20);
  // The other contract may disallow a property that this one does not declare.
  if (inner[context.sampled].length === 0) yield UNDECLARED_VALUES[0];
}

/** @returns a copy without a property */
export function lacking(value: Record<string, unknown>, name: string): object {
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
}

function* arrays(
  value: readonly unknown[],
  spot: Spot,
  context: MutationContext,
): Generator<unknown[]> {
  const item = inside(spot, 0);
  const items = function* () {
    yield* value;
    yield* sampleValues(item, context);
    yield* boundaryValues(applying(item[context.sampled]), SEEDS[0]!).take(20);
  };
  yield value.slice(0, -1);
  for (const each of items()) {
    yield [each];
    yield [each, each];
    yield [...value, each];
    yield [each, ...value];
  }
  for (const count of countsOf(spot, ['minItems', 'maxItems', 'minContains', 'maxContains'])) {
    const some = items().take(count).toArray();
    if (some.length > 0) yield Array.from({ length: count }, (_, at) => some[at % some.length]);
    for (const each of some.slice(0, 4)) yield Array(count).fill(each);
  }
}

function countsOf({ before, after }: Spot, keywords: readonly string[]): Set<number> {
  const limits = [...applying(before), ...applying(after)]
    .flatMap((each) => keywords.map((keyword) => each.keywords[keyword] as unknown))
    .filter(isNumber);
  const counts = limits.flatMap((each) => [-1, 0, 1].map((offset) => Number(each) + offset));
  return new Set(counts.filter((count) => count >= 0 && count <= MAX_COUNT));
}

/** @returns names that the patterns of one contract match and those of the other do not */
function namesBetween(schemas: readonly Schema[], others: readonly Schema[]): string[] {
  const sets = [schemas, others].map((each) => namePatterns(each).slice(0, MAX_PATTERNS));
  const stringSet = (pattern: string) => ({ patterns: [pattern], min: 0, max: Infinity });
  const declared = [...schemas, ...others].flatMap((each) => [...each.map('properties').keys()]);
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
  return schemas.flatMap((each) => {
    const pattern: unknown = each.child('propertyNames')?.keywords['pattern'];
    const own = [...each.map('patternProperties').keys()];
    return typeof pattern === 'string' ? [pattern, ...own] : own;
  });
}
