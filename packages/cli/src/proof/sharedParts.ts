// The properties that a value has in both contracts: a converter passes those that both accept.
import {
  COUNTS,
  type Direction,
  isObject,
  NUMERIC_BOUNDS,
  propertiesOf,
  type Schema,
  unescapeToken,
} from '@stubwright/contract';
import { canonical } from '@stubwright/diff/internals';
import type { ProofValues } from './proofValues.ts';

/** A property of a value in both contracts. */
export interface SharedPart {
  /** `''` for a value that is no object. */
  readonly name: string;
  /** `query parameter limit`; undefined for a property. */
  readonly label?: string;
  /** False if the contracts differ in limits or in the values of an enum. */
  readonly isEqual: boolean;
  /** True for a value that is valid without conversion. */
  isAccepted(value: unknown): boolean;
}

/** A shared part that a converter changed, although it was valid. */
export interface AlteredPart {
  readonly part: SharedPart;
  readonly before: unknown;
  readonly after: unknown;
}

export interface SharedOptions {
  /** Of the values: `request` to the newer contract, `response` to the older one. */
  readonly direction: Direction;
  readonly values: ProofValues;
  /** True for a component whose values are converted before those that contain it. */
  isConverted(component: string): boolean;
}

/** @returns the properties of both schemas that are equal or converted before, or that differ in limits alone */
export function sharedParts(older: Schema, newer: Schema, options: SharedOptions): SharedPart[] {
  const { direction, values } = options;
  const target = direction === 'request' ? 'newer' : 'older';
  const [was, is] = [propertiesOf(older), propertiesOf(newer)];
  const pairs =
    was.size + is.size === 0
      ? [['', older, newer] as const]
      : [...was].flatMap(([name, each]) => {
          const other = is.get(name);
          return other === undefined ? [] : [[name, each, other] as const];
        });
  return pairs.flatMap(([name, one, other]) => {
    const isEqual =
      values.areSame(one, other) || (name !== '' && areConverted(one, other, options));
    if (!isEqual && !differInLimits(one, other, values)) return [];
    const accepts = values.accepts(target, target === 'newer' ? other : one, direction);
    return [{ name, isEqual, isAccepted: (value) => !isAstral(value) && accepts(value) }];
  });
}

function areConverted(older: Schema, newer: Schema, { isConverted }: SharedOptions): boolean {
  const [was, is] = [older, newer].map(({ ref }) => ref && componentOf(ref));
  return was !== undefined && was === is && isConverted(was);
}

/** @returns the name of a component of `components.schemas` */
export function componentOf({ pointer }: Schema): string | undefined {
  const token = /^\/components\/schemas\/([^/]+)$/.exec(pointer)?.[1];
  return token === undefined ? undefined : unescapeToken(token);
}

/** @returns the parts that are valid without conversion, and whether the converter passed them */
export function passedParts(
  parts: readonly SharedPart[],
  input: unknown,
  output: unknown,
): (AlteredPart & { readonly isPassed: boolean })[] {
  return parts.flatMap((part) => {
    const [before, after] = part.name === '' ? [input, output] : [input, output].map(read(part));
    if (part.name !== '' && !(isObject(input) && isObject(output))) return [];
    if (before === undefined || !part.isAccepted(before)) return [];
    return [{ part, before, after, isPassed: isSameValue(before, after) }];
  });
}

/** Limits count code points (JSON Schema), and `slice` of a converter UTF-16 code units. */
function isAstral(value: unknown): boolean {
  return typeof value === 'string' && /[\u{10000}-\u{10ffff}]/u.test(value);
}

/** @returns true for equal JSON, with bigints; of streams each is equal to itself alone */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (isObject(one) && isObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].every((name) => isSameJson(one[name], other[name]));
  }
  return isSameJson(one, other);
}

function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  try {
    return canonical(one) === canonical(other);
  } catch {
    // A stream refers to itself.
    return false;
  }
}

function read({ name }: SharedPart): (value: unknown) => unknown {
  return (value) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined);
}

const LIMITS = new Set<string>([...NUMERIC_BOUNDS, ...COUNTS, 'enum']);
const DOCUMENTATION =
  /^(?:title|description|examples?|default|deprecated|readOnly|writeOnly|externalDocs|xml|x-.*)$/;

function differInLimits(older: Schema, newer: Schema, values: ProofValues): boolean {
  const [was, is] = [older, newer].map(assertionsOf);
  const [inner, other] = [older, newer].map(({ conjuncts }) => conjuncts.flatMap(itemsOf));
  return (
    isSameValue(was, is) &&
    inner!.length === other!.length &&
    inner!.every(
      ([path, each], at) => path === other![at]![0] && values.areSame(each, other![at]![1]),
    )
  );
}

/** The assertions of a schema besides its limits. */
function assertionsOf({ conjuncts }: Schema): unknown[] {
  return conjuncts.flatMap(({ keywords, types }) => [
    ...(types === undefined ? [] : [[...types].sort()]),
    ...Object.entries(keywords).filter(([name]) => !LIMITS.has(name) && !DOCUMENTATION.test(name)),
  ]);
}

/** The subschemas by their path in the schema, without the conjuncts, which stand for themselves. */
function itemsOf(schema: Schema): (readonly [path: string, schema: Schema])[] {
  const own = schema.inner.filter((each) => !schema.conjuncts.includes(each));
  return own.map((each) => [each.pointer.slice(schema.pointer.length), each] as const);
}
