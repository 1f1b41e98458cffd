// The shared state of a comparison: both contracts, the changes and the current location.
import {
  type Definition,
  type Direction,
  type LocatedNode,
  SchemaModel,
} from 'stubwright/contract';
import { ChangeList, type Example } from './change.ts';
import { earlierSunset } from './contract/sunset.ts';
import { type CounterexampleLimits, Counterexamples } from './counterexample/counterexamples.ts';
import { type ProvenDifference, withCounterexample } from './counterexample/differences.ts';
import { canonical } from './formatting.ts';
import { type ChangeMessage, change } from './rules.ts';
import { type Difference, SchemaComparison, type ValuePair } from './schema/comparison.ts';
import { isProvenByRules } from './schema/decided.ts';
import { implies } from './schema/implication.ts';
import { type Term, termOf } from './schema/term.ts';
import { View } from './schema/view.ts';
import type { Wire } from './schema/wire.ts';
import { Unchanged } from './unchanged.ts';

/** The part of a contract that is compared. */
export interface ComparedLocation {
  /** `POST /toys`; undefined for the whole contract. */
  readonly operation: string | undefined;
  /** `request body`; `''` for the operation itself. */
  readonly part: string;
  /** Whether clients send or receive this part; inverted in webhooks and callbacks. */
  readonly direction: Direction;
}

/** The same part in both contracts. */
export interface LocatedPair {
  readonly before: LocatedNode;
  readonly after: LocatedNode;
}

const UNPROVEN = 'Keywords differ, but no generated value shows a difference; review this change.';

const HARMLESS = {
  severity: 'compatible',
  effect: 'Other keywords have the same effect: no client notices it.',
} as const;

export class ContractComparison {
  readonly before: Definition;
  readonly after: Definition;
  readonly changes = new ChangeList();
  readonly #unchanged: Unchanged;
  readonly #schemas: SchemaComparison;
  readonly #counterexamples: Counterexamples;

  constructor(before: Definition, after: Definition, limits?: CounterexampleLimits) {
    this.before = before;
    this.after = after;
    this.#unchanged = new Unchanged(before, after);
    this.#schemas = new SchemaComparison(this.#unchanged);
    this.#counterexamples = new Counterexamples(before, after, limits, this.#unchanged);
  }

  /** @returns true if both have the same location and value, and reach no difference */
  isUnchanged({ before, after }: LocatedPair): boolean {
    return this.#unchanged.has(before, after);
  }

  report(
    { operation, part }: ComparedLocation,
    message: ChangeMessage & { readonly example?: Example | undefined },
    before: string,
    after: string,
  ): void {
    this.changes.add({ ...message, operation, part, before, after });
  }

  /**
   * Compares the schemas of two nodes; an absent schema allows any value.
   *
   * @param isReported true if a breaking change of the nodes is reported already
   * @param keyword of the schemas
   */
  schemas(
    location: ComparedLocation,
    { before, after }: LocatedPair,
    wire: Wire,
    { isReported = false, keyword = 'schema' } = {},
  ): void {
    const was = SchemaModel.of(this.before).at(`${before.pointer}/${keyword}`);
    const is = SchemaModel.of(this.after).at(`${after.pointer}/${keyword}`);
    const holders = isReported || keyword !== 'schema' ? undefined : { before, after };
    this.terms(location, termOf(was, before.pointer), termOf(is, after.pointer), wire, holders);
  }

  /** @returns the schemas of two nodes, before and after */
  views(
    { direction }: ComparedLocation,
    { before, after }: LocatedPair,
    wire: Wire,
  ): readonly [View, View] {
    const view = (definition: Definition, { pointer, node }: LocatedNode) => {
      const schema = SchemaModel.of(definition).at(node['schemaPointer'] ?? `${pointer}/schema`);
      return new View(direction, termOf(schema, pointer), wire);
    };
    return [view(this.before, before), view(this.after, after)];
  }

  /** @param holders of these schemas: one of their values may prove that a change is breaking */
  terms(
    location: ComparedLocation,
    before: Term,
    after: Term,
    wire: Wire,
    holders?: LocatedPair,
  ): void {
    const { direction } = location;
    const compared = this.#schemas
      .differences(before, after, direction, wire)
      .map((each) => (holders === undefined ? each : this.#proven(each, holders, direction)));
    const isBreaking = compared.some(({ severity }) => severity === 'breaking');
    // Its value is refused, as announced.
    const isAnnounced = compared.some(
      ({ rule, severity }) => rule.endsWith('-property-removed') && severity !== 'breaking',
    );
    const counterexample =
      holders === undefined || isBreaking || isAnnounced
        ? undefined
        : this.#counterexamples.find(holders, direction);
    const differences: readonly ProvenDifference[] =
      counterexample === undefined || holders === undefined
        ? compared
        : withCounterexample(compared, counterexample, direction, holders);
    for (const { path, before: at, after: now, ...difference } of differences) {
      const { rule, severity, what, effect, example } = difference;
      const message = { rule, severity, what, effect, ...(example && { example }) };
      this.report(path === '' ? location : within(location, path), message, at, now);
    }
  }

  /** Keywords may differ that allow the same values. */
  #proven(difference: Difference, holders: LocatedPair, direction: Direction): Difference {
    const { severity, concernsValues, values, rule } = difference;
    const isOfValues = concernsValues || rule.endsWith('-alternatives-overlap');
    if (severity === 'risky' && isOfValues && isHarmless(values, direction)) {
      return { ...difference, ...HARMLESS };
    }
    // The text of another type may be accepted with another meaning.
    const isOtherText = values.wire !== 'json' && rule.endsWith('-type-changed');
    if (severity !== 'breaking' || !concernsValues || isOtherText) return difference;
    if (isProvenByRules(difference, direction)) return difference;
    const isUnproven = [values, values.outer].some(
      (each) =>
        each !== undefined && this.#counterexamples.isProven(each, holders, direction) === false,
    );
    if (!isUnproven) return difference;
    if (isHarmless(values, direction)) return { ...difference, ...HARMLESS };
    return { ...difference, severity: 'risky', effect: UNPROVEN };
  }

  /** Reports changes of documentation keywords and extensions. */
  documentation(
    location: ComparedLocation,
    { before, after }: LocatedPair,
    keywords: readonly string[],
  ): void {
    const extensions = [before, after].flatMap(({ node }) =>
      Object.keys(node).filter((keyword) => keyword.startsWith('x-')),
    );
    const reported = this.#sunset(location, { before, after });
    for (const keyword of new Set([...keywords, ...extensions])) {
      if (reported.includes(keyword)) continue;
      if (canonical(before.node[keyword]) === canonical(after.node[keyword])) continue;
      const message = change('documentation-changed', { keyword });
      this.report(location, message, pointerTo(before, keyword), pointerTo(after, keyword));
    }
  }

  /** @returns the keywords that are reported */
  #sunset(location: ComparedLocation, { before, after }: LocatedPair): readonly string[] {
    const earlier = earlierSunset(before.node, after.node);
    if (earlier === undefined) return [];
    const at = [pointerTo(before, 'x-sunset'), pointerTo(after, 'x-sunset')] as const;
    this.report(location, change('sunset-earlier', earlier), ...at);
    return ['x-sunset', 'deprecated'];
  }

  /** @returns the entries of a keyword that holds a map, in both contracts; resolves `$ref` */
  children({ before, after }: LocatedPair, keyword: string): Child[] {
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

/** True if every value that is sent is accepted. */
function isHarmless({ before, after, wire }: ValuePair, direction: Direction): boolean {
  if (wire !== 'json') return false;
  return direction === 'request' ? implies(before, after) : implies(after, before);
}

/** The entry of a map in both contracts, or in one of them. */
export interface Child {
  readonly name: string;
  readonly before: LocatedNode | undefined;
  readonly after: LocatedNode | undefined;
}

/** @returns the location of a part of `location` */
export function within(location: ComparedLocation, part: string): ComparedLocation {
  return { ...location, part: location.part === '' ? part : `${location.part} ${part}` };
}

/** @returns the JSON pointer of a keyword, or of the node where the keyword is absent */
export function pointerTo({ pointer, node }: LocatedNode, keyword: string): string {
  return node[keyword] === undefined ? pointer : `${pointer}/${keyword}`;
}

export function opposite(direction: Direction): Direction {
  return direction === 'request' ? 'response' : 'request';
}
