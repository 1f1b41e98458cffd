// The regular expressions of a contract: ECMAScript, and common constructs of other dialects.
import {
  Alphabet,
  type Automaton,
  Input,
  type Machine,
  Simulation,
  type Transition,
} from './automaton.ts';

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
