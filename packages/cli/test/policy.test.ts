// compatibility.yaml: what a project's policy may say.
import { describe, expect, it } from '@jest/globals';
import { readPolicy } from '../src/project/policy.ts';

const entry = (changed = '') => `
ignore:
  - rule: request-property-removed
    change: the property tag was removed
    location: POST /toys  request body /tag
    reason: No client sends it.
    expires: 2026-06-30
${changed}`;

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
    [
      entry().replace('    change: the property tag was removed\n', ''),
      'got nothing  expected change',
    ],
    [
      'severities: { request-typo: risky }',
      'got "request-typo"  expected a rule of docs/stubwright/diff-rules.md',
    ],
    ['severities: { tags-changed: low }', 'got "low"  expected breaking, risky, compatible'],
    ['ignore: all', 'got "all"  expected an array'],
    [entry().replace('    reason: No client sends it.\n', ''), 'got nothing  expected reason'],
    [entry().replace('No client sends it.', "' '"), 'got " "  expected reason'],
    [entry().replace('    expires: 2026-06-30\n', ''), 'got nothing  expected expires'],
    [entry().replace('2026-06-30', 'never'), 'got "never"  expected a date such as 2026-06-30'],
    [
      entry().replace('2026-06-30', '2026-02-31'),
      'got "2026-02-31"  expected a date such as 2026-06-30',
    ],
    [
      entry().replace('property-removed', 'typo'),
      'got "request-typo"  expected a rule of docs/stubwright/diff-rules.md',
    ],
    ['ignore: [', '[ is not closed'],
    ['[]', 'expected a map'],
  ])('rejects %j', (text, message) => {
    const { errors } = readPolicy(text, 'compatibility.yaml');
    expect(errors).toEqual([expect.stringContaining(message)]);
    expect(errors[0]).toMatch(/^compatibility\.yaml:\d+:\d+ {2}/);
  });

  it('accepts an empty file', () => {
    expect(readPolicy('# nothing\n', 'compatibility.yaml')).toEqual({
      policy: { severities: {}, ignore: [], minimumDays: 30, minimumNoticeDays: 30 },
      errors: [],
    });
  });

  it('accepts no notice', () => {
    const { policy, errors } = readPolicy('minimum-notice-days: 0', 'compatibility.yaml');
    expect([policy.minimumNoticeDays, errors]).toEqual([0, []]);
  });

  it('reports a duplicate key and the errors after it', () => {
    const { errors } = readPolicy(
      'severities: {}\nseverities: { nope: bad }\nignore: 3\n',
      'p.yaml',
    );
    expect(errors[0]).toBe('p.yaml:2:1  the key is a duplicate  expected unique keys');
    expect(errors.join('\n')).toContain('p.yaml:3:9  got 3  expected an array');
    expect(errors.join('\n')).toContain('expected a rule of docs/stubwright/diff-rules.md');
  });
});
