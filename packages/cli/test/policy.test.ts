// compatibility.yaml: what a project's policy may say.
import { describe, expect, it } from '@jest/globals';
import { readPolicy } from '../src/project/policy.ts';

const ENTRY = `
ignore:
  - rule: request-property-removed
    change: the property tag was removed
    location: POST /toys  request body /tag
    reason: No client sends it.
    expires: 2026-06-30
`;
const A_RULE = 'expected a rule of docs/stubwright/diff-rules.md';
const A_DATE = 'expected a date such as 2026-06-30';
const without = (line: string) => ENTRY.replace(`    ${line}\n`, '');

describe('readPolicy', () => {
  it.each([
    [
      'severity: {}',
      'got "severity"  expected severities, ignore, versions, minimum-notice-days, traffic or served',
    ],
    ['traffic: 7', 'got 7  expected a map with minimum-days'],
    ['traffic: {days: 7}', 'got "days"  expected minimum-days'],
    ['traffic: {minimum-days: -1}', 'got -1  expected a number of days'],
    ['minimum-notice-days: soon', 'got "soon"  expected a number of days'],
    ['minimum-notice-days: 1.5', 'got 1.5  expected a number of days'],
    ['versions: text', 'got "text"  expected semver, date, sequence'],
    [without('change: the property tag was removed'), 'got nothing  expected change'],
    ['severities: { request-typo: risky }', `got "request-typo"  ${A_RULE}`],
    ['severities: { tags-changed: low }', 'got "low"  expected breaking, risky, compatible'],
    ['ignore: all', 'got "all"  expected an array'],
    [without('reason: No client sends it.'), 'got nothing  expected reason'],
    [ENTRY.replace('No client sends it.', "' '"), 'got " "  expected reason'],
    [without('expires: 2026-06-30'), 'got nothing  expected expires'],
    [ENTRY.replace('2026-06-30', 'never'), `got "never"  ${A_DATE}`],
    [ENTRY.replace('2026-06-30', '2026-02-31'), `got "2026-02-31"  ${A_DATE}`],
    [ENTRY.replace('property-removed', 'typo'), `got "request-typo"  ${A_RULE}`],
    ['ignore: [', '[ is not closed'],
    ['[]', 'expected a map'],
  ])('rejects %j', (text, message) => {
    const { errors } = readPolicy(text, 'compatibility.yaml');
    expect(errors).toEqual([expect.stringContaining(message)]);
    expect(errors[0]).toMatch(/^compatibility\.yaml:\d+:\d+ {2}/);
  });

  it.each([
    ['# nothing\n', 30],
    ['minimum-notice-days: 0', 0],
  ])('accepts %j', (text, minimumNoticeDays) => {
    expect(readPolicy(text, 'compatibility.yaml')).toEqual({
      policy: { severities: {}, ignore: [], minimumDays: 30, minimumNoticeDays },
      errors: [],
    });
  });

  it('reports a duplicate key and the errors after it', () => {
    const text = 'severities: {}\nseverities: { nope: bad }\nignore: 3\n';
    expect(readPolicy(text, 'p.yaml').errors).toEqual([
      'p.yaml:2:1  the key is a duplicate  expected unique keys',
      'p.yaml:3:9  got 3  expected an array',
      expect.stringContaining(A_RULE),
      expect.stringContaining('got "bad"'),
    ]);
  });
});
