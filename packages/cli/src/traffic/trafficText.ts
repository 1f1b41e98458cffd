// Violations of recorded requests as text.

import { countOf, printable } from '@stubwright/contract/printable';
import type { TrafficReport } from './trafficCheck.ts';

/** @returns the violations, one a line, and the unused parts */
export function trafficText({
  requests,
  callers,
  violations,
  others,
  unused,
}: TrafficReport): string {
  const lines = violations.map(
    ({ operation, location, message, count, callers: by, first, last }) => {
      const days = [...new Set([first, last].map((each) => each.slice(0, 10)))].join(' to ');
      const from = by.length > MAX_NAMED ? `${by.length} callers` : by.map(printable).join(', ');
      const what = printable(`${operation}  ${location} ${message}`);
      return `${what}: ${countOf(count, 'time')}, ${from}, ${days}`;
    },
  );
  return [
    ...lines,
    ...(others > 0 ? [`and ${others} more`] : []),
    ...unused.map((each) => `unused: ${printable(each)}`),
    `${countOf(requests, 'recorded request')} of ${countOf(callers, 'caller')}: ${countOf(violations.length, 'violation')}, ${unused.length} unused`,
  ].join('\n');
}

const MAX_NAMED = 3;
