// Turns the names of a contract into identifiers, and names the types of schemas.

import type { SchemaName } from './schemaAliases.ts';

/** @returns the name with as many `_` as it needs to be unique; from now on it is taken */
export function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  while (taken.has(name)) name += '_';
  taken.add(name);
  return name;
}

/** `pets/list-all` -> `petsListAll` */
export function identifierOf(id: string): string {
  const [first = '', ...words] = id.split(/[^\p{ID_Continue}$]+/u).filter(Boolean);
  const name = [first, ...words.map((word) => word[0]!.toUpperCase() + word.slice(1))].join('');
  return /^[\p{ID_Start}$_]/u.test(name) ? name : `_${name}`;
}

const KEYWORDS = (
  'abstract any as asserts async await bigint boolean break case catch class const continue debugger declare ' +
  'default delete do else enum export extends false finally for from function get global if implements import ' +
  'in infer instanceof interface intrinsic is keyof let module namespace never new null number object of out ' +
  'override package private protected public readonly require return satisfies set static string super switch ' +
  'symbol this throw true try type typeof undefined unique unknown using var void while with yield'
).split(' ');

/** The names that the declarations of a contract use. */
const USED = [
  'Blob',
  'Defaults',
  'Omit',
  'PropertyKey',
  'ReadOnly',
  'Record',
  'WithRequired',
  'WriteOnly',
];

/** The names that they export. */
const EXPORTED = ['$defs', 'callbacks', 'components', 'operations', 'paths', 'webhooks'];

/** @returns the name of the type of each schema: its own, if that is an identifier */
export function componentTypeNames(
  components: readonly string[],
  taken: readonly string[],
): ReadonlyMap<string, string> {
  return uniqueNames(components, [...KEYWORDS, ...EXPORTED, ...taken]);
}

/** @param globals other types that the declarations use @returns the names of the type aliases of components */
export function aliasNames(
  components: readonly string[],
  exported: ReadonlyMap<string, string>,
  globals: readonly string[] = [],
): ReadonlyMap<string, SchemaName> {
  const local = uniqueNames(components, [...KEYWORDS, ...EXPORTED, ...USED, ...globals]);
  return new Map(
    [...local].map(([key, name]) => [key, { local: name, exported: exported.get(key) }]),
  );
}

/** A name that is an identifier does not change. */
function uniqueNames(
  written: readonly string[],
  reserved: readonly string[],
): ReadonlyMap<string, string> {
  const taken = new Set(reserved);
  const isOwn = (name: string) => identifierOf(name) === name && !taken.has(name);
  const names = new Map(written.filter(isOwn).map((name) => [name, name]));
  for (const key of names.keys()) taken.add(key);
  for (const text of written) {
    if (names.has(text)) continue;
    const word = identifierOf(text);
    const name = word === text ? word : word[0]!.toUpperCase() + word.slice(1);
    names.set(text, freeName(name, taken));
  }
  return names;
}
