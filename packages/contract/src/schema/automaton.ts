// A pattern as automata, and a text as their input.

/** A pattern as automata, which JSON can represent. */
export interface Automaton {
  /** `u`, `i` and `s` change what a set matches. */
  readonly flags: string;
  /** Regular expressions that match one character. */
  readonly sets: readonly string[];
  readonly conditions: readonly Condition[];
  /** An automaton of a lookaround follows those of the lookarounds in it; the whole pattern is the last. */
  readonly machines: readonly Machine[];
}

/** A nondeterministic automaton; its states are numbered from 0. */
export interface Machine {
  readonly start: number;
  readonly accept: number;
  readonly states: number;
  /** Transitions on a character: from, to, and the index in `sets`. */
  readonly moves: readonly Transition[];
  /** Transitions without a character: from, to, and the index in `conditions`, or -1. */
  readonly empty: readonly Transition[];
}

/** From one state to another; what `index` refers to depends on the list. */
export type Transition = readonly [from: number, to: number, index: number];

/** `word` is a boundary between the characters of the set and others. */
export type Condition =
  | { readonly kind: 'start' | 'end'; readonly isMultiline: boolean }
  | { readonly kind: 'word'; readonly set: number; readonly isNegated: boolean }
  | {
      readonly kind: 'look';
      readonly machine: number;
      readonly isBehind: boolean;
      readonly isNegated: boolean;
    };

/** Characters that are in the same sets. */
export interface CharacterClass {
  readonly id: number;
  /** By index in the sets of the automaton. */
  readonly isIn: readonly boolean[];
  readonly isLineEnd: boolean;
}

const MAX_KNOWN = 4_096;

/** The classes of the characters that a pattern distinguishes. */
export class Alphabet {
  readonly #sets: readonly RegExp[];
  readonly #isUnicode: boolean;
  /** By code point, or by UTF-16 code unit without the flag `u`. */
  readonly #known = new Map<number, CharacterClass>();
  readonly #ascii: (CharacterClass | undefined)[] = Array.from({ length: 128 });
  readonly #classes = new Map<string, CharacterClass>();

  constructor({ sets, flags }: Pick<Automaton, 'sets' | 'flags'>) {
    this.#sets = sets.map((source) => new RegExp(`^(?:${source})$`, flags.replace('m', '')));
    this.#isUnicode = flags.includes('u');
  }

  read(text: string): CharacterClass[] {
    const classes: CharacterClass[] = [];
    const ascii = this.#ascii;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      let found = ascii[unit];
      if (found === undefined) {
        const character = this.#isUnicode ? text.codePointAt(at)! : unit;
        if (character > 0xffff) at++;
        found = this.#classOf(character);
      }
      classes.push(found);
    }
    return classes;
  }

  #classOf(character: number): CharacterClass {
    const known = this.#known.get(character);
    if (known !== undefined) return known;
    const text = String.fromCodePoint(character);
    const isIn = this.#sets.map((each) => each.test(text));
    const isLineEnd = /[\n\r\u2028\u2029]/.test(text);
    const key = [...isIn, isLineEnd].map(Number).join('');
    const found = this.#classes.get(key) ?? { id: this.#classes.size, isIn, isLineEnd };
    this.#classes.set(key, found);
    if (character < 128) this.#ascii[character] = found;
    else if (this.#known.size < MAX_KNOWN) this.#known.set(character, found);
    return found;
  }
}

/** A text, and where its lookarounds match. */
export class Input {
  readonly characters: readonly CharacterClass[];
  /** By machine: 1 at each position at which it matches. */
  readonly found: Uint8Array[] = [];
  readonly #conditions: readonly Condition[];

  constructor(characters: readonly CharacterClass[], conditions: readonly Condition[]) {
    this.characters = characters;
    this.#conditions = conditions;
  }

  isMet(condition: number, at: number): boolean {
    const { characters } = this;
    const each = this.#conditions[condition]!;
    switch (each.kind) {
      case 'start':
        return at === 0 || (each.isMultiline && characters[at - 1]!.isLineEnd);
      case 'end':
        return at === characters.length || (each.isMultiline && characters[at]!.isLineEnd);
      case 'word':
        return (this.#isWord(at - 1, each.set) !== this.#isWord(at, each.set)) !== each.isNegated;
      default:
        return (this.found[each.machine]![at] === 1) !== each.isNegated;
    }
  }

  #isWord(at: number, set: number): boolean {
    return this.characters[at]?.isIn[set] === true;
  }
}
