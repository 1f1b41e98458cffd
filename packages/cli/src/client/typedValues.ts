// Adapts valid values to the generated types, which are narrower than the schemas: no undeclared property, one
// alternative of `oneOf` and `anyOf`, the property of a discriminator.
import {
  COMPOSITIONS,
  type Discriminator,
  discriminatorsOf,
  isBigint,
  isBinary,
  isHidden,
  isObject,
  lenientTest,
  type Schema,
} from '@stubwright/contract';
import { selectingSchema } from '../types/discriminators.ts';
import {
  type ConvertedFormat,
  convertedFormat,
  DEFAULT_TYPES,
  isConverting,
  type ValueTypes,
} from '../types/valueTypes.ts';
import { Code, expressionOf } from './code.ts';

/** Of one value: an alternative takes a step for each schema that applies. */
const MAX_STEPS = 5_000;

export class TypedValues {
  readonly #types: ValueTypes;

  constructor(types: ValueTypes = DEFAULT_TYPES) {
    this.#types = types;
  }

  /** @returns the value in the type of the schema; undefined if it has another, or too many alternatives */
  of(schema: Schema, value: unknown): unknown {
    return new Narrowing().narrow([schema], value);
  }

  /** @param value in the type of the schema @returns expressions in place of converted values, if it has any */
  converted(schema: Schema, value: unknown): unknown {
    if (!isConverting(this.#types)) return value;
    return new Narrowing(this.#types).narrow([schema], value) ?? value;
  }
}

/** @returns the expression of a value in the client; undefined for a value that stays */
function clientValue(
  format: ConvertedFormat | undefined,
  value: unknown,
  { int64 }: ValueTypes,
): Code | undefined {
  if (format === undefined || value === null) return undefined;
  if (format === 'int64') {
    const isSafe = Number.isSafeInteger(Number(value));
    if (int64 === 'string') return new Code(`'${value}'`);
    return new Code(isSafe ? String(value) : `${value}n as never`);
  }
  return new Code(`new Date(${expressionOf(value)})`);
}

class Narrowing {
  readonly #types: ValueTypes;
  #steps = MAX_STEPS;

  /** @param types of the values that become expressions */
  constructor(types: ValueTypes = DEFAULT_TYPES) {
    this.#types = types;
  }

  /** @param chosen the schemas whose alternatives are among `schemas` */
  narrow(
    schemas: readonly Schema[],
    value: unknown,
    chosen: ReadonlySet<Schema> = new Set(),
  ): unknown {
    if (this.#steps < 0) return undefined;
    const parts = [...new Set(schemas.flatMap(({ conjuncts }) => conjuncts))];
    this.#steps -= parts.length;
    if (!parts.every((part) => allowsTypeOf(part, value))) return undefined;
    if (isObject(value) && withSelectors(parts, value) === undefined) return undefined;
    const formats = parts.flatMap((part) => convertedFormat(part, this.#types) ?? []);
    const converted = clientValue(formats[0], value, this.#types);
    if (converted !== undefined) return converted;
    if (parts.some((part) => isBigint(part) || isBinary(part))) return value;
    for (const part of parts) {
      if (chosen.has(part)) continue;
      const choice = choiceOf(part, value);
      if (choice.length === 0) continue;
      const inside = new Set([...chosen, part]);
      return fullest(
        choice.map((list) => () => this.narrow([...parts, ...list], value, inside)),
        sizeOf(value),
      );
    }
    if (Array.isArray(value)) return this.#list(parts, value);
    if (isObject(value)) return this.#object(parts, value);
    return parts.every((part) => isScalar(part, value)) ? value : undefined;
  }

  #list(parts: readonly Schema[], value: readonly unknown[]): unknown {
    const isTuple = ({ length }: readonly Schema[]) => length === 0 || length === value.length;
    if (parts.some(isObjectType)) return undefined;
    if (!parts.every((part) => isTuple(part.list('prefixItems')))) return undefined;
    const items = value.map((item, at) => {
      const schemas = parts.flatMap(
        (part) => part.list('prefixItems')[at] ?? part.child('items') ?? [],
      );
      return this.narrow(schemas, item);
    });
    return items.includes(undefined) ? undefined : items;
  }

  #object(parts: readonly Schema[], given: Readonly<Record<string, unknown>>): unknown {
    const value = withSelectors(parts, given);
    if (value === undefined) return undefined;
    const required = new Set(
      parts.flatMap(({ keywords }) => (keywords.required ?? []) as string[]),
    );
    const isOpen = parts.some(isOpenObject);
    const entries: [string, unknown][] = [];
    for (const [name, each] of Object.entries(value)) {
      const own = parts.flatMap((part) => part.map('properties').get(name) ?? []);
      if (own.some((property) => isHidden(property, 'request'))) continue;
      const others = parts.flatMap((part) => othersAt(part, name));
      const isDeclared = isOpen || own.length > 0 || others.length > 0;
      const narrowed = isDeclared ? this.narrow([...own, ...others], each) : undefined;
      if (narrowed !== undefined) entries.push([name, narrowed]);
      else if (required.has(name)) return undefined;
    }
    const present = new Set(entries.map(([name]) => name));
    return [...required].every((name) => present.has(name) || !isSent(parts, name))
      ? Object.fromEntries(entries)
      : undefined;
  }
}

/**
 * The property of a discriminator may have any text, and its type has the names of the alternatives.
 *
 * @returns the value with the names of the chosen alternatives; undefined if those exclude each other
 */
function withSelectors(
  parts: readonly Schema[],
  value: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const changed = { ...value };
  const listed = new Map<string, readonly unknown[]>();
  for (const part of parts.filter(({ isSynthetic }) => isSynthetic)) {
    for (const [name, { keywords }] of part.map('properties')) {
      const all = (keywords.enum as unknown[]).filter(
        (choice) => listed.get(name)?.includes(choice) ?? true,
      );
      if (all.length === 0) return undefined;
      listed.set(name, all);
      if (!all.includes(changed[name])) changed[name] = all[0];
    }
  }
  return changed;
}

/** True for a declared property that requests have. */
function isSent(parts: readonly Schema[], name: string): boolean {
  const own = parts.flatMap((part) => part.map('properties').get(name) ?? []);
  return own.length > 0 && !own.some((schema) => isHidden(schema, 'request'));
}

/** @returns the result with the most parts, the first of those with `most` */
function fullest(attempts: readonly (() => unknown)[], most: number): unknown {
  let best: unknown;
  for (const attempt of attempts) {
    const found = attempt();
    if (found === undefined || (best !== undefined && sizeOf(found) <= sizeOf(best))) continue;
    best = found;
    if (sizeOf(best) >= most) return best;
  }
  return best;
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Code) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + sizeOf(member), 1);
}

function allowsTypeOf(part: Schema, value: unknown): boolean {
  const { types } = part;
  if (value === null) return types?.has('null') ?? (part.isNullable || !isObjectType(part));
  if (types === undefined) return true;
  if (Array.isArray(value)) return types.has('array');
  if (isObject(value)) return types.has('object');
  const isNumeric = typeof value === 'number' || typeof value === 'bigint';
  return isNumeric
    ? types.has('number') || types.has('integer')
    : types.has(typeof value as 'string');
}

function isScalar(part: Schema, value: unknown): boolean {
  const { keywords } = part;
  const listed: unknown = 'const' in keywords ? [keywords.const] : keywords.enum;
  return !isObjectType(part) && (!Array.isArray(listed) || listed.includes(value));
}

/** Also without `type`: the generated type is an object. */
function isObjectType(part: Schema): boolean {
  const isTyped = part.types === undefined || part.types.has('object');
  return (
    isTyped &&
    part.types?.size !== 2 &&
    (part.map('properties').size > 0 || otherProperties(part).length > 0)
  );
}

/** True for an object with any properties. */
function isOpenObject(part: Schema): boolean {
  const { written } = part;
  if (!isObject(written)) return false;
  const rest = written.additionalProperties;
  if (rest === true || (isObject(rest) && Object.keys(rest).length === 0)) return true;
  if (written.patternProperties !== undefined) return true;
  return (
    part.types?.has('object') === true &&
    part.map('properties').size === 0 &&
    rest === undefined &&
    ![...COMPOSITIONS, '$ref'].some((keyword) => part.has(keyword))
  );
}

/** @returns the schemas of a property that the schema does not declare */
function othersAt(part: Schema, name: string): Schema[] {
  if (part.map('properties').has(name)) return [];
  const matching = [...part.map('patternProperties')].flatMap(([pattern, schema]) =>
    lenientTest(pattern).test(name) ? [schema] : [],
  );
  return matching.length > 0 ? matching : otherProperties(part);
}

function otherProperties(part: Schema): Schema[] {
  const rest = part.child('additionalProperties');
  return rest === undefined || rest.isNever || rest.written === true ? [] : [rest];
}

/** Schemas of the same value: one of these lists applies too. */
type Alternatives = readonly (readonly Schema[])[];

function choiceOf(part: Schema, value: unknown): Alternatives {
  const [list] = [part.list('oneOf'), part.list('anyOf')].filter((list) => list.length > 0);
  if (list !== undefined) {
    const own = discriminatorsOf(part).find(({ holder }) => holder === part);
    return list.map((schema) => [schema, ...selecting(part, own, schema.ref)]);
  }
  if (!isObject(value)) return [];
  return discriminatorsOf(part).flatMap((discriminator) => {
    const { holder, schemas } = discriminator;
    if (holder.has('oneOf') || holder.has('anyOf')) return [];
    return [...new Set(schemas.values())].map((target) => [
      target,
      ...selecting(part, discriminator, target),
    ]);
  });
}

/** @returns the schema of the values that select an alternative, if its type has one */
function selecting(
  { model }: Schema,
  discriminator: Discriminator | undefined,
  target: Schema | undefined,
): Schema[] {
  const values = discriminator && target && selectingSchema(target, discriminator);
  return values === undefined ? [] : [model.synthetic(values)];
}
