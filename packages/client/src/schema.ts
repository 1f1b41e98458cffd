// Selects the alternatives of a schema that a value is valid against.
import type { Exact } from './json.ts';

/** The keywords of JSON Schema 2020-12 that are evaluated; a function breaks a recursion. */
export type ValueSchema = boolean | ValueKeywords | (() => ValueSchema);

export interface ValueKeywords {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly patternProperties?: Readonly<Record<string, ValueSchema>>;
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
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** @returns the integers of 64 bits of all alternatives that a value is valid against */
export function either(
  ...alternatives: readonly (readonly [schema: ValueSchema, exact: Exact])[]
): (value: unknown) => Exact | undefined {
  return (value) => {
    const valid = alternatives.filter(([schema]) => schemaViolation(schema, value) === undefined);
    return valid.length === 0 ? undefined : valid.map(([, exact]) => exact);
  };
}

/** @returns the integers of 64 bits by the outcome of a condition */
export function conditional(
  condition: ValueSchema,
  met: Exact | 0,
  unmet: Exact | 0,
): (value: unknown) => Exact | undefined {
  return (value) => (schemaViolation(condition, value) === undefined ? met : unmet) || undefined;
}

/** @param at a JSON pointer @returns the location and the expectation of the first violation */
export function schemaViolation(schema: ValueSchema, value: unknown, at = ''): string | undefined {
  if (typeof schema === 'function') return schemaViolation(schema(), value, at);
  if (typeof schema === 'boolean') return schema ? undefined : `${at} expected no value`;
  return (
    typeViolation(schema, value, at) ??
    compositionViolation(schema, value, at) ??
    (typeof value === 'string' ? textViolation(schema, value, at) : undefined) ??
    (isNumber(value) ? numberViolation(schema, value, at) : undefined) ??
    (typeof value === 'object' && value !== null ? innerViolation(schema, value, at) : undefined)
  );
}

function typeViolation(schema: ValueKeywords, value: unknown, at: string): string | undefined {
  const { type, enum: listed } = schema;
  const own = typeName(value);
  const types = type === undefined ? undefined : [type].flat();
  if (types && !types.includes(own) && !(own === 'integer' && types.includes('number'))) {
    return `${at} expected ${types.join(' or ')}`;
  }
  if (listed && !listed.some((each) => isSame(each, value))) {
    return `${at} expected one of the listed values`;
  }
  return undefined;
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

function compositionViolation(
  { allOf = [], anyOf, oneOf, not }: ValueKeywords,
  value: unknown,
  at: string,
): string | undefined {
  for (const each of allOf) {
    const found = schemaViolation(each, value, at);
    if (found !== undefined) return found;
  }
  const isValid = (each: ValueSchema) => schemaViolation(each, value, at) === undefined;
  if (anyOf && !anyOf.some(isValid)) return `${at} expected one of the alternatives`;
  if (oneOf && oneOf.filter(isValid).length !== 1) return `${at} expected one alternative`;
  return not !== undefined && isValid(not) ? `${at} expected another value` : undefined;
}

function textViolation(schema: ValueKeywords, value: string, at: string): string | undefined {
  const { minLength = 0, maxLength, pattern } = schema;
  const length = minLength > 0 || maxLength !== undefined ? [...value].length : 0;
  if (length < minLength || (maxLength !== undefined && length > maxLength)) {
    return `${at} expected another length`;
  }
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return undefined;
  return `${at} expected the pattern ${pattern}`;
}

function numberViolation(
  schema: ValueKeywords,
  value: number | bigint,
  at: string,
): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (minimum !== undefined && value < minimum) return `${at} expected at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `${at} expected at most ${maximum}`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return `${at} expected more than ${exclusiveMinimum}`;
  }
  return exclusiveMaximum !== undefined && value >= exclusiveMaximum
    ? `${at} expected less than ${exclusiveMaximum}`
    : undefined;
}

function innerViolation(schema: ValueKeywords, value: object, at: string): string | undefined {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  const isArray = Array.isArray(value);
  const { minItems, maxItems, minProperties, maxProperties, required = [] } = schema;
  const [least = 0, most = Infinity] = isArray
    ? [minItems, maxItems]
    : [minProperties, maxProperties];
  if (entries.length < least) return `${at} expected at least ${least} entries`;
  if (entries.length > most) return `${at} expected at most ${most} entries`;
  const missing = isArray ? undefined : required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${at}/${missing} is required`;
  for (const [name, each] of entries) {
    const applying = isArray ? itemSchemas(schema, Number(name)) : propertySchemas(schema, name);
    for (const inner of applying) {
      const found = schemaViolation(inner, each, `${at}/${name}`);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function itemSchemas({ prefixItems = [], items }: ValueKeywords, at: number): ValueSchema[] {
  return [prefixItems[at] ?? (at < prefixItems.length ? undefined : items) ?? []].flat();
}

function propertySchemas(schema: ValueKeywords, name: string): ValueSchema[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  const own = Object.hasOwn(properties, name) ? [properties[name]!] : [];
  const matching = Object.entries(patternProperties).flatMap(([pattern, each]) =>
    new RegExp(pattern, 'u').test(name) ? [each] : [],
  );
  const found = [...own, ...matching];
  return found.length > 0 || additionalProperties === undefined ? found : [additionalProperties];
}
