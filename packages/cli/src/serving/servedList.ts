// Lists the served versions of a project.
import { countOf } from '@stubwright/contract/printable';
import type { ServedEntry } from '@stubwright/versions';

const DAY_MS = 86_400_000;

/** @returns a line for each version, oldest first @param now in ms since 1970 */
export function servedList(entries: readonly ServedEntry[], now: number): string[] {
  return entries.map(({ version, path, until, converters }) => {
    const parts = [version.padEnd(12), (path ?? '-').padEnd(8), untilText(until, now), converters];
    return parts.join('  ');
  });
}

/** @param until the last day, in UTC */
function untilText(until: string | undefined, now: number): string {
  if (until === undefined) return 'without an end'.padEnd(28);
  const days = Math.ceil((Date.parse(until) + DAY_MS - now) / DAY_MS);
  const left = days > 0 ? `${countOf(days, 'day')} left` : 'has ended';
  return `until ${until}, ${left}`.padEnd(28);
}
