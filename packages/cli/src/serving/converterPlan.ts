// The converters of a served version, from the breaking and risky changes between its contract and the next newer one.

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
  pathInComponent,
} from './conversions.ts';

/** A breaking change, as a converter names it. */
export interface ConvertedChange {
  readonly change: Change;
  /** The part of the component or operation: `/names`, `query parameter limit`. */
  readonly part: string;
}

export interface PlannedConverter {
  /** Its group in `Converters`. */
  readonly group: 'schemas' | 'operations';
  /** A component of `components.schemas`, or an operationId of the older contract. */
  readonly name: string;
  readonly member: ConverterMember;
  /** The operationIds of the older contract that it applies to, in the order of the contract. */
  readonly operations: readonly string[];
  readonly changes: readonly ConvertedChange[];
  /** Its changes are risky: without it a value may be lost, such as of a renamed optional property. */
  readonly isOptional: boolean;
}

/** @param order of operations @returns each converter once, in the order of their first operations */
function joined(needed: readonly PlannedConverter[], order: readonly string[]): PlannedConverter[] {
  const byConverter = Map.groupBy(needed, ({ member, name }) => `${member} ${name}`);
  const all = Array.from(byConverter.values(), (same) => {
    const used = new Set(same.flatMap(({ operations }) => operations));
    const changes = same.flatMap((converter) => converter.changes);
    const described = Map.groupBy(changes, ({ part, change }) => `${part} ${change.what}`);
    return {
      ...same[0]!,
      operations: order.filter((operation) => used.has(operation)),
      changes: Array.from(described.values(), ([first]) => first!),
      isOptional: same.every(({ isOptional }) => isOptional),
    };
  });
  const positionOf = ({ operations: [first = ''] }: PlannedConverter) => order.indexOf(first);
  return all.sort((a, b) => positionOf(a) - positionOf(b));
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
export function labelOf({ member, operations }: PlannedConverter): string {
  const [first = '', ...others] = operations;
  return `${KINDS[member]}${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

/** @returns the `?` of a property that has these converters, if no breaking change needs one */
export function optionalMark(converters: readonly PlannedConverter[]): string {
  return converters.every(({ isOptional }) => isOptional) ? '?' : '';
}

export interface ConverterPlan {
  /** Those of components first, then in the order of the operations. */
  readonly converters: readonly PlannedConverter[];
  /** By status of the newer contract. */
  readonly statuses: ReadonlyMap<number, ConvertedStatus>;
  readonly unconverted: readonly Change[];
}

/** @returns the converters of each group, by component or operation */
export function namedConverters({ converters }: ConverterPlan) {
  const groups = Map.groupBy(converters, ({ group }) => group);
  return Array.from(groups, ([group, all]) => {
    return [group, [...Map.groupBy(all, ({ name }) => name)]] as const;
  });
}

/** @returns the path and the label of each converter that is not there: `schemas.Toy.toNew`, `requests of storeToy` */
export function missingConverters(plan: ConverterPlan, converters: VersionConverters) {
  return plan.converters.flatMap((converter) => {
    const { group, name, member, isOptional } = converter;
    if (isOptional) return [];
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

function access(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `.${name}` : `[${literal(name)}]`;
}

/** @returns the converters that the breaking changes need, and those that the risky ones permit: no other */
export function converterPlan(older: Contract, newer: Contract): ConverterPlan {
  const changes = changesBetween({ definition: older }, { definition: newer });
  const { breaking = [], risky = [] } = Object.groupBy(changes, ({ severity }) => severity);
  const sides = new Sides(older, newer);
  const found = [...breaking, ...risky].map((change) => ({
    change,
    needed: sides.neededFor(change),
  }));
  const order = older.operations.map(({ operationId }) => operationId);
  const all = joined(
    found.flatMap(({ needed = [] }) => needed),
    order,
  );
  const { schemas = [], operations = [] } = Object.groupBy(all, ({ group }) => group);
  return {
    converters: [...schemas, ...operations],
    statuses: convertedStatuses(older, sides.pairs),
    unconverted: found.flatMap(({ change, needed }) =>
      needed === undefined && change.severity === 'breaking' ? [change] : [],
    ),
  };
}

/** An operation of the older contract, and its title in a change: `GET /toys`. */
interface TitledOperation {
  readonly title: string;
  readonly operation: Operation;
}

class Sides {
  /** The newer operations, by operationId of the older contract. */
  readonly pairs: ReadonlyMap<string, Operation>;
  readonly #older: Contract;
  readonly #newer: Contract;
  readonly #compositions: Readonly<Record<'request' | 'reply', Compositions>>;

  constructor(older: Contract, newer: Contract) {
    this.pairs = operationPairs(older, newer);
    this.#older = older;
    this.#newer = newer;
    this.#compositions = {
      request: new Compositions(older, 'request'),
      reply: new Compositions(newer, 'reply'),
    };
  }

  /** @returns undefined for a change that no converter can undo */
  neededFor(change: Change): PlannedConverter[] | undefined {
    const direction = directionOf(change);
    const isOptional = change.severity !== 'breaking';
    const titled = change.operations.flatMap((title): TitledOperation[] => {
      const operation = this.#olderOf(title);
      return operation === undefined ? [] : [{ title, operation }];
    });
    if (direction === undefined || titled.length === 0) return undefined;
    const ofOperation = (member: ConverterMember, { title, operation }: TitledOperation) => {
      const { operationId: name } = operation;
      const changes = [{ change, part: partOf(change, title) }];
      return {
        group: 'operations' as const,
        name,
        member,
        operations: [name],
        changes,
        isOptional,
      };
    };
    if (direction === 'call') {
      const removed = titled.filter(({ operation }) => !this.pairs.has(operation.operationId));
      return removed.map((operation) => ofOperation('call', operation));
    }
    // A patch is no value of the component: its operation converts it.
    const { patches = [], others = [] } = Object.groupBy(titled, ({ operation }) => {
      return direction === 'request' && isPatchChange(change, operation) ? 'patches' : 'others';
    });
    const operations = others.map(({ operation }) => operation.operationId);
    const names = others.length === 0 ? [] : this.#componentsOf(change, direction);
    const [member, pointer] =
      direction === 'request'
        ? (['toNew', change.before] as const)
        : (['toOld', change.after] as const);
    const changes = [{ change, part: pathInComponent(pointer) }];
    return [
      ...patches.map((patch) => ofOperation('request', patch)),
      ...names.map((name) => {
        return { group: 'schemas' as const, name, member, operations, changes, isOptional };
      }),
      ...(names.length > 0 ? [] : others).map((other) =>
        ofOperation(this.#memberOf(change, direction, other.operation), other),
      ),
    ];
  }

  #olderOf(title: string): Operation | undefined {
    const [older, newer, pairs] = [this.#older, this.#newer, this.pairs];
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
    const both = (name: string) => this.#older.schemas.has(name) && this.#newer.schemas.has(name);
    const [wasNames, isNames] = [was, is].map((name) =>
      this.#compositions[direction].convertedFor(unescapeToken(name)),
    );
    // A property that was added may belong to another part of the same composition.
    const isSame = wasNames!.join() === isNames!.join();
    return isSame && wasNames!.every(both) ? wasNames! : [];
  }

  #memberOf(change: Change, direction: 'request' | 'reply', operation: Operation): ConverterMember {
    if (direction === 'request') return 'request';
    const newer = this.pairs.get(operation.operationId);
    return isItemChange(change, newer) ? 'item' : 'reply';
  }
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
