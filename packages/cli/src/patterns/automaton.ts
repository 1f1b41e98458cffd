// Compiles an ECMAScript regular expression to automata (Thompson's construction).

import type { AST } from '@eslint-community/regexpp';
import type { Automaton, Condition, Machine, Transition } from '@stubwright/contract';

/** Of all automata of a pattern: the time per character. */
const MAX_STATES = 10_000;

class Unsupported extends Error {}

/** @returns undefined for back references, and for a pattern of too many states */
export function toAutomaton(pattern: AST.Pattern, flags: string): Automaton | undefined {
  try {
    return new Compiler(flags).compile(pattern);
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

class Compiler {
  readonly #flags: string;
  readonly #sets: string[] = [];
  readonly #conditions: Condition[] = [];
  readonly #machines: Machine[] = [];
  #states = 0;

  constructor(flags: string) {
    this.#flags = flags;
  }

  compile(pattern: AST.Pattern): Automaton {
    this.#machine(pattern.alternatives);
    return {
      flags: this.#flags,
      sets: this.#sets,
      conditions: this.#conditions,
      machines: this.#machines,
    };
  }

  #machine(alternatives: readonly AST.Alternative[]): number {
    const builder = new MachineBuilder(() => {
      if (++this.#states > MAX_STATES) throw new Unsupported();
    });
    const start = builder.state();
    const accept = this.#alternatives(alternatives, start, builder);
    this.#machines.push(builder.machine(start, accept));
    return this.#machines.length - 1;
  }

  #alternatives(
    alternatives: readonly AST.Alternative[],
    from: number,
    builder: MachineBuilder,
  ): number {
    const to = builder.state();
    for (const { elements } of alternatives) {
      let end = from;
      for (const element of elements) end = this.#element(element, end, builder);
      builder.empty(end, to);
    }
    return to;
  }

  #element(element: AST.Element, from: number, builder: MachineBuilder): number {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return builder.move(from, indexIn(this.#sets, element.raw));
      case 'Group':
      case 'CapturingGroup':
        return this.#alternatives(element.alternatives, from, builder);
      case 'Quantifier':
        return this.#quantifier(element, from, builder);
      case 'Assertion': {
        const to = builder.state();
        builder.empty(from, to, indexIn(this.#conditions, this.#condition(element)));
        return to;
      }
      default:
        throw new Unsupported();
    }
  }

  #quantifier(
    { element, min, max }: AST.Quantifier,
    from: number,
    builder: MachineBuilder,
  ): number {
    let end = from;
    for (let count = 0; count < min; count++) end = this.#element(element, end, builder);
    if (max === Number.POSITIVE_INFINITY) {
      const loop = builder.state();
      builder.empty(end, loop);
      builder.empty(this.#element(element, loop, builder), loop);
      return loop;
    }
    const to = builder.state();
    for (let count = min; count < max; count++) {
      builder.empty(end, to);
      end = this.#element(element, end, builder);
    }
    builder.empty(end, to);
    return to;
  }

  #condition(assertion: AST.Assertion): Condition {
    switch (assertion.kind) {
      case 'start':
      case 'end':
        return { kind: assertion.kind, isMultiline: this.#flags.includes('m') };
      case 'word':
        return {
          kind: 'word',
          set: indexIn(this.#sets, '\\w'),
          isNegated: assertion.negate,
        };
      default:
        return {
          kind: 'look',
          machine: this.#machine(assertion.alternatives),
          isBehind: assertion.kind === 'lookbehind',
          isNegated: assertion.negate,
        };
    }
  }
}

class MachineBuilder {
  readonly #onState: () => void;
  readonly #moves: Transition[] = [];
  readonly #empty: Transition[] = [];
  #states = 0;

  constructor(onState: () => void) {
    this.#onState = onState;
  }

  state(): number {
    this.#onState();
    return this.#states++;
  }

  /** @returns the state after a character of the set */
  move(from: number, set: number): number {
    const to = this.state();
    this.#moves.push([from, to, set]);
    return to;
  }

  empty(from: number, to: number, condition = -1): void {
    this.#empty.push([from, to, condition]);
  }

  machine(start: number, accept: number): Machine {
    return { start, accept, states: this.#states, moves: this.#moves, empty: this.#empty };
  }
}

/** @returns the index of an element, which is added if the array has no equal one */
function indexIn<Each>(all: Each[], element: Each): number {
  const key = JSON.stringify(element);
  const known = all.findIndex((each) => JSON.stringify(each) === key);
  return known >= 0 ? known : all.push(element) - 1;
}
