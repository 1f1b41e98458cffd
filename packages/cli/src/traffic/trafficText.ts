// Violations of recorded requests as text.

import { countOf, printable } from '@stubwright/contract/printable';
import { callersText } from '@stubwright/diff/traffic-internals';
import type { TrafficReport, VersionCalls } from './trafficReport.ts';

/** @returns the violations, one a line, who calls which served version, and the unused parts */
export function trafficText({
  requests,
  callers,
  violations,
  others,
  unused,
  versions,
}: TrafficReport): string {
  const lines = violations.map(
    ({ version, operation, location, message, count, callers: by, first, last }) => {
      const days = [...new Set([first, last].map((each) => each.slice(0, 10)))].join(' to ');
      const from = by.length > MAX_NAMED ? `${by.length} callers` : by.map(printable).join(', ');
      const of = version === undefined ? '' : `${version}  `;
      const what = printable(`${of}${operation}  ${location} ${message}`);
      return `${what}: ${countOf(count, 'time')}, ${from}, ${days}`;
    },
  );
  return [
    ...lines,
    ...(others > 0 ? [`and ${others} more`] : []),
    ...versions.flatMap(callLines),
    ...unused.map((each) => `unused: ${printable(each)}`),
    `${countOf(requests, 'recorded request')} of ${countOf(callers, 'caller')}: ${countOf(violations.length, 'violation')}, ${unused.length} unused`,
  ].join('\n');
}

const MAX_NAMED = 3;
/** Callers of a served version that are named: its end needs all of them. */
const MAX_CALLERS = 20;

/** @returns a line for each operation that was called */
function callLines({ version, requests, operations }: VersionCalls): string[] {
  if (requests === 0) return [`${version}: no recorded request`];
  return operations.map(({ operation, callers }) => {
    const timed = callers.map((each) => ({ ...each, last: Date.parse(each.last) }));
    return `${version}  ${printable(operation)}: called by ${callersText(timed, MAX_CALLERS)}`;
  });
}
