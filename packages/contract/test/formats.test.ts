// The enforced formats of strings: a valid and an invalid text of each.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { Validators } from '../src/schema/validator.ts';

const TEXTS: readonly (readonly [format: string, valid: string, invalid: string])[] = [
  ['date', '2024-02-29', '2023-02-29'],
  ['time', '23:59:59Z', '24:00:00Z'],
  ['date-time', '2024-02-29T23:59:59+01:00', '2024-02-29 23:59'],
  ['duration', 'P1DT2H', 'P'],
  ['uri', 'https://example.com/a?b#c', '/a'],
  ['uri-reference', '/a?b', '\\a'],
  ['uri-template', '/a/{b}', '/a/{b'],
  ['email', 'a@example.com', 'a@'],
  ['hostname', 'a.example.com', '-a.example.com'],
  ['ipv4', '192.0.2.255', '192.0.2.256'],
  ['ipv6', '2001:db8::1', '2001:db8::g'],
  ['regex', '^a$', '('],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123e4567'],
  ['json-pointer', '/a~1b/0', 'a'],
  ['relative-json-pointer', '1/a', '/a'],
  ['byte', 'YWI=', 'YWI'],
  ['base64url', 'YW-_', 'YW+/'],
];

describe('a format of strings', () => {
  it.each(TEXTS)('%s accepts %j and rejects %j', (format, valid, invalid) => {
    const schemas = { It: { type: 'string', format } };
    const definition = new Contract({ openapi: '3.1.0', components: { schemas } });
    const validate = new Validators(definition, 'request').at('/components/schemas/It');
    expect([valid, invalid].map((text) => validate(text))).toEqual([true, false]);
    expect(validate.errorsOf(invalid)).toEqual([
      expect.objectContaining({ keyword: 'format', value: invalid }),
    ]);
  });

  it('of another name is an annotation', () => {
    const schemas = { It: { type: 'string', format: 'colour' } };
    const definition = new Contract({ openapi: '3.1.0', components: { schemas } });
    const validate = new Validators(definition, 'request').at('/components/schemas/It');
    expect(validate('no colour')).toBe(true);
  });
});
