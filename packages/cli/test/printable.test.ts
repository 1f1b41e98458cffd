import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { printable } from '../../contract/src/printable.ts';
import { codePoint } from '../../stubwright/test/support/codePoint.ts';
import { errorLine } from '../src/output/errorLine.ts';
import { lineOf } from '../src/output/finding.ts';

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
