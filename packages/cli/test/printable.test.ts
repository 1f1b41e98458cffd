import { describe, expect, it } from '@jest/globals';
import { printable } from '@stubwright/contract/printable';
import { codePoint } from '@stubwright/test-support/codePoint';
import fc from 'fast-check';
import { errorLine } from '../src/output/errors.ts';
import { lineOf } from '../src/output/formats.ts';
import { Report } from '../src/proxy/validation.ts';

describe('a line with text of a contract', () => {
  it('has no control characters, and starts no workflow command', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: codePoint }),
        fc.string({ unit: codePoint }),
        (rule, message) => {
          const line = lineOf({ level: 'error', rule, message, position: undefined });
          const lines = [line, printable(message), errorLine(new Error(message)).trimEnd()];
          for (const each of lines)
            expect(each).not.toMatch(/[\p{Cc}\u2028\u2029]|^\s*(?:::|##\[)/u);
        },
      ),
    );
  });

  it('shows control characters as escapes', () => {
    expect(printable('a\u001B[31mb\n::error::c')).toBe('a\\u001b[31mb\\u000a::error::c');
    expect(printable('::error::a')).toBe('\\::error::a');
  });
});

describe('a line of the proxy', () => {
  const reportOf = (value: unknown) => {
    const lines: string[] = [];
    const report = new Report((line) => lines.push(line));
    const violation = { where: '', pointer: '/a', message: 'expected x', value } as const;
    report.add('getToy', 'response', [violation as never]);
    return { report, line: lines.join('\n').replace('getToy response: body /a expected x', '') };
  };

  it.each<[unknown, string]>([
    [undefined, ''],
    [null, ', got null'],
    [true, ', got true'],
    ['a', ', got "a"'],
    ['a'.repeat(100), `, got "${'a'.repeat(100)}"`],
    ['a'.repeat(101), `, got "${'a'.repeat(100)}…"`],
    [`${'a'.repeat(99)}🌱b`, `, got "${'a'.repeat(99)}…"`],
    [1.5, ', got 1.5'],
    [2 ** 53, ', got 9007199254740992'],
    [2 ** 63, ', got 9223372036854775808'],
    [-(2 ** 63), ', got -9223372036854775808'],
    [1e21, ', got 1e+21'],
    [2n ** 63n, ', got 9223372036854775808'],
  ])('shows %p', (value, shown) => expect(reportOf(value).line).toBe(shown));

  it('escapes control characters, and has a maximum length', () => {
    const lines: string[] = [];
    const report = new Report((line) => lines.push(line));
    for (const text of [
      '\u0000\u001f\u007f\u009f\u2028\u202e',
      ' ~\u00a0\u2027\u202f',
      'a'.repeat(601),
    ]) {
      report.line(text);
    }
    expect(lines).toEqual([
      '\\u0000\\u001f\\u007f\\u009f\\u2028\\u202e',
      ' ~\u00a0\u2027\u202f',
      `${'a'.repeat(600)}…`,
    ]);
  });

  it('sums up the most frequent violations first', () => {
    const report = new Report(() => {});
    expect(report.text).toBe('0 requests, no violations');
    const add = (where: string, pointer: string, value?: unknown) =>
      report.add('getToy', 'request', [{ where, pointer, message: 'expected x', value } as never]);
    add('query parameter a', '');
    for (const at of [0, 1, 1]) add('', `/list/${at}`, at);
    report.requests = 2;
    report.unvalidated = 1;
    report.failed = 3;
    expect(report.text.split('\n')).toEqual([
      '2 requests, 4 violations, 2 distinct, 1 body not validated, 3 without a complete response',
      '  3 × getToy request: body /list/0 expected x, got 0',
      '  1 × getToy request: query parameter a expected x',
    ]);
    report.unvalidated = 2;
    expect(report.text).toContain(', 2 bodies not validated, ');
  });

  it('counts violations beyond 1000 distinct ones', () => {
    const report = new Report(() => {});
    for (let at = 0; at < 1002; at++) {
      report.add('getToy', 'request', [
        { where: `query parameter ${at}`, pointer: '', message: 'a', value: undefined } as never,
      ]);
    }
    const lines = report.text.split('\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      1002,
      '0 requests, 1002 violations, 1000 distinct',
      '  and 2 more',
    ]);
    expect(report.hasViolations).toBe(true);
  });
});
