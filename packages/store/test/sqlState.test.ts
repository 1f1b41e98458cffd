// Which errors of PostgreSQL a retry may overcome, and which statements certainly have no effect.
import { describe, expect, it } from '@jest/globals';
import { DatabaseError } from 'pg';
import { postgresViolation } from '../src/postgres/postgresRows.ts';
import {
  ConnectionLost,
  codeOf,
  hasTooManyConnections,
  isLocked,
  isRefused,
  isRolledBack,
  isRowError,
  isTransient,
  Unfit,
} from '../src/postgres/session.ts';

function errorWith(code: string): DatabaseError {
  return Object.assign(new DatabaseError('refused', 7, 'error'), { code });
}

/** One code of each class, with the ones that are treated apart from their class. */
const CODES = [
  ...['08006', '0A000', '22001', '23505', '25001', '25006', '28P01', '3D000', '3F000'],
  ...['40001', '40003', '42501', '42P01', '53100', '53300', '54000', '55P03', '57014', '57P01'],
  ...['58030', 'P0001', 'XX000'],
];

describe('an error of PostgreSQL', () => {
  it.each<[string, (error: unknown) => boolean, string[]]>([
    [
      'may be overcome by a retry',
      isTransient,
      [
        ...['08006', '25006', '40001', '40003', '53100', '53300', '55P03', '57014', '57P01'],
        '58030',
      ],
    ],
    [
      'is of the configuration or the schema',
      isRefused,
      ['0A000', '28P01', '3D000', '3F000', '42501', '42P01'],
    ],
    [
      'is of a statement without effect',
      isRolledBack,
      [
        ...['0A000', '22001', '23505', '25006', '28P01', '3D000', '3F000', '40001', '42501'],
        ...['42P01', '53100', '53300', '54000', '55P03', '57014', 'P0001'],
      ],
    ],
    ['is of a single row', isRowError, ['22001', '23505', '54000', 'P0001']],
    ['is a lock timeout', isLocked, ['55P03']],
    ['is that of too many connections', hasTooManyConnections, ['53300']],
  ])('%s', (_what, has, codes) => {
    expect(CODES.filter((code) => has(errorWith(code)))).toEqual(codes);
    // A code inside of another one.
    expect(['99085', '99235', '99425'].some((code) => has(errorWith(code)))).toBe(false);
  });

  it.each([
    ['23502', 'not null'],
    ['23503', 'foreign key'],
    ['23505', 'unique'],
    ['23514', 'check'],
  ])('%s is a violation of a constraint: %s', (code, kind) => {
    const violation = (fields: object) => postgresViolation(Object.assign(errorWith(code), fields));
    expect(violation({ constraint: 'toy_key', column: 'id' })).toEqual({
      kind,
      constraint: 'toy_key',
    });
    expect(violation({ column: 'id' })).toEqual({ kind, constraint: 'id' });
    expect(violation({})).toEqual({ kind, constraint: '' });
    expect(postgresViolation(Object.assign(new Error('refused'), { code }))).toBeUndefined();
    expect(postgresViolation(errorWith('22001'))).toBeUndefined();
  });

  it('has a code', () => {
    expect(codeOf(errorWith('23505'))).toBe('23505');
    expect(codeOf(new DatabaseError('refused', 7, 'error'))).toBe('');
    expect(codeOf(Object.assign(new Error('refused'), { code: 'ECONNRESET' }))).toBe('');
  });
});

it('distinguishes a lost connection, whose statement may have an effect, from an unfit server', () => {
  const all = [isTransient, isRefused, isRolledBack, isRowError, isLocked, hasTooManyConnections];
  expect(all.map((each) => each(new ConnectionLost('gone')))).toEqual([
    ...[true, false, false, false, false, false],
  ]);
  expect(all.map((each) => each(new Unfit('a schema')))).toEqual([
    ...[false, true, true, false, false, false],
  ]);
  expect(all.some((each) => each(new Error('of another kind')))).toBe(false);
});
