// Positions in JSON and YAML files, against the positions in the nodes of a YAML parser.
import { describe, expect, it } from '@jest/globals';
import { escapeToken } from '@stubwright/contract';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { parseText, positionIn } from '../../src/loading/parse.ts';

const keys = fc.oneof(fc.constantFrom('a', 'b', '/x', '~', 'é"\\', '{', '['), fc.string());

/** @returns the pointers of all values, and one of no value */
function pointersIn(value: unknown, at = ''): string[] {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [
    at,
    `${at}/absent`,
    ...entries.flatMap(([name, each]) => pointersIn(each, `${at}/${escapeToken(name)}`)),
  ];
}

const fileOf = (text: string) => ({ path: '/a', positions: parseText(text, false).positions });

describe('the position of a JSON pointer', () => {
  it('is the same for JSON and for the same text as YAML', () => {
    const documents = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.integer(),
        fc.constantFrom(true, null, 0.5, '{"a":[', '\\"'),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(keys, tie('node'), { maxKeys: 4 }),
      ),
    })).node;
    const property = fc.property(documents, fc.constantFrom(0, 2), (node, indent) => {
      const text = JSON.stringify({ 'x-root': node }, null, indent);
      const json = fileOf(`${text}\n`);
      // A comment makes it YAML.
      const yaml = fileOf(`${text}\n# a comment`);
      for (const pointer of pointersIn({ 'x-root': node })) {
        for (const isKey of [true, false]) {
          expect([pointer, isKey, positionIn(json, pointer, isKey)]).toEqual([
            pointer,
            isKey,
            positionIn(yaml, pointer, isKey),
          ]);
        }
      }
    });
    fc.assert(property, { numRuns: runs(300) });
  });

  it('is that of the first of equal keys', () => {
    const source = fileOf('{"a": 1,\n "a": 2}');
    expect(positionIn(source, '/a', true)).toEqual({ file: '/a', line: 1, column: 2 });
  });
});
