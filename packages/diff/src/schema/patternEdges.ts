// The edges of patterns, `^` and `$`: automata match whole strings and have none.
import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** A pattern, or a pattern that no match has. */
interface PatternPart {
  readonly source: string;
  readonly isNegated: boolean;
}

/** Divides a pattern at its lookaheads from the start on: `^(?!a)b` is `^b` and not `^a`. */
export function patternParts({ source }: RegExp): PatternPart[] {
  const alternatives = alternativesOf(source);
  const [first] = alternatives;
  if (alternatives.length > 1 || !isEdge(first?.elements[0], 'start')) {
    return [{ source, isNegated: false }];
  }
  const rest = first!.elements.slice(1);
  const count = rest.findIndex((each) => !isLookahead(each));
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
export function wholeMatch({ source, flags }: Pick<RegExp, 'source' | 'flags'>): RegExp {
  const whole = alternativesOf(distributed(source)).map(({ elements, raw }) => {
    const from = elements.findIndex((each) => !isEdge(each, 'start'));
    const starts = from < 0 ? elements.length : from;
    const to = elements.findLastIndex((each) => !isEdge(each, 'end'));
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
  const group = elements.find((each) => isGroup(each) && hasEdge(each)) as Group | undefined;
  if (group === undefined) return [raw];
  const [before, after] = [raw.slice(0, group.start - start), raw.slice(group.end - start)];
  return group.alternatives.map((each) => `${before}${each.raw}${after}`);
}

type Group = AST.Group | AST.CapturingGroup;

function isGroup(element: AST.Element): element is Group {
  return element.type === 'Group' || element.type === 'CapturingGroup';
}

function hasEdge({ alternatives }: Group): boolean {
  return alternatives.some(({ elements }) =>
    elements.some(
      (each) => isEdge(each, 'start') || isEdge(each, 'end') || (isGroup(each) && hasEdge(each)),
    ),
  );
}
