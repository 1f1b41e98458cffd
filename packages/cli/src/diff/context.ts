// The shared state of a comparison: both contracts, the changes and the current location.
import type { Definition, LocatedNode } from 'stubwright/internal/document/definition';
import { SchemaModel } from 'stubwright/internal/schema/model';
import { ChangeList, DOCUMENTATION_ONLY, DOCUMENTATION_RULE, type Severity } from './change.ts';
import { canonical } from './formatting.ts';
import { SchemaComparison } from './schema/comparison.ts';
import type { Direction } from './schema/finding.ts';
import { termOf } from './schema/term.ts';

/** The part of a contract that is compared. */
export interface Location {
  /** `POST /toys`; undefined for the whole contract. */
  readonly operation: string | undefined;
  /** `request body`; `''` for the operation itself. */
  readonly part: string;
  /** Whether clients send or receive this part; inverted in webhooks and callbacks. */
  readonly direction: Direction;
}

/** The same part in both contracts. */
export interface Pair {
  readonly before: LocatedNode;
  readonly after: LocatedNode;
}

/** A change without its location. */
export interface Message {
  readonly rule: string;
  readonly severity: Severity;
  readonly what: string;
  readonly effect: string;
}

export class Context {
  readonly before: Definition;
  readonly after: Definition;
  readonly changes = new ChangeList();
  readonly #schemas = new SchemaComparison();

  constructor(before: Definition, after: Definition) {
    this.before = before;
    this.after = after;
  }

  report({ operation, part }: Location, message: Message, before: string, after: string): void {
    this.changes.add({ ...message, operation, part, before, after });
  }

  /** Compares the schemas under a keyword; an absent schema allows any value. */
  schemas(location: Location, { before, after }: Pair, keyword = 'schema'): void {
    const was = SchemaModel.of(this.before).at(`${before.pointer}/${keyword}`);
    const is = SchemaModel.of(this.after).at(`${after.pointer}/${keyword}`);
    const differences = this.#schemas.differences(
      termOf(was, before.pointer),
      termOf(is, after.pointer),
      location.direction,
    );
    for (const { path, before: at, after: now, ...message } of differences) {
      this.report(path === '' ? location : within(location, path), message, at, now);
    }
  }

  /** Reports changes of documentation keywords and extensions. */
  documentation(location: Location, { before, after }: Pair, keywords: readonly string[]): void {
    const extensions = [before, after].flatMap(({ node }) =>
      Object.keys(node).filter((keyword) => keyword.startsWith('x-')),
    );
    for (const keyword of new Set([...keywords, ...extensions])) {
      if (canonical(before.node[keyword]) === canonical(after.node[keyword])) continue;
      const what = `${keyword} changed`;
      const message = {
        rule: DOCUMENTATION_RULE,
        severity: 'compatible',
        what,
        effect: DOCUMENTATION_ONLY,
      } as const;
      this.report(location, message, pointerTo(before, keyword), pointerTo(after, keyword));
    }
  }

  /** @returns the entries of a keyword that holds a map, in both contracts; resolves `$ref` */
  children({ before, after }: Pair, keyword: string): Child[] {
    return this.entries(this.before.child(before, keyword), this.after.child(after, keyword));
  }

  /** @returns the entries of two maps, joined by name */
  entries(was: LocatedNode | undefined, is: LocatedNode | undefined): Child[] {
    const names = [was, is].flatMap((each) => Object.keys(each?.node ?? {}));
    return [...new Set(names)].map((name) => ({
      name,
      before: was && this.before.child(was, name),
      after: is && this.after.child(is, name),
    }));
  }
}

/** The entry of a map in both contracts, or in one of them. */
export interface Child {
  readonly name: string;
  readonly before: LocatedNode | undefined;
  readonly after: LocatedNode | undefined;
}

/** @returns the location of a part of `location` */
export function within(location: Location, part: string): Location {
  return { ...location, part: location.part === '' ? part : `${location.part} ${part}` };
}

/** @returns the JSON pointer of a keyword, or of the node where the keyword is absent */
export function pointerTo({ pointer, node }: LocatedNode, keyword: string): string {
  return node[keyword] === undefined ? pointer : `${pointer}/${keyword}`;
}

export function opposite(direction: Direction): Direction {
  return direction === 'request' ? 'response' : 'request';
}
