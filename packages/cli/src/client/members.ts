// The members of a client whose operations are grouped by tag.
import { freeName, identifierOf } from '../types/identifier.ts';

export interface TaggedOperation {
  readonly operationId: string;
  /** The first of its tags; undefined without one. */
  readonly tag: string | undefined;
  readonly name: string;
}

/** @returns the path of each operation in the client, by operationId: `['toys', 'create']` */
export function memberNames(
  operations: readonly TaggedOperation[],
): ReadonlyMap<string, readonly string[]> {
  const own = operations.filter(({ tag }) => tag === undefined);
  const taken = new Set(['then', ...own.map(({ name }) => name)]);
  const paths = new Map<string, readonly string[]>(
    own.map(({ operationId, name }) => [operationId, [name]]),
  );
  const tagged = operations.filter(({ tag }) => tag !== undefined);
  for (const [group, members] of Map.groupBy(tagged, ({ tag }) =>
    camelCase([identifierOf(tag!)]),
  )) {
    const name = freeName(group, taken);
    for (const [operationId, member] of shortNames(members)) paths.set(operationId, [name, member]);
  }
  return paths;
}

/** Operations that would have one name keep their own. */
function shortNames(members: readonly TaggedOperation[]): ReadonlyMap<string, string> {
  const names = new Map(members.map((each) => [each.operationId, shortName(each)]));
  for (let isUnique = false; !isUnique; ) {
    const byName = Map.groupBy(members, ({ operationId }) => names.get(operationId)!);
    const rivals = [...byName.values()].filter(({ length }) => length > 1).flat();
    for (const { operationId, name } of rivals) names.set(operationId, name);
    isUnique = rivals.length === 0;
  }
  return names;
}

/** @returns the name without the words of the tag, if an identifier is left */
function shortName({ operationId, tag, name }: TaggedOperation): string {
  const words = wordsOf(operationId);
  const dropped = wordsOf(tag!);
  const isTag = (_: string, at: number) =>
    dropped.every((each, next) => isSame(each, words[at + next]));
  const at = dropped.length === 0 ? -1 : words.findIndex(isTag);
  if (at < 0) return name;
  const short = camelCase(words.toSpliced(at, dropped.length));
  return /^[\p{ID_Start}$_]/u.test(short) && short !== 'then' ? short : name;
}

/** `ToysController_list` -> Toys, Controller, list */
function wordsOf(text: string): string[] {
  return text
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .split(/(?:_|[^\p{ID_Continue}$])+/u)
    .filter(Boolean);
}

function camelCase(words: readonly string[]): string {
  const [first = '', ...others] = words;
  const start = /^\P{Ll}+$/u.test(first) ? first.toLowerCase() : lowerFirst(first);
  return [start, ...others.map((each) => each[0]!.toUpperCase() + each.slice(1))].join('');
}

function lowerFirst(word: string): string {
  return word.slice(0, 1).toLowerCase() + word.slice(1);
}

/** True also for a singular and its plural. */
function isSame(one: string, other: string | undefined): boolean {
  if (other === undefined) return false;
  const forms = formsOf(other);
  return formsOf(one).some((each) => forms.includes(each));
}

function formsOf(word: string): string[] {
  const plain = word.toLowerCase();
  return [plain, plain.replace(/s$/, ''), plain.replace(/es$/, ''), plain.replace(/ies$/, 'y')];
}
