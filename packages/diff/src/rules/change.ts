// A change between two contracts, and the list that collects changes.
import { printable } from '@stubwright/contract/printable';
import type { ChangeMessage } from './rules.ts';
import { SEVERITIES } from './severity.ts';

/** A part of an operation, as data. */
export interface ChangedPart {
  /** `request body`, `query parameter limit`; `''` for the whole operation. */
  readonly subject: string;
  readonly mediaType?: string | undefined;
  /** The names of properties; null for items and for other properties. */
  readonly path: readonly (string | null)[];
}

export interface Change extends ChangeMessage {
  /** `POST /toys`; empty for a change of the whole contract. */
  readonly operations: readonly string[];
  /** The part of the operation: `request body /tag`, `query parameter limit`; `''` for all of it. */
  readonly part: string;
  /** The parts of operations in which it differs from `part`. */
  readonly otherParts?: Readonly<Record<string, string>> | undefined;
  /** The same as data, by operation. */
  readonly located?: ReadonlyMap<string, ChangedPart>;
  /** JSON pointers into the two documents; for an absent value, of the nearest ancestor. */
  readonly before: string;
  readonly after: string;
  /** A value that proves the change breaking. */
  readonly example?: ChangeExample | undefined;
  /** The basis of the severity; undefined for a rule alone. */
  readonly by?: DecidedBy | undefined;
  /** Whom it breaks, according to recorded requests; undefined without a recording. */
  readonly traffic?: ChangeTraffic | undefined;
}

/** A rule, a proof that one schema allows no more than another, automata of patterns, or generated values. */
export type DecidedBy = 'rule' | 'implication' | 'automaton' | 'samples';

/** What recorded requests say about a change. */
export interface ChangeTraffic {
  /** `breaks mobile-app (1,204 requests, last 2026-11-20) and 2 other callers` */
  readonly text: string;
  /** True unless enough requests were recorded, and none notices the change. */
  readonly isUsed: boolean;
  readonly callers: readonly {
    readonly caller: string;
    readonly count: number;
    /** RFC 3339. */
    readonly last: string;
  }[];
}

/** A value of one contract that the other refuses. */
export interface ChangeExample {
  /** JSON, shortened. */
  readonly value: string;
  /** `/a expected integer` */
  readonly error: string;
}

/** A change of one operation; `operation` is undefined for the whole contract. */
type OperationChange = Omit<Change, 'operations' | 'otherParts' | 'located'> & {
  readonly location: ChangedPart;
  readonly operation: string | undefined;
};

/** True for a change that no client depends on. */
export function isDocumentation({ rule }: Pick<Change, 'rule'>): boolean {
  return rule === 'documentation-changed';
}

/** For `sort`: the most severe change first. */
export function bySeverity(a: Change, b: Change): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
}

/** The pointers in the documents as they are written, of those in the compared documents. */
interface OriginalPointers {
  readonly before: (pointer: string) => string;
  readonly after: (pointer: string) => string;
}

/** Deduplicates changes: one that several operations share is listed once, with all of them. */
export class ChangeList {
  /** With the part of each operation. */
  readonly #byKey = new Map<
    string,
    {
      change: Omit<OperationChange, 'operation' | 'location'>;
      parts: Map<string, string>;
      located: Map<string, ChangedPart>;
    }
  >();

  readonly #originalOf: OriginalPointers;

  constructor(originalOf: OriginalPointers) {
    this.#originalOf = originalOf;
  }

  /** Changes are lines of reports: line breaks and control characters of the contracts are escaped. */
  add(added: OperationChange): void {
    const { what, effect, part } = added;
    const operation = added.operation && printable(added.operation);
    const texts = { what: printable(what), effect: printable(effect), part: printable(part) };
    const { operation: _, location, ...change } = { ...added, ...texts };
    const { rule } = change;
    const before = this.#originalOf.before(change.before);
    const after = this.#originalOf.after(change.after);
    const key = JSON.stringify([rule, before, after, change.what, change.effect]);
    let known = this.#byKey.get(key);
    if (known === undefined) {
      known = { change: { ...change, before, after }, parts: new Map(), located: new Map() };
      this.#byKey.set(key, known);
    }
    if (operation !== undefined && !known.parts.has(operation)) {
      known.parts.set(operation, change.part);
      known.located.set(operation, location);
    }
  }

  /** @returns the changes by severity, breaking first, otherwise in the order of `add` */
  sorted(): Change[] {
    const all = [...this.#byKey.values()].map(({ change, parts, located }): Change => {
      const others = [...parts].filter(([, part]) => part !== change.part);
      return {
        ...change,
        operations: [...parts.keys()],
        located,
        ...(others.length > 0 && { otherParts: Object.fromEntries(others) }),
      };
    });
    return all.sort(bySeverity);
  }
}

/** @returns the part of one of the operations of a change */
export function partOf({ part, otherParts }: Change, operation: string): string {
  return otherParts?.[operation] ?? part;
}
