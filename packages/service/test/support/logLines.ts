// The lines of a log, parsed.
import { createLog, type Log } from '../../src/index.ts';

/** A line of a log. */
// biome-ignore lint/suspicious/noExplicitAny: each message has fields of its own
export type LogLine = Record<string, any>;

/** @param output JSON lines */
export function linesOf(output: string): LogLine[] {
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** @returns the lines of requests */
export function requestsOf(lines: readonly LogLine[]): LogLine[] {
  return lines.filter(({ msg }) => msg === 'request');
}

/** @returns a log, and the lines that are written to it */
export function collectedLog(level = 'info'): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = [];
  return { log: createLog(level, { write: (line) => void lines.push(JSON.parse(line)) }), lines };
}
