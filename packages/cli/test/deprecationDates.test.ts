// The dates of deprecated parts, as `stubwright check` reports them.
import { describe, expect, it } from '@jest/globals';
import { deprecationDateErrors } from '../src/check/deprecationDates.ts';
import { createEmptyProject } from './support/toyProject.ts';

describe('the dates of deprecated parts', () => {
  it.each([
    ['2026-06-30', []],
    ['2026-06-30T12:00:00Z', []],
    ['2026-06-30T12:00:00+02:00', []],
    ['2026-02-30', ['/a/x-sunset']],
    ['2026-13-01', ['/a/x-sunset']],
    ['30.06.2026', ['/a/x-sunset']],
    ['soon', ['/a/x-sunset']],
    [20260630, ['/a/x-sunset']],
    ['', ['/a/x-sunset']],
  ])('%j', (date, pointers) => {
    const errors = deprecationDateErrors({ a: { deprecated: true, 'x-sunset': date } });
    expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('expects a sunset after the deprecation', () => {
    const dates = { 'x-deprecated-since': '2026-06-30', 'x-sunset': '2026-01-01' };
    expect(deprecationDateErrors([dates])).toEqual([
      {
        pointer: '/0/x-sunset',
        message: 'x-sunset: got 2026-01-01, expected 2026-06-30 (x-deprecated-since) or later',
      },
    ]);
  });

  it('does not read values, and reads properties that are named like them', () => {
    const bad = { 'x-sunset': 'soon' };
    expect(deprecationDateErrors({ example: bad, default: bad, enum: [bad] })).toEqual([]);
    expect(deprecationDateErrors({ properties: { example: bad } })).toHaveLength(1);
  });

  it('fails stubwright check', async () => {
    const project = createEmptyProject([]);
    const text = project
      .read('openapi.yaml')
      .replace(
        'operationId: getToy',
        'operationId: getToy\n      deprecated: true\n      x-sunset: soon',
      );
    project.write('openapi.yaml', text);
    const { status, out } = await project.run('check');
    project.remove();
    expect(status).toBe(1);
    expect(out).toMatch(
      /openapi.yaml:\d+:\d+ {2}x-sunset: got "soon", expected a date .*deprecation-dates/,
    );
  });
});
