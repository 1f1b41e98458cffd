// The dates of deprecated parts, as `stubwright check` reports them.

import { describe, expect, it } from '@jest/globals';
import { unescapeToken } from '@stubwright/contract';
import { deprecationDateErrors } from '../src/check/runChecks.ts';

describe('the dates of deprecated parts', () => {
  // The texts that are dates: boundaries.test.ts and formats.test.ts of the contract.
  it.each([
    ['2026-06-30', []],
    ['2026-02-30', ['/a/x-sunset']],
    [20260630, ['/a/x-sunset']],
  ])('%j', (date, pointers) => {
    const errors = deprecationDateErrors({ a: { deprecated: true, 'x-sunset': date } });
    expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('expects a sunset after the deprecation', () => {
    const dates = { 'x-deprecated-since': '2026-06-30', 'x-sunset': '2026-01-01' };
    expect(deprecationDateErrors([{ ...dates, 'x-sunset': '2026-06-30' }])).toEqual([]);
    expect(deprecationDateErrors([dates])).toEqual([
      {
        pointer: '/0/x-sunset',
        message: 'x-sunset: got 2026-01-01, expected 2026-06-30 (x-deprecated-since) or later',
      },
    ]);
  });

  it('does not read values, and reads properties that are named like them', () => {
    const bad = { 'x-sunset': 'soon' };
    expect(deprecationDateErrors({ example: bad, default: bad, enum: [bad] })).toEqual([]);
    expect(deprecationDateErrors({ properties: { example: bad } })).toHaveLength(1);
  });

  const NAMES = ['value', 'default', 'example', 'examples', 'enum', 'const', 'x-a', 'schema'];
  it.each([
    ...['/components/schemas', '/components/schemas/a/$defs', '/components/schemas/a/properties'],
    ...['/components/schemas/a/dependentSchemas', '/components/schemas/a/patternProperties'],
    ...['/components/parameters', '/components/headers', '/components/pathItems/*/get'],
    ...['/components/responses/*/content/a~1b/schema', '/webhooks/*/post'],
    ...['/components/requestBodies/*/content/a~1b/schema', '/paths/~1a/additionalOperations'],
    ...['/paths/~1a/get/callbacks/*/{$url}/post', '/paths/~1a/get/responses/default/headers'],
  ])('reads %s of any name', (place) => {
    for (const name of NAMES) {
      const pointer = place.includes('*') ? place.replace('*', name) : `${place}/${name}`;
      const tokens = pointer.slice(1).split('/').map(unescapeToken);
      const bad: object = { deprecated: true, 'x-sunset': '2026-02-30' };
      const document = tokens.reduceRight((part, token) => ({ [token]: part }), bad);
      const errors = deprecationDateErrors({ openapi: '3.2.0', ...document });
      expect(errors.map((error) => error.pointer)).toEqual([`${pointer}/x-sunset`]);
    }
  });

  it('does not read a property whose name is that of the extension', () => {
    const schemas = { a: { properties: { 'x-sunset': { type: 'string' } } } };
    expect(deprecationDateErrors({ openapi: '3.1.0', components: { schemas } })).toEqual([]);
  });
});
