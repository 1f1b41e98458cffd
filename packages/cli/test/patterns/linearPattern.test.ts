// Patterns: tested in linear time, with the result of ECMAScript's regular expressions.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compilePattern } from '../../../stubwright/src/schema/pattern.ts';
import { loadToy } from '../../../stubwright/test/support/contractFiles.ts';
import { serveDefinition } from '../../../stubwright/test/support/toy.ts';
import { isLinear, linearTest } from '../../src/patterns/linearPattern.ts';

const engineOf = (pattern: string) => {
  const expression = compilePattern(pattern)!;
  const test = linearTest(expression);
  if (test === undefined) return 'none';
  return test === expression ? 'V8' : 'RE2';
};

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
    ['^(\\w+\\s?)*$', 'RE2'],
    ['(a+)+$', 'RE2'],
    ['(a|a)*b', 'RE2'],
    ['^(a?){30}a{30}$', 'RE2'],
    ['[a-z]+@', 'RE2'],
    ['^a*a*a*$', 'RE2'],
    ['^a|b+c', 'RE2'],
    ['^(.*?,){11}P', 'RE2'],
    ['^(\\p{L}+ ?)+$', 'RE2'],
    ['^(a+)+(?=b)$', 'none'],
    ['^a*(?=.*b.*c)', 'none'],
    ['(a*)*\\1', 'none'],
    ['(?<=a*)b', 'none'],
    ['^((a|b){1,40}){1,40}$', 'none'],
  ])('%s runs on %s', (pattern, engine) => {
    expect(engineOf(pattern)).toBe(engine);
    expect(isLinear(pattern)).toBe(engine !== 'none');
  });

  it('has the same result as in ECMAScript', () => {
    const atom = fc.oneof(
      fc.constantFrom('a', 'b', '-', '\\n', '\\u{1f331}', '\\x41', '\\cJ', '\\.', '[', '\\/'),
      fc.constantFrom('.', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\p{Lu}', '\\P{L}'),
      fc.constantFrom('[a-c]', '[^a]', '[\\s\\d]', '[^\\S]', '[\\Sx]', '[^]', '[]', '[\\]\\[-]'),
      fc.constantFrom('^', '$', '\\b', '\\B'),
    );
    const quantifier = fc.constantFrom('', '', '*', '+', '?', '*?', '{2}', '{1,3}', '{2,}');
    const { pattern } = fc.letrec<{ pattern: string; item: string }>((tie) => ({
      item: fc
        .tuple(
          fc.oneof(
            { maxDepth: 2 },
            atom,
            fc.tuple(tie('pattern')).map(([p]) => `(${p})`),
          ),
          quantifier,
        )
        .map(([item, count]) => item + count),
      pattern: fc
        .array(fc.array(tie('item'), { maxLength: 3 }), { minLength: 1, maxLength: 2 })
        .map((alternatives) => alternatives.map((each) => each.join('')).join('|')),
    }));
    const char = fc.constantFrom('a', 'b', 'A', '1', '-', ' ', '\n', '\u00a0', '\u2028', '🌱', '_');
    let onRe2 = 0;
    fc.assert(
      fc.property(pattern, fc.string({ unit: char, maxLength: 8 }), (source, text) => {
        const expression = newExpression(source);
        fc.pre(expression !== undefined);
        const test = linearTest(expression!);
        if (test === undefined) return;
        if (test !== expression) onRe2++;
        expect([source, text, test.test(text)]).toEqual([source, text, expression!.test(text)]);
      }),
      { numRuns: 3_000 },
    );
    expect(onRe2).toBeGreaterThan(300);
  });

  function newExpression(source: string): RegExp | undefined {
    try {
      return new RegExp(source, 'u');
    } catch {
      return undefined;
    }
  }

  it.each(['^(\\w+\\s?)*$', '(x+x+)+y', '[a-z]+@', '^a*a*a*b$', '^(a?){30}a{30}$'])(
    '%s tests a long text in linear time',
    (pattern) => {
      // Backtracking takes longer than anybody waits.
      for (const char of ['a', 'x']) {
        expect(linearTest(compilePattern(pattern)!)!.test(`${char.repeat(200_000)}!`)).toBe(false);
      }
    },
  );

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
