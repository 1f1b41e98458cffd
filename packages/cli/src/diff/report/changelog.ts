// Formats changes as Markdown for client developers.
import { printable } from '../../output/printable.ts';
import { type Change, isDocumentation } from '../change.ts';
import type { Severity } from '../severity.ts';
import { countsOf, whereOf } from './report.ts';

export interface Title {
  /** `Toy store`. */
  readonly name: string;
  /** Versions; `after` is `unreleased` for a contract that is not released yet. */
  readonly before: string;
  readonly after: string;
}

const SECTIONS: readonly (readonly [Severity, string, string])[] = [
  ['breaking', 'Breaking changes', 'Clients must change before they use this version.'],
  ['risky', 'Changes to review', 'The contract still holds, but some clients may notice.'],
  ['compatible', 'New and compatible', 'Clients need not change.'],
];

/** @returns the difference between two contracts as Markdown, with one section for each severity */
export function changelogOf(changes: readonly Change[], { name, before, after }: Title): string {
  const relevant = changes.filter((each) => !isDocumentation(each));
  const parts = [
    `# ${[`${name}:`, before, '→', after].map((each) => escaped(printable(each))).join(' ')}`,
    changes.length === 0 ? 'Nothing changed.' : `${countsOf(changes)}.`,
    ...SECTIONS.map(([severity, title, lead]) =>
      section(
        relevant.filter((each) => each.severity === severity),
        `## ${title}\n\n${lead}`,
      ),
    ),
    documentation(changes.filter(isDocumentation)),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Groups the changes by operation. */
function section(changes: readonly Change[], head: string): string {
  if (changes.length === 0) return '';
  const groups = Map.groupBy(changes, ({ operations }) => whereOf({ operations, part: '' }));
  const subsections = [...groups].map(
    ([where, group]) => `### ${headingOf(where)}\n\n${group.map(listItem).join('\n')}`,
  );
  return [head, ...subsections].join('\n\n');
}

function listItem({ part, what, effect }: Change): string {
  return `- ${part === '' ? '' : `**${escaped(part)}**: `}${escaped(what)}. ${escaped(effect)}`;
}

function documentation(changes: readonly Change[]): string {
  if (changes.length === 0) return '';
  const lines = new Set(
    changes.map(({ what, ...change }) => {
      return `${escaped(whereOf(change))}: ${escaped(what.replace(/ changed$/, ''))}`;
    }),
  );
  return `## Documentation\n\n${[...lines].map((line) => `- ${line}`).join('\n')}`;
}

function headingOf(where: string): string {
  return where.includes('/') ? codeOf(where) : 'The whole contract';
}

/** A code span has no escapes. */
function codeOf(text: string): string {
  return text.includes('`') ? escaped(text) : `\`${text}\``;
}

/** Escapes Markdown markup. */
export function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>|]/g, '\\$&');
}
