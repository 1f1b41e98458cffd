// The state of a comparison, and a part of both contracts that reports its changes under its name and locations.
import {
  type Content,
  type Contract,
  type ContractObject,
  type DescribedValue,
  type Direction,
  type Schema,
  schemaLocations,
  withoutNullable,
} from '@stubwright/contract';
import type { Holders } from '../counterexample/carrier.ts';
import { Counterexamples } from '../counterexample/counterexamples.ts';
import {
  type Change,
  type ChangedPart,
  ChangeList,
  type ChangeMessage,
  change,
} from '../rules/rules.ts';
import { announcementOf, earlierSunset, MINIMUM_NOTICE_DAYS } from '../rules/sunset.ts';
import { SchemaComparison, type Transmission } from '../schema/comparison.ts';
import type { Difference } from '../schema/differences.ts';
import { type Term, termOf } from '../schema/term.ts';
import { Unchanged } from '../schema/unchanged.ts';
import { View } from '../schema/view.ts';
import type { Wire } from '../schema/wire.ts';
import { canonical } from '../values/formatting.ts';
import { type DecidedDifference, Decider } from './decision.ts';
import { type StaticContract, withStaticReferences } from './staticReferences.ts';

interface PartName {
  /** `POST /toys`; undefined for the whole contract. */
  readonly operation?: string | undefined;
  /** `request body`; `''` for the operation itself. */
  readonly part?: string;
  readonly location?: ChangedPart;
  /** Whether clients send or receive this part; inverted in webhooks and callbacks. */
  readonly direction?: Direction;
}

/** Extensions with rules of their own. */
const COMPARED_EXTENSIONS = new Set(['x-item-schema', 'x-rate-limit', 'x-idempotency']);

/** A patch may leave out any property. */
const RULES_OF_PRESENCE = new Set<string>([
  ...['required-property-added', 'property-became-required', 'property-became-optional'],
  ...['dependent-required-added', 'dependent-required-removed'],
]);

export class ComparedPart<Kind extends ContractObject = ContractObject> implements Both<Kind> {
  readonly context: ContractComparison;
  readonly before: Kind;
  readonly after: Kind;
  readonly operation: string | undefined;
  readonly part: string;
  readonly location: ChangedPart;
  readonly direction: Direction;

  constructor(context: ContractComparison, { before, after }: Both<Kind>, name: PartName = {}) {
    this.context = context;
    this.before = before;
    this.after = after;
    this.operation = name.operation;
    this.part = name.part ?? '';
    this.location = name.location ?? { subject: '', path: [] };
    this.direction = name.direction ?? 'request';
  }

  /** @returns other objects under the same name */
  with<Other extends ContractObject>(objects: Both<Other>): ComparedPart<Other> {
    return new ComparedPart(this.context, objects, this);
  }

  /** @param location its difference from that of this part @returns a part of this one */
  within(name: string, location: Partial<ChangedPart> = {}): ComparedPart<Kind> {
    const part = this.part === '' ? name : `${this.part} ${name}`;
    const own = { ...this.location, ...(this.part === '' && { subject: name }), ...location };
    return new ComparedPart(this.context, this, { ...this, part, location: own });
  }

  /** @returns the same part, sent by the other side */
  inverted(): ComparedPart<Kind> {
    const direction = this.direction === 'request' ? 'response' : 'request';
    return new ComparedPart(this.context, this, { ...this, direction });
  }

  /** True if both have the same location and value, and reach no difference. */
  get isUnchanged(): boolean {
    return this.context.unchanged.has(this.before, this.after);
  }

  /**
   * @param keyword that changed; without one, the whole part changed
   * @param entry of the keyword that changed: its locations are reported where it is present
   */
  report(
    message: ChangeMessage & Pick<Change, 'example' | 'by'>,
    keyword = '',
    entry: Sides<{ readonly pointer: string }> = {},
  ): void {
    const { operation, part, location, context } = this;
    const { rule, severity, what, facts, effect, example, by } = message;
    const before = entry.before?.pointer ?? pointerTo(this.before, keyword);
    const after = entry.after?.pointer ?? pointerTo(this.after, keyword);
    const own = {
      rule,
      severity,
      what,
      facts,
      effect,
      ...(example && { example }),
      ...(by !== undefined && by !== 'rule' && { by }),
    };
    context.changes.add({ ...own, operation, part, location, before, after });
  }

  /** Reports changes of documentation keywords and extensions. @param reported extensions that have rules */
  documentation(keywords: readonly string[], reported: readonly string[] = []): void {
    const { before, after } = this;
    const extensions = [before, after].flatMap(({ fields }) =>
      fields.filter(
        (field) =>
          field.startsWith('x-') && !COMPARED_EXTENSIONS.has(field) && !reported.includes(field),
      ),
    );
    const [was, is] = [announcementOf(before), announcementOf(after)];
    const sunset = earlierSunset(was, is, this.context.minimumNoticeDays);
    if (sunset !== undefined) this.report(change('sunset-earlier', sunset), 'x-sunset');
    for (const keyword of new Set([...keywords, ...extensions])) {
      if (sunset !== undefined && ['x-sunset', 'deprecated'].includes(keyword)) continue;
      if (canonical(before.field(keyword)) === canonical(after.field(keyword))) continue;
      this.report(change('documentation-changed', { keyword }), keyword);
    }
  }

  /** @returns the schemas of both values */
  views(this: ComparedPart<DescribedValue>, wire: Wire): readonly [View, View] {
    const [before, after] = this.#terms(({ schema }) => schema);
    return [new View(this.direction, before, wire), new View(this.direction, after, wire)];
  }

  /**
   * Compares the schemas of both values; an absent schema allows any value.
   *
   * @param holders undefined if a breaking change of the values is reported already
   */
  schemas(this: ComparedPart<DescribedValue>, wire: Wire, holders: Holders | undefined): void {
    const [before, after] = this.#terms(({ schema }) => schema);
    this.terms(before, after, wire, holders);
  }

  /** Compares the schemas of the items of a sequence; an absent one allows any item. */
  items(this: ComparedPart<Content>): void {
    const [before, after] = this.#terms(({ item }) => item);
    this.terms(before, after, 'json');
  }

  /** Compares the schemas of the resource that a patch changes: it sends some of their properties. */
  patchedResource(this: ComparedPart<Content>): void {
    const { before, after, direction } = this;
    if (before.patchOf === undefined || after.patchOf === undefined) return;
    const [was, is] = this.#terms(({ patchOf }) => patchOf);
    const found = this.context.differences(was, is, {
      direction,
      wire: 'json',
      holders: undefined,
    });
    this.#reportAll(
      found.filter(({ rule }) => !RULES_OF_PRESENCE.has(rule.replace('request-', ''))),
    );
  }

  /** Compares the keywords of an array that one contract declares for a sequence, apart from its items. */
  sequence(this: ComparedPart<Content>): void {
    const [before, after] = [this.before, this.after].map(
      ({ declaresItems, schema, pointer }): Term =>
        declaresItems
          ? { conjuncts: [], at: pointer, only: { type: 'array' } }
          : termOf(schema, pointer),
    );
    const transport = { direction: this.direction, wire: 'json', holders: undefined } as const;
    for (const difference of this.context.differences(before!, after!, transport)) {
      const at = { before: { pointer: difference.before }, after: { pointer: difference.after } };
      if (difference.path === '') this.report(difference, '', at);
    }
  }

  /** @param holders of these schemas: one of their values may prove that a change is breaking */
  terms(before: Term, after: Term, wire: Wire, holders?: Holders): void {
    const { context, direction } = this;
    const isAlwaysSent = direction === 'request' && this.before.field('required') === true;
    const transport = { direction, wire, holders, isAlwaysSent };
    this.#reportAll(context.differences(before, after, transport));
  }

  #reportAll(differences: ReturnType<ContractComparison['differences']>): void {
    for (const difference of differences) {
      const name = abbreviatedPath(difference.path);
      const part = name === '' ? this : this.within(name, { path: difference.segments });
      part.report(difference, '', {
        before: { pointer: difference.before },
        after: { pointer: difference.after },
      });
    }
  }

  #terms(schemaOf: (object: Kind) => Schema | undefined): readonly [Term, Term] {
    const { before, after } = this;
    return [termOf(schemaOf(before), before.pointer), termOf(schemaOf(after), after.pointer)];
  }
}

/** Of a path through many connected schemas, the start and the end. */
const MAX_STEPS = 12;

function abbreviatedPath(path: string): string {
  if (path.length < 4 * MAX_STEPS) return path;
  const steps = path.split('/');
  if (steps.length <= MAX_STEPS) return path;
  const half = MAX_STEPS / 2;
  return [...steps.slice(0, half), '…', ...steps.slice(-half)].join('/');
}

/** @returns the JSON pointer of a keyword, or of the object where the keyword is absent */
function pointerTo(object: ContractObject, keyword: string): string {
  const isAbsent = object.field(keyword) === undefined;
  return isAbsent ? object.pointer : `${object.pointer}/${keyword}`;
}

/** A part of both contracts. */
export interface Both<Part> {
  readonly before: Part;
  readonly after: Part;
}

/** A part of both contracts, or of one of them. */
export interface Sides<Part> {
  readonly before?: Part | undefined;
  readonly after?: Part | undefined;
}

export function areBoth<Part>(sides: Sides<Part>): sides is Both<Part> {
  return sides.before !== undefined && sides.after !== undefined;
}

/** What has parts by name. */
interface Named<Part> {
  keys(): Iterable<string>;
  get(name: string): Part | undefined;
}

/** @returns the parts of two maps, joined by name */
export function joined<Part>(
  before: Named<Part>,
  after: Named<Part>,
): ({ readonly name: string } & Sides<Part>)[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return Array.from(names, (name) => ({
    name,
    before: before.get(name),
    after: after.get(name),
  }));
}

/** How the values of two schemas are sent. */
interface Transport extends Transmission {
  /** The holders of the schemas: one of their values may prove that a change is breaking. */
  readonly holders: Holders | undefined;
}

/** What changes the severities of a comparison. */
export interface ComparisonOptions {
  /** The number of values that are tried as examples of breaking changes; 60,000 by default. */
  readonly maxValues?: number | undefined;
  /** A new announcement of a removal before this number of days is breaking; 30 by default. */
  readonly minimumNoticeDays?: number | undefined;
}

export class ContractComparison {
  readonly before: Contract;
  readonly after: Contract;
  readonly changes: ChangeList;
  readonly unchanged: Unchanged;
  readonly #schemas: SchemaComparison;
  readonly #decider: Decider;

  readonly minimumNoticeDays: number;

  constructor(
    before: Contract,
    after: Contract,
    { maxValues, minimumNoticeDays = MINIMUM_NOTICE_DAYS }: ComparisonOptions = {},
  ) {
    this.minimumNoticeDays = minimumNoticeDays;
    const [was, is] = [before, after].map((contract) =>
      withStaticReferences(withoutNullable(contract)),
    ) as [StaticContract, StaticContract];
    this.before = was.contract;
    this.after = is.contract;
    this.changes = new ChangeList({ before: was.originalOf, after: is.originalOf });
    this.unchanged = new Unchanged(this.before, this.after);
    const counts = [this.before, this.after].map(
      ({ document }) => [...schemaLocations(document)].length,
    );
    this.#schemas = new SchemaComparison(this.unchanged, Math.max(...counts), minimumNoticeDays);
    this.#decider = new Decider(
      new Counterexamples(this.before, this.after, maxValues),
      this.unchanged,
    );
  }

  /** @returns the differences between two schemas with their severities */
  differences(
    before: Term,
    after: Term,
    { holders, ...transmission }: Transport,
  ): readonly (Omit<Difference, 'values' | 'concernsValues' | 'isDecided'> &
    Pick<Partial<DecidedDifference>, 'by' | 'example'>)[] {
    const compared = this.#schemas.differences(before, after, transmission);
    if (holders === undefined || this.#areEqual(holders)) return compared;
    return this.#decider.decided(compared, holders, transmission.direction);
  }

  #areEqual({ before, after }: Holders): boolean {
    const [was, is] = [before.value.schema, after.value.schema];
    return was === undefined || is === undefined || this.unchanged.hasSchema(was, is);
  }
}
