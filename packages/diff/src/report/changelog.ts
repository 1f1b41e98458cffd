// Formats changes as Markdown for client developers.
import { printable } from '@stubwright/contract/printable';
import { type Change, isDocumentation, partOf } from '../rules/change.ts';
import type { Severity } from '../rules/severity.ts';
import { countsOf } from './report.ts';

export interface Title {
  /** `Toy store`. */
  readonly name: string;
  /** Versions; `after` is `unreleased` for a contract that is not released yet. */
  readonly before: string;
  readonly after: string;
}

export const SECTIONS: readonly (readonly [Severity, string, string])[] = [
  ['breaking', 'Breaking changes', 'Clients must change before they use this version.'],
  [
    'converted',
    'Converted changes',
    'The version before stays served, and its clients need not change.',
  ],
  ['risky', 'Changes to review', 'The contract still holds, but some clients may notice.'],
  ['compatible', 'New and compatible', 'Clients need not change.'],
];

/** @returns the difference between two contracts as Markdown, with one section for each severity */
export function changelogOf(changes: readonly Change[], { name, before, after }: Title): string {
  const relevant = changes.filter((change) => !isDocumentation(change));
  const parts = [
    `# ${[`${name}:`, before, '→', after].map((text) => escaped(printable(text))).join(' ')}`,
    changes.length === 0 ? 'Nothing changed.' : `${countsOf(changes)}.`,
    ...SECTIONS.map(([severity, title, lead]) =>
      section(
        relevant.filter((change) => change.severity === severity),
        `## ${title}\n\n${lead}`,
      ),
    ),
    documentation(changes.filter(isDocumentation)),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** In Markdown a change of more operations is listed once, with their names. */
const MAX_REPEATED = 5;

/** Lists each change under its operations. */
function section(changes: readonly Change[], head: string): string {
  if (changes.length === 0) return '';
  const groups = new Map<string, string[]>();
  const add = (heading: string, change: Change, part: string) => {
    const items = groups.get(heading) ?? [];
    items.push(listItem(change, part));
    groups.set(heading, items);
  };
  for (const change of changes) {
    const { operations, part } = change;
    if (operations.length === 0) add('The whole contract', change, part);
    else if (operations.length > MAX_REPEATED) {
      const names = operations.map(codeOf).join(', ');
      add(`${operations.length} operations\n\n${names}`, change, part);
    } else
      for (const operation of operations) add(codeOf(operation), change, partOf(change, operation));
  }
  const subsections = [...groups].map(
    ([heading, items]) => `### ${heading}\n\n${items.join('\n')}`,
  );
  return [head, ...subsections].join('\n\n');
}

function listItem({ what, effect }: Change, part: string): string {
  return `- ${part === '' ? '' : `**${escaped(part)}**: `}${escaped(what)}. ${escaped(effect)}`;
}

function documentation(changes: readonly Change[]): string {
  if (changes.length === 0) return '';
  const lines = new Set(
    changes.flatMap((change) => {
      const { operations, part } = change;
      const places =
        operations.length === 0
          ? [part === '' ? 'the whole contract' : part]
          : operations.map((operation) =>
              [operation, partOf(change, operation)].filter(Boolean).join('  '),
            );
      return places.map(
        (place) => `${escaped(place)}: ${escaped(change.what.replace(/ changed$/, ''))}`,
      );
    }),
  );
  return `## Documentation\n\n${[...lines].map((line) => `- ${line}`).join('\n')}`;
}

/** A code span has no escapes. */
function codeOf(text: string): string {
  return text.includes('`') ? escaped(text) : `\`${text}\``;
}

/** Escapes Markdown markup. */
export function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>|]/g, '\\$&');
}
