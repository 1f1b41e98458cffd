// Writes the tables of docs/stubwright/diff-rules.md from the examples of the rules: `make transcripts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseText } from '@stubwright/cli/editor';
import { Contract, type ContractError, type Node } from '@stubwright/contract';
import { changesBetween } from '../src/contract/changes.ts';
import { canonical } from '../src/values/formatting.ts';
import {
  DOCUMENT_EXAMPLES,
  OPERATION_EXAMPLES,
  OPERATION_VARIANTS,
  SCHEMA_EXAMPLES,
  VALUE_EXAMPLES,
} from './ruleExamples.ts';

export const RULES_PAGE = 'docs/stubwright/diff-rules.md';

const INFO = { title: 'Toys', version: '1' };
const OK = { 200: {} };
const SCHEMES = {
  one: { type: 'apiKey', in: 'header', name: 'One' },
  two: { type: 'apiKey', in: 'header', name: 'Two' },
};

function nodeOf(text: string): Node {
  const { value } = parseText(text, false) as { value: Node };
  return value;
}

export function ofDocument(text: string): Node {
  return { openapi: '3.1.0', info: INFO, paths: {}, ...nodeOf(text) };
}

export function ofOperation(text: string): Node {
  const post = { responses: OK, ...nodeOf(text) };
  const components = { securitySchemes: SCHEMES };
  return { openapi: '3.1.0', info: INFO, paths: { '/toys': { post } }, components };
}

export function ofSchema(text: string, direction: 'request' | 'response'): Node {
  const content = { 'application/json': { schema: nodeOf(text) } };
  const post = direction === 'request' ? { requestBody: { content } } : {};
  const responses = direction === 'request' ? OK : { 200: { content } };
  const components = { schemas: { Toy: {}, Game: { minProperties: 1 } } };
  const paths = { '/toys': { post: { ...post, responses } } };
  return { openapi: '3.1.0', info: INFO, paths, components };
}

const known = new Map<string, readonly string[]>();

/** @returns the rules and severities, computed once: the page and the tests show the same examples */
export function reported(before: Node, after: Node): readonly string[] {
  const key = JSON.stringify([before, after]);
  if (!known.has(key)) known.set(key, rulesBetween(before, after));
  return known.get(key)!;
}

/** An operation with the reference `#/none` has an error. */
function errorsIn({ paths = {} }: Node): ContractError[] {
  const operations = Object.entries<Node>(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      canonical(operation).includes('"#/none"') ? [`${method} ${path}`] : [],
    ),
  );
  const message = '$ref cannot be resolved: #/none';
  return [{ message, position: undefined, operations, isMockable: false }];
}

export function contractFrom(document: Node): Contract {
  return new Contract(document, errorsIn(document));
}

function rulesBetween(before: Node, after: Node): string[] {
  const [was, is] = [before, after].map((each) => ({ definition: contractFrom(each) }));
  const changes = changesBetween(was!, is!);
  return [...new Set(changes.map(({ rule, severity }) => `${rule} ${severity}`))];
}

/** @returns the severity, or `none` for no change */
function severityOf(rule: string, found: readonly string[]): string {
  const own = found.find((each) => each.startsWith(`${rule} `));
  if (own === undefined && found.length > 0) {
    throw new Error(`the example of ${rule} is reported as ${found}`);
  }
  return own?.split(' ')[1] ?? 'none';
}

interface Row {
  readonly rule: string;
  readonly severities: readonly string[];
  readonly pair: Pair;
}
type Pair = readonly [before: string, after: string];

const TOKEN = /[{}[\],]|[^{}[\],\s]+|\s+/g;

/** @returns `{type: «string → integer»}` */
function changeOf([before, after]: Pair): string {
  const [was, is] = [before.match(TOKEN)!, after.match(TOKEN)!];
  const shorter = Math.min(was.length, is.length);
  let start = 0;
  while (start < shorter && was[start] === is[start]) start++;
  let end = 0;
  while (end < shorter - start && was.at(-1 - end) === is.at(-1 - end)) end++;
  const [removed, added] = [was, is].map((tokens) =>
    tokens.slice(start, tokens.length - end).join(''),
  );
  const difference =
    removed === '' ? `+${added}` : added === '' ? `-${removed}` : `${removed} → ${added}`;
  const [head, tail] = [was.slice(0, start), was.slice(was.length - end)];
  return `\`${head.join('')}«${difference}»${tail.join('')}\``;
}

function rowsOf(
  examples: Readonly<Record<string, readonly [string, string]>>,
  contractOf: (text: string, rule: string) => Node,
  variants: typeof OPERATION_VARIANTS = [],
): Row[] {
  const all = Object.entries(examples).flatMap(([rule, [before, after]]) => [
    [rule, before, after] as const,
    ...variants.filter(([each]) => each === rule),
  ]);
  return all.map(([rule, ...pair]) => {
    const [before, after] = pair.map((text) => contractOf(text, rule));
    return { rule, severities: [severityOf(rule, reported(before!, after!))], pair };
  });
}

function schemaRows(): Row[] {
  return Object.entries(SCHEMA_EXAMPLES).map(([rule, pair]) => {
    const severities = (['request', 'response'] as const).map((direction) => {
      const [before, after] = pair.map((text) => ofSchema(text, direction));
      return severityOf(`${direction}-${rule}`, reported(before!, after!));
    });
    return { rule, severities, pair };
  });
}

/** A rule whose example is the one above in reverse shares its line. */
function linesOf(rows: readonly Row[]): string[] {
  return rows.flatMap(({ rule, severities, pair }, index) => {
    const isReverseOf = (other: Row | undefined) =>
      other?.pair[0] === pair[1] && other.pair[1] === pair[0];
    if (isReverseOf(rows[index - 1])) return [];
    const next = isReverseOf(rows[index + 1]) ? rows[index + 1] : undefined;
    const name = next === undefined ? `\`${rule}\`` : `\`${rule}\`, reverse \`${next.rule}\``;
    const cells = severities.map((severity, column) =>
      next === undefined ? severity : `${severity}, ${next.severities[column]}`,
    );
    return [`| ${[name, ...cells, changeOf(pair)].join(' | ')} |`];
  });
}

function directionOf(rule: string): 'request' | 'response' {
  return rule.startsWith('request') ? 'request' : 'response';
}

const TABLES: Readonly<Record<string, () => Row[]>> = {
  Schemas: schemaRows,
  'Schemas, proven by a value': () =>
    rowsOf(VALUE_EXAMPLES, (text, rule) => ofSchema(text, directionOf(rule))),
  Operations: () => rowsOf(OPERATION_EXAMPLES, ofOperation, OPERATION_VARIANTS),
  'The whole contract': () => rowsOf(DOCUMENT_EXAMPLES, ofDocument),
};

/** @returns the page with the tables as the rules are now */
export function rulesPage(page: string): string {
  return Object.entries(TABLES).reduce((text, [heading, rows]) => {
    const start = text.indexOf('\n| `', text.indexOf(`\n## ${heading}\n`)) + 1;
    const end = text.indexOf('\n\n', start);
    return text.slice(0, start) + linesOf(rows()).join('\n') + text.slice(end);
  }, page);
}

if (import.meta.main) writeFileSync(RULES_PAGE, rulesPage(readFileSync(RULES_PAGE, 'utf8')));
