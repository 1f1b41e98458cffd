// Names for operations that the contract leaves without one.

/** Gives out operationIds, none twice and none that the contract declares. */
export class OperationIds {
  readonly #taken: Set<string>;
  readonly #given = new Set<string>();

  constructor(declared: Iterable<string>) {
    this.#taken = new Set(declared);
  }

  /** @returns the declared id for the first operation that has it, else a derived one */
  of(declared: unknown, method: string, path: string): string {
    const id = declared ? String(declared) : undefined;
    if (id === undefined || this.#given.has(id)) return this.derive(method, path);
    this.#given.add(id);
    return id;
  }

  /** Stable: it depends on what stands before the operation in the contract, and on nothing else. */
  derive(method: string, path: string): string {
    const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
    const base = method + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
    let id = base;
    for (let at = 2; this.#taken.has(id); at++) id = `${base}_${at}`;
    this.#taken.add(id);
    return id;
  }
}
