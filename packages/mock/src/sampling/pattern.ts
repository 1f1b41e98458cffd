// Generates strings that match a regular expression, parsed by regexpp. randexp lacks the `u` flag,
// fast-check lookaround.

import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { compilePattern, lenientTest } from '@stubwright/contract';
import type { Random } from './random.ts';

/** Maximum number of candidates: assertions are tested, not solved. */
const TRIES = 80;
/** Maximum number of parts of a pattern for one string: `(a{1000}){1000}` has a million. */
const MAX_PARTS = 20_000;
const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  ' -_./:@+=#&?%,;!*~$^|(){}[]<>\'"`\\',
].map((alphabet) => [...alphabet]);
const FEW = 64;

const alphabets = new Map<string, readonly string[]>();

/** @param min minimum length in code points @param max maximum length @yields matching strings */
export function* stringsMatching(
  pattern: string,
  random: Random,
  { min, max }: { min: number; max: number },
): Generator<string> {
  const expression = compilePattern(pattern) ?? /(?:)/u;
  const { source, flags, unicode } = expression;
  const inLinearTime = lenientTest(pattern);
  const ast = new RegExpParser().parsePattern(source, undefined, undefined, { unicode });
  const writer = (seed: string | number, extra: number, writesLookaheads: boolean) =>
    new Writer(random.fork(seed), { flags, extra, writesLookaheads });
  const shortest = writer('shortest', 0, false).text(ast);
  if (shortest === undefined) return;
  const missing = Math.max(0, min - lengthOf(shortest));
  for (let at = 0; at < TRIES; at++) {
    // First slightly longer than the minimum, then the minimum, then other lengths.
    const extra = missing + [3, 0, 1, 8, 2, 20, 5, 40][at % 8]!;
    const text = writer(at, extra, at % 3 === 2).text(ast);
    if (text === undefined) continue;
    const padded = text + random.text('abcdefgh', Math.max(0, min - lengthOf(text)));
    const length = lengthOf(padded);
    if (length >= min && length <= max && inLinearTime.test(padded)) yield padded;
  }
}

function lengthOf(text: string): number {
  return [...text].length;
}

type Item = AST.Element | AST.Alternative | AST.Pattern;

interface WriterOptions {
  readonly flags: string;
  readonly extra: number;
  readonly writesLookaheads: boolean;
}

/** Generates one string. Lookaheads are written or ignored; the result is tested afterwards. */
class Writer {
  readonly #random: Random;
  readonly #flags: string;
  readonly #writesLookaheads: boolean;
  readonly #captured = new Map<AST.CapturingGroup, string>();
  /** The remaining number of characters beyond the minimum repetitions. */
  #extra: number;
  #parts = 0;

  constructor(random: Random, { flags, extra, writesLookaheads }: WriterOptions) {
    this.#random = random;
    this.#flags = flags;
    this.#extra = extra;
    this.#writesLookaheads = writesLookaheads;
  }

  /** @returns undefined for a pattern with too many parts */
  text(pattern: AST.Pattern): string | undefined {
    const text = this.#write(pattern);
    return this.#parts > MAX_PARTS ? undefined : text;
  }

  #write(item: Item): string {
    this.#parts += 1;
    switch (item.type) {
      case 'Pattern':
      case 'Group':
        return this.#oneOf(item.alternatives);
      case 'Alternative':
        return item.elements.map((element) => this.#write(element)).join('');
      case 'CapturingGroup': {
        const text = this.#oneOf(item.alternatives);
        this.#captured.set(item, text);
        return text;
      }
      case 'Backreference':
        return this.#captured.get([item.resolved].flat()[0]!) ?? '';
      case 'Quantifier':
        return this.#repeated(item);
      case 'Assertion':
        return this.#asserted(item);
      case 'Character':
        return String.fromCodePoint(item.value);
      default:
        return this.#random.pick(charactersOf(item.raw, this.#flags));
    }
  }

  #oneOf(alternatives: readonly AST.Alternative[]): string {
    return this.#write(this.#random.pick(alternatives));
  }

  #repeated({ element, min, max }: AST.Quantifier): string {
    let text = '';
    for (let count = 0; count < max && this.#parts <= MAX_PARTS; count++) {
      if (count >= min && this.#extra <= 0) break;
      const next = this.#write(element);
      if (count >= min) this.#extra -= Math.max(next.length, 1);
      text += next;
    }
    return text;
  }

  #asserted(item: AST.Assertion): string {
    const isWritten = item.kind === 'lookahead' && !item.negate && this.#writesLookaheads;
    return isWritten ? this.#oneOf(item.alternatives) : '';
  }
}

/** @returns characters of a class or a set (`[^/]`, `\p{Lu}`, `.`), alphanumeric ones if possible */
function charactersOf(raw: string, flags: string): readonly string[] {
  const key = `${flags} ${raw}`;
  const alphabet = alphabets.get(key);
  if (alphabet !== undefined) return alphabet;
  const expression = new RegExp(`^${raw}$`, flags);
  const plain = ALPHABETS.map((list) => list.filter((character) => expression.test(character)));
  const [letters, digits, capitals, others] = plain as [string[], string[], string[], string[]];
  const words = [...letters, ...digits, ...capitals];
  const found = [words, others].find((list) => list.length > 0) ?? anyOf(expression);
  alphabets.set(key, found);
  return found;
}

function anyOf(expression: RegExp): string[] {
  const found: string[] = [];
  for (let point = 0; point <= 0x10ffff && found.length < FEW; point++) {
    if (point === 0xd800) point = 0xe000;
    const character = String.fromCodePoint(point);
    if (expression.test(character)) found.push(character);
  }
  return found.length === 0 ? [''] : found;
}
