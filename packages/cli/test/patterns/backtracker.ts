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
  const captured = new Map<AST.CapturingGroup, readonly string[]>();
  const capture = (group: AST.CapturingGroup, at: number, next: Next): boolean =>
    anyOf(group.alternatives, at, (end) => {
      const before = captured.get(group) ?? [];
      captured.set(group, characters.slice(at, end));
      if (next(end)) return true;
      captured.set(group, before);
      return false;
    });
  const repeat = ({ resolved }: AST.Backreference, at: number, next: Next): boolean => {
    const text = [resolved].flat().flatMap((group) => captured.get(group) ?? []);
    steps += text.length;
    return text.every((each, index) => characters[at + index] === each) && next(at + text.length);
  };
  const one = (element: AST.Element, at: number, next: Next): boolean => {
    if (++steps > limit) throw new TooMany();
    switch (element.type) {
      case 'Group':
        return anyOf(element.alternatives, at, next);
      case 'CapturingGroup':
        return capture(element, at, next);
      case 'Backreference':
        return repeat(element, at, next);
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
