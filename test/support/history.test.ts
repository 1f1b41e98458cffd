import { describe, expect, it } from '@jest/globals';
import { type Attempt, checkHistory, type StoredName } from './history.ts';

const sent = (status: number, name = 'aloe', id = '1'): Attempt => ({ id, name, status });
const aloe: StoredName = { id: '1', name: 'aloe' };
const fern: StoredName = { id: 1n, name: 'fern' };

describe('checkHistory', () => {
  it.each<[string, Attempt[], StoredName[], number]>([
    ['a 200 and its plant', [sent(200)], [aloe], 1],
    ['a 200, its retry, and a rival refused', [sent(200), sent(200), sent(409, 'fern')], [aloe], 1],
    ['a 503 that was not stored', [sent(503)], [], 0],
    ['a 503 that was stored', [sent(503)], [aloe], 0],
    ['a lost answer, stored, and its retry', [sent(0), sent(200)], [aloe], 1],
    ['a 409 for a plant whose own create was 503', [sent(503, 'fern'), sent(409)], [fern], 0],
    ['the plants of others', [], [aloe], 0],
    ['two plants', [sent(200), sent(200, 'fern', '2')], [aloe, { id: 2, name: 'fern' }], 2],
  ])('accepts %s', (_what, attempts, stored, acknowledged) => {
    const findings = checkHistory(attempts, stored);
    expect(findings).toEqual({ acknowledged, lost: 0, falseAnswers: 0, violations: [] });
  });

  it.each<[string, Attempt[], StoredName[], number, number, string]>([
    ['a 200 and nothing', [sent(200)], [], 1, 0, '200 for 1 "aloe", but stored is nothing'],
    [
      'a 200 and another plant',
      [sent(200), sent(503, 'fern')],
      [fern],
      1,
      0,
      '200 for 1 "aloe", but stored is "fern"',
    ],
    ['a 409 and nothing', [sent(409)], [], 0, 1, '409 for 1 "aloe", but stored is nothing'],
    [
      'a 409 and the same plant',
      [sent(409)],
      [aloe],
      0,
      1,
      '409 for 1 "aloe", but stored is "aloe"',
    ],
    ['a 500', [sent(500)], [], 0, 1, '500 for 1 "aloe"'],
    [
      'a plant that nobody sent',
      [sent(503, 'fern')],
      [aloe],
      0,
      1,
      '1 "aloe" is stored, but was never sent',
    ],
  ])('rejects %s', (_what, attempts, stored, lost, falseAnswers, violation) => {
    expect(checkHistory(attempts, stored)).toMatchObject({
      lost,
      falseAnswers,
      violations: [violation],
    });
  });

  it('rejects two contents acknowledged under one id', () => {
    expect(checkHistory([sent(200), sent(200, 'fern')], [aloe])).toEqual({
      acknowledged: 2,
      lost: 1,
      falseAnswers: 1,
      violations: ['200 for 1 "fern", but stored is "aloe"', '200 for each of 1 "aloe", 1 "fern"'],
    });
  });
});
