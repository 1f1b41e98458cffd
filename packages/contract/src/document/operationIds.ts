// Assigns unique operationIds.

/** The operationIds of one contract: declared ones, and derived ones for operations without. */
export class OperationIds {
  readonly #taken: Set<string>;
  readonly #assigned = new Set<string>();

  constructor(declared: Iterable<string>) {
    this.#taken = new Set(declared);
  }

  /** @returns the declared id if no earlier operation has it, else a derived one */
  of(declared: unknown, method: string, path: string): string {
    const id = declared ? String(declared) : undefined;
    if (id === undefined || this.#assigned.has(id)) return this.derive(method, path);
    this.#assigned.add(id);
    return id;
  }

  /** Stable: the id depends only on the operation and on the operations before it. */
  derive(method: string, path: string): string {
    const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
    const base =
      method.replace(/[^a-z]/g, '') +
      words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
    let id = base;
    for (let at = 2; this.#taken.has(id); at++) id = `${base}_${at}`;
    this.#taken.add(id);
    return id;
  }
}
