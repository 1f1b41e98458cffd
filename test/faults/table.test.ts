import { describe, expect, it } from '@jest/globals';
import type { Row } from './fault.ts';
import { formatTable, isViolated } from './table.ts';

const row: Row = {
  fault: 'kill -9',
  rounds: 3,
  acknowledged: 1200,
  lost: 0,
  falseAnswers: 0,
  unavailable: 40,
  recoveryMs: [1500, 250, 12_340],
  violations: [],
};

describe('formatTable', () => {
  it('prints a line for each fault, with the least, median and greatest recovery', () => {
    const lines = formatTable([row, { ...row, fault: 'deleted', recoveryMs: [] }]).split('\n');
    const cells = lines.map((line) => line.split('|').map((cell) => cell.trim()));
    expect(cells[2]!.slice(1, -1)).toEqual([
      'kill -9',
      '3',
      '1200',
      '0',
      '0',
      '40',
      '0.25 s / 1.50 s / 12.34 s',
    ]);
    expect(cells[3]!.at(-2)).toBe('-');
  });
});

describe('isViolated', () => {
  it.each([
    [0, 0, false],
    [1, 0, true],
    [0, 1, true],
  ])('with %i lost and %i false answers is %s', (lost, falseAnswers, expected) => {
    expect(isViolated({ ...row, lost, falseAnswers })).toBe(expected);
  });
});
