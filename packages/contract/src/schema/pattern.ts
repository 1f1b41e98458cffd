// The regular expressions of a contract: ECMAScript, common constructs of other dialects, and automata.

/** The part of RegExp that validation uses. */
export interface PatternTest {
  test(text: string): boolean;
}

/** @returns undefined for a pattern that is not ECMAScript and cannot be converted */
export function compilePattern(pattern: string): RegExp | undefined {
  // Unicode mode rejects identity escapes (`\-`, `\_`): the last attempt is without the flag u.
  return expression(pattern, 'u') ?? foreignExpression(pattern) ?? expression(pattern, '');
}

/** Converts leading flags (`(?i)`) and the anchors `\A` and `\z` of Perl, Java, Python and RE2. */
function foreignExpression(pattern: string): RegExp | undefined {
  const [, flags = '', rest = ''] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(pattern) ?? [];
  const anchored = rest.replace(/^\\A/, '^').replace(/\\[zZ]$/, '$');
  return anchored === pattern
    ? undefined
    : (expression(anchored, `${flags}u`) ?? expression(anchored, flags));
}

function expression(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

const tests = new Map<string, PatternTest | undefined>();
/** The patterns that V8 does not test. Shared by all contracts: it depends only on the pattern. */
const others = new Map<string, Automaton>();

/** @param patterns patterns that V8 may not test in linear time -> the same as automata */
export function testInLinearTime(patterns: Readonly<Record<string, Automaton>>): void {
  for (const [pattern, other] of Object.entries(patterns)) {
    if (others.has(pattern)) continue;
    others.set(pattern, other);
    tests.delete(pattern);
  }
}

/** @returns the test of a pattern, in linear time if registered; undefined for an unsupported dialect */
export function patternTest(pattern: string): PatternTest | undefined {
  if (tests.has(pattern)) return tests.get(pattern);
  const automaton = others.get(pattern);
  const test = automaton === undefined ? compilePattern(pattern) : automatonTest(automaton);
  tests.set(pattern, test);
  return test;
}

/** @returns the test of a pattern, with the result of its regular expression */
export function automatonTest({ conditions, machines, ...automaton }: Automaton): PatternTest {
  const alphabet = new Alphabet(automaton);
  const ahead = new Set(
    conditions.map((condition) =>
      condition.kind === 'look' && !condition.isBehind ? condition.machine : -1,
    ),
  );
  const simulations = machines.map((each, at) =>
    ahead.has(at)
      ? new Simulation(reversed(each), conditions, -1)
      : new Simulation(each, conditions, 1),
  );
  const whole = simulations.pop()!;
  return {
    test(text) {
      const input = new Input(alphabet.read(text), conditions);
      for (const simulation of simulations) input.found.push(simulation.run(input));
      return whole.finds(input);
    },
  };
}

/** Of a lookahead, which is read from the end of the text: where it ends, it matches. */
function reversed({ start, accept, states, moves, empty }: Machine): Machine {
  const turned = ([from, to, index]: Transition): Transition => [to, from, index];
  return {
    start: accept,
    accept: start,
    states,
    moves: moves.map(turned),
    empty: empty.map(turned),
  };
}

/** An unsupported pattern matches every string; the manifest reports it. */
export function lenientTest(pattern: string): PatternTest {
  return patternTest(pattern) ?? /(?:)/;
}

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
interface CharacterClass {
  readonly id: number;
  /** By index in the sets of the automaton. */
  readonly isIn: readonly boolean[];
  readonly isLineEnd: boolean;
}

const MAX_KNOWN = 4_096;

/** The classes of the characters that a pattern distinguishes. */
class Alphabet {
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
class Input {
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
class Simulation {
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
