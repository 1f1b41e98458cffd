// How often V8 may backtrack in a regular expression.
import type { AST } from '@eslint-community/regexpp';

/** The ways through an expression that backtracking may try. */
interface Ways {
  /** The product of the alternatives and counts. */
  readonly choices: number;
  /** The number of repetitions whose count depends on the text. */
  readonly repetitions: number;
}

/** So many ways cost no more than a longer expression. */
const MAX_CHOICES = 256;
/** A count that varies more is one that depends on the text. */
const MAX_COUNTS = 16;

const ONE: Ways = { choices: 1, repetitions: 0 };
const UNBOUNDED: Ways = { choices: Number.POSITIVE_INFINITY, repetitions: 0 };

/**
 * True where a test takes linear time: at every position there are few ways to go on, and a
 * repetition starts at the beginning of the text only.
 */
export function isBounded(pattern: AST.Pattern, flags: string): boolean {
  const { choices, repetitions } = waysOfAll(pattern.alternatives);
  const isAnchored = !flags.includes('m') && pattern.alternatives.every(isAnchoredAlternative);
  return choices <= MAX_CHOICES && repetitions <= (isAnchored ? 1 : 0);
}

function isAnchoredAlternative({ elements: [first] }: AST.Alternative): boolean {
  return first?.type === 'Assertion' && first.kind === 'start';
}

function waysOfAll(alternatives: readonly AST.Alternative[]): Ways {
  const all = alternatives.map(waysOfAlternative);
  return {
    choices: all.reduce((sum, { choices }) => sum + choices, 0),
    repetitions: Math.max(...all.map(({ repetitions }) => repetitions)),
  };
}

function waysOfAlternative({ elements }: AST.Alternative): Ways {
  let choices = 1;
  let repetitions = 0;
  for (const element of elements) {
    const isLookahead = element.type === 'Assertion' && element.kind === 'lookahead';
    const ways = waysOf(element);
    // Tried once for each way that leads to it, and not again once it has matched.
    if (isLookahead && ways.repetitions > 0 && repetitions > 0) return UNBOUNDED;
    choices *= ways.choices;
    if (!isLookahead) repetitions += ways.repetitions;
    else if (ways.repetitions > 1) return UNBOUNDED;
  }
  return { choices, repetitions };
}

function waysOf(element: AST.Element): Ways {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return waysOfAll(element.alternatives);
    case 'Quantifier':
      return waysOfQuantifier(element);
    case 'Assertion':
      if (element.kind === 'lookahead') return waysOfAll(element.alternatives);
      return element.kind === 'lookbehind' ? UNBOUNDED : ONE;
    case 'Backreference':
      return UNBOUNDED;
    default:
      return ONE;
  }
}

function waysOfQuantifier({ element, min, max }: AST.Quantifier): Ways {
  const { choices, repetitions } = waysOf(element);
  const isSingle = choices === 1 && repetitions === 0;
  if (max <= 1) return { choices: choices + max - min, repetitions };
  if (isSingle && max - min <= MAX_COUNTS) return { choices: max - min + 1, repetitions };
  if (isSingle) return { choices, repetitions: 1 };
  return repetitions === 0 ? { choices: (choices + 1) ** max, repetitions } : UNBOUNDED;
}
