// A schema as the list of all that must hold at once: $ref followed, allOf taken apart, so that a
// contract which says the same in other words has no other terms. Alternatives stay alternatives.
import type { Node } from '../../../../stubwright/src/document/definition.ts';
import type { Schema } from '../../../../stubwright/src/schema/model.ts';

/** One of the schemas that a value must keep. */
export interface Conjunct {
  readonly schema: Schema;
  /** `null` is allowed beside what it says. */
  readonly isNullable: boolean;
  /** The compositions (`oneOf`, `anyOf`) of which a branch has been chosen already. */
  readonly chosen: readonly string[];
}

/** Everything that a value must keep; without conjuncts any value will do. */
export interface Term {
  readonly conjuncts: readonly Conjunct[];
  /** The place that speaks for the whole. */
  readonly at: string;
}

/** One of several ways to be valid. */
export interface Branch {
  /** What tells it from its neighbours and stays through an edit, if anything does. */
  readonly label: string;
  readonly term: Term;
  /** A value must keep no other one: `oneOf`. */
  readonly isExclusive: boolean;
}

const COMPOSITIONS = ['oneOf', 'anyOf'] as const;

/** @returns what a schema demands; `undefined` demands nothing */
export function termOf(schema: Schema | undefined, at: string): Term {
  const conjuncts = schema === undefined ? [] : flatten(schema, false, new Set());
  return { conjuncts, at: schema?.pointer ?? at };
}

/** @returns all that several schemas demand */
export function allOf(schemas: readonly Schema[], at: string): Term {
  const conjuncts = schemas.flatMap((each) => flatten(each, false, new Set()));
  return { conjuncts, at: schemas[0]?.pointer ?? at };
}

export function keyOf({ conjuncts }: Term): string {
  return conjuncts
    .map(
      ({ schema, isNullable, chosen }) =>
        `${schema.pointer}${isNullable ? '?' : ''}!${chosen.join()}`,
    )
    .join(' ');
}

function flatten(schema: Schema, isNullable: boolean, seen: Set<Schema>): Conjunct[] {
  if (schema.written === true || seen.has(schema)) return [];
  seen.add(schema);
  const mayBeNull = isNullable || schema.isNullable;
  const [dynamicTarget] = schema.dynamicRefs;
  const targets = [schema.ref, dynamicTarget].filter((each) => each !== undefined);
  const inner = (each: Schema, orNull = mayBeNull) => flatten(each, orNull, seen);
  const single = singleBranches(schema);
  return [
    { schema, isNullable: mayBeNull, chosen: single.map(({ word }) => word) },
    ...[...targets, ...schema.list('allOf')].flatMap((each) => inner(each)),
    ...single.flatMap(({ branch, orNull }) => inner(branch, mayBeNull || orNull)),
  ];
}

/** A composition of one, or of one and null, is no choice. */
function singleBranches(schema: Schema) {
  return COMPOSITIONS.flatMap((word) => {
    const branches = schema.list(word);
    const others = branches.filter((each) => !isNull(each));
    const [branch] = others;
    return branch !== undefined && others.length === 1 && branches.length <= 2
      ? [{ word, branch, orNull: branches.length === 2 }]
      : [];
  });
}

function isNull({ types, keywords }: Schema): boolean {
  const isOnlyNull = types?.size === 1 && types.has('null');
  return isOnlyNull || (Array.isArray(keywords.enum) && keywords.enum.every(isNothing));
}

function isNothing(value: unknown): boolean {
  return value === null;
}

/** @returns the ways to keep a term, where it has a choice that is not made yet */
export function branchesOf(term: Term): Branch[] | undefined {
  for (const conjunct of term.conjuncts) {
    for (const word of COMPOSITIONS) {
      const branches = conjunct.schema.list(word);
      if (branches.length === 0 || conjunct.chosen.includes(word)) continue;
      const decided = { ...conjunct, chosen: [...conjunct.chosen, word] };
      const rest = term.conjuncts.map((each) => (each === conjunct ? decided : each));
      return branches.map((branch, index) => ({
        label: labelOf(branch, index),
        isExclusive: word === 'oneOf',
        term: {
          conjuncts: [...rest, ...flatten(branch, conjunct.isNullable, new Set())],
          at: branch.pointer,
        },
      }));
    }
  }
  return undefined;
}

function labelOf({ written, keywords }: Schema, index: number): string {
  return String((written as Node).$ref ?? keywords.title ?? index);
}
