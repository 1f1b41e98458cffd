// The examples of the rules in docs/stubwright/diff-rules.md: two contracts in YAML that differ by one change.
import { readFileSync } from 'node:fs';

const PAGE = readFileSync('docs/stubwright/diff-rules.md', 'utf8');
const ROW = /^\| `([\w-]+)`(?:, reverse `([\w-]+)`)? \| (.+) \| `(.+)` \|$/;

export type Pair = readonly [before: string, after: string];

export interface RuleExample {
  readonly rule: string;
  /** In the columns of the page; `none` for no change. */
  readonly severities: readonly string[];
  readonly pair: Pair;
}

/** @param change `{type: «string → integer»}`, `{a: 1«+, b: 2»}` or `{a: 1«-, b: 2»}` */
function pairOf(change: string): Pair {
  const [, head, difference, tail] = /^(.*)«(.*)»(.*)$/.exec(change)!;
  const [sign, rest] = [difference![0], difference!.slice(1)];
  const [removed, added] =
    sign === '+' ? ['', rest] : sign === '-' ? [rest, ''] : difference!.split(' → ');
  return [`${head}${removed}${tail}`, `${head}${added}${tail}`];
}

function examplesIn(heading: string): readonly RuleExample[] {
  const [, section] = PAGE.split(`\n## ${heading}\n`);
  return section!
    .split('\n## ')[0]!
    .split('\n')
    .flatMap((line): RuleExample[] => {
      const [, rule, reverse, columns, change] = ROW.exec(line) ?? [];
      if (rule === undefined) return [];
      const severities = columns!.split(' | ').map((column) => column.split(', '));
      const pair = pairOf(change!);
      const example = { rule, severities: severities.map(([forward]) => forward!), pair };
      if (reverse === undefined) return [example];
      const [before, after] = pair;
      const reversed = severities.map(([, backward]) => backward!);
      return [example, { rule: reverse, severities: reversed, pair: [after, before] }];
    });
}

/** Of schemas in a request and in a response, except XML. */
export const SCHEMA_ROWS = examplesIn('Schemas');
/** Of schemas whose keywords show no breaking change. */
export const VALUE_ROWS = examplesIn('Schemas, proven by a value');
/** A rule whose severity depends on the change has several. */
export const OPERATION_ROWS = examplesIn('Operations');
export const DOCUMENT_ROWS = examplesIn('The whole contract');

/** @returns the first example of each rule */
function byRule(rows: readonly RuleExample[]): Readonly<Record<string, Pair>> {
  const groups = Map.groupBy(rows, ({ rule }) => rule);
  return Object.fromEntries(Array.from(groups, ([rule, [first]]) => [rule, first!.pair]));
}

export const SCHEMA_EXAMPLES = byRule(SCHEMA_ROWS);
export const VALUE_EXAMPLES = byRule(VALUE_ROWS);
export const OPERATION_EXAMPLES = byRule(OPERATION_ROWS);
export const DOCUMENT_EXAMPLES = byRule(DOCUMENT_ROWS);
