// Turns the names of a contract into identifiers.

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
