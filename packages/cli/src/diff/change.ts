// What a change of a contract is, and the list that changes are gathered in. Knows nothing of how
// they are found or written.

/**
 * What a change means to a client that keeps to the older contract.
 *
 * - `breaking`: its request is refused or means something else, its answer is not what was promised,
 *   or a name that its SDK gave it is gone.
 * - `risky`: the promise is kept, yet a client may notice; or nobody can tell.
 * - `compatible`: no client notices that did not look for it.
 */
export type Verdict = 'breaking' | 'risky' | 'compatible';

export interface Change {
  readonly verdict: Verdict;
  /** `POST /toys`; none where the whole contract is concerned. */
  readonly operations: readonly string[];
  /** Where in the operation: `request body /tag`, `query parameter limit`; `''` for the whole. */
  readonly part: string;
  /** `maxLength 20 became 10`. */
  readonly what: string;
  /** What clients meet, a sentence. */
  readonly effect: string;
  /** JSON pointers into the two documents; where something is absent, of what it would stand in. */
  readonly before: string;
  readonly after: string;
}

/** One change as it is found; `operation` is undefined for the whole contract. */
export type Found = Omit<Change, 'operations'> & { readonly operation: string | undefined };

/** The effect of a change that only people read. */
export const DOCUMENTATION_ONLY = 'Only the documentation changes.';

const ORDER: readonly Verdict[] = ['breaking', 'risky', 'compatible'];

/** Changes, each once: what many operations share is one change that names them all. */
export class ChangeList {
  readonly #byKey = new Map<string, Omit<Change, 'operations'> & { operations: Set<string> }>();

  add({ operation, ...change }: Found): void {
    const key = JSON.stringify([change.before, change.after, change.what, change.effect]);
    let known = this.#byKey.get(key);
    if (known === undefined) {
      known = { ...change, operations: new Set() };
      this.#byKey.set(key, known);
    }
    if (operation !== undefined) known.operations.add(operation);
  }

  /** @returns the worst first, else in the order in which they were found */
  sorted(): Change[] {
    const all = [...this.#byKey.values()].map((each) => ({
      ...each,
      operations: [...each.operations],
    }));
    return all.sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
  }
}
