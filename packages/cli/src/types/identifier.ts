// Turns the names of a contract into identifiers.

/** `pets/list-all` -> `petsListAll` */
export function identifierOf(id: string): string {
  const [first = '', ...words] = id.split(/[^\p{ID_Continue}$]+/u).filter(Boolean);
  const name = [first, ...words.map((each) => each[0]!.toUpperCase() + each.slice(1))].join('');
  return /^[\p{ID_Start}$_]/u.test(name) ? name : `_${name}`;
}
