// Assigns breaking changes to converters: the member, the component, and the statuses that they need.

import type { Contract, Operation, Schema } from '@stubwright/contract';
import type { Change } from '@stubwright/diff';

/** Of components: `toNew` and `toOld`; of operations: the others. */
export type ConverterMember = 'toNew' | 'toOld' | 'request' | 'reply' | 'item' | 'call';

/** The rules whose changes no converter can undo. */
const UNCONVERTIBLE = new Set<string>([
  ...['operation-id-changed', 'operation-id-removed', 'sunset-earlier', 'server-removed'],
  ...['security-requirement-removed', 'webhook-removed', 'pagination-removed'],
  ...['request-sunset-earlier', 'response-sunset-earlier'],
  // The older contract sets its own default.
  'request-default-changed',
]);

/** @returns whether clients send or receive the part that changed; undefined if no converter applies */
export function directionOf({ rule }: Change): 'request' | 'reply' | 'call' | undefined {
  if (UNCONVERTIBLE.has(rule)) return undefined;
  if (rule === 'operation-removed' || rule === 'operation-moved') return 'call';
  return rule.startsWith('response-') ? 'reply' : 'request';
}

/** The breaking changes of the clients of a current contract that those of a served version do not notice. */
const UNNOTICED = new Set<string>([
  ...['operation-id-changed', 'operation-id-removed', 'request-default-changed'],
]);

/** True for a change that the converters of a served version undo, or that does not reach its clients. */
export function isConvertibleChange(change: Change): boolean {
  if (UNNOTICED.has(change.rule)) return true;
  const { operations } = change;
  const isOfWebhook = operations.some((title) => title.startsWith('webhook '));
  return directionOf(change) !== undefined && operations.length > 0 && !isOfWebhook;
}

const COMPONENT = /^\/components\/schemas\/([^/]+)(\/.*)?$/;

/** @returns the component schema that a JSON pointer leads into, as in the pointer */
export function componentIn(pointer: string): string | undefined {
  return COMPONENT.exec(pointer)?.[1];
}

/** @returns `/names/common` for `/components/schemas/Toy/properties/names/properties/common/maxLength` */
export function pathInComponent(pointer: string): string {
  const [, , inner = ''] = COMPONENT.exec(pointer) ?? [];
  const tokens = inner.split('/').slice(1);
  const path: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at] === 'properties' && tokens[at + 1] !== undefined) path.push(tokens[++at]!);
    else if (tokens[at] === 'items') path.push('items');
  }
  return path.length === 0 ? '' : `/${path.join('/')}`;
}

export interface ConvertedStatus {
  /** The statuses of the older contract that may stand for it. */
  readonly allowed: readonly number[];
  /** The operationIds of the older contract whose newer operation declares the status. */
  readonly operations: readonly string[];
}

const EXACT = /^\d{3}$/;

/**
 * @param pairs the newer operations, by operationId of the older contract
 * @returns by status of the newer contract; without one that an operation of the older contract declares,
 *   because `statuses` applies to all operations
 */
export function convertedStatuses(
  older: Contract,
  pairs: ReadonlyMap<string, Operation>,
): ReadonlyMap<number, ConvertedStatus> {
  const declared = new Set(older.operations.flatMap((operation) => statusesOf(operation)));
  const found = new Map<number, { operation: Operation; allowed: readonly number[] }[]>();
  for (const operation of older.operations) {
    const newer = pairs.get(operation.operationId);
    for (const status of newer === undefined ? [] : statusesOf(newer)) {
      if (declared.has(status) || operation.responses.for(status) !== undefined) continue;
      const allowed = statusesOf(operation).filter((number) => number >= 400 === status >= 400);
      found.set(status, [...(found.get(status) ?? []), { operation, allowed }]);
    }
  }
  const all = [...found].flatMap(([status, uses]): [number, ConvertedStatus][] => {
    const allowed = uses
      .map((use) => use.allowed)
      .reduce((a, b) => a.filter((number) => b.includes(number)));
    if (allowed.length === 0) return [];
    const operations = uses.map(({ operation }) => operation.operationId);
    return [[status, { allowed, operations }]];
  });
  return new Map(all);
}

function statusesOf({ responses }: Operation): number[] {
  return [...responses.keys()].filter((key) => EXACT.test(key)).map(Number);
}

type Direction = 'request' | 'reply';

/** Of the values that a contract has in one direction. */
export class Compositions {
  readonly #contract: Contract;
  readonly #direction: Direction;
  readonly #names: ReadonlyMap<Schema, string>;
  /** The components of each value that has any. */
  #found: readonly (readonly Schema[])[] | undefined;

  constructor(contract: Contract, direction: Direction) {
    this.#contract = contract;
    this.#direction = direction;
    this.#names = new Map([...contract.schemas].map(([name, schema]) => [schema, name]));
  }

  /** @returns the components whose values are values of the given one, and that no other is composed of */
  convertedFor(name: string): string[] {
    const component = this.#contract.schemas.get(name);
    if (component === undefined) return [];
    this.#found ??= this.#search();
    const isOf = (schema: Schema) => schema === component || schema.conjuncts.includes(component);
    const outermost = this.#found
      .filter((list) => list.includes(component))
      .flatMap((list) =>
        list.filter((one) => isOf(one) && !list.some((other) => contains(other, one))),
      );
    const names = new Set(outermost.map((schema) => this.#names.get(schema)!));
    return names.size === 0 ? [name] : [...names];
  }

  #search(): readonly (readonly Schema[])[] {
    const { operations } = this.#contract;
    const found: Schema[][] = [];
    const values = new Set(
      this.#direction === 'request'
        ? operations.flatMap(({ requestSchemas }) => requestSchemas)
        : [
            ...operations.flatMap((operation) => [
              ...operation.responseSchemas,
              ...itemsOf(operation),
            ]),
          ],
    );
    for (const value of values) {
      const applying = [...new Set([value, ...value.conjuncts])];
      const components = applying.filter((schema) => this.#names.has(schema));
      if (components.length > 0) found.push(components);
      for (const inner of applying.flatMap((schema) => schema.inner)) {
        if (!applying.includes(inner)) values.add(inner);
      }
    }
    return found;
  }
}

function itemsOf({ responses }: Contract['operations'][number]): Schema[] {
  return [...responses.values()].flatMap(({ contents }) =>
    contents.values().flatMap(({ item }) => item ?? []),
  );
}

function contains(outer: Schema, inner: Schema): boolean {
  return outer !== inner && outer.conjuncts.includes(inner);
}
