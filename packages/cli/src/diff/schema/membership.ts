// Whether a value is valid against a term.
import type { Definition } from 'stubwright/internal/document/definition';
import { formats } from 'stubwright/internal/schema/formats';
import type { Direction, Schema } from 'stubwright/internal/schema/model';
import { Validators } from 'stubwright/internal/schema/validator';
import type { Conjunct } from './term.ts';
import { typeOf, type View } from './view.ts';
import { isTextual } from './wire.ts';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const RESTRICTIONS = [
  ...['enum', 'const', 'pattern', 'maxLength', 'contentEncoding', 'not', 'if', 'oneOf', 'anyOf'],
];
const validators = new WeakMap<Definition, Map<Direction, Validators>>();

/** Text is accepted if one of its readings is. */
export function accepts(view: View, value: unknown): boolean {
  const readings = isTextual(view.wire) ? readingsOf(value) : [value];
  return readings.some(
    (each) =>
      view.types.has(typeOf(each)) &&
      view.conjuncts.every(
        ({ schema, isNullable }) =>
          (each === null && isNullable) || isValid(schema, view.direction, each),
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

function isValid(schema: Schema, direction: Direction, value: unknown): boolean {
  const { definition } = schema.model;
  const known = validators.get(definition) ?? new Map<Direction, Validators>();
  validators.set(definition, known);
  const compiled = known.get(direction) ?? new Validators(definition, direction);
  known.set(direction, compiled);
  return compiled.at(schema.pointer)(value);
}

/** True if no keyword refuses the text of a number or boolean as a string. */
export function isFreeText(conjuncts: readonly Conjunct[]): boolean {
  return conjuncts.every(({ schema }) => {
    const { minLength = 0, format = '' } = schema.keywords;
    const isRestricted = RESTRICTIONS.some((keyword) => schema.has(keyword));
    return !isRestricted && minLength <= 1 && !Object.hasOwn(formats, format);
  });
}
