// Selects the alternatives of a schema that a value is valid against.
import type { Exact, Known } from './json.ts';

/** The keywords of JSON Schema 2020-12 that are evaluated; a function tests a value, or breaks a recursion. */
export type ValueSchema = boolean | ValueKeywords | ((value: unknown) => ValueSchema);

export interface ValueKeywords {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly patternProperties?: readonly (readonly [name: RegExp, schema: ValueSchema])[];
  readonly additionalProperties?: ValueSchema;
  readonly prefixItems?: readonly ValueSchema[];
  readonly items?: ValueSchema;
  readonly allOf?: readonly ValueSchema[];
  readonly anyOf?: readonly ValueSchema[];
  readonly oneOf?: readonly ValueSchema[];
  readonly not?: ValueSchema;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly exclusiveMinimum?: number | bigint;
  readonly exclusiveMaximum?: number | bigint;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: RegExp;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** @returns the integers of 64 bits of all alternatives that a value is valid against */
export function either(
  ...alternatives: readonly (readonly [schema: ValueSchema, exact: Exact])[]
): (value: unknown, known?: Known) => Exact | undefined {
  return (value, known) => {
    const valid = alternatives.filter(([schema]) => conforms(schema, value, known));
    return valid.length === 0 ? undefined : valid.map(([, exact]) => exact);
  };
}

/** @returns the integers of 64 bits by the outcome of a condition */
export function conditional(
  condition: ValueSchema,
  met: Exact | 0,
  unmet: Exact | 0,
): (value: unknown, known?: Known) => Exact | undefined {
  return (value, known) => (conforms(condition, value, known) ? met : unmet) || undefined;
}

/** @param known without it, alternatives in a recursion would take exponential time */
export function conforms(schema: ValueSchema, value: unknown, known: Known = new Map()): boolean {
  if (typeof schema === 'function') return conforms(schema(value), value, known);
  if (typeof schema === 'boolean') return schema;
  if (typeof value !== 'object' || value === null) return meets(schema, value, known);
  const ofValue = known.get(value) ?? new Map<object, boolean>();
  known.set(value, ofValue);
  const isMet = ofValue.get(schema) ?? meets(schema, value, known);
  ofValue.set(schema, isMet);
  return isMet;
}

function meets(schema: ValueKeywords, value: unknown, known: Known): boolean {
  if (!hasType(schema, value) || !meetsCompositions(schema, value, known)) return false;
  if (typeof value === 'string') return meetsText(schema, value);
  if (isNumber(value)) return meetsBounds(schema, value);
  return typeof value !== 'object' || value === null || meetsInner(schema, value, known);
}

function hasType({ type, enum: listed }: ValueKeywords, value: unknown): boolean {
  const own = typeName(value);
  const types = type === undefined ? undefined : [type].flat();
  if (types && !types.includes(own) && !(own === 'integer' && types.includes('number'))) {
    return false;
  }
  return listed === undefined || listed.some((allowed) => isSame(allowed, value));
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isNumber(value) && (typeof value === 'bigint' || Number.isInteger(value))
    ? 'integer'
    : typeof value;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isSame(listed: unknown, value: unknown): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: compares a bigint with a number by value
  if (isNumber(listed) && isNumber(value)) return listed == value;
  if (typeof listed !== 'object' || typeof value !== 'object' || !listed || !value) {
    return listed === value;
  }
  const names = Object.keys(listed);
  return (
    Array.isArray(listed) === Array.isArray(value) &&
    names.length === Object.keys(value).length &&
    names.every(
      (name) => Object.hasOwn(value, name) && isSame(listed[name as never], value[name as never]),
    )
  );
}

function meetsCompositions(
  { allOf = [], anyOf, oneOf, not }: ValueKeywords,
  value: unknown,
  known: Known,
): boolean {
  const isMet = (valueSchema: ValueSchema) => conforms(valueSchema, value, known);
  return (
    allOf.every(isMet) &&
    (anyOf === undefined || anyOf.some(isMet)) &&
    (oneOf === undefined || oneOf.filter(isMet).length === 1) &&
    (not === undefined || !isMet(not))
  );
}

function meetsText({ minLength, maxLength, pattern }: ValueKeywords, value: string): boolean {
  const isLimited = minLength !== undefined || maxLength !== undefined;
  if (isLimited && !isWithin([...value].length, minLength, maxLength)) return false;
  return pattern === undefined || pattern.test(value);
}

function isWithin(count: number, least = 0, most = Number.POSITIVE_INFINITY): boolean {
  return count >= least && count <= most;
}

function meetsBounds(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: ValueKeywords,
  value: number | bigint,
): boolean {
  return (
    (minimum === undefined || value >= minimum) &&
    (maximum === undefined || value <= maximum) &&
    (exclusiveMinimum === undefined || value > exclusiveMinimum) &&
    (exclusiveMaximum === undefined || value < exclusiveMaximum)
  );
}

function meetsInner(schema: ValueKeywords, value: object, known: Known): boolean {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  if (Array.isArray(value)) {
    return (
      isWithin(entries.length, schema.minItems, schema.maxItems) &&
      entries.every(([at, value]) =>
        itemSchemas(schema, Number(at)).every((inner) => conforms(inner, value, known)),
      )
    );
  }
  const { minProperties, maxProperties, required = [] } = schema;
  return (
    isWithin(entries.length, minProperties, maxProperties) &&
    required.every((name) => Object.hasOwn(value, name)) &&
    entries.every(([name, value]) =>
      propertySchemas(schema, name).every((inner) => conforms(inner, value, known)),
    )
  );
}

function itemSchemas({ prefixItems = [], items }: ValueKeywords, at: number): ValueSchema[] {
  return [prefixItems[at] ?? (at < prefixItems.length ? undefined : items) ?? []].flat();
}

function propertySchemas(schema: ValueKeywords, name: string): ValueSchema[] {
  const { properties = {}, patternProperties = [], additionalProperties } = schema;
  const own = Object.hasOwn(properties, name) ? [properties[name]!] : [];
  const matching = patternProperties.flatMap(([pattern, patternProperty]) =>
    pattern.test(name) ? [patternProperty] : [],
  );
  const found = [...own, ...matching];
  return found.length > 0 || additionalProperties === undefined ? found : [additionalProperties];
}
