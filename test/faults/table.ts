// The table of all faults, as text.
import type { Row } from './fault.ts';

const HEADER = [
  'fault',
  'rounds',
  'acknowledged',
  'lost',
  'false answers',
  'unavailable (503)',
  'recovery: min / median / max',
];

export function formatTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.fault,
    row.rounds,
    row.acknowledged,
    row.lost,
    row.falseAnswers,
    row.unavailable,
    formatRecovery(row.recoveryMs),
  ]);
  const lines = [HEADER, HEADER.map(() => '---'), ...cells].map((line) => line.map(String));
  const widths = HEADER.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  return lines
    .map((line) => `| ${line.map((cell, at) => pad(cell, widths[at]!)).join(' | ')} |\n`)
    .join('');
}

function pad(cell: string, width: number): string {
  return cell === '---' ? '-'.repeat(width) : cell.padEnd(width);
}

function formatRecovery(recoveryMs: readonly number[]): string {
  if (recoveryMs.length === 0) return '-';
  const sorted = recoveryMs.toSorted((one, other) => one - other);
  const shown = [sorted[0]!, sorted[sorted.length >> 1]!, sorted.at(-1)!];
  return shown.map((ms) => `${(ms / 1000).toFixed(2)} s`).join(' / ');
}

/** True when a plant was lost or an answer was false. */
export function isViolated({ lost, falseAnswers }: Row): boolean {
  return lost > 0 || falseAnswers > 0;
}
