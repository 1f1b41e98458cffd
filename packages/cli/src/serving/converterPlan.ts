// The converters that a served version needs, from the breaking changes between its contract and the next newer one.

import {
  type Contract,
  isEventStream,
  isSequential,
  type Operation,
  parseMediaType,
  reachableSchemas,
  type Schema,
  unescapeToken,
} from '@stubwright/contract';
import { dataContentsOf } from '@stubwright/contract/values';
import { type Change, changesBetween, partOf } from '@stubwright/diff';
import { operationPairs, type VersionConverters } from '@stubwright/versions';
import { commentOf, literal } from '../project/names.ts';
import {
  Compositions,
  type ConvertedStatus,
  type ConverterMember,
  componentIn,
  convertedStatuses,
  directionOf,
  type OperationMember,
  pathInComponent,
  type SchemaMember,
} from './conversions.ts';

/** A breaking change, as a converter names it. */
export interface ConvertedChange {
  readonly change: Change;
  /** The part of the component or operation: `/names`, `query parameter limit`. */
  readonly part: string;
}

export interface NeededConverter<Member extends ConverterMember = ConverterMember> {
  /** A component of `components.schemas`, or an operationId of the older contract. */
  readonly name: string;
  readonly member: Member;
  /** The operationIds of the older contract that it applies to, in the order of the contract. */
  readonly operations: readonly string[];
  readonly changes: readonly ConvertedChange[];
}

class ConverterEntries<Member extends ConverterMember> {
  readonly #entries: NeededConverter<Member>[] = [];

  /** @param operations that the converter applies to, of those in `sorted` */
  add(
    converter: { readonly name: string; readonly member: Member },
    change: ConvertedChange,
    operations: readonly string[],
  ): void {
    this.#entries.push({ ...converter, operations, changes: [change] });
  }

  /** @param order of operations @returns the converters, in the order of their first operations */
  sorted(order: readonly string[]): NeededConverter<Member>[] {
    const byConverter = Map.groupBy(this.#entries, ({ member, name }) => `${member} ${name}`);
    const all = Array.from(byConverter.values(), (entries) => {
      const used = new Set(entries.flatMap(({ operations }) => operations));
      const operations = order.filter((operation) => used.has(operation));
      const changes = entries.flatMap((entry) => entry.changes);
      const described = Map.groupBy(changes, ({ part, change }) => `${part} ${change.what}`);
      return {
        ...entries[0]!,
        operations,
        changes: [...described.values()].map(([first]) => first!),
      };
    });
    const positionOf = ({ operations: [first = ''] }: NeededConverter) => order.indexOf(first);
    return all.sort((a, b) => positionOf(a) - positionOf(b));
  }
}

const KINDS: Readonly<Record<ConverterMember, string>> = {
  toNew: 'requests of ',
  toOld: 'replies of ',
  request: 'requests of ',
  reply: 'replies of ',
  item: 'items of ',
  call: 'calls of ',
};

/** @returns `replies of listToys and 2 more` */
export function labelOf({ member, operations }: NeededConverter): string {
  const [first = '', ...others] = operations;
  return `${KINDS[member]}${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

export interface ConverterPlan {
  readonly schemas: readonly NeededConverter<SchemaMember>[];
  readonly operations: readonly NeededConverter<OperationMember>[];
  /** By status of the newer contract. */
  readonly statuses: ReadonlyMap<number, ConvertedStatus>;
  readonly unconverted: readonly Change[];
}

const GROUPS = ['schemas', 'operations'] as const;

/** @returns what `linesOf` returns for all converters of a plan */
export function flatMapConverters<Line>(
  plan: ConverterPlan,
  linesOf: (converter: NeededConverter, group: (typeof GROUPS)[number]) => readonly Line[],
): Line[] {
  return GROUPS.flatMap((group) => plan[group].flatMap((converter) => linesOf(converter, group)));
}

/** @returns the converters of each group, by component or operation, in the order of the operations */
export function namedConverters(plan: ConverterPlan) {
  const groups = GROUPS.filter((group) => plan[group].length > 0);
  return groups.map((group) => {
    const all: readonly NeededConverter[] = plan[group];
    return [group, [...Map.groupBy(all, ({ name }) => name)]] as const;
  });
}

/** False if no breaking change reaches the clients of the older contract. */
export function hasConverters(plan: ConverterPlan): boolean {
  return plan.statuses.size > 0 || GROUPS.some((group) => plan[group].length > 0);
}

/** @returns the path and the label of each converter that is not there: `schemas.Toy.toNew`, `requests of storeToy` */
export function missingConverters(plan: ConverterPlan, converters: VersionConverters) {
  return flatMapConverters(plan, (converter, group) => {
    const { name, member } = converter;
    const declared = new Map(Object.entries(converters[group] ?? {})).get(name);
    const { [member]: found } = Object(declared) as Partial<Record<ConverterMember, unknown>>;
    if (typeof found === 'function') return [];
    return [{ path: `${group}${access(name)}.${member}`, label: labelOf(converter) }];
  });
}

/** @returns `/note maxLength 100 became 50` */
export function changeText({ part, change }: ConvertedChange): string {
  return commentOf(part === '' ? change.what : `${part} ${change.what}`);
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

function access(name: string): string {
  return IDENTIFIER.test(name) ? `.${name}` : `[${literal(name)}]`;
}

/** @returns a key of an object literal */
export function memberKey(name: string): string {
  return IDENTIFIER.test(name) ? name : literal(name);
}

/** @returns the converters that the breaking changes need: no other */
export function converterPlan(older: Contract, newer: Contract): ConverterPlan {
  const changes = changesBetween({ definition: older }, { definition: newer });
  const breaking = changes.filter(({ severity }) => severity === 'breaking');
  const pairs = operationPairs(older, newer);
  const collected = new Collected({ older, newer, pairs });
  const unconverted = breaking.filter((change) => !collected.add(change));
  const order = older.operations.map(({ operationId }) => operationId);
  return {
    schemas: collected.schemas.sorted(order),
    operations: collected.operations.sorted(order),
    statuses: convertedStatuses(older, pairs),
    unconverted,
  };
}

interface Sides {
  readonly older: Contract;
  readonly newer: Contract;
  readonly pairs: ReadonlyMap<string, Operation>;
}

class Collected {
  readonly schemas = new ConverterEntries<SchemaMember>();
  readonly operations = new ConverterEntries<OperationMember>();
  readonly #sides: Sides;
  readonly #compositions: Readonly<Record<'request' | 'reply', Compositions>>;

  constructor(sides: Sides) {
    this.#sides = sides;
    this.#compositions = {
      request: new Compositions(sides.older, 'request'),
      reply: new Compositions(sides.newer, 'reply'),
    };
  }

  /** @returns false for a change that no converter can undo */
  add(change: Change): boolean {
    const direction = directionOf(change);
    const operations = change.operations.flatMap((title) => {
      const operation = this.#olderOf(title);
      return operation === undefined ? [] : [{ title, operation }];
    });
    if (direction === undefined) return false;
    if (operations.length === 0) return false;
    if (direction === 'call') {
      const removed = operations.filter(
        ({ operation: { operationId: id } }) => !this.#sides.pairs.has(id),
      );
      for (const called of removed) this.#addOperation(change, called, 'call');
      return true;
    }
    // A patch is no value of the component: its operation converts it.
    const patches = operations.filter(
      ({ operation }) => direction === 'request' && isPatchChange(change, operation),
    );
    for (const patch of patches) this.#addOperation(change, patch, 'request');
    const others = operations.filter((operation) => !patches.includes(operation));
    if (others.length === 0) return true;
    const components = this.#componentsOf(change, direction);
    const ids = others.map(({ operation }) => operation.operationId);
    for (const name of components) {
      const member = direction === 'request' ? 'toNew' : 'toOld';
      const part = pathInComponent(member === 'toNew' ? change.before : change.after);
      this.schemas.add({ name, member }, convertedChange(change, part), ids);
    }
    if (components.length > 0) return true;
    for (const other of others) {
      this.#addOperation(change, other, this.#memberOf(change, direction, other.operation));
    }
    return true;
  }

  #olderOf(title: string): Operation | undefined {
    const { older, newer, pairs } = this.#sides;
    const isNamed = (operation: Operation) =>
      `${operation.method.toUpperCase()} ${operation.path}` === title;
    const named = newer.operations.find(isNamed);
    const paired = older.operations.find(
      (operation) => named !== undefined && pairs.get(operation.operationId) === named,
    );
    return paired ?? older.operations.find(isNamed);
  }

  /** The component of both contracts in which the values differ, with those that are composed of it. */
  #componentsOf({ before, after }: Change, direction: 'request' | 'reply'): string[] {
    const [was, is] = [componentIn(before), componentIn(after)];
    if (was === undefined || is === undefined) return [];
    const { older, newer } = this.#sides;
    const both = (name: string) => older.schemas.has(name) && newer.schemas.has(name);
    const [wasNames, isNames] = [was, is].map((name) =>
      this.#compositions[direction].convertedFor(unescapeToken(name)),
    );
    // A property that was added may belong to another part of the same composition.
    const isSame = wasNames!.join() === isNames!.join();
    return isSame && wasNames!.every(both) ? wasNames! : [];
  }

  #memberOf(change: Change, direction: 'request' | 'reply', operation: Operation) {
    if (direction === 'request') return 'request';
    const newer = this.#sides.pairs.get(operation.operationId);
    return isItemChange(change, newer) ? 'item' : 'reply';
  }

  #addOperation(
    change: Change,
    { title, operation }: { readonly title: string; readonly operation: Operation },
    member: OperationMember,
  ): void {
    const { operationId: name } = operation;
    this.operations.add({ name, member }, convertedChange(change, partOf(change, title)), [name]);
  }
}

function convertedChange(change: Change, part: string): ConvertedChange {
  return { change, part };
}

/** @returns true for a change within the resource that a patch changes */
function isPatchChange({ before }: Change, { request }: Operation): boolean {
  const resources = request.values().flatMap(({ patchOf }) => patchOf ?? []);
  return [...reachableSchemas(resources)].some(
    ({ pointer }) => before === pointer || before.startsWith(`${pointer}/`),
  );
}

/** @param newer the operation of the newer contract @returns true for a change within an item of a stream */
function isItemChange({ after }: Change, newer: Operation | undefined): boolean {
  const schemas = reachableSchemas([...(newer?.responses.values() ?? [])].flatMap(itemSchemas));
  return [...schemas].some(({ pointer }) => after === pointer || after.startsWith(`${pointer}/`));
}

/** The schemas of the items of sequences, and of the data of events. */
function itemSchemas({ contents }: { contents: Operation['request'] }): Schema[] {
  return [...contents].flatMap(([key, { item }]) => {
    const type = parseMediaType(key)?.type ?? '';
    if (item === undefined || !isSequential(type)) return [];
    if (!isEventStream(type)) return [item];
    return [item, ...dataContentsOf(item).flatMap(({ schema }) => schema ?? [])];
  });
}
