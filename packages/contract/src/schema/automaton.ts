// Tests patterns with lookaround in linear time: each part of a pattern is a nondeterministic automaton,
// whose states are simulated together.

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

/** @returns the test of the pattern, with the result of a regular expression */
export function automatonTest(automaton: Automaton): { test(text: string): boolean } {
  const sets = automaton.sets.map((source) => new CharacterSet(source, automaton.flags));
  const machines = automaton.machines.map(({ start, accept, states, moves, empty }) => ({
    forward: new Simulation(states, start, accept, moves, empty),
    backward: new Simulation(states, accept, start, moves.map(reversed), empty.map(reversed)),
  }));
  return {
    test(text) {
      const input = new Input(text, automaton, sets);
      for (const [at, { forward, backward }] of machines.slice(0, -1).entries()) {
        input.found[at] = input.isBehind(at) ? forward.run(input) : backward.run(input, -1);
      }
      return machines.at(-1)!.forward.finds(input);
    },
  };
}

function reversed([from, to, index]: Transition): Transition {
  return [to, from, index];
}

/** The characters that one part of a pattern matches. */
class CharacterSet {
  readonly #expression: RegExp;
  readonly #known = new Map<number, boolean>();

  constructor(source: string, flags: string) {
    this.#expression = new RegExp(`^(?:${source})$`, flags.replace('m', ''));
  }

  has(character: number): boolean {
    const known = this.#known.get(character);
    if (known !== undefined) return known;
    const has = this.#expression.test(String.fromCodePoint(character));
    if (this.#known.size < MAX_KNOWN) this.#known.set(character, has);
    return has;
  }
}

const MAX_KNOWN = 4_096;

/** A text, and where its lookarounds match. */
class Input {
  /** Code points, or UTF-16 code units without the flag `u`. */
  readonly characters: Uint32Array;
  /** By machine: 1 at each position at which it matches. */
  readonly found: Uint8Array[] = [];
  readonly sets: readonly CharacterSet[];
  readonly #conditions: readonly Condition[];

  constructor(text: string, { flags, conditions }: Automaton, sets: readonly CharacterSet[]) {
    this.#conditions = conditions;
    this.sets = sets;
    const characters = new Uint32Array(text.length);
    let length = 0;
    for (let at = 0; at < text.length; at++) {
      const character = flags.includes('u') ? text.codePointAt(at)! : text.charCodeAt(at);
      if (character > 0xffff) at++;
      characters[length++] = character;
    }
    this.characters = characters.subarray(0, length);
  }

  isBehind(machine: number): boolean {
    return this.#conditions.some(
      (each) => each.kind === 'look' && each.machine === machine && each.isBehind,
    );
  }

  isMet(condition: number, at: number): boolean {
    const each = this.#conditions[condition]!;
    switch (each.kind) {
      case 'start':
        return at === 0 || (each.isMultiline && isLineEnd(this.characters[at - 1]!));
      case 'end':
        return (
          at === this.characters.length || (each.isMultiline && isLineEnd(this.characters[at]!))
        );
      case 'word':
        return (this.#isWord(at - 1, each.set) !== this.#isWord(at, each.set)) !== each.isNegated;
      default:
        return (this.found[each.machine]![at] === 1) !== each.isNegated;
    }
  }

  #isWord(at: number, set: number): boolean {
    const character = this.characters[at];
    return character !== undefined && this.sets[set]!.has(character);
  }
}

function isLineEnd(character: number): boolean {
  return character === 0xa || character === 0xd || character === 0x2028 || character === 0x2029;
}

/** Simulates the states of one machine from each position of a text. */
class Simulation {
  readonly #from: number;
  readonly #to: number;
  readonly #moves: readonly (readonly Transition[])[];
  readonly #empty: readonly (readonly Transition[])[];
  /** The position after which each state was entered last, to enter it once. */
  readonly #entered: Int32Array;

  constructor(
    states: number,
    from: number,
    to: number,
    moves: readonly Transition[],
    empty: readonly Transition[],
  ) {
    this.#from = from;
    this.#to = to;
    const byState = (all: readonly Transition[]) => {
      const lists = Array.from({ length: states }, (): Transition[] => []);
      for (const each of all) lists[each[0]]!.push(each);
      return lists;
    };
    this.#moves = byState(moves);
    this.#empty = byState(empty);
    this.#entered = new Int32Array(states);
  }

  /** @returns true if the machine matches anywhere */
  finds(input: Input): boolean {
    return this.#simulate(input, 1, () => true);
  }

  /** @param step -1 from the end of the text @returns 1 at each position that the machine reaches */
  run(input: Input, step: 1 | -1 = 1): Uint8Array {
    const found = new Uint8Array(input.characters.length + 1);
    this.#simulate(input, step, (at) => {
      found[at] = 1;
      return false;
    });
    return found;
  }

  /** @param onReached called at each position; true to stop */
  #simulate(input: Input, step: 1 | -1, onReached: (at: number) => boolean): boolean {
    const { characters, sets } = input;
    this.#entered.fill(-1);
    let active: number[] = [];
    const end = step === 1 ? characters.length : 0;
    for (let at = step === 1 ? 0 : characters.length; ; at += step) {
      const states = this.#closure([this.#from, ...active], input, at);
      if (this.#entered[this.#to] === at && onReached(at)) return true;
      if (at === end) return false;
      const character = characters[step === 1 ? at : at - 1]!;
      active = [];
      for (const state of states) {
        for (const [, to, set] of this.#moves[state]!) {
          if (sets[set]!.has(character)) active.push(to);
        }
      }
    }
  }

  /** @returns the states that are reached without a character, each once */
  #closure(active: readonly number[], input: Input, at: number): number[] {
    const states: number[] = [];
    const enter = (state: number) => {
      if (this.#entered[state] === at) return;
      this.#entered[state] = at;
      states.push(state);
    };
    for (const state of active) enter(state);
    // The list grows meanwhile.
    for (const state of states) {
      for (const [, to, condition] of this.#empty[state]!) {
        if (condition < 0 || input.isMet(condition, at)) enter(to);
      }
    }
    return states;
  }
}
