// Changes as Markdown, for people who build clients.
import { type Change, DOCUMENTATION_ONLY, type Verdict } from './change.ts';
import { countsOf, whereOf } from './report.ts';

export interface Title {
  /** `Toy store`. */
  readonly name: string;
  /** The versions; `after` may be the contract of today, which has none of its own yet. */
  readonly before: string;
  readonly after: string;
}

const SECTIONS: readonly (readonly [Verdict, string, string])[] = [
  ['breaking', 'Breaking changes', 'Clients must change before they meet this version.'],
  ['risky', 'Look at these', 'The promise is kept, yet some clients may notice.'],
  ['compatible', 'New and compatible', 'Clients need not change.'],
];

/** @returns the difference between two contracts as Markdown, with one section for each verdict */
export function changelogOf(changes: readonly Change[], { name, before, after }: Title): string {
  const isForReaders = ({ effect }: Change) => effect === DOCUMENTATION_ONLY;
  const felt = changes.filter((each) => !isForReaders(each));
  const parts = [
    `# ${name}: ${before} → ${after}`,
    changes.length === 0 ? 'Nothing changed.' : `${countsOf(changes)}.`,
    ...SECTIONS.map(([verdict, title, lead]) =>
      section(
        felt.filter((each) => each.verdict === verdict),
        `## ${title}\n\n${lead}`,
      ),
    ),
    documentation(changes.filter(isForReaders)),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** By operation, so that a team finds what it calls. */
function section(changes: readonly Change[], head: string): string {
  if (changes.length === 0) return '';
  const groups = Map.groupBy(changes, ({ operations }) => whereOf({ operations, part: '' }));
  const written = [...groups].map(
    ([where, group]) => `### ${codeOf(where)}\n\n${group.map(lineOf).join('\n')}`,
  );
  return [head, ...written].join('\n\n');
}

function lineOf({ part, what, effect }: Change): string {
  return `- ${part === '' ? '' : `**${escaped(part)}**: `}${escaped(what)}. ${escaped(effect)}`;
}

function documentation(changes: readonly Change[]): string {
  if (changes.length === 0) return '';
  const places = new Set(
    changes.map(({ what, ...change }) => {
      return `${escaped(whereOf(change))}: ${escaped(what.replace(/ changed$/, ''))}`;
    }),
  );
  return `## Documentation\n\n${[...places].map((place) => `- ${place}`).join('\n')}`;
}

function codeOf(where: string): string {
  return where.includes('/') ? `\`${where}\`` : 'The whole contract';
}

/** What Markdown would read as markup, written as it stands. */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>|]/g, '\\$&');
}
