// A seeded pseudo-random number generator.

/** Mulberry32, seeded by FNV-1a. */
export class Random {
  readonly #seed: string;
  #state: number;

  constructor(seed: string) {
    this.#seed = seed;
    this.#state = hash(seed);
  }

  /** @returns an independent generator for a part */
  fork(part: string | number): Random {
    return new Random(`${this.#seed}/${part}`);
  }

  /** @returns an integer from 0 to `count - 1` */
  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  /** @returns the items, rotated by a random offset */
  rotate<Item>(items: readonly Item[]): Item[] {
    const start = this.below(Math.max(items.length, 1));
    return [...items.slice(start), ...items.slice(0, start)];
  }

  /** @returns `length` characters of an alphabet */
  text(alphabet: string, length: number): string {
    let text = '';
    while (text.length < length) text += alphabet[this.below(alphabet.length)];
    return text;
  }
}

/** Selects the first of all alternatives: for the least values of a schema, not for samples. */
export class FirstChoice extends Random {
  constructor() {
    super('');
  }

  override fork(): Random {
    return this;
  }

  override below(): number {
    return 0;
  }
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value;
}
