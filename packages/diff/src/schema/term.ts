// A schema as the conjunction of all schemas that apply: `$ref` resolved, `allOf` flattened.
import type { Node, Schema } from '@stubwright/contract';
import { abbreviated, canonical, type Type } from '../values/formatting.ts';
import { onlyKeyword, unwrapped } from './trivial.ts';

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
  /** The schemas of which this is the conjunction; absent in a branch. */
  readonly roots?: readonly Schema[];
  /** Restricts the values to one type or to one value. */
  readonly only?: { readonly type: Type } | { readonly value: unknown };
}

/** A branch of `oneOf` or `anyOf`. */
export interface Branch {
  /** Identify the branch in both contracts: component, title, content, position; `''` without one. */
  readonly keys: readonly string[];
  /** In messages. */
  readonly name: string;
  /** Of the component or in `title`; absent from a branch without either. */
  readonly title?: string;
  readonly term: Term;
  /** True for `oneOf`: a value must be invalid against the other branches. */
  readonly isExclusive: boolean;
}

const COMPOSITIONS = ['oneOf', 'anyOf'] as const;

/** @returns the term of a schema; `undefined` allows any value */
export function termOf(schema: Schema | undefined, at: string): Term {
  return allOf(schema === undefined ? [] : [schema], at);
}

/** Follows a `$ref` that nothing else restricts: many operations may share its target. */
export function referenced(schema: Schema): Schema {
  const seen = new Set<Schema>();
  let target = schema;
  while (onlyKeyword(target) === '$ref' && target.ref !== undefined && !seen.has(target)) {
    seen.add(target);
    target = target.ref;
  }
  return target;
}

/** @returns the conjunction of several schemas */
export function allOf(schemas: readonly Schema[], at: string): Term {
  const roots = [...new Set(schemas)];
  const [first, second] = roots;
  if (first === undefined) return { conjuncts: [], at, roots };
  if (second === undefined) return termOfOne(first);
  const conjuncts = distinct(roots.flatMap((root) => flatten(root)));
  return { conjuncts, at: referenced(first).pointer, roots };
}

/** Many schemas may contain one: their comparisons share its term. */
function termOfOne(schema: Schema): Term {
  const known = termsOfOne.get(schema);
  if (known !== undefined) return known;
  const term = { conjuncts: flatten(schema), at: referenced(schema).pointer, roots: [schema] };
  termsOfOne.set(schema, term);
  return term;
}

const termsOfOne = new WeakMap<Schema, Term>();

/** @returns each schema once: a conjunction is a set, which stops growing along a cycle of references */
function distinct(conjuncts: readonly Conjunct[]): Conjunct[] {
  const bySchema = new Map<Schema, Conjunct>();
  for (const conjunct of conjuncts) {
    const known = bySchema.get(conjunct.schema);
    const isNullable = conjunct.isNullable && (known?.isNullable ?? true);
    bySchema.set(conjunct.schema, known === undefined ? conjunct : { ...known, isNullable });
  }
  return [...bySchema.values()];
}

/** @param areSame compares two conjuncts @returns true if both terms have the same conjuncts and values */
export function haveSameConjuncts(
  before: Term,
  after: Term,
  areSame: (was: Schema, is: Schema) => boolean,
): boolean {
  return (
    before.conjuncts.length === after.conjuncts.length &&
    before.conjuncts.every(({ schema, isNullable, chosen }, at) => {
      const other = after.conjuncts[at]!;
      const isSame = isNullable === other.isNullable && chosen.join() === other.chosen.join();
      return isSame && areSame(schema, other.schema);
    }) &&
    canonical(before.only) === canonical(after.only)
  );
}

/** @returns the same key for each reference to a schema */
export function keyOf({ at, conjuncts, only }: Term): string {
  const own = conjuncts.filter(
    ({ schema: { written } }) => Object.keys(Object(written)).join() !== '$ref',
  );
  const keys = own.map(
    ({ schema, isNullable, chosen }) =>
      `${schema.pointer}${isNullable ? '?' : ''}!${chosen.join()}`,
  );
  const key = `${at} ${keys.sort().join(' ')}`;
  return only === undefined ? key : `${key} only ${canonical(only)}`;
}

function flatten(
  schema: Schema,
  { isNullable = false, seen = new Set<Schema>() } = {},
): Conjunct[] {
  if (schema.written === true || seen.has(schema)) return [];
  seen.add(schema);
  const mayBeNull = isNullable || schema.isNullable;
  const targets = schema.ref === undefined ? [] : [schema.ref];
  const inner = (schema: Schema, orNull = mayBeNull) =>
    flatten(schema, { isNullable: orNull, seen });
  const single = singleBranches(schema);
  // `not: {not: …}` applies its inner schema.
  const negated = doublyNegated(schema.child('not'));
  return [
    { schema, isNullable: mayBeNull, chosen: single.map(({ keyword }) => keyword) },
    ...[...targets, ...schema.list('allOf')].flatMap((target) => inner(target)),
    ...single.flatMap(({ branch, orNull }) => inner(branch, mayBeNull || orNull)),
    ...(negated === undefined ? [] : inner(negated)),
  ];
}

/** @returns the inner schema if a schema under `not` is nothing but another `not` */
export function doublyNegated(not: Schema | undefined): Schema | undefined {
  if (not === undefined) return undefined;
  const plain = unwrapped(not);
  return onlyKeyword(plain) === 'not' ? plain.child('not') : undefined;
}

/** Branches that apply without a choice: the only one, or the only one apart from null. */
function singleBranches(schema: Schema) {
  return COMPOSITIONS.flatMap((keyword) => {
    const branches = schema.list(keyword);
    const others = branches.filter((branch) => !isNull(branch));
    const [branch] = others;
    return branch !== undefined && others.length === 1 && branches.length <= 2
      ? [{ keyword, branch, orNull: branches.length === 2 }]
      : [];
  });
}

function isNull({ types, keywords }: Schema): boolean {
  const isOnlyNull = types?.size === 1 && types.has('null');
  const list: unknown = keywords.enum;
  return isOnlyNull || (Array.isArray(list) && list.every((each) => each === null));
}

/** @returns the branches of the first composition without a chosen branch; undefined if none is left */
export function branchesOf(term: Term): Branch[] | undefined {
  for (const conjunct of term.conjuncts) {
    for (const keyword of COMPOSITIONS) {
      const branches = conjunct.schema.list(keyword);
      if (branches.length === 0 || conjunct.chosen.includes(keyword)) continue;
      const decided = { ...conjunct, chosen: [...conjunct.chosen, keyword] };
      const rest = term.conjuncts.map((each) => (each === conjunct ? decided : each));
      // A branch may refer back to the schema that lists it; that applies already.
      const present = term.conjuncts.map(({ schema }) => schema);
      const found = branches.map((branch, index) => ({
        ...identityOf(branch, index),
        isExclusive: keyword === 'oneOf',
        term: {
          conjuncts: [...rest, ...flatten(branch, { seen: new Set(present) })],
          at: branch.pointer,
          ...(term.only && { only: term.only }),
        },
      }));
      const isExclusive = keyword === 'oneOf';
      return conjunct.isNullable
        ? [...found, ...nullBranches({ ...term, conjuncts: rest }, { isExclusive })]
        : found;
    }
  }
  return undefined;
}

/** Beside the branches of a nullable schema, null is valid. */
function nullBranches(
  { conjuncts, at, only }: Term,
  { isExclusive }: Pick<Branch, 'isExclusive'>,
): Branch[] {
  const isAllowed = conjuncts.every(
    ({ schema: { types }, isNullable }) => isNullable || types === undefined || types.has('null'),
  );
  const isOther =
    only !== undefined && ('type' in only ? only.type !== 'null' : only.value !== null);
  if (!isAllowed || isOther) return [];
  const term: Term = { conjuncts, at, only: { type: 'null' } };
  return [{ keys: ['null'], name: 'null', term, isExclusive }];
}

/** @returns a term without alternatives as a branch */
export function wholeOf(term: Term): Branch {
  const [{ schema } = {}] = term.conjuncts;
  const name =
    schema === undefined ? 'any value' : (titleOf(schema) ?? abbreviated(schema.written));
  return { keys: [], name, term, isExclusive: false };
}

function identityOf(branch: Schema, index: number): Pick<Branch, 'keys' | 'name' | 'title'> {
  const title = titleOf(branch);
  const position = String(index);
  if (title === undefined) {
    const keys = ['', '', canonical(branch.written), position];
    return { keys, name: abbreviated(branch.written) };
  }
  const isComponent = isString((branch.written as Node).$ref);
  const keys = isComponent ? [title, '', '', position] : ['', title, '', position];
  return { keys, name: title, title };
}

function titleOf({ written, keywords }: Schema): string | undefined {
  const ref: unknown = (written as Node).$ref;
  if (isString(ref)) return ref.slice(ref.lastIndexOf('/') + 1);
  return isString(keywords.title) && keywords.title !== '' ? keywords.title : undefined;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
