// The rules of the diff: the example of each is reported under it, and docs/stubwright/diff-rules.md shows its severity.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { objectType } from '@stubwright/contract/openapi-table';
import { isTestAll } from '@stubwright/test-support/testAll';
import { changesBetween } from '../src/contract/changes.ts';
import { RULES } from '../src/rules/rules.ts';
import {
  DOCUMENT_ROWS,
  OPERATION_ROWS,
  type RuleExample,
  SCHEMA_ROWS,
  VALUE_ROWS,
} from './ruleExamples.ts';
import { ofDocument, ofOperation, ofSchema, reported } from './rulesPage.ts';

const directionOf = (rule: string) => (rule.startsWith('request') ? 'request' : 'response');

describe.each([
  [VALUE_ROWS, (text: string, rule: string) => ofSchema(text, directionOf(rule)), false],
  [OPERATION_ROWS, ofOperation, true],
  [DOCUMENT_ROWS, ofDocument, true],
])('the page of the rules', (rows, contractOf, isOnlyOne) => {
  it.each(rows)('shows what is reported: $rule $severities $pair', ({ rule, severities, pair }) => {
    const [before, after] = pair.map((text) => contractOf(text, rule));
    const [first, ...others] = reported(before!, after!);
    expect(first).toBe(`${rule} ${severities[0]}`);
    expect(others).toEqual(isOnlyOne ? [] : [expect.stringMatching(/ compatible$/)]);
  });
});

describe.each(['request', 'response'] as const)('the page of the rules, for a %s', (direction) => {
  // The search for the end of too many alternatives takes seconds.
  const isRun = ({ rule }: RuleExample) =>
    isTestAll || direction === 'request' || rule !== 'too-complex';
  const column = direction === 'request' ? 0 : 1;
  it.each(SCHEMA_ROWS.filter(isRun))(
    'shows what is reported: $rule $severities $pair',
    ({ rule, severities, pair }) => {
      const [before, after] = pair.map((text) => ofSchema(text, direction));
      const severity = severities[column]!;
      const expected = severity === 'none' ? [] : [`${direction}-${rule} ${severity}`];
      expect(reported(before!, after!)).toEqual(expected);
    },
  );
});

it('reports nothing for the default style of a header', () => {
  const header = (keywords: string) =>
    ofOperation(`{responses: {200: {headers: {X: {${keywords}schema: {type: array}}}}}}`);
  expect(reported(header(''), header('style: simple, explode: false, '))).toEqual([]);
});

const query = (schema: string) =>
  ofOperation(`{parameters: [{name: q, in: query, schema: ${schema}}]}`);
const responseHeader = (schema: string) =>
  ofOperation(`{responses: {200: {headers: {X: {schema: ${schema}}}}}}`);
const names = (schema: string) => ofSchema(`{propertyNames: ${schema}}`, 'request');
const LIST = '{type: array, items: {type: string}, default: [a]}';

it.each([
  [
    '{type: boolean}',
    "{type: string, pattern: '^[a-z]*$'}",
    query,
    'request-type-widened compatible',
  ],
  ['{type: string}', LIST, responseHeader, 'response-type-changed breaking'],
  ['{maxLength: 5}', '{minLength: 1, maxLength: 5}', names, 'request-min-length-narrowed risky'],
])('compares the texts of %s, %s', (before, after, contractOf, expected) => {
  expect(reported(contractOf(before), contractOf(after))).toEqual([expected]);
});

it.each([
  [
    ['{contains: {const: 1}}', '{contains: {const: 2}}'],
    ['{contains: {const: 2}, minContains: 2}', '{contains: {const: 1}}'],
    ['request-min-contains-narrowed breaking'],
  ],
  [
    ['{if: {minLength: 1}, then: {maxLength: 5}}', '{if: {minLength: 3}, then: {pattern: a}}'],
    ['{if: {minLength: 3}, then: {pattern: a}}', '{if: {minLength: 1}, then: {maxLength: 6}}'],
    ['request-max-length-widened compatible'],
  ],
  [['{not: {const: 1}}', '{not: {const: 2}}'], ['{not: {const: 2}}', '{not: {const: 1}}'], []],
])('pairs equal keywords of several schemas: %j, %j', (before, after, expected) => {
  const [was, is] = [before, after].map((all) => ofSchema(`{allOf: [${all}]}`, 'request'));
  expect(reported(was!, is!)).toEqual(expected);
});

it('reports a format that the limits of integers imply', () => {
  const [before, after] = ['', ', format: int32'].map((format) =>
    ofSchema(`{type: integer, minimum: 0, maximum: 9${format}}`, 'request'),
  );
  expect(reported(before!, after!)).toEqual(['request-format-annotation-changed compatible']);
});

const patchOf = (resource: string) => {
  const media = `{schema: {type: object}, x-patch-of: {properties: {a: {}, b: {}}, ${resource}}}`;
  const requestBody = `{content: {application/merge-patch+json: ${media}}}`;
  return ofDocument(`{paths: {/a: {patch: {requestBody: ${requestBody}}}}}`);
};

it.each(['required: [a]', 'dependentRequired: {a: [b]}'])(
  'reports no property of a patch that becomes required or optional by %s',
  (keyword) => {
    const [before, after] = [patchOf(''), patchOf(keyword)];
    expect([reported(before, after), reported(after, before)]).toEqual([[], []]);
  },
);

it('reports a change of the resource of a patch once', () => {
  const [before, after] = [patchOf('maxProperties: 3'), patchOf('maxProperties: 2')];
  expect(reported(before, after)).toEqual(['request-max-properties-narrowed breaking']);
});

it.each([
  ...['$self: /a', 'tags: [{name: a}]', 'externalDocs: {url: /a}'].map(
    (field) => [field, ofDocument] as const,
  ),
  ...['summary: a', 'description: a', 'externalDocs: {url: /a}', 'deprecated: true'].map(
    (field) => [field, ofOperation] as const,
  ),
])('reports a field of documentation: %s', (field, contractOf) => {
  const found = reported(contractOf('{}'), contractOf(`{${field}}`));
  expect(found).toEqual(['documentation-changed compatible']);
});

it('reports each field of the info', () => {
  const before = ofDocument('{info: {}}');
  for (const field of objectType('Info', 1).fields.keys()) {
    const rules = reported(before, ofDocument(`{info: {${field}: '2'}}`));
    expect([field, ...rules]).toEqual([field, expect.stringMatching(/changed compatible$/)]);
  }
});

it('has one example of each rule', () => {
  const examples = [
    ...SCHEMA_ROWS.flatMap(({ rule }) => [`request-${rule}`, `response-${rule}`]),
    ...[...VALUE_ROWS, ...OPERATION_ROWS, ...DOCUMENT_ROWS].map(({ rule }) => rule),
  ];
  expect([...new Set(examples)].sort()).toEqual(Object.keys(RULES).sort());
});

describe('a new announcement of a removal', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000 + 60_000).toISOString();
  const announced = (days: number) => `deprecated: true, x-sunset: '${inDays(days)}'`;
  const severityOf = (days: number, minimumNoticeDays?: number) => {
    const [was, is] = [
      ofDocument('{paths: {/toys: {get: {}}}}'),
      ofDocument(`{paths: {/toys: {get: {${announced(days)}}}}}`),
    ].map((each) => ({ definition: new Contract(each) }));
    const [first] = changesBetween(was!, is!, { minimumNoticeDays });
    return `${first!.rule} ${first!.severity}: ${first!.effect}`;
  };

  it.each([
    [1, undefined, 'sunset-earlier breaking: Clients have less than 30 days to change.'],
    [29, undefined, 'sunset-earlier breaking: Clients have less than 30 days to change.'],
    [30, undefined, 'documentation-changed compatible: Only the documentation changes.'],
    [59, 60, 'sunset-earlier breaking: Clients have less than 60 days to change.'],
    [1, 0, 'documentation-changed compatible: Only the documentation changes.'],
    [-1, 0, 'sunset-earlier breaking: Clients had no time to change.'],
  ])('in %d days with a minimum of %s: %s', (days, minimum, expected) => {
    expect(severityOf(days, minimum)).toBe(expected);
  });

  it('of a property needs the same notice', () => {
    const before = ofSchema('{properties: {a: {type: string}}}', 'request');
    const after = ofSchema(`{properties: {a: {type: string, ${announced(7)}}}}`, 'request');
    const [was, is] = [before, after].map((each) => ({ definition: new Contract(each) }));
    const severities = [30, 0].map(
      (minimumNoticeDays) => changesBetween(was!, is!, { minimumNoticeDays })[0]!.severity,
    );
    expect(severities).toEqual(['breaking', 'compatible']);
  });
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

  it.each(['request', 'response'] as const)(
    'may break a keyword beside it in a %s',
    (direction) => {
      const [a, b] = [`a: {${sunset('2000-01-01')}}`, 'b: {type: string}'];
      const before = `{properties: {${a}, ${b}}, anyOf: [{required: [a]}, {required: [b]}], additionalProperties: false}`;
      const after = `{properties: {${b}}, anyOf: [{}, {required: [b]}], additionalProperties: false}`;
      expect(reported(ofSchema(before, direction), ofSchema(after, direction))).toEqual([
        `${direction}-property-removed compatible`,
      ]);
    },
  );

  it('without x-sunset, or of a part that is not deprecated, is breaking', () => {
    for (const node of ['{deprecated: true}', "{x-sunset: '2000-01-01'}"]) {
      expect(reported(ofDocument(`{paths: {/toys: {get: ${node}}}}`), ofDocument('{}'))).toEqual([
        'operation-removed breaking',
      ]);
    }
  });
});
