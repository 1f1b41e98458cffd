// The items that stateful mocks keep, bounded in number and size.

import { isPrimitive, stringifyJson } from '@stubwright/contract';
import { idKeyOf } from '../replies/exchangeValues.ts';

/** The properties of an item by name. */
export type Properties = Readonly<Record<string, unknown>>;

export interface Item {
  /** The path of its collection: `/owners/7/toys`. */
  readonly collection: string;
  /** As in the path. */
  readonly id: string;
  /** Properties that a request does not send: an id, a date of creation. */
  readonly assigned: Properties;
  /** The properties of the last request, and the assigned ones. */
  readonly body: Properties;
}

export const BOUNDS = { items: 1_000, characters: 32 * 1024 * 1024 };

/** An item with its position in the order of creation. */
export interface PositionedItem {
  readonly item: Item;
  readonly position: number;
}

interface KeptItem extends PositionedItem {
  readonly characters: number;
}

/** In the order of their creation. Beyond a bound the oldest are dropped. */
export class Items {
  readonly #bounds: typeof BOUNDS;
  readonly #items = new Map<string, KeptItem>();
  #characters = 0;
  #lastPosition = 0;

  constructor(bounds = BOUNDS) {
    this.#bounds = bounds;
  }

  get(collection: string, id: string): Item | undefined {
    return this.#items.get(keyOf(collection, id))?.item;
  }

  /** @returns the items of a collection, the oldest first */
  in(collection: string): PositionedItem[] {
    return [...this.#items.values()].filter(({ item }) => item.collection === collection);
  }

  set(item: Item): void {
    const key = keyOf(item.collection, item.id);
    const characters = stringifyJson(item.assigned).length + stringifyJson(item.body).length;
    const replaced = this.#items.get(key);
    this.#characters += characters - (replaced?.characters ?? 0);
    const position = replaced?.position ?? ++this.#lastPosition;
    this.#items.set(key, { item, characters, position });
    const { items, characters: limit } = this.#bounds;
    for (const oldest of this.#items.keys()) {
      if (this.#items.size <= items && this.#characters <= limit) return;
      this.#drop(oldest);
    }
  }

  /** Removes an item, and those of the collections below its path. */
  delete(collection: string, id: string): void {
    const key = keyOf(collection, id);
    this.#drop(key);
    for (const text of this.#items.keys()) if (text.startsWith(`${key}/`)) this.#drop(text);
  }

  #drop(key: string): void {
    this.#characters -= this.#items.get(key)?.characters ?? 0;
    this.#items.delete(key);
  }
}

function keyOf(collection: string, id: string): string {
  return `${collection}/${encodeURIComponent(id)}`;
}

interface ResourceShape {
  readonly resource: Properties;
  /** False if the body is the resource. */
  readonly isEnvelope: boolean;
  /** @returns the body with another resource */
  readonly with: (resource: Properties) => Properties;
}

/**
 * Finds a resource: the body, or its only property that is an object if the body has no id.
 *
 * @param idName the name of the path parameter of an item
 * @returns undefined for a body that is no object
 */
export function resourceIn(body: unknown, idName: string): ResourceShape | undefined {
  if (!isPlainObject(body)) return undefined;
  const inner = Object.entries(body).filter(([, value]) => isPlainObject(value));
  const [name, resource] = inner.find(([key]) => key === 'data') ?? inner[0] ?? [];
  const isEnvelope = (inner.length === 1 || name === 'data') && idKeyOf(body, idName) === undefined;
  if (name === undefined || !isEnvelope || hasScalars(body)) {
    return { resource: body, isEnvelope: false, with: (other) => other };
  }
  return {
    resource: resource as Properties,
    isEnvelope,
    with: (other) => ({ ...body, [name]: other }),
  };
}

export interface ListShape {
  readonly items: readonly unknown[];
  /** @returns the body with other items, and the number of all as `total` or `count` */
  readonly with: (items: readonly unknown[], total: number) => unknown;
}

const TOTAL = /^(?:total|count)(?:_?(?:count|items|results|elements))?$/i;

/** @returns undefined for a body that is neither an array nor an object with one property that is an array */
export function listIn(body: unknown): ListShape | undefined {
  if (Array.isArray(body)) return { items: body, with: (items) => items };
  if (!isPlainObject(body)) return undefined;
  const arrays = Object.entries(body).filter(([, value]) => Array.isArray(value));
  if (arrays.length !== 1) return undefined;
  const [name, items] = arrays[0]! as [string, unknown[]];
  return { items, with: (others, total) => ({ ...withTotal(body, total), [name]: others }) };
}

/** @returns the body with the number of all items as `total` or `count` */
export function withTotal(body: Properties, total: number): Properties {
  const totals = Object.keys(body).filter(
    (key) => TOTAL.test(key) && typeof body[key] === 'number',
  );
  return { ...body, ...Object.fromEntries(totals.map((key) => [key, total])) };
}

/** @returns false for a value with parts that JSON cannot represent, such as a file */
export function isJsonValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isJsonValue);
  if (isPlainObject(value)) return Object.values(value).every(isJsonValue);
  return value === null || isPrimitive(value);
}

/** True for an object that is no array, file or bytes. */
export function isPlainObject(value: unknown): value is Properties {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function hasScalars(body: Properties): boolean {
  return Object.values(body).some((value) => ['string', 'number'].includes(typeof value));
}
