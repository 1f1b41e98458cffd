// A part of both contracts: reports its changes under its name and locations.
import type {
  Content,
  ContractObject,
  DescribedValue,
  Direction,
  Schema,
} from '@stubwright/contract';
import type { Holders } from '../counterexample/carrier.ts';
import type { Change, ChangedPart } from '../rules/change.ts';
import { type ChangeMessage, change } from '../rules/rules.ts';
import { announcementOf, earlierSunset } from '../rules/sunset.ts';
import { type Term, termOf } from '../schema/term.ts';
import { View } from '../schema/view.ts';
import type { Wire } from '../schema/wire.ts';
import { canonical } from '../values/formatting.ts';
import type { ContractComparison } from './contractComparison.ts';
import type { Both, Sides } from './sides.ts';

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
