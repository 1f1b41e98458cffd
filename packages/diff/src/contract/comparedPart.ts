// A part of both contracts: reports its changes under its name and locations.
import {
  type Definition,
  type Direction,
  itemSchemaOf,
  type LocatedNode,
  SchemaModel,
} from '@stubwright/contract';
import type { ChangedPart, ChangeExample } from '../rules/change.ts';
import { type ChangeMessage, change } from '../rules/rules.ts';
import { earlierSunset } from '../rules/sunset.ts';
import { type Term, termOf } from '../schema/term.ts';
import { View } from '../schema/view.ts';
import type { Wire } from '../schema/wire.ts';
import { canonical } from '../values/formatting.ts';
import type { ContractComparison, LocatedPair } from './contractComparison.ts';

interface PartName {
  /** `POST /toys`; undefined for the whole contract. */
  readonly operation?: string | undefined;
  /** `request body`; `''` for the operation itself. */
  readonly part?: string;
  readonly location?: ChangedPart;
  /** Whether clients send or receive this part; inverted in webhooks and callbacks. */
  readonly direction?: Direction;
}

/** An entry of a map or a list in both contracts, or in one of them. */
export interface Sides<Entry = LocatedNode> {
  readonly before?: Entry | undefined;
  readonly after?: Entry | undefined;
}

export interface Child extends Sides {
  readonly name: string;
}

export class ComparedPart implements LocatedPair {
  readonly context: ContractComparison;
  readonly before: LocatedNode;
  readonly after: LocatedNode;
  readonly operation: string | undefined;
  readonly part: string;
  readonly location: ChangedPart;
  readonly direction: Direction;

  constructor(context: ContractComparison, { before, after }: LocatedPair, name: PartName = {}) {
    this.context = context;
    this.before = before;
    this.after = after;
    this.operation = name.operation;
    this.part = name.part ?? '';
    this.location = name.location ?? { subject: '', path: [] };
    this.direction = name.direction ?? 'request';
  }

  /** @returns other nodes under the same name */
  with(nodes: LocatedPair): ComparedPart {
    return new ComparedPart(this.context, nodes, this);
  }

  /** @param location its difference from that of this part @returns a part of this one */
  within(
    name: string,
    nodes: LocatedPair = this,
    location: Partial<ChangedPart> = {},
  ): ComparedPart {
    const part = this.part === '' ? name : `${this.part} ${name}`;
    const own = { ...this.location, ...(this.part === '' && { subject: name }), ...location };
    return new ComparedPart(this.context, nodes, { ...this, part, location: own });
  }

  /** @returns the same part, sent by the other side */
  inverted(): ComparedPart {
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
    {
      rule,
      severity,
      what,
      facts,
      effect,
      example,
    }: ChangeMessage & { readonly example?: ChangeExample },
    keyword = '',
    entry: Sides<{ readonly pointer: string }> = {},
  ): void {
    const { operation, part, location, context } = this;
    const before = entry.before?.pointer ?? pointerTo(this.before, keyword);
    const after = entry.after?.pointer ?? pointerTo(this.after, keyword);
    const message = { rule, severity, what, facts, effect, ...(example && { example }) };
    context.changes.add({ ...message, operation, part, location, before, after });
  }

  /** Reports changes of documentation keywords and extensions. */
  documentation(keywords: readonly string[]): void {
    const { before, after } = this;
    const extensions = [before, after].flatMap(({ node }) =>
      Object.keys(node).filter((each) => each.startsWith('x-') && each !== 'x-item-schema'),
    );
    const sunset = earlierSunset(before.node, after.node);
    if (sunset !== undefined) this.report(change('sunset-earlier', sunset), 'x-sunset');
    for (const keyword of new Set([...keywords, ...extensions])) {
      if (sunset !== undefined && ['x-sunset', 'deprecated'].includes(keyword)) continue;
      if (canonical(before.node[keyword]) === canonical(after.node[keyword])) continue;
      this.report(change('documentation-changed', { keyword }), keyword);
    }
  }

  /** @returns the entries of a keyword that holds a map, in both contracts; resolves `$ref` */
  children(keyword: string): Child[] {
    const { before, after } = this.context;
    return this.entries({
      before: before.child(this.before, keyword),
      after: after.child(this.after, keyword),
    });
  }

  /** @returns the entries of two maps with a given name, joined by name */
  entries({ before, after }: Sides, isEntry = (_name: string) => true): Child[] {
    const all = [before, after].flatMap((each) => Object.keys(each?.node ?? {}));
    const names = all.filter(isEntry);
    return [...new Set(names)].map((name) => ({
      name,
      before: before && this.context.before.child(before, name),
      after: after && this.context.after.child(after, name),
    }));
  }

  /** @returns the schemas of both nodes, before and after */
  views(wire: Wire): readonly [View, View] {
    const [before, after] = this.#schemas();
    return [new View(this.direction, before, wire), new View(this.direction, after, wire)];
  }

  /**
   * Compares the schemas of both nodes; an absent schema allows any value.
   *
   * @param isReported true if a breaking change of the nodes is reported already
   */
  schemas(wire: Wire, { isReported = false } = {}): void {
    const [before, after] = this.#schemas();
    this.terms(before, after, wire, isReported ? undefined : this);
  }

  /** Compares the schemas of the items of a sequence; an absent one allows any item. */
  items(): void {
    const term = (definition: Definition, { pointer, node }: LocatedNode) =>
      termOf(itemSchemaOf({ pointer, node }, SchemaModel.of(definition)), pointer);
    const { before, after } = this.context;
    this.terms(term(before, this.before), term(after, this.after), 'json');
  }

  /** @param holders of these schemas: one of their values may prove that a change is breaking */
  terms(before: Term, after: Term, wire: Wire, holders?: LocatedPair): void {
    const { context, direction } = this;
    for (const each of context.differences(before, after, { direction, wire, holders })) {
      const name = abbreviatedPath(each.path);
      const part = name === '' ? this : this.within(name, this, { path: each.segments });
      part.report(each, '', { before: { pointer: each.before }, after: { pointer: each.after } });
    }
  }

  #schemas(): readonly [Term, Term] {
    const { before, after } = this.context;
    const term = (model: SchemaModel, { pointer, node }: LocatedNode) =>
      termOf(model.at(node['schemaPointer'] ?? `${pointer}/schema`), pointer);
    return [term(SchemaModel.of(before), this.before), term(SchemaModel.of(after), this.after)];
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

/** @returns the JSON pointer of a keyword, or of the node where the keyword is absent */
function pointerTo({ pointer, node }: LocatedNode, keyword: string): string {
  return node[keyword] === undefined ? pointer : `${pointer}/${keyword}`;
}
