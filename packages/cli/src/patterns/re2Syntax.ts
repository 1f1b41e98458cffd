// An ECMAScript regular expression in RE2's syntax, with ECMAScript's meaning of every character set.
import type { AST } from '@eslint-community/regexpp';

const LAST = 0x10ffff;
/** ECMAScript's white space and line terminators, which RE2's `\s` lacks. */
const SPACES = [
  ...[
    [0x9, 0xd],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
  ],
  ...[
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
] as const;
const LINE_ENDS = '\\n\\r\\x{2028}\\x{2029}';
/** RE2 knows general categories and scripts. */
const PROPERTIES = new Set(['General_Category', 'gc', 'Script', 'sc']);

class Unsupported extends Error {}

/** @returns undefined for a construct that RE2 has no equivalent of */
export function toRe2(pattern: AST.Pattern, flags: string): string | undefined {
  try {
    return alternatives(pattern.alternatives, flags);
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

function alternatives(all: readonly AST.Alternative[], flags: string): string {
  return all.map(({ elements }) => elements.map((each) => write(each, flags)).join('')).join('|');
}

function write(element: AST.Element, flags: string): string {
  switch (element.type) {
    case 'Character':
      return character(element.value);
    case 'CharacterSet':
      return element.kind === 'any' ? anyCharacter(flags) : `[${characterSet(element)}]`;
    case 'CharacterClass':
      return characterClass(element);
    case 'Group':
    case 'CapturingGroup':
      return `(?:${alternatives(element.alternatives, flags)})`;
    case 'Quantifier':
      return `(?:${write(element.element, flags)})${count(element)}`;
    case 'Assertion':
      return assertion(element, flags);
    default:
      throw new Unsupported();
  }
}

function anyCharacter(flags: string): string {
  return flags.includes('s') ? `[${range(0, LAST)}]` : `[^${LINE_ENDS}]`;
}

function assertion(element: AST.Assertion, flags: string): string {
  if (element.kind === 'word') return element.negate ? '\\B' : '\\b';
  if (element.kind === 'lookahead' || element.kind === 'lookbehind') throw new Unsupported();
  // RE2's multiline mode ends lines at \n only.
  if (flags.includes('m')) throw new Unsupported();
  return element.kind === 'start' ? '\\A' : '\\z';
}

function count({ min, max }: AST.Quantifier): string {
  if (max === Number.POSITIVE_INFINITY) return `{${min},}`;
  return max === min ? `{${min}}` : `{${min},${max}}`;
}

function characterClass({ elements, negate }: AST.CharacterClass): string {
  const members = elements.map((each) => {
    if (each.type === 'CharacterClassRange') return range(each.min.value, each.max.value);
    if (each.type === 'Character') return character(each.value);
    if (each.type === 'CharacterSet') return characterSet(each);
    throw new Unsupported();
  });
  if (members.length === 0) return negate ? `[${range(0, LAST)}]` : `[^${range(0, LAST)}]`;
  return `[${negate ? '^' : ''}${members.join('')}]`;
}

/** @returns the set as members of a class */
function characterSet(set: AST.CharacterSet): string {
  switch (set.kind) {
    case 'digit':
      return set.negate ? '\\D' : '\\d';
    case 'word':
      return set.negate ? '\\W' : '\\w';
    case 'space':
      return set.negate ? notSpaces() : SPACES.map(([from, to]) => range(from, to)).join('');
    case 'property':
      if (set.strings || (set.value !== null && !PROPERTIES.has(set.key))) throw new Unsupported();
      return `\\${set.negate ? 'P' : 'p'}{${set.value ?? set.key}}`;
    default:
      throw new Unsupported();
  }
}

function notSpaces(): string {
  const ends = [-1, ...SPACES.map(([, to]) => to)];
  const starts = [...SPACES.map(([from]) => from), LAST + 1];
  return ends.map((end, at) => range(end + 1, starts[at]! - 1)).join('');
}

function range(from: number, to: number): string {
  return `${character(from)}-${character(to)}`;
}

function character(value: number): string {
  // Half a character, which RE2 has no code point for.
  if (value >= 0xd800 && value <= 0xdfff) throw new Unsupported();
  return `\\x{${value.toString(16)}}`;
}
