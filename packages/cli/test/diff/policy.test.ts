// The policy of a project: severities, and accepted changes.
import { describe, expect, it } from '@jest/globals';
import type { Change } from '../../src/diff/change.ts';
import { applyPolicy, readPolicy } from '../../src/diff/report/policy.ts';

function changeOf(changed: Partial<Change> = {}): Change {
  return {
    rule: 'request-property-removed',
    severity: 'breaking',
    operations: ['POST /toys', 'POST /games'],
    part: 'request body /tag',
    what: 'the property tag was removed',
    effect: 'Clients that send it are refused, or it is ignored.',
    before: '/a',
    after: '/b',
    ...changed,
  };
}

const entry = (changed = '') => `
ignore:
  - rule: request-property-removed
    change: the property tag was removed
    location: POST /toys  request body /tag
    reason: No client sends it.
    expires: 2026-06-30
${changed}`;

function apply(text: string, changes: readonly Change[], today = '2026-06-30') {
  const { policy, errors } = readPolicy(text, 'compatibility.yaml');
  expect(errors).toEqual([]);
  return applyPolicy(changes, policy, today);
}

describe('applyPolicy', () => {
  it('changes severities, and sorts by them', () => {
    const changes = [changeOf(), changeOf({ rule: 'tags-changed', severity: 'risky' })];
    const text = 'severities: { request-property-removed: compatible, tags-changed: breaking }';
    expect(apply(text, changes).changes.map(({ rule, severity }) => [rule, severity])).toEqual([
      ['tags-changed', 'breaking'],
      ['request-property-removed', 'compatible'],
    ]);
  });

  it('ignores a change of the operation, the part and the rule of an entry only', () => {
    expect(apply(entry(), [changeOf({ operations: ['POST /toys'] })])).toEqual({
      changes: [],
      ignored: 1,
      warnings: [],
    });
    expect(apply(entry(), [changeOf()]).changes).toEqual([
      changeOf({ operations: ['POST /games'] }),
    ]);
    for (const other of [{ part: 'request body' }, { rule: 'request-type-changed' as const }]) {
      expect(apply(entry(), [changeOf(other)]).changes).toHaveLength(1);
    }
  });

  it.each([
    ['the property tag was removed', 'POST /toys request body /tag', true],
    ['the property size was removed', 'POST /toys request body /tag', false],
    ['the property * was removed', 'POST /toys request body /tag', true],
    ['the property tag was removed', '* request body /tag', true],
    ['the property tag was removed', '*', true],
    ['the property tag was removed', 'POST * body /*', true],
    ['the property tag was removed', 'POST * body /other', false],
    ['the property tag was removed', 'POST*POST /toys request body /tag', false],
    ['the property tag was removed', '#/components/schemas/Toy', true],
    ['the property tag was removed', '#/components/schemas/To', false],
    ['the property tag was removed', '#/components/schemas/Game', false],
  ])('with the change %s and the location %s: %s', (what, location, isIgnored) => {
    const text = entry()
      .replace(/change: .*/, `change: '${what}'`)
      .replace(/location: .*/, `location: '${location}'`);
    const change = changeOf({
      operations: ['POST /toys'],
      before: '/components/schemas/Toy/properties/tag',
      after: '/components/schemas/Toy/properties',
    });
    expect(apply(text, [change]).ignored).toBe(isIgnored ? 1 : 0);
  });

  it('ignores a change of the whole contract', () => {
    const text = entry()
      .replace('request-property-removed', 'server-removed')
      .replace(/location: .*/, 'location: the whole contract');
    const change = changeOf({ rule: 'server-removed', operations: [], part: '' });
    expect(apply(text, [change]).changes).toEqual([]);
  });

  it('reports an expired entry, and its change again', () => {
    const { changes, warnings } = apply(entry(), [changeOf()], '2026-07-01');
    expect(changes).toEqual([changeOf()]);
    expect(warnings).toEqual([
      'compatibility.yaml:3:5  warning  request-property-removed at POST /toys  request body /tag is no longer ignored since 2026-06-30',
    ]);
  });

  it('reports an entry without a change', () => {
    expect(apply(entry(), []).warnings).toEqual([
      'compatibility.yaml:3:5  warning  request-property-removed at POST /toys  request body /tag is no change, expected no entry',
    ]);
  });
});

describe('readPolicy', () => {
  it.each([
    ['severity: {}', 'got "severity"  expected severities, ignore, versions or traffic'],
    ['traffic: 7', 'got 7  expected a map with minimum-days'],
    ['traffic: {days: 7}', 'got "days"  expected minimum-days'],
    ['traffic: {minimum-days: -1}', 'got -1  expected a number of days'],
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
    ['ignore: [', 'Flow sequence'],
    ['[]', 'expected a map'],
  ])('rejects %j', (text, message) => {
    const { errors } = readPolicy(text, 'compatibility.yaml');
    expect(errors).toEqual([expect.stringContaining(message)]);
    expect(errors[0]).toMatch(/^compatibility\.yaml:\d+:\d+ {2}/);
  });

  it('accepts an empty file', () => {
    expect(readPolicy('# nothing\n', 'compatibility.yaml')).toEqual({
      policy: { severities: {}, ignore: [], minimumDays: 30 },
      errors: [],
    });
  });
});
