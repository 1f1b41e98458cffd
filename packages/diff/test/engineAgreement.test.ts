// What is decided of numbers and texts is what the engine validates.
import { expect, it } from '@jest/globals';
import { Contract, formats } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/validation';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { FORMAT_PATTERNS } from '../src/schema/language.ts';
import { isMultiple, toDecimal } from '../src/values/numberSet.ts';

/** An integer is a number in a contract only if the double has its digits. */
const isOfContract = (number: number) =>
  !Number.isInteger(number) ||
  Math.abs(number) >= 1e21 ||
  String(BigInt(number)) === String(number);

it('a multiple of a step is one of the engine', () => {
  const decimal = fc
    .tuple(fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }), fc.integer({ min: -30, max: 8 }))
    .map(([units, exponent]) => Number(`${units}e${exponent}`))
    .filter(isOfContract);
  const step = fc.oneof(decimal.map(Math.abs), fc.constantFrom(0.01, 0.001, 0.05, 1e-7, 2.5, 3));
  const times = fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n }).map(Number);
  const numbers = fc.record({ multipleOf: step, other: decimal, times });
  fc.assert(
    fc.property(numbers, ({ multipleOf, other, times }) => {
      fc.pre(multipleOf > 0);
      const schemas = { It: { multipleOf } };
      const definition = new Contract({ openapi: '3.1.0', components: { schemas } });
      const isValid = new Validators(definition, 'request').at('/components/schemas/It');
      for (const value of [other, times * multipleOf].filter(isOfContract)) {
        const isDecided = isMultiple(toDecimal(value), toDecimal(multipleOf));
        expect([value, multipleOf, isDecided]).toEqual([value, multipleOf, isValid(value)]);
      }
    }),
    { numRuns: runs(1000) },
  );
});

it('a date or time that the engine accepts matches the pattern of its format', () => {
  const dates = ['2024-02-29', '0000-01-01', '9999-12-31'];
  const times = ['00:00:00Z', '23:59:60z', '22:29:60-01:30', '12:00:00.123456789012+23:59'];
  const inserted = fc.string({ unit: fc.constantFrom(...'0123569:.+-TtZz '), maxLength: 3 });
  const changed = fc.record({
    text: fc.constantFrom(...dates.flatMap((day) => times.map((time) => `${day}T${time}`))),
    ...{ at: fc.nat({ max: 26 }), cut: fc.nat({ max: 3 }), inserted },
  });
  fc.assert(
    fc.property(changed, ({ text, at, cut, inserted }) => {
      const dateTime = text.slice(0, at) + inserted + text.slice(at + cut);
      for (const format of ['date', 'time', 'date-time']) {
        const part = format === 'time' ? dateTime.slice(11) : dateTime;
        if (!formats[format]!(part)) continue;
        const { pattern } = FORMAT_PATTERNS[format]!;
        expect([format, part]).toEqual([format, expect.stringMatching(new RegExp(pattern, 'u'))]);
      }
    }),
    { numRuns: 2000 },
  );
});
