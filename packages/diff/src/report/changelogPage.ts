// Formats changes for client developers: as Markdown, and as one page of HTML by tag and severity.
import { printable } from '@stubwright/contract/printable';
import { type Change, isDocumentation, partOf } from '../rules/rules.ts';
import type { Severity } from '../rules/severity.ts';
import type { ComparedContracts } from './changeFinding.ts';
import { type ComparedLine, comparedLines } from './excerpt.ts';
import { countsOf } from './report.ts';

export interface Title {
  /** `Toy store`. */
  readonly name: string;
  /** Versions; `after` is `unreleased` for a contract that is not released yet. */
  readonly before: string;
  readonly after: string;
}

const SECTIONS: readonly (readonly [Severity, string, string])[] = [
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

const WHOLE = 'The whole contract';
const WEBHOOKS = 'Webhooks';
const UNTAGGED = 'Other operations';

/** Of each side; the others are counted. */
const MAX_LINES = 40;

/** A change that the page lists in a group, with the operations of the group that it affects. */
interface Entry {
  readonly change: Change;
  readonly operations: readonly string[];
}

/** @returns the difference between two contracts as a page without scripts and other files */
export function changelogPage(
  changes: readonly Change[],
  title: Title,
  contracts: ComparedContracts,
): string {
  const groups = groupsOf(changes, contracts);
  const name = `${title.name}: ${title.before} → ${title.after}`;
  const links = [...groups].map(([group, entries], at) => {
    const counts = countsOf(entries.map(({ change }) => change));
    return `<li><a href="#group-${at + 1}">${html(group)}</a> <small>${counts}</small></li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(name)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${html(name)}</h1>
<p>${changes.length === 0 ? 'Nothing changed.' : `${countsOf(changes)}.`}</p>
</header>
${links.length > 1 ? `<nav aria-label="Groups"><ul>\n${links.join('\n')}\n</ul></nav>\n` : ''}<main>
${[...groups].map(([group, entries], at) => groupOf(group, at + 1, entries, { title, contracts })).join('\n')}
</main>
</body>
</html>
`;
}

/** @returns the changes of each tag in the order of the contract's tags, and those of no tag last */
function groupsOf(
  changes: readonly Change[],
  { before, after }: ComparedContracts,
): ReadonlyMap<string, readonly Entry[]> {
  const tags = new Map<string, readonly string[]>();
  for (const { operations, unservedOperations } of [before, after]) {
    for (const each of [...operations, ...unservedOperations]) {
      tags.set(printable(`${each.requestMethod} ${each.path}`), each.tags);
    }
  }
  const tagsOf = (operation: string) => {
    const own = tags.get(operation);
    if (own === undefined) return [WEBHOOKS];
    return own.length === 0 ? [UNTAGGED] : own;
  };
  const groups = new Map<string, Entry[]>();
  const declared: unknown = after.document['tags'];
  for (const each of Array.isArray(declared) ? declared : []) groups.set(String(each?.name), []);
  for (const text of new Set([...tags.values()].flat())) {
    if (!groups.has(text)) groups.set(text, []);
  }
  for (const last of [UNTAGGED, WEBHOOKS, WHOLE]) if (!groups.has(last)) groups.set(last, []);
  for (const change of changes) {
    if (change.operations.length === 0) groups.get(WHOLE)!.push({ change, operations: [] });
    const named = new Set(change.operations.flatMap(tagsOf));
    for (const tag of named) {
      const operations = change.operations.filter((operation) => tagsOf(operation).includes(tag));
      groups.get(tag)!.push({ change, operations });
    }
  }
  return new Map([...groups].filter(([, entries]) => entries.length > 0));
}

interface Page {
  readonly title: Title;
  readonly contracts: ComparedContracts;
}

function groupOf(group: string, at: number, entries: readonly Entry[], page: Page): string {
  const [documented, relevant] = [true, false].map((isDocumented) =>
    entries.filter(({ change }) => isDocumentation(change) === isDocumented),
  ) as [Entry[], Entry[]];
  const sections = SECTIONS.flatMap(([severity, heading, lead]) => {
    const own = relevant.filter(({ change }) => change.severity === severity);
    if (own.length === 0) return [];
    const articles = own.map((entry) => articleOf(entry, page)).join('\n');
    return `<h3 class="${severity}">${heading}</h3>\n<p class="lead">${lead}</p>\n${articles}`;
  });
  const lines = documented.map(
    ({ change, operations }) =>
      `<li>${operationsOf(operations)} ${html(partIn(change, operations))} ${html(change.what)}</li>`,
  );
  if (lines.length > 0) sections.push(`<h3>Documentation</h3>\n<ul>\n${lines.join('\n')}\n</ul>`);
  return `<section aria-labelledby="group-${at}">\n<h2 id="group-${at}">${html(group)}</h2>\n${sections.join('\n')}\n</section>`;
}

function articleOf({ change, operations }: Entry, { title, contracts }: Page): string {
  const { severity, rule, what, effect, example } = change;
  const part = partIn(change, operations);
  const where = part === '' ? '' : `<strong>${html(part)}</strong>: `;
  const lines = comparedLines(change, {
    before: contracts.before.document,
    after: contracts.after.document,
  });
  const isChanged = lines.some(({ sign }) => sign !== ' ');
  return [
    `<article class="${severity}">`,
    ...(operations.length === 0 ? [] : [`<p class="operations">${operationsOf(operations)}</p>`]),
    `<p>${where}${html(what)}. ${html(effect)} <span class="rule">${rule}</span></p>`,
    ...(example === undefined
      ? []
      : [`<p><code>${html(example.value)}</code> is refused: ${html(example.error)}</p>`]),
    ...(isChanged
      ? [
          `<div class="yaml">\n${sideOf(lines, '-', title.before)}\n${sideOf(lines, '+', title.after)}\n</div>`,
        ]
      : []),
    '</article>',
  ].join('\n');
}

/** @param sign of the lines that only this side has */
function sideOf(lines: readonly ComparedLine[], sign: '-' | '+', version: string): string {
  const own = lines.filter((line) => line.sign === ' ' || line.sign === sign);
  const [element, caption] = sign === '-' ? ['del', 'before'] : ['ins', 'after'];
  const shown = own.slice(0, MAX_LINES).map((comparedLine) => {
    return comparedLine.sign === sign
      ? `<${element}>${html(comparedLine.text)}</${element}>`
      : `<span>${html(comparedLine.text)}</span>`;
  });
  const more = own.length - shown.length;
  if (more > 0) shown.push(`<span>… ${more} more lines</span>`);
  const content = shown.length === 0 ? '<span class="absent">not declared</span>' : shown.join('');
  return `<figure><figcaption>${html(version)} (${caption})</figcaption><pre>${content}</pre></figure>`;
}

function partIn(change: Change, [operation]: readonly string[]): string {
  return operation === undefined ? change.part : partOf(change, operation);
}

function operationsOf(operations: readonly string[]): string {
  return operations.map((operation) => `<code>${html(operation)}</code>`).join(' ');
}

function html(text: string): string {
  return printable(text).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

const STYLE = `
:root {
  color-scheme: light dark;
  --background: light-dark(#fff, #16181d);
  --text: light-dark(#1d2129, #e4e7ec);
  --muted: light-dark(#5a6472, #9aa4b2);
  --line: light-dark(#d9dee5, #363c47);
  --block: light-dark(#f5f7f9, #1f232b);
  --breaking: light-dark(#b3261e, #ff8a80);
  --converted: light-dark(#5b4bb5, #b3a6ff);
  --risky: light-dark(#8a5a00, #ffc259);
  --compatible: light-dark(#1b6e3c, #7fd99f);
  --removed: light-dark(#fde7e5, #4a2323);
  --added: light-dark(#e2f5e8, #1d3d2a);
  --font: system-ui, sans-serif;
  --code: ui-monospace, monospace;
  --width: 64rem;
}
* { box-sizing: border-box; }
body { background: var(--background); color: var(--text); font: 1rem/1.5 var(--font); margin: 0 auto; max-width: var(--width); overflow-wrap: anywhere; padding: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin-bottom: 0; }
h2 { border-bottom: 1px solid var(--line); margin-top: 2.5rem; }
h3.breaking { color: var(--breaking); }
h3.converted { color: var(--converted); }
h3.risky { color: var(--risky); }
h3.compatible { color: var(--compatible); }
.lead, .rule, small, figcaption, .absent { color: var(--muted); }
.rule, figcaption { font-size: .85rem; }
nav ul { columns: 18rem; padding-left: 1.2rem; }
a { color: inherit; }
article { border-left: .25rem solid var(--line); margin: 1rem 0; padding-left: .8rem; }
article.breaking { border-color: var(--breaking); }
article.converted { border-color: var(--converted); }
article.risky { border-color: var(--risky); }
article.compatible { border-color: var(--compatible); }
article p { margin: .2rem 0; }
code, pre { font-family: var(--code); font-size: .9rem; }
.operations code { background: var(--block); border-radius: .2rem; padding: .1rem .3rem; }
.yaml { display: grid; gap: .8rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); margin-top: .5rem; }
figure { margin: 0; min-width: 0; }
pre { background: var(--block); margin: .2rem 0 0; padding: .4rem 0; white-space: pre-wrap; }
pre > * { display: block; min-height: 1.4em; padding: 0 .6rem; text-decoration: none; }
del { background: var(--removed); }
ins { background: var(--added); }
@media print {
  :root { color-scheme: light; --width: none; }
  body { font-size: 10pt; padding: 0; }
  nav { display: none; }
  article { break-inside: avoid; }
  h2, h3, .lead { break-after: avoid; }
  del, ins, pre { print-color-adjust: exact; }
}
`;
