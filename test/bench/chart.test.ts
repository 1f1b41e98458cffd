// The chart of the bench: from the table to the bars, and the committed file.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { barsOf, drawChart } from '../../bench/chart.ts';

const TABLE = `
|          | creates/s | spread      |
|----------|-----------|-------------|
| ours     | 20,000    | 1,000-2,000 |
| <others> | 5,000     | 1,000-2,000 |
| none     |           |             |
`;

describe('barsOf', () => {
  it('returns the creates per second of the labels in their order', () => {
    expect(barsOf(TABLE, ['<others>', 'ours'])).toEqual([
      { label: '<others>', createsPerSecond: 5000 },
      { label: 'ours', createsPerSecond: 20_000 },
    ]);
  });

  it.each(['none', 'missing'])('throws for a label without a figure: %s', (label) => {
    expect(() => barsOf(TABLE, [label])).toThrow(`no creates/s for ${label} in the table`);
  });
});

describe('drawChart', () => {
  const svg = drawChart(barsOf(TABLE, ['ours', '<others>']));

  it('draws bars in proportion to the figures', () => {
    const widths = [...svg.matchAll(/<rect [^>]*width="(\d+)"/g)].map(([, width]) => Number(width));
    expect(widths).toHaveLength(2);
    expect(widths[0]! / widths[1]!).toBeCloseTo(4, 1);
  });

  it('writes the unit, each label and each figure as text', () => {
    const texts = [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
    expect(texts).toEqual([
      'durable creates per second (more is better; the echo stores nothing)',
      ...['ours', '20,000', '&lt;others&gt;', '5,000'],
    ]);
  });
});

it('docs/plant-store/bench.svg shows the table of bench/README.md', () => {
  const drawn = drawChart(barsOf(readFileSync('bench/README.md', 'utf8')));
  expect(readFileSync('docs/plant-store/bench.svg', 'utf8')).toBe(drawn);
});
