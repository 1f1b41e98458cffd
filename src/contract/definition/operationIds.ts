// Names for operations that the contract leaves without one.

/** Gives out operationIds, none twice and none that the contract declares. */
export class OperationIds {
  readonly #taken: Set<string>;

  constructor(declared: Iterable<string>) {
    this.#taken = new Set(declared);
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
