// Patterns: tested in linear time, with the result of ECMAScript's regular expressions.
import { describe, expect, it } from '@jest/globals';
import { compilePattern } from '@stubwright/contract';
import { loadToy } from '@stubwright/test-support/contractFiles';
import { isTestAll } from '@stubwright/test-support/testAll';
import { serveDefinition } from '@stubwright/test-support/toy';
import fc from 'fast-check';
import { isLinear, linearTest } from '../../src/patterns/linearPattern.ts';
import { stepsOf } from './backtracker.ts';

const engineOf = (pattern: string) => {
  const expression = compilePattern(pattern)!;
  const test = linearTest(expression);
  if (test === undefined) return 'none';
  return test === expression ? 'V8' : 'automata';
};
/** As many as V8 would try in no time that a caller waits for. */
const MANY_STEPS = 3_000_000;

const atom = fc.oneof(
  fc.constantFrom('a', 'b', '-', '\\n', '\\u{1f331}', '\\x41', '\\cJ', '\\.', '[', '\\/'),
  fc.constantFrom('.', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\p{Lu}', '\\P{L}'),
  fc.constantFrom('[a-c]', '[^a]', '[\\s\\d]', '[^\\S]', '[\\Sx]', '[^]', '[]', '[\\]\\[-]'),
  fc.constantFrom('^', '$', '\\b', '\\B'),
);
const quantifier = fc.constantFrom('', '', '*', '+', '?', '*?', '{2}', '{1,3}', '{2,}', '{0,40}');

/** @param opening the kinds of groups */
function patternsWith(...opening: string[]): fc.Arbitrary<string> {
  return fc.letrec<{ pattern: string; item: string }>((tie) => ({
    item: fc
      .tuple(
        fc.oneof(
          { maxDepth: 2 },
          { weight: 2, arbitrary: atom },
          {
            weight: 1,
            arbitrary: fc
              .tuple(fc.constantFrom(...opening), tie('pattern'))
              .map(([open, inner]) => `${open}${inner})`),
          },
        ),
        quantifier,
      )
      .map(([item, count]) => (item.startsWith('(?') ? item : item + count)),
    pattern: fc
      .array(fc.array(tie('item'), { maxLength: 3 }), { minLength: 1, maxLength: 2 })
      .map((alternatives) => alternatives.map((each) => each.join('')).join('|')),
  })).pattern;
}

const char = fc.constantFrom('a', 'b', 'A', '1', '-', ' ', '\n', '\u00a0', '\u2028', '🌱', '_');
const text = fc.string({ unit: char, maxLength: 8 });

describe('a pattern', () => {
  it.each([
    ['^[^\\x00]*$', 'V8'],
    ['^[a-z]+$', 'V8'],
    ['^\\d{4}-\\d{2}(-\\d{2})?$', 'V8'],
    ['^(a|b|c)$', 'V8'],
    ['^(foo|bar)-[0-9]+$', 'V8'],
    ['^.{1,64}$', 'V8'],
    ['abc', 'V8'],
    ['^(?=.*[A-Z])(?=.*\\d).{8,}$', 'V8'],
    ['^(\\w+\\s?)*$', 'automata'],
    ['(a+)+$', 'automata'],
    ['(a|a)*b', 'automata'],
    ['^(a?){30}a{30}$', 'automata'],
    ['[a-z]+@', 'automata'],
    ['^a*a*a*$', 'automata'],
    ['^a|b+c', 'automata'],
    ['^(.*?,){11}P', 'automata'],
    ['^(\\p{L}+ ?)+$', 'automata'],
    ['^(a+)+(?=b)$', 'automata'],
    ['^a*(?=.*b.*c)', 'automata'],
    ['(?=.*[A-Z])(?=.*\\d)', 'automata'],
    ['^(?:(?=.*a)b)*$', 'automata'],
    ['^a*(?:(?=.*b)c)$', 'automata'],
    ['(?!.*--)^[a-z]*(?<!-)$', 'automata'],
    [`^${'(\\d|\\w)'.repeat(24)}$`, 'automata'],
    ['a{600}b', 'automata'],
    ['(a)\\1', 'V8'],
    ['^([\'"])[a-z]*\\1$', 'V8'],
    ['^(?<quote>a|bc)(?:\\k<quote>)*$', 'V8'],
    ['(a+)\\1', 'none'],
    ['^(a)(\\1\\1)(\\2\\2)$', 'none'],
    ['^(?:\\1a|(b))*$', 'none'],
    ['(a*)*\\1', 'none'],
    ['(?<=a*)b', 'automata'],
    ['^((a|b){1,60}){1,60}$', 'none'],
  ])('%s runs on %s', (pattern, engine) => {
    expect(engineOf(pattern)).toBe(engine);
    expect(isLinear(pattern)).toBe(engine !== 'none');
  });

  it.each([
    ['without lookaround', ['(', '(?:']],
    ['with lookaround', ['(', '(?:', '(?=', '(?!', '(?<=', '(?<!']],
  ])('%s has the same result as in ECMAScript', (_, opening) => {
    let tested = 0;
    fc.assert(
      fc.property(
        patternsWith(...opening),
        fc.constantFrom('u', 'iu', '', 'im'),
        text,
        (source, flags, value) => {
          const expression = newExpression(source, flags);
          fc.pre(expression !== undefined);
          const test = linearTest(expression!);
          if (test === undefined || test === expression) return;
          tested++;
          expect([source, flags, value, test.test(value)]).toEqual([
            source,
            flags,
            value,
            matches(source, flags, value),
          ]);
        },
      ),
      { numRuns: isTestAll ? 10_000 : 1_000 },
    );
    expect(tested).toBeGreaterThan(100);
  });

  /**
   * Matches at each code point, as ECMAScript's RegExpBuiltinExec advances: V8 also tries the middle of a
   * surrogate pair, where `\B` holds.
   */
  function matches(source: string, flags: string, value: string): boolean {
    const sticky = newExpression(source, `${flags}y`)!;
    const widthAt = (at: number) =>
      flags.includes('u') && value.codePointAt(at)! > 0xffff ? 2 : 1;
    for (let at = 0; at <= value.length; at += widthAt(at)) {
      sticky.lastIndex = at;
      if (sticky.test(value)) return true;
    }
    return false;
  }

  it('that runs on V8 takes linear steps for a text of n, 2n and 4n', () => {
    const starts = fc.constantFrom('^', '', '(a|-)', '^(b|aa)');
    const patterns = fc.tuple(starts, patternsWith('(', '(?:', '(?=', '(?!', '(\\1', '(?:\\1'));
    const texts = fc.tuple(text, fc.string({ unit: char, minLength: 1, maxLength: 3 }), text);
    let tested = 0;
    fc.assert(
      fc.property(patterns, texts, ([start, source], [first, repeated, last]) => {
        const expression = newExpression(start + source, 'u');
        fc.pre(expression !== undefined && linearTest(expression) === expression);
        tested++;
        const steps = [50, 100, 200].map((count) =>
          stepsOf(expression!, first + repeated.repeat(count) + last, MANY_STEPS),
        );
        const growth = [
          steps[1]! / Math.max(steps[0]!, 1_500),
          steps[2]! / Math.max(steps[1]!, 3_000),
        ];
        expect({
          pattern: String(expression),
          growth,
          isLinear: growth.every((each) => each < 3),
        }).toMatchObject({ isLinear: true });
      }),
      { numRuns: isTestAll ? 7_000 : 300 },
    );
    expect(tested).toBeGreaterThan(isTestAll ? 70 : 60);
  });

  function newExpression(source: string, flags: string): RegExp | undefined {
    try {
      return new RegExp(source, flags);
    } catch {
      return undefined;
    }
  }

  it.each([
    ...['^(\\w+\\s?)*$', '(x+x+)+y', '[a-z]+@', '^a*a*a*b$', '^(a?){30}a{30}$'],
    ...['(?=.*[A-Z])(?=.*\\d)', '^(?:(?=.*b)a)*$', '(?<!x.*)b$', '^(a+)+(?=b)$'],
  ])('%s tests a long text in linear time', (pattern) => {
    // Backtracking takes longer than anybody waits.
    for (const char of ['a', 'x']) {
      expect(linearTest(compilePattern(pattern)!)!.test(`${char.repeat(200_000)}!`)).toBe(false);
    }
  });

  it('has the same result for a text of more states than are kept', () => {
    const test = linearTest(compilePattern('[ab]*a[ab]{12}c')!)!;
    const shuffled = fc.array(fc.constantFrom('a', 'b'), { minLength: 20_000, maxLength: 20_000 });
    for (const letters of fc.sample(shuffled, { numRuns: 4, seed: 1 })) {
      for (const distant of ['a', 'b']) {
        const text = `${letters.join('')}${distant}${'b'.repeat(12)}c`;
        expect([distant, test.test(text)]).toEqual([distant, distant === 'a']);
      }
    }
  });

  it('of a contract does not block the service', async () => {
    const { definition } = await loadToy({
      'a.yaml': `openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /:
    post:
      operationId: post
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties: {text: {type: string, pattern: '^(\\w+\\s?)*$'}}
              patternProperties: {'^(k+)+$': {type: integer}}
      responses: {'204': {description: ok}}
`,
    });
    const toy = await serveDefinition(definition);
    const post = async (body: object) => {
      const headers = { 'Content-Type': 'application/json' };
      const { status } = await toy.fetch('/', {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return status;
    };
    expect(await post({ text: 'two words', kkk: 1 })).toBe(204);
    expect(await post({ text: `${'a'.repeat(60)}!` })).toBe(400);
    expect(await post({ [`${'k'.repeat(60)}!`]: 'x' })).toBe(204);
    expect(await post({ kk: 'x' })).toBe(400);
    await toy.close();
  });
});
