// Regular expressions whose test takes linear time: V8's where its backtracking is bounded, else automata.

import { type AST, RegExpParser } from '@eslint-community/regexpp';
import {
  type Automaton,
  automatonTest,
  type Condition,
  compilePattern,
  isObject,
  type Machine,
  type PatternTest,
  type Transition,
} from '@stubwright/contract';

/**
 * A short text, or one repetition of a single character after `^`: the usual patterns, recognized without
 * parsing.
 */
const SIMPLE =
  /^(?:(?:[^\\*+?{|(]|\\[^\dkpP]){0,200}|\^(?:\[(?:[^\]\\]|\\.)*\]|\\[dDsSwW]|\.)[*+]\$?)$/su;

/**
 * @returns a test with the same result, in time linear in the length of the text; undefined for back
 *   references next to repetitions, and for more states than an automaton may have
 */
export function linearTest(expression: RegExp): PatternTest | undefined {
  const engine = engineOf(expression);
  if (engine === undefined || engine === V8) return engine && expression;
  return automatonTest(engine);
}

/** False for a pattern that only backtracking can test, in time that may grow exponentially. */
export function isLinear(pattern: string): boolean {
  const expression = compilePattern(pattern);
  return expression === undefined || engineOf(expression) !== undefined;
}

/** @returns the patterns of a document that V8 does not test in linear time, as automata */
export function linearPatterns(document: unknown): Record<string, Automaton> {
  const found: Record<string, Automaton> = {};
  for (const pattern of new Set(patternsOf(document))) {
    const expression = compilePattern(pattern);
    const engine = expression && engineOf(expression);
    if (engine !== undefined && engine !== V8) found[pattern] = engine;
  }
  return found;
}

/** Also of what is no schema, where it does no harm. */
function* patternsOf(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const child of node) yield* patternsOf(child);
  if (!isObject(node)) return;
  if (typeof node.pattern === 'string') yield node.pattern;
  if (isObject(node.patternProperties)) yield* Object.keys(node.patternProperties);
  for (const value of Object.values(node)) yield* patternsOf(value);
}

const V8 = Symbol('V8');

/** @returns V8 or automata; undefined for neither */
function engineOf({ source, flags, unicode }: RegExp): typeof V8 | Automaton | undefined {
  if (SIMPLE.test(source) && !flags.includes('m')) return V8;
  const pattern = new RegExpParser().parsePattern(source, undefined, undefined, { unicode });
  return isBounded(pattern, flags) ? V8 : toAutomaton(pattern, flags);
}

/** The ways through an expression that backtracking may try. */
interface Ways {
  /** The product of the alternatives and counts. */
  readonly choices: number;
  readonly repetitions: number;
  /** The number of such repetitions in lookaheads: each may read the whole text. */
  readonly scans: number;
  /** The maximum length of the text of each way, without repetitions. */
  readonly length: number;
}

/** So many ways cost no more than a longer expression. */
const MAX_CHOICES = 256;
/** A count that varies more is one that depends on the text. */
const MAX_COUNTS = 16;
/** The steps from one position of the text. */
const MAX_STEPS = 512;

const NOTHING: Ways = { choices: 1, repetitions: 0, scans: 0, length: 0 };
const ONE: Ways = { ...NOTHING, length: 1 };
const UNBOUNDED: Ways = { ...NOTHING, choices: Number.POSITIVE_INFINITY };

/**
 * True if V8 takes linear time. There are few ways to continue at each position, and only one repetition
 * or some lookaheads read the whole text: once, because the expression starts with `^`.
 */
function isBounded(pattern: AST.Pattern, flags: string): boolean {
  const { choices, repetitions, scans, length } = waysOfAll(pattern.alternatives);
  const isAnchored = !flags.includes('m') && pattern.alternatives.every(isAnchoredAlternative);
  if (choices > MAX_CHOICES || repetitions > 1) return false;
  if (isAnchored && repetitions === 0) return true;
  return choices * length <= MAX_STEPS && (isAnchored || repetitions + scans === 0);
}

function isAnchoredAlternative({ elements: [first] }: AST.Alternative): boolean {
  return first?.type === 'Assertion' && first.kind === 'start';
}

function waysOfAll(alternatives: readonly AST.Alternative[]): Ways {
  const all = alternatives.map(waysOfAlternative);
  return {
    choices: all.reduce((sum, { choices }) => sum + choices, 0),
    repetitions: Math.max(...all.map(({ repetitions }) => repetitions)),
    scans: all.reduce((sum, { scans }) => sum + scans, 0),
    length: Math.max(...all.map(({ length }) => length)),
  };
}

function waysOfAlternative({ elements }: AST.Alternative): Ways {
  const total = { ...NOTHING };
  for (const element of elements) {
    const ways = waysOf(element);
    // Each way that leads to a lookahead tries it again.
    if (ways.scans > 0 && total.repetitions > 0) return UNBOUNDED;
    total.choices *= ways.choices;
    total.repetitions += ways.repetitions;
    total.scans += ways.scans;
    total.length += ways.length;
  }
  return total;
}

function waysOf(element: AST.Element): Ways {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return waysOfAll(element.alternatives);
    case 'Quantifier':
      return waysOfQuantifier(element);
    case 'Assertion':
      if (element.kind === 'lookahead') return waysOfLookahead(element);
      return element.kind === 'lookbehind' ? UNBOUNDED : NOTHING;
    case 'Backreference':
      return waysOfBackreference(element);
    default:
      return ONE;
  }
}

/** As long as the group, whose text does not vary in length: no repetition, no other back reference. */
function waysOfBackreference({ resolved, start }: AST.Backreference): Ways {
  const groups = [resolved].flat();
  const isFixed = groups.every(({ end, raw }) => end <= start && !/\\[1-9k]/.test(raw));
  const all = isFixed ? groups.map(waysOf) : [UNBOUNDED];
  const isBoundedText = all.every(({ choices, repetitions, scans }) => {
    return choices <= MAX_CHOICES && repetitions + scans === 0;
  });
  if (!isBoundedText) return UNBOUNDED;
  return { ...NOTHING, length: Math.max(...all.map(({ length }) => length)) };
}

function waysOfLookahead({ alternatives }: AST.LookaheadAssertion): Ways {
  const { repetitions, scans, ...ways } = waysOfAll(alternatives);
  return repetitions > 1 ? UNBOUNDED : { ...ways, repetitions: 0, scans: scans + repetitions };
}

function waysOfQuantifier({ element, min, max }: AST.Quantifier): Ways {
  const { choices, repetitions, scans, length } = waysOf(element);
  if (max <= 1) return { choices: choices + max - min, repetitions, scans, length };
  if (scans > 0) return UNBOUNDED;
  const isSingle = choices === 1 && repetitions === 0;
  if (isSingle && max - min <= MAX_COUNTS) {
    return { choices: max - min + 1, repetitions: 0, scans: 0, length: length * max };
  }
  if (isSingle) return { choices: 1, repetitions: 1, scans: 0, length: length * (min + 1) };
  return repetitions === 0
    ? { choices: (choices + 1) ** max, repetitions: 0, scans: 0, length: length * max }
    : UNBOUNDED;
}

/** Of all automata of a pattern: the time per character. */
const MAX_STATES = 10_000;

class Unsupported extends Error {}

/** @returns undefined for back references, and for a pattern of too many states */
function toAutomaton(pattern: AST.Pattern, flags: string): Automaton | undefined {
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
