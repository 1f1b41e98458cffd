import { describe, expect, it } from '@jest/globals';
import { checkFleet } from './history.ts';

const stored = {
  vehicle: [
    { id: 1n, plate: 'p1', place: 'Rome', version: 2n, load: 95n },
    { id: 2n, plate: 'p2', place: 'depot', version: 1n, load: 105n },
  ],
  transfer: [{ id: 7n, source: 1n, target: 2n, amount: 5n }],
};
const add = (id: number, status = 200, plate = `p${id}`) => ({
  kind: 'add' as const,
  id,
  plate,
  status,
});
const move = (id: number, version: number, place: string, status = 200) => ({
  ...{ kind: 'move' as const, id, version, place, status },
});
const transfer = (amount: number, status = 200) => ({
  ...{ kind: 'transfer' as const, id: 7, source: 1, target: 2, amount, status },
});
const times = (sentAt: number) => ({ sentAt, answeredAt: sentAt + 1 });
const sent = [add(1), add(2), move(1, 1, 'Rome'), transfer(5)];

describe('checkFleet', () => {
  it.each([
    ['what was sent', sent],
    ['refused rivals', [...sent, add(1, 409, 'q'), move(1, 1, 'Oslo', 409), transfer(6, 409)]],
    ['unknown outcomes', [add(1, 503), add(2, 0), move(1, 1, 'Rome', 503), transfer(5, 0)]],
    ['a taken plate', [...sent, add(5, 409, 'p1')]],
  ])('accepts %s', (_, attempts) => {
    expect(checkFleet(attempts, stored)).toMatchObject({ lost: 0, falseAnswers: 0 });
  });

  it.each([
    ['an add that is not stored', [...sent, add(4)], stored, 1, 0],
    ['a second plate for a vehicle', [...sent, add(1, 200, 'q')], stored, 1, 0],
    ['one plate for two vehicles', [...sent, add(5, 200, 'p1')], stored, 1, 1],
    ['a 409 for the stored vehicle', [...sent, add(1, 409)], stored, 0, 1],
    ['a vehicle that was not sent', sent.slice(1), stored, 0, 1],
    ['a move that is not stored', [...sent, move(2, 1, 'Oslo')], stored, 1, 0],
    ['two moves of one version', [...sent, move(1, 1, 'Oslo')], stored, 1, 1],
    ['a version without a move', [add(1), add(2), transfer(5)], stored, 0, 1],
    ['a conflict with nothing', [...sent, move(2, 1, 'Oslo', 409)], stored, 0, 1],
    [
      'a missing vehicle that was added before',
      [...sent, { ...add(2), ...times(1) }, { ...move(2, 1, 'Oslo', 404), ...times(5) }],
      stored,
      ...([0, 1] as const),
    ],
    ['a transfer that is not stored', sent, { ...stored, transfer: [] }, 3, 0],
    [
      'half of a transfer',
      sent,
      { ...stored, vehicle: stored.vehicle.map((each) => ({ ...each, load: 105n })) },
      1,
      0,
    ],
    ['a 409 for the stored transfer', [...sent, transfer(5, 409)], stored, 0, 1],
    ['a status that means nothing', [...sent, add(2, 500)], stored, 0, 1],
    [
      'a removed vehicle that is there',
      [
        ...[...sent, { ...add(3), ...times(1) }],
        { kind: 'remove' as const, id: 3, status: 204, ...times(5) },
      ],
      {
        ...stored,
        vehicle: [...stored.vehicle, { ...stored.vehicle[1], id: 3n, plate: 'p3', load: 100n }],
      },
      ...([1, 0] as const),
    ],
  ])('rejects %s', (_, attempts, tables, lost, falseAnswers) => {
    expect(checkFleet(attempts, tables)).toMatchObject({ lost, falseAnswers });
  });
});
