// A backtracking matcher of regular expressions, as V8 has one, which counts its steps.
import { type AST, RegExpParser } from '@eslint-community/regexpp';

type Next = (at: number) => boolean;

/** @returns the number of steps of a test; `limit` if it takes more */
export function stepsOf({ source, flags, unicode }: RegExp, text: string, limit: number): number {
  const pattern = new RegExpParser().parsePattern(source, undefined, undefined, { unicode });
  const characters = unicode ? [...text] : text.split('');
  let steps = 0;
  const sets = new Map<string, RegExp>();
  const isIn = (raw: string, character: string | undefined) => {
    const set = sets.get(raw) ?? new RegExp(`^(?:${raw})$`, flags);
    sets.set(raw, set);
    return character !== undefined && set.test(character);
  };
  const anyOf = (alternatives: readonly AST.Alternative[], at: number, next: Next): boolean =>
    alternatives.some(({ elements }) => sequence(elements, 0, at, next));
  const sequence = (all: readonly AST.Element[], index: number, at: number, next: Next): boolean =>
    index === all.length
      ? next(at)
      : one(all[index]!, at, (end) => sequence(all, index + 1, end, next));
  const repeated = (each: AST.Quantifier, count: number, at: number, next: Next): boolean => {
    const more = () =>
      count < each.max &&
      one(each.element, at, (end) =>
        end === at && count >= each.min ? false : repeated(each, count + 1, end, next),
      );
    if (count < each.min) return more();
    return each.greedy ? more() || next(at) : next(at) || more();
  };
  const isMet = (assertion: AST.Assertion, at: number): boolean => {
    switch (assertion.kind) {
      case 'start':
        return at === 0;
      case 'end':
        return at === characters.length;
      case 'word': {
        const isBoundary = isIn('\\w', characters[at - 1]) !== isIn('\\w', characters[at]);
        return isBoundary !== assertion.negate;
      }
      case 'lookahead':
        return anyOf(assertion.alternatives, at, () => true) !== assertion.negate;
      default:
        throw new Error('expected no lookbehind');
    }
  };
  const one = (element: AST.Element, at: number, next: Next): boolean => {
    if (++steps > limit) throw new TooMany();
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return anyOf(element.alternatives, at, next);
      case 'Quantifier':
        return repeated(element, 0, at, next);
      case 'Assertion':
        return isMet(element, at) && next(at);
      default:
        return isIn(element.raw, characters[at]) && next(at + 1);
    }
  };
  // V8 tries only the start of the text for such an expression.
  const isAnchored = pattern.alternatives.every(
    ({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start',
  );
  try {
    for (let at = 0; at <= (isAnchored ? 0 : characters.length); at++) {
      if (anyOf(pattern.alternatives, at, () => true)) break;
    }
    return steps;
  } catch (error) {
    if (error instanceof TooMany) return limit;
    throw error;
  }
}

class TooMany extends Error {}
