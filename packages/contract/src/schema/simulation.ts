// Runs a nondeterministic automaton in linear time, as a deterministic one whose states are made as texts reach
// them.
import type { CharacterClass, Condition, Input, Machine, Transition } from './automaton.ts';

/** States that may be active at once, before the conditions at a position are known. */
interface ActiveStates {
  readonly states: readonly number[];
  /** By the number of the conditions that are met. */
  readonly closures: (Closure | undefined)[];
}

/** With the states that are reached without a character. */
interface Closure {
  readonly states: readonly number[];
  readonly isAccepting: boolean;
  /** By the class of the next character. */
  readonly next: (ActiveStates | undefined)[];
}

/** The numbers that are kept of one machine between texts, about 1 MB. */
const MAX_KEPT = 100_000;

/** Simulates the states of one machine from each position of a text. */
export class Simulation {
  readonly #machine: Machine;
  readonly #step: 1 | -1;
  readonly #moves: readonly (readonly Transition[])[];
  readonly #empty: readonly (readonly Transition[])[];
  readonly #conditions: readonly number[];
  /** True if conditions may be met within a text. */
  readonly #isLocal: boolean;
  readonly #active = new Map<string, ActiveStates>();
  /** Of a set of conditions, its number: by the number of the set without the last one. */
  readonly #contexts = new Map<number, number>();
  #start!: ActiveStates;
  #kept = 0;
  /** The generation in which each state was entered last, to enter it once. */
  readonly #entered: Float64Array;
  #generation = 0;

  /** @param step -1 to read from the end of the text */
  constructor(machine: Machine, conditions: readonly Condition[], step: 1 | -1) {
    this.#machine = machine;
    this.#step = step;
    this.#entered = new Float64Array(machine.states);
    this.#moves = byState(machine.moves, machine.states);
    this.#empty = byState(machine.empty, machine.states);
    const used = new Set(machine.empty.map(([, , condition]) => condition));
    this.#conditions = [...used].filter((number) => number >= 0);
    this.#isLocal = this.#conditions.some((at) => {
      const each = conditions[at]!;
      return !('isMultiline' in each) || each.isMultiline;
    });
    this.#clear();
  }

  /** @returns true if the machine matches anywhere */
  finds(input: Input): boolean {
    return this.#simulate(input, () => true);
  }

  /** @returns 1 at each position that the machine reaches */
  run(input: Input): Uint8Array {
    const found = new Uint8Array(input.characters.length + 1);
    this.#simulate(input, (at) => {
      found[at] = 1;
      return false;
    });
    return found;
  }

  /** @param onReached called at each position; true to stop */
  #simulate(input: Input, onReached: (at: number) => boolean): boolean {
    const { characters } = input;
    const { length } = characters;
    const step = this.#step;
    const isLocal = this.#isLocal;
    const end = step === 1 ? length : 0;
    const before = step === 1 ? 0 : -1;
    if (this.#isFull) this.#clear();
    let active = this.#start;
    for (let at = length - end; ; at += step) {
      const context = isLocal || at === 0 || at === length ? this.#contextAt(at, input) : 0;
      const closure = active.closures[context] ?? this.#close(active, context, input, at);
      if (closure.isAccepting && onReached(at)) return true;
      if (at === end) return false;
      const character = characters[at + before]!;
      active = closure.next[character.id] ?? this.#move(closure, character);
    }
  }

  /** @returns the number of the set of conditions that are met */
  #contextAt(at: number, input: Input): number {
    let context = 0;
    for (let index = 0; index < this.#conditions.length; index++) {
      const key = 2 * context + (input.isMet(this.#conditions[index]!, at) ? 1 : 0);
      let next = this.#contexts.get(key);
      if (next === undefined) {
        next = this.#contexts.size + 1;
        this.#contexts.set(key, next);
        this.#kept++;
      }
      context = next;
    }
    return context;
  }

  #close(active: ActiveStates, context: number, input: Input, at: number): Closure {
    const states: number[] = [];
    this.#enterAll(active.states, states);
    // The list grows meanwhile.
    for (const state of states) {
      for (const [, to, condition] of this.#empty[state]!) {
        if (condition < 0 || input.isMet(condition, at)) this.#enter(to, states);
      }
    }
    const isAccepting = this.#entered[this.#machine.accept] === this.#generation;
    const closure: Closure = { states, isAccepting, next: [] };
    if (this.#isFull) return closure;
    active.closures[context] = closure;
    this.#kept += states.length;
    return closure;
  }

  #move(closure: Closure, { id, isIn }: CharacterClass): ActiveStates {
    const states: number[] = [];
    this.#enterAll([this.#machine.start], states);
    for (const state of closure.states) {
      for (const [, to, set] of this.#moves[state]!) if (isIn[set]!) this.#enter(to, states);
    }
    if (this.#isFull) return { states, closures: [] };
    const next = this.#withStates(states.sort((a, b) => a - b));
    closure.next[id] = next;
    return next;
  }

  #enterAll(all: readonly number[], states: number[]): void {
    this.#generation++;
    for (const number of all) this.#enter(number, states);
  }

  /** Adds a state once. */
  #enter(state: number, states: number[]): void {
    if (this.#entered[state] === this.#generation) return;
    this.#entered[state] = this.#generation;
    states.push(state);
  }

  #withStates(states: readonly number[]): ActiveStates {
    const key = states.join();
    const known = this.#active.get(key);
    if (known !== undefined) return known;
    const active = { states, closures: [] };
    this.#active.set(key, active);
    this.#kept += 2 * states.length;
    return active;
  }

  /** The rest of a text that reaches so many states takes a simulation of each character. */
  get #isFull(): boolean {
    return this.#kept > MAX_KEPT;
  }

  #clear(): void {
    this.#active.clear();
    this.#contexts.clear();
    this.#kept = 0;
    this.#start = this.#withStates([this.#machine.start]);
  }
}

function byState(transitions: readonly Transition[], states: number): readonly Transition[][] {
  const lists = Array.from({ length: states }, (): Transition[] => []);
  for (const transition of transitions) lists[transition[0]]!.push(transition);
  return lists;
}
