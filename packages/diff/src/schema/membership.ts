// Whether a value is valid against a term.
import {
  type ContractDocument,
  type Direction,
  formats,
  isNumber,
  keywordsOfType,
  type Schema,
} from '@stubwright/contract';
import { Validators } from '@stubwright/contract/validation';
import { type Type, typeOf } from '../values/formatting.ts';
import type { Conjunct } from './term.ts';
import { isTextual, type Wire } from './wire.ts';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const RESTRICTIONS = [...['enum', 'const', 'pattern', 'maxLength', 'contentEncoding', 'not', 'if']];
/** Keywords that the fast path does not evaluate. */
const OTHERS = [
  ...[...keywordsOfType('string'), ...keywordsOfType('number')],
  ...['not', 'if', '$recursiveRef', 'contentMediaType'],
];
/** OpenAPI 3.0 has formats in place of `contentEncoding`: a client decodes both alike. */
export const COMPARED = { assertsEncoding: true };
const validators = new WeakMap<ContractDocument, Map<Direction, Validators>>();

/** The part of a view that decides about a value. */
interface Values {
  readonly direction: Direction;
  readonly wire: Wire;
  readonly types: ReadonlySet<Type>;
  readonly conjuncts: readonly Conjunct[];
}

/** Text is accepted if one of its readings is. */
export function accepts(view: Values, value: unknown): boolean {
  const readings = isTextual(view.wire) ? readingsOf(value) : [value];
  return readings.some(
    (reading) =>
      view.types.has(typeOf(reading)) &&
      view.conjuncts.every(
        ({ schema, isNullable }) =>
          (reading === null && isNullable) || isValid(schema, view.direction, reading),
      ),
  );
}

function readingsOf(value: unknown): unknown[] {
  if (typeof value === 'object') return [value];
  const text = String(value);
  const isBoolean = text === 'true' || text === 'false';
  return [
    ...[value, text],
    ...(NUMBER.test(text) ? [Number(text)] : []),
    ...(isBoolean ? [text === 'true'] : []),
  ];
}

const results = {
  request: new WeakMap<Schema, Results>(),
  response: new WeakMap<Schema, Results>(),
};
type Results = Map<unknown, boolean>;

/** Remembers the results for scalars. */
export function isValid(schema: Schema, direction: Direction, value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return validate(schema, direction, value);
  const known = results[direction].get(schema) ?? new Map();
  results[direction].set(schema, known);
  const isKnown: boolean = known.get(value) ?? validate(schema, direction, value);
  known.set(value, isKnown);
  return isKnown;
}

function validate(schema: Schema, direction: Direction, value: unknown): boolean {
  const isPlain = plainValidity(schema, value);
  if (isPlain !== undefined) return isPlain;
  const { definition } = schema.model;
  const known = validators.get(definition) ?? new Map<Direction, Validators>();
  validators.set(definition, known);
  const compiled = known.get(direction) ?? new Validators(definition, direction, COMPARED);
  known.set(direction, compiled);
  return compiled.at(schema.pointer)(value);
}

/**
 * Fast path without compiling a validator, for scalars and `type`, `enum`, `const` and compositions.
 *
 * @returns undefined if another keyword applies
 */
function plainValidity(schema: Schema, value: unknown): boolean | undefined {
  if (schema.isNever) return false;
  if (schema.isNullable && value === null) return true;
  if (typeof value === 'object' && value !== null) return undefined;
  if (hasOthers(schema) || isFormatUnclear(schema, value)) return undefined;
  const { types, keywords, ref } = schema;
  const type = typeOf(value);
  const isNumber = type === 'integer' || type === 'nonInteger';
  const names = isNumber ? (type === 'integer' ? ['integer', 'number'] : ['number']) : [type];
  if (types !== undefined && !names.some((name) => (types as ReadonlySet<string>).has(name))) {
    return false;
  }
  const listed: unknown = keywords['const'] === undefined ? keywords['enum'] : [keywords['const']];
  if (Array.isArray(listed) && !listed.includes(value) && !hasEqual(listed, value)) return false;
  return inPlaceValidity(schema, ref, value);
}

/** A number may equal a bigint. */
function hasEqual(listed: readonly unknown[], value: unknown): boolean {
  if (!isNumber(value)) return false;
  return listed.some((each) => isNumber(each) && String(each) === String(value));
}

const others = new WeakMap<Schema, boolean>();

function hasOthers(schema: Schema): boolean {
  const known = others.get(schema) ?? OTHERS.some((keyword) => schema.has(keyword));
  others.set(schema, known);
  return known;
}

/** Small integers are valid in every signed integer format. */
function isFormatUnclear({ keywords }: Schema, value: unknown): boolean {
  const format: unknown = keywords['format'];
  if (format === undefined) return false;
  const isSmall = Number.isInteger(value) && Math.abs(value as number) < 2 ** 7;
  return !(isSmall && typeof format === 'string' && format.startsWith('int'));
}

function inPlaceValidity(
  schema: Schema,
  ref: Schema | undefined,
  value: unknown,
): boolean | undefined {
  const all = [...(ref === undefined ? [] : [ref]), ...schema.list('allOf')];
  const results = all.map((conjunct) => plainValidity(conjunct, value));
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const branches = schema.list(keyword).map((branch) => plainValidity(branch, value));
    if (branches.length === 0) continue;
    if (branches.includes(undefined)) return undefined;
    const count = branches.filter(Boolean).length;
    results.push(keyword === 'oneOf' ? count === 1 : count > 0);
  }
  return results.includes(undefined) ? undefined : !results.includes(false);
}

/** True if no keyword refuses the text of a number or boolean as a string. */
export function isFreeText(conjuncts: readonly Conjunct[]): boolean {
  return conjuncts.every(({ schema, chosen }) => {
    const { minLength = 0, format = '' } = schema.keywords;
    const isOpen = ['oneOf', 'anyOf'].some(
      (keyword) => schema.has(keyword) && !chosen.includes(keyword),
    );
    const isRestricted = isOpen || RESTRICTIONS.some((keyword) => schema.has(keyword));
    return !isRestricted && minLength <= 1 && !Object.hasOwn(formats, format);
  });
}
