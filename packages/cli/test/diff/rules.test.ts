// The rules of docs/diff-rules.md: each pair of contracts is reported under its rule.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Definition, type Node } from '../../../stubwright/src/document/definition.ts';
import type { Change } from '../../src/diff/change.ts';
import { changesBetween } from '../../src/diff/changes.ts';
import { RULES } from '../../src/diff/rules.ts';
import { parseText } from '../../src/loading/parse.ts';

const PAGE = readFileSync('docs/diff-rules.md', 'utf8');

/** The cells of the tables under a heading, without the code marks. */
function rowsUnder(heading: string): string[][] {
  const [, section = ''] = PAGE.split(`\n## ${heading}\n`);
  const lines = section.split('\n## ')[0]!.split('\n');
  return lines
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.replace(/^`|`$/g, '')),
    );
}

function nodeOf(text: string): Node {
  const { value } = parseText(text, false) as { value: Node };
  return value;
}

const INFO = { title: 'Toys', version: '1' };
const OK = { 200: {} };
const SCHEMES = {
  one: { type: 'apiKey', in: 'header', name: 'One' },
  two: { type: 'apiKey', in: 'header', name: 'Two' },
};

function ofDocument(text: string): Node {
  return { openapi: '3.1.0', info: INFO, paths: {}, ...nodeOf(text) };
}

function ofOperation(text: string): Node {
  const post = { responses: OK, ...nodeOf(text) };
  const components = { securitySchemes: SCHEMES };
  return { openapi: '3.1.0', info: INFO, paths: { '/toys': { post } }, components };
}

function ofSchema(text: string, direction: 'request' | 'response'): Node {
  const content = { 'application/json': { schema: nodeOf(text) } };
  const post = direction === 'request' ? { requestBody: { content } } : {};
  const responses = direction === 'request' ? OK : { 200: { content } };
  const components = { schemas: { Toy: {}, Game: { minProperties: 1 } } };
  return {
    openapi: '3.1.0',
    info: INFO,
    paths: { '/toys': { post: { ...post, responses } } },
    components,
  };
}

/** @returns the rules and severities */
function reported(before: Node, after: Node): string[] {
  const contracts = [before, after].map((each) => ({ definition: new Definition(each) }));
  const changes: Change[] = changesBetween(contracts[0]!, contracts[1]!);
  return [...new Set(changes.map(({ rule, severity }) => `${rule} ${severity}`))];
}

describe.each(['request', 'response'] as const)('a schema in a %s', (direction) => {
  it.each(rowsUnder('Schemas'))('%s: %s -> %s', (rule, before, after, ...severities) => {
    const severity = severities[direction === 'request' ? 0 : 1];
    expect(reported(ofSchema(before!, direction), ofSchema(after!, direction))).toEqual(
      severity === 'none' ? [] : [`${direction}-${rule} ${severity}`],
    );
  });
});

it.each(rowsUnder('Schemas, proven by a value'))(
  '%s is %s: %s -> %s',
  (rule, severity, before, after) => {
    const direction = rule!.startsWith('request') ? 'request' : 'response';
    expect(reported(ofSchema(before!, direction), ofSchema(after!, direction))).toContain(
      `${rule} ${severity}`,
    );
  },
);

it.each(rowsUnder('Operations'))('%s is %s: %s -> %s', (rule, severity, before, after) => {
  expect(reported(ofOperation(before!), ofOperation(after!))).toEqual([`${rule} ${severity}`]);
});

it.each(rowsUnder('The whole contract'))('%s is %s: %s -> %s', (rule, severity, before, after) => {
  expect(reported(ofDocument(before!), ofDocument(after!))).toContain(`${rule} ${severity}`);
});

it('reports nothing for the default style of a header', () => {
  const header = (keywords: string) =>
    ofOperation(`{responses: {200: {headers: {X: {${keywords}schema: {type: array}}}}}}`);
  expect(reported(header(''), header('style: simple, explode: false, '))).toEqual([]);
});

it('documents every rule once', () => {
  const documented = [
    ...rowsUnder('Schemas').flatMap(([rule]) => [`request-${rule}`, `response-${rule}`]),
    ...['Schemas, proven by a value', 'Operations', 'The whole contract'].flatMap((each) =>
      rowsUnder(each).map(([rule]) => rule),
    ),
  ];
  expect(documented.sort()).toEqual(Object.keys(RULES).sort());
});

describe('an announced removal', () => {
  const sunset = (date: string) => `deprecated: true, x-sunset: '${date}'`;

  it.each([
    ['2000-01-01', 'compatible'],
    ['2999-01-01', 'risky'],
    ['soon', 'breaking'],
  ])('for %s is %s', (date, severity) => {
    const at = sunset(date);
    expect(reported(ofDocument(`{paths: {/toys: {get: {${at}}}}}`), ofDocument('{}'))).toEqual([
      `operation-removed ${severity}`,
    ]);
    const parameter = ofOperation(`{parameters: [{name: q, in: query, ${at}}]}`);
    expect(reported(parameter, ofOperation('{}'))).toEqual([`parameter-removed ${severity}`]);
    for (const direction of ['request', 'response'] as const) {
      const closed = 'additionalProperties: false';
      const before = `{properties: {a: {${at}}}, ${closed}}`;
      const after = `{properties: {}, ${closed}}`;
      expect(reported(ofSchema(before, direction), ofSchema(after, direction))).toEqual([
        `${direction}-property-removed ${severity}`,
      ]);
    }
  });

  it('without x-sunset, or of a part that is not deprecated, is breaking', () => {
    for (const node of ['{deprecated: true}', "{x-sunset: '2000-01-01'}"]) {
      expect(reported(ofDocument(`{paths: {/toys: {get: ${node}}}}`), ofDocument('{}'))).toEqual([
        'operation-removed breaking',
      ]);
    }
  });
});
