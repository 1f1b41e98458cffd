// The enforced formats of strings: a valid and an invalid text of each.

import { describe, expect, it } from '@jest/globals';
import * as client from '@stubwright/client/conversions';
import { Contract } from '@stubwright/contract';
import fc from 'fast-check';
import { formats, timeOf } from '../src/schema/rules/strings.ts';
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
  it('is one of these', () => {
    expect(Object.keys(formats).sort()).toEqual(TEXTS.map(([format]) => format).sort());
  });

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

describe('dates and times of RFC 3339', () => {
  const DATES = ['2024-02-29', '2000-02-29', '0000-01-01', '9999-12-31'];
  const NO_DATES = [
    '2023-02-29',
    '1900-02-29',
    '2024-04-31',
    '2024-00-01',
    '2024-1-01',
    '20240101',
  ];
  const TIMES = [
    ...['00:00:00Z', '23:59:59z', '23:59:60Z', '00:59:60+01:00', '22:29:60-01:30'],
    ...['12:00:00.1Z', '12:00:00.123456789012+23:59', '12:00:00-00:00'],
  ];
  const NO_TIMES = [
    ...['12:00:00', '12:00Z', '12:00:00+09', '12:00:00+0900', '12:00:00+9:00', '12:00:00+24:00'],
    ...['24:00:00Z', '12:60:00Z', '12:00:61Z', '12:00:60Z', '23:59:60+01:00', '12:00:00.Z'],
    ...['12:00:00,5Z', '12:00:00 Z', '12:00:00Z ', ' 12:00:00Z', '1٢:00:00Z'],
  ];

  it('are valid in the engine and the client as in the grammar', () => {
    for (const [days, areDates] of [
      [DATES, true],
      [NO_DATES, false],
    ] as const) {
      for (const day of days) {
        const date = [
          day,
          formats['date']!(day),
          client.isFullDate(day),
          timeOf(day) !== undefined,
        ];
        expect(date).toEqual([day, areDates, areDates, areDates]);
        for (const [times, areTimes] of [
          [TIMES, true],
          [NO_TIMES, false],
        ] as const) {
          for (const time of times) {
            expect([time, formats['time']!(time)]).toEqual([time, areTimes]);
            for (const separator of ['T', 't', ' ', '_', '']) {
              const text = `${day}${separator}${time}`;
              const isValid = areDates && areTimes && /t/i.test(separator);
              const found = [formats['date-time']!(text), client.isDateTime(text)];
              expect([text, ...found]).toEqual([text, isValid, isValid]);
              expect([text, timeOf(text) !== undefined]).toEqual([text, isValid]);
              if (isValid) expect(client.dateTimeAsDate.read(text)).toEqual(expect.any(Date));
            }
          }
        }
      }
    }
  });

  it('are the same in engine and client for any text', () => {
    const any = fc
      .array(fc.constantFrom(...'0123569:.+-TtZz '), { maxLength: 3 })
      .chain((inserted) =>
        fc.record({
          text: fc.constantFrom(...DATES.flatMap((day) => TIMES.map((time) => `${day}T${time}`))),
          at: fc.nat({ max: 26 }),
          cut: fc.nat({ max: 3 }),
          inserted: fc.constant(inserted.join('')),
        }),
      )
      .map(({ text, at, cut, inserted }) => text.slice(0, at) + inserted + text.slice(at + cut));
    fc.assert(
      fc.property(any, (text) => {
        const isValid = formats['date-time']!(text);
        expect([text, client.isDateTime(text)]).toEqual([text, isValid]);
        expect([text, timeOf(text) !== undefined]).toEqual([
          text,
          isValid || formats['date']!(text),
        ]);
      }),
      { numRuns: 2000 },
    );
  });
});
