// The converters that a served version needs, from the breaking changes between its contract and the next newer one.
import { type Contract, type Operation, unescapeToken } from '@stubwright/contract';
import { type Change, changesBetween, partOf } from '@stubwright/diff';
import { operationPairs } from '@stubwright/versions';
import { Compositions } from './compositions.ts';
import {
  type ConverterMember,
  componentIn,
  directionOf,
  isConstraint,
  type OperationMember,
  pathInComponent,
  type SchemaMember,
} from './conversions.ts';
import { isItemChange } from './itemChanges.ts';
import { type ConvertedStatus, convertedStatuses } from './statusPlan.ts';

/** A breaking change, as a converter names it. */
export interface ConvertedChange {
  readonly change: Change;
  /** The part of the component or operation: `/names`, `query parameter limit`. */
  readonly part: string;
  /** True if a step converts it, by the name `<part> <change>`: types do not show it. */
  readonly isConstraint: boolean;
}

/** One member of a converter. */
export interface NeededConverter<Member extends ConverterMember = ConverterMember> {
  /** A component of `components.schemas`, or an operationId of the older contract. */
  readonly name: string;
  readonly member: Member;
  /** The operationIds of the older contract that it applies to, in the order of the contract. */
  readonly operations: readonly string[];
  readonly changes: readonly ConvertedChange[];
}

export interface ConverterPlan {
  readonly schemas: readonly NeededConverter<SchemaMember>[];
  readonly operations: readonly NeededConverter<OperationMember>[];
  /** By status of the newer contract. */
  readonly statuses: ReadonlyMap<number, ConvertedStatus>;
  /** Breaking changes that no converter can undo. */
  readonly unconverted: readonly Change[];
}

/** @returns the converters that the breaking changes need: no other */
export function converterPlan(older: Contract, newer: Contract): ConverterPlan {
  const changes = changesBetween({ definition: older }, { definition: newer });
  const breaking = changes.filter(({ severity }) => severity === 'breaking');
  const pairs = operationPairs(older, newer);
  const collected = new Collected({ older, newer, pairs });
  const unconverted = breaking.filter((change) => !collected.add(change));
  return {
    schemas: collected.needed('schemas') as NeededConverter<SchemaMember>[],
    operations: collected.needed('operations') as NeededConverter<OperationMember>[],
    statuses: convertedStatuses(older, pairs),
    unconverted,
  };
}

interface Sides {
  readonly older: Contract;
  readonly newer: Contract;
  readonly pairs: ReadonlyMap<string, Operation>;
}

interface Entry {
  readonly name: string;
  readonly member: ConverterMember;
  readonly operations: Set<Operation>;
  readonly changes: Map<string, ConvertedChange>;
}

class Collected {
  readonly #sides: Sides;
  readonly #schemas = new Map<string, Entry>();
  readonly #operations = new Map<string, Entry>();
  readonly #compositions: Readonly<Record<'older' | 'newer', Compositions>>;

  constructor(sides: Sides) {
    this.#sides = sides;
    const { older, newer } = sides;
    this.#compositions = { older: new Compositions(older), newer: new Compositions(newer) };
  }

  /** @returns false for a change that no converter can undo */
  add(change: Change): boolean {
    const direction = directionOf(change);
    const operations = change.operations.flatMap((title) => {
      const operation = this.#olderOf(title);
      return operation === undefined ? [] : [{ title, operation }];
    });
    if (direction === undefined || operations.length === 0) return false;
    if (direction === 'call') {
      const removed = operations.filter(
        ({ operation: { operationId: id } }) => !this.#sides.pairs.has(id),
      );
      for (const each of removed) this.#addOperation(change, each, 'call');
      return true;
    }
    const components = this.#componentsOf(change, direction);
    for (const name of components) {
      const member = direction === 'request' ? 'toNew' : 'toOld';
      this.#addSchema(change, name, {
        member,
        operations: operations.map((each) => each.operation),
      });
    }
    if (components.length > 0) return true;
    for (const each of operations) {
      this.#addOperation(change, each, this.#memberOf(change, direction, each.operation));
    }
    return true;
  }

  needed(group: 'schemas' | 'operations'): NeededConverter[] {
    const order = this.#sides.older.operations;
    const entries = group === 'schemas' ? this.#schemas : this.#operations;
    const all = Array.from(entries.values(), ({ operations, changes, ...entry }) => ({
      ...entry,
      operations: order.filter((each) => operations.has(each)).map((each) => each.operationId),
      changes: [...changes.values()],
    }));
    return all.sort((a, b) => positionIn(order, a) - positionIn(order, b));
  }

  #olderOf(title: string): Operation | undefined {
    const { older, newer, pairs } = this.#sides;
    const isNamed = (each: Operation) => `${each.method.toUpperCase()} ${each.path}` === title;
    const named = newer.operations.find(isNamed);
    const paired = older.operations.find(
      (each) => named !== undefined && pairs.get(each.operationId) === named,
    );
    return paired ?? older.operations.find(isNamed);
  }

  /** The component of both contracts in which the values differ, with those that are composed of it. */
  #componentsOf({ before, after }: Change, direction: 'request' | 'reply'): string[] {
    const [was, is] = [componentIn(before), componentIn(after)];
    if (was === undefined || was !== is) return [];
    const side = direction === 'request' ? 'older' : 'newer';
    const { older, newer } = this.#sides;
    const both = (name: string) => older.schemas.has(name) && newer.schemas.has(name);
    const names = this.#compositions[side].convertedFor(unescapeToken(was), direction);
    return names.every(both) ? names : [];
  }

  #memberOf(change: Change, direction: 'request' | 'reply', operation: Operation) {
    if (direction === 'request') return 'request';
    const newer = this.#sides.pairs.get(operation.operationId);
    return isItemChange(change, newer) ? 'item' : 'reply';
  }

  #addSchema(
    change: Change,
    name: string,
    { member, operations }: { member: SchemaMember; operations: readonly Operation[] },
  ): void {
    const part = pathInComponent(member === 'toNew' ? change.before : change.after);
    const entry = entryIn(this.#schemas, name, member);
    for (const each of operations) entry.operations.add(each);
    addChange(entry, { change, part, isConstraint: isConstraint(change) });
  }

  #addOperation(
    change: Change,
    { title, operation }: { readonly title: string; readonly operation: Operation },
    member: OperationMember,
  ): void {
    const entry = entryIn(this.#operations, operation.operationId, member);
    entry.operations.add(operation);
    const part = partOf(change, title);
    addChange(entry, { change, part, isConstraint: isConstraint(change) });
  }
}

function entryIn(entries: Map<string, Entry>, name: string, member: ConverterMember): Entry {
  const key = `${member} ${name}`;
  const entry = entries.get(key) ?? { name, member, operations: new Set(), changes: new Map() };
  entries.set(key, entry);
  return entry;
}

function addChange({ changes }: Entry, added: ConvertedChange): void {
  const key = `${added.part} ${added.change.what}`;
  if (!changes.has(key)) changes.set(key, added);
}

function positionIn(order: readonly Operation[], { operations: [first] }: NeededConverter): number {
  return order.findIndex(({ operationId }) => operationId === first);
}
