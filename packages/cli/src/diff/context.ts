// What every part of the comparison works with: the two contracts, the list of changes, and where in
// an operation it stands.
import type { Definition, Place } from '../../../stubwright/src/document/definition.ts';
import { SchemaModel } from '../../../stubwright/src/schema/model.ts';
import { ChangeList, DOCUMENTATION_ONLY, type Verdict } from './change.ts';
import { SchemaComparison } from './schema/comparison.ts';
import type { Direction } from './schema/finding.ts';
import { termOf } from './schema/term.ts';
import { canonical } from './words.ts';

export interface Site {
  /** `POST /toys`; undefined for the whole contract. */
  readonly operation: string | undefined;
  /** `request body`; `''` for the operation itself. */
  readonly part: string;
  /** What clients do with what stands here; it turns around in webhooks and callbacks. */
  readonly direction: Direction;
}

/** Two places, one in each contract. */
export interface Pair {
  readonly before: Place;
  readonly after: Place;
}

/** What a change says, once for each place. */
export interface Telling {
  readonly verdict: Verdict;
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

  tell({ operation, part }: Site, telling: Telling, before: string, after: string): void {
    this.changes.add({ ...telling, operation, part, before, after });
  }

  /** Compares what stands under the same word; a missing schema is one that takes anything. */
  schemas(site: Site, { before, after }: Pair, word = 'schema'): void {
    const was = SchemaModel.of(this.before).at(`${before.pointer}/${word}`);
    const is = SchemaModel.of(this.after).at(`${after.pointer}/${word}`);
    const differences = this.#schemas.differences(
      termOf(was, before.pointer),
      termOf(is, after.pointer),
      site.direction,
    );
    for (const { path, before: at, after: now, ...telling } of differences) {
      this.tell(path === '' ? site : within(site, path), telling, at, now);
    }
  }

  /** Tells of words that only people read, those of extensions included. */
  documentation(site: Site, { before, after }: Pair, words: readonly string[]): void {
    const extensions = [before, after].flatMap(({ node }) =>
      Object.keys(node).filter((word) => word.startsWith('x-')),
    );
    for (const word of new Set([...words, ...extensions])) {
      if (canonical(before.node[word]) === canonical(after.node[word])) continue;
      const what = `${word} changed`;
      const telling = { verdict: 'compatible', what, effect: DOCUMENTATION_ONLY } as const;
      this.tell(site, telling, pointerTo(before, word), pointerTo(after, word));
    }
  }

  /** @returns what a place holds under a name, in both contracts; `$ref` followed */
  children({ before, after }: Pair, word: string): Child[] {
    return this.entries(this.before.child(before, word), this.after.child(after, word));
  }

  /** @returns what two maps hold under each name of either */
  entries(was: Place | undefined, is: Place | undefined): Child[] {
    const names = [was, is].flatMap((place) => Object.keys(place?.node ?? {}));
    return [...new Set(names)].map((name) => ({
      name,
      before: was && this.before.child(was, name),
      after: is && this.after.child(is, name),
    }));
  }
}

/** What both contracts have under a name, or one of them. */
export interface Child {
  readonly name: string;
  readonly before: Place | undefined;
  readonly after: Place | undefined;
}

/** @returns the site of a part of what stands at `site` */
export function within(site: Site, part: string): Site {
  return { ...site, part: site.part === '' ? part : `${site.part} ${part}` };
}

/** @returns where a word stands, or the place that it would stand in */
export function pointerTo({ pointer, node }: Place, word: string): string {
  return node[word] === undefined ? pointer : `${pointer}/${word}`;
}

export function opposite(direction: Direction): Direction {
  return direction === 'request' ? 'response' : 'request';
}
