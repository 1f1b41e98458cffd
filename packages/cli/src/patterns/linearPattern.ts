// Regular expressions whose test takes linear time: V8's where its backtracking is bounded, else automata.

import { RegExpParser } from '@eslint-community/regexpp';
import {
  type Automaton,
  automatonTest,
  compilePattern,
  isObject,
  type PatternTest,
} from '@stubwright/contract';
import { toAutomaton } from './automaton.ts';
import { isBounded } from './backtracking.ts';

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
  if (Array.isArray(node)) for (const each of node) yield* patternsOf(each);
  if (!isObject(node)) return;
  if (typeof node.pattern === 'string') yield node.pattern;
  if (isObject(node.patternProperties)) yield* Object.keys(node.patternProperties);
  for (const each of Object.values(node)) yield* patternsOf(each);
}

const V8 = Symbol('V8');

/** @returns V8 or automata; undefined for neither */
function engineOf({ source, flags, unicode }: RegExp): typeof V8 | Automaton | undefined {
  if (SIMPLE.test(source) && !flags.includes('m')) return V8;
  const pattern = new RegExpParser().parsePattern(source, undefined, undefined, { unicode });
  return isBounded(pattern, flags) ? V8 : toAutomaton(pattern, flags);
}
