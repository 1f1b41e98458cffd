// The strings that patterns and lengths allow, as regular languages: inclusion is decided by automata.
import { createRequire } from 'node:module';
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { compilePattern } from '@stubwright/contract';
import type { CharSet, DFA, NFA } from 'refa';

const require = createRequire(import.meta.url);

/** Loaded by the first pattern or length that changed: it takes 50 ms of a comparison that has none. */
function refa(): typeof import('refa') {
  return require('refa');
}

/** States of one automaton: those of published patterns have some hundreds. */
const MAX_NODES = 5_000;
/** A longer maximum length takes more states. */
const MAX_LENGTH = 1_000;

/** Strings that match all patterns and have a length in code points from `min` to `max`. */
export interface StringSet {
  readonly patterns: readonly string[];
  readonly min: number;
  /** May be infinite. */
  readonly max: number;
}

/** How one set of strings becomes another. */
interface LanguageChange {
  /** The shortest string that only the first has; undefined without one. */
  readonly lost: string | undefined;
  /** The shortest string that only the second has. */
  readonly gained: string | undefined;
}

/** @returns undefined for back references, word boundaries, lookaround other than lookaheads at the start, and sets of too many states */
export function languageChange(before: StringSet, after: StringSet): LanguageChange | undefined {
  const key = JSON.stringify(
    [before, after].map(({ patterns, min, max }) => [patterns, min, `${max}`]),
  );
  if (!changes.has(key)) changes.set(key, newChange(before, after));
  return changes.get(key);
}

const changes = new Map<string, LanguageChange | undefined>();

function newChange(before: StringSet, after: StringSet): LanguageChange | undefined {
  try {
    const [was, is] = [automataOf(before), automataOf(after)];
    return { lost: firstIn(was, is), gained: firstIn(is, was) };
  } catch {
    // refa throws for an unsupported construct and beyond the limit of states.
    return undefined;
  }
}

/** @returns true if no string of the set matches none of the excluded patterns; false if undecided */
export function hasNoString(set: StringSet, excluded: readonly string[]): boolean {
  try {
    const isTooLong = [set.min, set.max].some(
      (number) => number > MAX_LENGTH && number !== Infinity,
    );
    const conditions = [
      ...automataOf(isTooLong ? { ...set, min: 0, max: Infinity } : set),
      ...excluded.map((pattern) => complementOf(patternAutomaton(pattern))),
    ];
    return conditions.length > 0 && intersectionOf(conditions).isEmpty;
  } catch {
    return false;
  }
}

/** @returns the shortest string that matches a pattern and none of the excluded ones; undefined without one or if undecided */
export function stringOutside(pattern: string, excluded: readonly string[]): string | undefined {
  try {
    const outside = excluded.map((text) => complementOf(patternAutomaton(text)));
    return shortestIn(intersectionOf([patternAutomaton(pattern), ...outside]));
  } catch {
    return undefined;
  }
}

/** @returns the shortest string of each part into which patterns divide all strings but some, as far as decided */
export function regionWords(
  patterns: readonly string[],
  excluded: readonly string[],
): readonly string[] {
  const key = JSON.stringify([patterns, excluded]);
  const known = words.get(key) ?? newRegionWords(patterns, excluded);
  words.set(key, known);
  return known;
}

const words = new Map<string, readonly string[]>();

function newRegionWords(patterns: readonly string[], excluded: readonly string[]): string[] {
  try {
    const literals = excluded.map(literalPattern).join('|');
    let regions = [
      excluded.length === 0 ? parsed(/[\s\S]*/u) : complementOf(patternAutomaton(literals)),
    ];
    for (const pattern of patterns) {
      const inside = patternAutomaton(pattern);
      const parts = [inside, complementOf(inside)];
      regions = regions
        .flatMap((region) => parts.map((part) => intersectionOf([region, part])))
        .filter((region) => !region.isEmpty);
    }
    return regions.flatMap((region) => shortestIn(region) ?? []);
  } catch {
    return [];
  }
}

/** @returns a pattern that matches one string only */
export function literalPattern(text: string): string {
  return `^${text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;
}

/** @returns the lengths in code points of the strings that match a pattern; undefined if undecided */
export function lengthsOf(pattern: string): { min: number; max: number } | undefined {
  if (!lengths.has(pattern)) lengths.set(pattern, newLengths(pattern));
  return lengths.get(pattern);
}

const lengths = new Map<string, { min: number; max: number } | undefined>();

function newLengths(pattern: string): { min: number; max: number } | undefined {
  try {
    const { DFA } = refa();
    const automaton = DFA.fromFA(patternAutomaton(pattern), limited(DFA));
    automaton.minimize();
    if (automaton.isEmpty) return undefined;
    return { min: shortest(automaton), max: longest(automaton) };
  } catch {
    return undefined;
  }
}

/** @returns one automaton for each condition of a set */
function automataOf({ patterns, min, max }: StringSet): NFA[] {
  const all = patterns.map(patternAutomaton);
  if (min > MAX_LENGTH || (max > MAX_LENGTH && max !== Number.POSITIVE_INFINITY)) {
    throw new Error('too many states');
  }
  if (min > 0 || max !== Number.POSITIVE_INFINITY) {
    all.push(parsed(new RegExp(`[^]{${min},${max === Number.POSITIVE_INFINITY ? '' : max}}`, 'u')));
  }
  return all;
}

function patternAutomaton(pattern: string): NFA {
  const known = automata.get(pattern);
  if (known !== undefined) return known;
  const expression = compilePattern(pattern);
  if (expression === undefined || !expression.unicode) throw new Error('another dialect');
  const parts = patternParts(expression).map(({ source, isNegated }) => {
    const automaton = parsed(wholeMatch({ source, flags: expression.flags }));
    return isNegated ? complementOf(automaton) : automaton;
  });
  const automaton = intersectionOf(parts);
  automata.set(pattern, automaton);
  return automaton;
}

function intersectionOf(all: readonly NFA[]): NFA {
  const { NFA } = refa();
  return all.reduce((both, each) => NFA.fromIntersection(both, each, limited(NFA)));
}

function complementOf(automaton: NFA): NFA {
  const { DFA, NFA } = refa();
  const outside = DFA.fromFA(automaton, limited(DFA));
  outside.complement(limited(DFA));
  return NFA.fromFA(outside, limited(NFA));
}

const automata = new Map<string, NFA>();

/** @param expression matches whole strings, without anchors */
function parsed(expression: RegExp): NFA {
  const { combineTransformers, JS, NFA, Transformers, transform } = refa();
  const { expression: tree, maxCharacter } = JS.Parser.fromLiteral(expression).parse({
    backreferences: 'throw',
    maxNodes: MAX_NODES,
  });
  const simplified = transform(
    combineTransformers([Transformers.applyAssertions(), Transformers.simplify()]),
    tree,
  );
  return NFA.fromRegex(simplified, { maxCharacter }, { assertions: 'throw' }, limited(NFA));
}

/** @returns the shortest string in all of `some` that is not in all of `others` */
function firstIn(some: readonly NFA[], others: readonly NFA[]): string | undefined {
  const start = some.length === 0 ? parsed(/[\s\S]*/u) : intersectionOf(some);
  for (const other of others) {
    const word = shortestIn(intersectionOf([start, complementOf(other)]));
    if (word !== undefined) return word;
  }
  return undefined;
}

/** Visits each state once: `words()` of refa follows each path, of which there are 2 ** 60 to a length of 60. */
function shortestIn({ initial, finals }: NFA): string | undefined {
  const steps = new Map<NFA.Node, Step | undefined>([[initial, undefined]]);
  for (const [node, last] of steps) {
    if (finals.has(node)) return wordOf(last, steps);
    for (const [to, characters] of node.out) {
      if (!steps.has(to)) steps.set(to, { from: node, characters });
    }
  }
  return undefined;
}

interface Step {
  readonly from: NFA.Node;
  readonly characters: CharSet;
}

function wordOf(last: Step | undefined, steps: ReadonlyMap<NFA.Node, Step | undefined>): string {
  const { Words } = refa();
  const characters: CharSet[] = [];
  for (let step = last; step !== undefined; step = steps.get(step.from)) {
    characters.push(step.characters);
  }
  return Words.fromUnicodeToString(Words.pickMostReadableWord(characters.reverse()));
}

function limited<Factory>(automaton: {
  readonly LimitedNodeFactory: new (maxNodes: number) => Factory;
}): Factory {
  return new automaton.LimitedNodeFactory(MAX_NODES);
}

function shortest({ initial, finals }: DFA): number {
  let front = new Set([initial]);
  const seen = new Set(front);
  for (let length = 0; ; length++) {
    if ([...front].some((node) => finals.has(node))) return length;
    const next = [...front].flatMap((node) => [...node.out.values()]);
    front = new Set(next.filter((node) => !seen.has(node)));
    for (const node of front) seen.add(node);
  }
}

/** @returns infinity if a cycle leads to a final state: a minimal automaton has no other */
function longest({ initial, finals }: DFA): number {
  const known = new Map<DFA.Node, number>();
  const open = new Set<DFA.Node>();
  const from = (node: DFA.Node): number => {
    if (open.has(node)) return Number.POSITIVE_INFINITY;
    const before = known.get(node);
    if (before !== undefined) return before;
    open.add(node);
    const own = finals.has(node) ? 0 : Number.NEGATIVE_INFINITY;
    const length = Math.max(own, ...[...node.out.values()].map((next) => 1 + from(next)));
    open.delete(node);
    known.set(node, length);
    return length;
  };
  return from(initial);
}

/** A pattern, or a pattern that no match has. */
interface PatternPart {
  readonly source: string;
  readonly isNegated: boolean;
}

/** Divides a pattern at its lookaheads from the start on: `^(?!a)b` is `^b` and not `^a`. */
function patternParts({ source }: RegExp): PatternPart[] {
  const alternatives = alternativesOf(source);
  const [first] = alternatives;
  if (alternatives.length > 1 || !isEdge(first?.elements[0], 'start')) {
    return [{ source, isNegated: false }];
  }
  const rest = first!.elements.slice(1);
  const count = rest.findIndex((element) => !isLookahead(element));
  const lookaheads = rest.slice(0, count < 0 ? rest.length : count).filter(isLookahead);
  const from = lookaheads.at(-1)?.end ?? first!.elements[0]!.end;
  return [
    { source: `^${source.slice(from)}`, isNegated: false },
    ...lookaheads.map(({ alternatives: inner, negate }) => ({
      source: inner.map(({ raw }) => `^${raw}`).join('|'),
      isNegated: negate,
    })),
  ];
}

function isLookahead(element: AST.Element): element is AST.LookaheadAssertion {
  return element.type === 'Assertion' && element.kind === 'lookahead';
}

/** `^a|b` matches a string from `a` on, or with `b` anywhere. */
function wholeMatch({ source, flags }: Pick<RegExp, 'source' | 'flags'>): RegExp {
  const whole = alternativesOf(distributed(source)).map(({ elements, raw }) => {
    const from = elements.findIndex((element) => !isEdge(element, 'start'));
    const starts = from < 0 ? elements.length : from;
    const to = elements.findLastIndex((element) => !isEdge(element, 'end'));
    const ends = Math.min(elements.length - 1 - to, elements.length - starts);
    const inner = raw.slice(starts, raw.length - ends);
    return `${starts > 0 ? '' : '[^]*'}(?:${inner})${ends > 0 ? '' : '[^]*'}`;
  });
  return new RegExp(whole.join('|'), flags);
}

function isEdge(element: AST.Element | undefined, kind: 'start' | 'end'): boolean {
  return element?.type === 'Assertion' && element.kind === kind;
}

function alternativesOf(source: string): readonly AST.Alternative[] {
  const { alternatives } = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: true,
  });
  return alternatives;
}

/** Maximum number of alternatives of a pattern whose groups have edges. */
const MAX_ALTERNATIVES = 50;

/** Divides groups that have edges: `^(a$|b)` is `^a$|^b`. */
function distributed(source: string): string {
  const alternatives = alternativesOf(source);
  const divided = alternatives.flatMap(divide);
  const text = divided.join('|');
  return text === source || divided.length > MAX_ALTERNATIVES ? source : distributed(text);
}

function divide({ elements, raw, start }: AST.Alternative): string[] {
  const group = elements.find((element) => isGroup(element) && hasEdge(element)) as
    | Group
    | undefined;
  if (group === undefined) return [raw];
  const [before, after] = [raw.slice(0, group.start - start), raw.slice(group.end - start)];
  return group.alternatives.map((alternative) => `${before}${alternative.raw}${after}`);
}

type Group = AST.Group | AST.CapturingGroup;

function isGroup(element: AST.Element): element is Group {
  return element.type === 'Group' || element.type === 'CapturingGroup';
}

function hasEdge({ alternatives }: Group): boolean {
  return alternatives.some(({ elements }) =>
    elements.some(
      (element) =>
        isEdge(element, 'start') ||
        isEdge(element, 'end') ||
        (isGroup(element) && hasEdge(element)),
    ),
  );
}

interface FormatPattern {
  /** Matches every valid string. */
  readonly pattern: string;
  /** True if each string that matches is valid. */
  readonly isExact: boolean;
}

const YEAR_TO_DAY = '[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])';
const HOUR_MINUTE = '(?:[01][0-9]|2[0-3]):[0-5][0-9]';
const TIME = `${HOUR_MINUTE}:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[Zz]|[+-]${HOUR_MINUTE})`;
const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const DAYS = '(?:[0-9]+Y)?(?:[0-9]+M)?(?:[0-9]+D)?';
const HOURS = '(?:T(?:[0-9]+H(?:[0-9]+M)?(?:[0-9]+S)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))';
const POINTER = '(?:/(?:[^~/]|~0|~1)*)*';
const HEX = '[0-9a-fA-F]';

/** Formats without a pattern here are not compared with patterns. */
export const FORMAT_PATTERNS: Readonly<Record<string, FormatPattern>> = {
  uuid: { pattern: `^${HEX}{8}(?:-${HEX}{4}){3}-${HEX}{12}$`, isExact: true },
  ipv4: { pattern: `^(?:${BYTE}\\.){3}${BYTE}$`, isExact: true },
  date: { pattern: `^${YEAR_TO_DAY}$`, isExact: false },
  'date-time': { pattern: `^${YEAR_TO_DAY}[Tt]${TIME}$`, isExact: false },
  time: { pattern: `^${TIME}$`, isExact: false },
  hostname: { pattern: '^[a-zA-Z0-9.-]{1,254}$', isExact: false },
  email: { pattern: '^[^@\\s]+@[^@\\s]+$', isExact: false },
  duration: { pattern: `^(?!P$)P(?:${DAYS}${HOURS}?|(?:[0-9]+W)?)$`, isExact: true },
  ipv6: { pattern: '^(?=[^:]*:)[0-9a-fA-F:.]{2,45}$', isExact: false },
  'json-pointer': { pattern: `^${POINTER}$`, isExact: true },
  'relative-json-pointer': { pattern: `^(?:0|[1-9][0-9]*)(?:#|${POINTER})$`, isExact: true },
  byte: {
    pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    isExact: true,
  },
  base64url: {
    pattern: '^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?={0,2}$',
    isExact: true,
  },
  uri: { pattern: '^[a-zA-Z][a-zA-Z0-9+.-]*:[^\\s]*$', isExact: false },
};
