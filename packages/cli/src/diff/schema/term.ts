// A schema as the conjunction of all schemas that apply: `$ref` resolved, `allOf` flattened.
import type { Node } from 'stubwright/internal/document/definition';
import type { Schema } from 'stubwright/internal/schema/model';

/** One of the schemas that a value must satisfy. */
export interface Conjunct {
  readonly schema: Schema;
  /** `null` is allowed as well. */
  readonly isNullable: boolean;
  /** The compositions (`oneOf`, `anyOf`) whose branch is already chosen. */
  readonly chosen: readonly string[];
}

/** The schemas that a value must satisfy; without conjuncts, any value is valid. */
export interface Term {
  readonly conjuncts: readonly Conjunct[];
  /** JSON pointer of the whole. */
  readonly at: string;
}

/** A branch of `oneOf` or `anyOf`. */
export interface Branch {
  /** `$ref`, title or index: identifies the branch in both contracts. */
  readonly label: string;
  readonly term: Term;
  /** True for `oneOf`: a value must be invalid against the other branches. */
  readonly isExclusive: boolean;
}

const COMPOSITIONS = ['oneOf', 'anyOf'] as const;

/** @returns the term of a schema; `undefined` allows any value */
export function termOf(schema: Schema | undefined, at: string): Term {
  const conjuncts = schema === undefined ? [] : flatten(schema, false, new Set());
  return { conjuncts, at: schema?.pointer ?? at };
}

/** @returns the conjunction of several schemas */
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
    { schema, isNullable: mayBeNull, chosen: single.map(({ keyword }) => keyword) },
    ...[...targets, ...schema.list('allOf')].flatMap((each) => inner(each)),
    ...single.flatMap(({ branch, orNull }) => inner(branch, mayBeNull || orNull)),
  ];
}

/** Branches that apply without a choice: the only one, or the only one apart from null. */
function singleBranches(schema: Schema) {
  return COMPOSITIONS.flatMap((keyword) => {
    const branches = schema.list(keyword);
    const others = branches.filter((each) => !isNull(each));
    const [branch] = others;
    return branch !== undefined && others.length === 1 && branches.length <= 2
      ? [{ keyword, branch, orNull: branches.length === 2 }]
      : [];
  });
}

function isNull({ types, keywords }: Schema): boolean {
  const isOnlyNull = types?.size === 1 && types.has('null');
  return isOnlyNull || (Array.isArray(keywords.enum) && keywords.enum.every(isNullValue));
}

function isNullValue(value: unknown): boolean {
  return value === null;
}

/** @returns the branches of the first composition without a chosen branch; undefined if none is left */
export function branchesOf(term: Term): Branch[] | undefined {
  for (const conjunct of term.conjuncts) {
    for (const keyword of COMPOSITIONS) {
      const branches = conjunct.schema.list(keyword);
      if (branches.length === 0 || conjunct.chosen.includes(keyword)) continue;
      const decided = { ...conjunct, chosen: [...conjunct.chosen, keyword] };
      const rest = term.conjuncts.map((each) => (each === conjunct ? decided : each));
      return branches.map((branch, index) => ({
        label: labelOf(branch, index),
        isExclusive: keyword === 'oneOf',
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
