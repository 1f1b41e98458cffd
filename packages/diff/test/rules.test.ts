// The rules of the diff: the example of each is reported under it, and docs/stubwright/diff-rules.md shows its severity.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { RULES } from '../src/rules/rules.ts';
import {
  DOCUMENT_EXAMPLES,
  OPERATION_EXAMPLES,
  SCHEMA_EXAMPLES,
  VALUE_EXAMPLES,
} from './ruleExamples.ts';
import { ofDocument, ofOperation, ofSchema, RULES_PAGE, reported, rulesPage } from './rulesPage.ts';

it('docs/stubwright/diff-rules.md has the example and the severity of each rule; make transcripts writes them', () => {
  const page = readFileSync(RULES_PAGE, 'utf8');
  expect(rulesPage(page)).toBe(page);
});

it.each(Object.entries(OPERATION_EXAMPLES))(
  '%s is the only change: %s',
  (rule, [before, after]) => {
    const found = reported(ofOperation(before), ofOperation(after));
    expect(found.map((each) => each.split(' ')[0])).toEqual([rule]);
  },
);

describe.each(['request', 'response'] as const)('a schema in a %s', (direction) => {
  it.each(Object.entries(SCHEMA_EXAMPLES))('%s is the only change: %s', (rule, [before, after]) => {
    const found = reported(ofSchema(before, direction), ofSchema(after, direction));
    const isOverlap = rule === 'alternatives-overlap' && direction === 'response';
    const expected = isOverlap ? [] : [`${direction}-${rule}`];
    expect(found.map((each) => each.split(' ')[0])).toEqual(expected);
  });
});

it('reports nothing for the default style of a header', () => {
  const header = (keywords: string) =>
    ofOperation(`{responses: {200: {headers: {X: {${keywords}schema: {type: array}}}}}}`);
  expect(reported(header(''), header('style: simple, explode: false, '))).toEqual([]);
});

it('has one example of each rule', () => {
  const schemas = Object.keys(SCHEMA_EXAMPLES);
  const examples = [
    ...schemas.flatMap((rule) => [`request-${rule}`, `response-${rule}`]),
    ...[VALUE_EXAMPLES, OPERATION_EXAMPLES, DOCUMENT_EXAMPLES].flatMap(Object.keys),
  ];
  expect(examples.sort()).toEqual(Object.keys(RULES).sort());
});

describe('an announced removal', () => {
  const sunset = (date: string) => `deprecated: true, x-sunset: '${date}'`;

  it.each([
    ['2000-01-01', 'compatible'],
    ['2999-01-01', 'breaking'],
    ['soon', 'breaking'],
    ['2000-02-30', 'breaking'],
    ['2000', 'breaking'],
    ['2000-01', 'breaking'],
    ['Jan 1 2000', 'breaking'],
    ['2000-01-01T00:00:00', 'breaking'],
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
