// Sets of numbers are compared by arithmetic: the decisions agree with sampled numbers.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { changesBetween } from '../src/contract/changes.ts';
import {
  type Bound,
  isEmpty,
  isSubset,
  type NumberSet,
  toDecimal,
} from '../src/values/numberSet.ts';

/** In units of 1/200, in which every bound and step below is even: a number is between each two. */
const UNITS = 200;
const SAMPLES = Array.from({ length: 8 * UNITS + 1 }, (_, at) => at - 4 * UNITS);

interface Spec {
  readonly min: { readonly units: number; readonly isExclusive: boolean } | undefined;
  readonly max: { readonly units: number; readonly isExclusive: boolean } | undefined;
  readonly step: number | undefined;
}

const limit = fc.option(
  fc.record({
    units: fc.integer({ min: -15, max: 15 }).map((each) => each * 20),
    isExclusive: fc.boolean(),
  }),
  { nil: undefined },
);
const spec: fc.Arbitrary<Spec> = fc.record({
  min: limit,
  max: limit,
  step: fc.constantFrom(undefined, undefined, 20, 40, 50, 60, 100, 200, 300, 400),
});

function setOf({ min, max, step }: Spec): NumberSet {
  const bound = (each: Spec['min']): Bound | undefined =>
    each && { value: each.units / UNITS, isExclusive: each.isExclusive };
  return {
    minimum: bound(min),
    maximum: bound(max),
    step: step === undefined ? undefined : toDecimal(step / UNITS),
  };
}

function has({ min, max, step }: Spec, units: number): boolean {
  const isAbove = min === undefined || (min.isExclusive ? units > min.units : units >= min.units);
  const isBelow = max === undefined || (max.isExclusive ? units < max.units : units <= max.units);
  return isAbove && isBelow && (step === undefined || units % step === 0);
}

/** The samples end at 4, the bounds at 1.5: beyond, the sets continue in the same way. */
function sampledSubset(one: Spec, other: Spec): boolean {
  return SAMPLES.every((each) => !has(one, each) || has(other, each));
}

describe('isSubset', () => {
  it('agrees with sampled numbers', () => {
    fc.assert(
      fc.property(spec, spec, (one, other) => {
        expect([one, other, isSubset(setOf(one), setOf(other))]).toEqual([
          one,
          other,
          sampledSubset(one, other),
        ]);
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('is exact for decimals and for integers beyond doubles', () => {
    const above = (value: number | bigint, isExclusive = false, step?: number): NumberSet => ({
      minimum: { value, isExclusive },
      maximum: undefined,
      step: step === undefined ? undefined : toDecimal(step),
    });
    expect(isSubset(above(0, true, 0.01), above(0.01))).toBe(true);
    expect(isSubset(above(0, true, 0.001), above(0.01))).toBe(false);
    expect(isSubset(above(0.30000000000000004), above(0.3, true))).toBe(true);
    expect(isSubset(above(2 ** 53, true, 1), above(9007199254740993n))).toBe(true);
    expect(isSubset(above(2 ** 53, true, 1), above(9007199254740994n))).toBe(false);
    expect(isSubset(above(1e-300), above(0, true))).toBe(true);
  });

  it('has an empty set in every set', () => {
    const none = setOf({
      min: { units: 20, isExclusive: true },
      max: { units: 40, isExclusive: true },
      step: 20,
    });
    expect(isEmpty(none)).toBe(true);
    expect(isEmpty(setOf({ min: undefined, max: undefined, step: 20 }))).toBe(false);
    expect(
      isSubset(
        none,
        setOf({ min: { units: 100, isExclusive: false }, max: undefined, step: undefined }),
      ),
    ).toBe(true);
  });
});

describe('a schema of numbers', () => {
  const contractWith = (
    { min, max, step }: Spec,
    type: string,
    direction: 'request' | 'response',
  ) => {
    const bound = (name: 'Minimum' | 'Maximum', each: Spec['min']) =>
      each && { [each.isExclusive ? `exclusive${name}` : name.toLowerCase()]: each.units / UNITS };
    const schema = {
      type,
      ...bound('Minimum', min),
      ...bound('Maximum', max),
      ...(step && { multipleOf: step / UNITS }),
    };
    const content = { 'application/json': { schema } };
    const responses = { 200: { description: 'a', ...(direction === 'response' && { content }) } };
    const post = { ...(direction === 'request' && { requestBody: { content } }), responses };
    const info = { title: 'Toys', version: '1' };
    return { definition: new Contract({ openapi: '3.1.0', info, paths: { '/toys': { post } } }) };
  };

  it.each(['number', 'integer'] as const)(
    'of type %s is breaking exactly if a number is lost',
    (type) => {
      const of = (each: Spec): Spec =>
        type === 'number' ? each : { ...each, step: lcm(each.step ?? UNITS, UNITS) };
      fc.assert(
        fc.property(
          spec,
          spec,
          fc.constantFrom('request', 'response'),
          (before, after, direction) => {
            const [sent, read] = direction === 'request' ? [before, after] : [after, before];
            const changes = changesBetween(
              contractWith(before, type, direction),
              contractWith(after, type, direction),
            );
            const isBreaking = changes[0]?.severity === 'breaking';
            expect([
              before,
              after,
              direction,
              changes[0]?.severity === 'risky',
              isBreaking,
            ]).toEqual([before, after, direction, false, !sampledSubset(of(sent), of(read))]);
          },
        ),
        { numRuns: runs(1_500) },
      );
    },
  );
});

function lcm(a: number, b: number): number {
  const gcd = (x: number, y: number): number => (y === 0 ? x : gcd(y, x % y));
  return (a / gcd(a, b)) * b;
}
