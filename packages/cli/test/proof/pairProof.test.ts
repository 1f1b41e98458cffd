// The proof of converters: correct ones pass, and each wrong one is noticed.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isTestAll } from '../../../stubwright/test/support/testAll.ts';
import { converterFunctions } from '../../src/proof/observedConverters.ts';
import { provePair } from '../../src/proof/pairProof.ts';
import { contractOf } from '../serving/compiled.ts';
import { booksPair, correctConverters, SUBTLE_MUTANTS } from './books.ts';

const prove = (converters: ReturnType<typeof correctConverters>) =>
  provePair(booksPair(converters));

const isRun = (_: unknown, at: number) => isTestAll || at % 4 === 0;
const functions = converterFunctions(correctConverters()).filter(isRun);
const subtle = SUBTLE_MUTANTS.filter(isRun);

describe('the proof of a served version', () => {
  it('passes correct converters', async () => {
    const { findings, ...counts } = await prove(correctConverters());
    expect(findings).toEqual([]);
    expect(counts.requests).toBeGreaterThan(100);
    expect(counts.replies).toBeGreaterThan(100);
    expect(counts.witnesses).toBeGreaterThan(50);
    expect(counts.roundTrips).toBeGreaterThan(50);
  });

  it.each([
    'openapi.yaml',
    'packages/stubwright/test/support/toys.yaml',
    'docs/examples/versions/openapi.yaml',
  ])('has no finding for two equal contracts: %s', async (path) => {
    const text = readFileSync(path, 'utf8');
    const newer = contractOf(text.replace(/^( *version: ).*$/m, "$1'99.0.0'"));
    const pair = { version: '1.0.0', older: contractOf(text), newer, converters: {} };
    const { findings, requests, replies } = await provePair({
      ...pair,
      positionOf: () => undefined,
    });
    expect(findings).toEqual([]);
    expect(Math.min(requests, replies)).toBeGreaterThan(0);
  });

  it.each(functions.map((each) => [each.path, each] as const))(
    'notices identity instead of %s',
    async (path, { group, name, member }) => {
      const converters = correctConverters();
      const owner = converters[group][name];
      const [, step] = /Steps\[(.*)\]$/.exec(path) ?? [];
      if (step === undefined) owner[member] = (value: unknown) => value;
      else owner[`${member}Steps`][JSON.parse(step)] = (value: unknown) => value;
      expect((await prove(converters)).findings).not.toEqual([]);
    },
  );

  it('notices a status that is not converted', async () => {
    const { findings } = await prove({ ...correctConverters(), statuses: {} });
    expect(findings).not.toEqual([]);
  });

  it.each(subtle.map((each) => [each.name, each] as const))(
    'notices %s',
    async (_, { change, isNoticed }) => {
      const converters = correctConverters();
      change(converters);
      const { findings } = await prove(converters);
      expect(findings.length > 0).toBe(isNoticed);
    },
  );
});
