// The items that stateful mocks keep, bounded in number and size.

import { stringifyJson } from '@stubwright/contract';

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
    const known = this.#items.get(key);
    this.#characters += characters - (known?.characters ?? 0);
    const position = known?.position ?? ++this.#lastPosition;
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
    for (const each of this.#items.keys()) if (each.startsWith(`${key}/`)) this.#drop(each);
  }

  #drop(key: string): void {
    this.#characters -= this.#items.get(key)?.characters ?? 0;
    this.#items.delete(key);
  }
}

function keyOf(collection: string, id: string): string {
  return `${collection}/${encodeURIComponent(id)}`;
}
