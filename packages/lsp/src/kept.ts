// Diagnostics of a text that has changed since: of the lines that are the same.
import type { Diagnostic, Range } from 'vscode-languageserver-types';

/**
 * @param before the text that the diagnostics are of
 * @returns the diagnostics above and below the changed lines, where these lines are now
 */
export function keptDiagnostics(
  diagnostics: readonly Diagnostic[],
  before: string,
  after: string,
): readonly Diagnostic[] {
  if (before === after || diagnostics.length === 0) return diagnostics;
  const [old, now] = [before, after].map((text) => text.split(/\r\n|\r|\n/));
  const most = Math.min(old!.length, now!.length);
  let above = 0;
  while (above < most && old![above] === now![above]) above++;
  let below = 0;
  while (below < most - above && old!.at(-1 - below) === now!.at(-1 - below)) below++;
  const shift = now!.length - old!.length;
  return diagnostics.flatMap((each): Diagnostic[] => {
    const { start, end } = each.range;
    if (end.line < above) return [each];
    return start.line >= old!.length - below
      ? [{ ...each, range: shifted(each.range, shift) }]
      : [];
  });
}

function shifted({ start, end }: Range, lines: number): Range {
  return {
    start: { ...start, line: start.line + lines },
    end: { ...end, line: end.line + lines },
  };
}
