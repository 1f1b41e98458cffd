// The policy of a project: severities, and accepted changes.
import { describe, expect, it } from '@jest/globals';
import { type Acceptance, applyPolicy } from '../src/report/policy.ts';
import type { Change } from '../src/rules/rules.ts';

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

const ACCEPTED: Acceptance = {
  rule: 'request-property-removed',
  change: 'the property tag was removed',
  location: 'POST /toys  request body /tag',
  reason: 'No client sends it.',
  expires: '2026-06-30',
  at: 'compatibility.yaml:3:5',
};

function accepting(
  acceptance: Partial<Acceptance>,
  changes: readonly Change[],
  today = '2026-06-30',
) {
  return applyPolicy(changes, { severities: {}, ignore: [{ ...ACCEPTED, ...acceptance }] }, today);
}

describe('applyPolicy', () => {
  it('changes severities, and sorts by them', () => {
    const changes = [changeOf(), changeOf({ rule: 'tags-changed', severity: 'risky' })];
    const severities = {
      'request-property-removed': 'compatible',
      'tags-changed': 'breaking',
    } as const;
    expect(
      applyPolicy(changes, { severities, ignore: [] }).changes.map(({ rule, severity }) => [
        rule,
        severity,
      ]),
    ).toEqual([
      ['tags-changed', 'breaking'],
      ['request-property-removed', 'compatible'],
    ]);
  });

  it('ignores a change of the operation, the part and the rule of an entry only', () => {
    expect(accepting({}, [changeOf({ operations: ['POST /toys'] })])).toEqual({
      changes: [],
      ignored: 1,
      warnings: [],
    });
    expect(accepting({}, [changeOf()]).changes).toEqual([
      changeOf({ operations: ['POST /games'] }),
    ]);
    for (const other of [{ part: 'request body' }, { rule: 'request-type-changed' as const }]) {
      expect(accepting({}, [changeOf(other)]).changes).toHaveLength(1);
    }
  });

  it('accepts a change by the first of several entries, and reports the others', () => {
    const second = { ...ACCEPTED, change: '*', at: 'compatibility.yaml:8:5' };
    const change = changeOf({ operations: ['POST /toys'] });
    const policy = { severities: {}, ignore: [ACCEPTED, second] };
    const { ignored, warnings } = applyPolicy([change], policy, '2026-06-30');
    expect(ignored).toBe(1);
    expect(warnings).toEqual([
      'compatibility.yaml:8:5  warning  request-property-removed at POST /toys  request body /tag is no change, expected no entry',
    ]);
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
    const change = changeOf({
      operations: ['POST /toys'],
      before: '/components/schemas/Toy/properties/tag',
      after: '/components/schemas/Toy/properties',
    });
    expect(accepting({ change: what, location }, [change]).ignored).toBe(isIgnored ? 1 : 0);
  });

  it('ignores a change of the whole contract', () => {
    const accepted = { rule: 'server-removed', location: 'the whole contract' };
    const change = changeOf({ rule: 'server-removed', operations: [], part: '' });
    expect(accepting(accepted, [change]).changes).toEqual([]);
  });

  it('reports an expired entry, and its change again', () => {
    const { changes, warnings } = accepting({}, [changeOf()], '2026-07-01');
    expect(changes).toEqual([changeOf()]);
    expect(warnings).toEqual([
      'compatibility.yaml:3:5  warning  request-property-removed at POST /toys  request body /tag is no longer ignored since 2026-06-30',
    ]);
  });

  it.each([
    ['*', '*', true],
    [' * ', '**', true],
    ['*', 'POST *', false],
    ['the property *', '*', false],
  ])(
    'warns of an entry for the change %j and the location %j: %s',
    (change, location, isWarned) => {
      const { warnings } = accepting({ change, location, expires: '9999-12-31' }, [changeOf()]);
      expect(warnings).toEqual(
        isWarned
          ? [
              `compatibility.yaml:3:5  warning  request-property-removed at ${location} ignores every change of the rule, expected one`,
            ]
          : [],
      );
    },
  );

  it('reports an entry without a change', () => {
    expect(accepting({}, []).warnings).toEqual([
      'compatibility.yaml:3:5  warning  request-property-removed at POST /toys  request body /tag is no change, expected no entry',
    ]);
  });
});
