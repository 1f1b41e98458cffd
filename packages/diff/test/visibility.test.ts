// Which changes show in a recording, because the new contract refuses the requests that they concern.
import { describe, expect, it } from '@jest/globals';
import type { Change } from '@stubwright/diff';
import { inTestAll } from '@stubwright/test-support/testAll';
import { isVisible, REFUSING } from '../src/traffic/visibility.ts';
import { OPERATION_EXAMPLES, SCHEMA_EXAMPLES, VALUE_EXAMPLES } from './ruleExamples.ts';
import { ofOperation, ofSchema, reported } from './rulesPage.ts';

/** Breaking for clients whose requests stay valid, or have parts that are not recorded. */
const NOT_REFUSED = [
  'request-charset-changed',
  ...['request-extensible-enum-value-removed', 'request-content-encoding-changed'],
  ...['request-content-media-type-changed', 'request-discriminator-changed'],
  ...['request-discriminator-mapping-removed', 'request-discriminator-mapping-changed'],
  ...['request-alternatives-overlap', 'request-default-changed', 'request-sunset-earlier'],
  ...['request-serialization-changed', 'request-encoding-changed', 'request-xml-changed'],
  ...['operation-id-changed', 'operation-id-removed', 'security-requirement-removed'],
  'idempotency-removed',
  ...['pagination-changed', 'pagination-removed'],
];

describe('a rule of requests', () => {
  inTestAll(it)(
    'refuses requests if it is breaking, but for those whose requests stay valid',
    () => {
      const values = Object.entries(VALUE_EXAMPLES).filter(([rule]) => rule.startsWith('request'));
      const found = [
        ...[...Object.entries(SCHEMA_EXAMPLES), ...values].flatMap(([, [before, after]]) =>
          reported(ofSchema(before, 'request'), ofSchema(after, 'request')),
        ),
        ...Object.values(OPERATION_EXAMPLES).flatMap(([before, after]) =>
          reported(ofOperation(before), ofOperation(after)),
        ),
      ];
      const breaking = found
        .filter((each) => each.endsWith(' breaking') && !each.startsWith('response'))
        .map((each) => each.split(' ')[0]);
      const refusing = new Set(['operation-removed', 'operation-moved', ...breaking]);
      for (const rule of NOT_REFUSED) expect([rule, refusing.delete(rule)]).toEqual([rule, true]);
      expect([...REFUSING].sort()).toEqual([...refusing].sort());
    },
  );
});

describe('a change', () => {
  const isShown = (change: Partial<Change>) =>
    isVisible({ operations: ['GET /toys'], part: '', rule: 'tags-changed', ...change } as Change);

  it.each([
    ...['path parameter id', 'query parameter q', 'header parameter X', 'cookie parameter c'],
    ...['querystring parameter q', 'request body /name', 'response 200 /name'],
  ])('of the %s is visible', (part) => {
    expect(isShown({ part })).toBe(true);
  });

  it.each(['security', 'servers', 'callback sold request body', 'requestbody', 'parameter q'])(
    'of the %s is not',
    (part) => {
      expect(isShown({ part })).toBe(false);
    },
  );

  it('of a whole operation is visible if it refuses requests', () => {
    expect(isShown({ rule: 'operation-removed' })).toBe(true);
    expect(isShown({})).toBe(false);
    for (const operations of [['webhook sold'], ['GET /toys', 'webhook sold'], ['get /toys']]) {
      expect(isShown({ rule: 'operation-removed', operations })).toBe(false);
    }
  });
});
