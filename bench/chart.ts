// A bar chart of the creates per second in a table of results, as SVG: `make bench WHAT=chart`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Bar {
  readonly label: string;
  readonly createsPerSecond: number;
}

/** The labels of the published contenders on SQLite with `openapi.yaml`, at 32 connections. */
const SHOWN = [
  'this project',
  'openapi-backend + Koa',
  'fastify-openapi-glue',
  'express-openapi-validator',
  'fastify-openapi-glue on our store',
  'bare Koa + koa-bodyparser echo',
];

/**
 * @param table Markdown that contains the table of `make bench`
 * @returns a bar for each of the labels, in their order
 * @throws Error if a label has no row with a number
 */
export function barsOf(table: string, labels: readonly string[] = SHOWN): Bar[] {
  const rows = table.split('\n').flatMap((line): [string | undefined, number][] => {
    const [, label, figure = ''] = line.split('|').map((cell) => cell.trim());
    return /^\d[\d,]*$/.test(figure) ? [[label, Number(figure.replaceAll(',', ''))]] : [];
  });
  // Later tables have some of the labels, too.
  const figures = new Map(rows.toReversed());
  return labels.map((label) => {
    const createsPerSecond = figures.get(label);
    if (createsPerSecond === undefined) throw new Error(`no creates/s for ${label} in the table`);
    return { label, createsPerSecond };
  });
}

// Pixels.
const WIDTH = 720;
const LABEL_WIDTH = 250;
const FIGURE_WIDTH = 70;
const ROW_HEIGHT = 34;
const BAR_HEIGHT = 20;
const HEAD_HEIGHT = 36;

/** @returns an SVG image; grey of medium brightness is legible on light and on dark backgrounds */
export function drawChart(bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ createsPerSecond }) => createsPerSecond));
  const space = WIDTH - LABEL_WIDTH - FIGURE_WIDTH;
  const rows = bars.map(({ label, createsPerSecond }, index) => {
    const top = HEAD_HEIGHT + index * ROW_HEIGHT;
    const baseline = top + BAR_HEIGHT / 2 + 5;
    const width = Math.round((space * createsPerSecond) / most);
    const color = index === 0 ? '#2da44e' : '#8c959f';
    return `  <text x="${LABEL_WIDTH - 10}" y="${baseline}" text-anchor="end">${escaped(label)}</text>
  <rect x="${LABEL_WIDTH}" y="${top}" width="${width}" height="${BAR_HEIGHT}" rx="2" fill="${color}"/>
  <text x="${LABEL_WIDTH + width + 8}" y="${baseline}">${createsPerSecond.toLocaleString('en')}</text>
`;
  });
  const height = HEAD_HEIGHT + bars.length * ROW_HEIGHT;
  const description = bars.map((bar) => `${bar.label} ${bar.createsPerSecond}`).join(', ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="14" fill="#808890">
  <title>${escaped(`Durable creates per second: ${description}`)}</title>
  <text x="10" y="18">durable creates per second (more is better; the echo stores nothing)</text>
${rows.join('')}</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

if (import.meta.main) {
  const project = resolve(import.meta.dirname, '..');
  const table = readFileSync(join(project, 'bench/README.md'), 'utf8');
  writeFileSync(join(project, 'docs/plant-store/bench.svg'), drawChart(barsOf(table)));
}
