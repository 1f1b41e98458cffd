// The diagnostics of a contract: the last ones of a text that can be read, where its lines are now.
import type { Diagnostic, Range } from 'vscode-languageserver-types';
import type { ContractOfProject, Diagnosed } from './findings.ts';
import type { CallName } from './thread.ts';

export const FINDING_SOURCES = ['changes', 'check'] as const satisfies readonly CallName[];
export type FindingSource = (typeof FINDING_SOURCES)[number];

/** The last diagnostics of one file from one source, with the text that they are of. */
interface Found {
  readonly diagnostics: readonly Diagnostic[];
  readonly text: string | undefined;
}

/** A contract whose diagnostics are published. */
export class WatchedContract {
  readonly project: ContractOfProject;
  /** By source and path, of the last time that it could be read. */
  readonly found = { changes: new Map<string, Found>(), check: new Map<string, Found>() };
  /** By source and path, since then. */
  readonly errors: Readonly<Record<FindingSource, Map<string, readonly Diagnostic[]>>> = {
    changes: new Map(),
    check: new Map(),
  };
  /** Absolute paths of its files, also of former ones. */
  readonly files = new Set<string>();
  /** Of the change that it was last read for. */
  generation = 0;
  timer: NodeJS.Timeout | undefined;
  isRunning = false;
  isForgotten = false;

  constructor(project: ContractOfProject) {
    this.project = project;
  }

  clearErrors(): void {
    for (const source of FINDING_SOURCES) this.errors[source].clear();
  }

  keep(
    source: FindingSource,
    { diagnosed, texts }: { diagnosed: Diagnosed; texts: ReadonlyMap<string, string> },
  ): void {
    const { found, errors, files } = this;
    const entries = Object.entries(diagnosed.files);
    for (const [path] of entries) files.add(path);
    if (!diagnosed.isComplete) {
      for (const [path, diagnostics] of entries) errors[source].set(path, diagnostics);
      return;
    }
    found[source].clear();
    for (const [path, diagnostics] of entries) {
      found[source].set(path, { diagnostics, text: texts.get(path) });
    }
  }

  /** What could not be read keeps the last diagnostics outside of the lines that changed. */
  diagnosticsOf(path: string, now: string | undefined): Diagnostic[] {
    const { found, errors } = this;
    const all = FINDING_SOURCES.flatMap((source) => {
      const last = found[source].get(path);
      const kept =
        last?.text === undefined || now === undefined
          ? (last?.diagnostics ?? [])
          : keptDiagnostics(last.diagnostics, last.text, now);
      return [...(errors[source].get(path) ?? []), ...kept];
    });
    return distinct(all);
  }
}

export function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const keyOf = ({ range, code, message }: Diagnostic) => JSON.stringify([range, code, message]);
  return [...new Map(diagnostics.map((diagnostic) => [keyOf(diagnostic), diagnostic])).values()];
}

/**
 * @param before the text that the diagnostics are of
 * @returns the diagnostics above and below the changed lines, where these lines are now
 */
function keptDiagnostics(
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
  return diagnostics.flatMap((diagnostic): Diagnostic[] => {
    const { start, end } = diagnostic.range;
    if (end.line < above) return [diagnostic];
    return start.line >= old!.length - below
      ? [{ ...diagnostic, range: shifted(diagnostic.range, shift) }]
      : [];
  });
}

function shifted({ start, end }: Range, lines: number): Range {
  return {
    start: { ...start, line: start.line + lines },
    end: { ...end, line: end.line + lines },
  };
}
