// A schema as the list of all that must hold at once: $ref followed, allOf taken apart, so that a
// contract which says the same in other words has no other terms. Alternatives stay alternatives.
import type { Definition, Node, Place } from '../../contract/definition/definition.ts';

/** One of the schemas that a value must keep. */
export interface Conjunct {
  readonly place: Place;
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

const COMPOSITIONS = ['oneOf', 'anyOf'];

/** @returns what the schema at `place` demands; `undefined` demands nothing */
export function termOf(definition: Definition, place: Place | undefined, at: string): Term {
  const conjuncts = place === undefined ? [] : flatten(definition, place, false, new Set());
  return { conjuncts, at: place?.pointer ?? at };
}

/** @returns all that several terms demand */
export function allOf(terms: readonly Term[], at: string): Term {
  return { conjuncts: terms.flatMap(({ conjuncts }) => conjuncts), at: terms[0]?.at ?? at };
}

export function keyOf({ conjuncts }: Term): string {
  return conjuncts
    .map(
      ({ place, isNullable, chosen }) =>
        `${place.pointer}${isNullable ? '?' : ''}!${chosen.join()}`,
    )
    .join(' ');
}

function flatten(
  definition: Definition,
  place: Place,
  isNullable: boolean,
  seen: Set<string>,
): Conjunct[] {
  const { node, pointer } = place;
  if (node === (true as unknown) || seen.has(pointer)) return [];
  seen.add(pointer);
  if (typeof node !== 'object') return [{ place, isNullable, chosen: [] }];
  const target = definition.schemaTarget(place);
  const mayBeNull = isNullable || node.nullable === true;
  if (target !== undefined && definition.isVersion30) {
    return flatten(definition, target, isNullable, seen);
  }
  const inner = (each: Place, orNull = mayBeNull) => flatten(definition, each, orNull, seen);
  const single = singleBranches(definition, place);
  return [
    { place, isNullable: mayBeNull, chosen: single.map(({ word }) => word) },
    ...(target === undefined ? [] : inner(target)),
    ...listAt(definition, place, 'allOf').flatMap((each) => inner(each)),
    ...single.flatMap(({ branch, orNull }) => inner(branch, mayBeNull || orNull)),
  ];
}

/** A composition of one, or of one and null, is no choice. */
function singleBranches(definition: Definition, place: Place) {
  return COMPOSITIONS.flatMap((word) => {
    const branches = listAt(definition, place, word);
    const others = branches.filter(({ node }) => !isNull(node));
    const [branch] = others;
    return branch !== undefined && others.length === 1 && branches.length <= 2
      ? [{ word, branch, orNull: branches.length === 2 }]
      : [];
  });
}

function isNull(schema: Node): boolean {
  return schema?.type === 'null' || (Array.isArray(schema?.enum) && schema.enum.every(isNothing));
}

function isNothing(value: unknown): boolean {
  return value === null;
}

/** @returns the ways to keep a term, where it has a choice that is not made yet */
export function branchesOf(definition: Definition, term: Term): Branch[] | undefined {
  for (const conjunct of term.conjuncts) {
    for (const word of COMPOSITIONS) {
      const branches = listAt(definition, conjunct.place, word);
      if (branches.length === 0 || conjunct.chosen.includes(word)) continue;
      const decided = { ...conjunct, chosen: [...conjunct.chosen, word] };
      const rest = term.conjuncts.map((each) => (each === conjunct ? decided : each));
      return branches.map((branch, index) => ({
        label: labelOf(branch.node, index),
        isExclusive: word === 'oneOf',
        term: {
          conjuncts: [...rest, ...flatten(definition, branch, conjunct.isNullable, new Set())],
          at: branch.pointer,
        },
      }));
    }
  }
  return undefined;
}

function labelOf(node: Node, index: number): string {
  return String(node?.$ref ?? node?.title ?? index);
}

/** @returns the places of a list of schemas under `word` */
export function listAt(definition: Definition, place: Place, word: string): Place[] {
  if (!Array.isArray(place.node?.[word])) return [];
  const list = definition.step(place, word);
  return Object.keys(list.node).map((index) => definition.step(list, index));
}
